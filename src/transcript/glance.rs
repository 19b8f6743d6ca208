//! The first bytes of a file, looked at once for every format.
//!
//! Knows how the first value opens, which names stand in it, and the first lines as JSON; names
//! of files count for nothing.

use memchr::memchr;

use crate::transcript::json::{Fields, Json};

/// How many of the first lines are read.
const LINES: usize = 20;

/// What the first bytes of a file look like.
#[derive(Debug)]
pub struct Glance<'a> {
    pub(crate) text: &'a str,
    /// The first lines that are objects.
    pub(crate) lines: Vec<Json<'a>>,
    pub(crate) opening: Opening,
}

/// How the first value stands.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Opening {
    /// `{` or `[`, where the file begins with one.
    pub(crate) bracket: u8,
    /// Whether the value ends on the line on which it began.
    pub(crate) one_line: bool,
    /// Whether that line goes on past what was looked at.
    pub(crate) long_line: bool,
    /// The names of the object, or of the first object in the array.
    pub(crate) names: Vec<String>,
    /// The texts of the fields whose values are text, each cut short.
    pub(crate) texts: Vec<(String, String)>,
    /// The names of the first object in each array of the object: array and name.
    pub(crate) inner: Vec<(String, String)>,
}

impl<'a> Glance<'a> {
    /// Looks at the first bytes; a last line that is cut is left out.
    pub(crate) fn of(head: &'a [u8]) -> Self {
        let head = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head);
        let text = head.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let lines = head.split(|byte| *byte == b'\n').take(LINES);
        let lines = lines
            .filter_map(|line| Json::parse(std::str::from_utf8(line).ok()?.trim()))
            .filter(Json::is_object)
            .collect();
        Self {
            text,
            lines,
            opening: opening(head),
        }
    }

    /// Whether one of the first lines is an object of which this holds.
    pub(crate) fn any_line(&self, test: impl Fn(&Fields<'_>) -> bool) -> bool {
        self.lines.iter().filter_map(Json::fields).any(test)
    }

    /// Whether the file is one value, or values spread over lines, rather than a record a line.
    pub(crate) fn is_spread(&self) -> bool {
        self.opening.bracket != 0 && !self.opening.one_line && !self.opening.long_line
    }
}

impl Opening {
    /// Whether the first object has this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|own| own == name)
    }

    /// The text of this field of the first object.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.texts
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, text)| text.as_str())
    }

    /// Whether the first object in this array has this name.
    pub(crate) fn inner_has(&self, array: &str, name: &str) -> bool {
        self.inner
            .iter()
            .any(|(own, inner)| own == array && inner == name)
    }
}

/// How the first value stands; half of it is enough.
fn opening(head: &[u8]) -> Opening {
    let mut found = Opening::default();
    let start = head.len() - head.trim_ascii_start().len();
    let Some(value) = head.get(start..) else {
        return found;
    };
    let Some(bracket) = value.first().filter(|byte| matches!(byte, b'{' | b'[')) else {
        return found;
    };
    found.bracket = *bracket;
    let line = memchr(b'\n', value);
    found.long_line = line.is_none();
    let line = line.unwrap_or(value.len());
    let mut walk = Walk {
        bytes: value,
        at: 0,
        stack: Vec::new(),
        listed: 0,
    };
    let end = walk.run(&mut found);
    found.one_line = end.is_some_and(|end| end <= line);
    found
}

/// Names on the way to a place: one a bracket.
struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    stack: Vec<(u8, String)>,
    listed: usize,
}

/// The most names taken down.
const NAMES: usize = 200;

impl Walk<'_> {
    /// Walks to the end of the first value; none where it does not end here, or is no JSON.
    fn run(&mut self, found: &mut Opening) -> Option<usize> {
        let mut key = String::new();
        let mut last = 0_u8;
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            match byte {
                b'{' | b'[' => {
                    self.stack.push((byte, std::mem::take(&mut key)));
                    last = byte;
                }
                b'}' | b']' => {
                    let (open, name) = self.stack.pop()?;
                    if (open == b'{') != (byte == b'}') {
                        return None;
                    }
                    key = name;
                    last = byte;
                    if self.stack.is_empty() {
                        return Some(self.at);
                    }
                }
                b'"' => {
                    let text = self.string()?;
                    let in_object = self.stack.last().is_some_and(|(open, _)| *open == b'{');
                    if in_object && matches!(last, b'{' | b',') {
                        self.name(&text, found);
                        key = text;
                    } else if last == b':' && self.is_first_object() && self.listed < NAMES {
                        found
                            .texts
                            .push((key.clone(), text.chars().take(64).collect()));
                    }
                    last = b'"';
                }
                b' ' | b'\t' | b'\r' | b'\n' => {}
                other => last = other,
            }
        }
    }

    /// Whether the walk stands in the outermost object, or the first object of the outermost array.
    fn is_first_object(&self) -> bool {
        matches!(self.stack.as_slice(), [(b'{', _)] | [(b'[', _), (b'{', _)])
    }

    fn name(&mut self, name: &str, found: &mut Opening) {
        if self.listed >= NAMES {
            return;
        }
        self.listed += 1;
        match self.stack.as_slice() {
            [(b'{', _)] => found.names.push(name.to_owned()),
            [(b'[', _), (b'{', _)] => found.names.push(name.to_owned()),
            [(b'{', _), (b'[', array), (b'{', _)] => {
                found.inner.push((array.clone(), name.to_owned()));
            }
            _ => self.listed -= 1,
        }
    }

    fn string(&mut self) -> Option<String> {
        let start = self.at;
        loop {
            let rest = self.bytes.get(self.at..)?;
            let at = memchr::memchr2(b'"', b'\\', rest)?;
            let is_end = rest.get(at) == Some(&b'"');
            self.at += at + if is_end { 1 } else { 2 };
            if is_end {
                let inside = self.bytes.get(start..self.at - 1)?;
                let inside = inside.get(..256).unwrap_or(inside);
                return Some(String::from_utf8_lossy(inside).into_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Glance;

    #[test]
    fn the_first_value_says_how_it_stands_and_what_it_names() {
        let glance =
            Glance::of(b"\xef\xbb\xbf{\"a\":\"x\",\"b\":[{\"c\":1},{\"d\":2}]}\n{\"e\":1}\n");
        assert!(glance.opening.one_line && glance.opening.has("b"));
        assert!(glance.opening.inner_has("b", "c"));
        assert_eq!(glance.opening.text("a"), Some("x"));
        assert_eq!(glance.lines.len(), 2);
        let half = Glance::of(b"[\n {\"role\":\"user\",\"content\":\"abc");
        assert!(half.is_spread() && half.opening.has("role"));
        assert_eq!(half.opening.text("role"), Some("user"));
        assert!(!Glance::of(b"words {").is_spread());
        assert!(!Glance::of(b"").is_spread());
    }
}
