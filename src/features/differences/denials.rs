//! What one text denies and the other says.

use std::ops::Range;

use crate::features::Features;
use crate::features::differences::{Difference, MOST_WORDS, What, both};
use crate::features::poles;
use crate::features::words::Word;

/// Words that both have, of which more are denied on one side only than alike on both.
pub(crate) fn denied(left: &Features, right: &Features) -> Vec<Difference> {
    if left.question.is_some() && right.question.is_some() {
        return Vec::new();
    }
    let (mut alike, mut flipped) = (0_usize, Vec::new());
    let (ours_all, theirs_all): (Vec<&Word>, Vec<&Word>) = (
        deniable(left).map(|(_, word)| word).collect(),
        deniable(right).map(|(_, word)| word).collect(),
    );
    let mut seen: Vec<&str> = Vec::new();
    for word in ours_all.iter().copied() {
        if seen.contains(&word.root.as_str()) {
            continue;
        }
        seen.push(&word.root);
        let signs = |words: &[&Word]| -> (bool, bool) {
            let same = words.iter().filter(|other| other.root == word.root);
            same.fold((false, false), |(yes, no), other| {
                (yes || !other.denied, no || other.denied)
            })
        };
        let Some(other) = theirs_all.iter().find(|other| other.root == word.root) else {
            continue;
        };
        let (ours, theirs) = (signs(&ours_all), signs(&theirs_all));
        if ours.1 && theirs.1 {
            // Both deny one thing: the rest is a matter of how the clauses are cut.
            return Vec::new();
        }
        match ours.0 && theirs.0 {
            true => alike += 1,
            false => flipped.push(both(What::Negation, &word.span, &other.span)),
        }
    }
    if flipped.len() <= alike
        || poles::meet_by_denial(&left.poles, &right.poles)
        || is_answered(left, right)
        || is_answered(right, left)
    {
        return Vec::new();
    }
    flipped
}

/// The same condition, turned round: `if you set it`, `unless you set it`.
pub(crate) fn conditions(left: &Features, right: &Features) -> Vec<Difference> {
    let given = |features| -> Vec<&Word> {
        let words = deniable(features).map(|(_, word)| word);
        words.filter(|word: &&Word| word.given).collect()
    };
    let theirs = given(right);
    let (mut alike, mut flipped) = (0_usize, Vec::new());
    for word in given(left) {
        let Some(other) = theirs.iter().find(|other| other.root == word.root) else {
            continue;
        };
        match word.denied == other.denied {
            true => alike += 1,
            false => flipped.push(both(What::Negation, &word.span, &other.span)),
        }
    }
    if flipped.len() > alike {
        flipped
    } else {
        Vec::new()
    }
}

/// One text only denies, the other denies nothing, in no way that is known.
pub(crate) fn refused(left: &Features, right: &Features) -> Vec<Difference> {
    if left.question.is_some()
        || right.question.is_some()
        || poles::meet_by_denial(&left.poles, &right.poles)
    {
        return Vec::new();
    }
    match (only_denies(left), only_denies(right)) {
        (Some(span), None) if denies_nothing(right) => vec![Difference {
            what: What::Negation,
            left: Some(span),
            right: None,
        }],
        (None, Some(span)) if denies_nothing(left) => vec![Difference {
            what: What::Negation,
            left: None,
            right: Some(span),
        }],
        _ => Vec::new(),
    }
}

/// The denial of a text whose every statement is denied, conditions aside.
pub(crate) fn only_denies(features: &Features) -> Option<Range<usize>> {
    let mut clauses: Vec<(usize, bool)> = Vec::new();
    for (_, word) in deniable(features).filter(|(_, word)| !word.given) {
        match clauses.last_mut() {
            Some((clause, denied)) if *clause == word.clause => *denied |= word.denied,
            _ => clauses.push((word.clause, word.denied)),
        }
    }
    let all = !clauses.is_empty() && clauses.iter().all(|(_, denied)| *denied);
    features
        .negations
        .first()
        .filter(|_| all)
        .map(|negation| negation.span.clone())
}

pub(crate) fn denies_nothing(features: &Features) -> bool {
    features.negations.is_empty()
        && !features
            .words
            .iter()
            .any(|word| NEGATIVE.contains(&word.stem.as_str()))
}

/// The words whose denial changes what is said: no number, name, code or place.
pub(crate) fn deniable(features: &Features) -> impl Iterator<Item = (usize, &Word)> {
    features.content().take(MOST_WORDS).filter(|(at, word)| {
        let counted = features
            .amounts
            .iter()
            .any(|amount| amount.words.contains(at));
        let named =
            features.names.iter().any(|name| name.word == *at) || features.codes.contains(at);
        !counted
            && !named
            && !matches!(
                word.lower.as_str(),
                "above" | "below" | "over" | "mr" | "ms" | "mrs"
            )
    })
}

/// Whether one text denies and the other says the same with a word that denies in itself:
/// `no phone support`, `the hotline is closed`.
pub(crate) fn is_answered(denying: &Features, other: &Features) -> bool {
    let says_no =
        |word: &Word| !word.denied && !word.given && NEGATIVE.contains(&word.stem.as_str());
    !denying.negations.is_empty()
        && other.negations.is_empty()
        && other
            .words
            .iter()
            .any(|word| says_no(word) && !denying.words.iter().any(|ours| ours.root == word.root))
}

/// Stems of words that deny in themselves.
pub(crate) const NEGATIVE: &[&str] = &[
    "clos",
    "shut",
    "stop",
    "off",
    "free",
    "cancel",
    "refus",
    "reject",
    "forbid",
    "ban",
    "unpaid",
    "miss",
    "lack",
    "fail",
    "hang",
    "stick",
    "freez",
    "mock",
    "fak",
    "stub",
    "leav",
    "alon",
    "keep",
    "stay",
    "forever",
    "only",
    "less",
    "skip",
    "instead",
    "hat",
    "avoid",
    "block",
    "out",
    "drop",
    "lose",
    "empty",
    "wrong",
    "impossibl",
    "sit",
    "stall",
    "jam",
    "chok",
    "without",
    "unabl",
    "remain",
    "until",
    "opt",
    "whoever",
    "float",
    "rang",
    "object",
];
