//! A compaction: a model summed a conversation up, and went on with the summary in its place.

use crate::domain::{CandidateId, Digest, EntrySeq, Layer, SessionId, Span, Time};

/// What was summed up, into what, and which candidates were made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compaction {
    /// The summary, an artifact.
    pub summary: Digest,
    /// The artifact that holds the messages and the range in it, where the conversation was seen.
    pub source: Option<(Digest, Span)>,
    /// How many messages were summed up; 0 where the conversation was not seen.
    pub messages: u64,
    /// Where the session works.
    pub layer: Layer,
    /// The session.
    pub session: SessionId,
    /// When it happened, as far as that is known; when it was entered, its entry says.
    pub happened_at: Time,
    /// How many claims the summary makes.
    pub claims: u64,
    /// The candidates that were made of them.
    pub candidates: Vec<CandidateId>,
}

/// A compaction in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptCompaction {
    /// The entry that tells of it.
    pub entry: EntrySeq,
    /// What it was.
    pub compaction: Compaction,
}
