//! The characters of a text that cannot be seen, each with whether its context excuses it.
//!
//! Knows the legal uses: joiners in Arabic and Indic words, emoji sequences, three flags, a leading
//! byte order mark. It only reports: `visible` names all of them, legal or not, and the gate
//! decides what an illegal one means.

use std::ops::{Range, RangeInclusive};

use unicode_properties::{GeneralCategory, UnicodeEmoji, UnicodeGeneralCategory};

use crate::text::class::{is_blank, is_format, is_ignorable, is_mark, within};
use crate::text::names::{is_noncharacter, name, tag_letter};

/// One character that cannot be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invisible {
    pub range: Range<usize>,
    pub code: char,
    /// As `names::name` says it: `U+202E RLO`.
    pub name: String,
    pub why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Nothing around it needs it.
    Illegal,
    /// Its neighbours need it: a joiner inside a Persian word, a flag, an emoji family.
    LegalInContext,
}

/// All characters of `raw` that cannot be seen, in order.
///
/// White space and line ends are not among them (a carriage return before no line feed is), nor
/// are private-use characters, which may have a glyph.
pub fn invisibles(raw: &str) -> Vec<Invisible> {
    let mut found = Vec::new();
    for (at, c) in raw.char_indices().filter(|&(_, c)| !is_plain(c)) {
        let place = Place::new(raw, at, c);
        if !place.is_unseen() {
            continue;
        }
        let why = match place.is_legal() {
            true => Why::LegalInContext,
            false => Why::Illegal,
        };
        found.push(Invisible {
            range: at..at + c.len_utf8(),
            code: c,
            name: name(c),
            why,
        });
    }
    found
}

/// True if an invisible character stands at byte `index`, and what is around it needs it.
///
/// Looks at a bounded number of neighbours.
pub fn is_legal_join(raw: &str, index: usize) -> bool {
    let c = raw.get(index..).and_then(|rest| rest.chars().next());
    c.is_some_and(|c| {
        let place = Place::new(raw, index, c);
        place.is_unseen() && place.is_legal()
    })
}

fn is_plain(c: char) -> bool {
    matches!(c, ' '..='~' | '\n' | '\t')
}

/// A character between its neighbours.
struct Place<'a> {
    c: char,
    before: &'a str,
    after: &'a str,
}

impl<'a> Place<'a> {
    fn new(raw: &'a str, at: usize, c: char) -> Place<'a> {
        Place {
            c,
            before: raw.get(..at).unwrap_or_default(),
            after: raw.get(at + c.len_utf8()..).unwrap_or_default(),
        }
    }

    fn previous(&self) -> Option<char> {
        self.before.chars().next_back()
    }

    fn next(&self) -> Option<char> {
        self.after.chars().next()
    }

    fn is_unseen(&self) -> bool {
        match self.c {
            '\r' => self.next() != Some('\n'),
            c if c.is_control() => !c.is_whitespace(),
            c if within(c, SEEN_FORMATS) => false,
            c => is_ignorable(c) || is_blank(c) || is_format(c) || is_noncharacter(c),
        }
    }

    fn is_legal(&self) -> bool {
        match self.c {
            '\u{FEFF}' => self.before.is_empty(),
            '\u{AD}' => self.both(char::is_alphabetic),
            '\u{200B}' => self.both(|c| within(c, UNSPACED)),
            '\u{200C}' => self.joins_letters(),
            '\u{200D}' => self.joins_letters() || self.joins_pictures(),
            '\u{200E}' | '\u{200F}' | '\u{61C}' => self.either(|c| within(c, RIGHT_TO_LEFT)),
            '\u{2800}' => self.either(|c| within(c, BRAILLE)),
            '\u{115F}' | '\u{1160}' => self.either(|c| within(c, OLD_HANGUL)),
            '\u{180B}'..='\u{180F}' => self.previous().is_some_and(|c| within(c, MONGOLIAN)),
            '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => self.selects_variation(),
            '\u{13430}'..='\u{1345F}' => self.either(|c| within(c, HIEROGLYPHS)),
            '\u{E0020}'..='\u{E007F}' => self.stands_in_flag(),
            _ => false,
        }
    }

    fn both(&self, fits: fn(char) -> bool) -> bool {
        self.previous().is_some_and(fits) && self.next().is_some_and(fits)
    }

    fn either(&self, fits: fn(char) -> bool) -> bool {
        self.previous().is_some_and(fits) || self.next().is_some_and(fits)
    }

    /// Beside a letter or mark of a script that needs joiners, with nothing invisible or foreign
    /// on the other side.
    fn joins_letters(&self) -> bool {
        let ends_word = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || is_punctuation(c));
        let (previous, next) = (self.previous(), self.next());
        let joins_before = previous.is_some_and(is_joining);
        let joins_after = next.is_some_and(is_joining);
        (joins_before && (joins_after || ends_word(next))) || (joins_after && ends_word(previous))
    }

