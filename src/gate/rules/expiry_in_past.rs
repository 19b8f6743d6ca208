//! A claim that ended before it began.

use crate::domain::Severity;
use crate::gate::rules::{Answer, Case, Rule, about};

pub(crate) const RULE: Rule = Rule {
    id: "expiry_in_past",
    why: "a memory that has ended already can serve nobody; propose it with an expiry ahead",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    let Some(ended) = case.facts.expires_at.filter(|end| *end <= case.facts.now) else {
        return Ok(Vec::new());
    };
    let message =
        format!("it ended at {ended}, before it was proposed; propose it with an expiry ahead");
    Ok(about(&RULE, "expires_at", Severity::Quarantine, message))
}
