//! Splits bytes that arrive in chunks into lines, in constant memory.
//!
//! Knows nothing of what a line means. A line over the cap keeps its first bytes; the rest is
//! hashed and dropped.

use crate::domain::Digest;
use crate::domain::digest::Hasher;

/// The most bytes kept of one line.
pub const LINE_CAP: usize = 1024 * 1024;
/// The most bytes kept of a first line that opens a whole document.
pub const DOCUMENT_CAP: usize = 64 * 1024 * 1024;
/// How far into the first line the sign of a whole document may stand.
const DOCUMENT_HEAD: usize = 4096;

/// One line.
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
    kept: Vec<u8>,
    length: u64,
    rest: Option<Hasher>,
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
            kept: Vec::new(),
            length: 0,
            rest: None,
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
        while let Some(at) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, after) = rest.split_at(at);
            if self.length == 0 && line.len() <= self.cap {
                self.give(line, None, true, each);
            } else {
                self.keep(line);
                self.give_kept(true, each);
            }
            rest = after.get(1..).unwrap_or_default();
        }
        self.keep(rest);
    }

    /// Gives the last line when it has no line end. Nothing may be fed afterwards; to go on
    /// another day, start again at `consumed`.
    pub fn finish(&mut self, each: &mut dyn FnMut(Line<'_>)) {
        if self.length > 0 {
            self.give_kept(false, each);
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = self.room(bytes).saturating_sub(self.kept.len());
        let (kept, dropped) = bytes.split_at(room.min(bytes.len()));
        self.length += bytes.len() as u64;
        if self.rest.is_none() {
            self.kept.extend_from_slice(kept);
        }
        if dropped.is_empty() && self.rest.is_none() {
            return;
        }
        let all_kept = &self.kept;
        let rest = self.rest.get_or_insert_with(|| {
            let mut hasher = Hasher::default();
            hasher.bytes(all_kept);
            hasher
        });
        rest.bytes(dropped);
    }

    /// How much of this line is kept: more where it is a whole document on one line.
    fn room(&self, coming: &[u8]) -> usize {
        let over = self.kept.len().saturating_add(coming.len()) > self.cap;
        if !over || self.number != 1 || self.cap != LINE_CAP || self.rest.is_some() {
            return self.cap;
        }
        let head: Vec<u8> = self
            .kept
            .iter()
            .chain(coming)
            .take(DOCUMENT_HEAD)
            .copied()
            .collect();
        let opens = crate::transcript::claude_code::opens_document(&head);
        if opens { DOCUMENT_CAP } else { self.cap }
    }

    fn give_kept(&mut self, terminated: bool, each: &mut dyn FnMut(Line<'_>)) {
        let kept = std::mem::take(&mut self.kept);
        let cut = self.rest.take().map(|rest| (self.length, rest.finish()));
        self.give(&kept, cut, terminated, each);
        self.kept = kept;
        self.kept.clear();
        if self.kept.capacity() > 2 * LINE_CAP {
            self.kept = Vec::new();
        }
    }

    fn give(
        &mut self,
        bytes: &[u8],
        cut: Option<(u64, Digest)>,
        terminated: bool,
        each: &mut dyn FnMut(Line<'_>),
    ) {
        let line = Line {
            number: self.number,
            offset: self.offset,
            bytes,
            cut,
            terminated,
        };
        let length = line.length();
        each(line);
        if terminated {
            self.number += 1;
            self.offset += length + 1;
            self.length = 0;
        }
    }
}
