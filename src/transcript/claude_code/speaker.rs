//! Whose words the text of a record is, by what its flags say. Every flag can only lower.

use serde_json::Value;

use crate::transcript::message::Speaker;
use crate::transcript::record::Fields;

/// Whose words the texts of a user or assistant record are, before wrappers are cut.
pub(super) fn base(kind: &str, fields: &Fields, opens_summary: bool) -> Speaker {
    let flag = |name: &str| fields.get(name).is_some_and(is_set);
    if kind == "assistant" {
        let notice = flag("isApiErrorMessage") || flag("isMeta");
        return if notice {
            Speaker::Harness
        } else {
            Speaker::Model
        };
    }
    if flag("isCompactSummary") || opens_summary {
        return Speaker::Summary;
    }
    if flag("isMeta") || flag("isVisibleInTranscriptOnly") || !is_from_a_person(fields) {
        return Speaker::Harness;
    }
    match role(fields) {
        Some("user") | None => {}
        Some("assistant") => return Speaker::Model,
        Some(_) => return Speaker::Harness,
    }
    if flag("isSidechain") || fields.get("agentId").is_some_and(Value::is_string) {
        return Speaker::Model;
    }
    Speaker::Person
}

/// Whose words an attachment is: a person's only when typed as a prompt while the agent worked.
pub(super) fn attached(fields: &Fields, attachment: &Value) -> Speaker {
    let Some(inner) = attachment.as_object() else {
        return Speaker::Harness;
    };
    let queued = string(attachment, "type") == Some("queued_command")
        && string(attachment, "commandMode") == Some("prompt");
    let meta = [fields, inner]
        .iter()
        .any(|fields| fields.get("isMeta").is_some_and(is_set));
    if !queued || meta || !is_from_a_person(inner) {
        return Speaker::Harness;
    }
    base("user", fields, false)
}

/// Whether the record does not say that something other than a person sent it.
fn is_from_a_person(fields: &Fields) -> bool {
    fields
        .get("origin")
        .and_then(|origin| origin.get("kind"))
        .is_none_or(|kind| kind.as_str() == Some("human"))
}

pub(super) fn role(fields: &Fields) -> Option<&str> {
    string(fields.get("message")?, "role")
}

/// A flag that is set, in whatever way it was written: each of them only lowers trust.
fn is_set(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false))
}

pub(super) fn string<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}
