//! What a question wants to know: a time, a place, a person, a reason, an amount, a way to do it.
//!
//! Two questions about one thing are two questions where they want different answers: `when does my
//! card arrive` is not `where is it sent`. It reads English question words and nothing else.

use crate::features::Features;

/// What an answer would have to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Nothing: it claims, orders or wishes.
    Nothing,
    /// Something to be told, whatever it is: `tell me`, `show me`.
    Any,
    /// Something that no question word narrows down: `what`, `which`.
    What,
    /// Yes or no.
    Whether,
    /// When, how long, how soon.
    Time,
    /// How often.
    Often,
    /// Where.
    Place,
    /// Who.
    Person,
    /// Why.
    Cause,
    /// How much, how many, what it costs.
    Amount,
    /// How it is done.
    Manner,
}

impl Asked {
    /// Whether one answer could serve both.
    pub(crate) const fn agrees(self, other: Self) -> bool {
        use Asked::{
            Amount, Any, Cause, Manner, Nothing, Often, Person, Place, Time, What, Whether,
        };
        matches!(
            (self, other),
            (Any, _)
                | (_, Any)
                | (
                    What,
                    Amount | Manner | Whether | What | Person | Cause | Place | Time
                )
                | (
                    Amount | Manner | Whether | Person | Cause | Place | Time,
                    What
                )
                | (Nothing, Nothing | Manner | Cause | Whether)
                | (Manner | Cause | Whether, Nothing)
                | (Manner, Manner | Place | Whether)
                | (Place | Whether, Manner)
                | (Whether, Whether)
                | (Time, Time)
                | (Often, Often)
                | (Place, Place)
                | (Person, Person)
                | (Cause, Cause)
                | (Amount, Amount)
        )
    }
}

/// What this text asks for.
pub(crate) fn asked(features: &Features) -> Asked {
    let words: Vec<&str> = features
        .words
        .iter()
        .map(|word| word.lower.as_str())
        .collect();
    let told = words.iter().take(4).any(|word| TELLING.contains(word));
    let found = (0..words.len()).find_map(|at| {
        let before = words.get(at.saturating_sub(3)..at).unwrap_or_default();
        let after_telling = before.iter().any(|word| TELLING.contains(word));
        words.get(at..).and_then(|rest| wanted(rest, after_telling))
    });
    match found {
        Some(asked) => asked,
        None if told => Asked::Any,
        None if features.question.is_some() => Asked::Whether,
        None => Asked::Nothing,
    }
}

/// Words that ask for an answer whatever follows.
const TELLING: &[&str] = &[
    "tell",
    "know",
    "show",
    "explain",
    "wonder",
    "wondering",
    "find",
    "check",
    "see",
    "read",
    "look",
    "display",
    "list",
];
/// What follows a question word in a question, and not where the word only joins two clauses.
const INVERTING: &[&str] = &[
    "is", "are", "was", "were", "do", "does", "did", "can", "could", "will", "would", "shall",
    "should", "may", "has", "have", "am", "must", "s",
];

/// The kind that the first of these words asks for, if it is a question word.
fn wanted(rest: &[&str], after_telling: bool) -> Option<Asked> {
    let word = |ahead: usize| rest.get(ahead).copied().unwrap_or_default();
    let asks = after_telling || INVERTING.contains(&word(1));
    match word(0) {
        "why" => Some(Asked::Cause),
        "how" => Some(how(word(1), word(2))),
        "when" if asks => Some(Asked::Time),
        "where" if asks => Some(Asked::Place),
        "who" | "whom" | "whose" if asks => Some(Asked::Person),
        "what" | "which" => Some(what(rest)),
        "steps" | "instructions" => Some(Asked::Manner),
        "reason" if word(1) == "for" || word(1) == "must" => Some(Asked::Cause),
        _ => None,
    }
}

fn how(first: &str, second: &str) -> Asked {
    match first {
        "much" if matches!(second, "time" | "longer") => Asked::Time,
        "much" | "many" | "high" | "low" | "big" | "large" | "expensive" | "full" | "old"
        | "far" | "tall" | "heavy" | "hot" | "cold" | "warm" => Asked::Amount,
        "long" | "soon" | "fast" | "quickly" | "late" | "early" => Asked::Time,
        "often" | "frequently" => Asked::Often,
        "come" => Asked::Cause,
        "about" | "is" | "are" | "was" => Asked::Any,
        _ => Asked::Manner,
    }
}

fn what(rest: &[&str]) -> Asked {
    let near = |list: &[&str]| rest.iter().skip(1).take(3).any(|word| list.contains(word));
    let next = |list: &[&str]| rest.iter().skip(1).take(1).any(|word| list.contains(word));
    if next(&["time", "date", "day", "hour"]) || near(&["date", "deadline"]) {
        Asked::Time
    } else if rest.last() == Some(&"for") || near(&["reason", "causes", "caused"]) {
        Asked::Cause
    } else if near(&["steps", "way", "process", "procedure"]) {
        Asked::Manner
    } else {
        Asked::What
    }
}

#[cfg(test)]
mod tests {
    use super::{Asked, asked};

    fn check(text: &str, expected: Asked) {
        assert_eq!(asked(&crate::features::of(text)), expected, "{text}");
    }

    #[test]
    fn a_question_word_says_what_is_wanted() {
        check("when will my card arrive", Asked::Time);
        check("how long does a transfer take", Asked::Time);
        check("how much does it cost?", Asked::Amount);
        check("how do I close my account", Asked::Manner);
        check("for what reason must I prove who I am", Asked::Cause);
        check("where do I find my PIN?", Asked::Place);
        check("is the hotline open on Saturdays?", Asked::Whether);
        check("tell me my balance", Asked::Any);
        check("the hotline is open on Saturdays", Asked::Nothing);
        check("the app crashes when I open it", Asked::Nothing);
    }

    #[test]
    fn one_answer_serves_both_or_it_does_not() {
        assert!(Asked::Manner.agrees(Asked::Nothing));
        assert!(Asked::Any.agrees(Asked::Amount));
        assert!(!Asked::What.agrees(Asked::Nothing));
        assert!(!Asked::Time.agrees(Asked::Place));
        assert!(!Asked::Nothing.agrees(Asked::Time));
    }
}
