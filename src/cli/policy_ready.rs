//! `policy ready`: which classes that are only observed may be enforced, by what people decided.

use crate::cli::Answer;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::table::table;
use crate::desk::Readiness;
use serde_json::{Value, json};

pub(in crate::cli) fn run(context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    let list = desk.readiness()?;
    let rule = desk.policy().ready_rule();
    if context.json {
        for one in &list {
            context.say_json(&whole(one))?;
        }
        return Ok(Answer::Yes);
    }
    if list.is_empty() {
        context.say("no class is observed: all are enforced")?;
        return Ok(Answer::Yes);
    }
    let rows: Vec<Vec<String>> = list.iter().map(row).collect();
    table(
        context,
        &[
            "CLASS", "MODE", "SEEN", "HELD", "APPROVED", "REJECTED", "OPEN", "READY", "LOOK AT",
        ],
        &rows,
    )?;
    for one in &list {
        if let Some(why) = &one.why_not {
            context.say(&format!("{}: not ready: {why}", one.class))?;
        }
    }
    context.say(&format!(
        "ready: people decided on at least {} that would have been held, and let at most {} % of them through",
        rule.decided, rule.wrongly_held_percent
    ))?;
    Ok(Answer::Yes)
}

fn row(one: &Readiness) -> Vec<String> {
    let sample: Vec<String> = one.sample.iter().map(ToString::to_string).collect();
    vec![
        one.class.to_string(),
        mode(one).to_owned(),
        one.seen.to_string(),
        one.would_quarantine.to_string(),
        one.approved.to_string(),
        one.rejected.to_string(),
        one.undecided.to_string(),
        if one.ready { "yes" } else { "no" }.to_owned(),
        sample.join(" "),
    ]
}

const fn mode(one: &Readiness) -> &'static str {
    if one.enforced { "enforce" } else { "observe" }
}

fn whole(one: &Readiness) -> Value {
    json!({
        "class": one.class, "mode": mode(one), "seen": one.seen, "would_quarantine": one.would_quarantine,
        "approved": one.approved, "rejected": one.rejected, "undecided": one.undecided,
        "sample": one.sample, "ready": one.ready, "why_not": one.why_not,
    })
}
