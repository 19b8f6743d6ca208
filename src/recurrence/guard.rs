//! What keeps two wordings apart, however alike they look.
//!
//! Numbers, names, denials, order and opposites are read by `features`. Added here: where each side
//! says something of weight that the other does not say in any known way, nobody can tell a
//! paraphrase from a contrast, so the two are not joined without a person.

use std::ops::Range;

use crate::features::{Difference, MarkKind, What, Word, differences};
use crate::recurrence::meeting::meeting;
use crate::recurrence::pairs::opposed;
use crate::recurrence::parties::change_sides;
use crate::recurrence::reading::Reading;
use crate::recurrence::stance::{Stance, forbids};
use crate::recurrence::stem::stem;
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
    /// They share too little for what they do not share.
    Thin,
    /// Only one side denies, and nothing else is said by the other instead.
    Denial,
    /// Each side has a figure of its own.
    Figure(String, String),
    /// They put things in another order, or only one of them orders.
    Sequence,
    /// The same deed, done by the other side.
    Party,
    /// They want different answers.
    Asked,
    /// They speak of all, of a part, of these only, or of another one in a row.
    Extent,
    /// They take the two sides of a plain pair of opposites.
    Opposed(String, String),
    /// One must be done, the other may.
    Force,
    /// One side takes back what the other wants done.
    Undone(String),
}

impl Objection {
    /// Whether it says that the two contradict each other; otherwise nobody knows.
    #[must_use]
    pub const fn contradicts(&self) -> bool {
        !matches!(
            self,
            Self::Words(..) | Self::Surplus | Self::Thin | Self::Asked
        )
    }
}

/// The heaviest words that may stand on both sides without a counterpart.
const ODD: f32 = 0.6;
/// The same, where one stands in the place of the other.
const ODD_IN_PLACE: f32 = 0.36;

/// How much one side may say that the other leaves out.
const SURPLUS: f32 = 2.5;

/// How far above unrelated sentences two words must meet to be taken for one another.
const WORD_NEAR: f32 = 5.0;
/// Below this, what two wordings share is one word or two plain ones: too little beside a word of
/// weight that only one of them says.
const THIN: f32 = 1.3;

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
            // A denial that is part of a turn of phrase (`not remembered` is forgotten) turns nothing,
            // and `forbidden` is `not` by another name.
            What::Negation => (mine.denies || theirs.denies) && !agree_by_forbidding(one, other),
            What::Opposite => !is_one_side(one, other, difference),
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
    let odd = odd.filter(|(left, right)| !near_in_meaning(one, &left.said, &right.said));
    found.extend(odd.map(|(one, two)| Objection::Words(one.said.clone(), two.said.clone())));
    let surplus = |terms: &[&Term]| terms.iter().map(|term| term.weight).sum::<f32>();
    if surplus(&left).max(surplus(&right)) > SURPLUS {
        found.push(Objection::Surplus);
    }
    let common: f32 = met
        .common(one.signature(), other.signature())
        .0
        .iter()
        .map(|term| term.weight)
        .sum();
    let told = found.iter().any(|one| matches!(one, Objection::Words(..)));
    if !told && common < THIN && surplus(&left).max(surplus(&right)) > ODD {
        found.push(Objection::Thin);
    }
    if mine.denies != theirs.denies && (left.is_empty() || right.is_empty()) {
        found.push(Objection::Denial);
    }
    found.extend(figures(mine, theirs));
    let in_order = match (&mine.sequence, &theirs.sequence) {
        (None, None) => true,
        (Some(one), Some(other)) => one.agrees(other),
        _ => mine.undoubled || theirs.undoubled,
    };
    if !in_order {
        found.push(Objection::Sequence);
    }
    if change_sides(&mine.deeds, &theirs.deeds) {
        found.push(Objection::Party);
    }
    if !mine.asked.agrees(theirs.asked) {
        found.push(Objection::Asked);
    }
    if !mine.extent.agrees(&theirs.extent) {
        found.push(Objection::Extent);
    }
    found
        .extend(opposed(&mine.sides, &theirs.sides).map(|(one, two)| Objection::Opposed(one, two)));
    if force(mine, theirs) || force(theirs, mine) {
        found.push(Objection::Force);
    }
    found.extend(undone(&left, &right, theirs).or_else(|| undone(&right, &left, mine)));
    found
}

