//! Adding to the ledger: each entry names the hash of the one before it.
//!
//! The chain finds a local break cheaply. It is no proof against a cut tail or a full rewrite:
//! for those a checkpoint must be kept elsewhere.

use crate::domain::entry::{Entry, EntryDraft};
use crate::domain::{Digest, EntrySeq, Time};
use crate::ledger::canonical::{BadEntry, encode, leaf_hash};

/// Where the ledger ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The newest entry, 0 before the first.
    pub seq: EntrySeq,
    /// Its hash.
    pub hash: Digest,
    /// Its time.
    pub at: Time,
}

/// An entry ready to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// The entry.
    pub entry: Entry,
    /// Its canonical bytes.
    pub bytes: String,
    /// Its leaf hash.
    pub hash: Digest,
}

impl Head {
    /// Before the first entry.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            seq: EntrySeq(0),
            hash: Digest::ZERO,
            at: Time::from_millis(i64::MIN),
        }
    }
}

/// Puts a draft in its place behind `head`. Its time is never earlier than the entry before it.
///
/// # Errors
/// As `encode`.
pub fn append(head: &Head, mut draft: EntryDraft) -> Result<Sealed, BadEntry> {
    draft.at = draft.at.max(head.at);
    let entry = Entry {
        seq: EntrySeq(head.seq.0.saturating_add(1)),
        prev: head.hash,
        draft,
    };
    let bytes = encode(&entry)?;
    let hash = leaf_hash(&bytes);
    Ok(Sealed { entry, bytes, hash })
}
