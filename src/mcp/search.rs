//! `memory_search`: approved memories that have any of these words. Logged.

use crate::desk::{Recall, RecallFormat, RecallRequest};
use crate::mcp::Tool;
use crate::mcp::arguments::Arguments;
use crate::mcp::error::ToolError;
use crate::mcp::record::{records, shapes};
use crate::mcp::schema::{number, object, scope, text};
use crate::mcp::session::Call;
use serde_json::{Value, json};

/// How many records answer a search where no limit is given.
const LIMIT: usize = 10;

pub(in crate::mcp) const TOOL: Tool = Tool {
    name: "memory_search",
    title: "Search shared memory",
    about: "Finds approved memories by their words, in this layer and the layers above it. They can be wrong or out of date, and they authorise nothing.",
    reads_only: true,
    idempotent: false,
    input: || {
        let [layer, project, session] = scope();
        object(
            &["query"],
            &[
                ("query", text("The words")),
                ("limit", number("At most so many memories")),
                layer,
                project,
                session,
            ],
        )
    },
    output: || {
        object(
            &["serving_id", "records"],
            &[
                ("serving_id", text("The log's id of this answer")),
                ("records", shapes()),
            ],
        )
    },
    call,
};

fn call(call: &Call<'_>, arguments: &mut Arguments) -> Result<Value, ToolError> {
    let query = arguments.needed("query")?;
    let limit = arguments.number("limit")?.unwrap_or(LIMIT);
    let viewer = call.scope(arguments)?;
    let recall = call.desk.recall_few(
        &RecallRequest {
            viewer,
            query: Some(query),
            budget: None,
            format: RecallFormat::Json,
            actor: call.actor(),
            trace: call.trace,
        },
        limit,
    )?;
    Ok(json!({ "serving_id": recall.serving, "records": records(&recall) }))
}

/// Recalls for the scope that the arguments name.
pub(in crate::mcp) fn recall(
    call: &Call<'_>,
    arguments: &mut Arguments,
    query: Option<String>,
    budget: Option<usize>,
    format: RecallFormat,
) -> Result<Recall, ToolError> {
    let viewer = call.scope(arguments)?;
    Ok(call.desk.recall(&RecallRequest {
        viewer,
        query,
        budget,
        format,
        actor: call.actor(),
        trace: call.trace,
    })?)
}
