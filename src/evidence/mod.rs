//! What stands behind a claim: prose split into single claims, each aligned to the messages that
//! say it, and weighed against its evidence as a whole.
//!
//! | module | answers |
//! |---|---|
//! | `split` | which single claims a text makes |
//! | `align` `tokens` | which messages have all of its words; which words none has |
//! | `weigh` | supported, overstated, contradicted or unsupported, and by what |
//! | `related` | which words speak of one topic, though they do not say the same |
//! | `scope` `kinds` `sign` | of which things, which kind and when it is said, and whether it is denied |
//! | `reading` `said` `quote` `window` `stretches` `matched` `backing` `slots` `quantity` `arithmetic` `misplaced` `denial` `strength` `limits` | who speaks, whose words count, what is quoted, the nearest stretch, what of the claim it has, numbers and dates, what was made stronger |
//! | `eval` | labelled rows in, answers and a table out |
//!
//! Conservative: in doubt a claim has no support, and a person looks. No answer here is a verdict.

mod align;
mod arithmetic;
mod backing;
mod denial;
pub mod eval;
mod kinds;
mod limits;
mod matched;
mod misplaced;
mod quantity;
mod quote;
mod reading;
mod related;
mod related_table;
mod said;
mod scope;
mod sign;
mod slots;
mod split;
mod strength;
mod stretches;
#[cfg(test)]
mod tests;
mod tokens;
mod weigh;
mod window;

pub use crate::domain::Backing as Answer;
pub use align::{Alignment, Quote, Sources, Strength, align};
pub use split::split;
pub use weigh::{Item, Weighing, weigh};
