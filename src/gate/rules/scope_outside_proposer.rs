//! A claim about a place its proposer has no business in.

use crate::domain::Severity;
use crate::gate::rules::{Answer, Case, Rule, about};

pub(crate) const RULE: Rule = Rule {
    id: "scope_outside_proposer",
    why: "a proposer may propose for its own layer and the layers below, nowhere else",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    let wanted = &case.facts.scope.layer;
    let outside = |bound: &&crate::domain::Layer| !bound.is_visible_from(wanted);
    let Some(bound) = case.facts.proposer_layer.filter(outside) else {
        return Ok(Vec::new());
    };
    let message = format!(
        "it is proposed for `{wanted}`, and its proposer is bound to `{bound}`; propose it there or below"
    );
    Ok(about(&RULE, "scope", Severity::Quarantine, message))
}
