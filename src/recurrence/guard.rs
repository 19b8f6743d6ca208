//! What keeps two wordings apart, however alike they look.
//!
//! Numbers, names, denials, order and opposites are read by `features`. Added here: where each side
//! says something of weight that the other does not say in any known way, nobody can tell a
//! paraphrase from a contrast, so the two are not joined without a person.

use crate::features::{Difference, What, differences};
use crate::recurrence::meeting::meeting;
use crate::recurrence::parties::change_sides;
use crate::recurrence::reading::Reading;
use crate::recurrence::stance::Stance;
use crate::recurrence::terms::Term;

/// Why two wordings are kept apart.
#[derive(Debug, Clone, PartialEq)]
pub enum Objection {
    /// A difference that `features` found, with its bytes.
    Feature(Difference),
    /// Each side says something of weight that the other does not.
    Words(String, String),
    /// One side says much that the other leaves out.
    Surplus,
    /// Only one side denies, and nothing else is said by the other instead.
    Denial,
    /// Each side has a figure of its own.
    Figure(String, String),
    /// They put things in another order, or only one of them orders.
    Sequence,
    /// The same deed, done by the other side.
    Party,
}

impl Objection {
    /// Whether it says that the two contradict each other; otherwise nobody knows.
    #[must_use]
    pub const fn contradicts(&self) -> bool {
        !matches!(self, Self::Words(..) | Self::Surplus)
    }
}

/// The heaviest words that may stand on both sides without a counterpart.
const ODD: f32 = 0.6;
/// The same, where one stands in the place of the other.
const ODD_IN_PLACE: f32 = 0.36;

/// How much one side may say that the other leaves out.
const SURPLUS: f32 = 2.5;

/// Everything that speaks against two wordings saying the same.
#[must_use]
pub fn objections(one: &Reading, other: &Reading) -> Vec<Objection> {
    let (mine, theirs) = (one.stance(), other.stance());
    let met = meeting(one.signature(), other.signature());
    let (left, right) = met.lone(one.signature(), other.signature());
    let mut found: Vec<Objection> = differences(&mine.features, &theirs.features)
        .into_iter()
        .filter(|difference| match difference.what {
            // Asked below, with the weight of the words.
            What::Word => false,
            What::Modality => !(mine.asks && theirs.asks),
            _ => true,
        })
        .map(Objection::Feature)
        .collect();
    let in_place = met.replaced(one.signature(), other.signature());
    let heaviest = heaviest(&left).zip(heaviest(&right));
    let odd = heaviest.filter(|(one, two)| one.weight.min(two.weight) > ODD);
    let odd = odd.or(in_place.filter(|(one, two)| {
        let (less, more) = (one.weight.min(two.weight), one.weight.max(two.weight));
        less > ODD_IN_PLACE || more > ODD
    }));
    found.extend(odd.map(|(one, two)| Objection::Words(one.said.clone(), two.said.clone())));
    let surplus = |terms: &[&Term]| terms.iter().map(|term| term.weight).sum::<f32>();
    if surplus(&left).max(surplus(&right)) > SURPLUS {
        found.push(Objection::Surplus);
    }
    if mine.denies != theirs.denies && (left.is_empty() || right.is_empty()) {
        found.push(Objection::Denial);
    }
    found.extend(figures(mine, theirs));
    let in_order = match (&mine.sequence, &theirs.sequence) {
        (None, None) => true,
        (Some(one), Some(other)) => one.agrees(other),
        _ => false,
    };
    if !in_order {
        found.push(Objection::Sequence);
    }
    if change_sides(&mine.deeds, &theirs.deeds) {
        found.push(Objection::Party);
    }
    found
}

fn heaviest<'a>(terms: &[&'a Term]) -> Option<&'a Term> {
    let weight = |term: &&&Term| term.weight;
    terms
        .iter()
        .max_by(|one, other| weight(one).total_cmp(&weight(other)))
        .copied()
}

/// A figure on each side that the other has not, unless all amounts agree once units are read.
fn figures(one: &Stance, other: &Stance) -> Option<Objection> {
    let agree = |one: &Stance, other: &Stance| {
        let there = &other.features.amounts;
        one.features
            .amounts
            .iter()
            .all(|amount| there.iter().any(|there| amount.agrees(there)))
    };
    if agree(one, other) && agree(other, one) {
        return None;
    }
    let mut theirs = other.figures.clone();
    let mut lone = None;
    for figure in &one.figures {
        match theirs.iter().position(|there| there == figure) {
            Some(at) => drop(theirs.swap_remove(at)),
            None => lone = lone.or(Some(figure.clone())),
        }
    }
    Some(Objection::Figure(lone?, theirs.into_iter().next()?))
}
