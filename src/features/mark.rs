//! Small words that change what a sentence claims: how sure, how often, on what condition.

use std::ops::Range;

use crate::features::chunk::Shape;
use crate::features::table::Table;
use crate::features::words::Word;

/// What a mark does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MarkKind {
    /// must, have to, required
    Must,
    /// should, ought to
    Should,
    /// can, may, allowed
    May,
    /// will, going to, planned
    Planned,
    /// could, proposed, asked for, waiting, would be nice
    Proposed,
    /// probably, perhaps, seems
    Doubted,
    /// if, unless, until, when, except, as long as
    Condition,
    /// only, just
    Only,
    /// all, every, each
    All,
    /// always, every time
    Always,
    /// some, several, a few
    Some,
    /// sometimes, usually, often
    Sometimes,
    /// because, due to
    Cause,
    /// before
    Before,
    /// after
    After,
}

/// One such word or phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    pub kind: MarkKind,
    /// Its bytes in the raw text.
    pub span: Range<usize>,
    /// Its place among the words.
    pub word: usize,
}

const MARKS: &[(MarkKind, &[&str])] = &[
    (
        MarkKind::Must,
        &[
            "must",
            "have to",
            "has to",
            "need to",
            "needs to",
            "required to",
            "obliged to",
            "mandatory",
        ],
    ),
    (MarkKind::Should, &["should", "ought to", "supposed to"]),
    (
        MarkKind::May,
        &[
            "can",
            "may",
            "allowed to",
            "able to",
            "permitted to",
            "free to",
        ],
    ),
    (
        MarkKind::Planned,
        &[
            "will",
            "shall",
            "going to",
            "planned",
            "plan to",
            "plans to",
            "planning",
            "scheduled",
            "intend to",
            "intends to",
            "upcoming",
            "tomorrow",
            "next week",
            "next month",
            "next year",
        ],
    ),
    (
        MarkKind::Proposed,
        &[
            "could",
            "would",
            "might",
            "proposed",
            "propose",
            "proposes",
            "proposal",
            "suggest",
            "suggested",
            "suggests",
            "suggestion",
            "considering",
            "consider",
            "thinking about",
            "thinking of",
            "think about",
            "toying",
            "idea",
            "waiting for",
            "waiting on",
            "awaiting",
            "pending",
            "draft",
            "tentative",
            "tentatively",
            "not decided",
            "undecided",
            "under discussion",
            "asked for",
            "asked to",
            "requested",
            "wish",
            "hope to",
            "hopes to",
            "want to",
            "wants to",
            "let us",
            "why not",
            "would be nice",
            "not convinced",
            "not sure",
            "in talks",
            "plan b",
            "maybe",
            "after that we decide",
            "we decide",
            "vote on",
            "if we",
        ],
    ),
    (
        MarkKind::Doubted,
        &[
            "probably",
            "perhaps",
            "maybe",
            "possibly",
            "likely",
            "seems",
            "seem",
            "appears",
            "apparently",
            "supposedly",
            "allegedly",
            "presumably",
            "i think",
            "i guess",
            "i believe",
            "i suspect",
            "suspect",
            "unclear",
            "not sure",
            "i assume",
            "assume",
            "rumour",
            "supposed to be",
            "might be",
            "may be",
            "could be",
            "i suppose",
            "unconfirmed",
            "estimate",
            "estimated",
            "as far as i know",
            "roughly",
            "doubt",
        ],
    ),
    (
        MarkKind::Condition,
        &[
            "if",
            "unless",
            "until",
            "till",
            "provided",
            "providing",
            "as long as",
            "so long as",
            "except",
            "in case",
            "only when",
            "when",
            "whenever",
            "once",
            "assuming",
            "depending on",
            "depends on",
            "subject to",
            "only if",
            "other than",
            "apart from",
            "but not",
            "otherwise",
            "while",
            "where possible",
            "as soon as",
            "on condition",
            "worth more",
            "for orders",
            "who",
        ],
    ),
    (
        MarkKind::Only,
        &[
            "only",
            "solely",
            "exclusively",
            "nothing but",
            "no more than",
        ],
    ),
    (
        MarkKind::All,
        &[
            "all",
            "every",
            "each",
            "any",
            "everybody",
            "everyone",
            "everything",
            "everywhere",
            "whole",
            "entire",
            "no exceptions",
            "without exception",
            "nobody",
            "nothing",
            "none",
            "no one",
        ],
    ),
    (
        MarkKind::Always,
        &[
            "always",
            "every time",
            "each time",
            "never",
            "invariably",
            "at all times",
            "constantly",
            "without fail",
            "whenever",
        ],
    ),
    (
        MarkKind::Some,
        &[
            "some", "several", "a few", "few", "many", "most", "a couple", "part of", "half of",
            "certain", "various",
        ],
    ),
    (
        MarkKind::Sometimes,
        &[
            "sometimes",
            "usually",
            "often",
            "occasionally",
            "mostly",
            "normally",
            "generally",
            "rarely",
            "now and then",
            "as a rule",
            "in most cases",
            "from time to time",
            "one time",
        ],
    ),
    (
        MarkKind::Cause,
        &[
            "because",
            "due to",
            "owing to",
            "thanks to",
            "caused by",
            "since",
            "so that",
            "as a result",
            "therefore",
            "that is why",
            "reason",
        ],
    ),
    (MarkKind::Before, &["before", "prior to", "ahead of"]),
    (
        MarkKind::After,
        &["after", "afterwards", "following", "once"],
    ),
];

struct Index {
    first: Table<&'static str, Vec<(MarkKind, Vec<&'static str>)>>,
}

static INDEX: std::sync::LazyLock<Index> = std::sync::LazyLock::new(|| {
    let mut first: Table<&str, Vec<(MarkKind, Vec<&str>)>> = Table::default();
    for (kind, phrases) in MARKS {
        for phrase in *phrases {
            let mut words = phrase.split(' ');
            let head = words.next().unwrap_or_default();
            first
                .entry(head)
                .or_default()
                .push((*kind, words.collect()));
        }
    }
    Index { first }
});

/// All marks, in order.
pub(crate) fn marks(words: &[Word]) -> Vec<Mark> {
    let mut out = Vec::new();
    for (at, word) in words.iter().enumerate() {
        for (kind, rest) in INDEX.first.get(word.lower.as_str()).into_iter().flatten() {
            let fits = rest.iter().enumerate().all(|(ahead, lower)| {
                words
                    .get(at + 1 + ahead)
                    .is_some_and(|word| word.lower == *lower)
            });
            // A month is no permission.
            let month = word.lower == "may" && word.shape == Shape::Capital && !word.first;
            if fits && !month {
                let end = words
                    .get(at + rest.len())
                    .map_or(word.span.end, |word| word.span.end);
                out.push(Mark {
                    kind: *kind,
                    span: word.span.start..end.max(word.span.end),
                    word: at,
                });
            }
        }
    }
    out
}
