//! Words that name one person, place, product or thing.

use std::ops::Range;

use crate::features::chunk::Shape;
use crate::features::small::is_small;
use crate::features::words::Word;

/// A proper name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// In lower case.
    pub lower: String,
    /// Whether its spelling shows it: a capital inside a sentence, an acronym, a capital that
    /// comes back. A capital at the start of a sentence alone does not.
    pub sure: bool,
    /// Its bytes in the raw text.
    pub span: Range<usize>,
    /// Its place among the words.
    pub word: usize,
}

/// Acronyms and capitals that name no one thing.
const COMMON: &[&str] = &[
    "i", "ok", "id", "faq", "todo", "vs", "eur", "usd", "gbp", "chf", "am", "pm", "asap", "fyi",
    "mr", "ms", "mrs", "dr", "prof", "miss", "it", "hi", "hello", "morning", "thanks", "please",
    "yes", "no", "net", "vat", "ci", "pr",
];

/// The names among the words.
pub(crate) fn names(words: &[Word]) -> Vec<Name> {
    let mut out = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let capital = matches!(word.shape, Shape::Capital | Shape::Upper);
        let dated = crate::features::calendar::weekday(word).is_some()
            || crate::features::calendar::month(word).is_some();
        if !capital
            || dated
            || COMMON.contains(&word.lower.as_str())
            || (is_small(&word.lower) && word.shape == Shape::Capital)
        {
            continue;
        }
        let titled = at
            .checked_sub(1)
            .and_then(|before| words.get(before))
            .is_some_and(|before| {
                matches!(
                    before.lower.as_str(),
                    "mr" | "ms" | "mrs" | "dr" | "mr." | "ms." | "mrs." | "dr."
                )
            });
        let sure = !word.first || word.shape == Shape::Upper || titled;
        out.push(Name {
            lower: word.lower.clone(),
            sure,
            span: word.span.clone(),
            word: at,
        });
    }
    let sure: std::collections::HashSet<String> = out
        .iter()
        .filter(|name| name.sure)
        .map(|name| name.lower.clone())
        .collect();
    for name in &mut out {
        name.sure |= sure.contains(&name.lower);
    }
    // All letters large is shouting, not names.
    let shouted = words
        .iter()
        .filter(|word| word.shape == Shape::Upper)
        .count()
        * 2
        > words.len().max(5);
    if shouted { Vec::new() } else { out }
}
