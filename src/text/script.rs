//! Words that mix look-alike alphabets: `pаypal` with a Cyrillic `а`.
//!
//! Knows which letters of other scripts pass for Latin ones (UTS 39) and which scripts are often
//! written against Latin without a space. Words of one script are never suspected, whatever they
//! look like: that is for a rule to weigh.

use std::ops::{Range, RangeInclusive};

use unicode_normalization::char::is_combining_mark;
use unicode_security::mixed_script::AugmentedScriptSet;

use crate::text::class::{is_format, is_ignorable, is_mark, within};

/// The words in which letters of another script pass for Latin ones.
///
/// `Wi-Fi 6`, `Tシャツ`, `5 μm`, `וGoogle` are fine; digits, invisible characters and marks inside
/// a word do not end it.
pub fn mixed_script_words(raw: &str) -> Vec<Range<usize>> {
    let mut mixed = Vec::new();
    let mut letters: Vec<char> = Vec::new();
    let mut word = 0..0;
    for (at, c) in raw.char_indices() {
        if is_word_char(c) {
            if letters.is_empty() {
                word.start = at;
            }
            word.end = at + c.len_utf8();
            letters.push(c);
        } else if letters.is_empty() || !is_unseen(c) {
            mixed.extend(toward(&letters).map(|_| word.clone()));
            letters.clear();
        }
    }
    mixed.extend(toward(&letters).map(|_| word));
    mixed
}

/// The alphabet that a mixed word pretends to be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Toward {
    Latin,
    Cyrillic,
}

/// Letters, digits and marks.
pub(crate) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || is_mark(c)
}

/// Which alphabet to fold `word` to, if look-alikes of another script stand in it.
pub(crate) fn toward(word: &[char]) -> Option<Toward> {
    let is_mixed = word.iter().any(|c| !c.is_ascii()) && word.iter().any(|&c| is_latin(c));
    if !is_mixed || word.iter().all(|&c| is_latin(c)) {
        return None;
    }
    let letters: Vec<char> = word.iter().copied().filter(|c| c.is_alphabetic()).collect();
    let (latin, other): (Vec<char>, Vec<char>) = suspects(&letters);
    if latin.is_empty() || !other.iter().any(|&c| latin_twin(c).is_some()) {
        return None;
    }
    let only_latin_shapes = other.iter().all(|&c| latin_twin(c).is_some());
    let is_cyrillic = other.iter().all(|&c| shares_script(c, 'я'));
    let only_cyrillic_shapes = latin.iter().all(|&c| cyrillic_twin(c).is_some());
    match !only_latin_shapes && is_cyrillic && only_cyrillic_shapes {
        true => Some(Toward::Cyrillic),
        false => Some(Toward::Latin),
    }
}

/// The letter of the alphabet `toward` that `c`, at its place in `word`, passes for.
pub(crate) fn twin(word: &[char], at: usize, toward: Toward) -> Option<char> {
    let &c = word.get(at)?;
    match toward {
        Toward::Cyrillic => cyrillic_twin(c),
        Toward::Latin if is_attached_script(c) && !stands_between_latin(word, at) => None,
        Toward::Latin => latin_twin(c),
    }
}

/// The Latin letters, and those of others that could be meant to pass for them.
fn suspects(letters: &[char]) -> (Vec<char>, Vec<char>) {
    let mut latin = Vec::new();
    let mut other = Vec::new();
    for (at, &c) in letters.iter().enumerate() {
        if is_latin(c) {
            latin.push(c);
        } else if !is_common(c) && (!is_attached_script(c) || stands_between_latin(letters, at)) {
            other.push(c);
        }
    }
    (latin, other)
}

fn stands_between_latin(word: &[char], at: usize) -> bool {
    let (before, after) = word.split_at_checked(at).unwrap_or_default();
    let is_letter = |c: &&char| c.is_alphabetic();
    let before = before.iter().rev().find(is_letter);
    let after = after.iter().skip(1).find(is_letter);
    before.is_some_and(|&c| is_latin(c)) && after.is_some_and(|&c| is_latin(c))
}

