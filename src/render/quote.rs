//! Text as a JSON string in which nothing is hidden and nothing can end what stands around it.

use std::fmt::Write as _;

use crate::text::visible::{PieceKind, visible};

/// Quotes a text: `"`, `\`, `<`, `>`, `&` and whatever could not be seen are escaped. Reading the
/// result as JSON gives the very same text.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for piece in visible(text).pieces {
        let raw = text.get(piece.raw.clone()).unwrap_or_default();
        for c in raw.chars() {
            push(c, piece.kind == PieceKind::Plain, &mut out);
        }
    }
    out.push('"');
    out
}

fn push(c: char, is_plain: bool, out: &mut String) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '<' | '>' | '&' | '`' => escape(c, out),
        _ if is_plain && !c.is_control() => out.push(c),
        _ => escape(c, out),
    }
}

/// `\uXXXX`, and two of them past the first plane, as JSON has it.
fn escape(c: char, out: &mut String) {
    let mut units = [0_u16; 2];
    for unit in c.encode_utf16(&mut units) {
        let _ = write!(out, "\\u{unit:04x}");
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::quote;

    fn check(text: &str, expected: &str) {
        assert_eq!(quote(text), expected);
    }

    #[test]
    fn nothing_is_hidden_and_nothing_ends_the_quote() {
        check("Refunds take 5 days.", "\"Refunds take 5 days.\"");
        check("café 中文 🎉", "\"café 中文 🎉\"");
        check("a\"b\\c", "\"a\\\"b\\\\c\"");
        check("a\nb\tc\rd", "\"a\\nb\\tc\\rd\"");
        check("</x>", "\"\\u003c/x\\u003e\"");
        check("a\u{202e}b\u{200b}c", "\"a\\u202eb\\u200bc\"");
        check("\u{e0041}", "\"\\udb40\\udc41\"");
        check("\0\u{85}\u{2028}", "\"\\u0000\\u0085\\u2028\"");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn reading_the_quote_gives_the_text(text in any::<String>()) {
            let quoted = quote(&text);
            prop_assert_eq!(serde_json::from_str::<String>(&quoted).unwrap(), text);
            prop_assert_eq!(crate::text::visible::visible(&quoted).hides(), false);
        }
    }
}
