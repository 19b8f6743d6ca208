//! Runs the case files of `tests/cases/gate`: each row a claim and the verdict it must get.

use crate::domain::pattern::Support;
use crate::domain::{Kind, Scope, SourceRef, Time, Trust};
use crate::gate::case_file::{SHIPPED, read};
use crate::gate::facts::{Facts, SourceFact, Standing};
use crate::gate::policy::Policy;

pub(crate) fn held(trust: Trust, text: Option<&str>) -> SourceFact {
    let digest = "ab".repeat(32);
    SourceFact {
        reference: SourceRef::parse(&format!("artifact:{digest}")).unwrap(),
        trust,
        standing: Standing::Held,
        text: text.map(str::to_owned),
    }
}

pub(crate) fn acme() -> Scope {
    Scope::of(crate::domain::Layer::parse("acme/emea").unwrap())
}

/// Facts of an ordinary claim, to be varied.
pub(crate) fn facts<'a>(text: &'a str, sources: &'a [SourceFact], scope: &'a Scope) -> Facts<'a> {
    Facts {
        text,
        kind: Kind::ObservedFact,
        sources,
        declared_trust: None,
        scope,
        proposer_layer: None,
        expires_at: None,
        now: Time::from_millis(1_800_000_000_000),
        confidence: None,
        forbidden_fields: &[],
        claims: 1,
        support: Support::default(),
        other_tenants: &[],
        receipt: false,
        evidence: None,
    }
}

#[test]
fn every_case_gets_the_verdict_it_must() {
    let policy = Policy::shipped().unwrap();
    let mut surprises = Vec::new();
    let mut cases = 0;
    for (name, text) in SHIPPED {
        let file = read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        cases += file.len();
        for case in &file {
            surprises.extend(
                case.surprise(&policy)
                    .map(|why| format!("{}: {why}\n  {}", case.id, case.text)),
            );
        }
    }
    assert!(cases > 60, "{cases}");
    let listed = surprises.join("\n");
    assert!(
        surprises.is_empty(),
        "{} of {cases}:\n{listed}",
        surprises.len()
    );
}
