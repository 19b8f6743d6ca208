//! The stretch of an item that comes nearest to a claim, and what it says about it.

use std::ops::Range;

use crate::domain::Trust;
use crate::evidence::backing::is_tool;
use crate::evidence::denial::{COUNTER, denies, taken_back};
use crate::evidence::kinds::is_apart;
use crate::evidence::matched::{CLOSE, Ground, Matched};
use crate::evidence::reading::Sentence;
use crate::evidence::scope::unlimited;
use crate::evidence::sign::turned;
use crate::evidence::strength;
use crate::evidence::stretches::stretches;
use crate::features::{Features, MarkKind};

/// What a stretch says about the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    All,
    Weaker,
    Denies,
    Silent,
}

/// The nearest stretch of one item.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) says: Says,
    /// Bytes of the item.
    pub(crate) range: Range<usize>,
    /// The share of the claim's content that it has.
    pub(crate) coverage: f64,
    /// Bytes of the claim that it does not back.
    pub(crate) words: Vec<Range<usize>>,
    pub(crate) because: &'static str,
    /// Whether one sentence alone has nearly every word and another value.
    settled: bool,
}

impl Found {
    pub(crate) fn quoted(
        says: Says,
        range: Range<usize>,
        words: Vec<Range<usize>>,
        coverage: f64,
        because: &'static str,
    ) -> Self {
        Self {
            says,
            range,
            coverage,
            words,
            because,
            settled: true,
        }
    }

    /// The same stretch, made to say something else.
    pub(crate) fn turned(
        self,
        says: Says,
        words: Vec<Range<usize>>,
        because: &'static str,
    ) -> Self {
        Self {
            says,
            words,
            because,
            ..self
        }
    }

    pub(crate) fn covers_all(&self) -> bool {
        self.coverage > 0.99
    }
}

/// How much of the claim a stretch must have to say anything about it.
const NEAR: f64 = 0.5;

/// The nearest stretch of an item: one sentence, two that follow each other, or the whole of it.
pub(crate) fn best(claim: &Features, ground: Ground<'_>) -> Option<Found> {
    let (stretches, row) = stretches(claim, ground);
    let ground = Ground { row, ..ground };
    let looked = stretches
        .iter()
        .filter_map(|stretch| look(claim, stretch, ground));
    looked.max_by(|one, other| rank(one).total_cmp(&rank(other)))
}

fn rank(found: &Found) -> f64 {
    let says = match found.says {
        Says::All => 0.3,
        Says::Denies if found.settled => 0.9,
        Says::Denies | Says::Weaker => 0.1,
        Says::Silent => 0.0,
    };
    found.coverage + says - 1e-6 * found.range.len() as f64
}

fn look(claim: &Features, stretch: &[&Sentence], ground: Ground<'_>) -> Option<Found> {
    let (first, last) = (stretch.first()?, stretch.last()?);
    let matched = Matched::new(claim, stretch, ground);
    let core = stretch.get(matched.core)?;
    let (says, words, because) = verdict(claim, stretch, &matched, core, ground);
    let alone = stretch.len() == 1 && matched.missing.len() < 2 && matched.coverage() >= CLOSE;
    Some(Found {
        says,
        range: first.range.start..last.range.end,
        coverage: matched.coverage(),
        words,
        because,
        settled: alone || because == COUNTER,
    })
}

type Verdict = (Says, Vec<Range<usize>>, &'static str);

fn verdict(
    claim: &Features,
    stretch: &[&Sentence],
    matched: &Matched,
    core: &Sentence,
    ground: Ground<'_>,
) -> Verdict {
    let lacking = || matched.lacking();
    let holds = matched.holds();
    if matched.coverage() < NEAR || matched.direct == 0 {
        return (Says::Silent, lacking(), "it speaks of something else");
    }
    if let Some(asked) = asked(claim, matched, core, ground) {
        return asked;
    }
    if let Some(subject) = matched
        .another
        .clone()
        .filter(|_| matched.missing.is_empty() && matched.soft == 0)
    {
        return (Says::Denies, vec![subject], "it says so of another one");
    }
    if !matched.on_topic {
        return (Says::Silent, lacking(), "it says so of something else");
    }
    if let Some(words) = taken_back(claim, stretch, matched) {
        return (Says::Denies, words, "the next sentence takes it back");
    }
    let said: Vec<&Features> = stretch.iter().map(|sentence| &sentence.features).collect();
    let tool = is_tool(ground.reading);
    if let Some((words, because)) =
        denies(claim, &said, &core.features, matched, tool).filter(|_| matched.soft < 2)
    {
        return (Says::Denies, words, because);
    }
    let plain = ground.reading.trust == Trust::Tool;
    let bearing = said
        .iter()
        .zip(&matched.bearing)
        .filter(|(_, bears)| **bears || plain);
    let around: Vec<&Features> = bearing.map(|(features, _)| *features).collect();
    let lost = strength::stretched(claim, &said, &around, plain)
        .or_else(|| unlimited(claim, stretch, ground));
    match lost {
        Some(loss) if holds || is_weaker(claim, matched, &loss, ground) => {
            (Says::Weaker, loss.words, loss.because)
        }
        None if holds && turned(claim, &said) => (
            Says::Silent,
            strength::predicate(claim),
            "it only denies that",
        ),
        None if holds && is_apart(claim, stretch, matched) => (
            Says::Silent,
            strength::predicate(claim),
            "it says so of another case",
        ),
        None if holds => (Says::All, Vec::new(), "it says so"),
        _ => (Says::Silent, lacking(), "it does not say all of it"),
    }
}

/// What a question says: the claim in a weaker form, or nothing.
fn asked(
    claim: &Features,
    matched: &Matched,
    core: &Sentence,
    ground: Ground<'_>,
) -> Option<Verdict> {
    if claim.question.is_some() {
        return None;
    }
    let because = "it is only asked there";
    let holds = matched.holds();
    if core.asks() && !ground.attribution.any {
        return Some(match holds {
            true => (Says::Weaker, strength::predicate(claim), because),
            false => (Says::Silent, matched.lacking(), because),
        });
    }
    let embedded = core.is_embedded() && holds && !strength::is_open(claim);
    embedded.then(|| (Says::Silent, strength::predicate(claim), because))
}

/// Whether a stretch that lacks at most one word says a weaker form of the claim.
fn is_weaker(
    claim: &Features,
    matched: &Matched,
    loss: &strength::Loss,
    ground: Ground<'_>,
) -> bool {
    let quantified = |span: &Range<usize>| {
        let mut wide = claim
            .marks
            .iter()
            .filter(|mark| matches!(mark.kind, MarkKind::All | MarkKind::Some));
        wide.any(|mark| {
            claim
                .words
                .get(mark.word + 1)
                .is_some_and(|word| word.span == *span)
        })
    };
    let predicate = strength::predicate(claim);
    let told =
        ground.attribution.any || !matched.missing.iter().any(|span| predicate.contains(span));
    let lost = matched
        .missing
        .iter()
        .filter(|span| !quantified(span))
        .count();
    lost < 2 && (told || loss.any_verb) && matched.open.is_empty() && matched.coverage() >= CLOSE
}
