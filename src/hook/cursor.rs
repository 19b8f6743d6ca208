//! Cursor. Neither its payload's fields nor its output's keys are confirmed: everything is kept as
//! it came, and nothing is printed.

use crate::hook::Harness;
use crate::hook::meaning::{Meaning, prompt, text, unknown};
use serde_json::Value;

pub(in crate::hook) const HARNESS: Harness = Harness {
    name: "cursor",
    title: "Cursor",
    meaning,
    context: None,
    deny: None,
};

fn meaning(payload: &Value) -> Meaning {
    let named = text(payload, "hook_event_name").or_else(|| text(payload, "event"));
    match named.unwrap_or_default() {
        "beforeSubmitPrompt" => prompt(payload),
        other => unknown(other),
    }
}
