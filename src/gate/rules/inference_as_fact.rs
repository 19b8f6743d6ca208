//! A model's own words, presented as something seen.

use crate::domain::{Kind, Trust};
use crate::gate::rules::{Answer, Case, Rule, about};

pub(crate) const RULE: Rule = Rule {
    id: "inference_as_fact",
    why: "what a model concluded is an inference until a source that saw it says so",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    let fact = case.facts.kind != Kind::Inference;
    if !fact || case.trust != Trust::Model {
        return Ok(Vec::new());
    }
    let message = format!(
        "a model's words are presented as `{}`; propose it as `inference`, or with a source that saw it",
        case.facts.kind
    );
    let severity = case.policy.structure().inference_as_fact;
    Ok(about(&RULE, "kind", severity, message))
}
