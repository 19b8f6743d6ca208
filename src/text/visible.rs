//! What a reader sees: raw text as pieces that are drawn as they are, named, or break a line.
//!
//! Nothing is dropped, joined or interpreted: the pieces tile the raw bytes in order. Deliberately
//! context-free where terminals disagree (emoji families, flags, joiners): those are named.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::text::class::{Class, class, joins_syllable};
use crate::text::names::name;

/// Raw text as it may be drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visible {
    /// In order, without gaps: their raw ranges tile the text.
    pub pieces: Vec<Piece>,
    /// How many code points are not drawn as themselves. Tabs, spaces, line feeds, and a carriage
    /// return before a line feed do not count.
    pub hidden: usize,
}

/// One stretch of raw text and what stands for it on screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub raw: Range<usize>,
    pub shown: String,
    pub kind: PieceKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// Drawn as itself: `shown` equals the raw bytes.
    Plain,
    /// Stands for something else and is drawn reversed: `<U+202E RLO>`, a tab's `→`, a `·` for
    /// each trailing blank.
    Named,
    /// Ends a line and draws nothing: `shown` is empty.
    Break,
}

/// Shows every code point of `raw`: drawn, named, or (line feed only) as a break.
pub fn visible(raw: &str) -> Visible {
    let mut scanner = Scanner::new(raw);
    let pieces = scanner.by_ref().collect();
    Visible {
        pieces,
        hidden: scanner.hidden,
    }
}

impl Visible {
    /// True if the text holds code points that are not drawn as themselves.
    pub fn hides(&self) -> bool {
        self.hidden > 0
    }
}

impl Piece {
    /// Columns on screen.
    pub fn width(&self) -> usize {
        columns(&self.shown)
    }
}

pub(crate) const TAB_STOP: usize = 4;
pub(crate) const TAB: char = '→';
pub(crate) const BLANK: char = '·';
/// Marks that are drawn on one base, and columns that a base with its marks may take.
const MOST_MARKS: usize = 4;
pub(crate) const MOST_COLUMNS: usize = 4;

/// Columns of a text that holds only what `visible` shows: the sum over its graphemes, as a
/// terminal draws them cell by cell (a whole string may count ligatures, which cells do not).
pub(crate) fn columns(shown: &str) -> usize {
    if shown.is_ascii() {
        return shown.len();
    }
    shown.graphemes(true).map(UnicodeWidthStr::width).sum()
}

/// Yields the pieces one by one, so that a narrow cell need not scan a long text.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'a> {
    raw: &'a str,
    at: usize,
    column: usize,
    base: Base,
    hidden: usize,
}

/// What a following mark would be drawn on.
#[derive(Clone, Copy, Debug, Default)]
struct Base {
    /// The last character of the base and its marks, if one is drawn right before.
    last: Option<char>,
    marks: usize,
    columns: usize,
}

impl Base {
    fn of(c: char) -> Base {
        Base {
            last: Some(c),
            marks: 0,
            columns: c.width().unwrap_or(0),
        }
    }

    fn takes(&self, c: char, class: Class) -> bool {
        let fits = self.marks < MOST_MARKS && self.columns + c.width().unwrap_or(0) <= MOST_COLUMNS;
        match (class, self.last) {
            (Class::Mark, Some(_)) => fits,
            (Class::Jamo, Some(last)) => fits && joins_syllable(last, c),
            _ => false,
        }
    }

    fn add(&mut self, c: char) {
        self.marks += 1;
        self.columns += c.width().unwrap_or(0);
        self.last = Some(c);
    }
}

