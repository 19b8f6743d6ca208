//! `memory_report`: says that a served memory was wrong, stale, unhelpful or helped. It is evidence
//! for a person's review and changes nothing that is served.

use crate::desk::Report;
use crate::domain::report::ReportVerdict;
use crate::domain::{MemoryId, ServingId};
use crate::mcp::Tool;
use crate::mcp::arguments::Arguments;
use crate::mcp::error::ToolError;
use crate::mcp::schema::{object, one_of, text, yes_or_no};
use crate::mcp::session::Call;
use serde_json::{Value, json};

pub(in crate::mcp) const TOOL: Tool = Tool {
    name: "memory_report",
    title: "Report on a memory",
    about: "Reports that a memory which was handed over was wrong, stale or unhelpful, or that it helped. A person looks at it; what is served does not change by this.",
    reads_only: false,
    idempotent: true,
    input: || {
        let words: Vec<&str> = ReportVerdict::ALL
            .iter()
            .map(|verdict| verdict.as_str())
            .collect();
        object(
            &["serving", "memory_id", "verdict"],
            &[
                ("serving", text("The answer it stood in, such as S-9")),
                ("memory_id", text("The memory, such as M-12")),
                ("verdict", one_of(&words, "What was found")),
                ("note", text("What was seen instead, in one sentence")),
            ],
        )
    },
    output: || {
        object(
            &["recorded"],
            &[("recorded", yes_or_no("Whether it is on record"))],
        )
    },
    call,
};

fn call(call: &Call<'_>, arguments: &mut Arguments) -> Result<Value, ToolError> {
    let missing = |name| ToolError::argument(name, "is missing");
    let serving = arguments
        .parsed("serving", ServingId::parse)?
        .ok_or_else(|| missing("serving"))?;
    let memory = arguments
        .parsed("memory_id", MemoryId::parse)?
        .ok_or_else(|| missing("memory_id"))?;
    let verdict = arguments
        .parsed("verdict", ReportVerdict::parse)?
        .ok_or_else(|| missing("verdict"))?;
    let served = call.desk.served_scope(serving)?;
    if call.inside(&served.layer).is_err() {
        return Err(ToolError::unknown(&serving.to_string()));
    }
    call.desk.report(Report {
        serving,
        memory,
        verdict,
        note: arguments.optional("note")?,
        actor: call.actor(),
    })?;
    Ok(json!({ "recorded": true }))
}
