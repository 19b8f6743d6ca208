//! The tables of general English this room knows: empty words, common words, frames and words that
//! stand for one another. Read once, never changed; their hash is part of the detector's version.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use crate::domain::Digest;
use crate::recurrence::stem::stem;
use crate::recurrence::terms::words;

const STOP: &str = include_str!("words/stop.txt");
const COMMON: &str = include_str!("words/common.txt");
const FRAMES: &str = include_str!("words/frames.txt");
const SYNONYMS: &str = include_str!("words/synonyms.txt");

/// How many words a phrase in the tables has at most.
pub(crate) const LONGEST_PHRASE: usize = 4;

/// The tables, ready for looking up.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    stop: HashSet<String>,
    common: HashMap<String, f32>,
    frames: Vec<Vec<String>>,
    classes: HashMap<String, String>,
}

/// The one lexicon.
pub(crate) fn lexicon() -> &'static Lexicon {
    static READ: OnceLock<Lexicon> = OnceLock::new();
    READ.get_or_init(Lexicon::read)
}

/// The name of this room's knowledge: another table or another guard is another detector, and what
/// an older one placed stays as it placed it.
#[must_use]
pub fn detector_version() -> Digest {
    const CODE: &str = "recurrence 2";
    Digest::of_parts(&[CODE, STOP, COMMON, FRAMES, SYNONYMS].map(str::as_bytes))
}

impl Lexicon {
    fn read() -> Self {
        let mut lexicon = Self {
            stop: lines(STOP)
                .flat_map(str::split_whitespace)
                .map(str::to_owned)
                .collect(),
            frames: lines(FRAMES)
                .map(|line| line.split_whitespace().map(str::to_owned).collect())
                .collect(),
            ..Self::default()
        };
        lexicon
            .frames
            .sort_by_key(|frame| std::cmp::Reverse(frame.len()));
        for (line, weight) in lines(COMMON).zip([0.35, 0.6]) {
            for word in line.split_whitespace() {
                lexicon.common.entry(stem(word)).or_insert(weight);
            }
        }
        for line in lines(SYNONYMS) {
            let Some((name, forms)) = line.split_once(':') else {
                continue;
            };
            for form in forms.split(',') {
                // Read as texts are read: contractions opened, number words as figures.
                let stems: Vec<_> = words(form).iter().map(|word| stem(word)).collect();
                lexicon
                    .classes
                    .entry(stems.join(" "))
                    .or_insert_with(|| format!("~{name}"));
            }
        }
        lexicon
    }

    /// Whether a word carries nothing of its own.
    pub(crate) fn is_empty_word(&self, word: &str) -> bool {
        self.stop.contains(word)
    }

    /// How much sharing this stem says, before anything is known about the texts at hand.
    pub(crate) fn weight(&self, stem: &str) -> f32 {
        self.common.get(stem).copied().unwrap_or(1.0)
    }

    /// The class of a stem, or of several in a row with blanks between them.
    pub(crate) fn class(&self, stems: &str) -> Option<&str> {
        self.classes.get(stems).map(String::as_str)
    }

    /// How many of these first words only frame what follows.
    pub(crate) fn frame(&self, words: &[String]) -> usize {
        let starts = |frame: &&Vec<String>| words.starts_with(frame);
        self.frames.iter().find(starts).map_or(0, Vec::len)
    }
}

fn lines(table: &str) -> impl Iterator<Item = &str> {
    table
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}
