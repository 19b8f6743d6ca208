//! What can go wrong with an act: what happened, where, and what to do next.

use crate::desk::presence::Refusal;
use crate::domain::candidate::Outcome;
use crate::store::StoreError;
use std::fmt;

/// Why an act was not done.
#[derive(Debug)]
pub enum DeskError {
    /// Somebody else decided first, or the item changed since it was shown.
    Conflict(Conflict),
    /// The caller may not do this.
    Refused(Refusal),
    /// The act is not possible on this item now: why, and what would make it so.
    NotPossible(String),
    /// There is no such thing.
    NotFound(String),
    /// What came in cannot be read.
    BadInput { what: String, hint: String },
    /// The policy cannot be used; the gate stays closed.
    Policy(String),
    /// The store did not answer.
    Store(StoreError),
}

/// How an item differs from what the reviewer saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conflict {
    /// Somebody else decided.
    Decided { item: String, outcome: Outcome },
    /// It has a newer version.
    Changed { item: String, seen: u32, now: u32 },
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decided { item, outcome } => write!(
                f,
                "{item} was already decided: {} by {} at {}",
                outcome.act, outcome.by, outcome.at
            ),
            Self::Changed { item, seen, now } => write!(
                f,
                "{item} changed since it was shown (version {seen}, now {now}); look at it again"
            ),
        }
    }
}

impl fmt::Display for DeskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict(conflict) => conflict.fmt(f),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::NotPossible(why) | Self::NotFound(why) | Self::Policy(why) => f.write_str(why),
            Self::BadInput { what, hint } if hint.is_empty() => f.write_str(what),
            Self::BadInput { what, hint } => write!(f, "{what} ({hint})"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DeskError {}

impl From<StoreError> for DeskError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict {
                item,
                outcome: Some(outcome),
                ..
            } => Self::Conflict(Conflict::Decided { item, outcome }),
            StoreError::Conflict {
                item,
                seen,
                now,
                outcome: None,
            } => Self::Conflict(Conflict::Changed { item, seen, now }),
            StoreError::NotFound(what) => Self::NotFound(format!("there is no {what}")),
            other => Self::Store(other),
        }
    }
}

impl From<Refusal> for DeskError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}
