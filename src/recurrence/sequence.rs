//! What comes first and what comes then, as far as a text says so in plain words.
//!
//! Two texts about the same two things say the same only where they put them in the same order;
//! one that orders and one that does not are two claims.

use crate::features::{Features, Word};
use crate::recurrence::lexicon::lexicon;
use crate::recurrence::stem::stem;

/// Two groups of things, the first before the second.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sequence {
    earlier: Vec<String>,
    later: Vec<String>,
}

/// How a word orders what stands around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// What stands before it comes first: `lint before you commit`.
    Forward,
    /// What stands behind it comes first: `lint after you commit`.
    Backward,
    /// Its own clause comes first: `rebuild first, cache second`.
    Opens,
    /// Its own clause comes last: `the lint run comes afterwards`.
    Closes,
}

/// The order a text states, if it states one.
pub(crate) fn sequence(features: &Features) -> Option<Sequence> {
    let words = &features.words;
    let found = words
        .iter()
        .enumerate()
        .find_map(|(at, word)| Some((at, word, turn(words, at)?)));
    let (at, word, turn) = found?;
    let inside = |it: &Word| it.sentence == word.sentence || turn == Turn::Forward;
    let before: Vec<&Word> = words.iter().take(at).filter(|it| inside(it)).collect();
    let behind: Vec<&Word> = words.iter().skip(at + 1).filter(|it| inside(it)).collect();
    let (own, rest): (Vec<&Word>, Vec<&Word>) = words
        .iter()
        .filter(|it| it.sentence == word.sentence)
        .partition(|it| it.clause == word.clause);
    let left_is_empty = things(&before).is_empty();
    let (earlier, later) = match turn {
        Turn::Forward if left_is_empty => (rest, own),
        Turn::Backward if left_is_empty => (own, rest),
        Turn::Forward => (before, behind),
        Turn::Backward => (behind, before),
        Turn::Opens => (own, rest),
        Turn::Closes => (rest, own),
    };
    let (earlier, later) = (things(&earlier), things(&later));
    (!earlier.is_empty() && !later.is_empty()).then_some(Sequence { earlier, later })
}

fn turn(words: &[Word], at: usize) -> Option<Turn> {
    let word = words.get(at)?;
    let next = words.get(at + 1);
    let last = next.is_none_or(|next| next.clause != word.clause);
    let before = at.checked_sub(1).and_then(|at| words.get(at));
    let figure = |word: Option<&Word>| {
        word.is_some_and(|word| word.lower.starts_with(|c: char| c.is_ascii_digit()))
    };
    match word.lower.as_str() {
        "before" | "b4" if last => Some(Turn::Opens),
        "before" | "b4" => Some(Turn::Forward),
        "prior" if next.is_some_and(|next| next.lower == "to") => Some(Turn::Forward),
        "then"
            if before.is_some_and(|word| word.lower == "and")
                && at > 1
                && words.get(at - 2).is_some_and(|word| word.lower == "now") =>
        {
            None
        }
        "then" => Some(Turn::Forward),
        "after" if figure(next) => None,
        "after" | "afterwards" | "afterward" | "later" | "last" | "second"
            if last && before.is_some() =>
        {
            Some(Turn::Closes)
        }
        "after" | "once" => Some(Turn::Backward),
        "when" if before.is_some_and(|word| word.lower == "only") => Some(Turn::Backward),
        "first" if next.is_some_and(|next| next.lower == "and") => Some(Turn::Forward),
        "first" if last || before.is_none_or(|before| before.clause != word.clause) => {
            Some(Turn::Opens)
        }
        _ => None,
    }
}

/// What a stretch of text speaks of, under the names of the lexicon.
fn things(words: &[&Word]) -> Vec<String> {
    const ORDERING: &[&str] = &[
        "first", "second", "last", "only", "once", "always", "goes", "comes", "prior", "b4",
    ];
    let lexicon = lexicon();
    words
        .iter()
        .filter(|word| {
            !lexicon.is_empty_word(&word.lower) && !ORDERING.contains(&word.lower.as_str())
        })
        .filter(|word| word.lower.starts_with(char::is_alphabetic))
        .map(|word| {
            let stem = stem(&word.lower);
            lexicon.class(&stem).unwrap_or(&stem).to_owned()
        })
        .collect()
}

impl Sequence {
    /// Whether the two put what they both speak of in the same order.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        let shares =
            |one: &[String], two: &[String]| one.iter().filter(|thing| two.contains(thing)).count();
        let straight = shares(&self.earlier, &other.earlier) + shares(&self.later, &other.later);
        let crossed = shares(&self.earlier, &other.later) + shares(&self.later, &other.earlier);
        straight > crossed
    }
}
