//! Every word the rules look for, in one tree that is walked where words begin.
//!
//! Keywords, words of families and what patterns need are found in one pass over a view, which
//! visits a byte about once: most words of an ordinary text are in no rule and end at their second
//! or third letter. Knows nothing of rules; what a word means is a number to it.

use crate::gate::need::{NeededWords, Present};
use crate::gate::work::work;
use std::collections::BTreeMap;

const NONE: u32 = u32::MAX;

/// What a word is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// An entry of a family.
    Entry(Entry),
    /// A keyword of this rule, of its second group or not.
    Keyword(usize, bool),
    /// What some pattern needs.
    Needed(usize),
}

/// How an entry of a family is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) number: usize,
    /// Letters may follow.
    pub(crate) open: bool,
    /// Letters may stand before.
    pub(crate) inside: bool,
}

/// The trees, over what so many rules look for.
#[derive(Debug)]
pub(crate) struct Index {
    /// What may stand where a word begins.
    tree: Tree,
    /// What may also stand inside a word of plain letters: a few endings of compounds.
    inner: Tree,
    rules: usize,
    needed: usize,
}

/// Words that share their beginnings, and what each of them means.
///
/// The nodes of one parent lie side by side, and so do the bytes that lead to them: most words of a
/// text leave the tree after two or three such looks.
#[derive(Debug)]
struct Tree {
    words: Vec<Box<[u8]>>,
    meanings: Vec<Vec<Meaning>>,
    nodes: Vec<Node>,
    /// For each node, the byte that leads to it.
    labels: Vec<u8>,
    roots: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    /// The word that ends here, or the only one that goes on from here.
    word: u32,
    /// The first of the nodes below; one without any is the last of its word.
    first: u32,
    below: u16,
    /// How many bytes of the word were walked.
    depth: u16,
    /// Of a last node, the next byte of its word; zero where the word ends.
    ahead: u8,
}

/// One word of a text, and the sentence it stands in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word {
    pub(crate) start: usize,
    pub(crate) sentence: usize,
}

/// An entry of a family, where it stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub(crate) entry: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The number of the word it begins in.
    pub(crate) word: usize,
}

/// What was found in one text.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) words: Vec<Word>,
    pub(crate) entries: Vec<Found>,
    pub(crate) present: Present,
    /// Whether there are digits.
    pub(crate) digits: bool,
    /// For each rule, whether a keyword of its first and of its second group stands there.
    picked: Vec<(bool, bool)>,
}

impl Index {
    /// A tree over entries of families, keywords of so many rules, and what patterns need.
    pub(crate) fn new(
        entries: impl Iterator<Item = (String, Entry)>,
        keywords: impl Iterator<Item = (String, usize, bool)>,
        needed: &NeededWords,
        rules: usize,
    ) -> Self {
        let mut all: BTreeMap<String, Vec<Meaning>> = BTreeMap::new();
        let mut inner: BTreeMap<String, Vec<Meaning>> = BTreeMap::new();
        for (text, entry) in entries {
            if entry.inside && text.starts_with(|c: char| c.is_ascii_alphanumeric()) {
                let meanings = inner.entry(text.clone()).or_default();
                meanings.push(Meaning::Entry(entry));
            }
            all.entry(text).or_default().push(Meaning::Entry(entry));
        }
        for (text, rule, second) in keywords {
            let meaning = Meaning::Keyword(rule, second);
            all.entry(text).or_default().push(meaning);
        }
        for (text, number) in needed.iter() {
            let meanings = all.entry(text.to_owned()).or_default();
            meanings.push(Meaning::Needed(number));
        }
        Self {
            tree: Tree::new(all),
            inner: Tree::new(inner),
            rules,
            needed: needed.len(),
        }
    }

    /// Reads a text in lower case.
    pub(crate) fn read(&self, text: &str) -> Seen {
        let bytes = text.as_bytes();
        let mut seen = Seen {
            words: Vec::with_capacity(text.len() / 5 + 1),
            present: Present::of(self.needed),
            picked: vec![(false, false); self.rules],
            ..Seen::default()
        };
        let (mut sentence, mut inside, mut after_plain) = (0, false, false);
        let mut at = 0;
        while let Some(byte) = bytes.get(at).copied() {
            let (c, len) = if byte.is_ascii() {
                (char::from(byte), 1)
            } else {
                let c = text.get(at..).and_then(|rest| rest.chars().next());
                let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
                (c, c.len_utf8())
            };
            let plain = byte.is_ascii_alphanumeric();
            let next = || text.get(at + len..).and_then(|rest| rest.chars().next());
            let mut begins = false;
            if plain && inside {
                // The commonest case: on inside a word.
            } else if is_dense(c) {
                (begins, inside) = (true, false);
            } else if is_letter(c) || (c == '\'' && inside && next().is_some_and(is_letter)) {
                begins = !std::mem::replace(&mut inside, true);
            } else {
                inside = false;
                sentence += usize::from(ends_sentence(c, next));
            }
            if begins {
                let start = at;
                seen.words.push(Word { start, sentence });
            }
            seen.digits |= byte.is_ascii_digit();
            let opens = !plain || !after_plain;
            let tree = if opens || begins {
                &self.tree
            } else {
                &self.inner
            };
            if tree.begins(byte) {
                let word = seen.words.len();
                tree.walk(bytes, at, |meanings, end| {
                    for meaning in meanings {
                        seen.note(*meaning, text, at, end, (word, begins, opens));
                    }
                });
            }
            after_plain = plain;
            at += len;
        }
        seen
    }
}

