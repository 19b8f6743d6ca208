//! What stands around the words of a record: id, time, session, place in the file; and the one
//! way messages are made from it.

use crate::domain::{Digest, Time};
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Message, Speaker};
use crate::transcript::record::Recent;
use crate::transcript::wrappers::Piece;

/// How many record ids are remembered to notice one that is used again.
const MAX_RECORDS: usize = 64 * 1024;

/// What stands around the words of one record.
#[derive(Debug)]
pub(crate) struct Stamp {
    pub(crate) format: &'static str,
    /// The line it starts on.
    number: u64,
    /// The byte it starts at, and how many it has.
    offset: u64,
    length: u64,
    pub(crate) record: Option<String>,
    pub(crate) at: Option<Time>,
    pub(crate) session: Option<String>,
    pub(crate) project_dir: Option<String>,
    pub(crate) content: Digest,
    parts: u64,
}

impl Stamp {
    /// A stamp with nothing on it but the place and what the content hashes to.
    pub(crate) fn new(format: &'static str, line: &Line<'_>, content: Digest) -> Self {
        Self {
            format,
            number: line.number,
            offset: line.offset,
            length: line.length(),
            record: None,
            at: None,
            session: None,
            project_dir: None,
            content,
            parts: 0,
        }
    }

    /// Says what is wrong with the record.
    pub(crate) fn problem(&self, what: &str, out: &mut Batch) {
        out.problem(self.number, self.offset, what);
    }

    /// The same for a record of several lines, which ends before this byte.
    pub(crate) const fn until(mut self, end: u64) -> Self {
        self.length = end.saturating_sub(self.offset);
        self
    }

    /// Record id and content, so that a copy in another file is the same message; what else stands
    /// around it differs between copies.
    fn identity(&self) -> Digest {
        let part = self.parts.to_be_bytes();
        let place = self.offset.to_be_bytes();
        let format = self.format.as_bytes();
        match &self.record {
            Some(id) => Digest::of_parts(&[format, id.as_bytes(), &self.content.0, &part]),
            None => Digest::of_parts(&[format, b"no id", &place, &self.content.0, &part]),
        }
    }
}

/// Gives messages, in order, and notices an id that is used again.
#[derive(Debug)]
pub(crate) struct Teller {
    given: u64,
    contents: Recent<Digest>,
}

impl Default for Teller {
    fn default() -> Self {
        Self {
            given: 0,
            contents: Recent::new(MAX_RECORDS),
        }
    }
}

impl Teller {
    /// Says so where the record's id stood on other content before.
    pub(crate) fn check(&mut self, stamp: &Stamp, out: &mut Batch) {
        if let Some(id) = &stamp.record {
            let before = self.contents.put(id, stamp.content);
            if before.is_some_and(|before| before != stamp.content) {
                let what = "record id is used again with other content";
                stamp.problem(what, out);
            }
        }
    }

    /// Gives the pieces of a text.
    pub(crate) fn say(&mut self, pieces: Vec<Piece<'_>>, stamp: &mut Stamp, out: &mut Batch) {
        for (speaker, text) in pieces {
            let message = self.message(speaker, text, stamp);
            out.messages.push(message);
        }
    }

    /// The next message of this record.
    pub(crate) fn message(&mut self, speaker: Speaker, text: &str, stamp: &mut Stamp) -> Message {
        let message = Message {
            ordinal: self.given,
            record: stamp.record.clone(),
            speaker,
            text: text.to_owned(),
            at: stamp.at,
            session: stamp.session.clone(),
            project_dir: stamp.project_dir.clone(),
            offset: stamp.offset,
            length: stamp.length,
            identity: stamp.identity(),
            declared: None,
        };
        stamp.parts += 1;
        self.given += 1;
        message
    }
}
