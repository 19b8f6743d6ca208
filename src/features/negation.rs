//! What the text denies, and how far each denial reaches.

use std::ops::Range;

use crate::features::words::Word;

/// A word that says no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Negation {
    /// Its bytes in the raw text.
    pub span: Range<usize>,
    /// Which words it denies, by their places.
    pub scope: Range<usize>,
}

/// How far a denial reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// The clause it stands in.
    Clause,
    /// From there to the end of the clause.
    Right,
}

const NEGATORS: &[(&str, Reach)] = &[
    ("never", Reach::Clause),
    ("nobody", Reach::Clause),
    ("nothing", Reach::Clause),
    ("none", Reach::Clause),
    ("neither", Reach::Clause),
    ("nor", Reach::Right),
    ("nowhere", Reach::Clause),
    ("hardly", Reach::Right),
    ("no", Reach::Right),
    ("without", Reach::Right),
    ("except", Reach::Right),
    ("unless", Reach::Right),
    ("excluding", Reach::Right),
    ("not", Reach::Clause),
];
/// Verbs that deny what they take.
const VERBS: &[&str] = &[
    "stop",
    "stops",
    "stopped",
    "avoid",
    "avoids",
    "refuse",
    "refuses",
    "refused",
    "skip",
    "skips",
    "skipped",
    "cease",
    "forbid",
    "forbids",
    "forbidden",
    "prohibited",
    "banned",
    "reject",
    "rejects",
    "rejected",
    "deny",
    "denies",
    "declines",
    "prevent",
    "prevents",
    "refrain",
];
/// Denials that take another one back.
const TURNING: &[&str] = &["without", "unless"];
/// What opens a condition.
const GIVEN: &[&str] = &["if", "unless", "when", "whenever", "provided", "assuming"];
/// What comes before a `not` that denies its whole clause.
const AUXILIARIES: &[&str] = &[
    "is", "are", "was", "were", "be", "been", "am", "do", "does", "did", "has", "have", "had",
    "can", "could", "will", "would", "shall", "should", "may", "might", "must", "need", "it",
    "that", "why",
];

/// Finds the denials and marks the words that they reach.
pub(crate) fn deny(words: &mut [Word]) -> Vec<Negation> {
    let mut found = Vec::new();
    for at in 0..words.len() {
        let Some((reach, length)) = reach(words, at) else {
            continue;
        };
        let scope = scope(words, at, length, reach);
        let turns = words.get(at).is_some_and(|word| {
            TURNING.contains(&word.lower.as_str()) || VERBS.contains(&word.lower.as_str())
        });
        for word in words.get_mut(scope.clone()).unwrap_or_default() {
            // Two plain denials in one clause still deny; `not without` does not.
            word.denied = !(turns && word.denied);
        }
        let span = words.get(at).map_or(0..0, |word| word.span.clone());
        found.push(Negation { span, scope });
    }
    found
}

/// Marks the clauses that only set the scene: `if ..`, and `no answer for a week?` before the answer.
pub(crate) fn condition(text: &str, words: &mut [Word]) {
    let last = words.last().map_or(0, |word| word.sentence);
    let mut clauses = vec![false; words.last().map_or(0, |word| word.clause + 1)];
    let mut asked = vec![false; last + 1];
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1);
        let as_long = word.lower == "as" && next.is_some_and(|next| next.lower == "long");
        if (GIVEN.contains(&word.lower.as_str()) || as_long)
            && let Some(given) = clauses.get_mut(word.clause)
        {
            *given = true;
        }
        let ends = next.is_none_or(|next| next.sentence != word.sentence);
        let behind = text.get(word.span.end..).unwrap_or_default();
        let mark = behind.trim_start_matches(['"', ')', ' ']).starts_with('?');
        if ends
            && word.sentence < last
            && mark
            && let Some(asked) = asked.get_mut(word.sentence)
        {
            *asked = true;
        }
    }
    for word in words {
        let is = |flags: &[bool], at: usize| flags.get(at).copied().unwrap_or(false);
        word.given = is(&clauses, word.clause) || is(&asked, word.sentence);
    }
}

fn reach(words: &[Word], at: usize) -> Option<(Reach, usize)> {
    let word = words.get(at)?;
    let lower = |place: usize| words.get(place).map_or("", |word| word.lower.as_str());
    let before = at.checked_sub(1).map_or("", lower);
    let next = lower(at + 1);
    let table = |name: &str| {
        NEGATORS
            .iter()
            .find(|(word, _)| *word == name)
            .map(|(_, reach)| *reach)
    };
    match (word.lower.as_str(), next) {
        ("rather", "than") | ("instead", "of") => Some((Reach::Right, 2)),
        // Not only, not just: more than that is true. No matter, no doubt: nothing is denied.
        ("not", "only" | "just") | ("no", "matter" | "doubt" | "later" | "less") => None,
        ("no", "longer" | "one") => Some((Reach::Clause, 2)),
        // A yes or no question.
        ("no", _) if before == "or" => None,
        ("not", _) if AUXILIARIES.contains(&before) => Some((Reach::Clause, 1)),
        ("not", _) => Some((Reach::Right, 1)),
        ("no", _) if matches!(before, "is" | "are" | "was" | "were") => Some((Reach::Clause, 1)),
        (name, _) if VERBS.contains(&name) => Some((Reach::Right, 1)),
        (name, _) => table(name).map(|reach| (reach, 1)),
    }
}

/// How many words a denial reaches at most, to either side.
const MOST_WORDS: usize = 64;

fn scope(words: &[Word], at: usize, length: usize, reach: Reach) -> Range<usize> {
    let clause = words.get(at).map_or(0, |word| word.clause);
    let ends = |place: usize| words.get(place).is_none_or(|word| word.clause != clause);
    let far = (at + length + MOST_WORDS).min(words.len());
    let end = (at + length..far).find(|place| ends(*place)).unwrap_or(far);
    match reach {
        Reach::Right => (at + length).min(end)..end,
        Reach::Clause => {
            let start = (at.saturating_sub(MOST_WORDS)..at)
                .rev()
                .take_while(|place| !ends(*place))
                .last()
                .unwrap_or(at);
            start..end
        }
    }
}
