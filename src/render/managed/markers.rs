//! Finding the block in a file: exactly none, or one well-formed pair of whole lines outside
//! code fences. Anything else is damage, with the line that shows it.

use std::ops::Range;

/// How the line that begins a block begins.
pub(in crate::render) const BEGIN: &str = "<!-- countersign:begin v1";
/// The line that ends a block.
pub(in crate::render) const END: &str = "<!-- countersign:end -->";
/// What every marker holds, well-formed or not.
const TRACE: &str = "<!-- countersign:";

/// The one block of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The bytes from the first marker to the end of the last one's line.
    pub whole: Range<usize>,
    /// The bytes between the two marker lines.
    pub body: Range<usize>,
    /// The line of the first marker, from 1.
    pub line: usize,
    /// Whose memory stands in it.
    pub scope: String,
    /// The hash that its body had when it was written.
    pub sha256: String,
}

/// What is wrong with a file's markers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The line that shows it, from 1.
    pub line: usize,
    /// What is wrong.
    pub why: &'static str,
}

/// Finds the block.
///
/// # Errors
/// The markers are not none or one well-formed pair.
pub fn find(file: &str) -> Result<Option<Block>, Damage> {
    let mut open: Option<Open> = None;
    let mut closed = None;
    let mut fence = None;
    for (line, range, text) in lines(file) {
        if in_fence(&mut fence, line, text) || !text.contains(TRACE) {
            continue;
        }
        let damage = |why| Err(Damage { line, why });
        if closed.is_some() {
            return damage("a second marker follows a finished block");
        }
        match (Marker::read(text), open.take()) {
            (Some(Marker::Begin(..)), Some(_)) => {
                return damage("a block begins inside another one");
            }
            (Some(Marker::Begin(scope, sha256)), None) => {
                open = Some(Open {
                    line,
                    range,
                    scope,
                    sha256,
                });
            }
            (Some(Marker::End), Some(begun)) => closed = Some(begun.close(&range)),
            (Some(Marker::End), None) => return damage("a block ends that never began"),
            (None, _) => {
                return damage(
                    "a marker that is not a whole line with its fields: `countersign:begin v1 scope=.. sha256=..`",
                );
            }
        }
    }
    if let Some(open) = open {
        return Err(Damage {
            line: open.line,
            why: "a block begins here and never ends",
        });
    }
    match (closed, fence) {
        (None, Some(Fence { line, .. })) => Err(Damage {
            line,
            why: "a code fence begins here and never ends, and a block cannot stand inside one",
        }),
        (closed, _) => Ok(closed),
    }
}

/// A block whose end was not met yet.
struct Open {
    line: usize,
    range: Range<usize>,
    scope: String,
    sha256: String,
}

impl Open {
    fn close(self, end: &Range<usize>) -> Block {
        Block {
            whole: self.range.start..end.end,
            body: self.range.end..end.start,
            line: self.line,
            scope: self.scope,
            sha256: self.sha256,
        }
    }
}

enum Marker {
    Begin(String, String),
    End,
}

impl Marker {
    fn read(line: &str) -> Option<Self> {
        if line == END {
            return Some(Self::End);
        }
        let fields = line.strip_prefix(BEGIN)?.strip_suffix(" -->")?;
        let mut fields = fields.strip_prefix(' ')?.split(' ');
        let scope = fields.next()?.strip_prefix("scope=")?;
        let sha256 = fields.next()?.strip_prefix("sha256=")?;
        let whole = fields.next().is_none() && !scope.is_empty() && !sha256.is_empty();
        whole.then(|| Self::Begin(scope.to_owned(), sha256.to_owned()))
    }
}

/// An open code fence.
#[derive(Clone, Copy)]
struct Fence {
    line: usize,
    sign: char,
    length: usize,
}

