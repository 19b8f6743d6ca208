//! The loop: one select over signals, replies, keys and time. It draws on demand and does what
//! update wants done; it decides nothing.

use crate::console::action;
use crate::console::draw;
use crate::console::effect::Effect;
use crate::console::error::ConsoleError;
use crate::console::event::{Drawn, Event, Moment};
use crate::console::guard::Guard;
use crate::console::key::Key;
use crate::console::keys::Keymap;
use crate::console::model::{Model, Session, Tone, ViewId};
use crate::console::prose::Kept;
use crate::console::screen::Screen;
use crate::console::shelf::Shelf;
use crate::console::signals::{self, Sign, Signals};
use crate::console::theme::Theme;
use crate::console::update;
use crate::console::watch;
use crate::console::worker::Worker;
use crate::console::{Options, Variables};
use crate::desk::presence::Presence;
use crate::desk::{Desk, put_whole};
use crate::domain::Act;
use crate::domain::reviewer::Footing;
use crate::keys::Signer;
use crossterm::event::{Event as Typed, EventStream};
use futures_util::StreamExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// At most one frame in so long: a burst of events makes one frame.
const FRAME: Duration = Duration::from_millis(8);
/// A frame waits so long for the text of the row that was just selected.
const PATIENCE: u64 = 12;
/// After so long a pane says that it is being read.
const LATE: u64 = 150;

/// Runs the console until the reviewer leaves.
///
/// # Errors
/// No terminal, keys or a theme that cannot be used, a terminal that fails.
pub fn run(desk: Arc<Desk>, options: Options) -> Result<(), ConsoleError> {
    if !options.caller.input_is_terminal || !options.caller.output_is_terminal {
        return Err(ConsoleError::NoTerminal);
    }
    if options.environment.term.as_deref() == Some("dumb") {
        return Err(ConsoleError::DumbTerminal);
    }
    let keymap = Keymap::load(user_keys(&options)?.as_deref())?;
    let theme = theme(&options)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let done = Arc::new(AtomicBool::new(false));
    let ended = runtime.block_on(async {
        let console = Console::open(desk, options, keymap, theme, Arc::clone(&done))?;
        console.attend().await
    });
    done.store(true, Ordering::SeqCst);
    // A thread that waits for an editor or a dead terminal must not keep the console.
    runtime.shutdown_timeout(Duration::from_millis(50));
    ended
}

/// Reads what was kept and puts the reviewer where they stood.
fn shelved(path: Option<&Path>, model: &mut Model) -> Option<Shelf> {
    let text = match std::fs::read_to_string(path?) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            model.say(Tone::Bad, format!("saved views: {error}"));
            return None;
        }
    };
    match Shelf::parse(&text) {
        Ok(shelf) => {
            shelf.restore(model);
            Some(shelf)
        }
        Err(why) => {
            model.say(Tone::Bad, format!("saved views cannot be read: {why}"));
            None
        }
    }
}

/// A file that is not there changes nothing.
fn user_keys(options: &Options) -> Result<Option<String>, ConsoleError> {
    let Some(path) = &options.keys_file else {
        return Ok(None);
    };
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let path = crate::text::line(&path.to_string_lossy());
            Err(ConsoleError::Keys(format!("`{path}`: {error}")))
        }
    }
}

/// Themes of many colours are for terminals that have them.
fn theme(options: &Options) -> Result<Theme, ConsoleError> {
    let environment = &options.environment;
    let many = matches!(
        environment.colorterm.as_deref(),
        Some("truecolor" | "24bit")
    );
    let said = match (environment.theme.as_deref(), environment.has_light_ground()) {
        (Some("auto"), Some(true)) => Some("light"),
        (Some("auto"), Some(false)) => Some("dark"),
        (Some("auto"), None) => None,
        (said, _) => said,
    };
    let name = match said {
        Some("dark" | "light") if !many => "default",
        Some(name) => name,
        None => "default",
    };
    Theme::named(name, environment.wants_colour())
}

/// The running console.
pub(crate) struct Console {
    pub(crate) model: Model,
    pub(crate) theme: Theme,
    pub(crate) kept: Kept,
    pub(crate) screen: Screen,
    pub(crate) guard: Guard,
    pub(crate) input: Option<EventStream>,
    pub(crate) signals: Signals,
    pub(crate) events: UnboundedReceiver<Event>,
    pub(crate) sender: UnboundedSender<Event>,
    pub(crate) worker: Worker,
    pub(crate) _watch: watch::Watch,
    pub(crate) desk: Arc<Desk>,
    /// What is kept of the console; none where the file cannot be read, so that it is left alone.
    shelf: Option<Shelf>,
    views_file: Option<PathBuf>,
    pub(crate) environment: Variables,
    pub(crate) started: Instant,
    pub(crate) drawn_at: Option<Instant>,
    pub(crate) frame: u64,
    pub(crate) dirty: bool,
    pub(crate) leaving: bool,
}

