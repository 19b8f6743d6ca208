//! Chunks in, a batch out: decides once how a file stands, then splits it and has it read.

use memchr::memchr;

use crate::transcript::document::{Document, Of};
use crate::transcript::glance::Glance;
use crate::transcript::lines::Lines;
use crate::transcript::message::Batch;
use crate::transcript::{Format, HEAD, Reader, Shape};

/// A splitter and a reader, joined.
#[derive(Debug)]
pub struct Feed {
    format: &'static Format,
    split: Split,
    reader: Box<dyn Reader>,
}

#[derive(Debug)]
enum Split {
    /// Not enough has been seen to say how the file stands.
    Undecided(Vec<u8>),
    Lines(Box<Lines>),
    Document(Box<Document>),
}

impl Feed {
    /// Stands before the first byte of a file of this format.
    #[must_use]
    pub fn new(format: &'static Format) -> Self {
        Self {
            format,
            split: Split::Undecided(Vec::new()),
            reader: (format.reader)(),
        }
    }

    /// Stands at the start of a later line of a file of lines, as `consumed` and `next_line` of
    /// an earlier feed said. What a reader learned before it is forgotten: tool results are judged
    /// by shape.
    #[must_use]
    pub fn resumed(format: &'static Format, line: u64, offset: u64) -> Self {
        Self {
            format,
            split: Split::Lines(Box::new(Lines::resumed(line, offset))),
            reader: (format.reader)(),
        }
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, chunk: &[u8], out: &mut Batch) {
        if let Split::Undecided(head) = &mut self.split {
            head.extend_from_slice(chunk);
            if is_enough(head) {
                self.decide(out);
            }
            return;
        }
        self.pass(chunk, out);
    }

    /// The file is closed for good.
    pub fn finish(&mut self, out: &mut Batch) {
        self.stop(true, out);
    }

    /// The file may still grow: a last line without its end is not there yet.
    pub fn pause(&mut self, out: &mut Batch) {
        self.stop(false, out);
    }

    fn stop(&mut self, closed: bool, out: &mut Batch) {
        self.decide(out);
        let reader = &mut self.reader;
        match &mut self.split {
            Split::Undecided(_) => {}
            Split::Lines(_) | Split::Document(_) if !closed => {}
            Split::Lines(lines) => lines.finish(&mut |line| reader.take(Of::Record, &line, out)),
            Split::Document(document) => {
                document.finish(&mut |of, line| reader.take(of, &line, out));
                if !document.is_whole() {
                    let (line, offset) = document.place();
                    out.problem(line, offset, "the document ends early");
                }
            }
        }
        reader.end(out);
    }

    /// The byte after the last whole line; for a document nothing can be said before its end.
    #[must_use]
    pub fn consumed(&self) -> u64 {
        match &self.split {
            Split::Lines(lines) => lines.consumed(),
            Split::Undecided(_) | Split::Document(_) => 0,
        }
    }

    /// The number of the line that starts there.
    #[must_use]
    pub fn next_line(&self) -> u64 {
        match &self.split {
            Split::Lines(lines) => lines.next_number(),
            Split::Undecided(_) | Split::Document(_) => 1,
        }
    }

    /// How the file stands depends on its first bytes alone, never on how they came.
    fn decide(&mut self, out: &mut Batch) {
        let Split::Undecided(head) = &mut self.split else {
            return;
        };
        let bytes = std::mem::take(head);
        let seen = bytes.get(..enough(&bytes)).unwrap_or(&bytes);
        self.split = match (self.format.shape)(&Glance::of(seen)) {
            Shape::Lines => Split::Lines(Box::default()),
            Shape::Document(layout) => Split::Document(Box::new(Document::new(layout))),
        };
        self.pass(&bytes, out);
    }

    fn pass(&mut self, chunk: &[u8], out: &mut Batch) {
        let reader = &mut self.reader;
        match &mut self.split {
            Split::Undecided(head) => head.extend_from_slice(chunk),
            Split::Lines(lines) => {
                lines.feed(chunk, &mut |line| reader.take(Of::Record, &line, out));
            }
            Split::Document(document) => {
                document.feed(chunk, &mut |of, line| reader.take(of, &line, out));
            }
        }
    }
}

fn is_enough(head: &[u8]) -> bool {
    let seen = enough(head);
    seen == HEAD
        || head
            .get(..seen)
            .is_some_and(|seen| seen.ends_with(b"\n") && !seen.trim_ascii().is_empty())
}

/// How many of the bytes tell how the file stands: up to the end of the first line that is not
/// blank, and no more than a head.
fn enough(head: &[u8]) -> usize {
    let mark = "\u{feff}".as_bytes();
    let blank = head
        .iter()
        .position(|byte| !byte.is_ascii_whitespace() && !mark.contains(byte));
    let first = blank.unwrap_or(head.len());
    let line = head.get(first..).and_then(|rest| memchr(b'\n', rest));
    line.map_or(HEAD, |at| first + at + 1)
        .min(HEAD)
        .min(head.len())
}
