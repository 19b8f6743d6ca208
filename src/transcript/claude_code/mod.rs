//! Claude Code sessions: JSON lines, or the single object `{"loglines": [..]}`; minimal files of
//! other tools that write the same records too.
//!
//! The format is internal to its harness and changes between versions: what is not known here is
//! counted and left in the artifact, never guessed at.

use crate::transcript::document::{Layout, Of};
use crate::transcript::glance::Glance;
use crate::transcript::json::Fields;
use crate::transcript::lines::Line;
use crate::transcript::message::Batch;
use crate::transcript::{Format, Reader, Resume, Shape, record};

mod entry;
mod speaker;
#[cfg(test)]
mod tests;

use entry::Session;

pub(crate) const FORMAT: Format = Format {
    name: "claude_code",
    about: "Claude Code session files (JSON lines), compaction summaries and sub-agents included",
    sniff,
    shape: |glance| {
        if glance.is_spread() || glance.opening.has("loglines") {
            Shape::Document(&LAYOUT)
        } else {
            Shape::Lines
        }
    },
    resume: Resume::There,
    tells: true,
    reader: || Box::new(ClaudeCode::default()),
};

const LAYOUT: Layout = Layout {
    items: &["loglines"],
    fields: &[],
    whole: true,
};

#[derive(Debug, Default)]
struct ClaudeCode {
    session: Session,
}

impl Reader for ClaudeCode {
    fn take(&mut self, _of: Of, line: &Line<'_>, out: &mut Batch) {
        record::object(line, out, |fields, out| {
            self.session.record(line, fields, out);
        });
    }
}

fn sniff(glance: &Glance<'_>) -> bool {
    let opening = &glance.opening;
    // The first record may be longer than what is looked at, or spread over lines.
    let begins = (opening.long_line || glance.is_spread())
        && opening.has("message")
        && (opening.has("sessionId") || opening.has("parentUuid") || opening.has("uuid"));
    opening.has("loglines") || begins || glance.any_line(is_entry)
}

fn is_entry(fields: &Fields<'_>) -> bool {
    let known = fields.text("type").is_some_and(entry::is_known);
    let untyped = !fields.has("type") && fields.has("message") && fields.has("sessionId");
    let body = [
        "message",
        "content",
        "summary",
        "leafUuid",
        "snapshot",
        "operation",
        "attachment",
    ]
    .iter()
    .any(|name| fields.has(name))
        || (fields.has("sessionId") && !fields.has("payload"));
    untyped || (known && body)
}
