//! A claim laid beside the messages it may have come from.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::evidence::split::split;
use crate::evidence::tokens::{Sort, Token, tokens};
use crate::text::folded::{Folded, folded, key};

/// How many places in one message are looked at for the same words.
const MOST_PLACES: usize = 64;

/// How closely a message says what the claim says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// All its words, in one sentence.
    Words,
    /// The same words in the same order, after folding.
    Verbatim,
}

/// A place in a message that says what the claim says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// The message, by its place among those given.
    pub message: usize,
    /// Its raw bytes there.
    pub range: Range<usize>,
    /// How closely.
    pub strength: Strength,
}

/// What stands behind a claim.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Alignment {
    /// At most one quote a message, in the order of the messages. Empty where no message says all
    /// of the claim.
    pub supporting: Vec<Quote>,
    /// The words of the claim, as ranges of its raw bytes, that no message has.
    pub unsupported: Vec<Range<usize>>,
}

/// Lays one claim beside messages. For many claims, prepare [`Sources`] once.
#[must_use]
pub fn align(claim: &str, messages: &[&str]) -> Alignment {
    Sources::new(messages).align(claim)
}

/// Messages made ready to lay many claims beside them.
#[derive(Debug)]
pub struct Sources {
    messages: Vec<Source>,
    words: BTreeSet<String>,
}

#[derive(Debug)]
struct Source {
    folded: Folded,
    sentences: Vec<Sentence>,
}

/// One sentence of a message.
#[derive(Debug)]
struct Sentence {
    range: Range<usize>,
    tokens: Vec<Token>,
    asks: bool,
}

impl Sources {
    /// Prepares messages.
    #[must_use]
    pub fn new(messages: &[&str]) -> Self {
        let messages: Vec<_> = messages.iter().map(|text| Source::new(text)).collect();
        let words = messages
            .iter()
            .flat_map(|source| &source.sentences)
            .flat_map(|sentence| sentence.tokens.iter().map(|token| token.word.clone()))
            .collect();
        Self { messages, words }
    }

    /// Lays one claim beside them.
    #[must_use]
    pub fn align(&self, claim: &str) -> Alignment {
        let wanted = Sentence::new(claim, 0..claim.len());
        let key = key(claim);
        let quotes = self.messages.iter().enumerate();
        let supporting: Vec<_> = quotes
            .filter_map(|(message, source)| {
                let (range, strength) = source.says(&wanted, &key)?;
                Some(Quote {
                    message,
                    range,
                    strength,
                })
            })
            .collect();
        let unsupported = if supporting.is_empty() {
            self.missing(&wanted)
        } else {
            Vec::new()
        };
        Alignment {
            supporting,
            unsupported,
        }
    }

    fn missing(&self, wanted: &Sentence) -> Vec<Range<usize>> {
        wanted
            .tokens
            .iter()
            .filter(|token| token.sort != Sort::Filler && !self.words.contains(&token.word))
            .map(|token| token.raw.clone())
            .collect()
    }
}

impl Source {
    fn new(text: &str) -> Self {
        Self {
            folded: folded(text),
            sentences: split(text)
                .into_iter()
                .map(|range| Sentence::new(text, range))
                .collect(),
        }
    }

    fn says(&self, wanted: &Sentence, key: &str) -> Option<(Range<usize>, Strength)> {
        self.verbatim(wanted, key)
            .map(|range| (range, Strength::Verbatim))
            .or_else(|| {
                let sentence = self.sentences.iter().find(|it| it.says(wanted))?;
                Some((sentence.range.clone(), Strength::Words))
            })
    }

    /// The first place where the claim stands word for word (among the first [`MOST_PLACES`]), and
    /// nothing around it in the same
    /// sentence takes it back.
    fn verbatim(&self, wanted: &Sentence, key: &str) -> Option<Range<usize>> {
        if key.is_empty() || wanted.tokens.is_empty() {
            return None;
        }
        self.folded
            .text
            .match_indices(key)
            .take(MOST_PLACES)
            .filter(|(at, _)| stands_alone(&self.folded.text, *at..*at + key.len()))
            .map(|(at, _)| self.folded.raw_range(at..at + key.len()))
            .find(|range| {
                self.sentences
                    .iter()
                    .filter(|it| it.range.start < range.end && range.start < it.range.end)
                    .all(|it| it.asks == wanted.asks && it.is_plain_around(range))
            })
    }
}

