//! What a reader sees and what a rule matches.
//!
//! | module | answers |
//! |---|---|
//! | `visible` | which pieces stand for the raw text, so that every code point is drawn or named |
//! | `line` | the same on one line, for cells, titles, errors and logs; and pure ASCII |
//! | `wrap` | those pieces on lines of a width, and which of them a finding covers |
//! | `folded` | one spelling for texts that say the same; the key of exact recurrence |
//! | `views` | all the texts that a rule may match, each mapped back to the raw bytes |
//! | `invisible` | which characters cannot be seen, and whether their context excuses them |
//! | `script` | words that mix look-alike alphabets |
//! | `masked` | text with its secrets replaced |
//! | `names` | what a character is called on screen |
//!
//! A range is always bytes of the raw text, on character boundaries. This room judges nothing,
//! knows no terminal and no colour, and changes no text that is kept: it only shows and compares.
// INVARIANT: (3, nothing hidden) whatever leaves `visible`, `line` and `wrap` holds no control,
// format, bidi, tag, private or default-ignorable character.

mod class;
mod layout;
mod spans;

#[cfg(test)]
mod samples;

pub mod folded;
pub mod invisible;
pub mod line;
pub mod masked;
pub mod names;
pub mod script;
pub mod views;
pub mod visible;
pub mod wrap;

pub use class::is_drawn;
pub use folded::{Folded, folded, key};
pub use invisible::{Invisible, Why, invisibles, is_legal_join};
pub use line::{escaped, line, line_within};
pub use masked::masked;
pub use script::mixed_script_words;
pub use views::{View, ViewName, views};
pub use visible::{Piece, PieceKind, Visible, visible};
pub use wrap::{Line, Run};
