//! An act by a reviewer on a candidate or a memory, bound to the exact bytes that were shown.

use crate::domain::time::{DAY, HOUR};
use crate::domain::{Act, Assurance, CandidateId, Digest, Influence, MemoryId, Reviewer, Time};

/// What a reviewer had before them when they decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// The version of the item.
    pub version: u32,
    /// The hash of the claim's bytes that were on screen.
    pub shown: Digest,
    /// The number of the frame that showed it; 0 for a command.
    pub frame: u64,
    /// Whether the last line of the text has been on screen.
    pub whole: bool,
    /// How many milliseconds it has been on screen, where that was measured.
    pub on_screen: Option<u64>,
}

/// What is to be done with a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// Let it become a memory as it stands.
    Approve,
    /// Let it become a memory in these words.
    Edit(String),
    /// Turn it down.
    Reject,
    /// Let it out of quarantine into the queue.
    Release,
    /// Confirm that it belongs in quarantine: turned down as bad.
    Confirm,
    /// Keep it for somebody else.
    Hold(bool),
    /// Bring it back later.
    Snooze(Time),
}

impl Ruling {
    /// The act this ruling enters in the ledger.
    #[must_use]
    pub const fn act(&self) -> Act {
        match self {
            Self::Approve => Act::Approve,
            Self::Edit(_) => Act::Edit,
            Self::Reject => Act::Reject,
            Self::Release => Act::Release,
            Self::Confirm => Act::Confirm,
            Self::Hold(_) => Act::Hold,
            Self::Snooze(_) => Act::Snooze,
        }
    }
}

/// What a reviewer asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CandidateDecision {
    /// The candidate.
    pub candidate: CandidateId,
    /// What the reviewer saw of it.
    pub seen: Seen,
    /// What is to be done.
    pub ruling: Ruling,
    /// Why: a reason's word, or free text.
    pub reason: Option<String>,
    /// The influence the reviewer raises it to.
    pub influence: Option<Influence>,
    /// The memory that an approval puts it in the place of.
    pub supersedes: Option<MemoryId>,
}

/// Who decides, and how that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hand {
    /// The reviewer.
    pub reviewer: Reviewer,
    /// How sure it is to be they.
    pub assurance: Assurance,
}

/// A signature over a decision, made before it is written and kept beside its entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// The exact bytes that were signed.
    pub statement: String,
    /// The signature, armoured.
    pub armored: String,
    /// The fingerprint of the key that made it.
    pub signed_by: String,
    /// What the signature itself proves: the key, or the key and a touch.
    pub assurance: Assurance,
}

/// What came of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decided {
    /// A memory was minted.
    Minted(MemoryId),
    /// The first approval is noted; it waits for another reviewer.
    Endorsed,
    /// The candidate changed its state and nothing was minted.
    Moved,
}

/// The next morning at six, UTC, that is at least eight hours away: until when an item is snoozed.
#[must_use]
pub fn next_morning(now: Time) -> Time {
    let soon = now.plus(8 * HOUR);
    let six = Time::from_millis(soon.day().saturating_mul(DAY)).plus(6 * HOUR);
    if six > soon { six } else { six.plus(DAY) }
}
