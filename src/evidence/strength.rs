//! What a claim made stronger than its evidence: hedges and plans left out.

use std::ops::Range;

use crate::evidence::limits::{bounded, condition, widened};
use crate::evidence::scope::narrowed;
use crate::features::{Features, Mark, MarkKind};

/// In what a claim goes further than its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Loss {
    /// The bytes of the claim that do.
    pub(crate) words: Vec<Range<usize>>,
    pub(crate) because: &'static str,
    /// Whether it stands even where the evidence has another verb.
    pub(crate) any_verb: bool,
}

/// In what the claim goes further than these sentences; `core` are those that come nearest to it.
pub(crate) fn stretched(
    claim: &Features,
    said: &[&Features],
    core: &[&Features],
    tool: bool,
) -> Option<Loss> {
    // A tool reports what is; only people and pages propose and doubt.
    let mut losses = LOSSES.iter().filter(|_| !tool);
    losses
        .find_map(|loss| loss(claim, core))
        .or_else(|| narrowed(claim, core))
        .or_else(|| bounded(claim, core))
        .or_else(|| widened(claim, said))
}

type Judge = fn(&Features, &[&Features]) -> Option<Loss>;

const LOSSES: &[Judge] = &[hedged, proposed, doubted, planned, condition];

/// Whether a mark of this kind governs what the claim takes up: it stands in a clause that has a
/// word of the claim, or right before one.
fn governs(claim: &Features, said: &[&Features], kind: MarkKind) -> bool {
    said.iter().any(|features| {
        let shared = |clause: usize| {
            features.content().any(|(_, word)| {
                word.clause == clause && claim.words.iter().any(|ours| ours.root == word.root)
            })
        };
        let clause = |mark: &Mark| features.words.get(mark.word).map_or(0, |word| word.clause);
        let near = |at: usize| {
            shared(at) || shared(at + 1) || (kind == MarkKind::Doubted && at > 0 && shared(at - 1))
        };
        features
            .marks
            .iter()
            .filter(|mark| mark.kind == kind)
            .any(|mark| near(clause(mark)))
    })
}

/// The word that says what the claim says of its subject, as far as that can be told without
/// grammar: the first content word behind an auxiliary, else the second one.
pub(crate) fn predicate(claim: &Features) -> Vec<Range<usize>> {
    let auxiliary = claim
        .words
        .iter()
        .position(|word| AUXILIARIES.contains(&word.lower.as_str()));
    let mut content = claim
        .content()
        .filter(|(at, _)| auxiliary.is_none_or(|auxiliary| *at > auxiliary));
    let first = content.next();
    let pick = if auxiliary.is_some() {
        first
    } else {
        content.next().or(first)
    };
    pick.map(|(_, word)| word.span.clone())
        .into_iter()
        .collect()
}

const AUXILIARIES: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "had", "been", "can", "will",
];

/// Words of a claim that already say that nothing is settled.
const OPEN: &[&str] = &[
    "consider", "propose", "plan", "idea", "thought", "think", "wish", "want", "enjoy", "doubt",
    "ask", "request", "probable", "expect", "hop", "may", "pending", "suggest", "undecid",
    "suspect", "assum", "guess", "would", "could", "might", "tell", "agree", "refuse",
];

pub(crate) fn is_open(claim: &Features) -> bool {
    let open = |word: &str| OPEN.contains(&word);
    claim.has(MarkKind::Proposed)
        || claim.has(MarkKind::Doubted)
        || claim
            .words
            .iter()
            .any(|word| open(&word.root) || open(&word.stem))
}

/// A verb of the claim that stands behind `could`, `might`, `would` in the source.
fn hedged(claim: &Features, said: &[&Features]) -> Option<Loss> {
    const HEDGES: &[&str] = &["could", "might", "would", "may", "should"];
    let hedge = |features: &Features, at: usize| {
        let word = |back: usize| at.checked_sub(back).and_then(|at| features.words.get(at));
        (1..=2)
            .filter_map(word)
            .any(|word| HEDGES.contains(&word.lower.as_str()))
    };
    if claim
        .words
        .iter()
        .any(|word| HEDGES.contains(&word.lower.as_str()))
    {
        return None;
    }
    let told = claim
        .words
        .iter()
        .filter(|word| word.lower.ends_with("ed") && word.lower != word.stem)
        .filter(|word| !matches!(word.root.as_str(), "propose" | "suggest" | "recommend"));
    let mut told = told.filter(|word| {
        let all = said.iter().flat_map(|features| {
            features
                .words
                .iter()
                .enumerate()
                .map(move |it| (*features, it))
        });
        let mut same = all.filter(|(_, (_, it))| it.root == word.root).peekable();
        same.peek().is_some() && same.all(|(features, (at, _))| hedge(features, at))
    });
    told.next().map(|word| Loss {
        words: vec![word.span.clone()],
        because: "the source says only that it could be",
        any_verb: true,
    })
}

fn proposed(claim: &Features, said: &[&Features]) -> Option<Loss> {
    let lost = governs(claim, said, MarkKind::Proposed) && !is_open(claim);
    lost.then(|| Loss {
        words: predicate(claim),
        because: "it is proposed or asked for there, and told as settled here",
        any_verb: true,
    })
}

fn doubted(claim: &Features, said: &[&Features]) -> Option<Loss> {
    let lost = governs(claim, said, MarkKind::Doubted) && !is_open(claim);
    lost.then(|| Loss {
        words: predicate(claim),
        because: "the source is not sure",
        any_verb: true,
    })
}

fn planned(claim: &Features, said: &[&Features]) -> Option<Loss> {
    if !claim.negations.is_empty() {
        return None;
    }
    let past = |word: &str| matches!(word, "was" | "were" | "has" | "have" | "had" | "been");
    let done = claim
        .words
        .iter()
        .any(|word| past(&word.lower) || (word.lower.ends_with("ed") && word.lower != word.stem));
    let tells = claim
        .words
        .iter()
        .any(|word| word.root == "tell" || word.root == "agree");
    let ahead = [MarkKind::Planned, MarkKind::Should, MarkKind::Must]
        .into_iter()
        .any(|kind| governs(claim, said, kind) && !claim.has(kind));
    let lost = is_order(claim, said)
        || (ahead
            && done
            && !tells
            && !is_open(claim)
            && !claim.has(MarkKind::Planned)
            && !claim.has(MarkKind::Must));
    lost.then(|| Loss {
        words: predicate(claim),
        because: "it is still to come there, and told as done here",
        any_verb: false,
    })
}

/// Whether the claim tells as done what the source only names: `was charged` and `charge it`.
fn is_order(claim: &Features, said: &[&Features]) -> bool {
    let past = |word: &crate::features::Word| {
        word.lower != word.stem
            && !word.lower.ends_with('s')
            && !word.lower.ends_with("ing")
            && word.lower != format!("{}e", word.stem)
    };
    let told = claim.content().filter(|(at, word)| {
        past(word)
            && at
                .checked_sub(1)
                .and_then(|at| claim.words.get(at))
                .is_some_and(|before| {
                    matches!(
                        before.lower.as_str(),
                        "was" | "were" | "been" | "has" | "have" | "had"
                    )
                })
    });
    let mut told = told.map(|(_, word)| word).peekable();
    told.peek().is_some()
        && told.all(|word| {
            let mut same = said
                .iter()
                .flat_map(|features| &features.words)
                .filter(|it| it.root == word.root)
                .peekable();
            same.peek().is_some() && same.all(|it| !past(it))
        })
}
