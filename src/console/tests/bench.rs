//! Keys in, frames out: the loop of `run` without a terminal, with a clock that stands still.

use crate::console::ask::{Ask, Reply};
use crate::console::draw;
use crate::console::effect::Effect;
use crate::console::event::{Event, Moment};
use crate::console::key::Key;
use crate::console::keys::Keymap;
use crate::console::model::{Model, Session, ViewId};
use crate::console::prose::Kept;
use crate::console::tests::fixture::Fixture;
use crate::console::theme::Theme;
use crate::console::update;
use crate::domain::{Reviewer, ReviewerName, Role};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

/// How long a person takes between two keys.
const PACE: u64 = 500;

pub(crate) struct Bench {
    pub(crate) model: Model,
    pub(crate) desk: Fixture,
    pub(crate) ms: u64,
    pub(crate) frame: u64,
    /// What left the console besides requests.
    pub(crate) effects: Vec<Effect>,
    /// Requests that are not answered yet, where answers are held up.
    pub(crate) asked: Vec<Ask>,
    pub(crate) slow: bool,
    theme: Theme,
    kept: Kept,
    terminal: Terminal<TestBackend>,
}

impl Bench {
    pub(crate) fn new(desk: Fixture, size: (u16, u16)) -> Self {
        Self::begun(desk, size, |_| {})
    }

    /// The same, with something done to the model before the first request.
    pub(crate) fn begun(desk: Fixture, size: (u16, u16), prepare: impl FnOnce(&mut Model)) -> Self {
        let reviewer = Reviewer {
            name: ReviewerName::parse("alice").unwrap(),
            role: Role::Reviewer,
        };
        let session = Session {
            store: "/demo/countersign.db".to_owned(),
            reviewer,
            may_decide: Ok(()),
            refused: vec![("reveal", "reveal takes the role `security`".to_owned())],
            touch: false,
            footing: "unsigned: roles asserted".to_owned(),
        };
        let keymap = Keymap::load(None).unwrap();
        let mut bench = Self {
            model: Model::new(session, keymap, ViewId::Queue, size),
            desk,
            ms: 0,
            frame: 0,
            effects: Vec::new(),
            asked: Vec::new(),
            slow: false,
            theme: Theme::named("default", true).unwrap(),
            kept: Kept::default(),
            terminal: Terminal::new(TestBackend::new(size.0, size.1)).unwrap(),
        };
        prepare(&mut bench.model);
        let now = bench.now();
        let effects = update::start(&mut bench.model, now);
        bench.perform(effects);
        bench.draw();
        bench
    }

    pub(crate) fn now(&self) -> Moment {
        Moment {
            ms: self.ms,
            wall: self.desk.now.plus(self.ms as i64),
        }
    }

    /// Presses keys as a person does: each after the frame of the one before.
    pub(crate) fn press(&mut self, keys: &str) -> &mut Self {
        for key in read(keys) {
            self.ms += PACE;
            self.happen(Event::Key(key));
            self.tick();
            self.draw();
        }
        self
    }

    /// Presses keys as a machine does: so many milliseconds apart.
    pub(crate) fn burst(&mut self, keys: &str, apart: u64, frames: bool) -> &mut Self {
        for key in read(keys) {
            self.ms += apart;
            self.tick();
            self.happen(Event::Key(key));
            if frames {
                self.draw();
            }
        }
        self
    }

    /// Lets time pass; a key that waits to be believed is believed.
    pub(crate) fn tick(&mut self) {
        if let Some((_, at)) = self.model.suspended
            && (at <= self.ms || self.ms.is_multiple_of(PACE))
        {
            self.ms = self.ms.max(at);
            self.happen(Event::Tick);
        }
    }

    pub(crate) fn happen(&mut self, event: Event) {
        let now = self.now();
        let effects = update::update(&mut self.model, event, now);
        self.perform(effects);
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Ask(ask) if self.slow => self.asked.push(ask),
                Effect::Ask(ask) => self.answer(ask),
                other => self.effects.push(other),
            }
        }
    }

    pub(crate) fn answer(&mut self, ask: Ask) {
        let answer = self.desk.answer(ask.request);
        self.happen(Event::Reply(Reply {
            lane: ask.lane,
            generation: ask.generation,
            answer,
        }));
    }

    /// Answers everything that was held up.
    pub(crate) fn answer_all(&mut self) {
        self.slow = false;
        for ask in std::mem::take(&mut self.asked) {
            self.answer(ask);
        }
        self.draw();
    }

    /// Draws until nothing changes by having been drawn.
    pub(crate) fn draw(&mut self) {
        for _ in 0..3 {
            self.frame += 1;
            let mut drawn = crate::console::event::Drawn::default();
            let (model, theme, kept) = (&self.model, &self.theme, &mut self.kept);
            self.terminal
                .draw(|frame| drawn = draw::draw(model, theme, kept, frame))
                .unwrap();
            drawn.frame = self.frame;
            let known = self.model.safety.serial;
            self.happen(Event::Flushed(drawn));
            if self.model.safety.serial == known {
                return;
            }
        }
    }

    pub(crate) fn screen(&self) -> String {
        let buffer = self.terminal.backend().buffer();
        let width = usize::from(buffer.area.width);
        let symbols: Vec<&str> = buffer
            .content()
            .iter()
            .map(ratatui::buffer::Cell::symbol)
            .collect();
        let rows = symbols.chunks(width).map(|row| {
            let mut text = String::new();
            let mut skip = 0;
            for symbol in row {
                if skip == 0 {
                    text.push_str(symbol);
                }
                let width = unicode_width::UnicodeWidthStr::width(*symbol);
                skip = if skip > 0 {
                    skip - 1
                } else {
                    width.saturating_sub(1)
                };
            }
            text.trim_end().to_owned()
        });
        rows.collect::<Vec<_>>().join("\n") + "\n"
    }

    pub(crate) fn notice(&self) -> String {
        self.model
            .notice
            .as_ref()
            .map(|notice| notice.text.clone())
            .unwrap_or_default()
    }

    pub(crate) fn resize(&mut self, width: u16, height: u16) {
        self.terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        self.happen(Event::Resize(width, height));
        self.draw();
    }
}

/// `jjx1<enter>` as keys.
pub(crate) fn read(keys: &str) -> Vec<Key> {
    let mut out = Vec::new();
    let mut rest = keys;
    while let Some(c) = rest.chars().next() {
        let named = rest.strip_prefix('<').and_then(|tail| tail.split_once('>'));
        if let Some((name, tail)) = named
            && let Some(key) = Key::parse(name)
        {
            out.push(key);
            rest = tail;
        } else {
            out.push(Key::char(c));
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        }
    }
    out
}
