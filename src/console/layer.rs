//! What can lie on top of a view: one of these at a time owns the keyboard.

use crate::console::ask::Secrets;
use crate::console::event::Target;
use crate::console::input::Input;
use crate::console::place::Place;
use crate::desk::view::{MarkedMemory, Why};
use crate::desk::{ArtifactPart, GroupCounts};
use crate::domain::decision::{Ruling, Seen};
use crate::domain::query::Facet;
use crate::domain::reason::DemoteReason;
use crate::domain::threshold::ThresholdSet;
use crate::domain::{CandidateId, Digest, EntrySeq, MemoryId};

#[derive(Debug)]
pub(crate) enum Layer {
    Choose(Choose),
    Confirm(Confirm),
    Field(Field),
    Palette {
        input: Input,
        picked: usize,
    },
    Help {
        input: Input,
        scroll: usize,
        place: Place,
    },
    Writer {
        candidate: CandidateId,
        input: Input,
    },
    Tree {
        title: String,
        tree: Option<Result<Why, String>>,
        scroll: usize,
    },
    /// The groups of the list.
    Groups(Groups),
    /// Raw evidence.
    Pager(Box<Pager>),
    /// What was hidden; the next key takes it away.
    Secret {
        candidate: CandidateId,
        secrets: Secrets,
    },
}

/// A list's groups, by one thing at a time.
#[derive(Debug)]
pub(crate) struct Groups {
    pub(crate) facet: Facet,
    pub(crate) found: Option<Result<GroupCounts, String>>,
    pub(crate) picked: usize,
}

/// A part of an artifact and how far it was read.
#[derive(Debug)]
pub(crate) struct Pager {
    pub(crate) part: ArtifactPart,
    pub(crate) scroll: usize,
}

/// A menu whose entries are digits.
#[derive(Debug)]
pub(crate) struct Choose {
    pub(crate) title: String,
    pub(crate) options: Vec<(u32, String)>,
    pub(crate) choice: Choice,
    pub(crate) target: Target,
}

/// What a digit is chosen for.
#[derive(Debug, Clone)]
pub(crate) enum Choice {
    Reject(Vec<Subject>),
    Demote,
    /// The memories that a digit stands for.
    Supersede(Vec<MemoryId>),
}

/// A candidate with what was seen of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Subject {
    pub(crate) candidate: CandidateId,
    pub(crate) seen: Seen,
}

/// A question with one way on, whose key is never the key that asked.
#[derive(Debug)]
pub(crate) struct Confirm {
    pub(crate) title: String,
    /// Label and text of each line.
    pub(crate) lines: Vec<(&'static str, String)>,
    pub(crate) verb: &'static str,
    pub(crate) act: Act,
    /// The item that must be on screen; none where the question itself says everything.
    pub(crate) target: Option<Target>,
}

#[derive(Debug, Clone)]
pub(crate) enum Act {
    Release(Subject),
    Demote {
        memory: MemoryId,
        shown: Digest,
        reason: DemoteReason,
        note: Option<String>,
    },
    Restore {
        memory: MemoryId,
        shown: Digest,
        note: Option<String>,
    },
    Split {
        subject: Subject,
        parts: Vec<String>,
    },
    Merge(Vec<Subject>),
    /// An approval in the place of a memory.
    Supersede {
        subject: Subject,
        ruling: Ruling,
        reason: Option<String>,
        memory: MemoryId,
    },
    Renew {
        memory: MemoryId,
        shown: Digest,
        note: Option<String>,
        /// Whether another person must verify it too.
        first: bool,
    },
    Undo {
        entry: EntrySeq,
        item: String,
    },
    Thresholds(ThresholdSet),
}

/// A one-line text.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) title: String,
    pub(crate) hint: String,
    pub(crate) input: Input,
    pub(crate) error: Option<String>,
    pub(crate) purpose: Purpose,
    /// What accepting decides on, if it decides.
    pub(crate) target: Option<Target>,
}

#[derive(Debug, Clone)]
pub(crate) enum Purpose {
    Find,
    Limit,
    SaveView,
    OpenView,
    /// The reason that a ruling needs.
    Reason {
        subjects: Vec<Subject>,
        ruling: Ruling,
    },
    DemoteNote,
    RestoreNote,
    /// How many there are, typed before all of them are demoted.
    DemoteAll {
        memories: Vec<MarkedMemory>,
        reason: DemoteReason,
        note: Option<String>,
    },
    RenewNote,
    SupersedeReason(MemoryId),
    /// How many there are, typed before all of them are decided.
    Count {
        subjects: Vec<Subject>,
        ruling: Ruling,
        reason: Option<String>,
    },
}

impl Layer {
    pub(crate) const fn place(&self) -> Place {
        match self {
            Self::Choose(_) => Place::Choose,
            Self::Confirm(_) => Place::Confirm,
            Self::Field(_) => Place::Field,
            Self::Palette { .. } => Place::Palette,
            Self::Help { .. } => Place::Help,
            Self::Writer { .. } => Place::Writer,
            Self::Tree { .. } => Place::Tree,
            Self::Secret { .. } => Place::Secret,
            Self::Groups(_) => Place::Groups,
            Self::Pager(_) => Place::Pager,
        }
    }

    pub(crate) const fn input_mut(&mut self) -> Option<&mut Input> {
        match self {
            Self::Field(Field { input, .. })
            | Self::Palette { input, .. }
            | Self::Help { input, .. }
            | Self::Writer { input, .. } => Some(input),
            Self::Choose(_)
            | Self::Confirm(_)
            | Self::Tree { .. }
            | Self::Groups(_)
            | Self::Pager(_)
            | Self::Secret { .. } => None,
        }
    }

    /// What accepting this layer decides on.
    pub(crate) fn binding(&self) -> Binding {
        match self {
            Self::Choose(Choose {
                choice: Choice::Reject(_),
                target,
                ..
            }) => Binding::To(*target),
            Self::Confirm(Confirm {
                target: Some(target),
                ..
            }) => Binding::To(*target),
            Self::Confirm(_) => Binding::ToLayer,
            Self::Field(Field {
                target: Some(target),
                ..
            }) => Binding::To(*target),
            Self::Field(Field {
                purpose: Purpose::Count { .. } | Purpose::DemoteAll { .. },
                ..
            }) => Binding::ToLayer,
            Self::Choose(_)
            | Self::Field(_)
            | Self::Palette { .. }
            | Self::Help { .. }
            | Self::Writer { .. }
            | Self::Tree { .. }
            | Self::Groups(_)
            | Self::Pager(_)
            | Self::Secret { .. } => Binding::Nothing,
        }
    }
}

/// What must have been on screen before a key decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binding {
    Nothing,
    /// The layer itself.
    ToLayer,
    /// This text, under this layer.
    To(Target),
}
