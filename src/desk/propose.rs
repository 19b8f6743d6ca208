//! Proposing: resolve the sources, ask the gate, write the candidate with its verdict.
//!
//! Also the shape in which proposals arrive as JSON. A proposer never decides: fields that only
//! this application may set become a finding, unknown ones an error.

use crate::desk::observe::hint_for;
use crate::desk::source::{Sources, evidence_digest};
use crate::desk::{BadLine, Desk, DeskError, fresh_salt};
use crate::domain::candidate::{CandidateState, Kin, Proposal, Standing};
use crate::domain::decision::Hand;
use crate::domain::memory::{MemoryState, Mode};
use crate::domain::pattern::Support;
use crate::domain::{
    Assurance, CandidateId, Finding, Influence, Kind, Layer, Project, Proposer, Reviewer,
    ReviewerName, Role, Scope, SessionId, SourceRef, Time, TraceParent, Trust, Verdict,
};
use crate::gate::{Facts, Judgement, Policy};
use crate::store::candidate::{NewCandidate, Pass, Proposed};
use crate::store::decide::{Mint, Note};
use serde_json::{Map, Value};

/// Fields that only this application may set: a proposal that carries one is kept, with a finding.
pub const APPLICATION_ONLY: &[&str] = &[
    "approvals",
    "approved_at",
    "approved_by",
    "assurance",
    "decision",
    "id",
    "influence",
    "memory",
    "policy",
    "reviewer",
    "signature",
    "state",
    "status",
    "trust",
    "verdict",
    "version",
];

/// The longest claim that is read at all; the gate has its own, lower limit.
const LONGEST_CLAIM: usize = 1024 * 1024;

/// How often a claim is judged again because the policy changed meanwhile.
const POLICY_CHANGES: usize = 8;

/// Where a proposal ended up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProposalStatus {
    /// In the queue.
    Pending,
    /// In quarantine.
    Quarantined,
    /// The same was turned down before; linked to it.
    RejectedBefore,
    /// The same stands already; linked to it.
    Duplicate,
    /// The policy let it pass: a memory already, advisory and short-lived.
    Passed,
}

impl ProposalStatus {
    /// The word in answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Quarantined => "quarantined",
            Self::RejectedBefore => "rejected_before",
            Self::Duplicate => "duplicate",
            Self::Passed => "passed",
        }
    }

    /// Whether the proposal got a place of its own.
    #[must_use]
    pub const fn is_new(self) -> bool {
        matches!(self, Self::Pending | Self::Quarantined | Self::Passed)
    }
}

/// What a proposer is told.
#[derive(Debug, Clone, PartialEq)]
pub struct ProposalAnswer {
    /// The candidate, or the one it was linked to.
    pub id: CandidateId,
    /// Where it ended up.
    pub status: ProposalStatus,
    /// What the gate says.
    pub verdict: Verdict,
    /// What it could cause.
    pub influence: Influence,
    /// What the gate objects to.
    pub findings: Vec<Finding>,
}

impl Desk {
    /// Writes one candidate, judged.
    ///
    /// # Errors
    /// An expiry that has passed, or a store that cannot be written.
    pub fn propose(&self, proposal: Proposal) -> Result<ProposalAnswer, DeskError> {
        self.propose_in(proposal, None)
    }