/// What woke the loop.
enum Woken {
    Sign(Sign),
    Event(Event),
    Typed(Typed),
    Failed(std::io::Error),
    Time,
}

impl Console {
    fn open(
        desk: Arc<Desk>,
        options: Options,
        keymap: Keymap,
        theme: Theme,
        done: Arc<AtomicBool>,
    ) -> Result<Self, ConsoleError> {
        let (presence, may_decide) = presence(&options);
        let store = desk.store_path().display().to_string();
        let session = Session {
            store,
            reviewer: options.reviewer.clone(),
            may_decide,
            refused: presence
                .as_ref()
                .map(|presence| refused(&desk, presence))
                .unwrap_or_default(),
            touch: options
                .signer
                .as_deref()
                .is_some_and(Signer::waits_for_touch),
            footing: footing(&desk, options.signer.as_deref()),
        };
        let (sender, events) = unbounded_channel();
        let signals = Signals::take()?;
        let size = crossterm::terminal::size()?;
        let guard = Guard::enter()?;
        signals::watch(sender.clone(), done);
        let worker = Worker::start(
            Arc::clone(&desk),
            presence,
            options.reviewer,
            options.baseline_file,
            sender.clone(),
        );
        let mut model = Model::new(session, keymap, ViewId::Queue, size);
        let shelf = shelved(options.views_file.as_deref(), &mut model);
        Ok(Self {
            model,
            shelf,
            views_file: options.views_file,
            theme,
            kept: Kept::default(),
            screen: Screen::new(size)?,
            guard,
            input: Some(EventStream::new()),
            signals,
            events,
            worker,
            _watch: watch::start(&desk, options.detect, &sender),
            sender,
            desk,
            environment: options.environment,
            started: Instant::now(),
            drawn_at: None,
            frame: 0,
            dirty: true,
            leaving: false,
        })
    }

    async fn attend(mut self) -> Result<(), ConsoleError> {
        let now = self.now();
        let effects = update::start(&mut self.model, now);
        self.perform(effects).await?;
        while !self.leaving {
            if self.overdue() {
                self.draw().await?;
            }
            match self.wait().await {
                Woken::Sign(sign) => self.sign(sign)?,
                Woken::Event(Event::Hangup) => self.leaving = true,
                Woken::Event(event) => self.happen(event).await?,
                Woken::Typed(typed) => self.typed(typed).await?,
                Woken::Failed(error) => return Err(error.into()),
                Woken::Time => self.time().await?,
            }
        }
        self.input = None;
        self.guard.leave();
        // Where it cannot be kept, nothing but the place is lost.
        let _ = self.shelve();
        self.worker.finish();
        Ok(())
    }

    /// Keeps the saved views and where the reviewer stands: the whole file, or the old one.
    fn shelve(&mut self) -> Result<(), String> {
        let (Some(shelf), Some(path)) = (&mut self.shelf, &self.views_file) else {
            return Err("the file of saved views cannot be read; it was left alone".to_owned());
        };
        // Another console may have kept something since.
        if let Ok(text) = std::fs::read_to_string(path) {
            *shelf = Shelf::parse(&text)?;
        }
        shelf.remember(&self.model);
        let text = shelf.write()?;
        put_whole(path, &text, None, || true)
            .map(|_| ())
            .map_err(|error| format!("`{}`: {error}", path.display()))
    }

