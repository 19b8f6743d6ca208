//! A claim that contradicts an immutable statement of the policy.

use crate::domain::{Class, Finding, Severity, Span};
use crate::gate::rules::{Answer, Case, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "policy_conflict",
    why: "what the policy states is changed in the policy, never by a memory",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    let statements = case.policy.statements(&case.facts.scope.layer);
    let view = &case.reading.folded;
    let mut out = Vec::new();
    for statement in statements {
        let Some((at, why)) = statement.contradicted(&view.text) else {
            continue;
        };
        let raw = view.raw(view.on_characters(at));
        let stated = crate::text::line::line(&statement.text);
        out.push(Finding {
            rule: RULE.id.to_owned(),
            class: Class::PolicyConflict,
            severity: Severity::Quarantine,
            span: Some(Span {
                start: raw.start,
                end: raw.end,
            }),
            view: "folded".to_owned(),
            field: None,
            decoded: None,
            message: format!(
                "{why}: `{stated}`; propose what agrees with it, or have the policy changed"
            ),
        });
    }
    Ok(out)
}
