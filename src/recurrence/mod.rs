//! What recurs: which sightings say the same, which of them count, and whether that is enough.
//!
//! Exact after folding, for now. This room sees one group at a time and keeps nothing: who holds
//! the groups and when they are looked at is decided elsewhere, and only people decide what a
//! pattern is worth.

mod fingerprint;
mod support;
mod thresholds;
mod wording;

pub use fingerprint::fingerprint;
pub use support::{Tally, counts, tally};
pub use thresholds::{Distance, Thresholds};
pub use wording::central;