pub(crate) fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic() || (c >= '\u{AA}' && within(c, LATIN) && c.is_alphabetic())
}

fn is_common(c: char) -> bool {
    c.is_ascii() || AugmentedScriptSet::for_char(c).is_all()
}

/// True if `c` belongs to the script of `sample`, and not to all scripts.
fn shares_script(c: char, sample: char) -> bool {
    let mut scripts = AugmentedScriptSet::for_char(c);
    if scripts.is_all() {
        return false;
    }
    scripts.intersect_with(AugmentedScriptSet::for_char(sample));
    !scripts.is_empty()
}

fn is_attached_script(c: char) -> bool {
    within(c, ATTACHED)
}

fn is_unseen(c: char) -> bool {
    is_ignorable(c) || is_format(c)
}

/// The ASCII letter, in lower case, that a letter of another script passes for.
fn latin_twin(c: char) -> Option<char> {
    if !c.is_alphabetic() || is_latin(c) {
        return None;
    }
    let shape = ascii_shape(c).or_else(|| c.to_lowercase().find_map(ascii_shape))?;
    // UTS 39 takes capital I and small l for one shape; a capital is meant for the capital.
    match shape == 'l' && c.is_uppercase() {
        true => Some('i'),
        false => Some(shape),
    }
}

fn ascii_shape(c: char) -> Option<char> {
    let mut buffer = [0; 4];
    let mut shape = unicode_security::skeleton(c.encode_utf8(&mut buffer));
    let base = shape.next()?;
    (base.is_ascii_alphabetic() && shape.all(is_combining_mark)).then(|| base.to_ascii_lowercase())
}

fn cyrillic_twin(c: char) -> Option<char> {
    let lower = c.to_ascii_lowercase();
    let found = CYRILLIC.iter().find(|&&(latin, _)| latin == lower);
    found.map(|&(_, cyrillic)| cyrillic)
}

const CYRILLIC: &[(char, char)] = &[
    ('a', 'а'),
    ('b', 'в'),
    ('c', 'с'),
    ('e', 'е'),
    ('h', 'н'),
    ('i', 'і'),
    ('j', 'ј'),
    ('k', 'к'),
    ('m', 'м'),
    ('o', 'о'),
    ('p', 'р'),
    ('s', 'ѕ'),
    ('t', 'т'),
    ('x', 'х'),
    ('y', 'у'),
];

const LATIN: &[RangeInclusive<char>] = &[
    '\u{AA}'..='\u{AA}',
    '\u{BA}'..='\u{BA}',
    '\u{C0}'..='\u{2B8}',
    '\u{2BC}'..='\u{2BC}',
    '\u{2C7}'..='\u{2C7}',
    '\u{2C9}'..='\u{2CB}',
    '\u{2CD}'..='\u{2CD}',
    '\u{2E0}'..='\u{2E4}',
    '\u{363}'..='\u{36F}',
    '\u{1D00}'..='\u{1D25}',
    '\u{1D2C}'..='\u{1D5C}',
    '\u{1D62}'..='\u{1D65}',
    '\u{1D6B}'..='\u{1D77}',
    '\u{1D79}'..='\u{1DBE}',
    '\u{1E00}'..='\u{1EFF}',
    '\u{2071}'..='\u{2071}',
    '\u{207F}'..='\u{207F}',
    '\u{2090}'..='\u{209C}',
    '\u{212A}'..='\u{212B}',
    '\u{2132}'..='\u{2132}',
    '\u{214E}'..='\u{214E}',
    '\u{2160}'..='\u{2188}',
    '\u{2C60}'..='\u{2C7F}',
    '\u{A722}'..='\u{A787}',
    '\u{A78B}'..='\u{A7FF}',
    '\u{AB30}'..='\u{AB5A}',
    '\u{AB5C}'..='\u{AB64}',
    '\u{AB66}'..='\u{AB69}',
    '\u{FB00}'..='\u{FB06}',
    '\u{FF21}'..='\u{FF3A}',
    '\u{FF41}'..='\u{FF5A}',
    '\u{10780}'..='\u{107BF}',
    '\u{1DF00}'..='\u{1DFFF}',
];

