//! Plain text: one observation a line, blank lines left out.
//!
//! A file that says nothing of who wrote it is a model's words until the importer says otherwise:
//! `desk` passes the user, and raises nothing here.

use crate::domain::Digest;
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Message, Speaker};
use crate::transcript::{Format, Reader, Unfinished, record};

pub(crate) const FORMAT: Format = Format {
    name: "plain",
    about: "plain text, one observation a line",
    sniff: |_| true,
    reader: || Box::new(Plain::default()),
};

#[derive(Debug, Default)]
struct Plain {
    given: u64,
    last: Option<Unfinished>,
}

impl Reader for Plain {
    fn line(&mut self, line: &Line<'_>, out: &mut Batch) {
        if line.terminated {
            self.read(line, out);
        } else {
            self.last = Some(Unfinished::of(line));
        }
    }

    fn end(&mut self, out: &mut Batch) {
        if let Some(last) = self.last.take() {
            self.read(&last.line(), out);
        }
    }
}

impl Plain {
    fn read(&mut self, line: &Line<'_>, out: &mut Batch) {
        if record::is_truncated(line, out) {
            return;
        }
        let bytes = record::without_mark(line);
        let decoded = String::from_utf8_lossy(bytes);
        let text = decoded.trim();
        if text.is_empty() {
            return;
        }
        out.records += 1;
        if is_json(text) {
            out.problem(line.number, line.offset, "line is JSON of no known format");
            return;
        }
        if matches!(decoded, std::borrow::Cow::Owned(_)) {
            out.problem(
                line.number,
                line.offset,
                "text with invalid Unicode was mended",
            );
        }
        let place = line.offset.to_be_bytes();
        out.messages.push(Message {
            ordinal: self.given,
            record: None,
            speaker: Speaker::Model,
            text: text.to_owned(),
            at: None,
            session: None,
            project_dir: None,
            offset: line.offset,
            length: line.length(),
            identity: Digest::of_parts(&[b"plain", text.as_bytes(), &place]),
            declared: None,
        });
        self.given += 1;
    }
}

/// Records of a format we do not know are no sentences.
fn is_json(text: &str) -> bool {
    text.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}
