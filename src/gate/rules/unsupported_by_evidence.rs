//! The claim beside its own sources: they say otherwise, less, or nothing of it.
//!
//! What the sources make of the claim is a fact of the case; what that weighs is decided here. A
//! person's words in question are left to the rule on attribution, so that one rule decides.

use crate::domain::{Backing, Class, Finding, Influence, Kind, Severity, Span, Weighed};
use crate::gate::rules::{Answer, Case, Rule, attribution_without_message};

pub(crate) const RULE: Rule = Rule {
    id: "unsupported_by_evidence",
    why: "a claim says what its sources say, and no more than they do",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    let Some(weighed) = case.facts.evidence else {
        return Ok(Vec::new());
    };
    let severity = match weighed.backing {
        Backing::Supported => return Ok(Vec::new()),
        Backing::Contradicted => Severity::Quarantine,
        Backing::Overstated => Severity::Advisory,
        Backing::Unsupported => unsupported(case),
    };
    let attributed = weighed.backing == Backing::Unsupported
        && !(attribution_without_message::RULE.check)(case)?.is_empty();
    if attributed {
        return Ok(Vec::new());
    }
    Ok(vec![Finding {
        rule: RULE.id.to_owned(),
        class: Class::Structure,
        severity,
        span: span(case.facts.text, weighed),
        view: "raw".to_owned(),
        field: Some("source_refs".to_owned()),
        decoded: None,
        message: message(weighed),
    }])
}

/// An inference is not expected to be said; a plan or an action without words behind it weighs
/// what the policy says.
fn unsupported(case: &Case<'_>) -> Severity {
    let weights = case.policy.structure();
    match case.influence {
        Influence::Style | Influence::Answer if case.facts.kind == Kind::Inference => {
            Severity::Info
        }
        Influence::Style | Influence::Answer => Severity::Advisory,
        Influence::Plan => weights.unsupported_plan,
        Influence::Action | Influence::Authority => weights.unsupported_action,
    }
}

/// The first of the words in question, if they are words of the claim.
fn span(text: &str, weighed: &Weighed) -> Option<Span> {
    let span = weighed.words.first().copied()?;
    text.get(span.range()).map(|_| span)
}

fn message(weighed: &Weighed) -> String {
    let said = weighed
        .said
        .as_deref()
        .map_or(String::new(), |said| format!(": \"{said}\""));
    let why = &weighed.because;
    let limits = weighed
        .limits()
        .map_or(String::new(), |limits| format!("; {limits}"));
    match weighed.backing {
        Backing::Contradicted => format!(
            "a source says otherwise{said} ({why}); correct the claim, or name newer or better evidence{limits}"
        ),
        Backing::Overstated => format!(
            "the claim says more than its sources{said} ({why}); say no more than they do, or name a source that says it all{limits}"
        ),
        Backing::Supported | Backing::Unsupported => format!(
            "the sources do not say these words ({why}); name the message that does, or leave them out{limits}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::{Backing, Influence, Severity, Span, Trust, Weighed};
    use crate::gate::cases::{acme, facts, held};
    use crate::gate::{Policy, judge};

    fn weighed(backing: Backing) -> Weighed {
        Weighed {
            backing,
            words: vec![Span { start: 0, end: 7 }],
            said: Some("We think about refunds.".to_owned()),
            because: "item 1: the source is not sure".to_owned(),
            cut: false,
            unread: 0,
        }
    }

    fn severity(text: &str, backing: Backing, policy: &Policy) -> (Option<Severity>, Influence) {
        let scope = acme();
        let sources = [held(Trust::Tool, None)];
        let weighed = weighed(backing);
        let mut facts = facts(text, &sources, &scope);
        facts.evidence = Some(&weighed);
        let found = judge(&facts, policy);
        let finding = found
            .findings
            .iter()
            .find(|finding| finding.rule == super::RULE.id);
        assert!(finding.is_none_or(|it| it.message.contains(" (item 1: the source is not sure)")));
        (finding.map(|it| it.severity), found.influence)
    }

    #[test]
    fn what_the_sources_deny_is_held_and_what_they_lack_is_shown() {
        let policy = Policy::shipped().unwrap();
        let text = "Refunds take five days.";
        let of = |backing| severity(text, backing, &policy).0;
        assert_eq!(of(Backing::Supported), None);
        assert_eq!(of(Backing::Overstated), Some(Severity::Advisory));
        assert_eq!(of(Backing::Unsupported), Some(Severity::Advisory));
        assert_eq!(of(Backing::Contradicted), Some(Severity::Quarantine));
    }

    #[test]
    fn an_action_that_no_source_names_is_held() {
        let policy = Policy::shipped().unwrap();
        let text = "Pay supplier Oak to account 4711-22-8890.";
        let (severity, influence) = severity(text, Backing::Unsupported, &policy);
        assert_eq!(influence, Influence::Action);
        assert_eq!(severity, Some(Severity::Quarantine));
    }
}
