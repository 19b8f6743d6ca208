//! Numbers with their units, and moments, read off the words in one pass.

mod counts;
mod times;

use std::ops::Range;

use crate::features::calendar::Moment;
use crate::features::unit::Unit;
use crate::features::words::Word;

/// A number that the text gives, in the base of its unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Amount {
    pub value: f64,
    /// The number as written, before its unit.
    pub written: f64,
    /// The other end of a range.
    pub to: Option<f64>,
    pub unit: Unit,
    /// Whether it counts places: third, 15th.
    pub ordinal: bool,
    /// Whether it may be no number at all: the pronoun `one`, the article of `a week`.
    pub weak: bool,
    /// What it numbers: `week` of `week 7`, `port` of `port 8080`.
    pub label: Option<String>,
    /// What it counts: `request` of `100 requests`.
    pub noun: Option<String>,
    /// Its bytes in the raw text.
    pub span: Range<usize>,
    /// Its places among the words.
    pub words: Range<usize>,
}

/// Numbers and moments, each in order.
pub(crate) fn read(words: &[Word]) -> (Vec<Amount>, Vec<Moment>) {
    let mut reader = Reader {
        words,
        at: 0,
        amounts: Vec::new(),
        moments: Vec::new(),
    };
    while reader.at < words.len() {
        let took = READERS.iter().any(|read| read(&mut reader).is_some());
        if !took {
            reader.at += 1;
        }
    }
    (reader.amounts, reader.moments)
}

/// How a number or moment can start, the most telling first. Each moves on if it reads something.
const READERS: &[fn(&mut Reader<'_>) -> Option<()>] = &[
    |reader| reader.written_date(),
    |reader| reader.month_first(),
    |reader| reader.weekday(),
    |reader| reader.month_end(),
    |reader| reader.named_clock(),
    |reader| reader.article(),
    |reader| reader.frequency(),
    |reader| reader.twice(),
    |reader| reader.half_past(),
    |reader| reader.number(),
];

struct Reader<'a> {
    words: &'a [Word],
    at: usize,
    amounts: Vec<Amount>,
    moments: Vec<Moment>,
}

/// A number before its unit is known.
#[derive(Debug, Clone, Default)]
struct Raw {
    value: f64,
    to: Option<f64>,
    ordinal: bool,
    spelled: bool,
    before: String,
    after: String,
    end: usize,
}

/// What may be numbered rather than counted.
const LABELS: &[&str] = &[
    "page",
    "week",
    "version",
    "port",
    "bay",
    "room",
    "line",
    "step",
    "level",
    "phase",
    "number",
    "chapter",
    "section",
    "part",
    "option",
    "tier",
    "stage",
    "floor",
    "grade",
    "badge",
    "gate",
    "greenhouse",
    "day",
    "building",
    "platform",
    "invoice",
    "order",
    "ticket",
    "case",
    "article",
    "paragraph",
    "form",
    "priority",
    "code",
    "error",
    "status",
    "exit",
    "pr",
    "issue",
    "unit",
    "bus",
    "track",
    "slot",
    "channel",
    "critical",
    "high",
    "medium",
    "low",
    "total",
    "type",
    "class",
    "job",
    "device",
    "node",
    "host",
    "server",
    "file",
    "branch",
    "account",
    "machine",
    "group",
    "rate",
    "limit",
    "http",
    "on",
    "at",
];

impl Reader<'_> {
    fn word(&self, ahead: usize) -> Option<&Word> {
        self.words.get(self.at + ahead)
    }

    fn lower(&self, ahead: usize) -> &str {
        self.word(ahead).map_or("", |word| word.lower.as_str())
    }

    fn before(&self) -> &str {
        self.at
            .checked_sub(1)
            .and_then(|at| self.words.get(at))
            .map_or("", |word| word.lower.as_str())
    }

    /// The bytes of so many words from here.
    fn span(&self, count: usize) -> Range<usize> {
        let start = self.word(0).map_or(0, |word| word.span.start);
        let end = self
            .word(count.saturating_sub(1))
            .map_or(start, |word| word.span.end);
        start..end.max(start)
    }

    fn moment(&mut self, mut moment: Moment, count: usize) -> Option<()> {
        moment.span = self.span(count);
        self.moments.push(moment);
        self.at += count;
        Some(())
    }
}

/// Whether a word may number what it names: `invoice`, `week`, `port`.
#[must_use]
pub fn is_label(word: &str) -> bool {
    !matches!(word, "at" | "on") && LABELS.contains(&word)
}

fn is_small(word: &str) -> bool {
    crate::features::small::is_small(word)
}