    /// Between two pictures: `👨‍👩`, `👩🏽‍🚀`, `❤️‍🔥`.
    fn joins_pictures(&self) -> bool {
        let dresses = |c: &char| matches!(c, '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}');
        let mut before = self.before.chars().rev().peekable();
        before.next_if(dresses);
        before.next().is_some_and(is_picture) && self.next().is_some_and(is_picture)
    }

    /// Right after a character that has variations: a picture, a keycap digit, an ideograph.
    fn selects_variation(&self) -> bool {
        let Some(previous) = self.previous() else {
            return false;
        };
        match self.c {
            '\u{FE0E}' | '\u{FE0F}' => is_picture(previous) || self.is_keycap(previous),
            '\u{FE00}'..='\u{FE0D}' => within(previous, VARIED) || is_math(previous),
            _ => within(previous, IDEOGRAPHS),
        }
    }

    fn is_keycap(&self, previous: char) -> bool {
        matches!(previous, '0'..='9' | '#' | '*') && self.next() == Some('\u{20E3}')
    }

    /// Inside one of the flags made of tags, complete from the black flag to the end tag.
    fn stands_in_flag(&self) -> bool {
        let is_tag = |c: &char| tag_letter(*c).is_some();
        let mut back = self.before.chars().rev().take(LONGEST_FLAG + 1).peekable();
        let mut letters: Vec<char> = std::iter::from_fn(|| back.next_if(is_tag)).collect();
        if back.next() != Some('\u{1F3F4}') {
            return false;
        }
        letters.reverse();
        if self.c != TAG_END {
            letters.push(self.c);
            let mut ahead = self.after.chars().take(LONGEST_FLAG + 1).peekable();
            letters.extend(std::iter::from_fn(|| ahead.next_if(is_tag)));
            if ahead.next() != Some(TAG_END) {
                return false;
            }
        }
        let region: String = letters.into_iter().filter_map(tag_letter).collect();
        FLAGS.contains(&region.as_str())
    }
}

fn is_joining(c: char) -> bool {
    within(c, JOINING) && (c.is_alphabetic() || is_mark(c))
}

fn is_picture(c: char) -> bool {
    !c.is_ascii() && c.is_emoji_char() && !matches!(c, '\u{1F1E6}'..='\u{1F1FF}')
}

fn is_math(c: char) -> bool {
    c.general_category() == GeneralCategory::MathSymbol
}

fn is_punctuation(c: char) -> bool {
    use unicode_properties::GeneralCategoryGroup;
    c.general_category_group() == GeneralCategoryGroup::Punctuation
}

const TAG_END: char = '\u{E007F}';

/// The flags that Unicode recommends. Six free letters would be enough to carry orders.
const FLAGS: &[&str] = &["gbeng", "gbsct", "gbwls"];
const LONGEST_FLAG: usize = 5;

