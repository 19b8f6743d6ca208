//! `detect patterns`: the groups the detector has made, best supported first.

use crate::cli::Answer;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::table::table;
use crate::desk::Desk;
use serde_json::json;

/// How many groups are listed for a person; a program gets them all.
const LISTED: usize = 1000;

pub(in crate::cli) fn run(desk: &Desk, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let patterns = desk.patterns(if context.json { usize::MAX } else { LISTED })?;
    if context.json {
        for (pattern, wordings) in &patterns {
            context.say_json(&json!({
                "pattern": pattern.id,
                "claim": pattern.claim,
                "layer": pattern.layer,
                "users": pattern.support.users,
                "sessions": pattern.support.sessions,
                "days": pattern.support.days,
                "observations": pattern.observations,
                "trust": pattern.trust,
                "last_at": pattern.last_at,
                "wordings": wordings,
                "state": pattern.state,
                "candidate": pattern.candidate,
            }))?;
        }
        return Ok(Answer::Yes);
    }
    let rows: Vec<Vec<String>> = patterns
        .iter()
        .map(|(pattern, _)| {
            let support = pattern.support;
            vec![
                pattern.id.to_string(),
                pattern.layer.to_string(),
                pattern.state.to_string(),
                support.users.to_string(),
                support.sessions.to_string(),
                support.days.to_string(),
                pattern.claim.clone(),
            ]
        })
        .collect();
    table(
        context,
        &[
            "PATTERN", "LAYER", "STATE", "USERS", "SESSIONS", "DAYS", "CLAIM",
        ],
        &rows,
    )?;
    Ok(Answer::Yes)
}
