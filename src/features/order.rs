//! Which of two things comes first, and where something goes from and to.

use std::ops::Range;

use crate::features::small::is_small;
use crate::features::words::Word;

/// Two groups of words, the first before the second, or from the first to the second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Whether it is a way (`from .. to`) rather than a time (`before`, `then`).
    pub way: bool,
    /// The roots of what comes first.
    pub first: Vec<String>,
    /// The roots of what comes then.
    pub then: Vec<String>,
    /// The bytes of the word that says so.
    pub span: Range<usize>,
}

/// All orders the words state.
pub(crate) fn orders(words: &[Word]) -> Vec<Order> {
    // Far words belong to another order; near ones keep the work linear.
    let near = |at: usize| {
        let start = at.saturating_sub(MOST_WORDS);
        let end = (at + MOST_WORDS).min(words.len());
        words.get(start..end).map(|near| (near, at - start))
    };
    let read = |at: usize| {
        let (near, at) = near(at)?;
        timed(near, at).or_else(|| way(near, at))
    };
    let telling = |at: &usize| {
        words
            .get(*at)
            .is_some_and(|word| TELLING.contains(&word.lower.as_str()))
    };
    (0..words.len()).filter(telling).filter_map(read).collect()
}

/// How many words to either side may be ordered.
const MOST_WORDS: usize = 40;
/// Words that state an order.
const TELLING: &[&str] = &[
    "before",
    "prior",
    "after",
    "once",
    "then",
    "afterwards",
    "first",
    "last",
    "second",
    "afterward",
    "when",
    "from",
];

fn roots<'a>(words: impl Iterator<Item = &'a Word>) -> Vec<String> {
    words
        .filter(|word| {
            !is_small(&word.lower) && !word.root.is_empty() && !FRAME.contains(&word.lower.as_str())
        })
        .map(|word| word.root.clone())
        .collect()
}

const FRAME: &[&str] = &[
    "before",
    "after",
    "first",
    "second",
    "last",
    "then",
    "always",
    "once",
    "only",
    "comes",
    "goes",
    "go",
    "come",
    "runs",
    "prior",
    "rather",
    "afterwards",
    "later",
    "next",
];

fn timed(words: &[Word], at: usize) -> Option<Order> {
    let word = words.get(at)?;
    let sentence = |it: &&Word| it.sentence == word.sentence;
    let left = || roots(words.get(..at).unwrap_or_default().iter().filter(sentence));
    let right = || {
        roots(
            words
                .get(at + 1..)
                .unwrap_or_default()
                .iter()
                .filter(sentence),
        )
    };
    let (first, then) = match word.lower.as_str() {
        "before" | "prior" if !left().is_empty() => (left(), right()),
        "when"
            if at > 0
                && words
                    .get(at - 1)
                    .is_some_and(|before| before.lower == "only")
                && !left().is_empty() =>
        {
            (right(), left())
        }
        "before" => halves(words, at)?,
        "after" | "once" if !left().is_empty() => (right(), left()),
        "after" | "once" => halves(words, at)?,
        "then" | "afterwards" => (left(), right()),
        "first" if word_ends(words, at) => (clause(words, at), other_clauses(words, at)),
        "last" | "second" | "afterward" if word_ends(words, at) => {
            (other_clauses(words, at), clause(words, at))
        }
        _ => return None,
    };
    // A preposition of place or time (`after 14 days`) orders nothing.
    (!first.is_empty() && !then.is_empty()).then(|| Order {
        way: false,
        first,
        then,
        span: word.span.clone(),
    })
}

/// `Before you commit, lint`: the clause of the word comes second to the next; turned by the caller.
fn halves(words: &[Word], at: usize) -> Option<(Vec<String>, Vec<String>)> {
    let word = words.get(at)?;
    let same = |it: &&Word| it.sentence == word.sentence;
    let own = roots(
        words
            .iter()
            .filter(same)
            .filter(|it| it.clause == word.clause),
    );
    let rest = roots(
        words
            .iter()
            .filter(same)
            .filter(|it| it.clause > word.clause),
    );
    Some(if word.lower == "before" {
        (rest, own)
    } else {
        (own, rest)
    })
}

fn clause(words: &[Word], at: usize) -> Vec<String> {
    let clause = words.get(at).map_or(0, |word| word.clause);
    roots(words.iter().filter(|word| word.clause == clause))
}

fn other_clauses(words: &[Word], at: usize) -> Vec<String> {
    let Some(own) = words.get(at) else {
        return Vec::new();
    };
    roots(
        words
            .iter()
            .filter(|word| word.clause != own.clause && word.sentence == own.sentence),
    )
}

/// Whether a word is the first or the last of its clause.
fn word_ends(words: &[Word], at: usize) -> bool {
    let clause = |place: Option<usize>| {
        place
            .and_then(|place| words.get(place))
            .map(|word| word.clause)
    };
    let own = clause(Some(at));
    clause(at.checked_add(1)) != own
        || (clause(at.checked_sub(1)) != own
            && words.get(at).is_some_and(|word| word.lower == "first"))
}

fn way(words: &[Word], at: usize) -> Option<Order> {
    let word = words.get(at).filter(|word| word.lower == "from")?;
    let to = (at + 1..at + 8).find(|place| {
        words.get(*place).is_some_and(|it| {
            matches!(it.lower.as_str(), "to" | "into" | "onto") && it.sentence == word.sentence
        })
    })?;
    let first = roots(words.get(at + 1..to)?.iter());
    let then = roots(
        words
            .get(to + 1..)?
            .iter()
            .take_while(|it| it.clause == words.get(to).map_or(0, |it| it.clause))
            .take(4),
    );
    (!first.is_empty() && !then.is_empty()).then(|| Order {
        way: true,
        first,
        then,
        span: word.span.clone(),
    })
}

/// Whether the two say it the other way round: what comes first here comes then there.
pub(crate) fn turned(left: &Order, right: &Order) -> bool {
    let shares =
        |one: &[String], two: &[String]| one.iter().filter(|root| two.contains(root)).count();
    let straight = shares(&left.first, &right.first) + shares(&left.then, &right.then);
    let crossed = shares(&left.first, &right.then) + shares(&left.then, &right.first);
    left.way == right.way && crossed > straight
}