    /// The same for a proposer that said which trace it is in. The gate is not asked about that.
    ///
    /// # Errors
    /// As `propose`.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a proposal is handed over once; its claim may be judged more than once here"
    )]
    pub fn propose_in(
        &self,
        proposal: Proposal,
        trace: Option<TraceParent>,
    ) -> Result<ProposalAnswer, DeskError> {
        if proposal.expires_at.is_some_and(|ends| ends <= self.now()) {
            return Err(DeskError::BadInput {
                what: "`expires_at` has passed already".to_owned(),
                hint: "leave it out for the longest life its influence allows".to_owned(),
            });
        }
        let sources = self.resolve(&proposal.sources, &proposal.claim, &proposal.scope)?;
        for _ in 0..POLICY_CHANGES {
            if let Some(answer) = self.propose_now(&proposal, &sources, trace)? {
                return Ok(answer);
            }
        }
        Err(DeskError::Policy(
            "the policy changes faster than a claim can be judged".to_owned(),
        ))
    }

    /// Judges under the policy in force and writes; none where another was put in force meanwhile.
    fn propose_now(
        &self,
        proposal: &Proposal,
        sources: &Sources,
        trace: Option<TraceParent>,
    ) -> Result<Option<ProposalAnswer>, DeskError> {
        let policy = self.in_force()?;
        let claim = &proposal.claim;
        let new = NewCandidate {
            trace,
            ..self.judged(proposal, sources, &policy)?
        };
        let judgement = (new.verdict, new.influence, new.findings.clone());
        let (id, status) = match self.store.propose(new, standing)? {
            Proposed::PolicyChanged => return Ok(None),
            Proposed::New(id, state) => (id, status_of(state)),
            Proposed::Passed(id) => (id, ProposalStatus::Passed),
            Proposed::Retry(id) => return self.retried(id, claim).map(Some),
            Proposed::Duplicate(id) => (id, ProposalStatus::Duplicate),
            Proposed::RejectedBefore(id) => (id, ProposalStatus::RejectedBefore),
        };
        Ok(Some(ProposalAnswer {
            id,
            status,
            verdict: judgement.0,
            influence: judgement.1,
            findings: judgement.2,
        }))
    }

    /// A proposal with everything that the gate and the shadow say of it, and what is known near it.
    pub(in crate::desk) fn judged(
        &self,
        proposal: &Proposal,
        sources: &Sources,
        policy: &Policy,
    ) -> Result<NewCandidate, DeskError> {
        let claim = &proposal.claim;
        let judgement = self.judge_under(policy, proposal, claim, sources, self.now())?;
        let judgement = self.with_opinion(judgement, proposal, claim, sources, policy);
        Ok(NewCandidate {
            claim_key: crate::recurrence::fingerprint(&proposal.claim),
            salt: fresh_salt()?,
            evidence: evidence_digest(&proposal.sources),
            influence: judgement.influence,
            verdict: judgement.verdict,
            trust: judgement.trust,
            expires_at: judgement.expires_at,
            policy: judgement.policy,
            policy_text: policy.text_hash(),
            observed: judgement.observed.clone(),
            shadow: self.shadow_says(proposal, sources, &judgement)?,
            pass: self.pass(proposal, &judgement, policy)?,
            findings: judgement.findings,
            pattern: sources.pattern,
            support: sources.support,
            known: self.known_near(&proposal.scope.layer, claim)?,
            trace: None,
            at: self.now(),
            proposal: proposal.clone(),
        })
    }

    /// The memory that the policy lets this become without a person, if it does.
    fn pass(
        &self,
        proposal: &Proposal,
        judgement: &Judgement,
        policy: &Policy,
    ) -> Result<Option<Pass>, DeskError> {
        let (kind, scope) = (proposal.kind, &proposal.scope);
        let shown = self.shown(&proposal.claim);
        let Some(expires_at) = crate::gate::passes(judgement, kind, scope, self.now(), policy)
            .filter(|_| shown.masked.is_empty())
        else {
            return Ok(None);
        };
        let name = format!("policy:{}", policy.hash().short());
        let name = ReviewerName::parse(&name)
            .map_err(|error| DeskError::NotPossible(error.to_string()))?;
        Ok(Some(Pass {
            mint: Mint {
                text: proposal.claim.clone(),
                salt: fresh_salt()?,
                influence: judgement.influence,
                mode: Mode::Advisory,
                expires_at,
                fingerprint: crate::recurrence::fingerprint(&proposal.claim),
            },
            hand: Hand {
                reviewer: Reviewer {
                    name,
                    role: Role::Reviewer,
                },
                assurance: Assurance::Asserted,
            },
            shown: Note {
                salt: fresh_salt()?,
                body: shown.text,
            },
        }))
    }

    /// The answer to a key that was used before: the first answer, if it is the same claim.
    fn retried(&self, id: CandidateId, claim: &str) -> Result<ProposalAnswer, DeskError> {
        let first = self.store.candidate(id)?;
        if first.claim != claim {
            return Err(DeskError::BadInput {
                what: format!("`key` was used before, for another claim ({id})"),
                hint: "a key names one proposal; use a fresh one".to_owned(),
            });
        }
        Ok(ProposalAnswer {
            id,
            status: status_of(first.state),
            verdict: first.verdict,
            influence: first.influence,
            findings: first.findings,
        })
    }

    /// Asks the gate about a proposal, in the words given.
    pub(in crate::desk) fn judge(
        &self,
        proposal: &Proposal,
        text: &str,
        sources: &Sources,
    ) -> Result<Judgement, DeskError> {
        let policy = self.in_force()?;
        let judgement = self.judge_under(&policy, proposal, text, sources, self.now())?;
        Ok(self.with_opinion(judgement, proposal, text, sources, &policy))
    }

    /// The same under another policy, at another moment.
    pub(in crate::desk) fn judge_under(
        &self,
        policy: &Policy,
        proposal: &Proposal,
        text: &str,
        sources: &Sources,
        now: Time,
    ) -> Result<Judgement, DeskError> {
        let others = self.store.other_tenants(proposal.scope.layer.tenant())?;
        let weight = self.weigh(text, sources)?;
        let facts = Facts {
            text,
            kind: proposal.kind,
            sources: &sources.facts,
            declared_trust: proposal.declared_trust,
            scope: &proposal.scope,
            proposer_layer: None,
            expires_at: proposal.expires_at,
            now,
            confidence: proposal.confidence,
            forbidden_fields: &proposal.forbidden_fields,
            claims: crate::evidence::split(text).len(),
            support: sources.support,
            other_tenants: &others,
            receipt: sources.receipt,
            evidence: weight.as_ref().map(|weight| &weight.weighed),
        };
        Ok(crate::gate::judge(&facts, policy))
    }
}