/// Whether a table of vectors takes two words for one another.
fn near_in_meaning(reading: &Reading, one: &str, other: &str) -> bool {
    let Some(direction) = reading.direction() else {
        return false;
    };
    let vectors = &direction.vectors;
    let pair = vectors.of(one).zip(vectors.of(other));
    pair.is_some_and(|(one, other)| vectors.nearness(&one, &other) >= WORD_NEAR)
}

/// Whether both deny, one of them with a word that does so by itself.
fn agree_by_forbidding(one: &Reading, other: &Reading) -> bool {
    let by_itself = forbids(one.signature()) != forbids(other.signature());
    by_itself && one.stance().denies && other.stance().denies
}

/// Whether two opposites are one after all: the same word, where both texts deny or neither does,
/// or the bounds of a range (`up to 20` is `20 or less`).
fn is_one_side(one: &Reading, other: &Reading, difference: &Difference) -> bool {
    fn split<'a>(reading: &'a Reading, range: Option<&Range<usize>>) -> Option<[&'a str; 3]> {
        let (text, range) = (reading.text(), range?);
        Some([
            text.get(..range.start)?,
            text.get(range.clone())?,
            text.get(range.end..)?,
        ])
    }
    let bound = |[before, word, behind]: [&str; 3]| {
        let before = before.trim_end();
        (word.eq_ignore_ascii_case("up") && behind.trim_start().starts_with("to "))
            || ["no", "or", "not", "at"].iter().any(|small| {
                before
                    .strip_suffix(small)
                    .is_some_and(|head| head.is_empty() || head.ends_with(' '))
            })
    };
    let (left, right) = (
        split(one, difference.left.as_ref()),
        split(other, difference.right.as_ref()),
    );
    let (Some(left), Some(right)) = (left, right) else {
        return false;
    };
    let stemmed = |[_, word, _]: [&str; 3]| stem(&word.to_lowercase());
    let same_word = stemmed(left) == stemmed(right);
    (same_word && one.stance().denies == other.stance().denies) || (bound(left) && bound(right))
}

/// Whether the one demands what the other only allows.
fn force(one: &Stance, other: &Stance) -> bool {
    let plain =
        |stance: &Stance| !stance.denies && !stance.asks && !stance.features.has(MarkKind::Only);
    let must = |stance: &Stance| {
        const NEEDING: &[&str] = &["need", "needs", "require", "requires", "required"];
        let needs = |word: &Word| NEEDING.contains(&word.lower.as_str());
        stance.features.has(MarkKind::Must) || stance.features.words.iter().any(needs)
    };
    let may = |stance: &Stance| {
        stance
            .features
            .words
            .iter()
            .any(|word| matches!(word.lower.as_str(), "may" | "optional"))
    };
    plain(one) && plain(other) && must(one) && !may(one) && may(other) && !must(other)
}

/// What one side takes back, where the other says nothing in its place.
fn undone(terms: &[&Term], others: &[&Term], there: &Stance) -> Option<Objection> {
    const UNDOING: &[&str] = &[
        "~cancel",
        "~stop",
        "~refuse",
        "~forbid",
        "~deactivate",
        "~unlock",
        "~rollback",
        "~optout",
        "~logout",
        "avoid",
        "prevent",
        "skip",
        "unfreeze",
        "disable",
        "postpone",
        "~crash",
        "~error",
        "~broken",
        "~lost",
        "~late",
    ];
    if heaviest(others).is_some_and(|term| term.weight > ODD) {
        return None;
    }
    let said_there = |term: &Term| {
        let words = &there.features.words;
        term.said
            .split(' ')
            .any(|part| words.iter().any(|word| word.lower == part))
    };
    let undoing = terms
        .iter()
        .find(|term| UNDOING.contains(&term.name.as_str()) && !said_there(term))?;
    Some(Objection::Undone(undoing.said.clone()))
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
