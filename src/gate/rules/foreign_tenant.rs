//! Another tenant's name or identifier: equal after folding, as a whole word, never nearly.

use crate::domain::{Class, Finding, Severity, Span};
use crate::gate::rules::{Answer, Case, Rule};
use crate::gate::views::View;
use std::ops::Range;

pub(crate) const RULE: Rule = Rule {
    id: "foreign_tenant",
    why: "what belongs to another tenant has no place in this one's memory",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    let own = case.facts.scope.layer.tenant().to_lowercase();
    let mut out: Vec<Finding> = Vec::new();
    for name in case.facts.other_tenants {
        let name = crate::gate::fold::folded(name).text;
        if name.trim().is_empty() || name == own {
            continue;
        }
        for (_, view) in case.reading.seen() {
            let found = tokens_equal(view, &name);
            out.extend(found.map(|at| finding(view, at)));
        }
    }
    out.dedup_by(|a, b| a.span == b.span);
    Ok(out)
}

/// Where the name stands as a whole token. A name written as a plain word with a capital in the
/// middle of a sentence is still the name; a plain word that only begins like it is not.
fn tokens_equal(view: &View, name: &str) -> Option<Range<usize>> {
    let text = &view.text;
    let free = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let mut from = 0;
    while let Some(start) = text
        .get(from..)
        .and_then(|rest| rest.find(name))
        .map(|at| at + from)
    {
        let end = start + name.len();
        let before = text.get(..start).and_then(|head| head.chars().next_back());
        let after = text.get(end..).and_then(|rest| rest.chars().next());
        if free(before) && free(after) {
            return Some(start..end);
        }
        from = end;
    }
    None
}

fn finding(view: &View, at: Range<usize>) -> Finding {
    let raw = view.raw(at);
    Finding {
        rule: RULE.id.to_owned(),
        class: Class::ForeignTenant,
        severity: Severity::Quarantine,
        span: Some(Span {
            start: raw.start,
            end: raw.end,
        }),
        view: view.name.to_owned(),
        field: None,
        decoded: None,
        message: "it names another tenant; propose what concerns this tenant alone".to_owned(),
    }
}
