//! JSON that is not one record a line: one object or array over a whole file, or values that were
//! spread over many lines. Finds the values a format asks for while the bytes go by.
//!
//! Knows nesting and strings, no more; what a value holds is read elsewhere. The values are given
//! as if each was a line, with the line and byte it starts at.

use memchr::{memchr_iter, memchr2};

use crate::transcript::kept::{Kept, LINE_CAP};
use crate::transcript::lines::Line;

/// Which values a format asks for.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    /// Arrays of the outermost object, of which each item is given by itself.
    pub items: &'static [&'static str],
    /// Other fields of the outermost object.
    pub fields: &'static [&'static str],
    /// Whether an outermost object is itself what is asked for, unless it holds such an array.
    pub whole: bool,
}

/// What of a file a reader is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// A line, a whole value, or an item of an array that has no name.
    Record,
    /// An item of this array.
    Item(&'static str),
    /// The value of this field.
    Field(&'static str),
}

/// Where in its value the walk stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Root {
    None,
    Object,
    List,
}

/// A value on its way.
#[derive(Debug, Clone, Copy)]
struct Open {
    of: Of,
    line: u64,
    offset: u64,
    /// How many brackets were open before it began.
    depth: u64,
}

/// The walk: feed it chunks of any size, the values are the same.
#[derive(Debug)]
pub(crate) struct Document {
    layout: &'static Layout,
    root: Root,
    depth: u64,
    in_string: bool,
    escaped: bool,
    /// The last byte that was neither blank nor inside a string.
    last: u8,
    key: Vec<u8>,
    at_key: bool,
    /// The array of the outermost object the walk is in.
    array: Option<&'static str>,
    open: Option<Open>,
    kept: Kept,
    line: u64,
    offset: u64,
    broken: bool,
}

/// What a walk gives.
pub(crate) type Each<'a> = dyn FnMut(Of, Line<'_>) + 'a;

impl Document {
    pub(crate) fn new(layout: &'static Layout) -> Self {
        Self {
            layout,
            root: Root::None,
            depth: 0,
            in_string: false,
            escaped: false,
            last: 0,
            key: Vec::new(),
            at_key: false,
            array: None,
            open: None,
            kept: Kept::new(LINE_CAP),
            line: 1,
            offset: 0,
            broken: false,
        }
    }

    /// Whether every value that began has ended, and none was given up.
    pub(crate) fn is_whole(&self) -> bool {
        self.root == Root::None && !self.in_string && !self.broken
    }

    /// The line the walk stands on, and the byte.
    pub(crate) const fn place(&self) -> (u64, u64) {
        (self.line, self.offset)
    }