impl Tree {
    fn new(mut all: BTreeMap<String, Vec<Meaning>>) -> Self {
        all.remove("");
        let (words, meanings) = all
            .into_iter()
            .map(|(word, meanings)| (word.into_bytes().into_boxed_slice(), meanings))
            .unzip();
        let mut tree = Self {
            words,
            meanings,
            nodes: Vec::new(),
            labels: Vec::new(),
            roots: vec![NONE; 256],
        };
        tree.grow();
        tree
    }

    /// Builds the tree, level by level: each node stands for words that begin alike.
    fn grow(&mut self) {
        let mut level: Vec<(usize, usize, usize)> = Vec::new();
        for (first, from, past) in self.alike(0, self.words.len(), 0) {
            let node = self.nodes.len();
            self.sprout(first, from, 1);
            if let Some(root) = self.roots.get_mut(usize::from(first)) {
                *root = number(node);
            }
            level.push((node, from, past));
        }
        let mut depth = 1;
        while !level.is_empty() {
            let mut next = Vec::new();
            for (node, from, past) in level {
                if past - from == 1 {
                    continue;
                }
                let ends = self.words.get(from).is_some_and(|word| word.len() == depth);
                let first = self.nodes.len();
                for (byte, from, past) in self.alike(from + usize::from(ends), past, depth) {
                    next.push((self.nodes.len(), from, past));
                    self.sprout(byte, from, depth + 1);
                }
                let below = self.nodes.len() - first;
                if let Some(node) = self.nodes.get_mut(node) {
                    node.first = number(first);
                    node.below = u16::try_from(below).unwrap_or(u16::MAX);
                    if !ends {
                        node.word = NONE;
                    }
                }
            }
            (level, depth) = (next, depth + 1);
        }
    }

    fn sprout(&mut self, label: u8, word: usize, depth: usize) {
        let ahead = self.words.get(word).and_then(|word| word.get(depth));
        self.labels.push(label);
        self.nodes.push(Node {
            word: number(word),
            first: 0,
            below: 0,
            depth: u16::try_from(depth).unwrap_or(u16::MAX),
            ahead: ahead.copied().unwrap_or(0),
        });
    }

    /// The words of a range, in groups of one byte at this depth.
    fn alike(&self, from: usize, past: usize, depth: usize) -> Vec<(u8, usize, usize)> {
        let mut out: Vec<(u8, usize, usize)> = Vec::new();
        for at in from..past {
            let Some(byte) = self.words.get(at).and_then(|word| word.get(depth)) else {
                continue;
            };
            match out.last_mut().filter(|(last, ..)| last == byte) {
                Some((_, _, end)) => *end = at + 1,
                None => out.push((*byte, at, at + 1)),
            }
        }
        out
    }

    /// Whether any word begins with this byte.
    fn begins(&self, byte: u8) -> bool {
        let root = self.roots.get(usize::from(byte));
        root.is_some_and(|root| *root != NONE)
    }

    /// Calls back with each word that begins at this place, and where it ends.
    fn walk(&self, text: &[u8], at: usize, mut found: impl FnMut(&[Meaning], usize)) {
        let root = text
            .get(at)
            .and_then(|byte| self.roots.get(usize::from(*byte)));
        let mut here = root.copied().unwrap_or(NONE);
        while let Some(node) = self.nodes.get(here as usize) {
            work(1);
            let (word, past) = (node.word as usize, at + usize::from(node.depth));
            let next = text.get(past).copied();
            if node.below == 0 {
                // Nothing else begins like this: the rest of the word is there, or it is not.
                if node.ahead != 0 && next != Some(node.ahead) {
                    return;
                }
                let rest = self.words.get(word).and_then(|word| word.get(past - at..));
                let ahead = text.get(past..).unwrap_or_default();
                if let Some(rest) = rest.filter(|rest| ahead.starts_with(rest)) {
                    let meanings = self.meanings.get(word).map(Vec::as_slice);
                    found(meanings.unwrap_or_default(), past + rest.len());
                }
                return;
            }
            if let Some(meanings) = self.meanings.get(word) {
                found(meanings, past);
            }
            let first = node.first as usize;
            let labels = self.labels.get(first..first + usize::from(node.below));
            let mut labels = labels.unwrap_or_default().iter();
            match next.and_then(|next| labels.position(|label| *label == next)) {
                Some(below) => here = node.first + number(below),
                None => return,
            }
        }
    }
}

fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(NONE)
}

impl Seen {
    fn note(
        &mut self,
        meaning: Meaning,
        text: &str,
        start: usize,
        end: usize,
        (word, begins, opens): (usize, bool, bool),
    ) {
        match meaning {
            Meaning::Entry(entry) => {
                let stands = (begins || entry.inside) && (entry.open || ends_word(text, end));
                if let Some(word) = word.checked_sub(1).filter(|_| stands) {
                    let entry = entry.number;
                    self.entries.push(Found {
                        entry,
                        start,
                        end,
                        word,
                    });
                }
            }
            Meaning::Keyword(rule, second) if opens => {
                if let Some(picked) = self.picked.get_mut(rule) {
                    if second {
                        picked.1 = true;
                    } else {
                        picked.0 = true;
                    }
                }
            }
            Meaning::Needed(number) if opens => self.present.add(number),
            Meaning::Keyword(..) | Meaning::Needed(_) => (),
        }
    }

    /// Whether keywords of a rule stand here: of its first group, and of its second if it has one.
    pub(crate) fn picks(&self, rule: usize, second: bool) -> bool {
        let picked = self.picked.get(rule).copied().unwrap_or_default();
        picked.0 && (picked.1 || !second)
    }
}

fn ends_sentence(c: char, next: impl Fn() -> Option<char>) -> bool {
    match c {
        '\n' | ';' | '。' | '！' | '？' | '।' | '؟' | '؛' => true,
        '.' | '!' | '?' => next().is_none_or(char::is_whitespace),
        _ => false,
    }
}

fn ends_word(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let before = at.checked_sub(1).and_then(|place| bytes.get(place));
    let after = bytes.get(at);
    match (before, after) {
        (_, None) => true,
        (Some(before), Some(after)) if before.is_ascii() && after.is_ascii() => {
            !is_letter(char::from(*after))
        }
        _ => {
            let before = text.get(..at).and_then(|head| head.chars().next_back());
            let after = text.get(at..).and_then(|rest| rest.chars().next());
            before.is_some_and(is_dense) || after.is_none_or(|c| !is_letter(c) || is_dense(c))
        }
    }
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

#[cfg(test)]
mod tests {
    use super::{Entry, Index};
    use crate::gate::need::{Need, NeededWords};

    fn index(words: &[&str]) -> Index {
        let entry = |number| Entry {
            number,
            open: true,
            inside: false,
        };
        let entries = words
            .iter()
            .enumerate()
            .map(|(n, word)| ((*word).to_owned(), entry(n)));
        Index::new(entries, std::iter::empty(), &NeededWords::default(), 0)
    }

    fn check(words: &[&str], text: &str, expected: &[&str]) {
        let found: Vec<&str> = index(words)
            .read(text)
            .entries
            .iter()
            .map(|found| text.get(found.start..found.end).unwrap())
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn words_are_found_where_words_begin() {
        let words = ["skip", "skip it", "ski", "review", "re", "x"];
        check(&words, "we skip it", &["ski", "skip", "skip it"]);
        check(&words, "outskip review", &["re", "review"]);
        check(&words, "revie", &["re"]);
        check(&words, "", &[]);
        check(&["审批", "审"], "无需审批", &["审", "审批"]);
    }

    #[test]
    fn keywords_begin_words_or_are_signs() {
        let keywords = [
            ("skip", 0, false),
            ("://", 1, false),
            ("review", 2, false),
            ("no ", 2, true),
        ];
        let keywords = keywords
            .iter()
            .map(|(text, rule, second)| ((*text).to_owned(), *rule, *second));
        let mut needed = NeededWords::default();
        let need = Need::of(r"\bskip\b.*\bthe test", &mut needed);
        let index = Index::new(std::iter::empty(), keywords, &needed, 3);
        let seen = index.read("outskip http://x review");
        assert!(!seen.picks(0, false) && seen.picks(1, false));
        assert!(seen.picks(2, false) && !seen.picks(2, true));
        assert!(!need.met(&seen.present));
        assert!(need.met(&index.read("skip the test").present));
        assert!(index.read("no review").picks(2, true));
    }
}
