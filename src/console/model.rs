//! Everything the console knows: snapshots of the desk, selections, layers, and what was on screen.

use crate::console::ask::Lane;
use crate::console::event::{Moment, Target};
use crate::console::input::Input;
use crate::console::key::Key;
use crate::console::keys::Keymap;
use crate::console::layer::Layer;
use crate::console::pace::RecentPace;
use crate::console::pulse::Pulse;
use crate::console::safety::Safety;
use crate::console::shelf::SavedView;
use crate::console::snapshot::{Candidates, Draft, Entries, Memories, Patterns};
use crate::console::tour::Tour;
use crate::desk::view::{CandidateView, Overview};
use crate::domain::candidate::CandidateState;
use crate::domain::query::Over;
use crate::domain::{CandidateId, Digest, EntrySeq, MemoryId, PatternId, Reviewer, Time};
use std::collections::BTreeMap;

/// Which view is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ViewId {
    /// Pending candidates.
    Queue,
    /// What the gate holds back.
    Quarantine,
    /// What was approved.
    Memory,
    /// What recurs, proposed or not.
    Patterns,
    /// What was done.
    Ledger,
    /// How things go, and what other thresholds would do.
    Pulse,
}

impl ViewId {
    /// What sort of rows it lists.
    pub(crate) const fn over(self) -> Over {
        match self {
            Self::Queue | Self::Quarantine => Over::Candidates,
            Self::Memory => Over::Memories,
            // Pulse is limited to a layer, which is no query.
            Self::Patterns | Self::Pulse => Over::Patterns,
            Self::Ledger => Over::Entries,
        }
    }
}

/// Anything that can be selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Item {
    Candidate(CandidateId),
    Memory(MemoryId),
    Pattern(PatternId),
    Entry(EntrySeq),
}

impl std::fmt::Display for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Candidate(id) => id.fmt(f),
            Self::Memory(id) => id.fmt(f),
            Self::Pattern(id) => id.fmt(f),
            Self::Entry(id) => id.fmt(f),
        }
    }
}

/// Who sits here, and whether they may decide at all.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub(crate) store: String,
    pub(crate) reviewer: Reviewer,
    pub(crate) may_decide: Result<(), String>,
    /// How decisions are known to be the reviewer's.
    pub(crate) footing: String,
    /// Actions that this person may not do here, and why.
    pub(crate) refused: Vec<(&'static str, String)>,
    /// Whether each act waits until a key is touched.
    pub(crate) touch: bool,
}

#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) size: (u16, u16),
    pub(crate) now: Moment,
    pub(crate) session: Session,
    pub(crate) keymap: Keymap,
    pub(crate) overview: Option<Overview>,
    pub(crate) view: ViewId,
    pub(crate) queue: Candidates,
    pub(crate) quarantine: Candidates,
    pub(crate) memory: Memories,
    pub(crate) patterns: Patterns,
    pub(crate) ledger: Entries,
    pub(crate) pulse: Pulse,
    pub(crate) layers: Vec<Layer>,
    /// Moves with every change of the stack of layers.
    pub(crate) layer_serial: u64,
    pub(crate) notice: Option<Notice>,
    /// The last act of this session, for the footer.
    pub(crate) last_act: Option<LastAct>,
    /// The walk through a demonstration store.
    pub(crate) tour: Tour,
    pub(crate) safety: Safety,
    pub(crate) pace: RecentPace,
    /// One candidate at a time, without the list.
    pub(crate) single: bool,
    /// The act that has not been answered yet.
    pub(crate) acting: Option<Acting>,
    /// A deciding key that may yet turn out to be a repeat.
    pub(crate) suspended: Option<(Key, u64)>,
    pub(crate) generations: BTreeMap<Lane, u64>,
    pub(crate) drafts: BTreeMap<CandidateId, Draft>,
    /// The candidate whose text is in the external editor.
    pub(crate) editing: Option<(CandidateId, String)>,
    /// Every character named, not only the odd ones.
    pub(crate) escaped: bool,
    pub(crate) focus: Focus,
    /// What find looks for.
    pub(crate) needle: String,
    pub(crate) verified: Option<Verified>,
    /// Views under a name.
    pub(crate) saved: Vec<SavedView>,
    /// The key that is being handled.
    pub(crate) key: Key,
    /// The candidate whose draft the gate is asked about.
    pub(crate) judging: Option<CandidateId>,
    /// Rows of text that the last frame had room for, and how far its layer could scroll.
    pub(crate) text_rows: usize,
    pub(crate) layer_most: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Focus {
    List,
    Detail,
}

