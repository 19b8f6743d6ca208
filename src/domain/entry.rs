//! One line of the ledger, as plain data. Its canonical bytes and its hash are `ledger`'s work.

use crate::domain::{Act, Assurance, Digest, EntrySeq, Time};
use std::collections::BTreeMap;

/// What an entry says beside who, when and what: text values under fixed keys, in key order.
pub type Facts = BTreeMap<String, String>;

/// An entry before it has a place in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryDraft {
    /// When the act was done.
    pub at: Time,
    /// Who did it: a reviewer, a proposer, the detector.
    pub actor: String,
    /// How sure that is.
    pub assurance: Assurance,
    /// What was done.
    pub act: Act,
    /// What it was done to.
    pub item: String,
    /// What else the entry commits to. Commitments, never texts.
    pub facts: Facts,
}

/// An entry in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its place, from 1.
    pub seq: EntrySeq,
    /// The hash of the entry before it, all zero for the first.
    pub prev: Digest,
    /// What it says.
    pub draft: EntryDraft,
}

/// A text kept beside the ledger, erasable: the entry holds only the commitment to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beside {
    /// Which text it is: `text`, `before`, `reason`.
    pub part: String,
    /// The salt of its commitment.
    pub salt: crate::domain::Salt,
    /// The text.
    pub body: String,
}