    /// Takes the next bytes; gives each value that ends in them.
    pub(crate) fn feed(&mut self, chunk: &[u8], each: &mut Each<'_>) {
        let mut rest = chunk;
        while let Some((byte, after)) = rest.split_first() {
            if self.in_string {
                rest = self.string(rest);
                if !self.in_string && self.depth == 0 {
                    self.end(each);
                }
                continue;
            }
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => {
                    if *byte == b'\n' && self.depth == 0 {
                        self.end(each);
                    }
                    self.add(&[*byte]);
                    self.line += u64::from(*byte == b'\n');
                    self.offset += 1;
                    rest = after;
                }
                b'{' | b'[' => {
                    self.bracket(*byte, each);
                    rest = after;
                }
                b'}' | b']' => {
                    self.close(*byte, each);
                    rest = after;
                }
                b',' => {
                    self.comma(each);
                    rest = after;
                }
                _ => {
                    self.begin();
                    self.at_key = *byte == b'"' && self.depth == 1 && self.is_before_key();
                    if *byte == b'"' {
                        self.in_string = true;
                        self.key.clear();
                    }
                    self.take(*byte);
                    rest = after;
                }
            }
        }
    }

    /// The file is closed for good: a last bare value ends here.
    pub(crate) fn finish(&mut self, each: &mut Each<'_>) {
        if self.depth == 0 && !self.in_string {
            self.end(each);
        }
    }

    /// A stretch of a string; what comes after it is left.
    fn string<'c>(&mut self, bytes: &'c [u8]) -> &'c [u8] {
        let stop = if self.escaped {
            self.escaped = false;
            1
        } else {
            match memchr2(b'"', b'\\', bytes) {
                None => bytes.len(),
                Some(at) => {
                    self.escaped = bytes.get(at) == Some(&b'\\');
                    self.in_string = self.escaped;
                    at + 1
                }
            }
        };
        let (inside, rest) = bytes.split_at_checked(stop).unwrap_or((bytes, &[]));
        if self.at_key && self.key.len() < 64 {
            self.key.extend(inside.iter().take(64));
        }
        self.add(inside);
        self.offset += inside.len() as u64;
        self.line += memchr_iter(b'\n', inside).count() as u64;
        rest
    }

    fn bracket(&mut self, byte: u8, each: &mut Each<'_>) {
        // An object cannot begin where a name must stand: what came before was no JSON.
        if byte == b'{' && self.last == b'{' {
            self.give_up();
        }
        if self.depth == 0 {
            self.end(each);
        }
        let named = self.named_array();
        match (self.depth, self.root, named) {
            (0, _, _) if byte == b'[' => self.root = Root::List,
            (0, _, _) => {
                self.root = Root::Object;
                if self.layout.whole {
                    self.begin_as(Of::Record);
                }
            }
            (1, Root::Object, Some(array)) if byte == b'[' && self.is_outermost() => {
                // The object is not a record: it only holds them.
                self.open = None;
                self.kept.give(|_| {});
                self.array = Some(array);
            }
            _ => self.begin(),
        }
        self.take(byte);
        self.depth += 1;
    }

    fn close(&mut self, byte: u8, each: &mut Each<'_>) {
        self.depth = self.depth.saturating_sub(1);
        // The bracket around a bare value closes: the value has ended before it.
        if self.open.is_some_and(|open| open.depth > self.depth) {
            self.end(each);
        }
        self.take(byte);
        if self.open.is_some_and(|open| open.depth == self.depth) {
            self.end(each);
        }
        if self.depth <= 1 {
            self.array = None;
        }
        if self.depth == 0 {
            self.root = Root::None;
            self.last = 0;
        }
    }

    fn comma(&mut self, each: &mut Each<'_>) {
        if self.open.is_some_and(|open| open.depth == self.depth) {
            self.end(each);
        }
        self.take(b',');
    }

    /// Begins a value, where one that is asked for can begin here.
    fn begin(&mut self) {
        if self.open.is_some() || self.last == b'}' || self.last == b']' {
            return;
        }
        let of = match (self.root, self.depth, self.array) {
            (Root::None, 0, _) | (Root::List, 1, _) => Some(Of::Record),
            (Root::Object, 2, Some(array)) => Some(Of::Item(array)),
            (Root::Object, 1, None) if self.last == b':' => self.field().map(Of::Field),
            _ => None,
        };
        if let Some(of) = of {
            self.begin_as(of);
        }
    }

    fn begin_as(&mut self, of: Of) {
        self.open = Some(Open {
            of,
            line: self.line,
            offset: self.offset,
            depth: self.depth,
        });
    }

    fn end(&mut self, each: &mut Each<'_>) {
        let Some(open) = self.open.take() else {
            return;
        };
        self.kept.give(|rest| {
            // Blanks after a bare value are not part of it.
            let bytes = if rest.cut.is_none() {
                rest.bytes.trim_ascii_end()
            } else {
                rest.bytes
            };
            each(
                open.of,
                Line {
                    number: open.line,
                    offset: open.offset,
                    bytes,
                    cut: rest.cut,
                    whole: rest.whole,
                    terminated: true,
                },
            );
        });
    }

    /// What began is dropped, and the walk stands outside again.
    fn give_up(&mut self) {
        self.broken = true;
        self.open = None;
        self.kept.give(|_| {});
        self.root = Root::None;
        self.depth = 0;
        self.last = 0;
        self.array = None;
    }

    fn take(&mut self, byte: u8) {
        self.add(&[byte]);
        self.offset += 1;
        self.last = byte;
    }

    fn add(&mut self, bytes: &[u8]) {
        if self.open.is_some() {
            self.kept.add(bytes);
        }
    }

    /// Whether nothing is open but the outermost object itself.
    fn is_outermost(&self) -> bool {
        self.open.is_none_or(|open| open.depth == 0)
    }

    const fn is_before_key(&self) -> bool {
        matches!(self.root, Root::Object) && matches!(self.last, b'{' | b',')
    }

    fn named_array(&self) -> Option<&'static str> {
        self.known(self.layout.items).filter(|_| self.last == b':')
    }

    fn field(&self) -> Option<&'static str> {
        self.known(self.layout.fields)
    }

    fn known(&self, names: &'static [&'static str]) -> Option<&'static str> {
        let key = self.key.strip_suffix(b"\"").unwrap_or(&self.key);
        names.iter().copied().find(|name| name.as_bytes() == key)
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, Layout, Of};

    const LAYOUT: Layout = Layout {
        items: &["messages"],
        fields: &["id"],
        whole: false,
    };
    const WHOLE: Layout = Layout {
        items: &[],
        fields: &[],
        whole: true,
    };

    fn check(layout: &'static Layout, text: &str, expected: &[(Of, &str)], whole: bool) {
        for size in [1, 3, text.len().max(1)] {
            let mut found = Vec::new();
            let mut document = Document::new(layout);
            let mut each = |of: Of, line: crate::transcript::lines::Line<'_>| {
                let (start, length) = (line.offset as usize, line.bytes.len());
                let bytes = &text.as_bytes()[start..start + length];
                assert_eq!(bytes, line.bytes, "{text}");
                let before = &text.as_bytes()[..start];
                let number = 1 + before.iter().filter(|byte| **byte == b'\n').count() as u64;
                assert_eq!(line.number, number, "{text}");
                found.push((of, String::from_utf8_lossy(line.bytes).into_owned()));
            };
            for chunk in text.as_bytes().chunks(size) {
                document.feed(chunk, &mut each);
            }
            document.finish(&mut each);
            let found: Vec<_> = found
                .iter()
                .map(|(of, text)| (*of, text.as_str()))
                .collect();
            assert_eq!(found, expected, "{text}");
            assert_eq!(document.is_whole(), whole, "{text}");
        }
    }

    #[test]
    fn the_items_and_fields_that_are_asked_for_are_found() {
        let item = Of::Item("messages");
        let id = Of::Field("id");
        check(
            &LAYOUT,
            "{\"id\": \"x,]\\\"\", \"messages\":[{\"id\":1},\n 2 , \"a]\"], \"other\":[3,{\"messages\":[4]}]}",
            &[
                (id, "\"x,]\\\"\""),
                (item, "{\"id\":1}"),
                (item, "2"),
                (item, "\"a]\""),
            ],
            true,
        );
        check(
            &LAYOUT,
            "{\"v\":{\"messages\":[1]},\"messages\":[],\"id\":{\"a\":[1]}}",
            &[(id, "{\"a\":[1]}")],
            true,
        );
        check(&LAYOUT, "{\"messages\":[{\"a\":", &[], false);
        check(&LAYOUT, "{\"a\":\"messages\",\"b\":[1]}", &[], true);
    }

    #[test]
    fn bare_arrays_and_whole_objects_are_records() {
        let record = Of::Record;
        check(
            &LAYOUT,
            "[{\"a\":[1,2]},\n[3],4]",
            &[(record, "{\"a\":[1,2]}"), (record, "[3]"), (record, "4")],
            true,
        );
        check(
            &WHOLE,
            "{\n \"a\": 1\n}\n{\"b\":{}}",
            &[(record, "{\n \"a\": 1\n}"), (record, "{\"b\":{}}")],
            true,
        );
        check(
            &WHOLE,
            "{\n{\"b\":\"x\"}\n",
            &[(record, "{\"b\":\"x\"}")],
            false,
        );
        check(&LAYOUT, "", &[], true);
        check(&LAYOUT, "]]}", &[], true);
    }
}
