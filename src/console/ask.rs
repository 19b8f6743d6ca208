//! What the console asks of the desk, and what comes back: data on a channel, no calls.

use crate::console::model::ViewId;
use crate::console::pulse::PulseView;
use crate::desk::view::{
    CandidateView, EntryRow, MarkedMemory, MemoryPlace, MemoryRow, MemorySort, MemoryView,
    Overview, Page, QueuePage, Undoable, Why,
};
use crate::desk::{
    ArtifactPart, Conflict, DeskError, GroupCounts, PatternRow, PatternView, Reshaped, Whereabouts,
};
use crate::domain::candidate::CandidateState;
use crate::domain::decision::{CandidateDecision, Decided, Seen};
use crate::domain::pattern::Support;
use crate::domain::query::{Facet, Query, Searched};
use crate::domain::reason::DemoteReason;
use crate::domain::threshold::ThresholdSet;
use crate::domain::{
    CandidateId, Digest, EntrySeq, Finding, Influence, Layer, MemoryId, PatternId, Span, Verdict,
};

/// One request. A newer one on the same lane makes an older one pointless.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ask {
    pub(crate) lane: Lane,
    pub(crate) generation: u64,
    pub(crate) request: Request,
}

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Lane {
    Overview,
    Rows(ViewId),
    Detail(ViewId),
    Find,
    /// This candidate and no other.
    Seek(CandidateId),
    Tree,
    /// Groups of a list.
    Groups,
    /// One look at something else.
    Look,
    Judge,
    Verify,
    Undoable,
    Reveal,
    Mark,
    /// Figures to be kept.
    Keep,
    /// Acts are never superseded.
    Act,
}

/// From where a list's rows are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum From<Id> {
    Start,
    After(Id),
    Before(Id),
    End,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Request {
    Overview,
    Candidates {
        state: CandidateState,
        filter: Query,
        from: From<CandidateId>,
        limit: usize,
    },
    Candidate(CandidateId),
    Memories {
        sort: MemorySort,
        filter: Query,
        place: MemoryPlace,
        limit: usize,
    },
    /// All that a limit finds, to be marked.
    FoundMemories(Query),
    Memory(MemoryId),
    Patterns {
        filter: Query,
        offset: usize,
        limit: usize,
    },
    Pattern(PatternId),
    Entries {
        before: Option<EntrySeq>,
        filter: Query,
        limit: usize,
    },
    Why(String),
    /// What Pulse shows; keeps today's figures as the baseline if asked to.
    Pulse {
        layer: Option<Layer>,
        days: i64,
        keep: bool,
    },
    ShortOf {
        layer: Option<Layer>,
        least: Support,
    },
    Groups {
        state: CandidateState,
        filter: Query,
        facet: Facet,
    },
    Whereabouts(String),
    Artifact {
        sha256: Digest,
        cited: Option<Span>,
    },
    Case(CandidateId),
    Judge {
        candidate: CandidateId,
        text: String,
    },
    Verify,
    Undoable,
    Decide(Vec<CandidateDecision>),
    Demote {
        memory: MemoryId,
        shown: Digest,
        reason: DemoteReason,
        note: Option<String>,
    },
    DemoteAll {
        memories: Vec<MarkedMemory>,
        reason: DemoteReason,
        note: Option<String>,
    },
    Restore {
        memory: MemoryId,
        shown: Digest,
        note: Option<String>,
    },
    Renew {
        memory: MemoryId,
        shown: Digest,
        note: Option<String>,
    },
    Split {
        candidate: CandidateId,
        seen: Seen,
        parts: Vec<String>,
    },
    Merge(Vec<(CandidateId, Seen)>),
    Undo(EntrySeq),
    Thresholds(ThresholdSet),
    Reveal(CandidateId),
}

/// What came back.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    pub(crate) lane: Lane,
    pub(crate) generation: u64,
    pub(crate) answer: Result<Answer, Trouble>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer {
    Overview(Overview),
    Candidates(QueuePage),
    Candidate(Box<CandidateView>),
    Memories(Page<MemoryRow>),
    Memory(Box<MemoryView>),
    FoundMemories(Vec<MarkedMemory>),
    DemotedAll(Vec<(MemoryId, Result<EntrySeq, Trouble>)>),
    Patterns(Page<PatternRow>),
    Pattern(Box<PatternView>),
    Entries(Searched<EntryRow, EntrySeq>),
    Why(Why),
    Pulse(Box<PulseView>),
    Groups(GroupCounts),
    Whereabouts(Whereabouts),
    Artifact(Box<ArtifactPart>),
    Case(String),
    Judged(Judged),
    Verified {
        ok: bool,
        entries: u64,
        problems: Vec<String>,
    },
    Undoable(Option<Undoable>),
    Decided(Vec<(CandidateId, Result<Decided, Trouble>)>),
    Done(EntrySeq),
    Reshaped(Reshaped),
    Revealed(CandidateId, Secrets),
}

/// What was hidden, for one popup: never written where a log or a failure could show it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secrets(pub(crate) Vec<String>);

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets(..)")
    }
}

/// What the gate says of an edit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Judged {
    pub(crate) verdict: Verdict,
    pub(crate) influence: Influence,
    pub(crate) why: String,
    pub(crate) findings: Vec<Finding>,
}

/// Why an answer is no answer, in words that can be drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Trouble {
    Conflict(Conflict),
    Said(String),
}

impl std::convert::From<DeskError> for Trouble {
    fn from(error: DeskError) -> Self {
        match error {
            DeskError::Conflict(conflict) => Self::Conflict(conflict),
            other => Self::Said(other.to_string()),
        }
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Conflict(conflict) => conflict.fmt(f),
            Self::Said(words) => f.write_str(words),
        }
    }
}
