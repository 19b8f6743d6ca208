//! Provenance without evidence: nobody can read what the claim says it comes from.

use crate::gate::facts::Standing;
use crate::gate::rules::{Answer, Case, Rule, about};

pub(crate) const RULE: Rule = Rule {
    id: "unverified_source",
    why: "a claim is verified once an artifact or observations that can be read stand behind it",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    let sources = case.facts.sources;
    let readable = sources
        .iter()
        .any(|source| source.standing == Standing::Held);
    if readable || sources.is_empty() {
        return Ok(Vec::new());
    }
    let expired = sources
        .iter()
        .any(|source| source.standing == Standing::Expired);
    let message = if expired {
        "the evidence behind it has passed its retention and cannot be read any more; propose it again with a source that is held"
    } else {
        "it names where it was said but nothing that can be read; add an artifact or observations"
    };
    let severity = case.policy.structure().unverified_source;
    Ok(about(&RULE, "source_refs", severity, message.to_owned()))
}
