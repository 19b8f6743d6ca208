//! One sighting: somebody said something, somewhere, once.

use crate::domain::word::words;
use crate::domain::{Digest, Layer, ObservationId, SessionId, Span, Time, Trust, UserId};

words! {
    /// How the text came to be seen.
    Origin as "origin" {
        /// Somebody said it.
        Direct = 0 "direct",
        /// A memory of ours came back. Never support.
        Recall = 1 "recall",
        /// A copy, a forward, a summary. Never support.
        Derived = 2 "derived",
    }
}

/// A sighting before it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting {
    /// What was said.
    pub text: String,
    /// Where.
    pub layer: Layer,
    /// By whom.
    pub user: UserId,
    /// In which conversation.
    pub session: SessionId,
    /// What it was seen through, in a word or two.
    pub source: Option<String>,
    /// Where the text came from.
    pub trust: Trust,
    /// When.
    pub at: Time,
    /// How it came to be seen.
    pub origin: Origin,
    /// Makes a retry count nothing twice.
    pub key: Option<Digest>,
    /// The evidence it stands in.
    pub artifact: Option<(Digest, Option<Span>)>,
}

/// A sighting as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// Its id.
    pub id: ObservationId,
    /// What was seen.
    pub sighting: Sighting,
}