impl Iterator for Scanner<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let rest = self.raw.get(self.at..)?;
        let c = rest.chars().next()?;
        let piece = match class(c) {
            Class::LineFeed => self.piece(1, String::new(), PieceKind::Break),
            Class::Tab => self.tab(),
            Class::Named => self.named(c),
            found @ (Class::Mark | Class::Jamo) => self.mark(c, found, rest),
            Class::Drawn | Class::Space => match trailing_blanks(rest) {
                Some(count) => self.blanks(count),
                None => self.plain(rest),
            },
        };
        Some(piece)
    }
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(raw: &'a str) -> Self {
        Scanner {
            raw,
            at: 0,
            column: 0,
            base: Base::default(),
            hidden: 0,
        }
    }

    fn piece(&mut self, bytes: usize, shown: String, kind: PieceKind) -> Piece {
        let raw = self.at..self.at + bytes;
        self.at = raw.end;
        self.column = match kind {
            PieceKind::Break => 0,
            PieceKind::Plain | PieceKind::Named => self.column + columns(&shown),
        };
        if kind != PieceKind::Plain {
            self.base.last = None;
        }
        Piece { raw, shown, kind }
    }

    fn tab(&mut self) -> Piece {
        self.base = Base::default();
        let padding = TAB_STOP - 1 - self.column % TAB_STOP;
        let shown = format!("{TAB}{:padding$}", "");
        self.piece(1, shown, PieceKind::Named)
    }

    fn blanks(&mut self, count: usize) -> Piece {
        self.base = Base::default();
        let shown = String::from(BLANK).repeat(count);
        self.piece(count, shown, PieceKind::Named)
    }

    fn named(&mut self, c: char) -> Piece {
        self.base = Base::default();
        let ends_line = c == '\r' && self.raw.get(self.at + 1..).is_some_and(line_ends);
        self.hidden += usize::from(!ends_line);
        self.piece(c.len_utf8(), token(c), PieceKind::Named)
    }

    /// A mark at the start of a piece has no base that takes it, or is one too many.
    fn mark(&mut self, c: char, found: Class, rest: &str) -> Piece {
        if self.base.takes(c, found) {
            return self.plain(rest);
        }
        if self.base.marks < MOST_MARKS {
            self.base.marks += 1;
            self.hidden += 1;
            return self.piece(c.len_utf8(), token(c), PieceKind::Named);
        }
        let marks = rest
            .chars()
            .take_while(|&c| matches!(class(c), Class::Mark | Class::Jamo));
        let (count, bytes) = marks.fold((0, 0), |(n, b), c| (n + 1, b + c.len_utf8()));
        self.hidden += count;
        self.base = Base {
            last: None,
            marks: MOST_MARKS,
            columns: 0,
        };
        let plural = if count == 1 { "" } else { "s" };
        self.piece(bytes, format!("<+{count} mark{plural}>"), PieceKind::Named)
    }

    fn plain(&mut self, rest: &str) -> Piece {
        let mut bytes = 0;
        while let Some(tail) = rest.get(bytes..) {
            let Some(c) = tail.chars().next() else { break };
            match class(c) {
                Class::Space => {
                    let blanks = tail.bytes().take_while(|&b| b == b' ').count();
                    if tail.get(blanks..).is_none_or(line_ends) {
                        break;
                    }
                    self.base = Base::default();
                    bytes += blanks;
                }
                Class::Drawn => {
                    self.base = Base::of(c);
                    bytes += c.len_utf8();
                }
                found if self.base.takes(c, found) => {
                    self.base.add(c);
                    bytes += c.len_utf8();
                }
                _ => break,
            }
        }
        let shown = rest.get(..bytes).unwrap_or_default().to_owned();
        self.piece(bytes, shown, PieceKind::Plain)
    }
}

/// How many spaces stand at the start of `rest`, if a line ends after them.
fn trailing_blanks(rest: &str) -> Option<usize> {
    let blanks = rest.bytes().take_while(|&b| b == b' ').count();
    (blanks > 0 && rest.get(blanks..).is_none_or(line_ends)).then_some(blanks)
}

/// True where a line has nothing more to show.
fn line_ends(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('\n')
}

fn token(c: char) -> String {
    format!("<{}>", name(c))
}

