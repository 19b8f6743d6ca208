//! One spelling for texts that say the same, and the key of exact recurrence.
//!
//! Folds compatibility forms, invisible characters, look-alike letters in mixed words, case,
//! quotes, dashes and white space. Deliberately keeps accents, word order and every visible letter:
//! what changes meaning is not folded. For matching only, never for showing.

use std::ops::Range;

use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use crate::text::class::{is_blank, is_format, is_ignorable};
use crate::text::names::is_noncharacter;
use crate::text::script::{is_latin, is_word_char, toward, twin};
use crate::text::spans::{Mapped, SpanMap, mapped, text};

/// Folded text, and the way back to the raw bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folded {
    pub text: String,
    map: SpanMap,
}

/// Folds `raw`. Folding folded text changes nothing.
pub fn folded(raw: &str) -> Folded {
    let chars = settled(mapped(raw));
    Folded {
        text: text(&chars),
        map: SpanMap::new(&chars, raw.len()),
    }
}

/// Two texts with one key are the same claim: folded, code between backticks letter for letter
/// (less what is invisible), and without full stops, question and exclamation marks at the end.
pub fn key(raw: &str) -> String {
    let folded = text(&settled(with_code_kept(raw)));
    match folded.trim_end_matches(['.', '!', '?', ' ']) {
        "" => folded,
        trimmed => trimmed.to_owned(),
    }
}

impl Folded {
    /// The raw bytes behind a byte range of `text`: on character boundaries, covering all of it.
    pub fn raw_range(&self, folded: Range<usize>) -> Range<usize> {
        self.map.raw_range(folded)
    }

    pub(crate) fn into_parts(self) -> (String, SpanMap) {
        (self.text, self.map)
    }
}

/// One pass can make room for another (a removed joiner lets a mark compose), so passes run until
/// nothing changes. Text needs two or three; the bound only guards against a flaw in the tables.
const MOST_PASSES: usize = 12;

fn settled(mut chars: Vec<Mapped>) -> Vec<Mapped> {
    for _ in 0..MOST_PASSES {
        let next = pass(&chars);
        let stable = next.len() == chars.len() && next.iter().zip(&chars).all(|(a, b)| a.c == b.c);
        // ASCII has nothing left that a second pass would change.
        let done = stable || next.iter().all(|mapped| mapped.c.is_ascii());
        chars = next;
        if done {
            break;
        }
    }
    chars
}

fn pass(chars: &[Mapped]) -> Vec<Mapped> {
    squeezed(&lowered(&unmixed(&normalised(&without_invisibles(chars)))))
}

/// Drops what cannot be seen; what looks blank becomes a space.
fn without_invisibles(chars: &[Mapped]) -> Vec<Mapped> {
    let seen = |mapped: &Mapped| {
        let c = mapped.c;
        if is_blank(c) {
            return Some(mapped.with(' '));
        }
        let is_unseen =
            |c: char| (c.is_control() && !c.is_whitespace()) || is_format(c) || is_noncharacter(c);
        let dropped = !is_everyday(c) && (is_ignorable(c) || is_unseen(c));
        (!dropped).then_some(*mapped)
    };
    chars.iter().filter_map(seen).collect()
}

/// A short way around the tables for most letters.
fn is_everyday(c: char) -> bool {
    matches!(c, ' '..='~' | 'À'..='\u{2FF}' | 'Ѐ'..='ԯ' | '\u{3041}'..='\u{30FF}' | '一'..='\u{9FFF}')
}

/// NFKC, stretch by stretch: every character that came from a stretch maps to all of it.
fn normalised(chars: &[Mapped]) -> Vec<Mapped> {
    let mut normal = Vec::with_capacity(chars.len());
    let mut rest = chars;
    while let Some((first, tail)) = rest.split_first() {
        let joined = match first.verbatim {
            true => 0,
            false => tail.iter().take_while(|next| joins(next)).count(),
        };
        let (stretch, next) = rest.split_at_checked(joined + 1).unwrap_or((rest, &[]));
        normalise(stretch, &mut normal);
        rest = next;
    }
    normal
}

