//! What a character is called on screen: `U+202E RLO`.
//!
//! Knows short names of the characters that are never drawn. Deliberately no full Unicode names:
//! a name has to fit a narrow column, and the number says the rest.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The number of a character and, where it has one, its short name: `U+202E RLO`, `U+41`.
pub fn name(c: char) -> String {
    match short_name(c) {
        Some(short) => format!("U+{:02X} {short}", u32::from(c)),
        None => format!("U+{:02X}", u32::from(c)),
    }
}

/// The short name alone: `RLO`, `TAG i`, `VS16`, `MARK`.
pub fn short_name(c: char) -> Option<String> {
    if let Ok(at) = NAMES.binary_search_by_key(&c, |&(named, _)| named) {
        return NAMES.get(at).map(|&(_, short)| short.to_owned());
    }
    if let Some(letter) = tag_letter(c) {
        return Some(format!("TAG {letter}"));
    }
    let from = |first: u32| u32::from(c).saturating_sub(first);
    match c {
        '\u{FE00}'..='\u{FE0F}' => Some(format!("VS{}", from(0xFE00) + 1)),
        '\u{E0100}'..='\u{E01EF}' => Some(format!("VS{}", from(0xE0100) + 17)),
        '\u{1F1E6}'..='\u{1F1FF}' => {
            char::from_u32(from(0x1F1E6) + 0x41).map(|letter| format!("FLAG {letter}"))
        }
        '\u{1F3FB}'..='\u{1F3FF}' => Some(format!("SKIN {}", from(0x1F3FB) + 2)),
        _ => category_name(c).map(str::to_owned),
    }
}

/// The printable ASCII character that a tag character carries.
pub fn tag_letter(c: char) -> Option<char> {
    match c {
        '\u{E0020}'..='\u{E007E}' => char::from_u32(u32::from(c) - 0xE0000),
        _ => None,
    }
}

fn category_name(c: char) -> Option<&'static str> {
    use GeneralCategory as G;
    match c.general_category() {
        G::PrivateUse => Some("PRIVATE"),
        G::Unassigned if is_noncharacter(c) => Some("NONCHAR"),
        G::Unassigned => Some("UNASSIGNED"),
        G::Format => Some("FORMAT"),
        G::Control => Some("CONTROL"),
        G::SpaceSeparator => Some("SPACE"),
        G::NonspacingMark | G::SpacingMark | G::EnclosingMark => Some("MARK"),
        _ => None,
    }
}

pub(crate) fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE
}

