//! Words between quotation marks: they have to stand in the evidence as they are.

use std::ops::Range;

use crate::evidence::reading::Reading;
use crate::evidence::window::{Found, Says};
use crate::text::folded::key;

/// The bytes between the quotation marks of a claim, if it quotes at least three words.
pub(crate) fn quoted(claim: &str) -> Option<Range<usize>> {
    let marks = ['"', '“', '”', '„', '«', '»'];
    let start = claim.find(marks)?;
    let start = start + claim.get(start..)?.chars().next()?.len_utf8();
    let length = claim.get(start..)?.find(marks)?;
    let range = start..start + length;
    let words = claim.get(range.clone())?.split_whitespace().count();
    (words > 2).then_some(range)
}

/// What an item makes of a quotation.
pub(crate) fn find(claim: &str, range: &Range<usize>, reading: &Reading) -> Option<Found> {
    let quote = claim.get(range.clone())?;
    let wanted = key(quote);
    let whole = reading.sentences.first()?.range.start..reading.sentences.last()?.range.end;
    if reading.folded.contains(&wanted) {
        return Some(Found::quoted(
            Says::All,
            whole,
            Vec::new(),
            1.0,
            "the words stand there as quoted",
        ));
    }
    let said: Vec<&str> = reading.folded.split_whitespace().map(bare).collect();
    let missing = wanted
        .split_whitespace()
        .map(bare)
        .filter(|word| !said.contains(word))
        .count();
    let of = wanted.split_whitespace().count();
    match missing {
        0 => Some(Found::quoted(
            Says::Denies,
            whole,
            vec![range.clone()],
            1.0,
            "the same words stand there in another order",
        )),
        _ => Some(Found::quoted(
            Says::Silent,
            whole,
            vec![altered(quote, range.start, &said)],
            1.0 - missing as f64 / of as f64,
            "the quoted words do not stand there",
        )),
    }
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The quotation from its first clause on that holds a word that was never said.
fn altered(quote: &str, start: usize, said: &[&str]) -> Range<usize> {
    let mut from = 0;
    for clause in quote.split_inclusive([',', ';', '.']) {
        let folded = key(clause);
        let strange = folded
            .split_whitespace()
            .map(bare)
            .any(|word| !word.is_empty() && !said.contains(&word));
        if strange {
            let lead = clause.len() - clause.trim_start().len();
            return start + from + lead..start + quote.len();
        }
        from += clause.len();
    }
    start..start + quote.len()
}
