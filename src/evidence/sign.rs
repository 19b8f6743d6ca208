//! Whether claim and evidence agree in what they deny, once they agree in words.

use crate::evidence::quantity::equal;
use crate::features::{Features, MarkKind, Word};

/// Whether the texts have the same words, and one denies what the other says.
pub(crate) fn turned(claim: &Features, said: &[&Features]) -> bool {
    values_turned(claim, said)
        || if claim.negations.is_empty() {
            only_denied(claim, said)
        } else {
            !says_no(claim, said)
        }
}

/// A word of the claim that the evidence only denies.
fn only_denied(claim: &Features, said: &[&Features]) -> bool {
    let words = || said.iter().flat_map(|features| &features.words);
    claim.content().any(|(_, word)| {
        let mut same = words().filter(|it| it.root == word.root).peekable();
        same.peek().is_some() && same.all(|it| it.denied)
    })
}

/// Words that deny without a small word for it.
const NO: &[&str] = &[
    "lack",
    "refuse",
    "reject",
    "stop",
    "fail",
    "empty",
    "clear",
    "forbid",
    "miss",
    "skip",
    "avoid",
    "close",
    "disable",
    "unable",
    "impossible",
    "against",
    "leave_alone",
    "different",
    "outside",
    "wait",
    "pending",
    "drop",
    "delete",
];

/// Whether a denial of the claim stands on one of the evidence, or on a word that says no.
fn says_no(claim: &Features, said: &[&Features]) -> bool {
    let no = |word: &Word| {
        NO.contains(&word.root.as_str())
            || word.lower.starts_with("un")
            || word.lower.ends_with("less")
            || matches!(word.lower.as_str(), "owe" | "still" | "yet" | "too")
    };
    let other_side = |features: &Features| {
        features.poles.iter().any(|theirs| {
            claim
                .poles
                .iter()
                .any(|ours| ours.axis == theirs.axis && ours.side != theirs.side && ours.denied)
        })
    };
    let zero = |features: &Features| features.amounts.iter().any(|it| it.value == 0.0);
    said.iter().any(|features| {
        !features.negations.is_empty()
            || features.has(MarkKind::Only)
            || features.has(MarkKind::Condition)
            || features.words.iter().any(no)
            || other_side(features)
            || zero(features)
    })
}

/// A number or a time that one says and the other denies: `at nine, not at ten`.
fn values_turned(claim: &Features, said: &[&Features]) -> bool {
    let denied = |features: &Features, start: usize| {
        let mut words = features.words.iter();
        words.any(|word| word.span.start == start && word.denied)
    };
    let moments = claim.moments.iter().any(|ours| {
        let same = said.iter().flat_map(|features| {
            let all = features.moments.iter().map(move |it| (*features, it));
            all.filter(|(_, it)| it.meets(ours) && it.agrees(ours))
        });
        let mut same = same.peekable();
        let sign = denied(claim, ours.span.start);
        ours.minute.is_some()
            && same.peek().is_some()
            && same.all(|(features, it)| denied(features, it.span.start) != sign)
    });
    let part = |features: &Features| {
        features.amounts.windows(2).any(|pair| {
            let [one, two] = pair else { return false };
            let of = features
                .words
                .get(one.words.end)
                .is_some_and(|word| word.lower == "of");
            // `40 of 52 questions` says nothing of all 52.
            of && one.words.end + 1 == two.words.start
                && one.value < two.value
                && claim.amounts.iter().any(|ours| equal(ours, two))
                && claim.amounts.iter().all(|ours| !equal(ours, one))
        })
    };
    moments || (claim.negations.is_empty() && said.iter().any(|features| part(features)))
}
