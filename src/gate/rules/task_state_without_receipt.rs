//! The state of a piece of work, on somebody's word.

use crate::domain::{Kind, Severity, Trust};
use crate::gate::rules::{Answer, Case, Rule, about};

pub(crate) const RULE: Rule = Rule {
    id: "task_state_without_receipt",
    why: "where work stands is told by a receipt of the system that does it",
    check,
};

/// Words that say something is over and done.
const DONE: &[&str] = &[
    "finished",
    "completed",
    "complete",
    "done",
    "deployed",
    "released",
    "merged",
    "passed",
    "resolved",
    "paid",
    "approved",
    "signed off",
    "already",
    "shipped",
    "live",
    "migrated",
    "succeeded",
    "green",
    "closed",
    "fixed",
    "confirmed",
];

fn check(case: &Case<'_>) -> Answer {
    if case.facts.kind != Kind::TaskState || case.facts.receipt && case.trust >= Trust::Tool {
        return Ok(Vec::new());
    }
    let weights = case.policy.structure();
    let words = &case.reading.folded.text;
    let done = case.trust < Trust::Tool && DONE.iter().any(|word| words.contains(word));
    let severity = if done {
        weights
            .task_done_without_receipt
            .max(weights.task_state_without_receipt)
    } else {
        weights.task_state_without_receipt
    };
    let message = "it says where work stands, and no receipt says so; propose it with the receipt of the system that did it";
    let found = about(&RULE, "kind", severity, message.to_owned());
    Ok(if severity == Severity::Info {
        Vec::new()
    } else {
        found
    })
}
