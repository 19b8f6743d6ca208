//! Dirty input: what was wrong, where, and that the rest went through.

/// One thing that was wrong with one piece of input. It never repeats the input's content.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// The line it stands on, from 1.
    pub line: u64,
    /// The byte it starts at.
    pub offset: u64,
    /// What is wrong, in a few words that many problems can share.
    pub what: String,
}
