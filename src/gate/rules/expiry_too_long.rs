//! A life longer than the influence allows. The judgement shortens it in any case.

use crate::gate::rules::{Answer, Case, Rule, about};

pub(crate) const RULE: Rule = Rule {
    id: "expiry_too_long",
    why: "the more a memory can cause, the sooner a person looks at it again",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    let days = case.policy.longest_life_days(case.influence);
    let longest = case.facts.now.plus_days(days);
    let Some(asked) = case.facts.expires_at.filter(|end| *end > longest) else {
        return Ok(Vec::new());
    };
    let message = format!(
        "it asks to live until {}, longer than the {days} days that `{}` allows; it is held to {}",
        asked.date(),
        case.influence,
        longest.date()
    );
    let severity = case.policy.structure().expiry_too_long;
    Ok(about(&RULE, "expires_at", severity, message))
}