/// Reads one line of JSON as a proposal.
///
/// # Errors
/// What is wrong with it and how to mend it; the line's number is the caller's to add.
pub fn read_proposal(line: &str) -> Result<Proposal, BadLine> {
    let bad = |error: String, hint: &str| BadLine {
        error,
        line: 0,
        hint: hint.to_owned(),
    };
    let value: Value = serde_json::from_str(line)
        .map_err(|error| bad(format!("not JSON: {error}"), "one JSON object a line"))?;
    let Value::Object(mut map) = value else {
        return Err(bad(
            "not a JSON object".to_owned(),
            "one JSON object a line",
        ));
    };
    let forbidden_fields = take_forbidden(&mut map);
    let mut fields = Fields(map);
    let claim = fields.needed("claim")?;
    if claim.trim().is_empty() {
        return Err(bad(
            "`claim` is empty".to_owned(),
            "say what is to be remembered",
        ));
    }
    if claim.len() > LONGEST_CLAIM {
        return Err(bad(
            "`claim` is longer than 1 MiB".to_owned(),
            "one claim is one sentence",
        ));
    }
    let proposal = Proposal {
        claim,
        kind: fields
            .parsed("kind", Kind::parse)?
            .ok_or_else(|| bad("`kind` is missing".to_owned(), KIND_HINT))?,
        sources: fields.sources()?,
        declared_trust: fields.parsed("source_trust", Trust::parse)?,
        scope: fields.scope()?,
        expires_at: fields.parsed("expires_at", Time::parse)?,
        confidence: fields.confidence()?,
        proposer: fields
            .parsed("proposer", Proposer::parse)?
            .map_or_else(unnamed, Ok)?,
        forbidden_fields,
        key: fields.optional("key")?,
    };
    fields.no_others(PROPOSAL_HINT)?;
    Ok(proposal)
}

const KIND_HINT: &str = "one of observed_fact, user_preference, inference, task_state";
const PROPOSAL_HINT: &str = "known are claim, kind, source_refs, source_trust, scope, expires_at, confidence, proposer, key";

/// What a proposal is, beside its kin: the rule of "rejected stays rejected".
///
/// A turned-down claim comes back only with other evidence; behind a pattern that means at least
/// twice as many people as when it was turned down. A demoted memory counts as turned down.
pub(in crate::desk) fn standing(kin: &Kin, support: Support) -> Standing {
    let turned_down =
        kin.state == CandidateState::Rejected || kin.memory == Some(MemoryState::Demoted);
    if turned_down {
        let more_people = support.users >= kin.support.users.saturating_mul(2).max(1);
        let changed = if kin.same_pattern {
            more_people
        } else {
            kin.new_evidence
        };
        return if changed {
            Standing::New
        } else {
            Standing::RejectedBefore
        };
    }
    match kin.memory {
        Some(MemoryState::Expired | MemoryState::Superseded) => Standing::New,
        _ => Standing::Duplicate,
    }
}

