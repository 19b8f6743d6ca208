//! What the evidence makes of a claim: the word that the desk carries from `evidence` to the gate
//! and the faces. It is no verdict: the gate decides what it weighs, a person what it means.

use crate::domain::Span;

/// What the evidence makes of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Backing {
    /// All of it is said.
    Supported,
    /// A weaker form of it is said.
    Overstated,
    /// The evidence says otherwise.
    Contradicted,
    /// The evidence is silent on some part of it.
    Unsupported,
}

impl Backing {
    /// Every answer.
    pub const ALL: [Self; 4] = [
        Self::Supported,
        Self::Overstated,
        Self::Contradicted,
        Self::Unsupported,
    ];

    /// Its one word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Overstated => "overstated",
            Self::Contradicted => "contradicted",
            Self::Unsupported => "unsupported",
        }
    }
}

/// A claim weighed against the sources it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weighed {
    /// The answer.
    pub backing: Backing,
    /// Bytes of the claim that nothing backs, or that go too far; empty where it is supported.
    pub words: Vec<Span>,
    /// What the deciding source says, shortened, secrets masked.
    pub said: Option<String>,
    /// Why, in a few words.
    pub because: String,
    /// Whether a source was too long to be read whole.
    pub cut: bool,
    /// How many sources could not be read.
    pub unread: usize,
}

impl Weighed {
    /// What was not looked at, in a few words, if anything.
    #[must_use]
    pub fn limits(&self) -> Option<String> {
        let unread = match self.unread {
            0 => None,
            1 => Some("one source could not be read".to_owned()),
            many => Some(format!("{many} sources could not be read")),
        };
        match (unread, self.cut) {
            (Some(unread), true) => Some(format!("{unread}; a long one was read only in part")),
            (Some(unread), false) => Some(unread),
            (None, true) => Some("a long source was read only in part".to_owned()),
            (None, false) => None,
        }
    }
}