#[cfg(test)]
mod tests {
    use super::{PieceKind, Visible, visible};
    use crate::text::class::{Class, class};
    use crate::text::names::name;
    use proptest::prelude::*;

    /// Named pieces in `[ ]`, breaks as `/`.
    fn drawn(visible: &Visible) -> String {
        let show = |piece: &super::Piece| match piece.kind {
            PieceKind::Plain => piece.shown.clone(),
            PieceKind::Named => format!("[{}]", piece.shown),
            PieceKind::Break => "/".to_owned(),
        };
        visible.pieces.iter().map(show).collect()
    }

    fn check(raw: &str, expected: &str) {
        assert_eq!(drawn(&visible(raw)), expected, "{}", raw.escape_unicode());
    }

    fn check_hidden(raw: &str, expected: usize) {
        assert_eq!(visible(raw).hidden, expected, "{}", raw.escape_unicode());
    }

    #[test]
    fn ordinary_text_is_drawn_as_it_is() {
        check("", "");
        check("Refunds take 5 days.", "Refunds take 5 days.");
        check(
            "Grüße, señor, Ελλάδα, привет",
            "Grüße, señor, Ελλάδα, привет",
        );
        check("日本語テキスト 한국어", "日本語テキスト 한국어");
        check("नमस्ते दुनिया", "नमस्ते दुनिया");
        check("สวัสดี", "สวัสดี");
        check("שלום عليكم", "שלום عليكم");
        check("ｶﾞｷﾞ", "ｶﾞｷﾞ");
        check("😀 ok ❤", "😀 ok ❤");
        check("<U+202E RLO>", "<U+202E RLO>");
        check("\u{1112}\u{1161}\u{11AB}", "\u{1112}\u{1161}\u{11AB}");
    }

    #[test]
    fn line_feeds_break_and_nothing_else_does() {
        check("a\nb", "a/b");
        check("a\n", "a/");
        check("\n\n", "//");
        check("a\r\nb", "a[<U+0D CR>]/b");
        check("a\rb", "a[<U+0D CR>]b");
        check("a\u{85}b", "a[<U+85 NEL>]b");
        check("a\u{2028}b\u{2029}c", "a[<U+2028 LS>]b[<U+2029 PS>]c");
        check("a\u{B}b\u{C}c", "a[<U+0B VT>]b[<U+0C FF>]c");
    }

    #[test]
    fn tabs_reach_their_stop() {
        check("\tb", "[→   ]b");
        check("a\tb", "a[→  ]b");
        check("abc\tb", "abc[→]b");
        check("abcd\tb", "abcd[→   ]b");
        check("a\n\tb", "a/[→   ]b");
        check("語\tb", "語[→ ]b");
        check("a\t", "a[→  ]");
        check("\t\t", "[→   ][→   ]");
    }

    #[test]
    fn trailing_blanks_are_dots() {
        check("a ", "a[·]");
        check("a   \nb", "a[···]/b");
        check("   ", "[···]");
        check("  a  b", "  a  b");
        check(" \n ", "[·]/[·]");
        check("a \t", "a [→ ]");
        check("a \r\n", "a [<U+0D CR>]/");
    }

    #[test]
    fn controls_are_named() {
        check("a\u{1B}[31mb", "a[<U+1B ESC>][31mb");
        check("\u{7}", "[<U+07 BEL>]");
        check("\u{0}", "[<U+00 NUL>]");
        check("\u{7F}", "[<U+7F DEL>]");
        check("\u{9B}31m", "[<U+9B CSI>]31m");
        check("\u{8}", "[<U+08 BS>]");
    }