/// A sentence at the foot of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) tone: Tone,
    pub(crate) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Plain,
    Refused,
    Bad,
}

#[derive(Debug, Clone)]
pub(crate) struct LastAct {
    /// What was done, in a word.
    pub(crate) did: &'static str,
    pub(crate) text: String,
    pub(crate) at: Time,
}

/// An act on its way to the ledger.
#[derive(Debug, Clone)]
pub(crate) struct Acting {
    pub(crate) doing: &'static str,
    pub(crate) done: &'static str,
    pub(crate) items: Vec<Item>,
    /// Whether the items stay in their list.
    pub(crate) stays: bool,
    pub(crate) approving: bool,
    /// What an undo takes the decision back of.
    pub(crate) undone: Option<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct Verified {
    pub(crate) ok: bool,
    pub(crate) entries: u64,
    pub(crate) problems: Vec<String>,
}

impl Model {
    pub(crate) fn new(session: Session, keymap: Keymap, view: ViewId, size: (u16, u16)) -> Self {
        let now = Moment {
            ms: 0,
            wall: Time::from_millis(0),
        };
        Self {
            size,
            now,
            session,
            keymap,
            overview: None,
            view,
            queue: Candidates::of(CandidateState::Pending),
            quarantine: Candidates::of(CandidateState::Quarantined),
            memory: Memories::default(),
            patterns: Patterns::default(),
            ledger: Entries::default(),
            pulse: Pulse::default(),
            layers: Vec::new(),
            layer_serial: 0,
            notice: None,
            last_act: None,
            tour: Tour::default(),
            safety: Safety::default(),
            pace: RecentPace::default(),
            single: false,
            acting: None,
            suspended: None,
            generations: BTreeMap::new(),
            drafts: BTreeMap::new(),
            editing: None,
            escaped: false,
            focus: Focus::List,
            needle: String::new(),
            verified: None,
            saved: Vec::new(),
            key: Key::named("esc"),
            judging: None,
            text_rows: 10,
            layer_most: 0,
        }
    }

    pub(crate) fn await_detail(&mut self, item: Item, now: u64) {
        let (asked, stale) = match self.view {
            ViewId::Queue => (&mut self.queue.detail.asked, &mut self.queue.detail.stale),
            ViewId::Quarantine => (
                &mut self.quarantine.detail.asked,
                &mut self.quarantine.detail.stale,
            ),
            ViewId::Memory => (&mut self.memory.detail.asked, &mut self.memory.detail.stale),
            ViewId::Patterns => (
                &mut self.patterns.detail.asked,
                &mut self.patterns.detail.stale,
            ),
            ViewId::Ledger => (&mut self.ledger.detail.asked, &mut self.ledger.detail.stale),
            ViewId::Pulse => (&mut self.pulse.detail.asked, &mut self.pulse.detail.stale),
        };
        *asked = Some((item, now));
        *stale = false;
    }

    /// Since when the shown view has been waiting for something to show.
    pub(crate) fn awaited(&self) -> Option<u64> {
        let (loaded, asked) = match self.view {
            ViewId::Queue => (self.queue.list.loaded, self.queue.list.asked_at),
            ViewId::Quarantine => (self.quarantine.list.loaded, self.quarantine.list.asked_at),
            ViewId::Memory => (self.memory.list.loaded, self.memory.list.asked_at),
            ViewId::Patterns => (self.patterns.list.loaded, self.patterns.list.asked_at),
            ViewId::Ledger => (self.ledger.list.loaded, self.ledger.list.asked_at),
            ViewId::Pulse => (self.pulse.loaded(), self.pulse.asked_at),
        };
        if loaded { self.detail_awaited() } else { asked }
    }

