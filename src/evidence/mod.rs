//! What stands behind a claim: prose split into single claims, each aligned to the messages that
//! say it.
//!
//! Conservative: a quote is given only where a message says all of it, with the same numbers, the
//! same negation and no condition or doubt that the claim leaves out. It answers which words have
//! no source; whether a claim is overstated or contradicted is not answered here yet, and nothing
//! here is a verdict.

mod align;
mod split;
mod tokens;

pub use align::{Alignment, Quote, Sources, Strength, align};
pub use split::split;
