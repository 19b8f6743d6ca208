//! The words of a text, each with its bytes, its clause and its plain form.
//!
//! Contractions are opened (`don't` is two words on one span), compounds are parted (`two-week`),
//! while paths, flags, versions and identifiers stay whole. No meaning yet.

use std::ops::Range;

use crate::features::chunk::{Shape, shape, trimmed};
use crate::features::kin::root;
use crate::features::opened::{AFTER_AND, CONTRACTED, INNER, OPENERS, SHORT};
use crate::features::stem::stem;

/// One word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// In lower case, as written.
    pub lower: String,
    /// Without its ending: `refunded` and `refunds` are `refund`.
    pub stem: String,
    /// The head of the words that say the same, else the stem.
    pub root: String,
    /// Its bytes in the raw text.
    pub span: Range<usize>,
    /// What it looks like.
    pub shape: Shape,
    /// The clause it stands in, counted over the whole text.
    pub clause: usize,
    /// The sentence it stands in.
    pub sentence: usize,
    /// Whether it is the first word of its sentence.
    pub first: bool,
    /// Whether it opens its clause after a mark or a conjunction.
    pub opens: bool,
    /// Whether its clause is denied.
    pub denied: bool,
    /// Whether its clause is a condition: what follows `if`, or `too small?` before an answer.
    pub given: bool,
}

/// What parts two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stop {
    None,
    Clause,
    Sentence,
}

/// The words of a text, in order.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut reader = Reader::default();
    let mut at = 0;
    let mut gap = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let chunk = piece.trim_end_matches(char::is_whitespace);
        if chunk.is_empty() {
            gap += 1;
        } else {
            if gap > 0 {
                // Two blanks in a row part the columns of a table.
                reader.stop(Stop::Clause);
            }
            reader.chunk(chunk, at);
            gap = 0;
        }
        if piece.ends_with(['\n', '\r', '\u{2028}', '\u{2029}']) {
            reader.stop(Stop::Sentence);
            gap = 0;
        }
        at += piece.len();
    }
    reader.words
}

#[derive(Default)]
struct Reader {
    words: Vec<Word>,
    clause: usize,
    sentence: usize,
    pending: Option<Stop>,
}

impl Reader {
    fn stop(&mut self, stop: Stop) {
        self.pending = self.pending.max(Some(stop));
    }

    fn chunk(&mut self, chunk: &str, at: usize) {
        let (lead, core, tail) = trimmed(chunk);
        if chunk.starts_with(['(', '[', '{', '"', '“', '«', '„']) {
            self.stop(Stop::Clause);
        }
        let sign = chunk.trim_end_matches([',', '.', ';', ')']);
        if matches!(sign, "%" | "€" | "$" | "£") {
            return self.push(sign, at..at + sign.len(), Shape::Lower);
        }
        if core.is_empty() {
            self.stop(mark_stop(chunk));
            return;
        }
        self.core(core, at + lead);
        self.stop(mark_stop(tail));
    }

    fn core(&mut self, core: &str, at: usize) {
        if core.bytes().all(|byte| byte.is_ascii_alphabetic())
            && !core.bytes().skip(1).any(|byte| byte.is_ascii_uppercase())
        {
            return self.plain(core, at);
        }
        if core.ends_with('.') {
            // Only an abbreviation keeps its full stop: `a.m.`.
            return self.add(core.to_lowercase(), at..at + core.len(), Shape::Lower);
        }
        let shape = shape(core);
        if shape.is_whole() {
            return self.push(core, at..at + core.len(), shape);
        }
        let lower = core
            .chars()
            .map(straight)
            .collect::<String>()
            .to_lowercase();
        if let Some(parts) = SHORT.get(lower.as_str()) {
            return self.opened(parts, at..at + core.len());
        }
        let mut from = 0;
        let mut joined: Option<usize> = None;
        for part in core.split_inclusive(INNER) {
            let bare = part.trim_end_matches(|c: char| !c.is_alphanumeric());
            let start = joined.take().unwrap_or(from);
            from += part.len();
            if is_letter(bare) && part.ends_with('-') {
                // A letter before a hyphen belongs to what follows: `e-mail`.
                joined = Some(start);
            } else if !bare.is_empty() {
                let end = from - (part.len() - bare.len());
                self.part(core.get(start..end).unwrap_or(bare), at + start);
            }
        }
    }

