//! Words and turns of phrase that say the same in general and business English.
//!
//! A line is one meaning: its head, then the others. A phrase is written with `_`. Written for the
//! language, not for any text; what means two things stands in no line or in its usual one.

use std::sync::LazyLock;

use crate::features::kin_table::KIN;
use crate::features::stem::stem;
use crate::features::table::Table;
use crate::features::words::Word;

/// A turn of phrase: its stems behind the first, and the head of its meaning.
type Phrase = (Vec<String>, &'static str);

static ROOTS: LazyLock<Table<String, &'static str>> = LazyLock::new(|| {
    let words = lines().flat_map(|(head, words)| words.into_iter().map(move |word| (word, head)));
    let mut roots = Table::default();
    for (word, head) in words.filter(|(word, _)| !word.contains('_')) {
        roots.entry(stem(word)).or_insert(head);
    }
    roots
});

static PHRASES: LazyLock<Table<String, Vec<Phrase>>> = LazyLock::new(|| {
    let mut phrases: Table<String, Vec<Phrase>> = Table::default();
    for (head, words) in lines() {
        for phrase in words.into_iter().filter(|word| word.contains('_')) {
            let mut stems = phrase.split('_').map(stem);
            if let Some(first) = stems.next() {
                phrases
                    .entry(first)
                    .or_default()
                    .push((stems.collect(), head));
            }
        }
    }
    phrases
});

fn lines() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    KIN.iter().map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        (words.first().copied().unwrap_or_default(), words)
    })
}

/// The head of the words that say the same as this stem, else the stem.
#[must_use]
pub fn root(stem: &str) -> &str {
    ROOTS.get(stem).copied().unwrap_or(stem)
}

/// Gives every turn of phrase its meaning: the first word carries it, the others carry none.
pub(crate) fn join_phrases(words: &mut [Word]) {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let found = PHRASES.get(&word.stem).and_then(|phrases| {
            let fits = phrases
                .iter()
                .filter_map(|(rest, head)| Some((fit(words, at, rest)?, *head)));
            fits.max_by_key(|(places, _)| places.len())
        });
        if let Some((places, head)) = found {
            for place in &places {
                if let Some(word) = words.get_mut(*place) {
                    word.root.clear();
                }
            }
            if let Some(word) = words.get_mut(at) {
                head.clone_into(&mut word.root);
            }
            at += places.iter().filter(|place| **place == at + 1).count();
        }
        at += 1;
    }
}

/// Where the rest of a phrase stands behind its first word: at once, or a particle after at most
/// three words of the same clause (`switch the old version off`).
fn fit(words: &[Word], at: usize, rest: &[String]) -> Option<Vec<usize>> {
    let clause = words.get(at)?.clause;
    let is = |place: usize, stem: &String| {
        words
            .get(place)
            .is_some_and(|word| word.stem == *stem && word.clause == clause)
    };
    let close: Vec<usize> = (at + 1..).take(rest.len()).collect();
    if close.iter().zip(rest).all(|(place, stem)| is(*place, stem)) {
        return Some(close);
    }
    let [particle] = rest else {
        return None;
    };
    let apart = PARTICLES.contains(&particle.as_str());
    let place = (at + 2..at + 5).find(|place| is(*place, particle))?;
    apart.then(|| vec![place])
}

/// Little words that may stand behind what their verb takes.
pub(crate) const PARTICLES: &[&str] = &[
    "off", "on", "out", "up", "down", "back", "in", "away", "over", "alone",
];
