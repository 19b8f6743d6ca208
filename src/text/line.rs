//! The one-line forms: for list cells, titles, errors, logs; and the pure ASCII form.
//!
//! These are plain strings: a token in them cannot be told from the same letters typed by an
//! attacker. Where that matters, draw the pieces of `visible`, which say what is named.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::visible::{Piece, PieceKind, Scanner, columns};

/// `raw` on one line: what cannot be drawn is named, a line feed is `⏎`.
pub fn line(raw: &str) -> String {
    Scanner::new(raw).map(on_one_line).collect()
}

/// `line`, cut to `columns` with `…` at its end where something was left out. For cells only.
///
/// Reads no more of `raw` than is shown; a token is shown whole or not at all.
pub fn line_within(raw: &str, columns: usize) -> String {
    let mut cut = Cut::new(columns);
    for piece in Scanner::new(raw) {
        let whole = piece.kind != PieceKind::Plain;
        let shown = on_one_line(piece);
        let fits = match whole {
            true => cut.add(&shown),
            false => shown.graphemes(true).all(|grapheme| cut.add(grapheme)),
        };
        if !fits {
            return cut.shortened();
        }
    }
    cut.text
}

/// `raw` in printable ASCII, reversible: `\n`, `\t`, `\r`, `\\` and `\u{..}` for the rest.
pub fn escaped(raw: &str) -> String {
    let mut escaped = String::with_capacity(raw.len());
    for c in raw.chars() {
        match c {
            '\\' | '\n' | '\t' | '\r' => escaped.extend(c.escape_default()),
            ' '..='~' => escaped.push(c),
            _ => escaped.extend(c.escape_unicode()),
        }
    }
    escaped
}

fn on_one_line(piece: Piece) -> String {
    match piece.kind {
        PieceKind::Break => "⏎".to_owned(),
        PieceKind::Plain | PieceKind::Named => piece.shown,
    }
}

/// Text that grows up to a width, and remembers where it would have to be cut.
struct Cut {
    most: usize,
    text: String,
    used: usize,
    /// The length that leaves room for the ellipsis.
    kept: usize,
}

impl Cut {
    fn new(most: usize) -> Cut {
        Cut {
            most,
            text: String::new(),
            used: 0,
            kept: 0,
        }
    }

    fn add(&mut self, shown: &str) -> bool {
        self.used += match shown.len() {
            1 => 1,
            _ if shown.is_ascii() => shown.len(),
            _ => columns(shown),
        };
        if self.used > self.most {
            return false;
        }
        self.text.push_str(shown);
        if self.used < self.most {
            self.kept = self.text.len();
        }
        true
    }

    fn shortened(mut self) -> String {
        self.text.truncate(self.kept);
        if self.most > 0 {
            self.text.push('…');
        }
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::{escaped, line, line_within};
    use crate::text::visible::columns;
    use proptest::prelude::*;

    fn check(raw: &str, expected: &str) {
        assert_eq!(line(raw), expected);
    }

    fn check_within(raw: &str, columns: usize, expected: &str) {
        assert_eq!(line_within(raw, columns), expected);
    }

    fn check_escaped(raw: &str, expected: &str) {
        assert_eq!(escaped(raw), expected);
    }

    #[test]
    fn one_line_names_breaks_and_controls() {
        check("plain", "plain");
        check("a\nb", "a⏎b");
        check("a\r\nb", "a<U+0D CR>⏎b");
        check("a\u{1B}]0;x\u{7}", "a<U+1B ESC>]0;x<U+07 BEL>");
        check("a\u{2028}\u{202E}b", "a<U+2028 LS><U+202E RLO>b");
        check("a  ", "a··");
        check("a\tb", "a→  b");
    }

    #[test]
    fn a_cell_is_cut_with_an_ellipsis() {
        check_within("refund", 6, "refund");
        check_within("refunds", 6, "refun…");
        check_within("refunds", 1, "…");
        check_within("refunds", 0, "");
        check_within("", 0, "");
        check_within("日本語", 6, "日本語");
        check_within("日本語", 5, "日本…");
        check_within("日本語", 4, "日…");
        check_within("a\u{200B}b", 8, "a…");
        check_within("a\u{200B}b", 15, "a<U+200B ZWSP>b");
        check_within("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…");
        check_within(&"x".repeat(1_000_000), 3, "xx…");
    }

    #[test]
    fn the_ascii_form_is_reversible() {
        check_escaped("plain <text>", "plain <text>");
        check_escaped("a\nb\t\r", "a\\nb\\t\\r");
        check_escaped("\\n", "\\\\n");
        check_escaped(
            "é\u{202E}\u{1B}\u{0}\u{7F}",
            "\\u{e9}\\u{202e}\\u{1b}\\u{0}\\u{7f}",
        );
        check_escaped("\u{E0069}", "\\u{e0069}");
    }

    proptest! {
        #[test]
        fn nothing_hidden_every_code_point_is_drawn_or_named(
            raw in crate::text::samples::hostile(),
            most in 0usize..60,
        ) {
            crate::text::samples::assert_drawable(&line(&raw));
            let cut = line_within(&raw, most);
            crate::text::samples::assert_drawable(&cut);
            prop_assert!(columns(&cut) <= most);
            if columns(&line(&raw)) <= most {
                prop_assert_eq!(&cut, &line(&raw));
            }
            prop_assert!(escaped(&raw).bytes().all(|b| (0x20..0x7F).contains(&b)));
        }
    }
}
