//! What an uploaded file says: its bytes in, the text that a reader sees out, and beside it what the
//! file says where no reader looks.
//!
//! Known by content first, by name only where content says nothing. Nothing is fetched, run or laid
//! out: what a style sheet of its own hides is not known here. Hidden text never becomes text, and
//! it is never lost silently: that is where instructions to machines are put.

mod html;

/// The longest stretch of hidden text that is kept of one place, in bytes.
const LONGEST: usize = 16 * 1024;
/// How many places of hidden text are kept; more are counted.
const MOST: usize = 1000;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Text as it stands, Markdown among it.
    Text,
    /// HTML.
    Html,
    /// PDF, which is a program that draws letters: its text is not read here.
    Pdf,
    /// No text at all.
    Binary,
}

/// What a reader of a page sees, and what not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    /// What it calls itself.
    pub title: Option<String>,
    /// What a reader sees.
    pub text: String,
    /// What a reader does not see, in order.
    pub left_out: Vec<LeftOut>,
    /// How much more was left out than is listed: whole places, and rests of places that are cut.
    pub more: usize,
}

/// Something a reader does not see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// What it is.
    pub what: Hidden,
    /// What it says, cut where it is very long.
    pub text: String,
    /// The byte of the visible text behind which it stands.
    pub at: usize,
}

/// Where a reader does not look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    /// A comment.
    Comment,
    /// A program.
    Script,
    /// A style sheet.
    Style,
    /// An element that is there and not shown.
    Element,
    /// A template, or what stands in for a program.
    Template,
    /// A word beside an element: an alternative text, a hint, a description.
    Attribute,
}

impl Hidden {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Comment => "comment",
            Self::Script => "script",
            Self::Style => "style sheet",
            Self::Element => "hidden element",
            Self::Template => "template",
            Self::Attribute => "attribute",
        }
    }

    /// Whether it is written in words, so that it can be asked what they say.
    #[must_use]
    pub const fn is_words(self) -> bool {
        !matches!(self, Self::Script | Self::Style)
    }
}

/// What a file is, by its first bytes; its name decides only whether text is HTML.
#[must_use]
pub fn form_of(bytes: &[u8], name: &str) -> Form {
    let head = bytes.get(..bytes.len().min(8192)).unwrap_or(bytes);
    let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let near = start.get(..start.len().min(1024)).unwrap_or(start);
    if near.windows(5).any(|five| five == b"%PDF-") {
        return Form::Pdf;
    }
    if head.contains(&0) {
        return Form::Binary;
    }
    let mut rest = start.trim_ascii_start();
    while let Some(behind) = rest.strip_prefix(b"<!--") {
        let end = behind.windows(3).position(|three| three == b"-->");
        let Some(after) = end.and_then(|end| behind.get(end + 3..)) else {
            break;
        };
        rest = after.trim_ascii_start();
    }
    let begins = |mark: &[u8]| {
        rest.get(..mark.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(mark))
    };
    let marked = [
        &b"<!doctype html"[..],
        b"<html",
        b"<head>",
        b"<head ",
        b"<body>",
        b"<body ",
    ];
    let is_xhtml = begins(b"<?xml") && {
        let lower = near.to_ascii_lowercase();
        lower.windows(5).any(|five| five == b"<html")
    };
    let lower = name.to_ascii_lowercase();
    let named = [".html", ".htm", ".xhtml"]
        .iter()
        .any(|end| lower.ends_with(end));
    if is_xhtml || named || marked.iter().any(|mark| begins(mark)) {
        Form::Html
    } else {
        Form::Text
    }
}

/// Reads HTML. There is no text that is not HTML: every text has its reading.
#[must_use]
pub fn read_html(text: &str) -> Page {
    html::read(text)
}

#[cfg(test)]
mod tests {
    use super::{Form, form_of};

    fn check(bytes: &[u8], name: &str, expected: Form) {
        let shown = String::from_utf8_lossy(bytes);
        assert_eq!(form_of(bytes, name), expected, "{name}: {shown}");
    }

    #[test]
    fn a_file_is_known_by_what_it_holds() {
        check(b"<!DOCTYPE HTML>\n<p>x", "x.txt", Form::Html);
        check(
            b"\xef\xbb\xbf \n<!-- a -->\n<!-- b --><HTML lang=en>",
            "x",
            Form::Html,
        );
        check(
            b"<?xml version=\"1.0\"?>\n<html xmlns=\"x\">",
            "x",
            Form::Html,
        );
        check(b"<?xml version=\"1.0\"?>\n<feed>", "x", Form::Text);
        check(b"%PDF-1.7\n", "handbook.md", Form::Pdf);
        check(b"\n junk %PDF-1.4", "x", Form::Pdf);
        check(b"\x7fELF\0\0", "x.html", Form::Binary);
        check(
            b"# A handbook\n\n<p align=center>logo</p>",
            "x.md",
            Form::Text,
        );
        check(b"<p>only a piece</p>", "piece.HTM", Form::Html);
        check(b"<p>only a piece</p>", "piece.md", Form::Text);
        check(b"<!-- never closed", "x", Form::Text);
        check(b"", "x.pdf", Form::Text);
    }
}