/// Format characters with a glyph: number and verse signs of Arabic, Syriac and Kaithi.
const SEEN_FORMATS: &[RangeInclusive<char>] = &[
    '\u{600}'..='\u{605}',
    '\u{6DD}'..='\u{6DD}',
    '\u{70F}'..='\u{70F}',
    '\u{890}'..='\u{891}',
    '\u{8E2}'..='\u{8E2}',
    '\u{110BD}'..='\u{110BD}',
    '\u{110CD}'..='\u{110CD}',
];

/// Arabic, Syriac, N'Ko, Mandaic, the scripts of South Asia, Tibetan, Myanmar, Khmer, Mongolian,
/// Balinese to Batak, Adlam, Brahmi and its later kin.
const JOINING: &[RangeInclusive<char>] = &[
    '\u{600}'..='\u{8FF}',
    '\u{900}'..='\u{DFF}',
    '\u{F00}'..='\u{109F}',
    '\u{1780}'..='\u{18AF}',
    '\u{1B00}'..='\u{1C4F}',
    '\u{1CD0}'..='\u{1CFF}',
    '\u{A840}'..='\u{A8FF}',
    '\u{A980}'..='\u{A9DF}',
    '\u{FB50}'..='\u{FDFF}',
    '\u{FE70}'..='\u{FEFC}',
    '\u{10A00}'..='\u{10A5F}',
    '\u{11000}'..='\u{11DAF}',
    '\u{1E900}'..='\u{1E95F}',
];

/// Scripts that put no space between words: Thai, Lao, Tibetan, Myanmar, Khmer.
const UNSPACED: &[RangeInclusive<char>] = &[
    '\u{E00}'..='\u{EFF}',
    '\u{F00}'..='\u{109F}',
    '\u{1780}'..='\u{17FF}',
    '\u{1950}'..='\u{19FF}',
    '\u{1A20}'..='\u{1AAF}',
    '\u{A9E0}'..='\u{A9FF}',
    '\u{AA60}'..='\u{AADF}',
];

const RIGHT_TO_LEFT: &[RangeInclusive<char>] = &[
    '\u{5BE}'..='\u{60B}',
    '\u{60D}'..='\u{61B}',
    '\u{61D}'..='\u{8FF}',
    '\u{FB1D}'..='\u{FDFF}',
    '\u{FE70}'..='\u{FEFC}',
    '\u{10800}'..='\u{10FFF}',
    '\u{1E800}'..='\u{1EFFF}',
];

const BRAILLE: &[RangeInclusive<char>] = &['\u{2801}'..='\u{28FF}'];

const OLD_HANGUL: &[RangeInclusive<char>] = &[
    '\u{1100}'..='\u{115E}',
    '\u{1161}'..='\u{11FF}',
    '\u{A960}'..='\u{A97C}',
    '\u{D7B0}'..='\u{D7FB}',
];

const MONGOLIAN: &[RangeInclusive<char>] = &[
    '\u{1800}'..='\u{180A}',
    '\u{1810}'..='\u{18AF}',
    '\u{11660}'..='\u{1167F}',
];

const HIEROGLYPHS: &[RangeInclusive<char>] = &['\u{13000}'..='\u{1342F}'];

const IDEOGRAPHS: &[RangeInclusive<char>] = &[
    '\u{3400}'..='\u{4DBF}',
    '\u{4E00}'..='\u{9FFF}',
    '\u{F900}'..='\u{FAFF}',
    '\u{20000}'..='\u{3FFFF}',
];

/// What has standardised variations besides pictures and mathematical signs.
const VARIED: &[RangeInclusive<char>] = &[
    '\u{1000}'..='\u{109F}',
    '\u{2018}'..='\u{201D}',
    '\u{3001}'..='\u{3002}',
    '\u{3400}'..='\u{4DBF}',
    '\u{4E00}'..='\u{9FFF}',
    '\u{A840}'..='\u{A877}',
    '\u{AA60}'..='\u{AA7F}',
    '\u{F900}'..='\u{FAFF}',
    '\u{FF01}'..='\u{FF1F}',
    '\u{13000}'..='\u{1342F}',
    '\u{20000}'..='\u{3FFFF}',
];

