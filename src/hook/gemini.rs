//! Gemini CLI. Silence is mandatory: which key carries context back is not confirmed, so nothing is
//! ever printed. Its last event is not awaited, so that the spool file appears whole or not at all.

use crate::hook::Harness;
use crate::hook::meaning::{Meaning, prompt, text, tool, transcript, unknown};
use serde_json::Value;

pub(in crate::hook) const HARNESS: Harness = Harness {
    name: "gemini",
    title: "Gemini CLI",
    meaning,
    context: None,
    deny: None,
};

fn meaning(payload: &Value) -> Meaning {
    match text(payload, "hook_event_name").unwrap_or_default() {
        "SessionStart" | "BeforeTool" | "AfterAgent" | "BeforeModel" | "AfterModel" => {
            Meaning::Nothing
        }
        "BeforeAgent" => prompt(payload),
        "AfterTool" => tool(payload, "tool_response"),
        "PreCompress" | "SessionEnd" => transcript(payload),
        other => unknown(other),
    }
}