    /// The short way for most words: letters only, at most the first of them a capital.
    fn plain(&mut self, core: &str, at: usize) {
        let span = at..at + core.len();
        let lower = core.to_ascii_lowercase();
        if let Some(parts) = SHORT.get(lower.as_str()) {
            return self.opened(parts, span);
        }
        let capital = core.starts_with(|c: char| c.is_ascii_uppercase());
        let shape = if capital {
            Shape::Capital
        } else {
            Shape::Lower
        };
        self.add(lower, span, shape);
    }

    fn part(&mut self, part: &str, at: usize) {
        let span = at..at + part.len();
        let plain: String = part.chars().filter(|c| *c != '-').map(straight).collect();
        let lower = plain.to_lowercase();
        if let Some(verb) = lower.strip_suffix("n't") {
            self.push(verb, span.clone(), Shape::Lower);
            return self.push("not", span, Shape::Lower);
        }
        for (ending, word) in CONTRACTED {
            if let Some(head) = lower.strip_suffix(ending) {
                let shape = shape(part.get(..head.len()).unwrap_or(part));
                self.push(head, span.clone(), shape);
                return self.push(word, span, Shape::Lower);
            }
        }
        let head = lower
            .strip_suffix("'s")
            .or_else(|| lower.strip_suffix('\''))
            .unwrap_or(&lower);
        let shape = shape(part.get(..head.len()).unwrap_or(part));
        self.push(head, span, shape);
    }

    fn opened(&mut self, parts: &[&str], span: Range<usize>) {
        for part in parts {
            self.push(part, span.clone(), Shape::Lower);
        }
    }

    fn push(&mut self, word: &str, span: Range<usize>, shape: Shape) {
        self.add(word.to_lowercase(), span, shape);
    }

    fn add(&mut self, lower: String, span: Range<usize>, shape: Shape) {
        let first = self.words.is_empty() || self.pending == Some(Stop::Sentence);
        let opens = first || self.pending == Some(Stop::Clause) || self.turns(&lower);
        if opens && !self.words.is_empty() {
            self.clause += 1;
        }
        if first && !self.words.is_empty() {
            self.sentence += 1;
        }
        let stem = stem(&lower);
        self.words.push(Word {
            root: match crate::features::is_small(&lower) {
                true => lower.clone(),
                false => root(&stem).to_owned(),
            },
            stem,
            lower,
            span,
            shape,
            clause: self.clause,
            sentence: self.sentence,
            first,
            opens,
            denied: false,
            given: false,
        });
        self.pending = None;
    }

    /// Whether a conjunction starts a new clause here.
    fn turns(&self, lower: &str) -> bool {
        let Some(last) = self.words.last() else {
            return true;
        };
        let joined = matches!(last.lower.as_str(), "and" | "or") && AFTER_AND.contains(&lower);
        joined
            || (OPENERS.contains(&lower)
                && !matches!(last.lower.as_str(), "only" | "even" | "and" | "just"))
    }
}

/// How strongly the marks behind a word part it from the next.
fn mark_stop(marks: &str) -> Stop {
    if marks.contains(['.', '!', '?', '…', '。', '？', '！']) {
        Stop::Sentence
    } else if marks.contains([
        ',', ';', ':', ')', ']', '}', '"', '”', '»', '–', '—', '→', '>',
    ]) || marks == "-"
    {
        Stop::Clause
    } else {
        Stop::None
    }
}

fn is_letter(word: &str) -> bool {
    word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn straight(c: char) -> char {
    match c {
        '’' | 'ʼ' | '`' => '\'',
        _ => c,
    }
}
