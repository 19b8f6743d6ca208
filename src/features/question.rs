//! Whether a text asks.

use std::ops::Range;

use crate::features::words::Word;

const ASKING: &[&str] = &[
    "what", "which", "who", "whom", "whose", "where", "when", "why", "how",
];

const INVERTING: &[&str] = &[
    "is", "are", "was", "were", "do", "does", "did", "can", "could", "will", "would", "shall",
    "should", "may", "has", "have", "am", "must",
];

const SUBJECTS: &[&str] = &[
    "i",
    "you",
    "we",
    "they",
    "he",
    "she",
    "it",
    "the",
    "a",
    "an",
    "there",
    "this",
    "that",
    "these",
    "those",
    "my",
    "our",
    "your",
    "any",
    "anyone",
    "anybody",
    "someone",
    "one",
    "customers",
    "people",
    "stored",
];

/// What reports that somebody asks.
const REPORTED: &[&[&str]] = &[
    &["wants", "to", "know"],
    &["want", "to", "know"],
    &["asks", "whether"],
    &["asked", "whether"],
    &["asks", "if"],
    &["asked", "if"],
    &["yes", "or", "no"],
    &["wonders", "whether"],
    &["wonders", "if"],
    &["asks", "how"],
    &["asked", "how"],
    &["is", "asking"],
];

/// The question a text asks, if its last sentence is one: the bytes of what shows it.
pub(crate) fn question(text: &str, words: &[Word]) -> Option<Range<usize>> {
    let last = words.last()?;
    let closed = text.trim_end().trim_end_matches(['"', '\'', ')', '”', '*']);
    let mark = closed.ends_with(['?', '？']);
    if mark {
        return Some(last.span.clone());
    }
    let opening = words
        .iter()
        .enumerate()
        .filter(|(_, word)| word.sentence == last.sentence && word.opens);
    for (at, word) in opening {
        if asks(words, at) {
            return Some(word.span.clone());
        }
    }
    let reported = words.iter().enumerate().find(|(at, _)| {
        REPORTED.iter().any(|phrase| {
            phrase.iter().enumerate().all(|(ahead, lower)| {
                words
                    .get(at + ahead)
                    .is_some_and(|word| word.lower == *lower)
            })
        })
    });
    reported.map(|(_, word)| word.span.clone())
}

/// Whether a clause that opens here is built as a question.
fn asks(words: &[Word], at: usize) -> bool {
    let lower = |ahead: usize| words.get(at + ahead).map_or("", |word| word.lower.as_str());
    let inverted =
        |ahead: usize| INVERTING.contains(&lower(ahead)) && SUBJECTS.contains(&lower(ahead + 1));
    let first = words.get(at).is_some_and(|word| word.first);
    let by_word = ASKING.contains(&lower(0))
        && (1..5).any(inverted)
        && !(lower(0) == "when" || lower(0) == "who" && !first);
    // `do the laundry` is an order; `does the shop open` is a question.
    let order = lower(0) == "do" && !matches!(lower(1), "you" | "we" | "they" | "i");
    by_word || (first && inverted(0) && !order && words.len() > at + 2)
}
