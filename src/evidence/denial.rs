//! How a stretch of evidence says otherwise than a claim.

use std::ops::Range;

use crate::evidence::backing;
use crate::evidence::matched::Matched;
use crate::evidence::misplaced;
use crate::evidence::reading::Sentence;
use crate::evidence::strength;
use crate::features::{self, Features, MarkKind, What};

/// Said where one of all is otherwise.
pub(crate) const COUNTER: &str = "it names one of which that is not true";

/// What in the claim is denied, and how.
pub(crate) type Objection = Option<(Vec<Range<usize>>, &'static str)>;

/// What a stretch denies of the claim, if it does; `core` is its nearest sentence.
pub(crate) fn denies(
    claim: &Features,
    said: &[&Features],
    core: &Features,
    matched: &Matched,
    tool: bool,
) -> Objection {
    if let Some(words) = counterexample(claim, said, tool) {
        return Some((words, COUNTER));
    }
    if let Some(words) =
        misplaced::miscounted(claim, said).filter(|_| tool && matched.missing.len() < 2)
    {
        return Some((vec![words], "it counts otherwise"));
    }
    if let Some(words) = misplaced::counted_against(claim, said).filter(|_| tool) {
        return Some((vec![words], "it counts some"));
    }
    let near = matched.missing.len() < 2 || (said.len() == 1 && matched.absent < 2);
    if !near || !matched.open.is_empty() {
        return None;
    }
    if let Some(span) =
        misplaced::misplaced(claim, core).or_else(|| misplaced::mistimed(claim, core))
    {
        return Some((vec![span], "that value belongs to something else"));
    }
    if let Some(span) = misplaced::misranked(claim, core) {
        return Some((vec![span], "it gives that place to another"));
    }
    if !matched.other.is_empty() && !matched.no_subject {
        return Some((matched.other.clone(), "it gives another value"));
    }
    let predicate = strength::predicate(claim);
    let has_predicate = !matched.missing.iter().any(|span| predicate.contains(span));
    if let Some(span) = switched(claim, core) {
        return Some((vec![span], "it is in the other state there"));
    }
    if matched.soft > 0 {
        return None;
    }
    if let Some(span) = contrasted(claim, said).filter(|_| !tool && matched.missing.is_empty()) {
        return Some((vec![span], "it denies that part"));
    }
    let found = features::differences(claim, core);
    let told = found.iter().find(|it| match it.what {
        What::Negation => {
            it.left.is_some()
                && matched.is_direct()
                && !tool
                && has_predicate
                && !matched.no_subject
        }
        What::Opposite => it.left.is_some() && matched.is_direct() && !matched.no_subject,
        What::Order => claim.orders.iter().any(|order| order.way),
        _ => false,
    })?;
    Some((
        told.left.clone().into_iter().collect(),
        "it says the opposite",
    ))
}

/// `We check it on Mondays. Last Monday we skipped it.`: what the second denies is the first.
pub(crate) fn taken_back(
    claim: &Features,
    stretch: &[&Sentence],
    matched: &Matched,
) -> Option<Vec<Range<usize>>> {
    let [first, second] = stretch else {
        return None;
    };
    let pointing = |word: &&crate::features::Word| {
        word.denied && matches!(word.lower.as_str(), "it" | "that" | "this" | "them" | "so")
    };
    let denied = second.features.words.iter().any(|word| pointing(&word));
    let dated = |features: &Features| {
        claim.moments.iter().any(|wanted| {
            features
                .moments
                .iter()
                .any(|it| it.meets(wanted) && it.agrees(wanted))
        })
    };
    let plain = claim.negations.is_empty() && first.features.negations.is_empty();
    (denied && plain && matched.missing.len() < 2 && dated(&second.features))
        .then(|| strength::predicate(claim))
}

/// A claim about all, and one of which a tool says the opposite, or a count above zero of them.
fn counterexample(claim: &Features, said: &[&Features], tool: bool) -> Option<Vec<Range<usize>>> {
    let all = claim.marks.iter().find(|mark| mark.kind == MarkKind::All)?;
    let excepted = |features: &&&Features| {
        features.has(MarkKind::All) && features.words.iter().any(|word| word.lower == "except")
    };
    if said.iter().any(|features| excepted(&features)) && !claim.has(MarkKind::Condition) {
        return Some(vec![all.span.clone()]);
    }
    let ours = claim.poles.iter().filter(|pole| !pole.denied);
    let against = |axis: usize, side: usize, features: &Features| {
        let mut others = features
            .poles
            .iter()
            .filter(|pole| pole.axis == axis && pole.side != side && !pole.denied);
        others.any(|pole| {
            let mut before = features
                .amounts
                .iter()
                .filter(|it| it.span.end <= pole.span.start && pole.span.start - it.span.end < 3)
                .peekable();
            let counted = before.peek().is_some();
            before.any(|it| it.value > 0.0) || (tool && !counted)
        })
    };
    ours.into_iter()
        .find(|pole| {
            said.iter()
                .any(|features| against(pole.axis, pole.side, features))
        })
        .map(|pole| {
            vec![Range {
                start: all.span.start.min(pole.span.start),
                end: pole.span.end.max(all.span.end),
            }]
        })
}

/// What the claim says of a setting that the sentence shows in the other state.
fn switched(claim: &Features, core: &Features) -> Option<Range<usize>> {
    let ours = claim
        .poles
        .iter()
        .find(|pole| pole.about() == "switch" && !pole.denied)?;
    let theirs = backing::state(claim, core)?;
    (ours.side != theirs).then(|| ours.span.clone())
}

/// A word of the claim that the stretch only denies, while it grants another: `in November, not
/// in spring`.
fn contrasted(claim: &Features, said: &[&Features]) -> Option<Range<usize>> {
    // `They got nothing` does not deny the people it speaks of.
    let whole =
        |word: &crate::features::Word| matches!(word.lower.as_str(), "nothing" | "nobody" | "none");
    let mut all = said.iter().flat_map(|features| &features.words);
    if !claim.negations.is_empty() || all.any(whole) {
        return None;
    }
    let signs = |root: &str| {
        let same = said
            .iter()
            .flat_map(|features| &features.words)
            .filter(|it| it.root == root);
        same.fold((false, false), |(yes, no), it| {
            (yes || !it.denied, no || it.denied)
        })
    };
    let granted = claim.content().any(|(_, word)| signs(&word.root).0);
    let counted = |at: &usize| claim.amounts.iter().any(|it| it.words.contains(at));
    let mut denied = claim
        .content()
        .filter(|(at, _)| !counted(at))
        .filter(|(_, word)| signs(&word.root) == (false, true));
    denied
        .next()
        .filter(|_| granted)
        .map(|(_, word)| word.span.clone())
}
