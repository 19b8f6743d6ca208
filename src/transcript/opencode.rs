//! OpenCode sessions as `opencode export` writes them: one object with `info` and `messages`.
//!
//! A tool's part holds call and result in one; only the result is a message.

use crate::transcript::document::{Layout, Of};
use crate::transcript::json::{Fields, Json};
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Speaker};
use crate::transcript::stamp::{Stamp, Teller};
use crate::transcript::{Format, Reader, Resume, Shape, record, tools, wrappers};

pub(crate) const FORMAT: Format = Format {
    name: "opencode",
    about: "OpenCode sessions, as `opencode export` writes them",
    sniff: |glance| {
        let opening = &glance.opening;
        opening.bracket == b'{' && opening.has("info") && opening.has("messages")
    },
    shape: |_| Shape::Document(&LAYOUT),
    resume: Resume::Start,
    tells: true,
    reader: || Box::new(OpenCode::default()),
};

const LAYOUT: Layout = Layout {
    items: &["messages"],
    fields: &["info"],
    whole: false,
};

/// Parts that hold no words.
const QUIET: &[&str] = &[
    "file",
    "step-start",
    "step-finish",
    "snapshot",
    "patch",
    "agent",
    "retry",
    "compaction",
];

#[derive(Debug, Default)]
struct OpenCode {
    teller: Teller,
    session: Option<String>,
    directory: Option<String>,
}

impl Reader for OpenCode {
    fn take(&mut self, of: Of, line: &Line<'_>, out: &mut Batch) {
        record::object(line, out, |fields, out| match of {
            Of::Field(_) => {
                out.records = out.records.saturating_sub(1);
                self.session = fields.text("id").map(str::to_owned);
                self.directory = fields.text("directory").map(str::to_owned);
            }
            Of::Item(_) | Of::Record => self.message(line, fields, out),
        });
    }
}

impl OpenCode {
    fn message(&mut self, line: &Line<'_>, fields: &Fields<'_>, out: &mut Batch) {
        let Some(info) = fields.get("info").and_then(Json::fields) else {
            return out.problem(line.number, line.offset, "message has no `info`");
        };
        let Some(Json::List(parts)) = fields.get("parts") else {
            return out.problem(line.number, line.offset, "message has no `parts`");
        };
        let base = match info.text("role") {
            Some("user") => Speaker::Person,
            Some("assistant") if info.get("summary") == Some(&Json::Bool(true)) => Speaker::Summary,
            Some("assistant") => Speaker::Model,
            _ => Speaker::Harness,
        };
        for part in parts {
            let Some(part) = part.fields() else {
                out.problem(line.number, line.offset, "part is not an object");
                continue;
            };
            self.part(line, info, base, part, out);
        }
    }

    fn part(
        &mut self,
        line: &Line<'_>,
        info: &Fields<'_>,
        base: Speaker,
        part: &Fields<'_>,
        out: &mut Batch,
    ) {
        let (speaker, text) = match part.text("type").unwrap_or("(no type)") {
            "text" if part.is_set("synthetic") || part.is_set("ignored") => {
                (Speaker::Harness, part.text("text"))
            }
            "text" => (base, part.text("text")),
            "reasoning" => (Speaker::Model, part.text("text")),
            "subtask" => (Speaker::Model, part.text("prompt")),
            "tool" => result(part),
            quiet if QUIET.contains(&quiet) => return,
            other => return out.unknown(&format!("part:{other}")),
        };
        let text = text.unwrap_or_default();
        let mut stamp = Stamp::new(FORMAT.name, line, Json::Text(text.into()).hash());
        stamp.record = part
            .text("id")
            .or_else(|| info.text("id"))
            .map(str::to_owned);
        stamp.at = record::millis(info.get("time").and_then(|time| time.get("created")));
        let session = info.text("sessionID").map(str::to_owned);
        stamp.session = session.or_else(|| self.session.clone());
        stamp.project_dir.clone_from(&self.directory);
        if part.has("id") {
            self.teller.check(&stamp, out);
        }
        let pieces = match speaker {
            Speaker::Person | Speaker::Tool | Speaker::Web => wrappers::pieces(text, speaker),
            _ => wrappers::unwrapped(text, speaker),
        };
        self.teller.say(pieces, &mut stamp, out);
    }
}

/// What a tool gave; nothing while it is still at work.
fn result<'p>(part: &'p Fields<'_>) -> (Speaker, Option<&'p str>) {
    let tool = tools::named(part.text("tool").unwrap_or_default());
    let state = part.get("state");
    let text = ["output", "error"]
        .iter()
        .find_map(|name| state.and_then(|state| state.text_of(name)));
    (tools::speaker(Some(tool), None, ""), text)
}
