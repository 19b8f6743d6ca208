//! Gemini CLI sessions: a list of events, one a line, or the older single object.
//!
//! A later record with the same id replaces the earlier one, and a rewind drops what came after:
//! messages are given when the file ends, and only those that are left.

use crate::domain::Digest;
use crate::transcript::document::{Layout, Of};
use crate::transcript::glance::Glance;
use crate::transcript::held::Held;
use crate::transcript::json::{Fields, Json};
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Message, Speaker};
use crate::transcript::stamp::{Stamp, Teller};
use crate::transcript::{Format, Reader, Resume, Shape, record, tools, wrappers};

pub(crate) const FORMAT: Format = Format {
    name: "gemini",
    about: "Gemini CLI sessions (JSON lines, or the older single object)",
    sniff,
    shape: |glance| {
        if glance.is_spread() || glance.opening.has("messages") {
            Shape::Document(&LAYOUT)
        } else {
            Shape::Lines
        }
    },
    resume: Resume::Start,
    tells: true,
    reader: || Box::new(Gemini::default()),
};

const LAYOUT: Layout = Layout {
    items: &["messages"],
    fields: &["sessionId", "kind"],
    whole: false,
};

/// Where the content of files that a prompt names begins.
const FILES: &str = "--- Content from referenced files ---";

#[derive(Debug, Default)]
struct Gemini {
    teller: Teller,
    held: Held,
    session: Option<String>,
    /// Begun by an agent: what is prompted there is that agent's words.
    spawned: bool,
}

impl Reader for Gemini {
    fn take(&mut self, of: Of, line: &Line<'_>, out: &mut Batch) {
        match of {
            Of::Field(name) => record::value(line, out, |value, out| {
                out.records = out.records.saturating_sub(1);
                self.field(name, value.text());
            }),
            Of::Item(_) | Of::Record => {
                record::object(line, out, |fields, out| self.record(line, fields, out));
            }
        }
    }

    fn end(&mut self, out: &mut Batch) {
        let from = out.messages.len();
        self.held.give(out);
        // The older form names the session after its messages.
        for message in out.messages.iter_mut().skip(from) {
            message.session.clone_from(&self.session);
        }
    }
}

impl Gemini {
    fn field(&mut self, name: &str, value: Option<&str>) {
        match name {
            "sessionId" => self.session = value.map(str::to_owned),
            "kind" => self.spawned = value == Some("subagent"),
            _ => {}
        }
    }

    fn record(&mut self, line: &Line<'_>, fields: &Fields<'_>, out: &mut Batch) {
        if let Some(set) = fields.get("$set") {
            self.set(line, set, out);
        } else if let Some(id) = fields.get("$rewindTo") {
            self.held.rewind(id.text().unwrap_or_default());
        } else if fields.has("type") {
            self.message(line, fields, out);
        } else if fields.has("sessionId") || fields.has("projectHash") {
            self.field("sessionId", fields.text("sessionId"));
            self.field("kind", fields.text("kind"));
        } else {
            out.unknown("(no type)");
        }
    }

    /// Changes what stands at the head; a list of messages in it takes the place of the list.
    fn set(&mut self, line: &Line<'_>, set: &Json<'_>, out: &mut Batch) {
        if let Some(Json::List(messages)) = set.get("messages") {
            self.held.clear();
            for message in messages.iter().filter_map(Json::fields) {
                self.message(line, message, out);
            }
        }
    }

    fn message(&mut self, line: &Line<'_>, fields: &Fields<'_>, out: &mut Batch) {
        let Some(kind) = fields.text("type") else {
            return out.problem(line.number, line.offset, "`type` is not a string");
        };
        let id = fields.text("id").unwrap_or_default();
        let mut stamp = Stamp::new(FORMAT.name, line, content(fields));
        stamp.record = Some(id.to_owned()).filter(|id| !id.is_empty());
        stamp.at = record::time(fields.text("timestamp"), line, out);
        stamp.session.clone_from(&self.session);
        let messages = match kind {
            "user" => self.prompt(fields, &mut stamp),
            "gemini" => self.answer(fields, &mut stamp),
            "info" | "error" | "warning" => self.texts(fields, Speaker::Harness, &mut stamp),
            other => {
                out.unknown(other);
                Vec::new()
            }
        };
        self.held.put(id, messages, (line.number, line.offset), out);
    }