    #[test]
    fn bidi_controls_are_named() {
        check("a\u{202E}b", "a[<U+202E RLO>]b");
        check("\u{202A}\u{202B}", "[<U+202A LRE>][<U+202B RLE>]");
        check("\u{202C}\u{202D}", "[<U+202C PDF>][<U+202D LRO>]");
        check("\u{2066}\u{2067}", "[<U+2066 LRI>][<U+2067 RLI>]");
        check("\u{2068}\u{2069}", "[<U+2068 FSI>][<U+2069 PDI>]");
        check("\u{200E}\u{200F}", "[<U+200E LRM>][<U+200F RLM>]");
        check("\u{61C}", "[<U+61C ALM>]");
    }

    #[test]
    fn invisible_characters_are_named() {
        check("ig\u{200B}nore", "ig[<U+200B ZWSP>]nore");
        check("\u{2060}\u{FEFF}", "[<U+2060 WJ>][<U+FEFF BOM>]");
        check("so\u{AD}ft", "so[<U+AD SHY>]ft");
        check("\u{2063}\u{206A}", "[<U+2063 INVIS COMMA>][<U+206A ISS>]");
        check("\u{180E}\u{1D173}", "[<U+180E MVS>][<U+1D173 FORMAT>]");
        check("\u{E0001}", "[<U+E0001 LANGUAGE TAG>]");
        check(
            "\u{3164}\u{FFA0}",
            "[<U+3164 HANGUL FILLER>][<U+FFA0 HANGUL FILLER>]",
        );
        check(
            "\u{115F}\u{1160}",
            "[<U+115F HANGUL FILLER>][<U+1160 HANGUL FILLER>]",
        );
        check("\u{34F}", "[<U+34F CGJ>]");
        check("می\u{200C}خ", "می[<U+200C ZWNJ>]خ");
        check("a\u{FE00}b\u{FE0F}", "a[<U+FE00 VS1>]b[<U+FE0F VS16>]");
        check("葛\u{E0100}", "葛[<U+E0100 VS17>]");
        check(
            "\u{E0069}\u{E0020}",
            "[<U+E0069 TAG i>][<U+E0020 TAG SPACE>]",
        );
    }

    #[test]
    fn look_alike_blanks_are_named() {
        check("a\u{A0}b", "a[<U+A0 NBSP>]b");
        check("a\u{3000}b", "a[<U+3000 WIDE SPACE>]b");
        check("\u{2800}", "[<U+2800 BRAILLE BLANK>]");
        check(
            "\u{2003}\u{200A}",
            "[<U+2003 EM SPACE>][<U+200A HAIR SPACE>]",
        );
        check("\u{202F}\u{205F}", "[<U+202F NNBSP>][<U+205F MATH SPACE>]");
        check("\u{1680}", "[<U+1680 OGHAM SPACE>]");
    }

    #[test]
    fn code_points_without_a_glyph_are_named() {
        check("\u{E000}", "[<U+E000 PRIVATE>]");
        check("\u{FFF9}", "[<U+FFF9 ANNOTATION>]");
        check("\u{FFFE}", "[<U+FFFE NONCHAR>]");
        check("\u{FFFD}", "[<U+FFFD REPLACEMENT>]");
        check("\u{FFFC}", "[<U+FFFC OBJECT>]");
        check("\u{378}", "[<U+378 UNASSIGNED>]");
        check("\u{600}", "[<U+600 FORMAT>]");
    }

    #[test]
    fn emoji_sequences_show_their_parts() {
        check("👨\u{200D}👩", "👨[<U+200D ZWJ>]👩");
        check("❤\u{FE0F}", "❤[<U+FE0F VS16>]");
        check("🇩🇪", "[<U+1F1E9 FLAG D>][<U+1F1EA FLAG E>]");
        check("👍🏽", "👍[<U+1F3FD SKIN 4>]");
        check("1\u{FE0F}\u{20E3}", "1[<U+FE0F VS16>][<U+20E3 MARK>]");
        check(
            "🏴\u{E0067}\u{E007F}",
            "🏴[<U+E0067 TAG g>][<U+E007F TAG END>]",
        );
    }

