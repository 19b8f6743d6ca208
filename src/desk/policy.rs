//! Changing the policy, watching another beside it, and what observed classes would have held.
//!
//! Putting a policy in force or beside it is a decision: a person, what they saw, one entry. What
//! stands in the queue keeps the verdict it was given; approving asks the policy in force again.

use crate::desk::backtest::{Score, decisive, people_said_bad};
use crate::desk::presence::Presence;
use crate::desk::queue::proposal_of;
use crate::desk::source::Sources;
use crate::desk::{Desk, DeskError};
use crate::domain::candidate::{Candidate, CandidateState, Proposal};
use crate::domain::{Act, CandidateId, Class, Digest, EntrySeq, Finding, Severity, Verdict};
use crate::gate::{Judgement, Mode, Policy};
use crate::store::policy::{NewPolicy, ShadowSaid};

/// How many candidates a report names to look at.
const SAMPLE: usize = 10;

/// One new candidate on which the shadow and the policy in force disagreed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShadowFlip {
    /// The candidate.
    pub candidate: CandidateId,
    /// Its claim, as it may be shown.
    pub claim: String,
    /// What the policy in force said.
    pub incumbent: Verdict,
    /// What the shadow said.
    pub shadow: Verdict,
    /// What people decided since, if they did.
    pub decided: Option<Act>,
    /// The rule that makes the difference.
    pub rule: String,
}

/// What a shadow has said so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShadowReport {
    /// The hash of its text.
    pub shadow: Digest,
    /// What it calls itself; why it cannot be read, where it cannot.
    pub name: Result<String, String>,
    /// Candidates on which it answered.
    pub judged: u64,
    /// Candidates on which it could not answer, and why.
    pub failed: Vec<(CandidateId, String)>,
    /// Those on which it disagreed.
    pub flips: Vec<ShadowFlip>,
    /// The policy in force against people's decisions.
    pub incumbent: Score,
    /// The shadow against people's decisions.
    pub challenger: Score,
}

/// What a class would have held while it was only observed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readiness {
    /// The class.
    pub class: Class,
    /// Whether it is enforced by now.
    pub enforced: bool,
    /// Candidates it objected to.
    pub seen: u64,
    /// Of these, those it would have quarantined.
    pub would_quarantine: u64,
    /// Of those, what people let through.
    pub approved: u64,
    /// Of those, what people turned down.
    pub rejected: u64,
    /// Of those, what nobody decided.
    pub undecided: u64,
    /// Candidates to look at, those that people let through first.
    pub sample: Vec<CandidateId>,
    /// Whether it may be enforced, by the policy's own rule.
    pub ready: bool,
    /// Why not.
    pub why_not: Option<String>,
}

impl Desk {
    /// Puts a policy in force, for every process that has the store open.
    ///
    /// # Errors
    /// The text is no policy, another is in force than the one compared with, or it cannot be written.
    pub fn apply_policy(
        &self,
        presence: &Presence,
        text: &str,
        compared: &Digest,
    ) -> Result<EntrySeq, DeskError> {
        self.may(presence, Act::Policy)?;
        let mut new = self.new_policy(presence, Some(text), *compared)?;
        if new.text.as_deref().map(|text| Digest::of(text.as_bytes())) == Some(*compared) {
            return Err(DeskError::NotPossible(
                "that policy is in force already".to_owned(),
            ));
        }
        new.signed = self.sign(presence, || Ok(self.store.draft_policy(&new)?), Act::Policy)?;
        let entry = self.store.set_policy(new)?.ok_or_else(changed)?;
        self.in_force()?;
        Ok(entry)
    }

    /// Sets a policy beside the one in force, or takes it away. It has no effect on any candidate.
    ///
    /// # Errors
    /// The text is no policy, or it cannot be written.
    pub fn set_shadow(
        &self,
        presence: &Presence,
        text: Option<&str>,
    ) -> Result<EntrySeq, DeskError> {
        self.may(presence, Act::Policy)?;
        if text.is_none() && self.store.shadow()?.is_none() {
            return Err(DeskError::NotPossible(
                "there is no shadow policy to take away".to_owned(),
            ));
        }
        let mut new = self.new_policy(presence, text, self.store.policy_hash()?)?;
        new.signed = self.sign(presence, || Ok(self.store.draft_shadow(&new)?), Act::Policy)?;
        self.store.set_shadow(new)?.ok_or_else(changed)
    }