    fn prompt(&mut self, fields: &Fields<'_>, stamp: &mut Stamp) -> Vec<Message> {
        let base = if self.spawned {
            Speaker::Model
        } else {
            Speaker::Person
        };
        let mut messages = Vec::new();
        for text in fields.get("content").map(record::texts).unwrap_or_default() {
            let (typed, files) = text.split_at(text.find(FILES).unwrap_or(text.len()));
            messages.extend(self.say(typed, base, stamp));
            messages.extend(self.say(files, Speaker::Tool, stamp));
        }
        if let Some(Json::List(parts)) = fields.get("content") {
            for part in parts {
                messages.extend(self.response(part, "", stamp));
            }
        }
        messages
    }

    fn answer(&mut self, fields: &Fields<'_>, stamp: &mut Stamp) -> Vec<Message> {
        let mut messages = Vec::new();
        for thought in fields
            .get("thoughts")
            .and_then(Json::list)
            .unwrap_or_default()
        {
            for name in ["subject", "description"] {
                let text = thought.text_of(name).unwrap_or_default();
                messages.extend(self.say(text, Speaker::Model, stamp));
            }
        }
        messages.extend(self.texts(fields, Speaker::Model, stamp));
        for call in fields
            .get("toolCalls")
            .and_then(Json::list)
            .unwrap_or_default()
        {
            let name = call.text_of("name").unwrap_or_default();
            match call.get("result") {
                Some(Json::List(parts)) => {
                    for part in parts {
                        messages.extend(self.response(part, name, stamp));
                    }
                }
                Some(Json::Text(text)) => {
                    let speaker = tools::speaker(Some(tools::named(name)), None, "");
                    messages.extend(self.say(text, speaker, stamp));
                }
                _ => {}
            }
        }
        messages
    }

    /// What a tool answered.
    fn response(&mut self, part: &Json<'_>, name: &str, stamp: &mut Stamp) -> Vec<Message> {
        let Some(response) = part.get("functionResponse") else {
            return Vec::new();
        };
        let name = Some(name).filter(|name| !name.is_empty());
        let name = name
            .or_else(|| response.text_of("name"))
            .unwrap_or_default();
        let speaker = tools::speaker(Some(tools::named(name)), None, "");
        let mut messages = Vec::new();
        for field in ["output", "error", "content"] {
            let value = response.get("response").and_then(|inner| inner.get(field));
            for text in value.map(record::texts).unwrap_or_default() {
                messages.extend(self.say(text, speaker, stamp));
            }
        }
        messages
    }

    fn texts(&mut self, fields: &Fields<'_>, base: Speaker, stamp: &mut Stamp) -> Vec<Message> {
        let texts = fields.get("content").map(record::texts).unwrap_or_default();
        texts
            .into_iter()
            .flat_map(|text| self.say(text, base, stamp))
            .collect()
    }

    fn say(&mut self, text: &str, base: Speaker, stamp: &mut Stamp) -> Vec<Message> {
        let pieces = match base {
            Speaker::Person | Speaker::Tool | Speaker::Web => wrappers::pieces(text, base),
            _ => wrappers::unwrapped(text, base),
        };
        pieces
            .into_iter()
            .map(|(speaker, text)| self.teller.message(speaker, text, stamp))
            .collect()
    }
}

/// What a record says, whatever stands around it.
fn content(fields: &Fields<'_>) -> Digest {
    let of = |name: &str| fields.get(name).map_or(Digest::ZERO, Json::hash);
    Digest::of_parts(&[&of("content").0, &of("toolCalls").0, &of("thoughts").0])
}

fn sniff(glance: &Glance<'_>) -> bool {
    let opening = &glance.opening;
    let about = ["projectHash", "sessionId", "startTime", "lastUpdated"];
    let document = opening.bracket == b'{'
        && !opening.has("message")
        && (opening.has("messages") || glance.is_spread())
        && about.iter().any(|name| opening.has(name))
        && (opening.has("projectHash") || opening.has("lastUpdated"));
    let event = |fields: &Fields<'_>| {
        let typed = fields
            .text("type")
            .is_some_and(|kind| ["user", "gemini"].contains(&kind));
        fields.has("$rewindTo")
            || (fields.has("sessionId") && fields.has("projectHash"))
            || (typed && fields.has("id") && fields.has("content") && !fields.has("message"))
    };
    document || glance.any_line(event)
}
