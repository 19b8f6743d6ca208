//! A window of loaded rows over a list of any length, with a selection that is an id, never a place.

use crate::desk::PatternRow;
use crate::desk::view::{EntryRow, MemoryRow};
use crate::domain::candidate::CandidateRow;
use crate::domain::query::Searched;
use crate::domain::{CandidateId, EntrySeq, MemoryId, PatternId};
use std::collections::BTreeSet;

/// Rows asked for at once.
pub(crate) const PAGE: usize = 200;
/// Rows kept at most; the far end is dropped beyond.
const MOST: usize = 1000;
/// How near to an end of the window the selection comes before more is asked for.
const MARGIN: usize = 60;

/// A row that knows its id.
pub(crate) trait Row {
    type Id: Copy + Ord + std::fmt::Debug + std::fmt::Display;
    fn id(&self) -> Self::Id;
    /// The text that find looks through.
    fn text(&self) -> String;
}

#[derive(Debug)]
pub(crate) struct List<R: Row> {
    pub(crate) rows: Vec<R>,
    pub(crate) selected: Option<R::Id>,
    /// The row drawn first.
    pub(crate) top: usize,
    pub(crate) more_before: bool,
    pub(crate) more_after: bool,
    /// How far a search for more rows has come, behind the loaded ones and before them.
    pub(crate) left_after: Option<R::Id>,
    pub(crate) left_before: Option<R::Id>,
    /// The place of the first loaded row in the whole list, where known.
    pub(crate) first_at: Option<u64>,
    /// Rows that others took out of this list since they were loaded.
    pub(crate) gone: BTreeSet<R::Id>,
    /// Rows that came since and are not taken in.
    pub(crate) arrivals: usize,
    pub(crate) loaded: bool,
    /// Since when an answer is awaited.
    pub(crate) asked_at: Option<u64>,
    /// What the awaited rows are for.
    pub(crate) purpose: Load,
    /// Why the last load failed.
    pub(crate) trouble: Option<String>,
}

/// What loaded rows are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Load {
    /// Everything anew; the selection stays on its id if it is still there.
    Anew,
    /// More at the end.
    Append,
    /// More at the front.
    Prepend,
    /// The last rows; the selection goes to the last.
    Last,
    /// The same rows again, to see what others did.
    Refresh,
}

impl<R: Row> Default for List<R> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            selected: None,
            top: 0,
            more_before: false,
            more_after: false,
            left_after: None,
            left_before: None,
            first_at: None,
            gone: BTreeSet::new(),
            arrivals: 0,
            loaded: false,
            asked_at: None,
            purpose: Load::Anew,
            trouble: None,
        }
    }
}

impl<R: Row> List<R> {
    pub(crate) fn place(&self) -> Option<usize> {
        let id = self.selected?;
        self.rows.iter().position(|row| row.id() == id)
    }

    pub(crate) fn row(&self) -> Option<&R> {
        self.place().and_then(|at| self.rows.get(at))
    }

    /// Moves the selection by so many rows, as far as rows are loaded.
    pub(crate) fn step(&mut self, by: isize) {
        let last = self.rows.len().saturating_sub(1);
        let to = self
            .place()
            .unwrap_or(0)
            .saturating_add_signed(by)
            .min(last);
        self.select_at(to);
    }

    pub(crate) fn select_at(&mut self, at: usize) {
        if let Some(row) = self.rows.get(at) {
            self.selected = Some(row.id());
        }
    }

    /// Takes a row out after its decision; the selection goes to the one behind it.
    pub(crate) fn remove(&mut self, id: R::Id) {
        let Some(at) = self.rows.iter().position(|row| row.id() == id) else {
            return;
        };
        self.rows.remove(at);
        self.gone.remove(&id);
        if self.selected == Some(id) {
            self.selected = None;
            self.select_at(at.min(self.rows.len().saturating_sub(1)));
        }
    }

    /// Keeps the selected row inside `height` rows of the screen.
    pub(crate) fn settle(&mut self, height: usize) {
        if self.selected.is_none() {
            self.select_at(0);
        }
        let at = self.place().unwrap_or(0);
        let height = height.max(1);
        self.top = self.top.min(at).max(at.saturating_sub(height - 1));
        self.top = self.top.min(self.rows.len().saturating_sub(height));
    }

    /// Whether others changed the list since it was loaded, or it could not be read.
    pub(crate) fn is_stale(&self) -> bool {
        self.arrivals > 0 || !self.gone.is_empty() || self.trouble.is_some()
    }

    /// Which rows should be asked for now, if any.
    pub(crate) fn wants(&self) -> Option<Load> {
        if self.asked_at.is_some() || self.trouble.is_some() {
            return None;
        }
        if !self.loaded {
            return Some(Load::Anew);
        }
        let at = self.place().unwrap_or(0);
        if self.more_after && at + MARGIN >= self.rows.len() {
            return Some(Load::Append);
        }
        (self.more_before && at < MARGIN).then_some(Load::Prepend)
    }

