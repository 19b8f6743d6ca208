//! Text too long to be one claim, or to be read in time.

use crate::domain::Severity;
use crate::gate::rules::{Answer, Case, Rule, about};

pub(crate) const RULE: Rule = Rule {
    id: "over_long_text",
    why: "a claim is one statement; what is too long to read is held unread",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    let (bytes, most) = (case.facts.text.len(), case.policy.longest_bytes());
    if bytes <= most {
        return Ok(Vec::new());
    }
    let message =
        format!("it has {bytes} bytes, more than the {most} the gate reads; propose single claims");
    Ok(about(&RULE, "claim", Severity::Quarantine, message))
}
