//! Runs the case files of `tests/cases/gate`: each row a claim and the verdict it must get.

use crate::domain::pattern::Support;
use crate::domain::{Kind, Scope, SourceRef, Time, Trust, Verdict};
use crate::gate::facts::{Facts, Judgement, SourceFact, Standing};
use crate::gate::judge::judge;
use crate::gate::policy::Policy;

/// Every case file, by name. A new one is one file and one line here.
const FILES: &[(&str, &str)] = &[
    ("known", include_str!("../../tests/cases/gate/known.toml")),
    (
        "ordinary",
        include_str!("../../tests/cases/gate/ordinary.toml"),
    ),
    ("pairs", include_str!("../../tests/cases/gate/pairs.toml")),
    (
        "regression",
        include_str!("../../tests/cases/gate/regression.toml"),
    ),
    ("missed", include_str!("../../tests/cases/gate/missed.toml")),
];

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    text: String,
    verdict: Verdict,
    #[serde(default = "fact")]
    kind: Kind,
    #[serde(default = "person")]
    trust: Trust,
    #[serde(default)]
    receipt: bool,
    #[serde(default)]
    tenants: Vec<String>,
    influence: Option<crate::domain::Influence>,
    /// Statements of the policy.
    #[serde(default)]
    statements: Vec<String>,
    /// Rules that must object.
    #[serde(default)]
    rules: Vec<String>,
    /// The view the first of them matched in.
    view: Option<String>,
    /// The raw text under its span.
    span: Option<String>,
    /// Text of the evidence, where the case needs it.
    evidence: Option<String>,
}

const fn fact() -> Kind {
    Kind::ObservedFact
}

const fn person() -> Trust {
    Trust::AuthenticatedUser
}

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
        support: Support::default(),
        other_tenants: &[],
        receipt: false,
    }
}

fn judged(case: &Case, policy: &Policy) -> Judgement {
    let sources = [held(case.trust, case.evidence.as_deref())];
    let scope = acme();
    let mut facts = facts(&case.text, &sources, &scope);
    facts.kind = case.kind;
    facts.receipt = case.receipt;
    facts.other_tenants = &case.tenants;
    let statements: Vec<&str> = case.statements.iter().map(String::as_str).collect();
    judge(&facts, &policy.with_statements(&statements).unwrap())
}

/// What is wrong with the answer to one case.
fn surprise(case: &Case, policy: &Policy) -> Option<String> {
    let found = judged(case, policy);
    let shown: Vec<_> = found
        .findings
        .iter()
        .map(|f| format!("{} {} {:?} {}", f.severity, f.rule, f.span, f.view))
        .collect();
    let wrong = |what: String| {
        Some(format!(
            "{}: {what}\n  {}\n  {shown:#?}",
            case.id, case.text
        ))
    };
    if found.verdict != case.verdict {
        return wrong(format!("{} instead of {}", found.verdict, case.verdict));
    }
    if case
        .influence
        .is_some_and(|influence| influence != found.influence)
    {
        return wrong(format!(
            "influence {}: {}",
            found.influence, found.influence_why
        ));
    }
    let named = |rule: &String| found.findings.iter().find(|finding| finding.rule == *rule);
    if let Some(missing) = case.rules.iter().find(|rule| named(rule).is_none()) {
        return wrong(format!("`{missing}` does not object"));
    }
    let first = case.rules.first().and_then(named);
    let view = first.map(|finding| finding.view.clone());
    if case.view.is_some() && case.view != view {
        return wrong(format!("view {view:?}"));
    }
    let span = first.and_then(|finding| finding.span);
    let text = span
        .and_then(|span| case.text.get(span.range()))
        .map(str::to_owned);
    if case.span.is_some() && case.span != text {
        return wrong(format!("span {text:?}"));
    }
    None
}

#[test]
fn every_case_gets_the_verdict_it_must() {
    let policy = Policy::shipped().unwrap();
    let mut surprises = Vec::new();
    let mut cases = 0;
    for (name, text) in FILES {
        let file: File = toml::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        cases += file.case.len();
        surprises.extend(file.case.iter().filter_map(|case| surprise(case, &policy)));
    }
    assert!(cases > 60, "{cases}");
    assert!(
        surprises.is_empty(),
        "{} of {cases}:\n{}",
        surprises.len(),
        surprises.join("\n")
    );
}
