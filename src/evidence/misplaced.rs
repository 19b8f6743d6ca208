//! Values that the evidence gives, but to something else than the claim does.

use std::ops::Range;

use crate::evidence::quantity::equal;
use crate::features::{Amount, Features, Moment, Unit, Word};

/// An amount of the claim that the sentence gives to something else, while another amount stands
/// with what the claim speaks of: `admission is 9 euros, 5 euros for students`.
pub(crate) fn misplaced(claim: &Features, core: &Features) -> Option<Range<usize>> {
    let clause = |amount: &Amount| core.words.get(amount.words.start).map(|word| word.clause);
    let ours: Vec<&Word> = claim.content().map(|(_, word)| word).collect();
    let stands = |word: &Word, clause: Option<usize>| {
        core.words
            .iter()
            .any(|it| it.root == word.root && Some(it.clause) == clause)
    };
    claim
        .amounts
        .iter()
        .filter(|wanted| wanted.label.is_none() && !wanted.ordinal && !wanted.weak)
        .find_map(|wanted| {
            let here = core.amounts.iter().find(|it| equal(wanted, it))?;
            let there = core.amounts.iter().find(|it| {
                let kind = it.unit == here.unit
                    || (it.unit == Unit::None && it.noun.is_none() && it.label.is_none())
                    || here.unit == Unit::None;
                kind && clause(it) != clause(here)
                    && !it.weak
                    && !it.ordinal
                    && claim.amounts.iter().all(|ours| !equal(ours, it))
            })?;
            let inside = |word: &Word| {
                claim
                    .amounts
                    .iter()
                    .any(|it| it.span.start <= word.span.start && word.span.end <= it.span.end)
            };
            let only = |one: Option<usize>, other: Option<usize>| {
                ours.iter().any(|word| {
                    !inside(word)
                        && !matches!(word.root.as_str(), "price" | "pay")
                        && stands(word, one)
                        && !stands(word, other)
                })
            };
            // A later clause takes over from an earlier one what it does not say itself.
            let earlier = clause(here) < clause(there);
            let held = claim.amounts.iter().any(|other| {
                other != wanted
                    && core
                        .amounts
                        .iter()
                        .any(|it| equal(other, it) && clause(it) == clause(here))
            });
            let taken = only(clause(there), clause(here))
                && (earlier || !(held || only(clause(here), clause(there))));
            taken.then(|| wanted.span.clone())
        })
}

/// A moment of the claim that the sentence gives to another one: `to 6 pm, on Saturdays to noon`.
pub(crate) fn mistimed(claim: &Features, core: &Features) -> Option<Range<usize>> {
    let clause = |moment: &Moment| {
        let word = core
            .words
            .iter()
            .find(|word| word.span.start >= moment.span.start);
        word.map(|word| word.clause)
    };
    // `On Saturdays until noon`: `until` opens a clause of its own.
    let near = |it: &Moment, there: &Moment| {
        let after = it.span.start > there.span.start;
        clause(it) == clause(there) || (after && clause(it) == clause(there).map(|at| at + 1))
    };
    let same = |wanted: &Moment, it: &Moment| wanted.meets(it) && wanted.agrees(it);
    claim.moments.iter().find_map(|anchor| {
        let there = core.moments.iter().find(|it| same(anchor, it))?;
        let beside = |wanted: &&Moment| {
            let rivals = core
                .moments
                .iter()
                .filter(|it| near(it, there) && !same(anchor, it) && wanted.meets(it));
            let mut rivals = rivals.peekable();
            rivals.peek().is_some() && rivals.all(|it| !wanted.agrees(it))
        };
        let mut others = claim.moments.iter().filter(|wanted| *wanted != anchor);
        others.find(beside).map(|it| it.span.clone())
    })
}

/// A count in a tool's output that says otherwise of a word of the claim: `0 revoked`.
pub(crate) fn miscounted(claim: &Features, said: &[&Features]) -> Option<Range<usize>> {
    let amounts = said.iter().flat_map(|features| &features.amounts);
    amounts
        .filter(|it| it.unit == Unit::None && !it.weak)
        .find_map(|it| {
            let noun = it.noun.as_ref()?;
            let word = claim
                .words
                .iter()
                .find(|word| word.root == *noun && !word.denied)?;
            let count = claim
                .amounts
                .iter()
                .find(|ours| ours.unit == Unit::None && !ours.weak && ours.label.is_none())?;
            let ours = count.noun.as_ref() != Some(noun)
                && claim.amounts.iter().all(|ours| !ours.agrees(it));
            ours.then(|| count.span.start.min(word.span.start)..count.span.end)
        })
}

/// What the claim denies and a tool counts: `without errors`, where it says `errors 4`.
pub(crate) fn counted_against(claim: &Features, said: &[&Features]) -> Option<Range<usize>> {
    let amounts = said.iter().flat_map(|features| &features.amounts);
    let mut counted = amounts
        .filter(|it| it.unit == Unit::None && it.value > 0.0)
        .flat_map(|it| [&it.noun, &it.label])
        .flatten();
    let at = |word: &Word| {
        let place = claim.words.iter().position(|it| it == word);
        place.unwrap_or(usize::MAX)
    };
    let plain = |it: &&Amount| it.label.is_none();
    let labelled = claim.amounts.iter().filter(|it| !plain(it)).count();
    if labelled > 0 {
        return None;
    }
    let denied = |name: &String| {
        let mut words = claim.words.iter();
        words.find(|word| {
            let right_behind = claim
                .negations
                .iter()
                .any(|it| it.scope.start <= at(word) && at(word) < it.scope.start + 2);
            right_behind && (word.root == *name || word.stem == *name)
        })
    };
    counted.find_map(denied).map(|word| word.span.clone())
}

/// Words for a place in an order.
const RANKS: &[&str] = &["first", "last", "second", "third", "final", "next"];

/// A place in an order that the sentence gives to another of the things the claim ranks.
pub(crate) fn misranked(claim: &Features, core: &Features) -> Option<Range<usize>> {
    let rank = |word: &Word| RANKS.contains(&word.lower.as_str());
    // The thing that stands before a rank in its clause.
    let holder = |features: &Features, at: usize| {
        let clause = features.words.get(at).map(|word| word.clause);
        let before = features.content().filter(|(place, word)| {
            *place < at && Some(word.clause) == clause && !rank(word) && !is_light(word)
        });
        before.last().map(|(_, word)| word.root.clone())
    };
    let ranked = |features: &Features| -> Vec<(String, String, Range<usize>)> {
        let words = features.words.iter().enumerate();
        let ranks = words.filter(|(_, word)| rank(word));
        ranks
            .filter_map(|(at, word)| {
                Some((holder(features, at)?, word.lower.clone(), word.span.clone()))
            })
            .collect()
    };
    let theirs = ranked(core);
    ranked(claim).into_iter().find_map(|(thing, place, span)| {
        let mut same = theirs
            .iter()
            .filter(|(other, ..)| *other == thing)
            .peekable();
        let moved = same.peek().is_some() && same.all(|(_, other, _)| *other != place);
        let taken = theirs
            .iter()
            .any(|(other, at, _)| *at == place && *other != thing);
        (moved && taken).then_some(span)
    })
}

fn is_light(word: &Word) -> bool {
    matches!(word.stem.as_str(), "go" | "come" | "be" | "get")
}
