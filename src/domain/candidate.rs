//! One proposed claim, frozen once written.

use crate::domain::pattern::Support;
use crate::domain::word::words;
use crate::domain::{
    CandidateId, Finding, Influence, Kind, MemoryId, PatternId, Proposer, Scope, SourceRef, Time,
    Trust, Verdict,
};

/// The most bytes a claim may have.
pub const MAX_CLAIM: usize = 64 * 1024;

words! {
    /// Where a candidate stands.
    CandidateState as "status" {
        /// Waits for a reviewer.
        Pending = 0 "pending",
        /// Waits for security.
        Quarantined = 1 "quarantined",
        /// Became a memory.
        Approved = 2 "approved",
        /// Was turned down, or confirmed as bad.
        Rejected = 3 "rejected",
        /// What it says stands elsewhere: it was split, merged, or withdrawn with such an act.
        Closed = 4 "closed",
    }
}

/// A candidate as it was proposed: everything the gate is asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The claim, byte for byte.
    pub claim: String,
    /// What sort of claim it is.
    pub kind: Kind,
    /// What it says it comes from.
    pub sources: Vec<SourceRef>,
    /// The trust its proposer declared; can only lower what the sources give.
    pub declared_trust: Option<Trust>,
    /// Where it would hold.
    pub scope: Scope,
    /// When it would end; none for the longest its influence allows.
    pub expires_at: Option<Time>,
    /// How sure the proposer is, from 0 to 1.
    pub confidence: Option<f64>,
    /// Who proposes it.
    pub proposer: Proposer,
    /// Fields the proposer set that only this application may set.
    pub forbidden_fields: Vec<String>,
    /// Makes a retry count nothing twice.
    pub key: Option<String>,
}

/// Who has approved so far, where more than one must.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Approval {
    /// The reviewer.
    pub reviewer: String,
    /// When.
    pub at: Time,
    /// The fingerprint of the key that signed it.
    pub key: Option<String>,
}

/// How a candidate was decided, for whoever comes second.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Outcome {
    /// The act, `approve` or another.
    pub act: crate::domain::Act,
    /// The reviewer.
    pub by: String,
    /// When.
    pub at: Time,
    /// The reason given.
    pub reason: Option<String>,
}

/// A candidate as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Its id.
    pub id: CandidateId,
    /// Moves with everything a reviewer would have to look at again.
    pub version: u32,
    /// Where it stands.
    pub state: CandidateState,
    /// The claim, byte for byte.
    pub claim: String,
    /// What sort of claim it is.
    pub kind: Kind,
    /// What it says it comes from.
    pub sources: Vec<SourceRef>,
    /// The lowest trust over its sources.
    pub trust: Trust,
    /// Where it would hold.
    pub scope: Scope,
    /// When it would end.
    pub expires_at: Time,
    /// How sure the proposer is, from 0 to 1.
    pub confidence: Option<f64>,
    /// Who proposed it.
    pub proposer: Proposer,
    /// When.
    pub proposed_at: Time,
    /// What it could cause.
    pub influence: Influence,
    /// What the gate says.
    pub verdict: Verdict,
    /// What the gate objects to.
    pub findings: Vec<Finding>,
    /// The pattern it came from.
    pub pattern: Option<PatternId>,
    /// Who stands behind it.
    pub support: Support,
    /// Held for somebody else to look at.
    pub held: bool,
    /// Out of sight until then.
    pub snoozed_until: Option<Time>,
    /// The rejected candidate that said the same.
    pub linked_to: Option<CandidateId>,
    /// The memory it became.
    pub memory: Option<MemoryId>,
    /// How it was decided.
    pub outcome: Option<Outcome>,
}

/// The line a list shows of a candidate; carries no more than a row needs.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateRow {
    /// Its id.
    pub id: CandidateId,
    /// Its version.
    pub version: u32,
    /// Where it stands.
    pub state: CandidateState,
    /// The claim, byte for byte.
    pub claim: String,
    /// What sort of claim it is.
    pub kind: Kind,
    /// What it could cause.
    pub influence: Influence,
    /// What the gate says.
    pub verdict: Verdict,
    /// What the gate objects to.
    pub findings: Vec<Finding>,
    /// Where it would hold.
    pub layer: crate::domain::Layer,
    /// The lowest trust over its sources.
    pub trust: Trust,
    /// Who stands behind it.
    pub support: Support,
    /// When it was proposed.
    pub proposed_at: Time,
    /// Held for somebody else to look at.
    pub held: bool,
}

impl CandidateRow {
    /// The line of this candidate.
    #[must_use]
    pub fn of(candidate: Candidate) -> Self {
        Self {
            id: candidate.id,
            version: candidate.version,
            state: candidate.state,
            claim: candidate.claim,
            kind: candidate.kind,
            influence: candidate.influence,
            verdict: candidate.verdict,
            findings: candidate.findings,
            layer: candidate.scope.layer,
            trust: candidate.trust,
            support: candidate.support,
            proposed_at: candidate.proposed_at,
            held: candidate.held,
        }
    }
}

/// What a proposal finds already there: the newest candidate with the same claim in the same scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kin {
    /// That candidate.
    pub candidate: CandidateId,
    /// Where it stands.
    pub state: CandidateState,
    /// Where the memory it became stands, if it became one.
    pub memory: Option<crate::domain::memory::MemoryState>,
    /// Whether the new proposal cites evidence that no earlier one with this claim cited.
    pub new_evidence: bool,
    /// Whether an earlier one came from the same pattern of observations.
    pub same_pattern: bool,
    /// The most people that stood behind that pattern when an earlier one was proposed.
    pub support: Support,
}

/// What a proposal is, beside its kin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Worth a place of its own.
    New,
    /// There already, waiting or approved.
    Duplicate,
    /// Turned down before, and nothing new speaks for it.
    RejectedBefore,
}