#[cfg(test)]
mod tests {
    use super::{Why, invisibles, is_legal_join};
    use crate::text::class::{Class, class};
    use proptest::prelude::*;

    /// The names of the illegal characters, then how many are legal.
    fn check(raw: &str, illegal: &[&str], legal: usize) {
        let found = invisibles(raw);
        let (bad, good): (Vec<_>, Vec<_>) = found.iter().partition(|i| i.why == Why::Illegal);
        let names: Vec<&str> = bad.iter().map(|i| i.name.as_str()).collect();
        assert_eq!(names, illegal, "{}", raw.escape_unicode());
        assert_eq!(good.len(), legal, "{}", raw.escape_unicode());
        for invisible in found {
            let code = invisible.code.to_string();
            assert_eq!(raw.get(invisible.range.clone()), Some(code.as_str()));
            let legal = invisible.why == Why::LegalInContext;
            assert_eq!(is_legal_join(raw, invisible.range.start), legal);
        }
    }

    #[test]
    fn visible_text_has_none() {
        check("Refunds take\r\n\t5 days.", &[], 0);
        check("naïve 日本語\u{3000}語\u{A0}x e\u{301}", &[], 0);
        check("a\u{2028}b\u{85}c\u{C}", &[], 0);
        check("\u{E000}\u{FFFD}", &[], 0);
        check("\u{600}\u{661}", &[], 0);
    }

    #[test]
    fn controls_and_bidi_controls_are_illegal() {
        check("a\u{1B}[0m\u{7}", &["U+1B ESC", "U+07 BEL"], 0);
        check("a\rb", &["U+0D CR"], 0);
        check("\u{9B}\u{7F}", &["U+9B CSI", "U+7F DEL"], 0);
        check("a\u{202E}b\u{2066}", &["U+202E RLO", "U+2066 LRI"], 0);
        check("\u{5D0}\u{202E}\u{5D1}", &["U+202E RLO"], 0);
        check("a\u{200E}b", &["U+200E LRM"], 0);
        check("\u{5D0}\u{200E} b", &[], 1);
    }

    #[test]
    fn zero_width_characters_need_a_reason() {
        check("ig\u{200B}nore", &["U+200B ZWSP"], 0);
        check("ភាសា\u{200B}ខ្មែរ", &[], 1);
        check(
            "a\u{2060}b\u{2063}",
            &["U+2060 WJ", "U+2063 INVIS COMMA"],
            0,
        );
        check("\u{FEFF}Notes", &[], 1);
        check("No\u{FEFF}tes", &["U+FEFF BOM"], 0);
        check("hy\u{AD}phen", &[], 1);
        check("hyphen\u{AD} ", &["U+AD SHY"], 0);
        check("a\u{34F}b", &["U+34F CGJ"], 0);
        check("a\u{FFFF}b", &["U+FFFF NONCHAR"], 0);
    }

    #[test]
    fn joiners_are_legal_in_scripts_that_join() {
        check("او می\u{200C}خواهد چای بنوشد.", &[], 1);
        check("क्\u{200D}ष क्\u{200C}ष", &[], 2);
        check("ه\u{200D} ", &[], 1);
        check("a\u{200C}b", &["U+200C ZWNJ"], 0);
        check("a\u{200D}b", &["U+200D ZWJ"], 0);
        check("م\u{200C}b", &["U+200C ZWNJ"], 0);
        check("م\u{200C}\u{200C}م", &["U+200C ZWNJ", "U+200C ZWNJ"], 0);
        check("م\u{200C}\u{200D}", &["U+200C ZWNJ", "U+200D ZWJ"], 0);
    }

