//! Whose words the text of a record is, by what its flags say. Every flag can only lower.

use crate::transcript::json::{Fields, Json};
use crate::transcript::message::Speaker;

/// Whose words the texts of a user or assistant record are, before wrappers are cut.
pub(super) fn base(kind: &str, fields: &Fields<'_>, opens_summary: bool) -> Speaker {
    let flag = |name: &str| fields.is_set(name);
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
    if flag("isSidechain") || fields.text("agentId").is_some() {
        return Speaker::Model;
    }
    Speaker::Person
}

/// Whose words an attachment is: a person's only when typed as a prompt while the agent worked.
pub(super) fn attached(fields: &Fields<'_>, attachment: &Json<'_>) -> Speaker {
    let Some(inner) = attachment.fields() else {
        return Speaker::Harness;
    };
    let queued = attachment.text_of("type") == Some("queued_command")
        && attachment.text_of("commandMode") == Some("prompt");
    let meta = [fields, inner].iter().any(|fields| fields.is_set("isMeta"));
    if !queued || meta || !is_from_a_person(inner) {
        return Speaker::Harness;
    }
    base("user", fields, false)
}

/// Whether the record does not say that something other than a person sent it.
fn is_from_a_person(fields: &Fields<'_>) -> bool {
    fields
        .get("origin")
        .and_then(|origin| origin.get("kind"))
        .is_none_or(|kind| kind.text() == Some("human"))
}

pub(super) fn role<'f>(fields: &'f Fields<'_>) -> Option<&'f str> {
    fields.get("message")?.text_of("role")
}
