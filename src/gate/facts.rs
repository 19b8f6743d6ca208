//! What the gate is told: every fact is an argument, nothing is looked up.

use crate::domain::pattern::Support;
use crate::domain::{
    Class, Digest, Finding, Influence, Kind, Layer, Scope, Severity, SourceRef, Time, Trust,
    Verdict, Weighed,
};

/// Whether what a reference names is still there to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The evidence is held and its hash is right.
    Held,
    /// Nothing of that name is known, or its hash differs.
    Missing,
    /// The evidence is held, but the range lies outside it.
    SpanOutside,
    /// The evidence passed its retention.
    Expired,
    /// A session reference: provenance without evidence.
    Declared,
}

/// One source of a claim, as far as the store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFact {
    /// The reference as proposed.
    pub reference: SourceRef,
    /// Where its text came from.
    pub trust: Trust,
    /// Whether it can be read.
    pub standing: Standing,
    /// The quoted evidence, where it is held.
    pub text: Option<String>,
}

/// Everything a judgement is made from.
#[derive(Debug, Clone)]
pub struct Facts<'a> {
    /// The claim, byte for byte.
    pub text: &'a str,
    /// What sort of claim it is.
    pub kind: Kind,
    /// What it says it comes from.
    pub sources: &'a [SourceFact],
    /// The trust its proposer declared; can only lower what the sources give.
    pub declared_trust: Option<Trust>,
    /// Where it would hold.
    pub scope: &'a Scope,
    /// The layer its proposer is bound to, if any.
    pub proposer_layer: Option<&'a Layer>,
    /// When it would end.
    pub expires_at: Option<Time>,
    /// The moment of the judgement.
    pub now: Time,
    /// How sure the proposer is.
    pub confidence: Option<f64>,
    /// Fields the proposer set that only this application may set.
    pub forbidden_fields: &'a [String],
    /// Who stands behind it.
    pub support: Support,
    /// Names and identifiers of other tenants.
    pub other_tenants: &'a [String],
    /// How many claims the text holds, as `evidence` splits it.
    pub claims: usize,
    /// Whether a verified receipt asserts what the claim says.
    pub receipt: bool,
    /// What the sources make of the claim; none where none can be read, or where it needs none.
    pub evidence: Option<&'a Weighed>,
}

/// What the gate answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The most severe finding wins.
    pub verdict: Verdict,
    /// The floor of what the claim could cause.
    pub influence: Influence,
    /// Why that much, in one sentence.
    pub influence_why: String,
    /// Every objection, the most severe first.
    pub findings: Vec<Finding>,
    /// What classes that are only observed would have weighed.
    pub observed: Vec<(Class, Severity)>,
    /// The lowest trust over the sources.
    pub trust: Trust,
    /// When it ends: what was asked for, held to the longest life its influence allows.
    pub expires_at: Time,
    /// The hash of policy and packs this was judged under.
    pub policy: Digest,
}

/// The trust of a claim: the lowest of its sources, lowered further by what its proposer declared.
///
/// Session references alone are worth what was declared, capped at `authenticated_user`; a source
/// that is missing vouches for nothing.
#[must_use]
pub fn trust_of(sources: &[SourceFact], declared: Option<Trust>) -> Trust {
    let vouching = |fact: &SourceFact| match fact.standing {
        Standing::Held | Standing::Expired => Some(fact.trust),
        Standing::Missing | Standing::SpanOutside => Some(Trust::Model),
        Standing::Declared => None,
    };
    let known = sources.iter().filter_map(vouching).min();
    let declared_only = known.is_none() && !sources.is_empty();
    match (known, declared) {
        (Some(known), Some(declared)) => known.min(declared),
        (Some(known), None) => known,
        (None, Some(declared)) if declared_only => declared.min(Trust::AuthenticatedUser),
        (None, _) => Trust::Model,
    }
}

#[cfg(test)]
mod tests {
    use super::{SourceFact, Standing, trust_of};
    use crate::domain::{SourceRef, Trust};

    fn source(reference: &str, trust: Trust, standing: Standing) -> SourceFact {
        let reference = SourceRef::parse(reference).unwrap();
        SourceFact {
            reference,
            trust,
            standing,
            text: None,
        }
    }

    #[test]
    fn trust_is_the_minimum_and_declaring_only_lowers_it() {
        let page = source("observation:O-1", Trust::Web, Standing::Held);
        let tool = source("observation:O-2", Trust::Tool, Standing::Held);
        let both = [page, tool.clone()];
        assert_eq!(trust_of(&both, None), Trust::Web);
        assert_eq!(trust_of(&both, Some(Trust::System)), Trust::Web);
        assert_eq!(trust_of(&[tool], Some(Trust::Model)), Trust::Model);
        assert_eq!(trust_of(&[], Some(Trust::System)), Trust::Model);
    }

    #[test]
    fn sessions_alone_are_worth_what_was_declared_and_never_system() {
        let session = source("session:s1", Trust::System, Standing::Declared);
        let sources = [session.clone()];
        assert_eq!(
            trust_of(&sources, Some(Trust::System)),
            Trust::AuthenticatedUser
        );
        assert_eq!(trust_of(&sources, Some(Trust::Web)), Trust::Web);
        assert_eq!(trust_of(&sources, None), Trust::Model);
        let missing = source("observation:O-1", Trust::System, Standing::Missing);
        assert_eq!(
            trust_of(&[session, missing], Some(Trust::System)),
            Trust::Model
        );
    }
}
