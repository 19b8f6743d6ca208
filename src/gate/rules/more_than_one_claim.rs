//! Several claims in one: each would be decided with the others' evidence.

use crate::domain::Severity;
use crate::gate::rules::{Answer, Case, Rule, about};

pub(crate) const RULE: Rule = Rule {
    id: "more_than_one_claim",
    why: "a candidate is one claim, so that its evidence, influence and life are its own",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    let claims = case.facts.claims;
    if claims < 2 {
        return Ok(Vec::new());
    }
    let message =
        format!("it holds {claims} claims; propose them one by one, each with its own source");
    Ok(about(&RULE, "text", Severity::Advisory, message))
}
