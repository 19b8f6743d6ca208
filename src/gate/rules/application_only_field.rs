//! Fields that only this application may set were set by the proposer.

use crate::domain::Severity;
use crate::gate::rules::{Answer, Case, Rule, about};

pub(crate) const RULE: Rule = Rule {
    id: "application_only_field",
    why: "ids, states, approvals and influence are set by this application, never by a proposer",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    let fields = case.facts.forbidden_fields;
    if fields.is_empty() {
        return Ok(Vec::new());
    }
    let names: Vec<String> = fields
        .iter()
        .map(|name| crate::text::line::line(name))
        .collect();
    let message = format!(
        "the proposer set `{}`, which only this application may set; propose again without it",
        names.join("`, `")
    );
    Ok(about(&RULE, "fields", Severity::Quarantine, message))
}
