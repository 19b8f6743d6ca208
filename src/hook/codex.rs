//! Codex. One unknown key makes the whole output invalid; its compaction event carries no summary,
//! and its transcript path may be null.

use crate::hook::Harness;
use crate::hook::meaning::{Meaning, prompt, text, tool, transcript, unknown};
use serde_json::{Value, json};

pub(in crate::hook) const HARNESS: Harness = Harness {
    name: "codex",
    title: "Codex",
    meaning,
    context: Some(context),
    deny: None,
};

fn meaning(payload: &Value) -> Meaning {
    match text(payload, "hook_event_name").unwrap_or_default() {
        "SessionStart" => Meaning::Start,
        "UserPromptSubmit" => prompt(payload),
        "PostToolUse" => tool(payload, "tool_response"),
        "PreCompact" | "PostCompact" => transcript(payload),
        "Stop" | "PreToolUse" | "PermissionRequest" | "SubagentStart" | "SubagentStop"
        | "Interrupt" | "StopFailure" => Meaning::Nothing,
        other => unknown(other),
    }
}

fn context(block: &str) -> Value {
    json!({ "hookSpecificOutput": { "hookEventName": "SessionStart", "additionalContext": block } })
}
