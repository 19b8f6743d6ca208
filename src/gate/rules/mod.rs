//! Rules in code: what words cannot say. One file each, and its line here.
//!
//! A rule can only object. One that cannot answer holds the candidate, with its own reason.

use crate::domain::{Finding, Influence, Severity, Trust};
use crate::gate::facts::{Facts, Standing};
use crate::gate::policy::Policy;
use crate::gate::views::Reading;

mod application_only_field;
mod attribution_without_message;
mod confidence_out_of_range;
mod expiry_in_past;
mod expiry_too_long;
mod foreign_tenant;
mod inference_as_fact;
mod invisible_text;
mod missing_source_ref;
mod mixed_alphabet;
mod more_than_one_claim;
mod over_long_text;
mod policy_conflict;
mod scope_outside_proposer;
mod task_state_without_receipt;
mod trust_below_influence;
mod unknown_source;
mod unsupported_by_evidence;
mod unverified_source;

/// What a rule is asked with.
#[derive(Debug)]
pub(crate) struct Case<'a> {
    pub(crate) facts: &'a Facts<'a>,
    pub(crate) policy: &'a Policy,
    pub(crate) reading: &'a Reading,
    pub(crate) trust: Trust,
    pub(crate) influence: Influence,
}

/// Why a rule could not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NoAnswer(pub(crate) String);

/// What a rule answers.
pub(crate) type Answer = Result<Vec<Finding>, NoAnswer>;

/// A rule in code.
#[derive(Debug)]
pub struct Rule {
    /// What it flags.
    pub id: &'static str,
    /// What it asks for, in one sentence.
    pub why: &'static str,
    pub(crate) check: fn(&Case<'_>) -> Answer,
}

/// Every rule in code.
pub const ALL: &[&Rule] = &[
    &application_only_field::RULE,
    &attribution_without_message::RULE,
    &confidence_out_of_range::RULE,
    &expiry_in_past::RULE,
    &expiry_too_long::RULE,
    &foreign_tenant::RULE,
    &inference_as_fact::RULE,
    &invisible_text::RULE,
    &missing_source_ref::RULE,
    &mixed_alphabet::RULE,
    &more_than_one_claim::RULE,
    &over_long_text::RULE,
    &policy_conflict::RULE,
    &scope_outside_proposer::RULE,
    &task_state_without_receipt::RULE,
    &trust_below_influence::RULE,
    &unknown_source::RULE,
    &unsupported_by_evidence::RULE,
    &unverified_source::RULE,
];

impl Case<'_> {
    /// How many sources stand on their own: held evidence by its bytes, and a pattern by the
    /// people behind it. A session says where, not what.
    pub(crate) fn independent_sources(&self) -> usize {
        let mut held: Vec<String> = self
            .facts
            .sources
            .iter()
            .filter(|source| source.standing == Standing::Held)
            .map(|source| match &source.reference {
                crate::domain::SourceRef::Artifact { sha256, .. } => sha256.to_string(),
                other => other.to_string(),
            })
            .collect();
        held.sort();
        held.dedup();
        let people = usize::try_from(self.facts.support.users).unwrap_or(usize::MAX);
        held.len().max(if people > 2 { people } else { 0 })
    }

    /// Whether a pattern stands behind the claim that passed the thresholds.
    pub(crate) fn thresholds_met(&self) -> bool {
        let (support, needed) = (self.facts.support, self.policy.thresholds());
        support.users >= needed.users
            && support.sessions >= needed.sessions
            && support.days >= needed.days
    }
}

/// One objection about a field, or none.
pub(crate) fn about(rule: &Rule, field: &str, severity: Severity, message: String) -> Vec<Finding> {
    vec![Finding::about(field, rule.id, severity, message)]
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn rules_stand_in_order_and_say_what_they_ask() {
        assert!(ALL.is_sorted_by_key(|rule| rule.id));
        for rule in ALL {
            assert!(rule.why.len() > 20, "{}", rule.id);
        }
    }
}
