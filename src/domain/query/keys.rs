//! Every key of the language: over which rows it is known, what may stand behind it, how that is read.

use crate::domain::query::{Compare, Count, Is, Term, Who};
use crate::domain::time::{DAY, HOUR, MINUTE};
use crate::domain::{Act, Class, Influence, Kind, Layer, Time, Trust};

/// What sort of rows a query is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Over {
    /// The queue and the quarantine.
    Candidates,
    /// What was approved.
    Memories,
    /// What recurs.
    Patterns,
    /// What was done.
    Entries,
}

impl Over {
    /// Every sort of rows.
    pub const ALL: &'static [Self] = &[
        Self::Candidates,
        Self::Memories,
        Self::Patterns,
        Self::Entries,
    ];

    /// The rows, in a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Candidates => "candidates",
            Self::Memories => "memories",
            Self::Patterns => "patterns",
            Self::Entries => "entries",
        }
    }
}

/// One key.
#[derive(Debug)]
pub struct Key {
    /// As it is written before the colon.
    pub name: &'static str,
    /// The rows it is known over.
    pub over: &'static [Over],
    /// What it asks, and what may stand behind it, for people.
    pub help: &'static str,
    /// The words that may stand behind it over these rows, where they can be listed.
    pub words: fn(Over) -> Vec<&'static str>,
    pub(super) read: Read,
}

/// A value, and whether it stood between quotes.
type Read = fn(&str, bool) -> Result<Term, String>;

const CLAIMS: &[Over] = &[Over::Candidates, Over::Memories];
const CANDIDATES: &[Over] = &[Over::Candidates];
const MEMORIES: &[Over] = &[Over::Memories];
const ENTRIES: &[Over] = &[Over::Entries];
const SUPPORTED: &[Over] = &[Over::Candidates, Over::Patterns];
const TRUSTED: &[Over] = &[Over::Candidates, Over::Memories, Over::Patterns];
const DECIDED: &[Over] = &[Over::Candidates, Over::Memories, Over::Entries];

/// Every key, in the order that help and completion list them.
pub const ALL: &[&Key] = &[
    &Key {
        name: "layer",
        over: Over::ALL,
        help: "a layer and those below it: layer:acme/emea",
        words: none,
        read: |value, _| {
            Layer::parse(value)
                .map(Term::Layer)
                .map_err(|e| e.to_string())
        },
    },
    &Key {
        name: "kind",
        over: CLAIMS,
        help: "what sort of claim it is: kind:inference",
        words: |_| Kind::WORDS.to_vec(),
        read: |value, _| {
            Kind::parse(value)
                .map(Term::Kind)
                .map_err(|e| e.to_string())
        },
    },
    &Key {
        name: "trust",
        over: TRUSTED,
        help: "the lowest trust behind it, least first: trust:web, trust:>=tool",
        words: |_| Trust::WORDS.to_vec(),
        read: |value, _| {
            let (how, word) = compared(value);
            let trust = Trust::parse(word).map_err(|e| e.to_string())?;
            Ok(Term::Trust(how, trust))
        },
    },
    &Key {
        name: "influence",
        over: CLAIMS,
        help: "what it could cause, least first: influence:action, influence:>=plan",
        words: |_| Influence::WORDS.to_vec(),
        read: |value, _| {
            let (how, word) = compared(value);
            let influence = Influence::parse(word).map_err(|e| e.to_string())?;
            Ok(Term::Influence(how, influence))
        },
    },
    &Key {
        name: "is",
        over: Over::ALL,
        help: "what it is: is:held, -is:stale",
        words: |over| states(over).iter().map(|is| is.as_str()).collect(),
        read: |value, _| Is::parse(value).map(Term::Is).map_err(|e| e.to_string()),
    },
    &Key {
        name: "rule",
        over: CANDIDATES,
        help: "a rule or a class that objects to it: rule:credential",
        words: |_| Class::WORDS.to_vec(),
        read: |value, _| Ok(Term::Rule(value.to_owned())),
    },
    &Key {
        name: "age",
        over: Over::ALL,
        help: "how long ago, in m, h, d or w: age:>7d, age:<12h",
        words: |_| vec![">7d", ">1d", "<1d", "<1h"],
        read: |value, _| duration(value, "age:>7d or age:<12h").map(|(how, n)| Term::Age(how, n)),
    },
    &Key {
        name: "ends",
        over: CLAIMS,
        help: "how long until it ends: ends:<3d",
        words: |_| vec!["<1d", "<7d", ">30d"],
        read: |value, _| duration(value, "ends:<3d or ends:>4w").map(|(how, n)| Term::Ends(how, n)),
    },
    &Key {
        name: "after",
        over: Over::ALL,
        help: "from a day or a moment on: after:2026-11-01",
        words: none,
        read: |value, _| {
            Time::parse(value)
                .map(Term::After)
                .map_err(|e| e.to_string())
        },
    },
    &Key {
        name: "before",
        over: Over::ALL,
        help: "before a day or a moment: before:2026-12-01",
        words: none,
        read: |value, _| {
            Time::parse(value)
                .map(Term::Before)
                .map_err(|e| e.to_string())
        },
    },
    &Key {
        name: "users",
        over: SUPPORTED,
        help: "how many people stand behind it: users:>=5",
        words: none,
        read: |value, _| number(value, Count::Users),
    },
    &Key {
        name: "sessions",
        over: SUPPORTED,
        help: "in how many sessions it was seen: sessions:>=7",
        words: none,
        read: |value, _| number(value, Count::Sessions),
    },
    &Key {
        name: "days",
        over: SUPPORTED,
        help: "on how many days it was seen: days:1",
        words: none,
        read: |value, _| number(value, Count::Days),
    },
    &Key {
        name: "served",
        over: MEMORIES,
        help: "how often it was served: served:0, served:>100",
        words: none,
        read: |value, _| number(value, Count::Served),
    },
    &Key {
        name: "act",
        over: ENTRIES,
        help: "what was done: act:approve",
        words: |_| Act::WORDS.to_vec(),
        read: |value, _| Act::parse(value).map(Term::Act).map_err(|e| e.to_string()),
    },
    &Key {
        name: "item",
        over: ENTRIES,
        help: "to what it was done: item:C-12",
        words: none,
        read: |value, _| Ok(Term::Item(item(value))),
    },
    &Key {
        name: "reviewer",
        over: DECIDED,
        help: "who decided or acted: reviewer:me, reviewer:alice",
        words: |_| vec!["me"],
        read: |value, quoted| {
            Ok(Term::Reviewer(match value {
                "me" if !quoted => Who::Me,
                name => Who::Named(name.to_owned()),
            }))
        },
    },
    &Key {
        name: "proposer",
        over: CANDIDATES,
        help: "who proposed it: proposer:detector",
        words: none,
        read: |value, _| Ok(Term::Proposer(value.to_owned())),
    },
    &Key {
        name: "session",
        over: DECIDED,
        help: "the session it comes from: session:8f2c",
        words: none,
        read: |value, _| Ok(Term::Session(value.to_owned())),
    },
    &Key {
        name: "project",
        over: CLAIMS,
        help: "the project it is narrowed to: project:billing",
        words: none,
        read: |value, _| Ok(Term::Project(value.to_owned())),
    },
    &Key {
        name: "source",
        over: CLAIMS,
        help: "letters of a source reference: source:artifact:91bd, source:receipt",
        words: |_| {
            vec![
                "artifact:",
                "session:",
                "pattern:",
                "observation:",
                "receipt:",
            ]
        },
        read: |value, _| Ok(Term::Source(value.to_owned())),
    },
    &Key {
        name: "text",
        over: Over::ALL,
        help: "words in any case, as words alone do: text:\"late fee\"",
        words: none,
        read: |value, _| Ok(Term::Text(value.to_owned())),
    },
];

