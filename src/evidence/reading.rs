//! An item of evidence made ready: who speaks, and its sentences with what each says.

use std::collections::HashSet;
use std::ops::Range;

use crate::domain::Trust;
use crate::evidence::related;
use crate::evidence::split::split;
use crate::evidence::weigh::Item;
use crate::features::{self, Features};

/// One item.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) trust: Trust,
    pub(crate) person: bool,
    /// What stands between brackets at its start: `[Inken, Hamburg desk]`, in lower case words.
    pub(crate) speaker: Vec<String>,
    pub(crate) sentences: Vec<Sentence>,
    /// Roots of every word of it, identifiers in their parts.
    pub(crate) roots: HashSet<String>,
    /// What stands between those brackets.
    pub(crate) header: Features,
    /// All of it, folded.
    pub(crate) folded: String,
}

/// One sentence of an item, or one line of a tool's output.
#[derive(Debug)]
pub(crate) struct Sentence {
    pub(crate) range: Range<usize>,
    pub(crate) features: Features,
    /// Roots of its words, identifiers in their parts.
    pub(crate) roots: Vec<String>,
    /// What it speaks of, by lines of the table of related words.
    pub(crate) topics: HashSet<u16>,
    /// Its first piece, in lower case: the key of a row.
    pub(crate) key: String,
    /// Whether it points back to the sentence before it.
    pub(crate) refers: bool,
}

const BACK: &[&str] = &[
    "it",
    "they",
    "them",
    "he",
    "she",
    "his",
    "her",
    "this",
    "that",
    "these",
    "those",
    "there",
    "then",
    "otherwise",
    "so",
    "below",
    "after",
    "their",
    "its",
    "one",
    "ones",
    "ours",
    "double",
    "twice",
    "half",
    "both",
];

impl Reading {
    pub(crate) fn new(item: &Item<'_>) -> Self {
        let (mut speaker, start) = speaker(item.text);
        speaker.extend(item.speaker.into_iter().flat_map(names));
        let plain = matches!(item.trust, Trust::Tool | Trust::System);
        let ranges = if plain {
            lines(item.text)
        } else {
            split_from(item.text, start)
        };
        let sentences: Vec<Sentence> = ranges
            .into_iter()
            .take(MOST_SENTENCES)
            .map(|range| within(item.text, range))
            .map(|range| Sentence::new(item.text, range))
            .collect();
        let roots = sentences
            .iter()
            .flat_map(|sentence| sentence.roots.iter().cloned())
            .collect();
        Self {
            trust: item.trust,
            person: item.person,
            speaker,
            sentences,
            roots,
            header: features::of(
                item.text
                    .get(1..start.saturating_sub(1))
                    .unwrap_or_default(),
            ),
            folded: crate::text::folded::folded(item.text).text,
        }
    }

    pub(crate) fn is_model(&self) -> bool {
        self.trust == Trust::Model
    }
}

impl Sentence {
    fn new(text: &str, range: Range<usize>) -> Self {
        let features = features::of(text.get(range.clone()).unwrap_or_default());
        let refers =
            features.words.iter().take(6).enumerate().any(|(at, word)| {
                BACK.contains(&word.lower.as_str()) && !is_contrast(&features, at)
            });
        let first = text
            .get(range.clone())
            .unwrap_or_default()
            .split_whitespace()
            .next();
        let key = first
            .unwrap_or_default()
            .trim_end_matches([':', ','])
            .to_lowercase();
        let mut roots: Vec<String> = Vec::new();
        for word in &features.words {
            if !word.root.is_empty() {
                roots.push(word.root.clone());
            }
            if word.shape.is_code() {
                let parts = word
                    .lower
                    .split(|c: char| !c.is_alphanumeric())
                    .filter(|part| part.len() > 1);
                roots.extend(parts.map(|part| {
                    features::of(part)
                        .words
                        .first()
                        .map_or_else(|| part.to_owned(), |word| word.root.clone())
                }));
            }
        }
        let topics = related::topics(&features, related::Of::Source);
        Self {
            range,
            features,
            topics: topics.into_iter().map(|topic| topic.line).collect(),
            roots,
            key,
            refers,
        }
    }

