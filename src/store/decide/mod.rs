//! Decisions: compare with what was seen, change, and enter in the ledger, in one transaction.
//!
//! Of two reviewers exactly one wins: whoever comes second finds another version or state and is
//! told who decided. Whether a decision is allowed at all was judged before it came here. One file
//! for each act; what they share stands here.

mod mint;
mod renew;
mod reshape;
mod ruling;
mod take_back;
mod turn;

pub use mint::{Mint, sources_digest};
pub use renew::NewRenewal;
pub use reshape::{NewReshaping, Reshaped};
pub use ruling::{ApprovalReach, NewRuling};
pub use take_back::Takeback;
pub use turn::NewTurn;

pub(in crate::store) use ruling::rule_as;
pub(in crate::store) use turn::set_memory;

use crate::domain::Salt;
use crate::domain::candidate::{Candidate, CandidateState};
use crate::domain::entry::{Beside, EntryDraft};
use crate::store::candidate::tally_name;
use crate::store::error::StoreError;
use crate::store::write::Tx;

/// An entry to be, with the texts that will stand beside it: what is signed is what is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The entry.
    pub entry: EntryDraft,
    /// Its texts.
    pub beside: Vec<Beside>,
}

/// A text that an entry commits to and that is kept beside the ledger.
#[derive(Debug, Clone)]
pub struct Note {
    /// The salt of its commitment.
    pub salt: Salt,
    /// The text.
    pub body: String,
}

/// Moves the counts that screens show with a candidate that moves.
pub(in crate::store) fn count_move(
    tx: &Tx<'_>,
    before: &Candidate,
    next: CandidateState,
    held: bool,
) -> Result<(), StoreError> {
    if before.state != next {
        tx.tally(tally_name(before.state), -1)?;
        tx.tally(tally_name(next), 1)?;
    }
    match (before.held, held) {
        (false, true) => tx.tally("held", 1),
        (true, false) => tx.tally("held", -1),
        _ => Ok(()),
    }
}

pub(in crate::store) fn beside(part: &str, note: &Note) -> Beside {
    Beside {
        part: part.to_owned(),
        salt: note.salt,
        body: note.body.clone(),
    }
}