impl Sentence {
    fn new(text: &str, range: Range<usize>) -> Self {
        let raw = text.get(range.clone()).unwrap_or_default();
        let mut tokens = tokens(raw);
        for token in &mut tokens {
            token.raw = token.raw.start + range.start..token.raw.end + range.start;
        }
        Self {
            tokens,
            asks: raw.trim_end().ends_with(['?', '？']),
            range,
        }
    }

    /// Whether nothing outside these bytes denies or hedges what stands in them.
    fn is_plain_around(&self, inside: &Range<usize>) -> bool {
        self.tokens
            .iter()
            .filter(|token| token.raw.end <= inside.start || inside.end <= token.raw.start)
            .all(|token| !matches!(token.sort, Sort::Negation | Sort::Hedge))
    }

    /// Whether this sentence has every word of the wanted one, says no as often, and hedges no
    /// more; where direction matters, in the same order.
    fn says(&self, wanted: &Self) -> bool {
        let has_content = wanted.tokens.iter().any(|it| it.sort == Sort::Content);
        has_content
            && self.asks == wanted.asks
            && self
                .words(Sort::Content)
                .is_superset(&wanted.words(Sort::Content))
            && self.sorted(Sort::Negation) == wanted.sorted(Sort::Negation)
            && self.sorted(Sort::Hedge) == wanted.sorted(Sort::Hedge)
            && (!wanted.has_direction() || self.has_in_order(wanted))
    }

    fn words(&self, sort: Sort) -> BTreeSet<&str> {
        self.sorted(sort).into_iter().collect()
    }

    fn sorted(&self, sort: Sort) -> Vec<&str> {
        let mut words: Vec<_> = self
            .tokens
            .iter()
            .filter(|token| token.sort == sort)
            .map(|token| token.word.as_str())
            .collect();
        words.sort_unstable();
        words
    }

    /// Whether swapping two of its words could turn it round: two names or numbers stand in it.
    fn has_direction(&self) -> bool {
        let content = self.tokens.iter().filter(|it| it.sort == Sort::Content);
        content.count() > 2
    }

    fn has_in_order(&self, wanted: &Self) -> bool {
        let mut ours = self.tokens.iter();
        wanted
            .tokens
            .iter()
            .filter(|token| token.sort != Sort::Filler)
            .all(|token| ours.any(|our| our.word == token.word))
    }
}

/// Whether a match is not the middle of a longer word or number.
fn stands_alone(text: &str, range: Range<usize>) -> bool {
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let inside = text.get(range).unwrap_or_default();
    let mut back = before.chars().rev();
    let mut ahead = after.chars();
    !runs_on(inside.chars().next(), back.next(), back.next())
        && !runs_on(inside.chars().next_back(), ahead.next(), ahead.next())
}

