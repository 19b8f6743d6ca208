//! A confidence that is no share of one.

use crate::domain::Severity;
use crate::gate::rules::{Answer, Case, Rule, about};

pub(crate) const RULE: Rule = Rule {
    id: "confidence_out_of_range",
    why: "a confidence lies between 0 and 1; it is the proposer's own and never weighs anything",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    let Some(confidence) = case.facts.confidence.filter(|c| !(0.0..=1.0).contains(c)) else {
        return Ok(Vec::new());
    };
    let message = format!(
        "the confidence {confidence} does not lie between 0 and 1; leave it out or put it right"
    );
    Ok(about(&RULE, "confidence", Severity::Advisory, message))
}
