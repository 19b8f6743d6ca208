//! A claim that comes from nowhere.

use crate::domain::Severity;
use crate::gate::rules::{Answer, Case, Rule, about};

pub(crate) const RULE: Rule = Rule {
    id: "missing_source_ref",
    why: "a claim without a source cannot be checked by anybody",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    if !case.facts.sources.is_empty() {
        return Ok(Vec::new());
    }
    let message = "it names no source; propose it again with the artifact, session or observation it comes from";
    Ok(about(
        &RULE,
        "source_refs",
        Severity::Quarantine,
        message.to_owned(),
    ))
}
