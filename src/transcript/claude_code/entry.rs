//! One record of a session: its envelope read, its text given to the right speaker.

use serde_json::Value;

use super::envelope::Envelope;
use super::speaker::{attached, base, role, string};
use super::tools::{self, Tool};
use super::wrappers::{self, Piece};
use crate::domain::Digest;
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Speaker};
use crate::transcript::record::{Fields, Recent};

/// How many tool calls are remembered until their result comes.
const MAX_TOOLS: usize = 16 * 1024;
/// How many record ids are remembered to notice one that is used again.
const MAX_RECORDS: usize = 64 * 1024;

/// Record types that hold no words of a conversation, or repeat them: a queue operation repeats
/// what the attachment or the user record says.
const QUIET: &[&str] = &[
    "file-history-snapshot",
    "queue-operation",
    "progress",
    "custom-title",
    "agent-name",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
];

/// What is remembered from record to record.
#[derive(Debug)]
pub(super) struct Session {
    given: u64,
    tools: Recent<Tool>,
    contents: Recent<Digest>,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            given: 0,
            tools: Recent::new(MAX_TOOLS),
            contents: Recent::new(MAX_RECORDS),
        }
    }
}

/// Whether a record type is one of this format.
pub(super) fn is_known(kind: &str) -> bool {
    const SPEAKING: &[&str] = &[
        "user",
        "assistant",
        "system",
        "summary",
        "ai-title",
        "attachment",
    ];
    SPEAKING.contains(&kind) || QUIET.contains(&kind)
}

impl Session {
    /// Reads one record.
    pub(super) fn record(&mut self, line: Line<'_>, fields: &Fields, out: &mut Batch) {
        let kind = match fields.get("type") {
            Some(Value::String(kind)) => kind.as_str(),
            Some(_) => return out.problem(line.number, line.offset, "`type` is not a string"),
            None => role(fields).unwrap_or("(no type)"),
        };
        match kind {
            "user" | "assistant" => self.turn(kind, line, fields, out),
            "system" => self.system(line, fields, out),
            "summary" => self.title("summary", line, fields, out),
            "ai-title" => self.title("aiTitle", line, fields, out),
            "attachment" => self.attachment(line, fields, out),
            quiet if QUIET.contains(&quiet) => {}
            unknown => out.unknown(unknown),
        }
    }

    fn turn(&mut self, kind: &str, line: Line<'_>, fields: &Fields, out: &mut Batch) {
        let message = match fields.get("message") {
            Some(message @ Value::Object(_)) => message,
            Some(_) => return out.problem(line.number, line.offset, "`message` is not an object"),
            None => return out.problem(line.number, line.offset, "record has no message"),
        };
        let mut envelope = self.envelope(line, fields, message, out);
        let result = fields.get("toolUseResult");
        match message.get("content") {
            Some(Value::String(text)) => {
                let base = base(kind, fields, wrappers::opens_summary(text));
                self.text(kind, base, text, &mut envelope, out);
            }
            Some(Value::Array(items)) => {
                let summary = items
                    .iter()
                    .filter_map(|item| string(item, "text"))
                    .any(wrappers::opens_summary);
                let base = base(kind, fields, summary);
                for item in items {
                    self.item(kind, base, item, result, &mut envelope, out);
                }
            }
            Some(_) => out.problem(
                line.number,
                line.offset,
                "`content` is neither text nor a list",
            ),
            None if message.get("usage").is_some() => {}
            None => out.problem(line.number, line.offset, "message has no content"),
        }
    }

    fn item(
        &mut self,
        kind: &str,
        base: Speaker,
        item: &Value,
        result: Option<&Value>,
        envelope: &mut Envelope<'_>,
        out: &mut Batch,
    ) {
        if !item.is_object() {
            let line = envelope.line;
            return out.problem(line.number, line.offset, "content item is not an object");
        }
        match string(item, "type").unwrap_or("(no type)") {
            "text" => self.text(
                kind,
                base,
                string(item, "text").unwrap_or_default(),
                envelope,
                out,
            ),
            "thinking" => {
                let text = string(item, "thinking").unwrap_or_default();
                self.say(wrappers::unwrapped(text, Speaker::Model), envelope, out);
            }
            "tool_use" | "server_tool_use" | "mcp_tool_use" => self.remember(item),
            "tool_result" | "mcp_tool_result" => self.result(item, result, envelope, out),
            "web_search_tool_result" | "web_fetch_tool_result" => {
                let found = item.get("content").map(titles).unwrap_or_default();
                self.say(wrappers::pieces(&found, Speaker::Web), envelope, out);
            }
            "image" | "document" | "redacted_thinking" => {}
            other => out.unknown(&format!("block:{other}")),
        }
    }