    #[test]
    fn emoji_sequences_are_legal() {
        check("👨\u{200D}👩\u{200D}👧", &[], 2);
        check("👩🏽\u{200D}🚀 ❤\u{FE0F}\u{200D}🔥", &[], 3);
        check("1\u{FE0F}\u{20E3}", &[], 1);
        check("1\u{FE0F}", &["U+FE0F VS16"], 0);
        check("a\u{FE0F}", &["U+FE0F VS16"], 0);
        check("😀\u{FE0F}\u{FE0F}", &["U+FE0F VS16"], 1);
        check("😀\u{E0101}", &["U+E0101 VS18"], 0);
        check("葛\u{E0100}", &[], 1);
        check("葛\u{E0100}\u{E0101}", &["U+E0101 VS18"], 1);
        check("😀\u{200D}a", &["U+200D ZWJ"], 0);
    }

    #[test]
    fn tags_are_legal_in_flags_only() {
        let tags = |letters: &str| -> String {
            letters
                .bytes()
                .map(|b| char::from_u32(0xE0000 + u32::from(b)).unwrap())
                .collect()
        };
        check(&format!("🏴{}\u{E007F}", tags("gbsct")), &[], 6);
        check(
            &format!("🏴{}\u{E007F}🏴{}\u{E007F}", tags("gbeng"), tags("gbwls")),
            &[],
            12,
        );
        check(
            &format!("🏴{}", tags("hi")),
            &["U+E0068 TAG h", "U+E0069 TAG i"],
            0,
        );
        check(&tags("hi"), &["U+E0068 TAG h", "U+E0069 TAG i"], 0);
        assert!(!invisibles(&format!("🏴{}\u{E007F}", tags("delete"))).is_empty());
        let padded = format!("🏴{}{}\u{E007F}", tags("gbsct"), tags("gbsct"));
        assert!(invisibles(&padded).iter().all(|i| i.why == Why::Illegal));
        let extra = format!("🏴{}\u{E007F}\u{E007F}", tags("gbsct"));
        check(&extra, &["U+E007F TAG END"], 6);
    }

    #[test]
    fn fillers_and_blanks_are_illegal() {
        check("a\u{3164}b", &["U+3164 HANGUL FILLER"], 0);
        check("\u{FFA0}", &["U+FFA0 HANGUL FILLER"], 0);
        check("\u{115F}a", &["U+115F HANGUL FILLER"], 0);
        check("\u{115F}\u{1161}", &[], 1);
        check("a\u{2800}b", &["U+2800 BRAILLE BLANK"], 0);
        check("\u{2801}\u{2800}", &[], 1);
    }

    #[test]
    fn tables_are_in_order() {
        use super::{BRAILLE, HIEROGLYPHS, IDEOGRAPHS, JOINING, MONGOLIAN};
        use super::{OLD_HANGUL, RIGHT_TO_LEFT, SEEN_FORMATS, UNSPACED, VARIED};
        for table in [
            BRAILLE,
            HIEROGLYPHS,
            IDEOGRAPHS,
            JOINING,
            MONGOLIAN,
            OLD_HANGUL,
            RIGHT_TO_LEFT,
            SEEN_FORMATS,
            UNSPACED,
            VARIED,
        ] {
            crate::text::class::tests::assert_in_order(table);
        }
    }

    #[test]
    fn a_megabyte_is_quick() {
        let started = std::time::Instant::now();
        for c in ['\u{200C}', '\u{E0067}', '\u{FE0F}', '\u{202E}'] {
            assert!(!invisibles(&c.to_string().repeat(100_000)).is_empty());
        }
        assert!(started.elapsed().as_secs() < 60);
    }

    proptest! {
        #[test]
        fn all_invisibles_are_named_by_visible(raw in crate::text::samples::hostile()) {
            let found = invisibles(&raw);
            for invisible in &found {
                prop_assert_eq!(class(invisible.code), Class::Named);
                prop_assert_eq!(raw.get(invisible.range.clone()).map(str::len),
                    Some(invisible.code.len_utf8()));
            }
            for at in 0..=raw.len() + 1 {
                let reported = found.iter().any(|i| i.range.start == at
                    && i.why == Why::LegalInContext);
                prop_assert_eq!(is_legal_join(&raw, at), reported);
            }
        }
    }
}
