//! Observations that say the same thing, and how widely they are supported.

use crate::domain::word::words;
use crate::domain::{CandidateId, Digest, Layer, PatternId, Time, Trust};

words! {
    /// Where a pattern stands.
    PatternState as "pattern state" {
        /// Below the thresholds.
        Watching = 0 "watching",
        /// Proposed as a candidate.
        Proposed = 1 "proposed",
    }
}

words! {
    /// What a wording, or a pattern, has to do with another.
    LinkKind as "link" {
        /// It says the same, and was counted here.
        Joined = 0 "joined",
        /// It may say the same; a person can tell, nothing was counted.
        Maybe = 1 "maybe",
        /// It looks alike and says something else.
        Apart = 2 "apart",
        /// The detector of today would make the two patterns one.
        Merge = 3 "merge",
        /// The detector of today would take the wording out of its pattern.
        Split = 4 "split",
    }
}

/// How a wording came to its pattern, or what a pattern was seen beside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternLink {
    /// Which it is.
    pub kind: LinkKind,
    /// The other pattern, where there is one.
    pub other: Option<PatternId>,
    /// The wording of this pattern.
    pub text: String,
    /// What it was held against.
    pub with: String,
    /// Why, in words that a person can check; empty where it has yet to be put in words.
    pub why: String,
    /// The detector that said so.
    pub version: Digest,
    /// When.
    pub at: Time,
}

/// How many independent sources stand behind a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Support {
    /// Distinct users.
    pub users: u32,
    /// Distinct sessions.
    pub sessions: u32,
    /// Distinct days.
    pub days: u32,
}

/// One wording and how often it was seen.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Wording {
    /// The words.
    pub text: String,
    /// How often.
    pub count: u64,
}

/// One group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Its id.
    pub id: PatternId,
    /// The wording that stands for it: one that somebody really used.
    pub claim: String,
    /// Its layer.
    pub layer: Layer,
    /// Who stands behind it.
    pub support: Support,
    /// How many observations it holds, supporting or not.
    pub observations: u64,
    /// The lowest trust among the observations that count.
    pub trust: Trust,
    /// When it was last seen.
    pub last_at: Time,
    /// Where it stands.
    pub state: PatternState,
    /// What it was proposed as.
    pub candidate: Option<CandidateId>,
}
