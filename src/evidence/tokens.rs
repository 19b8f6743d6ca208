//! The words of a text, folded, each with its raw bytes and what sort of word it is.

use std::ops::Range;

use crate::text::folded::folded;

/// What a word does in a sentence, as far as this room cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    /// It must be said by a source.
    Content,
    /// It says no.
    Negation,
    /// It makes the sentence conditional, planned, asked for or doubtful.
    Hedge,
    /// It carries nothing of its own.
    Filler,
}

/// One word.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    /// The word in the form in which it is compared.
    pub(crate) word: String,
    /// Its bytes in the raw text.
    pub(crate) raw: Range<usize>,
    /// What sort of word it is.
    pub(crate) sort: Sort,
}

const NEGATIONS: &[&str] = &[
    "not", "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without",
    "cannot", "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "wont", "wouldnt",
    "cant", "couldnt", "shouldnt", "mustnt", "hasnt", "havent", "hadnt", "except", "nicht", "kein",
    "keine", "keinen", "keiner", "nie", "niemals", "ohne", "pas", "jamais", "sans", "nunca", "sin",
    "fails", "failed", "refused", "denied", "rejected", "declined", "stop", "stopped",
];
const HEDGES: &[&str] = &[
    "if",
    "unless",
    "until",
    "till",
    "whether",
    "when",
    "once",
    "might",
    "may",
    "maybe",
    "perhaps",
    "could",
    "would",
    "should",
    "must",
    "will",
    "shall",
    "probably",
    "possibly",
    "likely",
    "seems",
    "seem",
    "appears",
    "apparently",
    "supposedly",
    "allegedly",
    "think",
    "thinks",
    "thought",
    "believe",
    "believes",
    "guess",
    "assume",
    "assumes",
    "assuming",
    "suppose",
    "hope",
    "hopes",
    "expect",
    "expects",
    "expected",
    "plan",
    "plans",
    "planned",
    "planning",
    "propose",
    "proposes",
    "proposed",
    "proposal",
    "suggest",
    "suggests",
    "suggested",
    "want",
    "wants",
    "wanted",
    "wish",
    "ask",
    "asks",
    "asked",
    "asking",
    "request",
    "requested",
    "waiting",
    "wait",
    "pending",
    "draft",
    "tentative",
    "tentatively",
    "consider",
    "considering",
    "discuss",
    "discussed",
    "discussing",
    "can",
    "try",
    "tries",
    "tried",
    "trying",
    "almost",
    "nearly",
    "about",
    "only",
    "some",
    "sometimes",
    "often",
    "usually",
    "mostly",
    "partly",
    "unclear",
    "doubt",
    "doubts",
    "wrong",
    "false",
    "untrue",
    "pretend",
    "claims",
    "claimed",
    "wenn",
    "falls",
    "vielleicht",
    "soll",
    "sollte",
    "könnte",
    "würde",
    "was",
    "were",
    "used",
    "formerly",
    "previously",
    "longer",
    "before",
];
const FILLERS: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "is", "are", "be", "been", "being", "am",
    "do", "does", "did", "has", "have", "had", "of", "in", "on", "at", "by", "for", "with", "as",
    "and", "it", "its", "there", "so", "also", "too", "just", "then", "than", "which", "who",
    "our", "we", "us", "their", "they", "them", "you", "your", "i", "my", "me", "he", "she", "his",
    "her", "please", "here", "now", "very",
];
const NUMBERS: &[&str] = &[
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

/// The words of a text.
pub(crate) fn tokens(raw: &str) -> Vec<Token> {
    let folded = folded(raw);
    words(&folded.text)
        .into_iter()
        .map(|range| {
            let text = folded.text.get(range.clone()).unwrap_or_default();
            let bare: String = text.chars().filter(|c| !"'’".contains(*c)).collect();
            Token {
                sort: sort(&bare),
                word: compared(&bare, text),
                raw: folded.raw_range(range),
            }
        })
        .collect()
}

fn sort(word: &str) -> Sort {
    if NEGATIONS.contains(&word) {
        Sort::Negation
    } else if HEDGES.contains(&word) {
        Sort::Hedge
    } else if FILLERS.contains(&word) {
        Sort::Filler
    } else {
        Sort::Content
    }
}

/// Number words as digits, plurals and possessives as the bare noun; nothing else is bent: tense
/// can be the difference between planned and done.
fn compared(bare: &str, text: &str) -> String {
    if let Some(number) = NUMBERS.iter().position(|name| *name == bare) {
        return number.to_string();
    }
    let noun = text
        .strip_suffix("'s")
        .or_else(|| text.strip_suffix("’s"))
        .unwrap_or(bare);
    let plain = noun.chars().all(char::is_alphabetic) && noun.chars().count() > 3;
    match noun.strip_suffix('s') {
        Some(one) if plain && !one.ends_with(['s', 'u', 'i']) => one.to_owned(),
        _ => noun.to_owned(),
    }
}

/// Runs of letters and digits, with the marks that belong to them: `1,280.50`, `v1.2`, `--force`,
/// `5%`, `€5`, `a/b`, `don't`.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut chars = text.char_indices().peekable();
    let mut opening: Option<usize> = None;
    while let Some((at, c)) = chars.next() {
        if !c.is_alphanumeric() {
            let opens = "-+$€£¥#@/.~".contains(c);
            opening = if opens { opening.or(Some(at)) } else { None };
            continue;
        }
        let start = opening.take().unwrap_or(at);
        let mut end = at + c.len_utf8();
        while let Some((at, c)) = chars.peek().copied() {
            let after = text.get(at..).unwrap_or_default();
            if c.is_alphanumeric() || joins(after) || (c == '%' && end == at) {
                end = at + c.len_utf8();
                chars.next();
            } else {
                break;
            }
        }
        out.push(start..end);
    }
    out
}

/// Whether the marks this starts with join two parts of one word.
fn joins(text: &str) -> bool {
    let inner = ".,:/_-'’@#&=+?~\\";
    let marks = text.chars().take_while(|c| inner.contains(*c)).count();
    let next = text.chars().nth(marks);
    (1..=3).contains(&marks)
        && next.is_some_and(char::is_alphanumeric)
        && (!text.starts_with(',') || next.is_some_and(char::is_numeric))
        && !text.starts_with('?')
}
