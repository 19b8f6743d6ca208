//! Numbers of a claim with their units, each looked for in a stretch of evidence.

use crate::evidence::arithmetic::{follows, is_within};
use crate::evidence::slots::Slot;
use crate::features::{Amount, Features, Unit};

/// Looks an amount of the claim up among sentences.
pub(crate) fn amount(claim: &Features, wanted: &Amount, said: &[&Features]) -> Slot {
    let pairs: Vec<Pair<'_>> = said
        .iter()
        .flat_map(|features| features.amounts.iter().map(move |it| (*features, it)))
        .collect();
    if is_other_count(wanted, &pairs) || is_denied(claim, wanted, &pairs) {
        return Slot::Other;
    }
    let mut same = pairs.iter().filter(|(_, it)| equal(wanted, it)).peekable();
    if same.peek().is_some() {
        let differs = |pair: &Pair<'_>| match (rate(claim, wanted), rate(pair.0, pair.1)) {
            (Some(ours), Some(theirs)) => ours != theirs,
            _ => false,
        };
        return if same.all(differs) {
            Slot::Other
        } else {
            Slot::Same
        };
    }
    let bounded = is_bound(claim, wanted);
    if bounded
        && pairs.iter().any(|(features, it)| {
            it.unit == wanted.unit && !is_bound(features, it) && is_within(claim, wanted, it.value)
        })
    {
        return Slot::Same;
    }
    if follows(claim, wanted, said, &pairs) {
        return Slot::Same;
    }
    let rival = |(features, it): &Pair<'_>| {
        let bounds = is_bound(features, it) == is_bound(claim, wanted);
        rivals(claim, wanted, it)
            && (bounds || (it.unit != wanted.unit && it.written == wanted.written))
    };
    if pairs.iter().any(rival) {
        Slot::Other
    } else {
        Slot::Open
    }
}

/// An amount with the sentence it stands in.
pub(crate) type Pair<'a> = (&'a Features, &'a Amount);

/// Whether another number counts the same thing, and none counts it alike.
fn is_other_count(wanted: &Amount, pairs: &[Pair<'_>]) -> bool {
    let mut counts = pairs
        .iter()
        .filter(|(_, it)| same_thing(wanted, it))
        .peekable();
    counts.peek().is_some() && counts.all(|(_, it)| !equal(wanted, it))
}

/// Whether the evidence gives that number only to deny it: `every 90 days, not every 30`.
fn is_denied(claim: &Features, wanted: &Amount, pairs: &[Pair<'_>]) -> bool {
    let denied = |features: &Features, it: &Amount| {
        features
            .words
            .get(it.words.start)
            .is_some_and(|word| word.denied)
    };
    let turned = |(features, it): &Pair<'_>| {
        denied(features, it) != denied(claim, wanted) && it.value != 0.0 && rivalled(features, it)
    };
    let mut agreeing = pairs.iter().filter(|(_, it)| equal(wanted, it)).peekable();
    agreeing.peek().is_some() && claim.negations.is_empty() && agreeing.all(turned)
}

/// Whether an amount that numbers a thing is named anywhere with its label.
pub(crate) fn labelled<'a>(wanted: &Amount, said: impl Iterator<Item = &'a Features>) -> bool {
    let mut all = said.flat_map(|features| &features.amounts);
    wanted.to.is_none() && all.any(|it| it.label == wanted.label && equal(wanted, it))
}

/// Equal in value and unit. A bare number agrees with another bare one, and with one that has a
/// unit only as it is written.
pub(crate) fn equal(one: &Amount, other: &Amount) -> bool {
    let crossed = matches!(
        (one.unit, other.unit),
        (Unit::Months, Unit::Seconds) | (Unit::Seconds, Unit::Months)
    );
    let units = one.unit == other.unit || (crossed && one.weak == other.weak);
    let bare = one.unit == Unit::None || other.unit == Unit::None;
    let inside = one.to.is_none()
        && other
            .to
            .is_some_and(|to| other.value <= one.value && one.value <= to)
        && one.label.is_some()
        && one.label == other.label;
    (units || (bare && !one.weak)) && one.agrees(other) || (units && inside)
}

/// What a price or a count is for: the `term` of `2,400 crowns a term`.
fn rate<'a>(features: &'a Features, amount: &Amount) -> Option<&'a str> {
    let word = |at: usize| features.words.get(at);
    let link = word(amount.words.end)
        .filter(|word| matches!(word.lower.as_str(), "a" | "an" | "per" | "each" | "every"))?;
    let noun = word(amount.words.end + 1).filter(|noun| noun.clause == link.clause)?;
    Some(noun.stem.as_str())
}

/// Whether another value stands where the wanted one would: the same unit, label or thing counted.
fn rivals(claim: &Features, wanted: &Amount, other: &Amount) -> bool {
    if other.weak && other.unit == Unit::None {
        return false;
    }
    let labelled = |one: &Option<String>, two: &Option<String>| one.is_some() && one == two;
    if labelled(&wanted.label, &other.label) || labelled(&wanted.noun, &other.noun) {
        return true;
    }
    let crossed = |label: &Option<String>, noun: &Option<String>| label.is_some() && label == noun;
    if crossed(&wanted.label, &other.noun) || crossed(&other.label, &wanted.noun) {
        return true;
    }
    match (wanted.unit, other.unit) {
        (Unit::None, Unit::None) => {
            wanted.noun.is_some()
                && claim.amounts.len() == 1
                && other.noun.is_none()
                && other.label.is_none()
        }
        (Unit::Money(_), Unit::Money(_)) => true,
        (
            Unit::WorkDays | Unit::Seconds | Unit::Months,
            Unit::WorkDays | Unit::Seconds | Unit::Months,
        ) => wanted.weak == other.weak,
        (one, two) => one == two,
    }
}

/// Whether the sentence gives another amount of the same kind, which it does not deny.
fn rivalled(features: &Features, amount: &Amount) -> bool {
    features.amounts.iter().any(|other| {
        let free = features
            .words
            .get(other.words.start)
            .is_some_and(|word| !word.denied);
        free && (other.unit == amount.unit || amount.unit == Unit::None)
            && other.value != amount.value
    })
}

/// Whether both count one thing: `28 forms`, `25 forms`.
fn same_thing(one: &Amount, other: &Amount) -> bool {
    one.noun.is_some()
        && one.noun == other.noun
        && one.unit == Unit::None
        && other.unit == Unit::None
        && !one.ordinal
        && !other.ordinal
        && !one.weak
        && !other.weak
}

/// Whether a number is only a limit: another value beside it is no contradiction.
pub(crate) fn is_bound(features: &Features, amount: &Amount) -> bool {
    let before = |back: usize| {
        amount
            .words
            .start
            .checked_sub(back)
            .and_then(|at| features.words.get(at))
            .map_or("", |word| word.lower.as_str())
    };
    let bound = |word: &str| {
        matches!(
            word,
            "than"
                | "below"
                | "above"
                | "under"
                | "over"
                | "limit"
                | "least"
                | "most"
                | "maximum"
                | "minimum"
        )
    };
    bound(before(1)) || bound(before(2))
}
