//! What was read for a list and the detail beside it, and what a reviewer did to it so far.

use crate::console::ask::Judged;
use crate::console::list::List;
use crate::console::model::Item;
use crate::desk::view::{CandidateView, EntryRow, MarkedMemory, MemoryRow, MemorySort, MemoryView};
use crate::desk::{PatternRow, PatternView};
use crate::domain::candidate::{CandidateRow, CandidateState};
use crate::domain::decision::Seen;
use crate::domain::query::Query;
use crate::domain::{CandidateId, Digest, MemoryId};
use std::collections::BTreeMap;

/// A text that a reviewer wrote in place of a claim; nothing is decided by having it.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) version: u32,
    pub(crate) text: String,
    pub(crate) judged: Option<Result<Judged, String>>,
}

impl Draft {
    pub(crate) fn digest(&self) -> Digest {
        Digest::of(self.text.as_bytes())
    }
}

/// The detail beside a list.
#[derive(Debug)]
pub(crate) struct Detail<V> {
    pub(crate) view: Option<V>,
    pub(crate) tab: usize,
    pub(crate) scroll: usize,
    /// What is awaited, and since when.
    pub(crate) asked: Option<(Item, u64)>,
    pub(crate) trouble: Option<String>,
    /// What is shown may have changed.
    pub(crate) stale: bool,
}

impl<V> Default for Detail<V> {
    fn default() -> Self {
        Self {
            view: None,
            tab: 0,
            scroll: 0,
            asked: None,
            trouble: None,
            stale: false,
        }
    }
}

/// The queue, or the quarantine.
#[derive(Debug)]
pub(crate) struct Candidates {
    pub(crate) state: CandidateState,
    pub(crate) filter: Query,
    pub(crate) list: List<CandidateRow>,
    pub(crate) detail: Detail<CandidateView>,
    /// Marked items with what was seen of each.
    pub(crate) marks: BTreeMap<CandidateId, Seen>,
}

#[derive(Debug, Default)]
pub(crate) struct Memories {
    pub(crate) sort: MemorySort,
    pub(crate) filter: Query,
    pub(crate) list: List<MemoryRow>,
    /// Marked memories with what was seen of each.
    pub(crate) marks: BTreeMap<MemoryId, MarkedMemory>,
    pub(crate) detail: Detail<MemoryView>,
}

#[derive(Debug, Default)]
pub(crate) struct Patterns {
    pub(crate) filter: Query,
    pub(crate) list: List<PatternRow>,
    pub(crate) detail: Detail<PatternView>,
}

#[derive(Debug, Default)]
pub(crate) struct Entries {
    pub(crate) filter: Query,
    pub(crate) list: List<EntryRow>,
    pub(crate) detail: Detail<()>,
}

impl Candidates {
    pub(crate) fn of(state: CandidateState) -> Self {
        Self {
            state,
            filter: Query::default(),
            list: List::default(),
            detail: Detail::default(),
            marks: BTreeMap::new(),
        }
    }

    /// The detail, if it is the selected item's.
    pub(crate) fn current(&self) -> Option<&CandidateView> {
        let view = self.detail.view.as_ref()?;
        (self.list.selected == Some(view.candidate.id)).then_some(view)
    }
}

impl Patterns {
    pub(crate) fn current(&self) -> Option<&PatternView> {
        let view = self.detail.view.as_ref()?;
        (self.list.selected == Some(view.row.id)).then_some(view)
    }
}

impl Memories {
    pub(crate) fn current(&self) -> Option<&MemoryView> {
        let view = self.detail.view.as_ref()?;
        (self.list.selected == Some(view.memory.id)).then_some(view)
    }
}
