//! What another policy would have said: every stored candidate judged again, nothing written.
//!
//! The incumbent always stands beside the challenger, every flip is listed, and both are scored
//! against what people decided.

use crate::desk::queue::proposal_of;
use crate::desk::{Desk, DeskError};
use crate::domain::candidate::{Candidate, CandidateState};
use crate::domain::{Act, CandidateId, Finding, Verdict};
use crate::gate::{Policy, Standing};

/// How many candidates are fetched at a time.
const PAGE: usize = 500;

/// One candidate on which the two policies disagree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flip {
    /// The candidate.
    pub candidate: CandidateId,
    /// Its claim, as it may be shown.
    pub claim: String,
    /// What the policy in force says.
    pub incumbent: Verdict,
    /// What the other one says.
    pub challenger: Verdict,
    /// What people decided, if they did.
    pub decided: Option<Act>,
    /// The rule that makes the difference.
    pub rule: Option<String>,
}

/// How a policy's quarantine compares with what people decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Score {
    /// Quarantined, and people turned it down.
    pub caught: u64,
    /// Quarantined, and people let it through.
    pub wrongly_held: u64,
    /// Let through, and people confirmed it as bad or turned it down as unsafe.
    pub missed: u64,
    /// Let through, as people did.
    pub rightly_passed: u64,
}

/// What a backtest found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Backtest {
    /// Candidates judged again.
    pub replayed: u64,
    /// Those on which the policies disagree.
    pub flips: Vec<Flip>,
    /// Candidates that could not be judged as they were, and why.
    pub not_replayed: Vec<(CandidateId, &'static str)>,
    /// The policy in force against people's decisions.
    pub incumbent: Score,
    /// The other policy against people's decisions.
    pub challenger: Score,
}

impl Score {
    /// Of what it quarantines, the share that people turned down, in percent.
    #[must_use]
    pub fn precision(&self) -> Option<u64> {
        percent(self.caught, self.caught + self.wrongly_held)
    }

    /// Of what people turned down as bad, the share that it quarantines, in percent.
    #[must_use]
    pub fn recall(&self) -> Option<u64> {
        percent(self.caught, self.caught + self.missed)
    }

    pub(in crate::desk) fn count(&mut self, verdict: Verdict, bad: bool) {
        let slot = match (verdict == Verdict::Quarantine, bad) {
            (true, true) => &mut self.caught,
            (true, false) => &mut self.wrongly_held,
            (false, true) => &mut self.missed,
            (false, false) => &mut self.rightly_passed,
        };
        *slot += 1;
    }
}

impl Desk {
    /// Judges every stored candidate under another policy. Writes nothing.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn backtest(&self, challenger: &Policy) -> Result<Backtest, DeskError> {
        let mut report = Backtest::default();
        let mut after = CandidateId(0);
        loop {
            let page = self.store.candidates(after, PAGE)?;
            let Some(last) = page.last() else {
                return Ok(report);
            };
            after = last.id;
            for candidate in &page {
                self.replay(candidate, challenger, &mut report)?;
            }
        }
    }

    fn replay(
        &self,
        candidate: &Candidate,
        challenger: &Policy,
        report: &mut Backtest,
    ) -> Result<(), DeskError> {
        let sources = self.resolve(&candidate.sources, &candidate.claim, &candidate.scope)?;
        if sources
            .facts
            .iter()
            .any(|fact| fact.standing == Standing::Expired)
        {
            report
                .not_replayed
                .push((candidate.id, "its evidence is gone (retention passed)"));
            return Ok(());
        }
        let proposal = proposal_of(candidate);
        let at = candidate.proposed_at;
        let judge =
            |policy: &Policy| self.judge_under(policy, &proposal, &candidate.claim, &sources, at);
        let (old, new) = (judge(&*self.in_force()?)?, judge(challenger)?);
        report.replayed += 1;
        if let Some(bad) = people_said_bad(candidate) {
            report.incumbent.count(old.verdict, bad);
            report.challenger.count(new.verdict, bad);
        }
        if old.verdict != new.verdict {
            let (stricter, other) = if new.verdict > old.verdict {
                (&new, &old)
            } else {
                (&old, &new)
            };
            report.flips.push(Flip {
                candidate: candidate.id,
                claim: self.shown(&candidate.claim).text,
                incumbent: old.verdict,
                challenger: new.verdict,
                decided: candidate.outcome.as_ref().map(|outcome| outcome.act),
                rule: decisive(&stricter.findings, &other.findings),
            });
        }
        Ok(())
    }
}

/// The rule that makes the difference between a stricter answer and another.
pub(in crate::desk) fn decisive(stricter: &[Finding], other: &[Finding]) -> Option<String> {
    let known = |finding: &&Finding| {
        let same = |one: &Finding| one.rule == finding.rule && one.severity >= finding.severity;
        !other.iter().any(same)
    };
    stricter
        .iter()
        .find(known)
        .or(stricter.first())
        .map(|finding| finding.rule.clone())
}

/// Whether people called it bad, let it through, or have not said.
pub(in crate::desk) fn people_said_bad(candidate: &Candidate) -> Option<bool> {
    let outcome = candidate.outcome.as_ref();
    match (candidate.state, outcome.map(|outcome| outcome.act)) {
        (CandidateState::Rejected, Some(Act::Confirm)) => Some(true),
        (CandidateState::Rejected, _) => {
            let unsafe_word = crate::domain::reason::RejectReason::Unsafe.as_str();
            let reason = outcome.and_then(|outcome| outcome.reason.as_deref());
            (reason == Some(unsafe_word)).then_some(true)
        }
        (CandidateState::Approved, Some(Act::Auto)) => None,
        (CandidateState::Approved, _) | (_, Some(Act::Release)) => Some(false),
        (CandidateState::Pending | CandidateState::Quarantined | CandidateState::Closed, _) => None,
    }
}

fn percent(part: u64, whole: u64) -> Option<u64> {
    (whole > 0).then(|| part * 100 / whole)
}
