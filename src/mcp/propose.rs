//! `memory_propose`: one candidate in, judged by the gate. It never approves, and it says where the
//! candidate stands without saying what would get it past the gate.

use crate::domain::candidate::Proposal;
use crate::domain::{Digest, Kind, SourceRef, Span, Time, Trust};
use crate::mcp::Tool;
use crate::mcp::arguments::Arguments;
use crate::mcp::error::ToolError;
use crate::mcp::proposal_status::state;
use crate::mcp::schema::{list, number, object, one_of, scope, text};
use crate::mcp::session::Call;
use serde_json::{Map, Value, json};

pub(in crate::mcp) const TOOL: Tool = Tool {
    name: "memory_propose",
    title: "Propose a memory",
    about: "Proposes one claim as shared memory. A person reviews its exact text later; nothing is remembered until then. State one checkable fact in one sentence, and cite the evidence by its hash.",
    reads_only: false,
    idempotent: true,
    input: || {
        let [layer, project, session] = scope();
        let source = object(
            &["artifact"],
            &[
                (
                    "artifact",
                    text("The SHA-256 of evidence that was ingested"),
                ),
                ("start", number("The first byte that supports the claim")),
                ("end", number("The byte after the last")),
            ],
        );
        let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
        object(
            &["claim", "kind", "sources"],
            &[
                ("claim", text("The claim, one sentence")),
                ("kind", one_of(&kinds, "What sort of claim it is")),
                (
                    "sources",
                    list(&source, "The evidence; empty where there is none"),
                ),
                layer,
                project,
                session,
                (
                    "expires_at",
                    text("When it ends, RFC 3339; as late as its influence allows if left out"),
                ),
                (
                    "confidence",
                    json!({ "type": "number", "minimum": 0, "maximum": 1, "description": "How sure, from 0 to 1" }),
                ),
            ],
        )
    },
    output: || {
        object(
            &["candidate_id", "state"],
            &[
                (
                    "candidate_id",
                    text("The candidate, or the one it was linked to"),
                ),
                (
                    "state",
                    one_of(
                        &["pending", "quarantine", "approved", "rejected"],
                        "Where it stands",
                    ),
                ),
                (
                    "linked_to",
                    text("The earlier candidate that says the same"),
                ),
            ],
        )
    },
    call,
};

fn call(call: &Call<'_>, arguments: &mut Arguments) -> Result<Value, ToolError> {
    let claim = arguments.needed("claim")?;
    let kind = arguments
        .parsed("kind", Kind::parse)?
        .ok_or_else(|| ToolError::argument("kind", "is missing"))?;
    let mut scope = call.scope(arguments)?;
    let mut sources = Vec::new();
    for source in arguments.objects("sources")? {
        sources.push(artifact(source)?);
    }
    let has_evidence = !sources.is_empty();
    // The conversation is provenance, not a narrowing: the claim holds beyond it.
    sources.extend(scope.session.take().map(SourceRef::Session));
    let proposal = Proposal {
        claim,
        kind,
        sources,
        // Better trust than a model's own words comes only from evidence, which is checked by hash.
        declared_trust: (!has_evidence).then_some(Trust::Model),
        scope,
        expires_at: arguments.parsed("expires_at", Time::parse)?,
        confidence: arguments.share("confidence")?,
        proposer: call.proposer()?,
        forbidden_fields: Vec::new(),
        key: None,
    };
    let answer = call.desk.propose_in(proposal, call.trace)?;
    let standing = call.desk.proposal_standing(answer.id)?;
    let mut out = Map::new();
    out.insert("candidate_id".to_owned(), json!(answer.id));
    out.insert("state".to_owned(), json!(state(standing.state)));
    if !answer.status.is_new() {
        out.insert("linked_to".to_owned(), json!(answer.id));
    }
    Ok(Value::Object(out))
}

fn artifact(mut source: Arguments) -> Result<SourceRef, ToolError> {
    let sha256 = source
        .parsed("artifact", Digest::parse)?
        .ok_or_else(|| ToolError::argument("sources.artifact", "is missing"))?;
    let (start, end) = (source.number("start")?, source.number("end")?);
    source.nothing_else("sources")?;
    let span = match (start, end) {
        (None, None) => None,
        (start, Some(end)) if start.unwrap_or(0) < end => Some(Span {
            start: start.unwrap_or(0),
            end,
        }),
        _ => {
            return Err(ToolError::argument(
                "sources",
                "needs an `end` that lies behind its `start`",
            ));
        }
    };
    Ok(SourceRef::Artifact { sha256, span })
}
