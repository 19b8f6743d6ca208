//! What is known already near a claim: memories and other candidates of its lineage of layers.

use crate::domain::word::words;

words! {
    /// What a claim has to do with something known.
    Relation as "relation" {
        /// It says the same.
        Duplicate = 0 "duplicate",
        /// It says otherwise.
        Contradicts = 1 "contradicts",
        /// It says the same of the same thing, with another value.
        Supersedes = 2 "supersedes",
        /// The same was turned down.
        RejectedBefore = 3 "rejected_before",
        /// The same is proposed for a layer below.
        Below = 4 "below",
    }
}

/// Something known, and what a claim has to do with it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Known {
    /// What the two have to do with each other.
    pub relation: Relation,
    /// The memory or candidate, by its id.
    pub item: String,
    /// What speaks for it, in words that a person can check.
    pub why: String,
}

impl Relation {
    /// Whether the two cannot both hold.
    #[must_use]
    pub const fn is_against(self) -> bool {
        matches!(self, Self::Contradicts | Self::Supersedes)
    }
}
