//! What a text takes a stand on: read once, compared often.

use crate::features::{Features, Word};
use crate::recurrence::asked::{Asked, asked};
use crate::recurrence::double::undoubled;
use crate::recurrence::extent::{Extent, extent};
use crate::recurrence::pairs::sides;
use crate::recurrence::parties::{Deed, deeds};
use crate::recurrence::sequence::{Sequence, sequence};
use crate::recurrence::signature::Signature;
use crate::recurrence::terms::Term;

/// What the guard needs to know of one text.
#[derive(Debug, Clone)]
pub(crate) struct Stance {
    pub(crate) features: Features,
    /// What comes first and what then.
    pub(crate) sequence: Option<Sequence>,
    /// Who does what.
    pub(crate) deeds: Vec<Deed>,
    /// Whether it denies anything.
    pub(crate) denies: bool,
    /// Whether it wants something for the one who speaks.
    pub(crate) asks: bool,
    /// Whether it demands by denying twice: `never without`.
    pub(crate) undoubled: bool,
    /// What an answer would have to give.
    pub(crate) asked: Asked,
    /// How much of a thing is meant.
    pub(crate) extent: Extent,
    /// Which sides it takes of plain opposites.
    pub(crate) sides: Vec<(usize, bool)>,
    /// Its figures, as often as they stand there.
    pub(crate) figures: Vec<String>,
}

impl Stance {
    /// Reads a text whose signature is known.
    pub(crate) fn of(text: &str, signature: &Signature) -> Self {
        let plain = undoubled(text);
        let features = match &plain {
            Some(plain) => crate::features::of(plain),
            None => crate::features::of(text),
        };
        let is_figure = |term: &&Term| term.name.bytes().all(|byte| byte.is_ascii_digit());
        let figures = signature.terms.iter().filter(is_figure);
        let asked = asked(&features);
        Self {
            undoubled: plain.is_some(),
            sequence: sequence(&features),
            deeds: deeds(&features, signature),
            denies: denies(&features, signature),
            asks: asks(&features) || asked != Asked::Nothing,
            asked,
            extent: extent(&features),
            sides: sides(&features),
            figures: figures.map(|term| term.name.clone()).collect(),
            features,
        }
    }
}

/// Whether a text denies anything, beyond turns of phrase that say something of their own
/// (`never expires` is `valid for ever`).
fn denies(features: &Features, signature: &Signature) -> bool {
    const DENYING: &[&str] = &["no", "not", "never", "without", "nothing", "nobody", "none"];
    let taken_in = |term: &&Term| {
        term.said.contains(' ') && term.said.split(' ').any(|word| DENYING.contains(&word))
    };
    features.negations.len() > signature.terms.iter().filter(taken_in).count() || forbids(signature)
}

/// Whether a text denies with a word that does so by itself: `forbidden`, `lacks`, `leave out`.
pub(crate) fn forbids(signature: &Signature) -> bool {
    const FORBIDDING: &[&str] = &["~forbid", "~lack", "~omit", "~exclude"];
    signature
        .terms
        .iter()
        .any(|term| FORBIDDING.contains(&term.name.as_str()))
}

/// Whether it is a question, or a wish in the first person. `Tell me how to close my account` and
/// `how do I close my account?` ask the same.
fn asks(features: &Features) -> bool {
    const SELF: &[&str] = &["i", "my", "me", "mine", "im", "ive", "id"];
    const ASKING: &[&str] = &[
        "wonder",
        "wonders",
        "wondering",
        "know",
        "knows",
        "asks",
        "asked",
        "wants",
        "tell",
        "explain",
        "show",
        "help",
    ];
    let any = |list: &[&str], word: &Word| list.contains(&word.lower.as_str());
    features.question.is_some()
        || features.words.iter().any(|word| any(SELF, word))
        || features.words.iter().take(4).any(|word| any(ASKING, word))
}
