//! Hostile strings for the property tests of this room, and the one judgement they share. Tests
//! only; it asks the Unicode tables directly and not `class`, so that it can find it wrong.

use proptest::prelude::{Strategy, any, prop_oneof};
use proptest::strategy::Just;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Characters that have hidden something from somebody, and the plain ones they hide among.
#[rustfmt::skip]
const NOTABLE: &[char] = &[
    'a', 'b', 'I', 'g', 'Z', '0', '1', '.', '!', '?', '-', '"', '\'', '`', '<', '>', ' ', ' ', ' ',
    '\n', '\n', '\t', '\r', '\u{B}', '\u{1B}', '\u{7F}', '\u{85}', '\u{9B}', '\u{A0}', '\u{AD}',
    'é', 'ß', 'İ', 'ı', 'ſ', 'ς', 'Σ', 'µ', '\u{300}', '\u{301}', '\u{307}', '\u{327}', '\u{338}',
    '\u{345}', '\u{34F}', 'а', 'е', 'о', 'р', 'І', 'В', 'ё', 'и', 'α', 'Ω', 'Ꭰ', 'ա', '\u{5D0}',
    '\u{5E1}', '\u{5B8}', '\u{61C}', 'ل', 'ا', 'م', 'ی', '\u{600}', '\u{651}', 'क', '\u{94D}',
    'ि', 'ก', '\u{E33}', '\u{D4E}', 'ក', '\u{17D2}', '\u{17B4}', '\u{1100}', '\u{1161}',
    '\u{11A8}', '\u{115F}', '\u{1160}', '각', '\u{180B}', '\u{180E}', '\u{200B}', '\u{200C}',
    '\u{200D}', '\u{200E}', '\u{200F}', '\u{2028}', '\u{2029}', '\u{202A}', '\u{202C}', '\u{202E}',
    '\u{2060}', '\u{2066}', '\u{2069}', '\u{206A}', '\u{2003}', '\u{2018}', '\u{2019}', '\u{201C}',
    '\u{2013}', '\u{2024}', '\u{2026}', '\u{20E3}', '\u{2800}', '\u{2E3B}', '\u{3000}', '語', 'カ',
    'ﾞ', 'ﾊ', '\u{3099}', '\u{3164}', '\u{FFA0}', '\u{FFC2}', '\u{FB01}', '\u{FDFA}', '\u{FDFD}',
    '\u{FE00}', '\u{FE0E}', '\u{FE0F}', '\u{FEFF}', '\u{FFF9}', '\u{FFFC}', '\u{FFFD}', '\u{FFFF}',
    'ｉ', 'Ｉ', '😀', '👨', '👩', '❤', '🏴', '\u{1F1E9}', '\u{1F3FD}', '\u{1D400}', '\u{1D159}',
    '\u{1D173}', '\u{16D67}', '\u{E000}', '\u{E0001}', '\u{E0067}', '\u{E0020}', '\u{E007F}',
    '\u{E0100}', '\u{10FFFF}', '\u{378}',
];

pub(crate) fn hostile() -> impl Strategy<Value = String> {
    let notable = (0..NOTABLE.len()).prop_map(|at| NOTABLE[at].to_string());
    let chunk = prop_oneof![
        8 => notable,
        2 => any::<char>().prop_map(|c| c.to_string()),
        1 => "[a-zA-Z ,.]{1,12}",
        1 => (1usize..40).prop_map(|count| "\u{301}".repeat(count)),
        1 => (1usize..40).prop_map(|count| " ".repeat(count)),
        1 => Just("क्".repeat(12)),
    ];
    proptest::collection::vec(chunk, 0..40).prop_map(|chunks| chunks.concat())
}

/// Fails if `shown` holds anything that a terminal could obey, drop or reorder by.
pub(crate) fn assert_drawable(shown: &str) {
    for c in shown.chars() {
        let group = c.general_category_group();
        let code = u32::from(c);
        assert!(group != GeneralCategoryGroup::Other, "U+{code:X} is drawn");
        assert!(
            c == ' ' || group != GeneralCategoryGroup::Separator,
            "U+{code:X} is drawn"
        );
        let vanishes = unicode_security::skeleton(&c.to_string()).next().is_none();
        assert!(!vanishes, "U+{code:X} is drawn");
    }
    for grapheme in shown.graphemes(true) {
        assert!(
            grapheme.width() > 0,
            "`{}` has no width",
            grapheme.escape_unicode()
        );
    }
}