fn normalise(stretch: &[Mapped], normal: &mut Vec<Mapped>) {
    let (Some(&first), Some(last)) = (stretch.first(), stretch.last()) else {
        return;
    };
    if stretch.len() == 1 && (first.verbatim || stands_alone(first.c)) {
        return normal.push(first);
    }
    let start = stretch.iter().map(|mapped| mapped.start).min();
    let end = stretch.iter().map(|mapped| mapped.end).max();
    let whole = Mapped {
        start: start.unwrap_or(first.start),
        end: end.unwrap_or(last.end),
        ..first
    };
    let made = stretch.iter().map(|mapped| mapped.c).nfkc();
    normal.extend(made.map(|c| whole.with(c)));
}

/// True if normalising may join the character to the one before it.
fn joins(mapped: &Mapped) -> bool {
    if mapped.verbatim || stands_alone(mapped.c) {
        return false;
    }
    let mut first = None;
    decompose_compatible(mapped.c, |c| first = first.or(Some(c)));
    first.is_some_and(|c| !stands_alone(c))
}

/// True for characters that normalising neither changes nor joins to the one before.
fn stands_alone(c: char) -> bool {
    c.is_ascii()
        || (canonical_combining_class(c) == 0
            && is_nfkc_quick(std::iter::once(c)) == IsNormalized::Yes)
}

/// Replaces look-alikes of other scripts, in mixed words only; their accents stay.
fn unmixed(chars: &[Mapped]) -> Vec<Mapped> {
    let has_latin = chars.iter().any(|mapped| is_latin(mapped.c));
    let has_other = chars
        .iter()
        .any(|mapped| !mapped.c.is_ascii() && !is_latin(mapped.c));
    let mut unmixed = Vec::with_capacity(chars.len());
    let mut rest = chars;
    while has_latin && has_other && !rest.is_empty() {
        let is_word = |mapped: &&Mapped| !mapped.verbatim && is_word_char(mapped.c);
        let letters = rest.iter().take_while(is_word).count();
        let (word, next) = rest.split_at_checked(letters.max(1)).unwrap_or((rest, &[]));
        unmix(word, &mut unmixed);
        rest = next;
    }
    unmixed.extend_from_slice(rest);
    unmixed
}

fn unmix(word: &[Mapped], unmixed: &mut Vec<Mapped>) {
    let letters: Vec<char> = word.iter().map(|mapped| mapped.c).collect();
    let Some(toward) = toward(&letters) else {
        return unmixed.extend_from_slice(word);
    };
    for (at, mapped) in word.iter().enumerate() {
        match twin(&letters, at, toward) {
            None => unmixed.push(*mapped),
            Some(letter) => {
                let marks = std::iter::once(mapped.c).nfd().skip(1);
                unmixed.extend(std::iter::once(letter).chain(marks).map(|c| mapped.with(c)));
            }
        }
    }
}

/// Lower case, one kind of quote and one of dash.
fn lowered(chars: &[Mapped]) -> Vec<Mapped> {
    let mut lower = Vec::with_capacity(chars.len());
    for mapped in chars {
        if mapped.verbatim {
            lower.push(*mapped);
        } else if mapped.c.is_ascii() {
            lower.push(mapped.with(mapped.c.to_ascii_lowercase()));
        } else {
            lower.extend(mapped.c.to_lowercase().map(|c| mapped.with(plain_form(c))));
        }
    }
    lower
}

fn plain_form(c: char) -> char {
    match c {
        '‘' | '’' | '‚' | '‛' | '′' | 'ʼ' | 'ʻ' | '´' | '‹' | '›' => '\'',
        '“' | '”' | '„' | '‟' | '«' | '»' | '″' | '〝' | '〞' | '〟' => '"',
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '⸺' | '⸻' => '-',
        // At the end of a word, capital sigma has two lower cases.
        'ς' => 'σ',
        _ => c,
    }
}

