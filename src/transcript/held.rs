//! Messages that a later record can still take back: formats that are a list of events show what
//! is left at the end.
//!
//! What is held is bounded. Over the bound the oldest are let go and said to be final.

use std::collections::{BTreeMap, BTreeSet};

use crate::transcript::message::{Batch, Message};

/// The most bytes of text held back.
const MOST: usize = 32 * 1024 * 1024;
/// What each message counts beside its text.
const EACH: usize = 512;

/// A list that is replayed.
#[derive(Debug, Default)]
pub(crate) struct Held {
    /// By their place in the list.
    records: BTreeMap<u64, (String, Vec<Message>)>,
    places: BTreeMap<String, u64>,
    /// Records that were let go.
    gone: BTreeSet<String>,
    next: u64,
    bytes: usize,
}

impl Held {
    /// Adds a record, or puts it in the place of an earlier one with its id.
    pub(crate) fn put(
        &mut self,
        id: &str,
        messages: Vec<Message>,
        line: (u64, u64),
        out: &mut Batch,
    ) {
        if !id.is_empty() && self.gone.contains(id) {
            let what = "record replaces one that was let go: both are given";
            out.problem(line.0, line.1, what);
        }
        let known = self.places.get(id).copied().filter(|_| !id.is_empty());
        let place = known.unwrap_or(self.next);
        self.next = self.next.max(place + 1);
        self.bytes += weight(&messages) + id.len();
        if let Some((id, before)) = self.records.insert(place, (id.to_owned(), messages)) {
            self.lighten(&id, &before);
        }
        if !id.is_empty() {
            self.places.insert(id.to_owned(), place);
        }
        self.let_go(line, out);
    }

    /// Takes one record out.
    pub(crate) fn remove(&mut self, id: &str) {
        if let Some(place) = self.places.remove(id)
            && let Some((id, messages)) = self.records.remove(&place)
        {
            self.lighten(&id, &messages);
        }
    }

    /// Takes a record and all after it out; an unknown one takes out everything.
    pub(crate) fn rewind(&mut self, id: &str) {
        let from = self.places.get(id).copied().unwrap_or(0);
        for (_, (id, messages)) in self.records.split_off(&from) {
            self.places.remove(&id);
            self.lighten(&id, &messages);
        }
    }

    /// Everything out.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Gives what is left.
    pub(crate) fn give(&mut self, out: &mut Batch) {
        for (_, (_, messages)) in std::mem::take(&mut self.records) {
            out.messages.extend(messages);
        }
        self.clear();
    }

    fn let_go(&mut self, line: (u64, u64), out: &mut Batch) {
        if self.bytes <= MOST {
            return;
        }
        let what = "more messages than can be taken back: the oldest are final";
        out.problem(line.0, line.1, what);
        while self.bytes > MOST / 2
            && let Some((_, (id, messages))) = self.records.pop_first()
        {
            self.lighten(&id, &messages);
            self.places.remove(&id);
            self.gone.insert(id);
            out.messages.extend(messages);
        }
        while self.gone.len() > 64 * 1024 {
            self.gone.pop_first();
        }
    }

    fn lighten(&mut self, id: &str, messages: &[Message]) {
        self.bytes = self.bytes.saturating_sub(weight(messages) + id.len());
    }
}

fn weight(messages: &[Message]) -> usize {
    messages
        .iter()
        .map(|message| message.text.len() + EACH)
        .sum()
}
