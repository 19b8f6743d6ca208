//! `memory_observe`: one sighting in. It counts for nothing but itself: an agent wrote it.

use crate::domain::observation::{Origin, Sighting};
use crate::domain::{SessionId, Trust, UserId};
use crate::mcp::Tool;
use crate::mcp::arguments::Arguments;
use crate::mcp::error::ToolError;
use crate::mcp::schema::{layer_and_session, object, text};
use crate::mcp::session::Call;
use serde_json::{Value, json};

pub(in crate::mcp) const TOOL: Tool = Tool {
    name: "memory_observe",
    title: "Record an observation",
    about: "Records one sighting of something that may be worth remembering. It becomes shared memory only if people say it too and a reviewer approves it.",
    reads_only: false,
    idempotent: false,
    input: || {
        let [layer, session] = layer_and_session();
        object(
            &["text"],
            &[
                ("text", text("What was seen, in one sentence")),
                layer,
                session,
                ("user", text("The person it came from, where known")),
                ("source", text("Where it came from, in a word")),
            ],
        )
    },
    output: || object(&["observation_id"], &[("observation_id", text("Its id"))]),
    call,
};

fn call(call: &Call<'_>, arguments: &mut Arguments) -> Result<Value, ToolError> {
    let said = arguments.needed("text")?;
    let scope = call.scope(arguments)?;
    let user = arguments
        .parsed("user", UserId::parse)?
        .or_else(|| call.binding.user.clone());
    let unknown =
        |error: crate::domain::name::BadName| ToolError::argument("user", &error.to_string());
    let sighting = Sighting {
        text: said,
        layer: scope.layer,
        user: user
            .map_or_else(|| UserId::parse("unknown"), Ok)
            .map_err(unknown)?,
        session: scope
            .session
            .map_or_else(|| SessionId::parse("unknown"), Ok)
            .map_err(unknown)?,
        source: arguments.optional("source")?,
        // Text handed over in a call was written by a model, whoever it quotes.
        trust: Trust::Model,
        at: call.desk.now(),
        origin: Origin::Direct,
        key: None,
        artifact: None,
    };
    let id = call.desk.observe_one(sighting, &call.actor())?;
    Ok(json!({ "observation_id": id }))
}