    #[test]
    fn four_marks_are_drawn_and_the_rest_counted() {
        let marks = |count: usize| "\u{300}".repeat(count);
        check(&format!("e{}x", marks(1)), &format!("e{}x", marks(1)));
        check(&format!("e{}x", marks(4)), &format!("e{}x", marks(4)));
        check(
            &format!("e{}x", marks(5)),
            &format!("e{}[<+1 mark>]x", marks(4)),
        );
        check(
            &format!("e{}x", marks(41)),
            &format!("e{}[<+37 marks>]x", marks(4)),
        );
        check(&marks(1), "[<U+300 MARK>]");
        check(&format!(" {}", marks(1)), " [<U+300 MARK>]");
        check(
            &format!("\u{200B}{}", marks(1)),
            "[<U+200B ZWSP>][<U+300 MARK>]",
        );
        let named = "[<U+300 MARK>]".repeat(4);
        check(&marks(9), &format!("{named}[<+5 marks>]"));
        check("a\u{1161}", "a[<U+1161>]");
        check("\u{1161}", "[<U+1161>]");
        check("각\u{11A8}\u{1161}", "각\u{11A8}[<U+1161>]");
        check("\u{1100}\u{651}\u{1161}", "\u{1100}\u{651}[<U+1161>]");
    }

    #[test]
    fn hidden_counts_what_is_not_drawn_as_itself() {
        check_hidden("plain\ttext \r\nnext  ", 0);
        check_hidden("lone\rreturn", 1);
        check_hidden("a\u{200B}\u{202E}b\u{A0}", 3);
        check_hidden(&format!("e{}", "\u{300}".repeat(41)), 37);
        check_hidden("\u{300}", 1);
        check_hidden("👨\u{200D}👩", 1);
    }

    #[test]
    fn a_million_marks_or_controls_are_quick() {
        let started = std::time::Instant::now();
        let marks = visible(&format!("e{}", "\u{300}".repeat(1_000_000)));
        assert_eq!(marks.pieces.len(), 2);
        let controls = visible(&"\u{202E}".repeat(333_000));
        assert_eq!(controls.pieces.len(), 333_000);
        assert_eq!(visible(&" ".repeat(1_000_000)).pieces.len(), 1);
        assert_eq!(visible(&"a  b".repeat(250_000)).pieces.len(), 1);
        // Measured well under a second; the limit only rules out quadratic work.
        assert!(started.elapsed().as_secs() < 20);
    }

    proptest! {
        #[test]
        fn nothing_hidden_every_code_point_is_drawn_or_named(
            raw in crate::text::samples::hostile(),
        ) {
            let seen = visible(&raw);
            let mut at = 0;
            for piece in &seen.pieces {
                prop_assert_eq!(piece.raw.start, at);
                prop_assert!(piece.raw.end > at);
                at = piece.raw.end;
                crate::text::samples::assert_drawable(&piece.shown);
                let bytes = raw.get(piece.raw.clone()).unwrap();
                match piece.kind {
                    PieceKind::Plain => prop_assert_eq!(&piece.shown, bytes),
                    PieceKind::Break => prop_assert_eq!(bytes, "\n"),
                    PieceKind::Named => prop_assert!(stands_for(&piece.shown, bytes)),
                }
            }
            prop_assert_eq!(at, raw.len());
        }
    }

    fn stands_for(shown: &str, raw: &str) -> bool {
        let mut chars = raw.chars();
        match (chars.next().unwrap(), chars.next()) {
            ('\t', None) => shown.trim_end() == "→",
            (' ', _) => shown == "·".repeat(raw.len()),
            (c, None) if shown == format!("<{}>", name(c)) => true,
            _ => {
                let count = raw.chars().count();
                let marks = raw
                    .chars()
                    .all(|c| matches!(class(c), Class::Mark | Class::Jamo));
                marks
                    && shown.trim_end_matches("s>").trim_end_matches('>')
                        == format!("<+{count} mark")
            }
        }
    }
}
