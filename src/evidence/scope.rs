//! Of which things the evidence says it: `express orders` are not all orders.

use crate::evidence::kinds::{many_for_one, one_of_kinds};
use crate::evidence::matched::Ground;
use crate::evidence::reading::Sentence;
use crate::evidence::strength::{Loss, predicate};
use crate::features::{Features, MarkKind, Word, is_small};

/// A claim about things of a kind, where the evidence speaks of some of that kind only.
pub(crate) fn narrowed(claim: &Features, said: &[&Features]) -> Option<Loss> {
    let (at, subject) = claim.content().next()?;
    if !is_bare(claim, at, subject) {
        return None;
    }
    let mut seen = false;
    for features in said {
        for (place, word) in features.content() {
            if word.root != subject.root {
                continue;
            }
            seen = true;
            if !is_limited(claim, features, place) {
                return None;
            }
        }
    }
    seen.then(|| Loss {
        words: vec![subject.span.clone()],
        because: "the source says so of some of them only",
        any_verb: true,
    })
}

/// Whether a claim opens with all of a kind: `Orders ..`, `All orders ..`.
fn is_bare(claim: &Features, at: usize, word: &Word) -> bool {
    let plural = word.lower.ends_with('s') && word.lower != word.stem;
    let named = claim.names.iter().any(|name| name.word == at && name.sure);
    let all = claim
        .marks
        .iter()
        .any(|mark| mark.kind == MarkKind::All && mark.word + 1 == at);
    let limited = is_limit(claim, at + 1) || claim.has(MarkKind::Some);
    let the = claim.words.first().is_some_and(|word| word.lower == "the");
    plural && !named && !limited && (at == 0 || (at < 3 && (all || the)))
}

/// Words that open what sets some things of a kind apart.
const APART: &[&str] = &[
    "from", "with", "without", "who", "that", "which", "whose", "worth", "above", "over", "under",
    "below", "older", "younger", "of", "for",
];

fn is_limit(features: &Features, at: usize) -> bool {
    features
        .words
        .get(at)
        .is_some_and(|word| APART.contains(&word.lower.as_str()))
}

/// Whether a word of the evidence is set apart by another that the claim leaves out.
fn is_limited(claim: &Features, said: &Features, at: usize) -> bool {
    let left_out = |word: &Word| {
        !is_small(&word.lower) && claim.words.iter().all(|ours| ours.root != word.root)
    };
    let Some(word) = said.words.get(at) else {
        return false;
    };
    let before = at.checked_sub(1).and_then(|at| said.words.get(at));
    let counted = said
        .amounts
        .iter()
        .any(|it| it.words.contains(&at.saturating_sub(1)))
        || said.marks.iter().any(|mark| mark.word + 1 == at);
    let special = before.is_some_and(|before| {
        before.clause == word.clause && !counted && left_out(before) && (before.first || at < 4)
    });
    let the = claim.words.first().is_some_and(|word| word.lower == "the");
    let special = special && !the;
    // `Boxes from before 1974 ..`
    let mut behind = said
        .words
        .iter()
        .skip(at + 2)
        .take_while(|it| it.sentence == word.sentence)
        .take(3);
    let numbered = claim.amounts.is_empty()
        && said
            .amounts
            .iter()
            .any(|it| it.words.contains(&at.saturating_sub(1)) && it.value > 0.0 && !it.ordinal);
    numbered || special || (at < 3 && is_limit(said, at + 1) && behind.any(left_out))
}

/// Limits that the claim drops: an exception that the item goes on to make, the time or the kind
/// it speaks of.
pub(crate) fn unlimited(
    claim: &Features,
    stretch: &[&Sentence],
    ground: Ground<'_>,
) -> Option<Loss> {
    let last = stretch.last()?;
    let next = ground
        .reading
        .sentences
        .iter()
        .find(|it| it.range.start >= last.range.end);
    let near = || stretch.iter().copied().chain(next);
    let plain = claim.negations.is_empty() || claim.has(MarkKind::Always);
    if plain
        && near().any(|it| excepts(&it.features))
        && !excepts(claim)
        && !claim.has(MarkKind::Condition)
    {
        return Some(loss(predicate(claim), "it makes an exception"));
    }
    if stretch.iter().any(|it| is_clocked(claim, &it.features)) {
        return Some(loss(predicate(claim), "it says so of some hours only"));
    }
    if let Some(word) = many_for_one(claim, stretch) {
        return Some(loss(vec![word.span.clone()], "it speaks of one"));
    }
    if !ground.attribution.any && stretch.iter().any(|it| is_timed(claim, &it.features)) {
        return Some(loss(predicate(claim), "it says so of some times only"));
    }
    if claim.has(MarkKind::Only) && !near().any(|it| is_exclusive(&it.features)) {
        let only = claim
            .marks
            .iter()
            .find(|mark| mark.kind == MarkKind::Only)?;
        return Some(loss(
            vec![only.span.clone()],
            "it does not say that this is all",
        ));
    }
    let kind = one_of_kinds(claim, ground)?;
    Some(loss(vec![kind.span.clone()], "it says so of one kind only"))
}

fn loss(words: Vec<std::ops::Range<usize>>, because: &'static str) -> Loss {
    Loss {
        words,
        because,
        any_verb: false,
    }
}

/// Whether the text says it before or after an hour that the claim leaves out: `after 8 pm`.
fn is_clocked(claim: &Features, said: &Features) -> bool {
    let ours = |word: &Word| claim.words.iter().any(|ours| ours.root == word.root);
    if claim.moments.iter().any(|it| it.minute.is_some()) {
        return false;
    }
    said.words.iter().enumerate().any(|(at, word)| {
        let opens = matches!(word.lower.as_str(), "after" | "before");
        let clock = said.words.get(at + 1).is_some_and(|next| {
            let mut moments = said.moments.iter();
            moments.any(|it| it.minute.is_some() && it.span.start == next.span.start)
        });
        let shares = said
            .content()
            .any(|(place, it)| place < at && it.clause == word.clause && ours(it));
        opens && clock && shares
    })
}

fn excepts(features: &Features) -> bool {
    features.words.iter().any(|word| {
        matches!(
            word.lower.as_str(),
            "exception" | "exceptions" | "except" | "excepted" | "excluding"
        )
    }) && !features.words.iter().any(|word| word.lower == "no")
}

/// Whether something is said to be all there is.
fn is_exclusive(features: &Features) -> bool {
    features.has(MarkKind::Only)
        || !features.negations.is_empty()
        || features.words.iter().any(|word| {
            matches!(
                word.lower.as_str(),
                "one" | "alone" | "just" | "sole" | "single"
            )
        })
}

/// Whether the text says it of a time that the claim leaves out: `during lessons`.
fn is_timed(claim: &Features, said: &Features) -> bool {
    let opens = |word: &Word| matches!(word.lower.as_str(), "during" | "outside");
    let ours = |word: &Word| claim.words.iter().any(|ours| ours.root == word.root);
    said.words.iter().enumerate().any(|(at, word)| {
        let mut noun = said
            .words
            .iter()
            .skip(at + 1)
            .filter(|it| !is_small(&it.lower))
            .take(1);
        let shares = said
            .content()
            .any(|(place, it)| place < at && it.clause == word.clause && ours(it));
        opens(word) && shares && !claim.words.iter().any(opens) && noun.any(|noun| !ours(noun))
    })
}
