//! How one character may stand on a screen: drawn as itself, as a mark on a base, or only by name.
//!
//! Knows Unicode's properties and what terminals were measured to hide. Knows no neighbours:
//! what a character's context excuses is asked in `invisible`, and never changes what is drawn.

use std::ops::RangeInclusive;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Drawn,
    /// Drawn only together with a base.
    Mark,
    /// A vowel or final of Hangul that joins the syllable before it.
    Jamo,
    Space,
    Tab,
    LineFeed,
    Named,
}

/// Whether a terminal draws this character as itself, alone or on the base before it.
#[must_use]
pub fn is_drawn(c: char) -> bool {
    matches!(
        class(c),
        Class::Drawn | Class::Mark | Class::Jamo | Class::Space
    )
}

pub(crate) fn class(c: char) -> Class {
    match c {
        '\n' => Class::LineFeed,
        '\t' => Class::Tab,
        ' ' => Class::Space,
        '!'..='~' => Class::Drawn,
        '\0'..='\u{A0}' => Class::Named,
        _ => wide_class(c),
    }
}

fn wide_class(c: char) -> Class {
    use GeneralCategory as G;
    if is_ignorable(c) || is_blank(c) || within(c, AMBIGUOUS) {
        return Class::Named;
    }
    match c.general_category() {
        G::Control | G::Format | G::PrivateUse | G::Unassigned | G::Surrogate => Class::Named,
        G::SpaceSeparator | G::LineSeparator | G::ParagraphSeparator => Class::Named,
        G::NonspacingMark | G::SpacingMark | G::EnclosingMark if is_seen(c) => Class::Mark,
        _ if within(c, VOWELS) || within(c, FINALS) => Class::Jamo,
        _ if c.width().unwrap_or(0) == 0 => Class::Named,
        _ => Class::Drawn,
    }
}

/// True for marks that take a column or that segmentation joins to a base. The tables of the crates
/// differ in their version of Unicode; a mark without width and base would vanish.
fn is_seen(mark: char) -> bool {
    mark < '\u{500}'
        || mark.width().unwrap_or(0) > 0
        || String::from_iter(['a', mark]).graphemes(true).count() == 1
}

/// True for characters that a renderer may drop without a trace (Default_Ignorable_Code_Point).
pub(crate) fn is_ignorable(c: char) -> bool {
    c >= '\u{AD}' && within(c, IGNORABLE)
}

/// True for characters that draw nothing but take room, and are not white space.
pub(crate) fn is_blank(c: char) -> bool {
    within(c, BLANK)
}

pub(crate) fn is_mark(c: char) -> bool {
    use GeneralCategory as G;
    c > '\u{2FF}'
        && matches!(
            c.general_category(),
            G::NonspacingMark | G::SpacingMark | G::EnclosingMark
        )
}

pub(crate) fn is_format(c: char) -> bool {
    c >= '\u{AD}' && c.general_category() == GeneralCategory::Format
}

/// True if the vowel or final `jamo` is drawn inside the syllable that `last` begins or continues.
pub(crate) fn joins_syllable(last: char, jamo: char) -> bool {
    let has_final = |c: char| (u32::from(c) - 0xAC00) % 28 != 0;
    match last {
        '\u{1100}'..='\u{115E}' | '\u{A960}'..='\u{A97C}' => within(jamo, VOWELS),
        '\u{AC00}'..='\u{D7A3}' if has_final(last) => within(jamo, FINALS),
        '\u{AC00}'..='\u{D7A3}' => true,
        _ if within(last, VOWELS) => true,
        _ => within(last, FINALS) && within(jamo, FINALS),
    }
}

/// True if one of the ranges, which stand in order, holds `c`.
pub(crate) fn within(c: char, ranges: &[RangeInclusive<char>]) -> bool {
    let mut reached = ranges.iter().take_while(|range| *range.start() <= c);
    reached.any(|range| c <= *range.end())
}

