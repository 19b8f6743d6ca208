//! Where the words of the families stand in a text: one pass, no pattern.
//!
//! A family is a list of words that say the same thing for a rule ("approve", "wave through",
//! "give the nod"). Every frame is written in families, so one automaton reads them all, once for
//! each view, whatever the number of rules. Knows nothing of rules, negation or trust.

use aho_corasick::AhoCorasick;
use std::collections::BTreeMap;

/// How many families there may be.
const MOST: usize = 512;

/// Every family, behind one automaton.
#[derive(Debug)]
pub(crate) struct Families {
    names: BTreeMap<String, usize>,
    automaton: AhoCorasick,
    entries: Vec<Entry>,
}

/// One word or phrase, and what it belongs to.
#[derive(Debug)]
struct Entry {
    families: Vec<usize>,
    /// Letters may follow.
    open: bool,
    /// Letters may stand before.
    inside: bool,
}

/// A set of families.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Set([u64; MOST / 64]);

/// One word of a family, where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) family: usize,
    /// Bytes of the view.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Words of the view: its first and its last.
    pub(crate) first: usize,
    pub(crate) last: usize,
}

/// The marks of one sentence, in order.
#[derive(Debug, Default)]
pub(crate) struct Sentence {
    /// The number of its first word.
    pub(crate) opens: usize,
    pub(crate) marks: Vec<Mark>,
    pub(crate) present: Set,
}

/// A word of the text, and the sentence it stands in.
#[derive(Debug, Clone, Copy)]
struct Word {
    start: usize,
    sentence: usize,
}

impl Set {
    pub(crate) fn add(&mut self, family: usize) {
        if let Some(bits) = self.0.get_mut(family / 64) {
            *bits |= 1 << (family % 64);
        }
    }

    pub(crate) fn has(&self, family: usize) -> bool {
        let bits = self.0.get(family / 64);
        bits.is_some_and(|bits| bits & (1 << (family % 64)) != 0)
    }

    /// Whether the two have a family in common.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }
}

impl Families {
    /// Builds the automaton over lists of words; a word may end in `+` (its inflected forms) or
    /// `*` (anything that begins so), and begin with `*` (may stand inside a word).
    pub(crate) fn new(lists: &BTreeMap<String, Vec<String>>) -> Result<Self, String> {
        if lists.len() > MOST {
            return Err(format!("there are more than {MOST} families"));
        }
        let names: BTreeMap<String, usize> = lists
            .keys()
            .cloned()
            .enumerate()
            .map(|(n, k)| (k, n))
            .collect();
        let mut forms: BTreeMap<(String, bool, bool), Vec<usize>> = BTreeMap::new();
        for (family, words) in lists.values().enumerate() {
            for word in words {
                for form in forms_of(word)? {
                    let owners = forms.entry(form).or_default();
                    if !owners.contains(&family) {
                        owners.push(family);
                    }
                }
            }
        }
        let texts: Vec<&str> = forms.keys().map(|(text, _, _)| text.as_str()).collect();
        let automaton = AhoCorasick::new(texts).map_err(|error| error.to_string())?;
        let entries = forms
            .into_iter()
            .map(|((_, open, inside), families)| Entry {
                families,
                open,
                inside,
            });
        Ok(Self {
            names,
            automaton,
            entries: entries.collect(),
        })
    }

    /// The number of a family.
    pub(crate) fn named(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// The marks of a folded text, sentence by sentence; sentences without any are left out.
    pub(crate) fn read(&self, text: &str) -> Vec<Sentence> {
        let mut found = self.automaton.find_overlapping_iter(text).peekable();
        if found.peek().is_none() {
            return Vec::new();
        }
        let words = words(text);
        let mut out: Vec<Sentence> = Vec::new();
        let mut last_sentence = None;
        let mut marks: Vec<(usize, Mark)> = Vec::new();
        for hit in found {
            let Some(entry) = self.entries.get(hit.pattern().as_usize()) else {
                continue;
            };
            let past = words.partition_point(|word| word.start <= hit.start());
            let Some(word) = past.checked_sub(1).and_then(|place| words.get(place)) else {
                continue;
            };
            let starts = entry.inside || word.start == hit.start();
            if !starts || !(entry.open || ends_word(text, hit.end())) {
                continue;
            }
            let last = words.partition_point(|word| word.start < hit.end());
            for &family in &entry.families {
                let mark = Mark {
                    family,
                    start: hit.start(),
                    end: hit.end(),
                    first: past - 1,
                    last: last.saturating_sub(1),
                };
                marks.push((word.sentence, mark));
            }
        }
        marks.sort_by_key(|(_, mark)| (mark.start, mark.end, mark.family));
        for (sentence, mark) in marks {
            if last_sentence != Some(sentence) {
                last_sentence = Some(sentence);
                let opens = words.partition_point(|word| word.sentence < sentence);
                out.push(Sentence {
                    opens,
                    ..Sentence::default()
                });
            }
            if let Some(here) = out.last_mut() {
                here.present.add(mark.family);
                here.marks.push(mark);
            }
        }
        out
    }
}

/// The words of a text; in scripts without spaces every character is one.
fn words(text: &str) -> Vec<Word> {
    let mut out = Vec::with_capacity(text.len() / 5 + 1);
    let mut sentence = 0;
    let mut inside = false;
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        if is_dense(c) {
            out.push(Word { start, sentence });
            inside = false;
        } else if is_letter(c) || (c == '\'' && inside && next.is_some_and(is_letter)) {
            if !inside {
                out.push(Word { start, sentence });
            }
            inside = true;
        } else {
            inside = false;
            sentence += usize::from(ends_sentence(c, next));
        }
    }
    out
}