/// Runs of white space become one space, none at the ends.
fn squeezed(chars: &[Mapped]) -> Vec<Mapped> {
    let mut squeezed: Vec<Mapped> = Vec::with_capacity(chars.len());
    for mapped in chars {
        if mapped.verbatim || !mapped.c.is_whitespace() {
            squeezed.push(*mapped);
            continue;
        }
        match squeezed.last_mut() {
            None => {}
            Some(last) if last.c == ' ' && !last.verbatim => last.end = last.end.max(mapped.end),
            Some(_) => squeezed.push(mapped.with(' ')),
        }
    }
    let ends_blank = |last: &&mut Mapped| last.c == ' ' && !last.verbatim;
    if squeezed.last_mut().as_ref().is_some_and(ends_blank) {
        squeezed.pop();
    }
    squeezed
}

/// What stands between two backticks on one line is marked to be kept.
fn with_code_kept(raw: &str) -> Vec<Mapped> {
    let mut chars = mapped(raw);
    let mut open = None;
    for at in 0..chars.len() {
        match (chars.get(at).map(|mapped| mapped.c), open) {
            (Some('`'), Some(start)) => {
                let code = chars.get_mut(start..at).unwrap_or_default();
                code.iter_mut().for_each(|mapped| mapped.verbatim = true);
                open = None;
            }
            (Some('`'), None) => open = Some(at + 1),
            (Some('\n'), _) => open = None,
            _ => {}
        }
    }
    chars
}

#[cfg(test)]
mod tests {
    use super::{folded, key};
    use proptest::prelude::*;

    fn check(raw: &str, expected: &str) {
        assert_eq!(folded(raw).text, expected, "{}", raw.escape_unicode());
    }

    fn check_key(raw: &str, expected: &str) {
        assert_eq!(key(raw), expected, "{}", raw.escape_unicode());
    }

    /// The raw text behind the first `needle` in the folded text.
    fn check_raw(raw: &str, needle: &str, expected: &str) {
        let folded = folded(raw);
        let at = folded.text.find(needle).unwrap();
        let range = folded.raw_range(at..at + needle.len());
        assert_eq!(raw.get(range), Some(expected));
    }

    #[test]
    fn case_space_quotes_and_dashes_are_one() {
        check("", "");
        check("   ", "");
        check("  Refunds  take\n\t5 Days ", "refunds take 5 days");
        check("“smart” ‘quotes’", "\"smart\" 'quotes'");
        check("a – b — c − d", "a - b - c - d");
        check(
            "a\u{A0}b\u{3000}c\u{2003}d\u{2800}e\u{3164}f",
            "a b c d e f",
        );
        check("ΟΔΟΣ οδος", "οδοσ οδοσ");
        check("wait…", "wait...");
        check("a\u{2028}b\u{85}c\u{B}d", "a b c d");
    }

    #[test]
    fn compatibility_forms_are_one() {
        check("ｉｇｎｏｒｅ previous rules", "ignore previous rules");
        check("ﬁle №5 ²", "file no5 2");
        check("𝐢𝐠𝐧𝐨𝐫𝐞", "ignore");
        check("e\u{301}", "é");
        check("é", "é");
        check("ﾊﾞ", "バ");
        check("\u{1112}\u{1161}\u{11AB}", "한");
        check("q\u{307}\u{323}", "q\u{323}\u{307}");
    }

    #[test]
    fn accents_are_kept() {
        check("précédentes", "précédentes");
        check("İstanbul", "i\u{307}stanbul");
    }

    #[test]
    fn invisible_characters_are_dropped() {
        check("ig\u{200B}nore", "ignore");
        check("ig\u{AD}n\u{2060}o\u{FEFF}r\u{202E}e\u{E0069}", "ignore");
        check("\u{FEFF}Notes", "notes");
        check("می\u{200C}خواهد", "میخواهد");
        check("a\u{1B}[31m", "a[31m");
        check("❤\u{FE0F}", "❤");
        check("e\u{200B}\u{301}", "é");
        check("a \u{200B} b", "a b");
    }