/// Whether the edge of a match goes on outside it: a letter or digit beside it, or a mark with
/// one behind it, or a sign that belongs to a number.
fn runs_on(edge: Option<char>, next: Option<char>, second: Option<char>) -> bool {
    let Some(next) = next else { return false };
    if !edge.is_some_and(char::is_alphanumeric) {
        return false;
    }
    let number = edge.is_some_and(char::is_numeric);
    next.is_alphanumeric()
        || (".,:/_-'@#=+".contains(next) && second.is_some_and(char::is_alphanumeric))
        || (number && "%€$£¥°-+".contains(next))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Strength, align};

    fn check(
        claim: &str,
        messages: &[&str],
        supporting: &[(usize, &str, Strength)],
        missing: &[&str],
    ) {
        let found = align(claim, messages);
        let quotes: Vec<_> = found
            .supporting
            .iter()
            .map(|quote| {
                (
                    quote.message,
                    messages[quote.message].get(quote.range.clone()).unwrap(),
                    quote.strength,
                )
            })
            .collect();
        assert_eq!(quotes, supporting, "{claim}");
        let words: Vec<_> = found
            .unsupported
            .iter()
            .map(|range| claim.get(range.clone()).unwrap())
            .collect();
        assert_eq!(words, missing, "{claim}");
    }

    #[test]
    fn every_case_is_aligned_as_its_file_says() {
        #[derive(serde::Deserialize)]
        struct Case {
            claim: String,
            messages: Vec<String>,
            verbatim: Option<Vec<(usize, String)>>,
            words: Option<Vec<(usize, String)>>,
            missing: Option<Vec<String>>,
        }
        for line in include_str!("../../tests/cases/evidence/align.jsonl").lines() {
            let case: Case = serde_json::from_str(line).unwrap();
            let messages: Vec<_> = case.messages.iter().map(String::as_str).collect();
            let (verbatim, words) = (
                case.verbatim.unwrap_or_default(),
                case.words.unwrap_or_default(),
            );
            let mut expected: Vec<_> = verbatim
                .iter()
                .map(|(at, text)| (*at, text.as_str(), Strength::Verbatim))
                .collect();
            expected.extend(
                words
                    .iter()
                    .map(|(at, text)| (*at, text.as_str(), Strength::Words)),
            );
            expected.sort_by_key(|quote| quote.0);
            let missing = case.missing.unwrap_or_default();
            let missing: Vec<_> = missing.iter().map(String::as_str).collect();
            check(&case.claim, &messages, &expected, &missing);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn quotes_and_missing_words_are_ranges_of_their_texts(
            claim in "([a-c5 .,'?%-]|not |if |\\PC){0,30}",
            messages in prop::collection::vec("([a-c5 .,'?%\n-]|not |if |\\PC){0,60}", 0..4),
        ) {
            let texts: Vec<_> = messages.iter().map(String::as_str).collect();
            let found = align(&claim, &texts);
            for quote in &found.supporting {
                prop_assert!(texts[quote.message].get(quote.range.clone()).is_some());
            }
            for range in &found.unsupported {
                prop_assert!(claim.get(range.clone()).is_some_and(|word| !word.is_empty()));
            }
            prop_assert!(found.supporting.is_empty() || found.unsupported.is_empty());
        }
    }

    #[test]
    fn an_empty_claim_has_no_support() {
        check("", &["", "anything"], &[], &[]);
        check("...", &["a ... b"], &[], &[]);
        check("the", &["not the one"], &[], &[]);
    }

    /// On the shared development rows: what is taken as supported must be supported.
    #[test]
    fn what_is_quoted_is_rarely_wrong() {
        let folder = std::env::var_os("COUNTERSIGN_SHARED").map_or_else(
            || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
            std::path::PathBuf::from,
        );
        let path = folder.join("evidence/support_dev.jsonl");
        let Ok(rows) = std::fs::read_to_string(&path) else {
            let _ = std::io::Write::write_fmt(
                &mut std::io::stderr(),
                format_args!(
                    "SKIPPED what_is_quoted_is_rarely_wrong: {} is missing\n",
                    path.display()
                ),
            );
            return;
        };
        let mut counts = std::collections::BTreeMap::<(String, bool), usize>::new();
        for line in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let evidence = row["evidence"].as_array().unwrap();
            let texts: Vec<_> = evidence
                .iter()
                .map(|item| item["text"].as_str().unwrap())
                .collect();
            // What only a model says has its words there; that they are worth a model's trust is
            // for the caller, who knows the trust of each message.
            let found = align(row["claim"].as_str().unwrap(), &texts)
                .supporting
                .iter()
                .any(|quote| evidence[quote.message]["trust"] != "model");
            let label = row["label"].as_str().unwrap().to_owned();
            *counts.entry((label, found)).or_default() += 1;
        }
        eprintln!("{counts:?}");
        let of = |label: &str| counts.get(&(label.to_owned(), true)).copied().unwrap_or(0);
        let wrong = of("contradicted") + of("overstated") + of("unsupported");
        assert!(wrong * 10 <= of("supported") + wrong, "{counts:?}");
    }
}