const IGNORABLE: &[RangeInclusive<char>] = &[
    '\u{AD}'..='\u{AD}',
    '\u{34F}'..='\u{34F}',
    '\u{61C}'..='\u{61C}',
    '\u{115F}'..='\u{1160}',
    '\u{17B4}'..='\u{17B5}',
    '\u{180B}'..='\u{180F}',
    '\u{200B}'..='\u{200F}',
    '\u{202A}'..='\u{202E}',
    '\u{2060}'..='\u{206F}',
    '\u{3164}'..='\u{3164}',
    '\u{FE00}'..='\u{FE0F}',
    '\u{FEFF}'..='\u{FEFF}',
    '\u{FFA0}'..='\u{FFA0}',
    '\u{FFF0}'..='\u{FFF8}',
    '\u{1BCA0}'..='\u{1BCA3}',
    '\u{1D173}'..='\u{1D17A}',
    '\u{E0000}'..='\u{E0FFF}',
];

/// Braille blank, Hangul fillers of full and half width, hieroglyph blanks, the empty note.
const BLANK: &[RangeInclusive<char>] = &[
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{FFA0}'..='\u{FFA0}',
    '\u{13441}'..='\u{13442}',
    '\u{1D159}'..='\u{1D159}',
];

/// Seen, but not as what they are: stand-ins for lost text, and characters that terminals join to
/// their neighbours in different ways (flag letters, skin tones).
const AMBIGUOUS: &[RangeInclusive<char>] = &[
    '\u{FFFC}'..='\u{FFFD}',
    '\u{1F1E6}'..='\u{1F1FF}',
    '\u{1F3FB}'..='\u{1F3FF}',
];

const VOWELS: &[RangeInclusive<char>] = &['\u{1161}'..='\u{11A7}', '\u{D7B0}'..='\u{D7C6}'];
const FINALS: &[RangeInclusive<char>] = &['\u{11A8}'..='\u{11FF}', '\u{D7CB}'..='\u{D7FB}'];

#[cfg(test)]
pub(in crate::text) mod tests {
    use super::{AMBIGUOUS, BLANK, Class, FINALS, IGNORABLE, VOWELS, class, is_ignorable};
    use std::ops::RangeInclusive;
    use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
    use unicode_segmentation::UnicodeSegmentation;
    use unicode_width::UnicodeWidthChar;

    /// For the tables of this room: `within` stops at the first range past the character.
    pub(in crate::text) fn assert_in_order(ranges: &[RangeInclusive<char>]) {
        assert!(
            ranges.iter().all(|range| range.start() <= range.end()),
            "{ranges:?}"
        );
        assert!(
            ranges.is_sorted_by(|a, b| a.end() < b.start()),
            "{ranges:?}"
        );
    }

    #[test]
    fn tables_are_in_order() {
        for table in [IGNORABLE, BLANK, AMBIGUOUS, VOWELS, FINALS] {
            assert_in_order(table);
        }
    }

    fn every_char() -> impl Iterator<Item = char> {
        (0..=0x10FFFF).filter_map(char::from_u32)
    }

    #[test]
    fn ignorable_agrees_with_the_unicode_tables() {
        for c in every_char() {
            let vanishes = unicode_security::skeleton(&c.to_string()).next().is_none();
            assert_eq!(is_ignorable(c), vanishes, "U+{:X}", u32::from(c));
        }
    }

    #[test]
    fn nothing_hidden_is_ever_drawn() {
        for c in every_char().filter(|c| class(*c) == Class::Drawn) {
            let group = c.general_category_group();
            assert!(group != GeneralCategoryGroup::Other, "U+{:X}", u32::from(c));
            assert!(
                group != GeneralCategoryGroup::Separator,
                "U+{:X}",
                u32::from(c)
            );
            assert!(
                !is_ignorable(c) && !c.is_whitespace(),
                "U+{:X}",
                u32::from(c)
            );
            let width = c.width().unwrap();
            assert!(
                (1..=3).contains(&width),
                "U+{:X} is {width} wide",
                u32::from(c)
            );
        }
    }

    #[test]
    fn marks_and_jamo_are_at_most_a_base_wide() {
        for c in every_char().filter(|c| matches!(class(*c), Class::Mark | Class::Jamo)) {
            let width = c.width().unwrap();
            assert!(width <= 2, "U+{:X}", u32::from(c));
            let base = if class(c) == Class::Jamo {
                "\u{1161}"
            } else {
                "a"
            };
            let joined = format!("{base}{c}").graphemes(true).count() == 1;
            assert!(joined || width > 0, "U+{:X} would vanish", u32::from(c));
            assert!(!is_ignorable(c));
        }
    }
}
