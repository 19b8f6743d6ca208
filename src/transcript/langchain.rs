//! LangChain messages: `messages_to_dict` (`{type, data}`) and `dumpd` (`{lc, id, kwargs}`), as a
//! list or one a line. Read as data; nothing is ever made from a class that a file names.

use crate::domain::Digest;
use crate::transcript::document::{Layout, Of};
use crate::transcript::held::Held;
use crate::transcript::json::{Fields, Json};
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Message, Speaker};
use crate::transcript::record::Recent;
use crate::transcript::stamp::{Stamp, Teller};
use crate::transcript::tools::{self, Tool};
use crate::transcript::{Format, Reader, Resume, Shape, record, wrappers};

pub(crate) const FORMAT: Format = Format {
    name: "langchain",
    about: "LangChain messages, as `messages_to_dict` or `dumpd` write them",
    sniff: |glance| {
        let opening = &glance.opening;
        let dict = |fields: &Fields<'_>| {
            fields.has("data") && fields.text("type").is_some_and(|kind| base(kind).is_some())
        };
        let listed = opening.has("data")
            && opening
                .text("type")
                .is_some_and(|kind| base(kind).is_some());
        let inner = opening.inner_has("messages", "lc") || opening.inner_has("messages", "data");
        let dumped = opening.has("lc") && opening.has("kwargs");
        let dumped_line = |fields: &Fields<'_>| fields.has("lc") && fields.has("kwargs");
        listed || inner || dumped || glance.any_line(|fields| dict(fields) || dumped_line(fields))
    },
    shape: |glance| {
        if glance.opening.bracket == b'{'
            && glance.opening.one_line
            && !glance.opening.has("messages")
        {
            Shape::Lines
        } else {
            Shape::Document(&LAYOUT)
        }
    },
    resume: Resume::Start,
    tells: true,
    reader: || Box::new(LangChain::default()),
};

const LAYOUT: Layout = Layout {
    items: &["messages"],
    fields: &[],
    whole: true,
};

/// The id whose removal removes everything.
const ALL: &str = "__remove_all__";

#[derive(Debug)]
struct LangChain {
    teller: Teller,
    tools: Recent<Tool>,
    held: Held,
}

impl Default for LangChain {
    fn default() -> Self {
        Self {
            teller: Teller::default(),
            tools: Recent::new(16 * 1024),
            held: Held::default(),
        }
    }
}

impl Reader for LangChain {
    fn take(&mut self, _of: Of, line: &Line<'_>, out: &mut Batch) {
        record::object(line, out, |fields, out| self.record(line, fields, out));
    }

    fn end(&mut self, out: &mut Batch) {
        self.held.give(out);
    }
}

impl LangChain {
    fn record(&mut self, line: &Line<'_>, fields: &Fields<'_>, out: &mut Batch) {
        let data = fields.get("data").or_else(|| fields.get("kwargs"));
        let Some(data) = data.and_then(Json::fields) else {
            return out.problem(
                line.number,
                line.offset,
                "message has no `data` or `kwargs`",
            );
        };
        let class = fields.get("id").and_then(Json::list).and_then(<[_]>::last);
        let kind = match class.and_then(Json::text) {
            Some(class) => class.trim_end_matches("Chunk").trim_end_matches("Message"),
            None => fields.text("type").unwrap_or("(no type)"),
        }
        .to_ascii_lowercase();
        let id = data.text("id").unwrap_or_default();
        if kind == "remove" {
            return if id == ALL {
                self.held.clear();
            } else {
                self.held.remove(id);
            };
        }
        let Some(base) = base(&kind) else {
            return out.unknown(&kind);
        };
        for call in data
            .get("tool_calls")
            .and_then(Json::list)
            .unwrap_or_default()
        {
            if let (Some(id), Some(name)) = (call.text_of("id"), call.text_of("name")) {
                self.tools.put(id, tools::named(name));
            }
        }
        let messages = self.messages(line, data, base);
        self.held.put(id, messages, (line.number, line.offset), out);
    }

    fn messages(&mut self, line: &Line<'_>, data: &Fields<'_>, base: Speaker) -> Vec<Message> {
        let content = data.get("content");
        let mut stamp = Stamp::new(FORMAT.name, line, content.map_or(Digest::ZERO, Json::hash));
        stamp.record = data
            .text("id")
            .map(str::to_owned)
            .filter(|id| !id.is_empty());
        let base = match (base, data.text("role")) {
            (Speaker::Tool, _) => {
                let call = data.text("tool_call_id").unwrap_or_default();
                let named = data.text("name").map(tools::named);
                let tool = self.tools.get(call).copied().or(named);
                tools::speaker(tool, None, "")
            }
            // A chat message says its role itself.
            (Speaker::Model, Some("user" | "human")) => Speaker::Person,
            (Speaker::Model, Some("system" | "developer")) => Speaker::Harness,
            (base, _) => base,
        };
        let texts = content.map(record::texts).unwrap_or_default();
        let pieces = texts.into_iter().flat_map(|text| match base {
            Speaker::Model | Speaker::Harness => wrappers::unwrapped(text, base),
            _ => wrappers::pieces(text, base),
        });
        pieces
            .map(|(speaker, text)| self.teller.message(speaker, text, &mut stamp))
            .collect()
    }
}

/// Whose words a message of this type is.
fn base(kind: &str) -> Option<Speaker> {
    Some(match kind {
        "human" => Speaker::Person,
        "ai" | "aimessagechunk" | "chat" => Speaker::Model,
        "system" | "developer" => Speaker::Harness,
        "tool" | "function" => Speaker::Tool,
        "remove" => Speaker::Harness,
        _ => return None,
    })
}
