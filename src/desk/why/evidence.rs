//! From evidence up: what an artifact is, who cites it, and what compactions made of it.

use crate::desk::view::{Evidence, Why};
use crate::desk::{Desk, DeskError};
use crate::domain::compaction::KeptCompaction;
use crate::domain::{CandidateId, Digest, ServingId, SourceRef};

/// How many candidates and compactions are listed under an artifact.
const LISTED: usize = 20;

impl Desk {
    /// An artifact, and what came of it.
    pub(super) fn why_artifact(&self, source: &SourceRef) -> Result<Why, DeskError> {
        let mut why = self.evidence_node(source)?;
        let SourceRef::Artifact { sha256, .. } = source else {
            return Ok(why);
        };
        if let Some(head) = self.store.artifact(sha256)? {
            why.facts.extend([
                ("artifact_kind", head.kind.to_string()),
                ("layer", head.layer.to_string()),
                ("bytes", head.length.to_string()),
                ("kept_at", head.at.to_string()),
                ("expires_at", head.expires_at.to_string()),
            ]);
            why.facts
                .extend(head.session.map(|session| ("session", session.to_string())));
        }
        for one in told(self.store.compactions_of(sha256, LISTED)?) {
            why.because.push(self.why_compaction(&one, Some(sha256))?);
        }
        let (candidates, all) = self.store.candidates_citing(sha256, LISTED)?;
        why.facts
            .push(("cited_by", super::counted(all, "candidate")));
        for id in candidates {
            why.because.push(self.outcome_of(id)?);
        }
        Ok(why)
    }

    /// A compaction: what went in, what came out, what was made of that, and what the session was
    /// handed next. The artifact that was asked about is not said again.
    pub(super) fn why_compaction(
        &self,
        kept: &KeptCompaction,
        asked: Option<&Digest>,
    ) -> Result<Why, DeskError> {
        let one = &kept.compaction;
        let mut because = Vec::new();
        let source = one.source.map(|(sha256, span)| SourceRef::Artifact {
            sha256,
            span: Some(span),
        });
        if let Some(source) = &source {
            because.push(self.evidence_node(source)?);
        }
        if asked != Some(&one.summary) {
            because.push(self.evidence_node(&SourceRef::Artifact {
                sha256: one.summary,
                span: None,
            })?);
        }
        for id in &one.candidates {
            because.push(self.outcome_of(*id)?);
        }
        if let Some(next) = self.store.next_serving(&one.session, one.happened_at)? {
            because.push(self.next_context(next)?);
        }
        let seen = if source.is_some() {
            super::counted(one.messages, "message")
        } else {
            "messages that were not seen here".to_owned()
        };
        Ok(Why {
            kind: "compaction",
            id: kept.entry.to_string(),
            says: format!(
                "session {}: {seen} summed up in {}, {} of them proposed",
                one.session,
                super::counted(one.claims, "claim"),
                one.candidates.len()
            ),
            facts: vec![
                ("happened_at", one.happened_at.to_string()),
                ("layer", one.layer.to_string()),
                ("summary", format!("artifact:{}", one.summary)),
                (
                    "source",
                    source.map_or_else(|| "not seen".to_owned(), |source| source.to_string()),
                ),
            ],
            because,
        })
    }

    /// A candidate in one node: what became of it, and not what it rests on.
    fn outcome_of(&self, id: CandidateId) -> Result<Why, DeskError> {
        let candidate = self.store.candidate(id)?;
        let mut facts = vec![
            ("status", candidate.state.to_string()),
            ("trust", candidate.trust.to_string()),
        ];
        if let Some(outcome) = &candidate.outcome {
            facts.push((
                "decided",
                format!("{} by {} at {}", outcome.act, outcome.by, outcome.at),
            ));
        }
        if let Some(memory) = self.store.memory_of(id)? {
            let state = self.store.memory(memory)?.state_at(self.now());
            facts.push(("memory", format!("{memory} {state}")));
        }
        Ok(Why {
            kind: "candidate",
            id: id.to_string(),
            says: self.shown(&candidate.claim).text,
            facts,
            because: Vec::new(),
        })
    }

    fn next_context(&self, id: ServingId) -> Result<Why, DeskError> {
        let serving = self.store.serving(id)?;
        let memories: Vec<String> = serving
            .memories
            .iter()
            .map(|(memory, _)| memory.to_string())
            .collect();
        Ok(Why {
            kind: "serving",
            id: id.to_string(),
            says: format!("the next context of the session, at {}", serving.at),
            facts: vec![("memories", memories.join(" "))],
            because: Vec::new(),
        })
    }
}

/// What a hook told of a compaction is left out where a transcript told more of the same.
pub(super) fn told(all: Vec<KeptCompaction>) -> Vec<KeptCompaction> {
    let more: Vec<(Digest, String)> = all
        .iter()
        .map(|one| &one.compaction)
        .filter(|one| one.source.is_some())
        .map(|one| (one.summary, one.session.to_string()))
        .collect();
    let known = |one: &KeptCompaction| {
        let name = (one.compaction.summary, one.compaction.session.to_string());
        one.compaction.source.is_none() && more.contains(&name)
    };
    all.into_iter().filter(|one| !known(one)).collect()
}

/// A source as it is shown.
pub(super) fn node(evidence: &Evidence) -> Why {
    let kind = match evidence.reference {
        SourceRef::Artifact { .. } => "artifact",
        SourceRef::Session(_) => "session",
        SourceRef::Pattern(_) => "pattern",
        SourceRef::Observation(_) => "observation",
        SourceRef::Receipt(_) => "receipt",
    };
    let cited = evidence
        .quote
        .as_ref()
        .zip(evidence.cited)
        .and_then(|(quote, span)| quote.get(span.range()));
    let says = match cited.or(evidence.quote.as_deref()) {
        Some(quote) => format!("{}: \"{quote}\"", evidence.title),
        None => format!("{} ({})", evidence.title, evidence.standing),
    };
    Why {
        kind,
        id: evidence.reference.to_string(),
        says,
        facts: vec![
            ("trust", evidence.trust.to_string()),
            ("standing", evidence.standing.to_owned()),
        ],
        because: Vec::new(),
    }
}
