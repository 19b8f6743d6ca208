//! What a claim could cause asks for more than its sources can give.

use crate::domain::{Finding, Influence, Severity, Trust};
use crate::gate::rules::{Answer, Case, Rule, about};

pub(crate) const RULE: Rule = Rule {
    id: "trust_below_influence",
    why: "the more a claim can cause, the better its sources must be; a permission is never promoted",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    let (severity, needs) = match case.influence {
        Influence::Style => style(case),
        Influence::Answer => answer(case),
        Influence::Plan => plan(case),
        Influence::Action => action(case),
        Influence::Authority => Some((
            Severity::Quarantine,
            "nothing is enough for a permission: memory never authorises; record the event with its receipt instead",
        )),
    }
    .map_or((None, ""), |(severity, needs)| (Some(severity), needs));
    let object = |severity| -> Vec<Finding> {
        let message = format!(
            "it could cause `{}` and its trust is `{}`; {needs}",
            case.influence, case.trust
        );
        about(&RULE, "source_trust", severity, message)
    };
    Ok(severity.map(object).unwrap_or_default())
}

type Objection = Option<(Severity, &'static str)>;

fn style(case: &Case<'_>) -> Objection {
    (case.trust < Trust::AuthenticatedUser && case.trust != Trust::Tool).then_some((
        case.policy.structure().answer_from_one_page,
        "a preference needs the person's own words",
    ))
}

fn answer(case: &Case<'_>) -> Objection {
    let corroborated = case.trust == Trust::Web && case.independent_sources() >= 2;
    (case.trust < Trust::Tool && !corroborated).then_some((
        case.policy.structure().answer_from_one_page,
        "an answer needs two independent sources, or one of the system, a tool or a person",
    ))
}

fn plan(case: &Case<'_>) -> Objection {
    let weights = case.policy.structure();
    if case.trust < Trust::Tool {
        return Some((
            weights.plan_from_page_or_model.max(weights.plan_said_once),
            "a rule of work never comes from a page or a model alone: people have to say it",
        ));
    }
    let enough = case.trust == Trust::System || case.thresholds_met();
    (!enough).then_some((
        weights.plan_said_once,
        "a rule of work needs a pattern past the thresholds, or the system to say it",
    ))
}

fn action(case: &Case<'_>) -> Objection {
    let weights = case.policy.structure();
    if case.trust < Trust::Tool {
        return Some((
            weights
                .action_from_page_or_model
                .max(weights.action_without_receipt),
            "a target to act on needs system or receipt evidence, never a page or a model",
        ));
    }
    let proved = case.trust == Trust::System || case.facts.receipt;
    (!proved).then_some((
        weights.action_without_receipt,
        "a target to act on needs system or receipt evidence",
    ))
}
