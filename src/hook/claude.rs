//! Claude Code. Output is one object with known keys only; `additionalContext` holds at most ten
//! thousand characters.

use crate::desk::spool::Accepted;
use crate::hook::Harness;
use crate::hook::meaning::{Meaning, prompt, text, tool, transcript, unknown};
use serde_json::{Value, json};

pub(in crate::hook) const HARNESS: Harness = Harness {
    name: "claude",
    title: "Claude Code",
    meaning,
    context: Some(context),
    deny: Some(deny),
};

fn meaning(payload: &Value) -> Meaning {
    match text(payload, "hook_event_name").unwrap_or_default() {
        "SessionStart" => Meaning::Start,
        "UserPromptSubmit" => prompt(payload),
        "PreToolUse" => crate::hook::native::write(payload),
        "PostToolUse" => tool(payload, "tool_response"),
        "PreCompact" | "SessionEnd" => transcript(payload),
        "PostCompact" => match text(payload, "compact_summary") {
            Some(summary) => Meaning::Keep(Accepted::Summary {
                text: summary.to_owned(),
            }),
            None => Meaning::Nothing,
        },
        "Stop" | "SubagentStop" | "InstructionsLoaded" | "Notification" => Meaning::Nothing,
        other => unknown(other),
    }
}

fn context(block: &str) -> Value {
    json!({ "hookSpecificOutput": { "hookEventName": "SessionStart", "additionalContext": block } })
}

fn deny(why: &str) -> Value {
    json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": why,
    } })
}
