//! The console from keys to screens, against a desk made of plain data.
//!
//! | module | proves |
//! |---|---|
//! | `fixture`, `answers` | nothing: a small desk in memory |
//! | `bench` | nothing: presses keys, answers requests, draws frames |
//! | `acts` | what keys decide, and what they must not |
//! | `screens` | what is seen, against `tests/cases/console` |
//! | `hostile` | that no byte of a text but its visible form reaches a terminal |
//! | `grouping`, `saved` | groups, raw evidence, going on; views under a name |
//! | `tour` | that the walk through a demonstration moves on with what is done, and decides nothing |
//! | `random` | that no sequence of keys decides on what was not on screen |

mod acts;
mod answers;
pub(crate) mod bench;
mod fatigue;
pub(crate) mod fixture;
mod grouping;
mod hostile;
mod patterns;
mod pulse;
mod random;
mod saved;
mod screens;
mod tour;
