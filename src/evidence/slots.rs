//! Dates and names of a claim, each looked for in a stretch of evidence.

use crate::features::{Features, Moment, Word};

/// What became of one slot of the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    Same,
    /// The evidence gives another value for it.
    Other,
    /// The evidence gives none.
    Open,
}

/// Looks a moment of the claim up among sentences.
pub(crate) fn moment(wanted: &Moment, said: &[&Features]) -> Slot {
    let all = || said.iter().flat_map(|features| &features.moments);
    let covers = |it: &Moment| it.agrees(wanted) && it.meets(wanted);
    if all().any(covers) || all().any(|it| is_inside(wanted, it)) {
        return Slot::Same;
    }
    let days = said.iter().flat_map(|features| &features.amounts);
    if wanted.day.is_some_and(|day| {
        days.into_iter()
            .any(|it| it.ordinal && it.value == f64::from(day))
    }) {
        return Slot::Same;
    }
    if all().any(|it| it.meets(wanted)) {
        Slot::Other
    } else {
        Slot::Open
    }
}

fn is_inside(wanted: &Moment, said: &Moment) -> bool {
    wanted.year.is_some() && wanted.month.is_none() && said.year == wanted.year
}

/// Whether a name of the claim is named in the evidence, whole or in its parts (`node-birch`,
/// `Birch`).
pub(crate) fn named(word: &Word, said: impl Fn(&str) -> bool) -> bool {
    if said(&word.lower) || said(&word.root) {
        return true;
    }
    let mut parts = word
        .lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|part| part.len() > 2)
        .peekable();
    word.shape.is_code() && parts.peek().is_some() && parts.all(said)
}
