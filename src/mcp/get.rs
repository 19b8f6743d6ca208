//! `memory_get`: one approved memory by its id. Logged like any recall.

use crate::domain::MemoryId;
use crate::mcp::Tool;
use crate::mcp::arguments::Arguments;
use crate::mcp::error::ToolError;
use crate::mcp::record::{record, shape};
use crate::mcp::schema::{object, scope, text};
use crate::mcp::session::Call;
use serde_json::{Value, json};

pub(in crate::mcp) const TOOL: Tool = Tool {
    name: "memory_get",
    title: "One memory",
    about: "Hands over one approved memory by its id, if it holds here.",
    reads_only: true,
    idempotent: false,
    input: || {
        let [layer, project, session] = scope();
        object(
            &["id"],
            &[
                ("id", text("The memory's id, such as M-12")),
                layer,
                project,
                session,
            ],
        )
    },
    output: || {
        object(
            &["serving_id", "record"],
            &[
                ("serving_id", text("The log's id of this answer")),
                ("record", shape()),
            ],
        )
    },
    call,
};

fn call(call: &Call<'_>, arguments: &mut Arguments) -> Result<Value, ToolError> {
    let id = arguments
        .parsed("id", MemoryId::parse)?
        .ok_or_else(|| ToolError::argument("id", "is missing"))?;
    let viewer = call.scope(arguments)?;
    let found = call
        .desk
        .recall_one(id, &viewer, &call.actor(), call.trace)?;
    let (serving, served) = found.ok_or_else(|| ToolError::unknown(&id.to_string()))?;
    Ok(json!({ "serving_id": serving, "record": record(&served) }))
}
