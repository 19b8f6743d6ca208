//! One recall: what was handed over, to whom, when.

use crate::domain::{Digest, MemoryId, Scope, ServingId, Time};

/// A serving as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Serving {
    /// Its id.
    pub id: ServingId,
    /// When.
    pub at: Time,
    /// From where it was asked.
    pub scope: Scope,
    /// In which form.
    pub format: String,
    /// The hash of the bytes handed over.
    pub block: Digest,
    /// How many bytes they were.
    pub bytes: u64,
    /// The memories handed over, with the hash of each.
    pub memories: Vec<(MemoryId, Digest)>,
}
