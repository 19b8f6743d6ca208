//! Of which kind of a thing claim and evidence speak: `the Comfort rate` is not `the Basic rate`.

use crate::evidence::matched::{Ground, Matched};
use crate::evidence::reading::Sentence;
use crate::features::{Features, MarkKind, Word, is_small};

/// Whether the words of the claim stand together, but of another case: `pay 14 dollars with the
/// Basic rate`, where the claim speaks of the Comfort rate.
pub(crate) fn is_apart(claim: &Features, stretch: &[&Sentence], matched: &Matched) -> bool {
    let core = match stretch.get(matched.core) {
        Some(core) => *core,
        None => return false,
    };
    let ours = |word: &Word| claim.words.iter().any(|ours| ours.root == word.root);
    let other_kind = claim.content().any(|(at, word)| {
        let Some(kind) = kind_of(claim, at) else {
            return false;
        };
        let places = || {
            core.features
                .content()
                .filter(|(_, it)| it.root == word.root)
        };
        let same = places().any(|(place, _)| {
            let it = kind_of(&core.features, place);
            it.is_none_or(|it| it.root == kind.root)
        });
        let other =
            places().any(|(place, _)| kind_of(&core.features, place).is_some_and(|it| !ours(it)));
        // Where the sentence has both, the rest of the claim says which of them is meant.
        let rest = |place: usize| {
            let clause = core.features.words.get(place).map(|it| it.clause);
            let inside = core
                .features
                .words
                .iter()
                .filter(|it| Some(it.clause) == clause);
            inside
                .filter(|it| !is_small(&it.lower) && it.root != word.root && it.root != kind.root)
                .filter(|it| ours(it))
                .count()
        };
        let most = |wanted: bool| {
            let kinds = places().filter_map(|(place, _)| {
                Some((place, kind_of(&core.features, place)?.root == kind.root))
            });
            kinds
                .filter(|(_, same)| *same == wanted)
                .map(|(place, _)| rest(place))
                .max()
        };
        let closer = match (most(true), most(false)) {
            (Some(same), Some(other)) => other > same,
            _ => false,
        };
        (other && !same) || closer
    });
    let set = stretch.len() > 1
        && matched.core > 0
        && opening(&core.features).is_some_and(|word| !ours(word));
    other_kind || set || is_conditional(claim, stretch)
}

/// Whether the claim sets a condition where the text has none of any sort.
fn is_conditional(claim: &Features, stretch: &[&Sentence]) -> bool {
    const KINDS: &[MarkKind] = &[
        MarkKind::Condition,
        MarkKind::Before,
        MarkKind::After,
        MarkKind::Always,
        MarkKind::All,
        MarkKind::Only,
        MarkKind::Must,
    ];
    let sets = claim
        .words
        .iter()
        .any(|word| matches!(word.lower.as_str(), "until" | "till" | "unless" | "if"));
    let has = |it: &Sentence| KINDS.iter().any(|kind| it.features.has(*kind));
    sets && !stretch.iter().any(|it| has(it))
}

/// Things of the claim of which the text has but one of a kind: `the machines`, where it says
/// `the left machine`.
pub(crate) fn many_for_one<'a>(claim: &'a Features, stretch: &[&Sentence]) -> Option<&'a Word> {
    let left_out = |word: &Word| claim.words.iter().all(|ours| ours.root != word.root);
    let many = |word: &Word| word.lower.ends_with('s') && !word.lower.ends_with("ss");
    let mut first = claim.content().take(2).map(|(_, word)| word);
    let subject = first.find(|word| many(word))?;
    let mut seen = false;
    for sentence in stretch {
        for (at, word) in sentence.features.content() {
            if word.root != subject.root {
                continue;
            }
            seen = true;
            let near = kind_of(&sentence.features, at);
            let far = at
                .checked_sub(1)
                .and_then(|at| kind_of(&sentence.features, at));
            let special = near.is_some_and(left_out) || far.is_some_and(left_out);
            if many(word) || !special {
                return None;
            }
        }
    }
    seen.then_some(subject)
}

/// A thing of the claim of which the item tells two kinds apart, and the claim none.
pub(crate) fn one_of_kinds<'a>(claim: &'a Features, ground: Ground<'_>) -> Option<&'a Word> {
    let sentences = &ground.reading.sentences;
    let mut things = claim
        .content()
        .filter(|(at, _)| kind_of(claim, *at).is_none());
    things.find_map(|(_, word)| {
        let mut kinds: Vec<&str> = Vec::new();
        for sentence in sentences {
            for (place, it) in sentence.features.content() {
                if it.root != word.root {
                    continue;
                }
                let kind = kind_of(&sentence.features, place)?;
                if claim.words.iter().any(|ours| ours.root == kind.root) {
                    return None;
                }
                kinds.push(kind.root.as_str());
            }
        }
        kinds.sort_unstable();
        kinds.dedup();
        (kinds.len() > 1).then_some(word)
    })
}

/// The word that says of which kind a thing is: `Comfort` of `Comfort rate`.
fn kind_of(features: &Features, at: usize) -> Option<&Word> {
    let word = features.words.get(at)?;
    let before = features.words.get(at.checked_sub(1)?)?;
    let free = !is_small(&before.lower)
        && before.clause == word.clause
        && !features
            .amounts
            .iter()
            .any(|it| it.words.contains(&(at - 1)))
        && !features.marks.iter().any(|mark| mark.word + 1 == at);
    free.then_some(before)
}

/// The noun of a setting that opens a sentence: `break` of `At break they may use them.`
fn opening(features: &Features) -> Option<&Word> {
    const SETS: &[&str] = &[
        "at", "on", "in", "for", "during", "outside", "below", "above", "under", "from", "with",
        "without", "after", "before",
    ];
    let first = features.words.first()?;
    if !SETS.contains(&first.lower.as_str()) {
        return None;
    }
    features
        .words
        .iter()
        .skip(1)
        .take(3)
        .find(|word| !is_small(&word.lower))
}