/// The key of this name.
pub(super) fn find(name: &str) -> Option<&'static Key> {
    ALL.iter().find(|key| key.name == name).copied()
}

/// The keys over these rows, as they are listed in a sentence.
pub(super) fn listed(over: Over) -> String {
    let names = ALL.iter().filter(|key| key.over.contains(&over));
    let names: Vec<String> = names.map(|key| format!("{}:", key.name)).collect();
    names.join(" ")
}

/// What rows of this sort can be.
pub(super) const fn states(over: Over) -> &'static [Is] {
    match over {
        Over::Candidates => &[
            Is::Held,
            Is::Snoozed,
            Is::Advisory,
            Is::Clear,
            Is::Repeated,
            Is::Linked,
        ],
        Over::Memories => &[
            Is::Stale,
            Is::Contradicted,
            Is::Active,
            Is::Advisory,
            Is::Demoted,
            Is::Superseded,
            Is::Expired,
        ],
        Over::Patterns => &[Is::Watching, Is::Proposed],
        Over::Entries => &[Is::Decision],
    }
}

/// The longest of these that a text begins with, and what follows it.
pub(super) fn compared(value: &str) -> (Compare, &str) {
    let signs = [
        (">=", Compare::AtLeast),
        ("<=", Compare::AtMost),
        (">", Compare::More),
        ("<", Compare::Less),
        ("=", Compare::Equal),
    ];
    let found = signs
        .iter()
        .find_map(|(sign, how)| Some((*how, value.strip_prefix(sign)?)));
    found.unwrap_or((Compare::Equal, value))
}

fn none(_: Over) -> Vec<&'static str> {
    Vec::new()
}

/// An id is written with a capital letter, whatever was typed.
fn item(value: &str) -> String {
    match value.split_once('-') {
        Some((letter, number))
            if letter.len() == 1
                && !number.is_empty()
                && number.bytes().all(|b| b.is_ascii_digit()) =>
        {
            value.to_ascii_uppercase()
        }
        _ => value.to_owned(),
    }
}

fn number(value: &str, what: Count) -> Result<Term, String> {
    let (how, digits) = compared(value);
    let n = digits.parse::<u64>().ok().filter(|n| *n <= 1_000_000_000);
    let n = n.ok_or_else(|| format!("`{digits}` is no count such as {what}:3 or {what}:>=3"))?;
    Ok(Term::Count(what, how, n))
}

/// The units of a duration, longest first.
pub(super) const UNITS: &[(char, i64)] = &[
    ('w', 7 * DAY),
    ('d', DAY),
    ('h', HOUR),
    ('m', MINUTE),
    ('s', 1000),
];
/// The longest duration that can be asked for.
pub(super) const LONGEST: i64 = 36_500 * DAY;

fn duration(value: &str, example: &str) -> Result<(Compare, i64), String> {
    let (how, rest) = compared(value);
    let bad = || format!("`{rest}` is no duration; write {example}, in m, h, d or w");
    if how == Compare::Equal {
        return Err(format!("longer or shorter? write {example}"));
    }
    let unit = rest.chars().next_back().ok_or_else(bad)?;
    let (_, each) = UNITS
        .iter()
        .find(|(sign, _)| *sign == unit)
        .ok_or_else(bad)?;
    let digits = rest.strip_suffix(unit).unwrap_or_default();
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(bad());
    }
    let n = digits.parse::<i64>().map_err(|_| bad())?;
    let millis = n.checked_mul(*each).filter(|millis| *millis <= LONGEST);
    Ok((how, millis.ok_or_else(bad)?))
}
