//! Small pieces that views are drawn with.
//!
//! | module | draws |
//! |---|---|
//! | `row` | one row of any text, named characters reversed, never wider than its room |
//! | `pane` | titles, rules and the room below them |

pub(crate) mod chart;
pub(crate) mod pane;
pub(crate) mod row;