    /// Since when the detail of the selected item has been awaited.
    pub(crate) fn detail_awaited(&self) -> Option<u64> {
        let asked = match self.view {
            ViewId::Queue => self.queue.detail.asked,
            ViewId::Quarantine => self.quarantine.detail.asked,
            ViewId::Memory => self.memory.detail.asked,
            ViewId::Patterns => self.patterns.detail.asked,
            ViewId::Ledger | ViewId::Pulse => None,
        };
        asked.filter(|_| self.target().is_none()).map(|(_, at)| at)
    }

    /// The candidates of this view, if it shows candidates.
    pub(crate) fn candidates(&self) -> Option<&Candidates> {
        match self.view {
            ViewId::Queue => Some(&self.queue),
            ViewId::Quarantine => Some(&self.quarantine),
            ViewId::Memory | ViewId::Patterns | ViewId::Ledger | ViewId::Pulse => None,
        }
    }

    pub(crate) fn candidates_mut(&mut self) -> Option<&mut Candidates> {
        match self.view {
            ViewId::Queue => Some(&mut self.queue),
            ViewId::Quarantine => Some(&mut self.quarantine),
            ViewId::Memory | ViewId::Patterns | ViewId::Ledger | ViewId::Pulse => None,
        }
    }

    /// The candidate in the detail, if it is the selected one.
    pub(crate) fn candidate(&self) -> Option<&CandidateView> {
        self.candidates().and_then(Candidates::current)
    }

    /// The draft for the selected candidate.
    pub(crate) fn draft(&self) -> Option<&Draft> {
        let view = self.candidate()?;
        self.drafts.get(&view.candidate.id)
    }

    pub(crate) fn selected(&self) -> Option<Item> {
        match self.view {
            ViewId::Queue => self.queue.list.selected.map(Item::Candidate),
            ViewId::Quarantine => self.quarantine.list.selected.map(Item::Candidate),
            ViewId::Memory => self.memory.list.selected.map(Item::Memory),
            ViewId::Patterns => self.patterns.list.selected.map(Item::Pattern),
            ViewId::Ledger => self.ledger.list.selected.map(Item::Entry),
            ViewId::Pulse => None,
        }
    }

    /// The exact text that a decision now would be about, if it is loaded.
    pub(crate) fn target(&self) -> Option<Target> {
        match self.view {
            ViewId::Queue | ViewId::Quarantine => self.candidate().map(|view| Target {
                item: Item::Candidate(view.candidate.id),
                version: view.candidate.version,
                shown: view.shown,
            }),
            ViewId::Memory => self.memory.current().map(|view| Target {
                item: Item::Memory(view.memory.id),
                version: 0,
                shown: Digest::of(view.memory.text.as_bytes()),
            }),
            ViewId::Patterns => self.patterns.current().map(|view| Target {
                item: Item::Pattern(view.row.id),
                version: 0,
                shown: view.shown(),
            }),
            ViewId::Ledger | ViewId::Pulse => None,
        }
    }

    pub(crate) fn push(&mut self, layer: Layer) {
        self.layers.push(layer);
        self.layer_serial += 1;
    }

    pub(crate) fn pop(&mut self) -> Option<Layer> {
        self.layer_serial += 1;
        self.layers.pop()
    }

    pub(crate) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.notice = Some(Notice {
            tone,
            text: text.into(),
        });
    }

    /// The text field of the top layer, if it has one.
    pub(crate) fn input_mut(&mut self) -> Option<&mut Input> {
        self.layers.last_mut().and_then(Layer::input_mut)
    }

    pub(crate) fn detail_scroll_mut(&mut self) -> &mut usize {
        match self.view {
            ViewId::Queue => &mut self.queue.detail.scroll,
            ViewId::Quarantine => &mut self.quarantine.detail.scroll,
            ViewId::Memory => &mut self.memory.detail.scroll,
            ViewId::Patterns => &mut self.patterns.detail.scroll,
            ViewId::Ledger => &mut self.ledger.detail.scroll,
            ViewId::Pulse => &mut self.pulse.detail.scroll,
        }
    }

    pub(crate) fn tab(&self) -> usize {
        match self.view {
            ViewId::Queue => self.queue.detail.tab,
            ViewId::Quarantine => self.quarantine.detail.tab,
            ViewId::Memory => self.memory.detail.tab,
            ViewId::Patterns => self.patterns.detail.tab,
            ViewId::Ledger => self.ledger.detail.tab,
            ViewId::Pulse => 0,
        }
    }
}
