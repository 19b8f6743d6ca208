//! `memory_proposal_status`: where a candidate stands, and nothing of why.

use crate::domain::CandidateId;
use crate::domain::candidate::CandidateState;
use crate::mcp::Tool;
use crate::mcp::arguments::Arguments;
use crate::mcp::error::ToolError;
use crate::mcp::schema::{object, one_of, text};
use crate::mcp::session::Call;
use serde_json::{Map, Value, json};

pub(in crate::mcp) const TOOL: Tool = Tool {
    name: "memory_proposal_status",
    title: "Where a proposal stands",
    about: "Says whether a proposed memory waits, stands in quarantine, was approved or was rejected.",
    reads_only: true,
    idempotent: true,
    input: || {
        object(
            &["candidate_id"],
            &[("candidate_id", text("The candidate's id, such as C-12"))],
        )
    },
    output: || {
        object(
            &["state"],
            &[
                (
                    "state",
                    one_of(
                        &["pending", "quarantine", "approved", "rejected"],
                        "Where it stands",
                    ),
                ),
                ("memory_id", text("The memory it became")),
            ],
        )
    },
    call,
};

fn call(call: &Call<'_>, arguments: &mut Arguments) -> Result<Value, ToolError> {
    let id = arguments
        .parsed("candidate_id", CandidateId::parse)?
        .ok_or_else(|| ToolError::argument("candidate_id", "is missing"))?;
    let standing = call.desk.proposal_standing(id)?;
    if call.inside(&standing.layer).is_err() {
        return Err(ToolError::unknown(&id.to_string()));
    }
    let mut out = Map::new();
    out.insert("state".to_owned(), json!(state(standing.state)));
    if let Some(memory) = standing.memory {
        out.insert("memory_id".to_owned(), json!(memory));
    }
    Ok(Value::Object(out))
}

/// The word for a state on the wire.
pub(in crate::mcp) const fn state(state: CandidateState) -> &'static str {
    match state {
        CandidateState::Pending => "pending",
        CandidateState::Quarantined => "quarantine",
        CandidateState::Approved => "approved",
        CandidateState::Rejected => "rejected",
        CandidateState::Closed => "closed",
    }
}
