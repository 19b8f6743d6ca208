//! Which topics a text speaks of: words of one line of the table are near each other, though they
//! do not say the same. Only a claim that a text else agrees with may stand on such words.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use crate::evidence::related_table::RELATED;
use crate::features::{self, Features};

/// A topic that words of a text speak of, by its line in the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Topic {
    pub(crate) line: u16,
    /// The places of its words.
    pub(crate) words: Range<usize>,
}

/// Which text is read: what is left of a `<` is the general word, which a claim may have for the
/// special ones, never the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    Claim,
    Source,
}

/// The stems of a phrase behind its first, its line, and whose words it can be, if not both's.
type Entry = (Vec<String>, u16, Option<Of>);

static TABLE: LazyLock<HashMap<String, Vec<Entry>>> = LazyLock::new(|| {
    let mut table: HashMap<String, Vec<Entry>> = HashMap::new();
    for (line, words) in (0..).zip(RELATED) {
        let (general, special) = words.split_once(" < ").unwrap_or((words, ""));
        let parted = !special.is_empty();
        let general = general
            .split(' ')
            .map(|it| (it, parted.then_some(Of::Claim)));
        let special = special.split_whitespace().map(|it| (it, Some(Of::Source)));
        for (phrase, whose) in general.chain(special) {
            let mut stems = phrase.split('_').map(features::stem);
            let Some(first) = stems.next() else { continue };
            table
                .entry(first)
                .or_default()
                .push((stems.collect(), line, whose));
        }
    }
    table
});

/// The topics of a text.
pub(crate) fn topics(text: &Features, whose: Of) -> Vec<Topic> {
    let mut out = Vec::new();
    for (at, word) in text.words.iter().enumerate() {
        for (rest, line, only) in TABLE.get(&word.stem).into_iter().flatten() {
            // `On` alone is no topic; `turn on` is one.
            let small = rest.is_empty() && features::is_small(&word.lower);
            if small || only.is_some_and(|only| only != whose) {
                continue;
            }
            let follows = rest.iter().enumerate().all(|(ahead, stem)| {
                let next = text.words.get(at + 1 + ahead);
                next.is_some_and(|next| next.stem == *stem && next.sentence == word.sentence)
            });
            if follows {
                out.push(Topic {
                    line: *line,
                    words: at..at + 1 + rest.len(),
                });
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: &str, other: &str) -> bool {
        let (one, other) = (features::of(one), features::of(other));
        let lines: Vec<u16> = topics(&one, Of::Claim)
            .iter()
            .map(|topic| topic.line)
            .collect();
        topics(&other, Of::Source)
            .iter()
            .any(|topic| lines.contains(&topic.line))
    }

    #[test]
    fn words_of_one_topic_are_near_each_other() {
        assert!(near("a photographer", "some pictures"));
        assert!(near("by mistake", "unintentionally"));
        assert!(!near("a photographer", "the boat"));
        assert!(near("no birds", "seven hens") && !near("seven hens", "no birds"));
    }

    #[test]
    fn no_line_stands_twice() {
        let mut lines = RELATED.to_vec();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), RELATED.len());
    }
}
