//! OpenAI chat messages and responses: exchange formats, in which whoever saved the file chose the
//! roles.

use crate::domain::Digest;
use crate::transcript::document::{Layout, Of};
use crate::transcript::glance::Glance;
use crate::transcript::json::{Fields, Json};
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Speaker};
use crate::transcript::record::Recent;
use crate::transcript::stamp::{Stamp, Teller};
use crate::transcript::tools::{self, Tool};
use crate::transcript::{Format, Reader, Resume, Shape, record, wrappers};

pub(crate) const CHAT: Format = Format {
    name: "openai_chat",
    about: "OpenAI chat messages: a list, an object with `messages`, or one of either a line",
    sniff: |glance| {
        let opening = &glance.opening;
        (opening.has("role") && (opening.has("content") || opening.has("tool_calls")))
            || opening.inner_has("messages", "role")
            || glance.any_line(is_chat)
    },
    shape: |glance| shape(glance, &CHAT_LAYOUT),
    resume: Resume::Start,
    tells: true,
    reader: || Box::new(OpenAi::named("openai_chat")),
};

pub(crate) const RESPONSES: Format = Format {
    name: "openai_responses",
    about: "OpenAI responses: objects with `input` and `output`, or a list of their items",
    sniff: |glance| {
        let opening = &glance.opening;
        let kind = opening.text("type").unwrap_or_default();
        opening.text("object") == Some("response")
            || (opening.has("output") && opening.has("previous_response_id"))
            || (opening.bracket == b'[' && ITEMS.contains(&kind) && !opening.has("payload"))
            || glance.any_line(|fields| fields.text("object") == Some("response"))
    },
    shape: |glance| shape(glance, &RESPONSE_LAYOUT),
    resume: Resume::Start,
    tells: true,
    reader: || Box::new(OpenAi::named("openai_responses")),
};

const CHAT_LAYOUT: Layout = Layout {
    items: &["messages"],
    fields: &[],
    whole: true,
};
const RESPONSE_LAYOUT: Layout = Layout {
    items: &["input", "output"],
    fields: &["id", "instructions", "input", "output"],
    whole: false,
};
/// Item types that begin a list of a response's items.
const ITEMS: &[&str] = &[
    "message",
    "function_call",
    "function_call_output",
    "reasoning",
];
/// Item types that hold no words.
const QUIET: &[&str] = &[
    "item_reference",
    "image_generation_call",
    "computer_call",
    "code_interpreter_call",
    "mcp_list_tools",
    "mcp_approval_request",
    "compaction",
];

fn is_chat(fields: &Fields<'_>) -> bool {
    let roles = [
        "user",
        "assistant",
        "system",
        "developer",
        "tool",
        "function",
    ];
    let role = fields
        .text("role")
        .is_some_and(|role| roles.contains(&role));
    let listed = fields
        .get("messages")
        .and_then(Json::list)
        .and_then(<[_]>::first)
        .is_some_and(|first| first.get("role").is_some());
    listed || (role && (fields.has("content") || fields.has("tool_calls")))
}

fn shape(glance: &Glance<'_>, layout: &'static Layout) -> Shape {
    if glance.opening.bracket == b'{' && glance.opening.one_line {
        Shape::Lines
    } else {
        Shape::Document(layout)
    }
}

#[derive(Debug)]
struct OpenAi {
    format: &'static str,
    teller: Teller,
    tools: Recent<Tool>,
    session: Option<String>,
}

impl OpenAi {
    fn named(format: &'static str) -> Self {
        Self {
            format,
            teller: Teller::default(),
            tools: Recent::new(16 * 1024),
            session: None,
        }
    }
}

impl Reader for OpenAi {
    fn take(&mut self, of: Of, line: &Line<'_>, out: &mut Batch) {
        match of {
            Of::Record | Of::Item(_) => {
                record::object(line, out, |fields, out| self.record(line, fields, out));
            }
            Of::Field("id") => {}
            Of::Field(name) => record::value(line, out, |value, out| {
                out.records = out.records.saturating_sub(1);
                self.field(name, value, line, out);
            }),
        }
    }
}

impl OpenAi {
    /// An item; or, one a line, a whole conversation or response.
    fn record(&mut self, line: &Line<'_>, fields: &Fields<'_>, out: &mut Batch) {
        let lists = ["messages", "input", "output"];
        if fields.has("role") || !lists.iter().any(|name| fields.has(name)) || is_call(fields) {
            return self.item(line, fields, out);
        }
        let id = fields.text("conversation_id");
        let id = id.or_else(|| fields.text("id").filter(|_| fields.has("messages")));
        self.session = id.map(str::to_owned);
        for name in ["instructions", "messages", "input", "output"] {
            if let Some(value) = fields.get(name) {
                self.field(name, value, line, out);
            }
        }
        self.session = None;
    }

