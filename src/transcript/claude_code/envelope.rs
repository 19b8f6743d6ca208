//! What stands around the words of a record: id, time, session, place in the file.

use serde_json::Value;

use crate::domain::{Digest, Time};
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Message, Speaker};
use crate::transcript::record::{self, Fields};

/// The envelope of a record, and how many messages it has given.
pub(super) struct Envelope<'a> {
    pub(super) line: Line<'a>,
    pub(super) record: Option<String>,
    at: Option<Time>,
    session: Option<String>,
    project_dir: Option<String>,
    pub(super) content: Digest,
    parts: u64,
}

impl<'a> Envelope<'a> {
    /// Reads the envelope around this content; what is wrong with it costs the field only.
    pub(super) fn read(line: Line<'a>, fields: &Fields, content: &Value, out: &mut Batch) -> Self {
        let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
        let at = text("timestamp").and_then(|at| {
            let time = Time::parse(&at);
            if time.is_err() {
                out.problem(line.number, line.offset, "`timestamp` is not a time");
            }
            time.ok()
        });
        Self {
            line,
            record: text("uuid").filter(|id| !id.is_empty()),
            at,
            session: text("sessionId").filter(|id| !id.is_empty()),
            project_dir: text("cwd"),
            content: record::content_hash(content),
            parts: 0,
        }
    }

    /// The next message of this record.
    pub(super) fn message(&mut self, ordinal: u64, speaker: Speaker, text: &str) -> Message {
        let identity = self.identity();
        self.parts += 1;
        Message {
            ordinal,
            record: self.record.clone(),
            speaker,
            text: text.to_owned(),
            at: self.at,
            session: self.session.clone(),
            project_dir: self.project_dir.clone(),
            offset: self.line.offset,
            length: self.line.length(),
            identity,
            declared: None,
        }
    }

    /// Record id and content, so that a copy in another file is the same message; the envelope's
    /// other fields differ between copies.
    fn identity(&self) -> Digest {
        let part = self.parts.to_be_bytes();
        let place = self.line.offset.to_be_bytes();
        match &self.record {
            Some(id) => Digest::of_parts(&[b"claude_code", id.as_bytes(), &self.content.0, &part]),
            None => Digest::of_parts(&[b"claude_code, no id", &place, &self.content.0, &part]),
        }
    }
}