/// Whether a line belongs to a code fence, its first and last line included.
fn in_fence(fence: &mut Option<Fence>, line: usize, text: &str) -> bool {
    let indent = text.chars().take_while(|c| *c == ' ').count();
    let bare = text.trim_start_matches(' ');
    let sign = bare.chars().next().filter(|c| matches!(c, '`' | '~'));
    let length = sign.map_or(0, |sign| bare.chars().take_while(|c| *c == sign).count());
    let rest = bare.get(length..).unwrap_or_default();
    let marks = indent < 4 && length >= 3;
    match *fence {
        Some(open) => {
            if marks && sign == Some(open.sign) && length >= open.length && rest.trim().is_empty() {
                *fence = None;
            }
            true
        }
        None => {
            let Some(sign) = sign.filter(|sign| marks && !(*sign == '`' && rest.contains('`')))
            else {
                return false;
            };
            *fence = Some(Fence { line, sign, length });
            true
        }
    }
}

/// Each line: its number, its bytes with the line ending, its text without it and without a BOM.
fn lines(file: &str) -> impl Iterator<Item = (usize, Range<usize>, &str)> {
    let mut at = 0;
    file.split_inclusive('\n')
        .enumerate()
        .map(move |(place, whole)| {
            let start = at;
            at += whole.len();
            let text = whole.trim_end_matches('\n');
            let text = text.strip_suffix('\r').unwrap_or(text);
            let text = if place == 0 {
                text.trim_start_matches('\u{feff}')
            } else {
                text
            };
            // The BOM stays outside the block.
            let start = if place == 0 && whole.starts_with('\u{feff}') {
                start + '\u{feff}'.len_utf8()
            } else {
                start
            };
            (place + 1, start..at, text)
        })
}

#[cfg(test)]
mod tests {
    use super::find;

    const BEGIN: &str = "<!-- countersign:begin v1 scope=acme/emea sha256=00 -->";
    const END: &str = "<!-- countersign:end -->";

    fn check(file: &str, expected: Result<Option<&str>, usize>) {
        let file = file.replace("BEGIN", BEGIN).replace("END", END);
        let found = find(&file);
        let inside =
            found.map(|block| block.and_then(|block| Some(file.get(block.body)?.to_owned())));
        assert_eq!(
            inside
                .as_ref()
                .map(Option::as_deref)
                .map_err(|damage| damage.line),
            expected.as_ref().copied().map_err(|line| *line),
            "{file}"
        );
    }

    #[test]
    fn one_pair_or_none_and_everything_else_is_damage() {
        check("", Ok(None));
        check("# Shop\n", Ok(None));
        check("BEGIN\n- a\nEND\n", Ok(Some("- a\n")));
        check("\u{feff}BEGIN\r\n- a\r\nEND\r\nx", Ok(Some("- a\r\n")));
        check("x\nBEGIN\nEND", Ok(Some("")));
        check("x\nBEGIN\n- a\n", Err(2));
        check("x\nEND\n", Err(2));
        check("BEGIN\nBEGIN\nEND\nEND\n", Err(2));
        check("BEGIN\nEND\nBEGIN\nEND\n", Err(3));
        check("BEGIN\nEND\nEND\n", Err(3));
        check("<!-- countersign:begin v1 -->\nkeep\n", Err(1));
        check(
            "<!-- countersign:begin v2 scope=a sha256=0 -->\nEND\n",
            Err(1),
        );
        check(" BEGIN\n- a\nEND\n", Err(1));
        check("see BEGIN\n", Err(1));
        check("BEGIN trailing\nEND\n", Err(1));
    }

    #[test]
    fn what_stands_in_a_code_fence_is_no_marker() {
        check("```md\nBEGIN\n- a\nEND\n```\nKEEP\n", Ok(None));
        check("~~~\nBEGIN\n```\nEND\n~~~\n", Ok(None));
        check("````\n```\nBEGIN\n````\nBEGIN\nb\nEND\n", Ok(Some("b\n")));
        check("``` one `line` ```\nBEGIN\nb\nEND\n", Ok(Some("b\n")));
        check("BEGIN\nb\nEND\n```\nnever closed", Ok(Some("b\n")));
        check("x\n```\nnever closed", Err(2));
    }
}