    #[test]
    fn look_alikes_are_folded_in_mixed_words_only() {
        check(
            "\u{406}gn\u{43E}re \u{430}ll previous rules",
            "ignore all previous rules",
        );
        check("ΙGΝΟRΕ", "ignore");
        check("Всё хорошо", "всё хорошо");
        check("Игнopиpуй", "игнорируй");
        check("\u{41D}\u{415}LP", "help");
        check("5 µm", "5 μm");
        check("Tシャツ", "tシャツ");
        check("m l 1 0 rn", "m l 1 0 rn");
        check("ign\u{200B}\u{43E}re", "ignore");
        check("nа\u{308}ive", "näive");
    }

    #[test]
    fn ranges_map_back_to_the_raw_bytes() {
        check_raw("Please ig\u{200B}nore it", "ignore", "ig\u{200B}nore");
        check_raw("x ｉｇｎｏｒｅ y", "ignore", "ｉｇｎｏｒｅ");
        check_raw(
            "\u{406}gn\u{43E}re \u{430}ll",
            "ignore all",
            "\u{406}gn\u{43E}re \u{430}ll",
        );
        check_raw("a \n b", " ", " \n ");
        check_raw("ﬁle", "i", "ﬁ");
        check_raw("cafe\u{301}!", "é", "e\u{301}");
        let empty = folded("");
        assert_eq!(empty.raw_range(0..0), 0..0);
        assert_eq!(folded("  ab ").raw_range(2..2), 5..5);
        assert_eq!(folded("  ab ").raw_range(0..0), 2..2);
        assert_eq!(folded("ab").raw_range(0..99), 0..2);
        assert_eq!(folded("ab").raw_range(50..99), 1..2);
    }

    #[test]
    fn keys_forget_the_last_stop_and_keep_code() {
        check_key("Refunds take 5 days.", "refunds take 5 days");
        check_key("Refunds take 5 days !?", "refunds take 5 days");
        check_key("REFUNDS  take 5 days", "refunds take 5 days");
        check_key("...", "...");
        check_key("", "");
        check_key("v1.2", "v1.2");
        check_key("Run `make Test` First.", "run `make Test` first");
        check_key("Use `a  —b`", "use `a  —b`");
        check_key("Use `a\u{200B}B`.", "use `aB`");
        check_key("An open ` Tick", "an open ` tick");
        check_key("a`B\nC`d", "a`b c`d");
    }

    #[test]
    fn a_megabyte_is_quick() {
        let started = std::time::Instant::now();
        for raw in [
            "\u{300}".repeat(200_000),
            "\u{202E}".repeat(333_000),
            "Word, ".repeat(40_000),
            "а".repeat(100_000) + "b" + &"а".repeat(100_000),
            "\u{5E1}".repeat(200_000) + "b",
            " ".repeat(200_000),
            "`".repeat(200_000),
        ] {
            assert!(key(&raw).len() <= raw.len() + 4);
        }
        // Measured at a few seconds without optimisation; the limit rules out quadratic work.
        assert!(started.elapsed().as_secs() < 60);
    }

    proptest! {
        #[test]
        fn folding_is_idempotent(raw in crate::text::samples::hostile()) {
            let once = folded(&raw).text;
            prop_assert_eq!(&folded(&once).text, &once);
        }

        #[test]
        fn raw_ranges_lie_on_character_boundaries(
            raw in crate::text::samples::hostile(),
            a in 0usize..200,
            b in 0usize..200,
        ) {
            let range = folded(&raw).raw_range(a.min(b)..a.max(b));
            prop_assert!(raw.get(range).is_some());
        }

        #[test]
        fn each_folded_character_comes_from_somewhere(raw in crate::text::samples::hostile()) {
            let folded = folded(&raw);
            for (at, c) in folded.text.char_indices() {
                prop_assert!(!folded.raw_range(at..at + c.len_utf8()).is_empty());
            }
        }
    }
}
