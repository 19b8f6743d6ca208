//! What recurs: which sightings say the same, which of them count, and whether that is enough.
//!
//! | module | answers |
//! |---|---|
//! | `fingerprint` | the exact key: the same letter for letter, after folding |
//! | `lexicon` `stem` `terms` `signature` `reading` | what a wording is made of when it is compared |
//! | `meeting` `score` | how alike two wordings are |
//! | `guard` `stance` `sequence` `parties` `asked` `extent` `double` `pairs` | what keeps two wordings apart, however alike they look |
//! | `vectors` `pieces` | static word vectors, where a person gives a table of them |
//! | `shortlist` `shelf` `grouper` | where a new wording belongs, one at a time |
//! | `explain` `wording` | why, in words; and which wording stands for all |
//! | `support` `burst` | which sightings count, and which of them are suspicious |
//! | `thresholds` `what_if` | how much is enough, and what other thresholds would let through |
//! | `eval` | how well all this does on texts whose groups are known |
//!
//! Lexical, deterministic, English: no model unless a table of vectors is given, no clock, no
//! randomness. Nothing is kept here: who
//! holds the groups and when they are looked at is decided elsewhere, and only people decide what a
//! pattern is worth.

mod asked;
mod bearing;
mod burst;
mod double;
pub mod eval;
mod explain;
mod extent;
mod fingerprint;
mod grouper;
mod guard;
mod lexicon;
mod meeting;
mod pairs;
mod parties;
mod pieces;
mod reading;
mod score;
mod sequence;
mod shelf;
mod shortlist;
mod signature;
mod stance;
mod stem;
mod support;
mod terms;
mod thresholds;
mod vectors;
mod what_if;
mod wording;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod quality;

pub use bearing::bearing;
pub use burst::{Flag, Seen, Suspicion, flags};
pub use explain::{Explanation, explain};
pub use fingerprint::fingerprint;
pub use grouper::{Grouper, How, Kept, Lines, Link, Placed, regroup};
pub use guard::{Objection, objections};
pub use lexicon::detector_version;
pub use reading::Reading;
pub use score::Likeness;
pub use support::{Tally, counts, tally};
pub use thresholds::{Distance, Thresholds};
pub use vectors::{Vectors, VectorsError};
pub use what_if::{Budget, MOST, WhatIf, budget};
pub use wording::central;
