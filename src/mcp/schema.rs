//! The few shapes that tools' schemas are built from.

use serde_json::{Map, Value, json};

/// An object with exactly these properties.
pub(in crate::mcp) fn object(required: &[&str], properties: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> = properties
        .iter()
        .map(|(name, shape)| ((*name).to_owned(), shape.clone()))
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// A text.
pub(in crate::mcp) fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

/// One of these words.
pub(in crate::mcp) fn one_of(words: &[&str], about: &str) -> Value {
    json!({ "type": "string", "enum": words, "description": about })
}

/// A whole number, not negative.
pub(in crate::mcp) fn number(about: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": about })
}

/// A list.
pub(in crate::mcp) fn list(of: &Value, about: &str) -> Value {
    json!({ "type": "array", "items": of, "description": about })
}

/// Yes or no.
pub(in crate::mcp) fn yes_or_no(about: &str) -> Value {
    json!({ "type": "boolean", "description": about })
}

/// The properties that say where a call stands.
pub(in crate::mcp) fn scope() -> [(&'static str, Value); 3] {
    let [layer, session] = layer_and_session();
    let project = text("The project, where only memories of one project are meant");
    [layer, ("project", project), session]
}

/// The same for what belongs to no project.
pub(in crate::mcp) fn layer_and_session() -> [(&'static str, Value); 2] {
    [
        (
            "layer",
            text("The layer, at or below the one this server is bound to; that one if left out"),
        ),
        ("session", text("The session, if the host does not say")),
    ]
}