    fn field(&mut self, name: &str, value: &Json<'_>, line: &Line<'_>, out: &mut Batch) {
        let whole = match name {
            "instructions" => Speaker::Harness,
            "input" => Speaker::Person,
            _ => Speaker::Model,
        };
        match value {
            Json::Text(text) => {
                let mut stamp = Stamp::new(self.format, line, Digest::of(text.as_bytes()));
                stamp.session.clone_from(&self.session);
                self.say(text, whole, &mut stamp, out);
            }
            Json::List(items) => {
                for item in items {
                    match item.fields() {
                        Some(fields) if name == "instructions" => {
                            self.instruction(fields, line, out);
                        }
                        Some(fields) => self.item(line, fields, out),
                        None => out.problem(line.number, line.offset, "item is not an object"),
                    }
                }
            }
            _ => {}
        }
    }

    fn instruction(&mut self, fields: &Fields<'_>, line: &Line<'_>, out: &mut Batch) {
        for text in fields.get("content").map(record::texts).unwrap_or_default() {
            let mut stamp = Stamp::new(self.format, line, Digest::of(text.as_bytes()));
            self.say(text, Speaker::Harness, &mut stamp, out);
        }
    }

    fn item(&mut self, line: &Line<'_>, fields: &Fields<'_>, out: &mut Batch) {
        let role = fields.text("role");
        let kind = fields.text("type").filter(|kind| *kind != "message");
        let id = fields.text("id").filter(|id| !id.is_empty());
        let content = ["content", "output", "summary"]
            .iter()
            .find_map(|name| fields.get(name));
        let mut stamp = Stamp::new(self.format, line, content.map_or(Digest::ZERO, Json::hash));
        stamp.record = id.map(str::to_owned);
        stamp.session.clone_from(&self.session);
        self.teller.check(&stamp, out);
        self.remember(fields);
        let speaker = match (kind, role) {
            (Some("function_call" | "custom_tool_call" | "mcp_call"), None) => {
                if kind != Some("mcp_call") {
                    return;
                }
                Speaker::Tool
            }
            (Some("function_call_output" | "custom_tool_call_output"), None) => {
                self.tool(fields, "call_id")
            }
            (Some("reasoning"), None) => Speaker::Model,
            (Some("web_search_call" | "file_search_call"), None) => Speaker::Web,
            (Some(quiet), None) if QUIET.contains(&quiet) => return,
            (_, Some("user")) => Speaker::Person,
            (_, Some("assistant")) => Speaker::Model,
            (_, Some("tool" | "function")) => self.tool(fields, "tool_call_id"),
            (_, Some("system" | "developer")) => Speaker::Harness,
            (kind, role) => {
                return out.unknown(role.or(kind).unwrap_or("(no role)"));
            }
        };
        for name in ["summary", "content", "output", "results", "refusal"] {
            for text in fields.get(name).map(words).unwrap_or_default() {
                self.say(text, speaker, &mut stamp, out);
            }
        }
    }

    /// Remembers which tool each call went to.
    fn remember(&mut self, fields: &Fields<'_>) {
        if let (Some(call), Some(name)) = (fields.text("call_id"), fields.text("name")) {
            self.tools.put(call, tools::named(name));
        }
        for call in fields
            .get("tool_calls")
            .and_then(Json::list)
            .unwrap_or_default()
        {
            let name = call
                .get("function")
                .and_then(|function| function.text_of("name"));
            if let (Some(id), Some(name)) = (call.text_of("id"), name) {
                self.tools.put(id, tools::named(name));
            }
        }
    }

    fn tool(&self, fields: &Fields<'_>, id: &str) -> Speaker {
        let call = fields.text(id).unwrap_or_default();
        let named = fields.text("name").map(tools::named);
        let tool = self.tools.get(call).copied().or(named);
        tools::speaker(tool, None, "")
    }

    fn say(&mut self, text: &str, base: Speaker, stamp: &mut Stamp, out: &mut Batch) {
        let pieces = match base {
            Speaker::Model | Speaker::Harness => wrappers::unwrapped(text, base),
            _ => wrappers::pieces(text, base),
        };
        self.teller.say(pieces, stamp, out);
    }
}

/// A call's output also stands under `output`.
fn is_call(fields: &Fields<'_>) -> bool {
    fields.has("call_id")
        || fields
            .text("type")
            .is_some_and(|kind| kind.ends_with("_call"))
}

/// The texts of a content; a refusal is one too.
fn words<'v>(value: &'v Json<'_>) -> Vec<&'v str> {
    match value {
        Json::List(items) => items
            .iter()
            .filter_map(|item| {
                let text = item.text().or_else(|| item.text_of("text"));
                text.or_else(|| item.text_of("refusal"))
            })
            .collect(),
        other => record::texts(other),
    }
}
