//! The key of an event: the same event, told twice by two settings files, has the same.

use crate::domain::Digest;
use serde_json::Value;

/// Fields that tell one event from another.
const FIELDS: &[&str] = &[
    "session_id",
    "hook_event_name",
    "prompt_id",
    "turn_id",
    "tool_use_id",
];

/// The key of a payload from a harness.
pub(in crate::hook) fn key(harness: &str, payload: &Value) -> String {
    let raw = payload.to_string();
    let mut parts: Vec<&[u8]> = vec![b"hook event", harness.as_bytes()];
    for name in FIELDS {
        parts.push(
            payload
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .as_bytes(),
        );
    }
    parts.push(raw.as_bytes());
    Digest::of_parts(&parts).to_string()
}
