//! Names and codes that only one of two texts has.

use std::ops::Range;

use crate::features::Features;
use crate::features::chunk::Shape;
use crate::features::differences::wording::typo;
use crate::features::differences::{Difference, What, both};
use crate::features::words::Word;

pub(crate) fn codes(left: &Features, right: &Features) -> Vec<Difference> {
    let of = |features: &Features| -> Vec<Word> {
        features
            .codes
            .iter()
            .filter_map(|at| features.words.get(*at))
            .cloned()
            .collect()
    };
    let (ours, theirs) = (of(left), of(right));
    let missing = |one: &&Word, others: &Features| {
        !others
            .words
            .iter()
            .any(|other| one.lower.trim_start_matches('v') == other.lower.trim_start_matches('v'))
    };
    let ours: Vec<_> = ours.iter().filter(|word| missing(word, right)).collect();
    let theirs: Vec<_> = theirs.iter().filter(|word| missing(word, left)).collect();
    ours.iter()
        .zip(&theirs)
        .map(|(one, other)| both(What::Code, &one.span, &other.span))
        .collect()
}

/// Names that only one text has. An acronym alone may be left out (`the API`); a name may not.
pub(crate) fn names(left: &Features, right: &Features) -> Vec<Difference> {
    let missing = |features: &Features, others: &Features| -> Vec<(bool, Range<usize>)> {
        let said = |lower: &str| {
            others.words.iter().any(|word| {
                word.lower == lower || (word.shape == Shape::Lower && typo(&word.lower, lower))
            })
        };
        let names = features
            .names
            .iter()
            .filter(|name| name.sure && !said(&name.lower));
        let capital = |name: &crate::features::Name| {
            features
                .words
                .get(name.word)
                .is_some_and(|word| word.shape == Shape::Capital)
        };
        names
            .map(|name| (capital(name), name.span.clone()))
            .collect()
    };
    let (ours, theirs) = (missing(left, right), missing(right, left));
    let pairs: Vec<_> = ours
        .iter()
        .zip(&theirs)
        .map(|((_, one), (_, other))| both(What::Name, one, other))
        .collect();
    if !pairs.is_empty() {
        return pairs;
    }
    let alone = |names: &[(bool, Range<usize>)]| {
        names
            .iter()
            .find(|(capital, _)| *capital)
            .map(|(_, span)| span.clone())
    };
    match (alone(&ours), alone(&theirs)) {
        (None, None) => Vec::new(),
        (left, right) => vec![Difference {
            what: What::Name,
            left,
            right,
        }],
    }
}