    /// Whether more rows are being looked for than one read looks at.
    pub(crate) const fn is_searching(&self) -> bool {
        self.asked_at.is_some() && (self.left_after.is_some() || self.left_before.is_some())
    }

    /// Takes rows in that were searched for, and remembers how far the search came.
    pub(crate) fn take_searched(&mut self, found: Searched<R, R::Id>) {
        match self.purpose {
            Load::Anew => {
                self.left_after = found.left_at;
                self.left_before = None;
            }
            Load::Append => self.left_after = found.left_at,
            Load::Prepend => self.left_before = found.left_at,
            Load::Last => {
                self.left_before = found.left_at;
                self.left_after = None;
            }
            Load::Refresh => {}
        }
        self.take(found.rows, found.more);
    }

    /// Takes rows in, according to what they were asked for.
    pub(crate) fn take(&mut self, rows: Vec<R>, more: bool) {
        self.asked_at = None;
        self.trouble = None;
        self.loaded = true;
        match self.purpose {
            Load::Anew => self.take_anew(rows, more),
            Load::Append => self.append(rows, more),
            Load::Prepend => self.prepend(rows, more),
            Load::Last => {
                self.first_at = None;
                self.gone.clear();
                self.more_before = more;
                self.more_after = false;
                self.rows = rows;
                self.select_at(self.rows.len().saturating_sub(1));
            }
            Load::Refresh => self.refresh(rows, more),
        }
    }

    fn take_anew(&mut self, rows: Vec<R>, more: bool) {
        let place = self.place().unwrap_or(0);
        self.rows = rows;
        self.more_after = more;
        self.gone.clear();
        self.arrivals = 0;
        if self.place().is_none() {
            self.selected = None;
            self.select_at(place.min(self.rows.len().saturating_sub(1)));
        }
    }

    fn append(&mut self, rows: Vec<R>, more: bool) {
        let last = self.rows.last().map(Row::id);
        self.rows
            .extend(rows.into_iter().filter(|row| Some(row.id()) != last));
        self.more_after = more;
        if self.rows.len() > MOST {
            let dropped = self.rows.len() - MOST;
            self.rows.drain(..dropped);
            self.top = self.top.saturating_sub(dropped);
            self.first_at = self.first_at.map(|at| at + dropped as u64);
            self.more_before = true;
        }
    }

    fn prepend(&mut self, mut rows: Vec<R>, more: bool) {
        let added = rows.len();
        rows.append(&mut self.rows);
        self.rows = rows;
        self.top += added;
        self.more_before = more;
        self.first_at = match (more, self.first_at) {
            (false, _) => Some(0),
            (true, at) => at.and_then(|at| at.checked_sub(added as u64)),
        };
        if self.rows.len() > MOST {
            self.rows.truncate(MOST);
            self.more_after = true;
        }
    }

    /// Rows never move under the reviewer: what left is stamped, what came is counted.
    fn refresh(&mut self, fresh: Vec<R>, more: bool) {
        if self.rows.is_empty() {
            return self.take_anew(fresh, more);
        }
        let ids: BTreeSet<R::Id> = fresh.iter().map(Row::id).collect();
        let known: BTreeSet<R::Id> = self.rows.iter().map(Row::id).collect();
        let covered = |id: &R::Id| !more || ids.last().is_some_and(|last| id <= last);
        self.gone = known
            .iter()
            .filter(|id| !ids.contains(id) && covered(id))
            .copied()
            .collect();
        let last = known.last().copied();
        self.arrivals = ids
            .iter()
            .filter(|id| {
                !known.contains(id) && (!self.more_after || last.is_some_and(|l| **id < l))
            })
            .count();
        for row in fresh {
            if let Some(slot) = self.rows.iter_mut().find(|old| old.id() == row.id()) {
                *slot = row;
            }
        }
    }
}

impl Row for CandidateRow {
    type Id = CandidateId;
    fn id(&self) -> CandidateId {
        self.id
    }
    fn text(&self) -> String {
        format!("{} {} {}", self.id, self.layer, self.claim)
    }
}

impl Row for MemoryRow {
    type Id = MemoryId;
    fn id(&self) -> MemoryId {
        self.id
    }
    fn text(&self) -> String {
        format!("{} {} {}", self.id, self.layer, self.text)
    }
}

impl Row for PatternRow {
    type Id = PatternId;
    fn id(&self) -> PatternId {
        self.id
    }
    fn text(&self) -> String {
        format!("{} {} {}", self.id, self.layer, self.claim)
    }
}

impl Row for EntryRow {
    type Id = EntrySeq;
    fn id(&self) -> EntrySeq {
        self.seq
    }
    fn text(&self) -> String {
        format!("{} {} {} {}", self.seq, self.act, self.item, self.actor)
    }
}
