//! Opposites, order, and single words put in the place of others.

use std::ops::Range;

use crate::features::Features;
use crate::features::chunk::Shape;
use crate::features::differences::{Difference, MOST_WORDS, What, both};
use crate::features::order;
use crate::features::poles;
use crate::features::small::is_small;
use crate::features::words::Word;

pub(crate) fn opposites(left: &Features, right: &Features) -> Vec<Difference> {
    let found = poles::conflicts(&left.poles, &right.poles);
    found
        .into_iter()
        .map(|(one, other)| both(What::Opposite, &one.span, &other.span))
        .collect()
}

pub(crate) fn turned(left: &Features, right: &Features) -> Vec<Difference> {
    let pairs = left
        .orders
        .iter()
        .flat_map(|one| right.orders.iter().map(move |other| (one, other)));
    pairs
        .filter(|(one, other)| order::turned(one, other))
        .map(|(one, other)| both(What::Order, &one.span, &other.span))
        .take(1)
        .collect()
}

/// One word stands where the other text has another one, and all the rest is the same.
pub(crate) fn replaced(left: &Features, right: &Features) -> Vec<Difference> {
    let (Some((ours, same)), Some((theirs, also))) = (extra(left, right), extra(right, left))
    else {
        return Vec::new();
    };
    let (Some(one), Some(other)) = (ours.first(), theirs.first()) else {
        return Vec::new();
    };
    let alike = same.min(also);
    let few = ours.len() + theirs.len();
    if (few == 2 && alike >= 2) || (few == 3 && alike >= 3) {
        return vec![both(What::Word, &one.span, &other.span)];
    }
    Vec::new()
}

/// The words that only the first text has, if they are at most two, and how many both have.
pub(crate) fn extra<'a>(
    features: &'a Features,
    others: &Features,
) -> Option<(Vec<&'a Word>, usize)> {
    let (mut out, mut same) = (Vec::new(), 0);
    for (at, word) in features.content().take(MOST_WORDS) {
        if features
            .amounts
            .iter()
            .any(|amount| amount.words.contains(&at))
        {
            continue;
        }
        if others
            .words
            .iter()
            .take(2 * MOST_WORDS)
            .any(|other| akin(word, other))
        {
            same += 1;
        } else if !is_number(word) && !is_soft(word) && !is_weighed(word, features, others) {
            out.push(word);
        }
        if out.len() > 2 {
            return None;
        }
    }
    Some((out, same))
}

/// Whether both texts take a side on what the word is about: that is compared elsewhere.
pub(crate) fn is_weighed(word: &Word, features: &Features, others: &Features) -> bool {
    let holds = |span: &Range<usize>| span.start <= word.span.start && word.span.end <= span.end;
    let mut ours = features.poles.iter().filter(|pole| holds(&pole.span));
    ours.any(|pole| others.poles.iter().any(|other| other.axis == pole.axis))
}

pub(crate) fn is_number(word: &Word) -> bool {
    matches!(word.shape, Shape::Number | Shape::Clock | Shape::Date)
        || crate::features::number::small(&word.lower).is_some()
}

/// Words that come and go without changing what is said.
pub(crate) fn is_soft(word: &Word) -> bool {
    const SOFT: &[&str] = &[
        "always",
        "before",
        "after",
        "once",
        "only",
        "first",
        "then",
        "system",
        "office",
        "service",
        "team",
        "people",
        "customer",
        "user",
        "again",
        "also",
        "really",
        "currently",
        "actually",
        "simply",
        "even",
        "already",
        "still",
        "need",
        "anything",
        "something",
        "normally",
        "usually",
        "well",
        "thing",
        "sorry",
        "way",
        "want",
        "set",
        "make",
        "get",
        "take",
        "put",
        "go",
        "come",
        "keep",
        "let",
        "use",
    ];
    SOFT.contains(&word.lower.as_str())
        || SOFT.contains(&word.stem.as_str())
        || is_small(&word.lower)
}

/// Whether two words are one: the same root, one the beginning of the other, or a slip of the pen.
pub(crate) fn akin(one: &Word, other: &Word) -> bool {
    let (a, b) = (one.stem.as_str(), other.stem.as_str());
    one.root == other.root && !one.root.is_empty()
        || a == b
        || begins(a, b)
        || begins(b, a)
        || typo(a, b)
}

pub(crate) fn begins(long: &str, short: &str) -> bool {
    short.len() >= 4 && long.len() <= short.len() + 3 && long.starts_with(short)
}

/// Whether two long words differ by one letter too many, too few, other, or two swapped.
pub(crate) fn typo(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    if short.len() < 5 || long.len() - short.len() > 1 || !long.is_ascii() || !short.is_ascii() {
        return false;
    }
    let same = short
        .bytes()
        .zip(long.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let short_tail = |skip: usize| short.get(same + skip..);
    let long_tail = |skip: usize| long.get(same + skip..);
    if same == 0 {
        return false;
    }
    match long.len() > short.len() {
        true => short_tail(0) == long_tail(1),
        false => same + 1 < short.len() && short_tail(2) == long_tail(2),
    }
}