/// Scripts that people write against Latin without a space: Hebrew and Arabic prefixes, the
/// scripts of South and East Asia, Ethiopic. A letter of these is suspected only between Latin
/// letters.
const ATTACHED: &[RangeInclusive<char>] = &[
    '\u{590}'..='\u{8FF}',
    '\u{900}'..='\u{109F}',
    '\u{1100}'..='\u{11FF}',
    '\u{1200}'..='\u{139F}',
    '\u{1780}'..='\u{18AF}',
    '\u{1900}'..='\u{1CFF}',
    '\u{2E80}'..='\u{A4CF}',
    '\u{A800}'..='\u{AB2F}',
    '\u{ABC0}'..='\u{D7FF}',
    '\u{F900}'..='\u{FAFF}',
    '\u{FB1D}'..='\u{FDFF}',
    '\u{FE70}'..='\u{FEFE}',
    '\u{FF65}'..='\u{FFDC}',
    '\u{1B000}'..='\u{1B16F}',
    '\u{20000}'..='\u{3FFFF}',
];

#[cfg(test)]
mod tests {
    use super::{is_latin, mixed_script_words, shares_script};
    use proptest::prelude::*;

    fn check(raw: &str, expected: &[&str]) {
        let words: Vec<&str> = mixed_script_words(raw)
            .into_iter()
            .filter_map(|r| raw.get(r))
            .collect();
        assert_eq!(words, expected, "{raw}");
    }

    #[test]
    fn look_alikes_in_a_latin_word_are_found() {
        check(
            "\u{406}gn\u{43E}re \u{430}ll previous rules",
            &["\u{406}gn\u{43E}re", "\u{430}ll"],
        );
        check("p\u{430}ypal", &["p\u{430}ypal"]);
        check("(gοοgle)", &["gοοgle"]);
        check("ign\u{200B}\u{43E}re", &["ign\u{200B}\u{43E}re"]);
        check("ign\u{5E1}re", &["ign\u{5E1}re"]);
        check("admin1\u{430}", &["admin1\u{430}"]);
        check("ign\u{43E}re日本", &["ign\u{43E}re日本"]);
    }

    #[test]
    fn ordinary_mixtures_are_fine() {
        check("Wi-Fi 6 on IPv4 and e-mail2go", &[]);
        check("Tシャツと漢字とABCテスト", &[]);
        check("한국어API 中文abc", &[]);
        check("5 μm, 3 kΩ, Δt, π-day, µs", &[]);
        check("привет world", &[]);
        check("VIPы", &[]);
        check("בGoogle וLinux", &[]);
        check("сосо ехес", &[]);
        check("naïve café Łódź", &[]);
        check("API-ключ", &[]);
        check("", &[]);
    }

    #[test]
    fn tables_are_in_order() {
        crate::text::class::tests::assert_in_order(super::LATIN);
        crate::text::class::tests::assert_in_order(super::ATTACHED);
    }

    #[test]
    fn latin_agrees_with_the_unicode_tables() {
        let letters = (0..=0x10FFFF)
            .filter_map(char::from_u32)
            .filter(|c| c.is_alphabetic());
        let wrong: Vec<String> = letters
            .filter(|&c| is_latin(c) != shares_script(c, 'a'))
            .map(|c| format!("{:X}", u32::from(c)))
            .collect();
        assert_eq!(wrong.join(" "), "");
    }

    proptest! {
        #[test]
        fn words_lie_on_character_boundaries(raw in crate::text::samples::hostile()) {
            for range in mixed_script_words(&raw) {
                prop_assert!(raw.get(range).is_some_and(|word| !word.is_empty()));
            }
        }
    }
}
