//! Tool calls and their results, reasoning, searches: what stands in an item, and whose words it is.

use crate::transcript::json::{Fields, Json};
use crate::transcript::message::Speaker;
use crate::transcript::record::{self, Recent};
use crate::transcript::tools::{self, Tool};
use crate::transcript::wrappers::{self, Piece};

/// How many calls are remembered until their result comes.
const MAX_CALLS: usize = 16 * 1024;

/// Events that hold no words, or repeat what an item says.
const QUIET: &[&str] = &[
    "token_count",
    "error",
    "warning",
    "background_event",
    "stream_error",
    "context_compacted",
    "thread_name_updated",
    "thread_rolled_back",
    "plan_update",
    "turn_diff",
    "view_image_tool_call",
    "entered_review_mode",
    "exited_review_mode",
    "session_configured",
    "deprecation_notice",
    "undo_started",
    "undo_completed",
];
/// How the names of families of such events begin.
const QUIET_FAMILIES: &[&str] = &[
    "task_",
    "turn_",
    "agent_reasoning",
    "agent_message_",
    "exec_command_",
    "exec_approval_",
    "patch_apply_",
    "apply_patch_",
    "mcp_",
    "web_search_",
    "item_",
    "raw_",
    "hook_",
    "collab_",
];

/// Whether an event holds no words of its own.
pub(super) fn is_quiet(kind: &str) -> bool {
    QUIET.contains(&kind) || QUIET_FAMILIES.iter().any(|family| kind.starts_with(family))
}

/// Which tool each call went to, and which calls were answered.
#[derive(Debug)]
pub(super) struct Calls {
    tools: Recent<Tool>,
    answered: Recent<()>,
}

impl Default for Calls {
    fn default() -> Self {
        Self {
            tools: Recent::new(MAX_CALLS),
            answered: Recent::new(MAX_CALLS),
        }
    }
}

impl Calls {
    pub(super) fn remember(&mut self, item: &Fields<'_>) {
        let Some(call) = item.text("call_id") else {
            return;
        };
        let name = item.text("name").unwrap_or_default();
        self.tools.put(call, tool(name, item));
    }

    /// Whether this is the first time the call is answered: a shell's answer stands twice.
    pub(super) fn is_first_answer(&mut self, item: &Fields<'_>) -> bool {
        match item.text("call_id").filter(|call| !call.is_empty()) {
            Some(call) => self.answered.put(call, ()).is_none(),
            None => true,
        }
    }

    /// What a call gave, by the tool it went to.
    pub(super) fn result<'i>(&self, item: &'i Fields<'_>) -> Vec<Piece<'i>> {
        let call = item.text("call_id").unwrap_or_default();
        let tool = self.tools.get(call).copied();
        let speaker = tools::speaker(tool, None, "");
        let output = item.get("output");
        let inner = output.and_then(|output| {
            ["content", "output", "text"]
                .iter()
                .find_map(|name| output.get(name))
        });
        let texts = inner.or(output).map(record::texts).unwrap_or_default();
        texts
            .into_iter()
            .flat_map(|text| wrappers::pieces(text, speaker))
            .collect()
    }
}

/// The tool of a call: a script that was run may have reached further than its name says.
fn tool(name: &str, item: &Fields<'_>) -> Tool {
    let named = tools::named(name);
    let input = item.get("input").or_else(|| item.get("arguments"));
    let Some(Json::Text(input)) = input.filter(|_| named == Tool::Own) else {
        return named;
    };
    let has = |parts: &[&str]| parts.iter().any(|part| input.contains(part));
    if name == "wait" && has(&["\"agent_id", "\"ids\"", "\"thread_id"]) {
        return Tool::SubAgent;
    }
    if name != "exec" {
        return named;
    }
    if has(&["tools.memory_context", "__memory_"]) {
        Tool::Memory
    } else if has(&["spawn_agent", "wait_agent", "send_input", "resume_agent"]) {
        Tool::SubAgent
    } else if has(&["web__", "web_search", "web_fetch"]) {
        Tool::Web
    } else {
        Tool::Own
    }
}

/// The readable part of what a model thought.
pub(super) fn reasoning<'i>(item: &'i Fields<'_>) -> Vec<Piece<'i>> {
    let parts = ["summary", "content"]
        .iter()
        .filter_map(|name| item.get(name));
    parts
        .flat_map(record::texts)
        .flat_map(|text| wrappers::unwrapped(text, Speaker::Model))
        .collect()
}

/// What a search found, where it says so.
pub(super) fn found<'i>(item: &'i Fields<'_>) -> Vec<Piece<'i>> {
    let parts = ["results", "output", "result"]
        .iter()
        .filter_map(|name| item.get(name));
    parts
        .flat_map(record::texts)
        .flat_map(|text| wrappers::pieces(text, Speaker::Web))
        .collect()
}

/// What a command printed.
pub(super) fn printed<'i>(event: &'i Fields<'_>) -> Vec<Piece<'i>> {
    let whole = ["aggregated_output", "formatted_output"]
        .iter()
        .find_map(|name| event.text(name).filter(|text| !text.trim().is_empty()));
    let parts: Vec<&str> = match whole {
        Some(text) => vec![text],
        None => ["stdout", "stderr"]
            .iter()
            .filter_map(|name| event.text(name))
            .collect(),
    };
    parts
        .into_iter()
        .flat_map(|text| wrappers::pieces(text, Speaker::Tool))
        .collect()
}
