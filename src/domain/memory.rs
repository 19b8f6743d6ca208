//! What approval mints: a new object with its own id and lineage, never the candidate mutated.

use crate::domain::word::words;
use crate::domain::{
    CandidateId, Commitment, Digest, EntrySeq, Influence, Kind, LineageId, MemoryId, Salt, Scope,
    SourceRef, Time, Trust,
};

words! {
    /// How far a memory may be relied on.
    Mode as "mode" {
        /// Supported by evidence.
        Active = 0 "active",
        /// Not supported by evidence we hold, or a dated event.
        Advisory = 1 "advisory",
    }
}

words! {
    /// Where a memory stands. `expired` is computed from the clock, never written.
    MemoryState as "memory state" {
        /// Served.
        Active = 0 "active",
        /// Taken out by a person.
        Demoted = 1 "demoted",
        /// Replaced by a later version.
        Superseded = 2 "superseded",
        /// Its time has passed.
        Expired = 3 "expired",
    }
}

/// A memory as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    /// Its id.
    pub id: MemoryId,
    /// The line of versions it belongs to.
    pub lineage: LineageId,
    /// The candidate it came from.
    pub candidate: CandidateId,
    /// The entry that minted it.
    pub entry: EntrySeq,
    /// The approved bytes.
    pub text: String,
    /// The salt of the commitment to those bytes.
    pub salt: Salt,
    /// What sort of claim it is.
    pub kind: Kind,
    /// What it could cause.
    pub influence: Influence,
    /// How far it may be relied on.
    pub mode: Mode,
    /// What is written of its state; ask `state_at` for the truth at a moment.
    pub written_state: MemoryState,
    /// Where it holds.
    pub scope: Scope,
    /// The lowest trust over its sources.
    pub trust: Trust,
    /// What it comes from.
    pub sources: Vec<SourceRef>,
    /// When it was approved.
    pub approved_at: Time,
    /// Who approved it.
    pub approved_by: Vec<String>,
    /// When it ends.
    pub expires_at: Time,
    /// How often it was served.
    pub served: u64,
    /// When it was last served.
    pub last_served: Option<Time>,
    /// The last decision on it since it was approved: demoted, restored or renewed.
    pub changed: Option<crate::domain::candidate::Outcome>,
    /// Whether its evidence is still held: false once an artifact it cites has lost its bytes.
    pub evidence_held: bool,
}

/// Where a memory stands in an ordered list: what it is sorted by, exactly, with its id last so that
/// no two are equal. A page goes on behind one, whatever came or went meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemoryKey {
    /// Active ones first, then ended ones, then those taken out.
    pub group: u8,
    /// What the order is about.
    pub first: i64,
    /// What decides between equals.
    pub second: i64,
    /// The memory.
    pub id: MemoryId,
}

impl MemoryState {
    /// What is written of a memory, read at this moment: expiry needs no act.
    #[must_use]
    pub fn at(self, ends: Time, now: Time) -> Self {
        if self == Self::Active && ends <= now {
            return Self::Expired;
        }
        self
    }
}

impl Memory {
    /// Where the memory stands at this moment: expiry needs no act.
    #[must_use]
    pub fn state_at(&self, now: Time) -> MemoryState {
        self.written_state.at(self.expires_at, now)
    }

    /// The hash of the approved bytes, as handed over with them.
    #[must_use]
    pub fn sha256(&self) -> Digest {
        Digest::of(self.text.as_bytes())
    }

    /// The commitment that the approving entry must hold for these bytes.
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        Commitment::to(&self.salt, self.text.as_bytes())
    }
}
