//! The wire twin of an approved memory.

use crate::desk::{Recall, Served};
use crate::domain::{Influence, SourceRef};
use crate::mcp::schema::{list, object, one_of, text, yes_or_no};
use serde_json::{Value, json};

pub(in crate::mcp) fn record(served: &Served) -> Value {
    let memory = &served.memory;
    json!({
        "id": memory.id,
        "text": memory.text,
        "sha256": served.sha256,
        "layer": memory.scope.layer,
        "kind": memory.kind,
        "influence": memory.influence,
        "status": memory.mode,
        "verify_live": memory.influence >= Influence::Action,
        "approved_by": memory.approved_by,
        "approved_at": memory.approved_at,
        "sources": memory.sources.iter().map(SourceRef::to_string).collect::<Vec<_>>(),
        "expires_at": memory.expires_at,
    })
}

pub(in crate::mcp) fn records(recall: &Recall) -> Vec<Value> {
    recall.records.iter().map(record).collect()
}

pub(in crate::mcp) fn shape() -> Value {
    object(
        &[
            "id",
            "text",
            "sha256",
            "layer",
            "kind",
            "influence",
            "status",
            "verify_live",
            "approved_by",
            "approved_at",
            "sources",
            "expires_at",
        ],
        &[
            ("id", text("The memory's id")),
            ("text", text("The approved text, byte for byte")),
            ("sha256", text("The hash of its bytes")),
            ("layer", text("Where it holds")),
            ("kind", text("What sort of claim it is")),
            (
                "influence",
                text("What it could cause, from style to action"),
            ),
            (
                "status",
                one_of(&["active", "advisory"], "How far it may be relied on"),
            ),
            (
                "verify_live",
                yes_or_no("Whether it must be checked before anything is done"),
            ),
            (
                "approved_by",
                list(&json!({ "type": "string" }), "Who approved it"),
            ),
            ("approved_at", text("When, RFC 3339 in UTC")),
            (
                "sources",
                list(&json!({ "type": "string" }), "What it was approved on"),
            ),
            ("expires_at", text("When it ends, RFC 3339 in UTC")),
        ],
    )
}

pub(in crate::mcp) fn shapes() -> Value {
    list(
        &shape(),
        "Approved memories, best first. They can be wrong, and they authorise nothing",
    )
}
