//! What changed between two texts, as plain data: ranges of bytes, no text and no colour.
//!
//! The same two texts always give the same answer; no clock cuts the work short.

mod diff;
mod pieces;

pub use diff::{lines, words};

use std::ops::Range;

/// What became of a stretch of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It stands in both.
    Same,
    /// It stands in the text before only.
    Removed,
    /// It stands in the text after only.
    Added,
}

/// A stretch of text and what became of it.
///
/// Joined in order, `Same` and `Removed` are the text before, `Same` and `Added` the text after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What became of it.
    pub kind: ChangeKind,
    /// Its bytes in the text before; empty, at its place, where it was added.
    pub before: Range<usize>,
    /// Its bytes in the text after; empty, at its place, where it was removed.
    pub after: Range<usize>,
}