/// In order of code points: it is searched by halves.
#[rustfmt::skip]
const NAMES: &[(char, &str)] = &[
    ('\u{0}', "NUL"), ('\u{1}', "SOH"), ('\u{2}', "STX"), ('\u{3}', "ETX"),
    ('\u{4}', "EOT"), ('\u{5}', "ENQ"), ('\u{6}', "ACK"), ('\u{7}', "BEL"),
    ('\u{8}', "BS"), ('\u{9}', "TAB"), ('\u{A}', "LF"), ('\u{B}', "VT"),
    ('\u{C}', "FF"), ('\u{D}', "CR"), ('\u{E}', "SO"), ('\u{F}', "SI"),
    ('\u{10}', "DLE"), ('\u{11}', "DC1"), ('\u{12}', "DC2"), ('\u{13}', "DC3"),
    ('\u{14}', "DC4"), ('\u{15}', "NAK"), ('\u{16}', "SYN"), ('\u{17}', "ETB"),
    ('\u{18}', "CAN"), ('\u{19}', "EM"), ('\u{1A}', "SUB"), ('\u{1B}', "ESC"),
    ('\u{1C}', "FS"), ('\u{1D}', "GS"), ('\u{1E}', "RS"), ('\u{1F}', "US"),
    ('\u{20}', "SPACE"), ('\u{7F}', "DEL"),
    ('\u{80}', "PAD"), ('\u{81}', "HOP"), ('\u{82}', "BPH"), ('\u{83}', "NBH"),
    ('\u{84}', "IND"), ('\u{85}', "NEL"), ('\u{86}', "SSA"), ('\u{87}', "ESA"),
    ('\u{88}', "HTS"), ('\u{89}', "HTJ"), ('\u{8A}', "VTS"), ('\u{8B}', "PLD"),
    ('\u{8C}', "PLU"), ('\u{8D}', "RI"), ('\u{8E}', "SS2"), ('\u{8F}', "SS3"),
    ('\u{90}', "DCS"), ('\u{91}', "PU1"), ('\u{92}', "PU2"), ('\u{93}', "STS"),
    ('\u{94}', "CCH"), ('\u{95}', "MW"), ('\u{96}', "SPA"), ('\u{97}', "EPA"),
    ('\u{98}', "SOS"), ('\u{99}', "SGC"), ('\u{9A}', "SCI"), ('\u{9B}', "CSI"),
    ('\u{9C}', "ST"), ('\u{9D}', "OSC"), ('\u{9E}', "PM"), ('\u{9F}', "APC"),
    ('\u{A0}', "NBSP"), ('\u{AD}', "SHY"), ('\u{34F}', "CGJ"), ('\u{61C}', "ALM"),
    ('\u{115F}', "HANGUL FILLER"), ('\u{1160}', "HANGUL FILLER"),
    ('\u{1680}', "OGHAM SPACE"), ('\u{17B4}', "KHMER AQ"), ('\u{17B5}', "KHMER AA"),
    ('\u{180B}', "FVS1"), ('\u{180C}', "FVS2"), ('\u{180D}', "FVS3"),
    ('\u{180E}', "MVS"), ('\u{180F}', "FVS4"),
    ('\u{2000}', "EN QUAD"), ('\u{2001}', "EM QUAD"), ('\u{2002}', "EN SPACE"),
    ('\u{2003}', "EM SPACE"), ('\u{2004}', "1/3 EM SPACE"), ('\u{2005}', "1/4 EM SPACE"),
    ('\u{2006}', "1/6 EM SPACE"), ('\u{2007}', "FIGURE SPACE"), ('\u{2008}', "PUNCT SPACE"),
    ('\u{2009}', "THIN SPACE"), ('\u{200A}', "HAIR SPACE"),
    ('\u{200B}', "ZWSP"), ('\u{200C}', "ZWNJ"), ('\u{200D}', "ZWJ"),
    ('\u{200E}', "LRM"), ('\u{200F}', "RLM"), ('\u{2028}', "LS"), ('\u{2029}', "PS"),
    ('\u{202A}', "LRE"), ('\u{202B}', "RLE"), ('\u{202C}', "PDF"),
    ('\u{202D}', "LRO"), ('\u{202E}', "RLO"), ('\u{202F}', "NNBSP"),
    ('\u{205F}', "MATH SPACE"), ('\u{2060}', "WJ"), ('\u{2061}', "FUNC APPLY"),
    ('\u{2062}', "INVIS TIMES"), ('\u{2063}', "INVIS COMMA"), ('\u{2064}', "INVIS PLUS"),
    ('\u{2066}', "LRI"), ('\u{2067}', "RLI"), ('\u{2068}', "FSI"), ('\u{2069}', "PDI"),
    ('\u{206A}', "ISS"), ('\u{206B}', "ASS"), ('\u{206C}', "IAFS"),
    ('\u{206D}', "AAFS"), ('\u{206E}', "NADS"), ('\u{206F}', "NODS"),
    ('\u{2800}', "BRAILLE BLANK"), ('\u{3000}', "WIDE SPACE"),
    ('\u{3164}', "HANGUL FILLER"), ('\u{FEFF}', "BOM"), ('\u{FFA0}', "HANGUL FILLER"),
    ('\u{FFF9}', "ANNOTATION"), ('\u{FFFA}', "ANNOTATION SEP"),
    ('\u{FFFB}', "ANNOTATION END"), ('\u{FFFC}', "OBJECT"), ('\u{FFFD}', "REPLACEMENT"),
    ('\u{13441}', "GLYPH BLANK"), ('\u{13442}', "GLYPH BLANK"),
    ('\u{1D159}', "NULL NOTE"),
    ('\u{E0001}', "LANGUAGE TAG"), ('\u{E0020}', "TAG SPACE"), ('\u{E007F}', "TAG END"),
];

#[cfg(test)]
mod tests {
    use super::{NAMES, name};

    fn check(c: char, expected: &str) {
        assert_eq!(name(c), expected);
    }

    #[test]
    fn notable_characters_have_names() {
        check('\u{202E}', "U+202E RLO");
        check('\u{200B}', "U+200B ZWSP");
        check('\u{1B}', "U+1B ESC");
        check('\u{0}', "U+00 NUL");
        check('\u{9B}', "U+9B CSI");
        check('\u{E0069}', "U+E0069 TAG i");
        check('\u{E0020}', "U+E0020 TAG SPACE");
        check('\u{E007F}', "U+E007F TAG END");
        check('\u{FE0F}', "U+FE0F VS16");
        check('\u{E0100}', "U+E0100 VS17");
        check('\u{E01EF}', "U+E01EF VS256");
        check('\u{1F1E9}', "U+1F1E9 FLAG D");
        check('\u{1F3FB}', "U+1F3FB SKIN 2");
        check('\u{1F3FF}', "U+1F3FF SKIN 6");
        check('\u{E000}', "U+E000 PRIVATE");
        check('\u{FFFF}', "U+FFFF NONCHAR");
        check('\u{10FFFF}', "U+10FFFF NONCHAR");
        check('\u{FDD0}', "U+FDD0 NONCHAR");
        check('\u{378}', "U+378 UNASSIGNED");
        check('\u{301}', "U+301 MARK");
        check('\u{605}', "U+605 FORMAT");
        check('A', "U+41");
        check('\u{1F600}', "U+1F600");
    }

    #[test]
    fn names_are_sorted_and_printable() {
        for pair in NAMES.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{pair:?}");
        }
        for c in (0..=0x10FFFF).filter_map(char::from_u32) {
            let shown = name(c);
            assert!(shown.bytes().all(|b| (0x20..0x7F).contains(&b)), "{shown}");
        }
    }
}
