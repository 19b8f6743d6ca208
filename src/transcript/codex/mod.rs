//! Codex rollouts: JSON lines of `{timestamp, type, payload}`, and the older flat form without the
//! envelope.
//!
//! Every visible message stands twice, as what was sent and as what was shown; adjacent copies are
//! one. A fork holds a copy of its parent's history: no record has an id, so that what is the same
//! is what says the same for the same time under the same first ancestor.

use crate::transcript::document::{Layout, Of};
use crate::transcript::glance::Glance;
use crate::transcript::json::Fields;
use crate::transcript::lines::Line;
use crate::transcript::message::Batch;
use crate::transcript::{Format, Reader, Resume, Shape, record};

mod item;
mod pairs;
mod thread;

use thread::Thread;

pub(crate) const FORMAT: Format = Format {
    name: "codex",
    about: "Codex rollouts (JSON lines), the older flat form, forks and compactions included",
    sniff,
    shape: |glance| {
        if glance.is_spread() {
            Shape::Document(&LAYOUT)
        } else {
            Shape::Lines
        }
    },
    resume: Resume::Start,
    tells: true,
    reader: || Box::new(Codex::default()),
};

const LAYOUT: Layout = Layout {
    items: &[],
    fields: &[],
    whole: true,
};

/// Record types of the envelope.
const TYPES: &[&str] = &[
    "session_meta",
    "turn_context",
    "response_item",
    "event_msg",
    "compacted",
];
/// Types of items, bare in the older form.
const ITEMS: &[&str] = &[
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "local_shell_call",
    "web_search_call",
    "compaction",
    "ghost_snapshot",
];

#[derive(Debug, Default)]
struct Codex {
    thread: Thread,
}

impl Reader for Codex {
    fn take(&mut self, _of: Of, line: &Line<'_>, out: &mut Batch) {
        record::object(line, out, |fields, out| {
            self.thread.record(line, fields, out);
        });
    }
}

fn sniff(glance: &Glance<'_>) -> bool {
    let opening = &glance.opening;
    let kind = opening.text("type").unwrap_or_default();
    let begins = opening.has("payload") && TYPES.contains(&kind);
    let legacy = |fields: &Fields<'_>| {
        let names: Vec<&str> = fields.names().collect();
        fields.has("id")
            && fields.has("timestamp")
            && !fields.has("type")
            && !fields.has("message")
            && names.iter().all(|name| {
                [
                    "id",
                    "timestamp",
                    "instructions",
                    "git",
                    "cwd",
                    "originator",
                ]
                .contains(name)
            })
    };
    begins
        || glance.any_line(|fields| {
            fields.has("payload")
                && fields
                    .text("type")
                    .is_some_and(|kind| TYPES.contains(&kind))
        })
        || glance
            .lines
            .first()
            .and_then(|line| line.fields())
            .is_some_and(legacy)
}
