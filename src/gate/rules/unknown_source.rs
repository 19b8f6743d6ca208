//! A source that is not there, is not what it was, or does not reach that far.

use crate::domain::Severity;
use crate::gate::facts::Standing;
use crate::gate::rules::{Answer, Case, Rule, about};

pub(crate) const RULE: Rule = Rule {
    id: "unknown_source",
    why: "a source must exist with the hash and the range that the claim names",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    let object = |source: &crate::gate::facts::SourceFact| {
        let why = match source.standing {
            Standing::Missing => "is not known here, or its hash differs",
            Standing::SpanOutside => "does not reach that far",
            Standing::Held | Standing::Expired | Standing::Declared => return Vec::new(),
        };
        let message = format!(
            "the source {} {why}; ingest it first, or name the right one",
            source.reference
        );
        about(&RULE, "source_refs", Severity::Quarantine, message)
    };
    Ok(case.facts.sources.iter().flat_map(object).collect())
}