fn ends_sentence(c: char, next: Option<char>) -> bool {
    match c {
        '\n' | ';' | '。' | '！' | '？' | '।' | '؟' | '؛' => true,
        '.' | '!' | '?' => next.is_none_or(char::is_whitespace),
        _ => false,
    }
}

fn ends_word(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|head| head.chars().next_back());
    let after = text.get(at..).and_then(|rest| rest.chars().next());
    before.is_some_and(is_dense) || after.is_none_or(|c| !is_letter(c) || is_dense(c))
}

/// Whether a character belongs to a word; marks of Indic and Arabic letters do.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || c == '_'
        || (!c.is_ascii()
            && (c.is_alphanumeric() || matches!(c, '\u{900}'..='\u{dff}'))
            && c != '।')
}

/// Whether words of this script are written without spaces.
const fn is_dense(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// What an entry of a list stands for: text, whether letters may follow, whether they may precede.
fn forms_of(word: &str) -> Result<Vec<(String, bool, bool)>, String> {
    let (inside, rest) = match word.strip_prefix('*') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let (open, inflected, stem) = match (rest.strip_suffix('*'), rest.strip_suffix('+')) {
        (Some(stem), _) => (true, false, stem),
        (None, Some(stem)) => (false, true, stem),
        (None, None) => (false, false, rest),
    };
    if stem.is_empty() || stem.to_lowercase() != stem {
        return Err(format!(
            "`{word}` is no word of a family: write it in lower case"
        ));
    }
    let forms = if inflected {
        inflections(stem)
    } else {
        vec![stem.to_owned()]
    };
    Ok(forms.into_iter().map(|form| (form, open, inside)).collect())
}

/// The regular forms of an English verb or noun; of a phrase, those of its first and of its last
/// word. Forms that no dictionary knows do no harm.
fn inflections(stem: &str) -> Vec<String> {
    let Some((head, tail)) = stem.split_once(' ') else {
        return word_forms(stem);
    };
    let first = word_forms(head)
        .into_iter()
        .map(|form| format!("{form} {tail}"));
    let (rest, last) = stem.rsplit_once(' ').unwrap_or((head, tail));
    let last = word_forms(last)
        .into_iter()
        .map(|form| format!("{rest} {form}"));
    first.chain(last).collect()
}

fn word_forms(word: &str) -> Vec<String> {
    let chopped = word.strip_suffix(['e', 'y']).unwrap_or(word);
    let mut forms = vec![word.to_owned(), format!("{word}s"), format!("{word}'s")];
    if word.ends_with('e') {
        forms.extend([format!("{word}d"), format!("{chopped}ing")]);
    } else if word.ends_with('y') {
        forms.extend([
            format!("{chopped}ies"),
            format!("{chopped}ied"),
            format!("{word}ing"),
            format!("{word}ed"),
        ]);
    } else {
        forms.extend([
            format!("{word}es"),
            format!("{word}ed"),
            format!("{word}ing"),
        ]);
        if let Some(last) = word
            .chars()
            .next_back()
            .filter(|c| "bdgklmnprt".contains(*c))
        {
            forms.extend([format!("{word}{last}ed"), format!("{word}{last}ing")]);
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::{Families, inflections};
    use std::collections::BTreeMap;

    fn families() -> Families {
        let lists = [
            ("check", vec!["review+", "sign-off", "审批"]),
            ("drop", vec!["skip+", "leave+ out", "not need*"]),
        ];
        let lists: BTreeMap<String, Vec<String>> = lists
            .into_iter()
            .map(|(name, words)| {
                (
                    name.to_owned(),
                    words.into_iter().map(str::to_owned).collect(),
                )
            })
            .collect();
        Families::new(&lists).unwrap()
    }

    /// The marks of a text, as `word` by `word`, sentences apart.
    fn check(text: &str, expected: &[&[&str]]) {
        let found = families().read(text);
        let words: Vec<Vec<&str>> = found
            .iter()
            .map(|sentence| {
                sentence
                    .marks
                    .iter()
                    .map(|m| text.get(m.start..m.end).unwrap())
                    .collect()
            })
            .collect();
        assert_eq!(words, expected, "{text}");
    }

    #[test]
    fn words_are_found_whole_and_in_their_forms() {
        check(
            "they skipped the reviews. no sign-off",
            &[&["skipped", "reviews"], &["sign-off"]],
        );
        check("reviewers skipper", &[]);
        check("they do not needed it", &[&["not need"]]);
        check("无需审批即可", &[&["审批"]]);
    }

    #[test]
    fn forms_are_those_of_the_first_and_the_last_word() {
        assert!(inflections("api key").contains(&"api keys".to_owned()));
        assert!(inflections("skip").contains(&"skipping".to_owned()));
        assert!(inflections("apply").contains(&"applied".to_owned()));
        assert!(inflections("approve").contains(&"approving".to_owned()));
        assert!(inflections("leave out").contains(&"leaving out".to_owned()));
    }
}
