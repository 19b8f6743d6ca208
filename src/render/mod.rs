//! What recall hands over: a context block for agents, lines for people.
//!
//! A block states facts and says that it can be wrong and authorises nothing. Nothing inside a
//! record can end the block, begin another record or hide a character: the quoted text is a JSON
//! string, and reading it back gives the approved bytes. Which memories may be handed over is
//! decided elsewhere.

use crate::domain::document::Passage;
use crate::domain::memory::Mode;
use crate::domain::{Digest, Influence, Kind, Layer, Time};

mod block;
pub mod managed;
mod people;
mod quote;
pub mod report;
pub mod settings;

pub use block::{MARK, block, cost, fitting};
pub use people::{passages, text};

/// An approved memory as it is handed over.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Record {
    /// Its id.
    pub id: String,
    /// The approved bytes.
    pub text: String,
    /// Where it holds.
    pub layer: Layer,
    /// What sort of claim it is.
    pub kind: Kind,
    /// What it could cause.
    pub influence: Influence,
    /// How far it may be relied on.
    pub mode: Mode,
    /// When it ends.
    pub expires_at: Time,
    /// How many sources it has.
    pub sources: usize,
    /// The hash of the approved bytes.
    pub sha256: Digest,
}

impl Record {
    /// What must be said beside the text, most pressing first.
    fn marks(&self) -> Vec<&'static str> {
        let live = self.influence >= Influence::Action;
        let advisory = self.mode == Mode::Advisory;
        [(live, "verify live"), (advisory, "advisory")]
            .into_iter()
            .filter_map(|(set, mark)| set.then_some(mark))
            .collect()
    }

    /// The number of sources, in words.
    fn sources_in_words(&self) -> String {
        match self.sources {
            1 => "1 source".to_owned(),
            many => format!("{many} sources"),
        }
    }
}

/// The line that says what a passage is, without its text.
fn place(passage: &Passage) -> String {
    format!("{} part {}", passage.document, passage.place)
}
