//! Whether sources back a claim, as a whole: supported, overstated, contradicted or unsupported.
//!
//! Every item is read for itself, then the highest trust decides, at equal trust the later item.
//! In doubt the answer is `Unsupported`: a person looks.

use std::ops::Range;

use crate::domain::{Backing as Answer, Trust};
use crate::evidence::matched::Ground;
use crate::evidence::quote;
use crate::evidence::reading::Reading;
use crate::evidence::said::Attribution;
use crate::evidence::window::{self, Found, Says};
use crate::features;

/// One piece of evidence, among others in order of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item<'a> {
    pub text: &'a str,
    pub trust: Trust,
    /// Whether a person speaks, signed in or not; an assistant, a page and a tool are none.
    pub person: bool,
    /// Who speaks, where that is known from elsewhere than the text.
    pub speaker: Option<&'a str>,
}

/// The answer and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weighing {
    pub answer: Answer,
    /// Bytes of the claim that nothing backs, or that were made stronger; empty if supported.
    pub unsupported_words: Vec<Range<usize>>,
    /// Items with the bytes that back the claim, or the part of it that holds.
    pub supporting: Vec<(usize, Range<usize>)>,
    /// Items with the bytes that deny it.
    pub contradicting: Vec<(usize, Range<usize>)>,
    /// One sentence.
    pub because: String,
    /// The lowest trust among what supports it.
    pub minimum_trust: Option<Trust>,
}

/// Weighs a claim against items in order of time.
#[must_use]
pub fn weigh(claim: &str, items: &[Item<'_>]) -> Weighing {
    let readings: Vec<Reading> = items.iter().map(Reading::new).collect();
    let wanted = features::of(claim);
    let attribution = Attribution::of(&wanted, &readings);
    let quote = quote::quoted(claim);
    let read = |(at, reading): (usize, &Reading)| {
        let found = match &quote {
            Some(range) => quote::find(claim, range, reading),
            None => {
                let elsewhere = elsewhere(&readings, at);
                window::best(
                    &wanted,
                    Ground {
                        reading,
                        attribution: &attribution,
                        claim,
                        row: false,
                        elsewhere: &elsewhere,
                    },
                )
            }
        };
        Some((at, attribution.heard(at, reading, found?)))
    };
    let found: Vec<(usize, Found)> = readings.iter().enumerate().filter_map(read).collect();
    let telling = found.iter().filter(|(_, found)| found.says != Says::Silent);
    let deciding = telling.max_by_key(|(at, found)| {
        (
            items.get(*at).map(|item| item.trust),
            found.says == Says::Denies || found.covers_all(),
            *at,
        )
    });
    match deciding {
        Some((at, deciding)) => answered(deciding.says, *at, deciding, &found, items),
        None => silent(claim, &found, items, &attribution, quote.is_some()),
    }
}

/// All other items.
fn elsewhere(readings: &[Reading], at: usize) -> Vec<&Reading> {
    readings
        .iter()
        .enumerate()
        .filter(|(place, _)| *place != at)
        .map(|(_, reading)| reading)
        .collect()
}

fn answered(
    says: Says,
    at: usize,
    deciding: &Found,
    found: &[(usize, Found)],
    items: &[Item<'_>],
) -> Weighing {
    let answer = match says {
        Says::All => Answer::Supported,
        Says::Weaker => Answer::Overstated,
        Says::Denies => Answer::Contradicted,
        Says::Silent => Answer::Unsupported,
    };
    let mut supporting: Vec<(usize, Range<usize>)> = Vec::new();
    let mut contradicting = Vec::new();
    for (place, other) in found {
        let same = other.says == says || (says == Says::All && other.says == Says::All);
        match (same, says) {
            (true, Says::Denies) => contradicting.push((*place, other.range.clone())),
            (true, Says::All | Says::Weaker) => supporting.push((*place, other.range.clone())),
            _ => {}
        }
    }
    let minimum_trust = lowest(&supporting, items);
    Weighing {
        answer,
        unsupported_words: deciding.words.clone(),
        supporting,
        contradicting,
        because: format!("item {}: {}", at + 1, deciding.because),
        minimum_trust,
    }
}

fn silent(
    claim: &str,
    found: &[(usize, Found)],
    items: &[Item<'_>],
    attribution: &Attribution,
    quote: bool,
) -> Weighing {
    let best = found
        .iter()
        .max_by(|(_, one), (_, other)| one.coverage.total_cmp(&other.coverage));
    let supporting: Vec<_> = best
        .filter(|(_, found)| found.coverage > 0.6 && !attribution.any)
        .map(|(at, found)| (*at, found.range.clone()))
        .into_iter()
        .collect();
    let whole = claim.trim();
    let start = claim.len() - claim.trim_start().len();
    let words = match (best, &attribution.span) {
        (Some((_, found)), Some(_)) if quote && !found.words.is_empty() => found.words.clone(),
        (_, Some(span)) => vec![span.clone()],
        (Some((_, found)), None) if !found.words.is_empty() => found.words.clone(),
        _ if whole.is_empty() => Vec::new(),
        _ => vec![Range {
            start,
            end: start + whole.len(),
        }],
    };
    let because = match (&attribution.span, best) {
        (Some(_), _) => "no words of the person it names say so".to_owned(),
        (None, Some(_)) => "no source says all of it".to_owned(),
        (None, None) => "no source speaks of it".to_owned(),
    };
    Weighing {
        answer: Answer::Unsupported,
        unsupported_words: words,
        minimum_trust: lowest(&supporting, items),
        supporting,
        contradicting: Vec::new(),
        because,
    }
}

fn lowest(supporting: &[(usize, Range<usize>)], items: &[Item<'_>]) -> Option<Trust> {
    supporting
        .iter()
        .filter_map(|(at, _)| items.get(*at))
        .map(|item| item.trust)
        .min()
}
