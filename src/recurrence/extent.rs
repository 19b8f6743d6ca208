//! How much of a thing is meant, and which of several in a row: all, most or only these; the last,
//! this or the next month.
//!
//! Small words that carry no weight in a score and change what is claimed.

use crate::features::Features;

/// What a text says about extent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Extent {
    /// It speaks of the greater or the smaller part.
    part: bool,
    /// It speaks of every one.
    all: bool,
    /// It leaves everything else out.
    only: bool,
    /// It happens seldom.
    seldom: bool,
    /// How often it happens, where that is counted: once, twice.
    times: Option<u8>,
    /// Which one of a row of times is meant: `last month` is -1 and `month`.
    turns: Vec<(i8, String)>,
}

const PART: &[&str] = &["most", "half", "few"];
const ALL: &[&str] = &[
    "all",
    "every",
    "each",
    "any",
    "everyone",
    "everybody",
    "always",
];
const ONLY: &[&str] = &["only", "solely", "exclusively"];
const SELDOM: &[&str] = &["rarely", "seldom", "hardly"];
const TIMES: &[&str] = &[
    "month",
    "week",
    "year",
    "quarter",
    "night",
    "time",
    "weekend",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "day",
    "spring",
    "summer",
    "winter",
];

/// Reads what a text says about extent.
pub(crate) fn extent(features: &Features) -> Extent {
    let has = |list: &[&str]| {
        features
            .words
            .iter()
            .any(|word| list.contains(&word.lower.as_str()))
    };
    let pairs = features.words.iter().zip(features.words.iter().skip(1));
    let turns = pairs.filter_map(|(word, next)| {
        let turn = match word.lower.as_str() {
            "last" | "previous" | "past" => -1,
            "this" | "current" => 0,
            "next" | "coming" | "following" => 1,
            _ => return None,
        };
        let time = next.lower.trim_end_matches('s');
        TIMES.contains(&time).then(|| (turn, time.to_owned()))
    });
    Extent {
        part: has(PART),
        all: has(ALL),
        only: has(ONLY),
        seldom: has(SELDOM),
        times: times(features),
        turns: turns.collect(),
    }
}

/// Once or twice; `two times` too.
fn times(features: &Features) -> Option<u8> {
    let words: Vec<&str> = features
        .words
        .iter()
        .map(|word| word.lower.as_str())
        .collect();
    let said = |at: usize| match (words.get(at).copied(), words.get(at + 1).copied()) {
        (Some("twice"), _) | (Some("two" | "2" | "second" | "double"), Some("time" | "times")) => {
            Some(2)
        }
        (Some("duplicate"), Some("charge" | "payment")) | (Some("double"), Some("charged")) => {
            Some(2)
        }
        (Some("thrice"), _) | (Some("three" | "3"), Some("times")) => Some(3),
        (Some("one" | "single"), Some("time" | "use")) => Some(1),
        (Some("once"), None | Some("a" | "per" | "every" | "each" | "only")) => Some(1),
        _ => None,
    };
    (0..words.len()).find_map(said)
}

impl Extent {
    /// Whether the two can speak of the same extent.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        let clash = |one: &Self, two: &Self| one.only && two.all && !one.all && !two.only;
        let turned = self.turns.iter().any(|(turn, time)| {
            let mut same = other
                .turns
                .iter()
                .filter(|(_, there)| there == time)
                .peekable();
            same.peek().is_some() && same.all(|(there, _)| there != turn)
        });
        let counted = match (self.times, other.times) {
            (Some(one), Some(two)) => one == two,
            (Some(one), None) | (None, Some(one)) => one < 2,
            (None, None) => true,
        };
        counted
            && self.part == other.part
            && self.seldom == other.seldom
            && !clash(self, other)
            && !clash(other, self)
            && !turned
    }
}

#[cfg(test)]
mod tests {
    use super::extent;

    fn check(one: &str, other: &str, agree: bool) {
        let of = |text| extent(&crate::features::of(text));
        assert_eq!(of(one).agrees(&of(other)), agree, "{one} / {other}");
        assert_eq!(of(other).agrees(&of(one)), agree, "{other} / {one}");
    }

    #[test]
    fn a_part_is_not_the_whole() {
        check("most orders ship today", "all orders ship today", false);
        check("every order ships today", "orders ship today", true);
        check("only admins may do it", "any user may do it", false);
        check("we rarely see it", "we see it", false);
        check("it was charged twice", "it was charged two times", true);
        check("use it twice", "use it once", false);
    }

    #[test]
    fn the_last_is_not_the_next() {
        check("what I spent last month", "what I spent this month", false);
        check("due next week", "due the coming week", true);
        check("due next week", "due on Friday", true);
    }
}
