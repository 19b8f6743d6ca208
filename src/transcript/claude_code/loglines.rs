//! The single object `{"loglines": [..]}`: finds the elements of that array while the bytes go by.
//!
//! Knows nesting and strings, no more; what an element holds is read elsewhere.

use crate::domain::Digest;
use crate::domain::digest::Hasher;
use crate::transcript::lines::LINE_CAP;

/// One element of the array.
#[derive(Debug, Default)]
pub(super) struct Element {
    /// The line it starts on.
    pub(super) line: u64,
    /// The byte it starts at.
    pub(super) offset: u64,
    /// Its bytes, or the first of them.
    pub(super) bytes: Vec<u8>,
    length: u64,
    rest: Option<Hasher>,
}

impl Element {
    /// Its true length and hash, when it is over the cap.
    pub(super) fn cut(&self) -> Option<(u64, Digest)> {
        let rest = self.rest.clone()?;
        Some((self.length, rest.finish()))
    }

    fn push(&mut self, byte: u8) {
        self.length += 1;
        if self.bytes.len() < LINE_CAP {
            self.bytes.push(byte);
            return;
        }
        let bytes = &self.bytes;
        let rest = self.rest.get_or_insert_with(|| {
            let mut hasher = Hasher::default();
            hasher.bytes(bytes);
            hasher
        });
        rest.bytes(&[byte]);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Place {
    /// The array has not opened yet.
    #[default]
    Before,
    /// Inside the array.
    Inside,
    /// The array has closed.
    After,
}

/// How far the document has been read.
#[derive(Debug, Default)]
pub(super) struct Loglines {
    place: Place,
    depth: u64,
    in_string: bool,
    escaped: bool,
    key: Vec<u8>,
    element: Option<Element>,
}

/// The name of the array.
const NAME: &[u8] = b"loglines";

impl Loglines {
    /// Whether the array has not opened yet.
    pub(super) fn is_before(&self) -> bool {
        self.place == Place::Before
    }

    /// Whether the array has closed.
    pub(super) fn is_whole(&self) -> bool {
        self.place == Place::After
    }

    /// Takes the bytes of a line; gives each element that ends in them.
    pub(super) fn feed(
        &mut self,
        bytes: &[u8],
        line: u64,
        offset: u64,
        each: &mut dyn FnMut(Element),
    ) {
        let places = (offset..).take(bytes.len());
        for (byte, at) in bytes.iter().copied().zip(places) {
            if let Some(element) = self.byte(byte, line, at) {
                each(element);
            }
        }
    }

    fn byte(&mut self, byte: u8, line: u64, offset: u64) -> Option<Element> {
        if self.in_string {
            self.in_string(byte);
            return None;
        }
        match byte {
            b'{' | b'[' => {
                let opens = byte == b'[' && self.depth == 1 && self.key == NAME;
                if opens && self.place == Place::Before {
                    self.place = Place::Inside;
                } else {
                    self.part(byte, line, offset);
                }
                self.depth += 1;
                None
            }
            b'}' | b']' => self.close(byte, line, offset),
            b',' if self.is_between() => self.element.take(),
            b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' => {
                if let Some(element) = &mut self.element {
                    element.push(byte);
                }
                None
            }
            _ => {
                self.in_string = byte == b'"';
                if self.in_string {
                    self.key.clear();
                }
                self.part(byte, line, offset);
                None
            }
        }
    }

    fn in_string(&mut self, byte: u8) {
        if let Some(element) = &mut self.element {
            element.push(byte);
        }
        if self.escaped {
            self.escaped = false;
        } else if byte == b'\\' {
            self.escaped = true;
        } else if byte == b'"' {
            self.in_string = false;
        } else if self.place == Place::Before && self.depth == 1 && self.key.len() <= NAME.len() {
            self.key.push(byte);
        }
    }

    fn close(&mut self, byte: u8, line: u64, offset: u64) -> Option<Element> {
        self.depth = self.depth.saturating_sub(1);
        if self.place != Place::Inside {
            return None;
        }
        if self.depth <= 1 {
            self.place = Place::After;
            return self.element.take();
        }
        self.part(byte, line, offset);
        if self.depth == 2 {
            return self.element.take();
        }
        None
    }

    /// Adds a byte to the element, and begins one where none is open.
    fn part(&mut self, byte: u8, line: u64, offset: u64) {
        if self.place != Place::Inside {
            return;
        }
        let element = self.element.get_or_insert_with(|| Element {
            line,
            offset,
            ..Element::default()
        });
        element.push(byte);
    }

    fn is_between(&self) -> bool {
        self.place == Place::Inside && self.depth == 2
    }
}