    /// What the shadow has said so far, if there is one.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn shadow_report(&self) -> Result<Option<ShadowReport>, DeskError> {
        let Some((text, shadow)) = self.store.shadow()? else {
            return Ok(None);
        };
        let mut report = ShadowReport {
            shadow,
            name: read(&text, &shadow).map(|policy| policy.name().to_owned()),
            judged: 0,
            failed: Vec::new(),
            flips: Vec::new(),
            incumbent: Score::default(),
            challenger: Score::default(),
        };
        for (candidate, said) in self.store.shadow_said(&shadow)? {
            let Some(verdict) = said.verdict else {
                report.failed.push((candidate.id, said.rule));
                continue;
            };
            report.judged += 1;
            if let Some(bad) = people_said_bad(&candidate) {
                report.incumbent.count(candidate.verdict, bad);
                report.challenger.count(verdict, bad);
            }
            if candidate.verdict != verdict {
                report.flips.push(ShadowFlip {
                    candidate: candidate.id,
                    claim: self.shown(&candidate.claim).text,
                    incumbent: candidate.verdict,
                    shadow: verdict,
                    decided: candidate.outcome.as_ref().map(|outcome| outcome.act),
                    rule: said.rule,
                });
            }
        }
        Ok(Some(report))
    }

    /// What each class would have held while it was only observed, and whether it may be enforced.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn readiness(&self) -> Result<Vec<Readiness>, DeskError> {
        let policy = self.in_force()?;
        let mut list = Vec::new();
        for class in Class::ALL {
            let seen = self.store.observed(*class)?;
            let enforced = policy.mode(*class) == Mode::Enforce;
            if !enforced || !seen.is_empty() {
                list.push(readiness(*class, enforced, &seen, &policy));
            }
        }
        Ok(list)
    }

    /// Why the policy in force holds a candidate that waits, if it does: what was let through
    /// under another policy is not approvable under this one.
    pub(in crate::desk) fn why_held_now(
        &self,
        candidate: &Candidate,
        sources: &Sources,
    ) -> Result<Option<String>, DeskError> {
        if candidate.state != CandidateState::Pending {
            return Ok(None);
        }
        let policy = self.in_force()?;
        let proposal = proposal_of(candidate);
        let at = candidate.proposed_at;
        let now = self.judge_under(&policy, &proposal, &candidate.claim, sources, at)?;
        let known = |finding: &Finding| {
            let same =
                |one: &Finding| one.rule == finding.rule && one.severity == Severity::Quarantine;
            candidate.findings.iter().any(same)
        };
        // What was released from quarantine was released in sight of the objections it had.
        let objection = now
            .findings
            .iter()
            .find(|finding| finding.severity == Severity::Quarantine && !known(finding));
        Ok(objection.map(|finding| {
            format!(
                "the policy in force now quarantines it: {} ({}); edit it, or reject it",
                finding.message, finding.rule
            )
        }))
    }

    /// What the shadow says of a new candidate. Whatever it says changes nothing.
    pub(in crate::desk) fn shadow_says(
        &self,
        proposal: &Proposal,
        sources: &Sources,
        incumbent: &Judgement,
    ) -> Result<Option<ShadowSaid>, DeskError> {
        let Some((text, shadow)) = self.store.shadow()? else {
            return Ok(None);
        };
        let judged = read(&text, &shadow).and_then(|policy| {
            self.judge_under(&policy, proposal, &proposal.claim, sources, self.now())
                .map_err(|error| error.to_string())
        });
        Ok(Some(match judged {
            Ok(said) => {
                let (own, other) = (&said.findings, &incumbent.findings);
                let rule = if said.verdict > incumbent.verdict {
                    decisive(own, other)
                } else {
                    decisive(other, own)
                };
                ShadowSaid {
                    shadow,
                    verdict: Some(said.verdict),
                    rule: rule.unwrap_or_default(),
                }
            }
            Err(why) => ShadowSaid {
                shadow,
                verdict: None,
                rule: why,
            },
        }))
    }

    fn new_policy(
        &self,
        presence: &Presence,
        text: Option<&str>,
        before: Digest,
    ) -> Result<NewPolicy, DeskError> {
        let policy = text.map(Policy::parse).transpose();
        let policy = policy.map_err(|error| DeskError::BadInput {
            what: error.to_string(),
            hint: "mend it and look with `countersign policy check FILE`".to_owned(),
        })?;
        Ok(NewPolicy {
            before,
            text: text.map(str::to_owned),
            hash: policy.map_or(Digest::ZERO, |policy| policy.hash()),
            hand: presence.hand().clone(),
            at: self.now(),
            signed: None,
        })
    }
}

/// Reads a shadow's text, which must be the one that was entered.
fn read(text: &str, entered: &Digest) -> Result<Policy, String> {
    if Digest::of(text.as_bytes()) != *entered {
        return Err("the shadow's text is not the one that was entered".to_owned());
    }
    Policy::parse(text).map_err(|error| error.to_string())
}

fn changed() -> DeskError {
    DeskError::NotPossible(
        "another policy was put in force meanwhile; look at the difference again".to_owned(),
    )
}

fn readiness(
    class: Class,
    enforced: bool,
    seen: &[(Candidate, Severity)],
    policy: &Policy,
) -> Readiness {
    let rule = policy.ready_rule();
    let (mut let_through, mut turned_down, mut open) = (Vec::new(), Vec::new(), Vec::new());
    let held = seen
        .iter()
        .filter(|(_, severity)| *severity == Severity::Quarantine);
    for (candidate, _) in held {
        let by_policy = candidate
            .outcome
            .as_ref()
            .is_some_and(|outcome| outcome.act == Act::Auto);
        match candidate.state {
            CandidateState::Approved if !by_policy => let_through.push(candidate.id),
            CandidateState::Rejected => turned_down.push(candidate.id),
            _ => open.push(candidate.id),
        }
    }
    let count = |list: &Vec<CandidateId>| list.len() as u64;
    let (approved, rejected, undecided) = (count(&let_through), count(&turned_down), count(&open));
    let decided = approved.saturating_add(rejected);
    let why_not = if decided < rule.decided {
        Some(format!(
            "people have decided on {decided} of the {} it takes",
            rule.decided
        ))
    } else if approved.saturating_mul(100) > decided.saturating_mul(rule.wrongly_held_percent) {
        Some(format!(
            "people let {approved} of {decided} through, more than {} %",
            rule.wrongly_held_percent
        ))
    } else {
        None
    };
    let sample = let_through.into_iter().chain(open).chain(turned_down);
    Readiness {
        class,
        enforced,
        seen: seen.len() as u64,
        would_quarantine: decided.saturating_add(undecided),
        approved,
        rejected,
        undecided,
        sample: sample.take(SAMPLE).collect(),
        ready: why_not.is_none(),
        why_not,
    }
}