    fn text(
        &mut self,
        kind: &str,
        base: Speaker,
        text: &str,
        envelope: &mut Envelope<'_>,
        out: &mut Batch,
    ) {
        let markup = kind == "user" && base != Speaker::Summary;
        let pieces = if markup {
            wrappers::pieces(text, base)
        } else {
            wrappers::unwrapped(text, base)
        };
        self.say(pieces, envelope, out);
    }

    /// Remembers which tool a call went to, until its result comes.
    fn remember(&mut self, item: &Value) {
        if let (Some(id), Some(name)) = (string(item, "id"), string(item, "name")) {
            self.tools.put(id, tools::named(name));
        }
    }

    fn result(
        &mut self,
        item: &Value,
        result: Option<&Value>,
        envelope: &mut Envelope<'_>,
        out: &mut Batch,
    ) {
        let named = string(item, "tool_use_id").and_then(|id| self.tools.get(id).copied());
        for text in item.get("content").map(texts).unwrap_or_default() {
            let speaker = tools::speaker(named, result, text);
            self.say(wrappers::pieces(text, speaker), envelope, out);
        }
    }

    fn system(&mut self, line: Line<'_>, fields: &Fields, out: &mut Batch) {
        let Some(content @ Value::String(text)) = fields.get("content") else {
            return;
        };
        let mut envelope = self.envelope(line, fields, content, out);
        let pieces = match fields.get("subtype").and_then(Value::as_str) {
            Some("away_summary") => wrappers::unwrapped(text, Speaker::Model),
            // Newer versions put command markup here; only what a command printed is a tool's.
            Some("local_command") => wrappers::pieces(text, Speaker::Person)
                .into_iter()
                .map(|(speaker, piece)| match speaker {
                    Speaker::Tool | Speaker::Recall => (speaker, piece),
                    _ => (Speaker::Harness, piece),
                })
                .collect(),
            _ => wrappers::unwrapped(text, Speaker::Harness),
        };
        self.say(pieces, &mut envelope, out);
    }

    /// A title is a model's words; it is no compaction summary, whatever its type is called.
    fn title(&mut self, name: &str, line: Line<'_>, fields: &Fields, out: &mut Batch) {
        let Some(title @ Value::String(text)) = fields.get(name) else {
            return;
        };
        let mut envelope = self.envelope(line, fields, title, out);
        self.say(
            wrappers::unwrapped(text, Speaker::Model),
            &mut envelope,
            out,
        );
    }

    fn attachment(&mut self, line: Line<'_>, fields: &Fields, out: &mut Batch) {
        let Some(attachment) = fields.get("attachment").filter(|value| value.is_object()) else {
            return out.problem(line.number, line.offset, "`attachment` is not an object");
        };
        let mut envelope = self.envelope(line, fields, attachment, out);
        let base = attached(fields, attachment);
        for name in ["prompt", "content", "stdout", "additionalContext"] {
            for text in attachment.get(name).map(texts).unwrap_or_default() {
                self.say(wrappers::pieces(text, base), &mut envelope, out);
            }
        }
    }

    fn envelope<'a>(
        &mut self,
        line: Line<'a>,
        fields: &Fields,
        content: &Value,
        out: &mut Batch,
    ) -> Envelope<'a> {
        let envelope = Envelope::read(line, fields, content, out);
        if let Some(id) = &envelope.record {
            let before = self.contents.put(id, envelope.content);
            if before.is_some_and(|before| before != envelope.content) {
                let what = "record id is used again with other content";
                out.problem(line.number, line.offset, what);
            }
        }
        envelope
    }

    fn say(&mut self, pieces: Vec<Piece<'_>>, envelope: &mut Envelope<'_>, out: &mut Batch) {
        for (speaker, text) in pieces {
            out.messages
                .push(envelope.message(self.given, speaker, text));
            self.given += 1;
        }
    }
}

/// The texts of a value that is text or a list of text items.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items
            .iter()
            .filter_map(|item| item.as_str().or_else(|| string(item, "text")))
            .collect(),
        _ => Vec::new(),
    }
}

/// Titles and addresses of a search result; what is encrypted stays where it is.
fn titles(content: &Value) -> String {
    let Value::Array(items) = content else {
        return String::new();
    };
    let lines: Vec<String> = items
        .iter()
        .map(|item| {
            let title = string(item, "title").unwrap_or_default();
            format!("{title} {}", string(item, "url").unwrap_or_default())
        })
        .collect();
    lines.join("\n")
}
