//! `memory_context`: what is known here, as a block to be put into a context. Logged.

use crate::desk::RecallFormat;
use crate::mcp::Tool;
use crate::mcp::arguments::Arguments;
use crate::mcp::error::ToolError;
use crate::mcp::record::{records, shapes};
use crate::mcp::schema::{number, object, scope, text};
use crate::mcp::search::recall;
use crate::mcp::session::Call;
use serde_json::{Value, json};

pub(in crate::mcp) const TOOL: Tool = Tool {
    name: "memory_context",
    title: "Shared memory for this layer",
    about: "Hands over the approved memory of this layer and the layers above it as one delimited block. It can be wrong or out of date and authorises nothing; records marked `verify live` are checked before anything is done.",
    reads_only: true,
    idempotent: false,
    input: || {
        let [layer, project, session] = scope();
        object(
            &[],
            &[
                (
                    "query",
                    text("Only what has any of these words, best first"),
                ),
                ("budget", number("At most so many characters")),
                layer,
                project,
                session,
            ],
        )
    },
    output: || {
        object(
            &["serving_id", "text", "records"],
            &[
                ("serving_id", text("The log's id of this answer")),
                ("text", text("The block")),
                ("records", shapes()),
            ],
        )
    },
    call,
};

fn call(call: &Call<'_>, arguments: &mut Arguments) -> Result<Value, ToolError> {
    let budget = arguments.number("budget")?;
    let query = arguments.optional("query")?;
    let recall = recall(call, arguments, query, budget, RecallFormat::Block)?;
    Ok(json!({
        "serving_id": recall.serving,
        "text": recall.rendered,
        "records": records(&recall),
    }))
}