const fn status_of(state: CandidateState) -> ProposalStatus {
    match state {
        CandidateState::Quarantined => ProposalStatus::Quarantined,
        CandidateState::Pending => ProposalStatus::Pending,
        CandidateState::Approved | CandidateState::Closed => ProposalStatus::Duplicate,
        CandidateState::Rejected => ProposalStatus::RejectedBefore,
    }
}

fn unnamed() -> Result<Proposer, BadLine> {
    Proposer::parse("unnamed").map_err(|error| BadLine {
        error: error.to_string(),
        line: 0,
        hint: String::new(),
    })
}

fn take_forbidden(map: &mut Map<String, Value>) -> Vec<String> {
    let found: Vec<String> = APPLICATION_ONLY
        .iter()
        .filter(|name| map.contains_key(**name))
        .map(|name| (*name).to_owned())
        .collect();
    for name in &found {
        map.remove(name);
    }
    found
}

/// The fields of one JSON object, taken one by one so that what is left over is known.
#[derive(Debug)]
pub(in crate::desk) struct Fields(pub(in crate::desk) Map<String, Value>);

impl Fields {
    /// A text that must be there.
    pub(in crate::desk) fn needed(&mut self, name: &str) -> Result<String, BadLine> {
        self.optional(name)?
            .ok_or_else(|| field_error(name, "is missing", "it is needed on every line"))
    }

    /// A text that may be there.
    pub(in crate::desk) fn optional(&mut self, name: &str) -> Result<Option<String>, BadLine> {
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(field_error(
                name,
                "is not a string",
                "write it between quotes",
            )),
        }
    }

    /// A text that may be there and must then be one of a kind.
    pub(in crate::desk) fn parsed<T, E: std::fmt::Display>(
        &mut self,
        name: &str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Option<T>, BadLine> {
        let text = self.optional(name)?;
        text.map(|text| parse(&text))
            .transpose()
            .map_err(|error| field_error(name, &format!("cannot be read: {error}"), hint_for(name)))
    }

    /// Refuses whatever was not taken.
    pub(in crate::desk) fn no_others(&self, hint: &str) -> Result<(), BadLine> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => Err(field_error(
                &crate::text::line(name),
                "is not a field that is known",
                hint,
            )),
        }
    }

    fn sources(&mut self) -> Result<Vec<SourceRef>, BadLine> {
        let Some(value) = self.0.remove("source_refs") else {
            return Ok(Vec::new());
        };
        let not_a_list = || {
            field_error(
                "source_refs",
                "is not a list of strings",
                "[\"artifact:<sha256>\", \"session:<id>\"]",
            )
        };
        let list = value.as_array().ok_or_else(not_a_list)?;
        let one = |value: &Value| {
            let text = value.as_str().ok_or_else(not_a_list)?;
            SourceRef::parse(text).map_err(|error| {
                field_error(
                    "source_refs",
                    &error.to_string(),
                    "name evidence or a session",
                )
            })
        };
        list.iter().map(one).collect()
    }

    fn scope(&mut self) -> Result<Scope, BadLine> {
        let missing = || field_error("scope", "is missing", "{\"layer\":\"acme/emea\"}");
        let Some(Value::Object(map)) = self.0.remove("scope") else {
            return Err(missing());
        };
        let mut fields = Self(map);
        let scope = Scope {
            layer: fields.parsed("layer", Layer::parse)?.ok_or_else(missing)?,
            project: fields.parsed("project", Project::parse)?,
            session: fields.parsed("session", SessionId::parse)?,
        };
        fields.no_others("scope holds layer, project, session")?;
        Ok(scope)
    }

    fn confidence(&mut self) -> Result<Option<f64>, BadLine> {
        match self.0.remove("confidence") {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_f64() {
                Some(number) if (0.0..=1.0).contains(&number) => Ok(Some(number)),
                _ => Err(field_error(
                    "confidence",
                    "is not a number from 0 to 1",
                    "for instance 0.8",
                )),
            },
        }
    }
}

fn field_error(name: &str, what: &str, hint: &str) -> BadLine {
    BadLine {
        error: format!("`{name}` {what}"),
        line: 0,
        hint: hint.to_owned(),
    }
}