    async fn wait(&mut self) -> Woken {
        let until = self.wake_at();
        let input = async {
            match &mut self.input {
                Some(input) => input.next().await,
                None => std::future::pending().await,
            }
        };
        let time = async {
            match until {
                Some(until) => tokio::time::sleep_until(until.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            sign = self.signals.next() => Woken::Sign(sign),
            Some(event) = self.events.recv() => Woken::Event(event),
            typed = input => match typed {
                Some(Ok(typed)) => Woken::Typed(typed),
                Some(Err(error)) => Woken::Failed(error),
                None => Woken::Event(Event::Hangup),
            },
            () = time => Woken::Time,
        }
    }

    async fn typed(&mut self, typed: Typed) -> Result<(), ConsoleError> {
        match typed {
            Typed::Key(key) => match Key::of(&key) {
                Some(key) => self.happen(Event::Key(key)).await,
                None => Ok(()),
            },
            Typed::Paste(text) => self.happen(Event::Paste(text)).await,
            Typed::Resize(width, height) => {
                self.screen = Screen::new((width, height))?;
                self.happen(Event::Resize(width, height)).await
            }
            Typed::FocusGained | Typed::FocusLost | Typed::Mouse(_) => Ok(()),
        }
    }

    pub(crate) async fn happen(&mut self, event: Event) -> Result<(), ConsoleError> {
        self.dirty = true;
        let now = self.now();
        let effects = update::update(&mut self.model, event, now);
        self.perform(effects).await
    }

    async fn perform(&mut self, effects: Vec<Effect>) -> Result<(), ConsoleError> {
        for effect in effects {
            match effect {
                Effect::Ask(ask) => self.worker.ask(ask),
                Effect::Edit(text) => self.edit(&text).await?,
                Effect::Copy(text) => self.copy(text)?,
                Effect::Shelve => {
                    if let Err(why) = self.shelve() {
                        self.model.say(Tone::Bad, format!("not kept: {why}"));
                    }
                }
                Effect::Repaint => self.screen = Screen::new(self.model.size)?,
                Effect::Suspend => self.suspend()?,
                Effect::Quit => self.leaving = true,
            }
        }
        Ok(())
    }

    async fn time(&mut self) -> Result<(), ConsoleError> {
        let waited = self
            .model
            .suspended
            .is_some_and(|(_, at)| self.now().ms >= at);
        let late = self
            .model
            .awaited()
            .is_some_and(|at| self.now().ms >= at + LATE);
        if waited || late {
            Box::pin(self.happen(Event::Tick)).await?;
        }
        if self.dirty {
            self.draw().await
        } else {
            Ok(())
        }
    }

    async fn draw(&mut self) -> Result<(), ConsoleError> {
        if self.input.is_none() {
            return Ok(());
        }
        self.dirty = false;
        self.frame += 1;
        let mut drawn = Drawn::default();
        let (model, theme, kept) = (&self.model, &self.theme, &mut self.kept);
        self.screen
            .frame(|frame| drawn = draw::draw(model, theme, kept, frame))?;
        drawn.frame = self.frame;
        self.drawn_at = Some(Instant::now());
        let now = self.now();
        let known = self.model.safety.serial;
        let effects = update::update(&mut self.model, Event::Flushed(drawn), now);
        // What has been on screen now may allow what was refused: the foot has to say so.
        self.dirty = self.model.safety.serial != known;
        Box::pin(self.perform(effects)).await
    }

    /// Whether a frame has been due for so long that it goes before further events.
    fn overdue(&self) -> bool {
        self.dirty && self.drawn_at.is_none_or(|at| at.elapsed() > 2 * FRAME) && !self.patient()
    }

    /// A newly selected row's text is on its way: one frame with it beats two.
    fn patient(&self) -> bool {
        let now = self.now().ms;
        self.model.awaited().is_some_and(|at| now < at + PATIENCE)
    }

    fn wake_at(&self) -> Option<Instant> {
        let at = |ms: u64| self.started + Duration::from_millis(ms);
        let now = Instant::now();
        let awaited = self.model.awaited();
        let frame = self.dirty.then(|| {
            let soonest = self.drawn_at.map_or(now, |drawn| drawn + FRAME);
            awaited
                .map_or(soonest, |asked| soonest.max(at(asked + PATIENCE)))
                .max(now)
        });
        let frame = frame.map(|due| {
            if self.patient() {
                due
            } else {
                due.min(now + FRAME)
            }
        });
        let late = awaited
            .map(|asked| at(asked + LATE))
            .filter(|late| *late > now);
        let waiting = self.model.suspended.map(|(_, ms)| at(ms));
        [frame, late, waiting].into_iter().flatten().min()
    }

    fn now(&self) -> Moment {
        let ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Moment {
            ms,
            wall: self.desk.now(),
        }
    }
}

/// How decisions made here are known to be the reviewer's, in the words of the head.
fn footing(desk: &Desk, signer: Option<&Signer>) -> String {
    match (desk.footing(), signer) {
        (Ok(Footing::Open), _) => "unsigned: roles asserted".to_owned(),
        (Ok(Footing::Listed), _) => "unsigned: roles listed".to_owned(),
        (Ok(Footing::Signed), Some(signer)) if signer.waits_for_touch() => {
            "signed (touch your key at each act)".to_owned()
        }
        (Ok(Footing::Signed), Some(_)) => "signed (key)".to_owned(),
        (Ok(Footing::Signed), None) => "signed: no key at hand".to_owned(),
        (Err(_), _) => "the reviewers' list cannot be read".to_owned(),
    }
}

/// What this person may not do here. It is only said beforehand: each act asks again.
fn refused(desk: &Desk, presence: &Presence) -> Vec<(&'static str, String)> {
    let refusal = |(id, act): &(&'static str, Act)| {
        let why = desk.may(presence, *act).err()?;
        Some((*id, why.to_string()))
    };
    action::GUARDED.iter().filter_map(refusal).collect()
}

/// Who decides, or why nobody can.
fn presence(options: &Options) -> (Option<Presence>, Result<(), String>) {
    if options.readonly {
        return (
            None,
            Err("the console was opened for looking only".to_owned()),
        );
    }
    match Presence::at_terminal(&options.caller, options.reviewer.clone()) {
        Ok(presence) => (Some(presence.with_key(options.signer.clone())), Ok(())),
        Err(refusal) => (None, Err(refusal.to_string())),
    }
}
