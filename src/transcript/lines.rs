//! Splits bytes that arrive in chunks into lines, in constant memory.
//!
//! Knows nothing of what a line means.

use memchr::memchr;

use crate::domain::Digest;
use crate::transcript::kept::{Kept, LINE_CAP};

/// One line, or one value of a document.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// The byte it starts at.
    pub offset: u64,
    /// Its bytes without the line end, or the first of them.
    pub bytes: &'a [u8],
    /// Its true length and the hash of all its bytes, when it is over the cap.
    pub cut: Option<(u64, Digest)>,
    /// Whether nothing is missing of it but blobs, of which size and hash are left.
    pub whole: bool,
    /// Whether its line end was seen; false for a last line that may still be growing.
    pub terminated: bool,
}

impl Line<'_> {
    /// How many bytes the line has in the file, its line end not counted.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.cut
            .map_or(self.bytes.len() as u64, |(length, _)| length)
    }
}

/// The splitter: feed it chunks of any size, the lines are the same.
#[derive(Debug, Clone)]
pub struct Lines {
    cap: usize,
    kept: Kept,
    number: u64,
    offset: u64,
}

impl Default for Lines {
    fn default() -> Self {
        Self::new()
    }
}

impl Lines {
    /// A splitter that stands before the first byte.
    #[must_use]
    pub fn new() -> Self {
        Self::with_cap(LINE_CAP)
    }

    /// A splitter that keeps so many bytes of a line.
    #[must_use]
    pub fn with_cap(cap: usize) -> Self {
        Self {
            cap: cap.max(1),
            kept: Kept::new(cap),
            number: 1,
            offset: 0,
        }
    }

    /// A splitter that stands at the start of a later line.
    #[must_use]
    pub fn resumed(number: u64, offset: u64) -> Self {
        Self {
            number: number.max(1),
            offset,
            ..Self::new()
        }
    }

    /// The byte after the last whole line: where reading may go on another day.
    #[must_use]
    pub const fn consumed(&self) -> u64 {
        self.offset
    }

    /// The number of the line that starts there.
    #[must_use]
    pub const fn next_number(&self) -> u64 {
        self.number
    }

    /// Takes the next bytes and gives each line that ends in them.
    pub fn feed(&mut self, chunk: &[u8], each: &mut dyn FnMut(Line<'_>)) {
        let mut rest = chunk;
        while let Some(at) = memchr(b'\n', rest) {
            let (line, after) = rest.split_at(at);
            if self.kept.length() == 0 && line.len() <= self.cap {
                each(Line {
                    number: self.number,
                    offset: self.offset,
                    bytes: line,
                    cut: None,
                    whole: true,
                    terminated: true,
                });
                self.number += 1;
                self.offset += line.len() as u64 + 1;
            } else {
                self.kept.add(line);
                self.give_kept(true, each);
            }
            rest = after.get(1..).unwrap_or_default();
        }
        if !rest.is_empty() {
            self.kept.add(rest);
        }
    }

    /// Gives the last line when it has no line end. Nothing may be fed afterwards; to go on
    /// another day, start again at `consumed`.
    pub fn finish(&mut self, each: &mut dyn FnMut(Line<'_>)) {
        if self.kept.length() > 0 {
            self.give_kept(false, each);
        }
    }

    fn give_kept(&mut self, terminated: bool, each: &mut dyn FnMut(Line<'_>)) {
        let (number, offset, length) = (self.number, self.offset, self.kept.length());
        self.kept.give(|rest| {
            each(Line {
                number,
                offset,
                bytes: rest.bytes,
                cut: rest.cut,
                whole: rest.whole,
                terminated,
            });
        });
        if terminated {
            self.number += 1;
            self.offset += length + 1;
        }
    }
}