    /// Whether it goes on with what the sentence before it speaks of.
    pub(crate) fn follows(&self, before: &Self) -> bool {
        self.refers
            || self.contrast().is_some()
            || self
                .features
                .content()
                .any(|(_, word)| before.roots.contains(&word.root))
    }

    /// Whether it only names what follows: `Laboratory report for the school kitchen.`
    pub(crate) fn is_heading(&self) -> bool {
        const VERBS: &[&str] = &[
            "be", "have", "do", "can", "will", "must", "may", "we", "i", "you", "they", "it",
        ];
        let words = &self.features.words;
        words.len() <= 8
            && self.features.amounts.is_empty()
            && !words.iter().any(|word| VERBS.contains(&word.stem.as_str()))
    }

    /// The word that sets its subject apart: `red` of `the red one`.
    pub(crate) fn contrast(&self) -> Option<&features::Word> {
        let at = (0..self.features.words.len()).find(|at| is_contrast(&self.features, *at))?;
        self.features.words.get(at.checked_sub(1)?)
    }

    /// Whether it asks inside of a sentence: `somebody asked whether ..`.
    pub(crate) fn is_embedded(&self) -> bool {
        self.features
            .words
            .iter()
            .any(|word| word.lower == "whether")
    }

    /// Whether it only asks.
    pub(crate) fn asks(&self) -> bool {
        self.features.question.is_some()
    }
}

/// Whether a `one` is another one: `the red one`.
pub(crate) fn is_contrast(features: &Features, at: usize) -> bool {
    let one = features
        .words
        .get(at)
        .is_some_and(|word| word.lower == "one");
    let before = at
        .checked_sub(1)
        .and_then(|before| features.words.get(before));
    let counts = features
        .words
        .get(at + 1)
        .is_some_and(|word| matches!(word.lower.as_str(), "at" | "of" | "by"));
    one && !counts && before.is_some_and(|word| !features::is_small(&word.lower))
}

/// How many sentences of an item are read, and how many bytes of one: what lies behind backs
/// nothing, so that a long item can only leave a claim without support.
const MOST_SENTENCES: usize = 400;
const MOST_BYTES: usize = 2000;

fn within(text: &str, range: Range<usize>) -> Range<usize> {
    let most = range.start + MOST_BYTES;
    if range.end <= most {
        return range;
    }
    let end = (range.start..=most)
        .rev()
        .find(|at| text.is_char_boundary(*at));
    range.start..end.unwrap_or(range.start)
}

/// Who is named between brackets at the start of a message, and where the message goes on.
fn speaker(text: &str) -> (Vec<String>, usize) {
    let Some((name, _)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
        return (Vec::new(), 0);
    };
    (names(name).collect(), name.len() + 2)
}

/// The words of a name, in lower case.
fn names(name: &str) -> impl Iterator<Item = String> {
    name.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

fn split_from(text: &str, start: usize) -> Vec<Range<usize>> {
    let rest = text.get(start..).unwrap_or_default();
    split(rest)
        .into_iter()
        .map(|range| range.start + start..range.end + start)
        .collect()
}

/// The lines of a tool's output, prose in them sentence by sentence; what a diff takes out is not
/// there any more.
fn lines(text: &str) -> Vec<Range<usize>> {
    let starts = |mark: &str| text.lines().any(|line| line.starts_with(mark));
    let is_diff = starts("+++ ") || starts("@@") || (starts("+") && starts("-"));
    let mut out = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let gone = is_diff && line.starts_with('-');
        let bare = line.trim_end();
        if !gone && is_diff {
            out.push(start..start + bare.len());
        } else if !gone {
            out.extend(
                split(bare)
                    .into_iter()
                    .map(|range| range.start + start..range.end + start),
            );
        }
        start += line.len();
    }
    out
}
