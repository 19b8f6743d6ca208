//! One record of a session: its stamp read, its text given to the right speaker.

use super::speaker::{attached, base, role};
use crate::transcript::json::{Fields, Json};
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Speaker};
use crate::transcript::record::{self, Recent};
use crate::transcript::stamp::{Stamp, Teller};
use crate::transcript::tools::{self, Tool};
use crate::transcript::wrappers;

/// How many tool calls are remembered until their result comes.
const MAX_TOOLS: usize = 16 * 1024;

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
    teller: Teller,
    tools: Recent<Tool>,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            teller: Teller::default(),
            tools: Recent::new(MAX_TOOLS),
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
    pub(super) fn record(&mut self, line: &Line<'_>, fields: &Fields<'_>, out: &mut Batch) {
        let kind = match fields.get("type") {
            Some(Json::Text(kind)) => kind.as_ref(),
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

    fn turn(&mut self, kind: &str, line: &Line<'_>, fields: &Fields<'_>, out: &mut Batch) {
        let message = match fields.get("message") {
            Some(message @ Json::Object(_)) => message,
            Some(_) => return out.problem(line.number, line.offset, "`message` is not an object"),
            None => return out.problem(line.number, line.offset, "record has no message"),
        };
        let mut stamp = self.stamp(line, fields, message, out);
        let result = fields.get("toolUseResult");
        match message.get("content") {
            Some(Json::Text(text)) => {
                let base = base(kind, fields, wrappers::opens_summary(text));
                self.text(kind, base, text, &mut stamp, out);
            }
            Some(Json::List(items)) => {
                let summary = items
                    .iter()
                    .filter_map(|item| item.text_of("text"))
                    .any(wrappers::opens_summary);
                let base = base(kind, fields, summary);
                for item in items {
                    self.item(kind, base, item, result, &mut stamp, out);
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
        item: &Json<'_>,
        result: Option<&Json<'_>>,
        stamp: &mut Stamp,
        out: &mut Batch,
    ) {
        if !item.is_object() {
            return stamp.problem("content item is not an object", out);
        }
        match item.text_of("type").unwrap_or("(no type)") {
            "text" => self.text(
                kind,
                base,
                item.text_of("text").unwrap_or_default(),
                stamp,
                out,
            ),
            "thinking" => {
                let text = item.text_of("thinking").unwrap_or_default();
                self.teller
                    .say(wrappers::unwrapped(text, Speaker::Model), stamp, out);
            }
            "tool_use" | "server_tool_use" | "mcp_tool_use" => self.remember(item),
            "tool_result" | "mcp_tool_result" => self.result(item, result, stamp, out),
            "web_search_tool_result" | "web_fetch_tool_result" => {
                let found = item.get("content").map(titles).unwrap_or_default();
                self.teller
                    .say(wrappers::pieces(&found, Speaker::Web), stamp, out);
            }
            "image" | "document" | "redacted_thinking" => {}
            other => out.unknown(&format!("block:{other}")),
        }
    }

    fn text(&mut self, kind: &str, base: Speaker, text: &str, stamp: &mut Stamp, out: &mut Batch) {
        let markup = kind == "user" && base != Speaker::Summary;
        let pieces = if markup {
            wrappers::pieces(text, base)
        } else {
            wrappers::unwrapped(text, base)
        };
        self.teller.say(pieces, stamp, out);
    }

    /// Remembers which tool a call went to, until its result comes.
    fn remember(&mut self, item: &Json<'_>) {
        if let (Some(id), Some(name)) = (item.text_of("id"), item.text_of("name")) {
            self.tools.put(id, tools::named(name));
        }
    }

    fn result(
        &mut self,
        item: &Json<'_>,
        result: Option<&Json<'_>>,
        stamp: &mut Stamp,
        out: &mut Batch,
    ) {
        let named = item
            .text_of("tool_use_id")
            .and_then(|id| self.tools.get(id).copied());
        for text in item.get("content").map(record::texts).unwrap_or_default() {
            let speaker = tools::speaker(named, result, text);
            self.teller.say(wrappers::pieces(text, speaker), stamp, out);
        }
    }

    fn system(&mut self, line: &Line<'_>, fields: &Fields<'_>, out: &mut Batch) {
        let Some(content @ Json::Text(text)) = fields.get("content") else {
            return;
        };
        let mut stamp = self.stamp(line, fields, content, out);
        let pieces = match fields.get("subtype").and_then(Json::text) {
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
        self.teller.say(pieces, &mut stamp, out);
    }

    /// A title is a model's words; it is no compaction summary, whatever its type is called.
    fn title(&mut self, name: &str, line: &Line<'_>, fields: &Fields<'_>, out: &mut Batch) {
        let Some(title @ Json::Text(text)) = fields.get(name) else {
            return;
        };
        let mut stamp = self.stamp(line, fields, title, out);
        self.teller
            .say(wrappers::unwrapped(text, Speaker::Model), &mut stamp, out);
    }

    fn attachment(&mut self, line: &Line<'_>, fields: &Fields<'_>, out: &mut Batch) {
        let Some(attachment) = fields.get("attachment").filter(|value| value.is_object()) else {
            return out.problem(line.number, line.offset, "`attachment` is not an object");
        };
        let mut stamp = self.stamp(line, fields, attachment, out);
        let base = attached(fields, attachment);
        for name in ["prompt", "content", "stdout", "additionalContext"] {
            for text in attachment.get(name).map(record::texts).unwrap_or_default() {
                self.teller
                    .say(wrappers::pieces(text, base), &mut stamp, out);
            }
        }
    }

    fn stamp(
        &mut self,
        line: &Line<'_>,
        fields: &Fields<'_>,
        content: &Json<'_>,
        out: &mut Batch,
    ) -> Stamp {
        let text = |name: &str| fields.text(name).filter(|text| !text.is_empty());
        let mut stamp = Stamp::new(super::FORMAT.name, line, content.hash());
        stamp.record = text("uuid").map(str::to_owned);
        stamp.at = record::time(fields.text("timestamp"), line, out);
        stamp.session = text("sessionId").map(str::to_owned);
        stamp.project_dir = text("cwd").map(str::to_owned);
        self.teller.check(&stamp, out);
        stamp
    }
}

/// Titles and addresses of a search result; what is encrypted stays where it is.
fn titles(content: &Json<'_>) -> String {
    let Json::List(items) = content else {
        return String::new();
    };
    let lines: Vec<String> = items
        .iter()
        .map(|item| {
            let title = item.text_of("title").unwrap_or_default();
            format!("{title} {}", item.text_of("url").unwrap_or_default())
        })
        .collect();
    lines.join("\n")
}
