//! "What did it believe, and why?": from a serving or a memory down to the bytes it rests on.

use crate::desk::view::{Evidence, Why};
use crate::desk::{Desk, DeskError};
use crate::domain::decision::Ruling;
use crate::domain::{
    CandidateId, Digest, EntrySeq, MemoryId, ObservationId, PatternId, ServingId, SourceRef,
};

/// How many sightings are listed under a pattern.
const SIGHTINGS: usize = 8;

impl Desk {
    /// The tree under a serving, memory, candidate, pattern, observation or artifact.
    ///
    /// # Errors
    /// There is no such thing, or the store cannot be read.
    pub fn why(&self, subject: &str) -> Result<Why, DeskError> {
        if let Ok(id) = ServingId::parse(subject) {
            return self.why_serving(id);
        }
        if let Ok(id) = MemoryId::parse(subject) {
            return self.why_memory(id);
        }
        if let Ok(id) = CandidateId::parse(subject) {
            return self.why_candidate(id);
        }
        if let Ok(id) = PatternId::parse(subject) {
            return self.why_pattern(id);
        }
        if let Ok(source) = SourceRef::parse(subject) {
            return self.why_source(&source);
        }
        if let Ok(id) = ObservationId::parse(subject) {
            return self.why_source(&SourceRef::Observation(id));
        }
        Err(DeskError::BadInput {
            what: format!("`{}` is nothing that can be explained", crate::text::line(subject)),
            hint: "name a serving S-1, a memory M-1, a candidate C-1, a pattern P-1 or artifact:<sha256>".to_owned(),
        })
    }

    fn why_serving(&self, id: ServingId) -> Result<Why, DeskError> {
        let serving = self.store.serving(id)?;
        let session = serving.scope.session.as_ref().map_or_else(
            || "no session".to_owned(),
            |session| format!("session {session}"),
        );
        let mut because = Vec::new();
        for (memory, sha256) in &serving.memories {
            let mut why = self.why_memory(*memory)?;
            let now_has = self.store.memory(*memory)?.sha256();
            why.facts.push(("served_sha256", sha256.to_string()));
            why.facts
                .push(("text_unchanged_since", yes_no(now_has == *sha256)));
            because.push(why);
        }
        Ok(Why {
            kind: "serving",
            id: id.to_string(),
            says: format!(
                "{session}, {}, {}, {} memories, {} bytes",
                serving.at,
                serving.scope.layer,
                serving.memories.len(),
                serving.bytes
            ),
            facts: vec![
                ("at", serving.at.to_string()),
                ("layer", serving.scope.layer.to_string()),
                ("format", serving.format.clone()),
                ("block_sha256", serving.block.to_string()),
            ],
            because,
        })
    }

    fn why_memory(&self, id: MemoryId) -> Result<Why, DeskError> {
        let memory = self.store.memory(id)?;
        let state = memory.state_at(self.now());
        let verified = self.verify_text(&memory);
        let mut facts = vec![
            ("state", state.to_string()),
            ("mode", memory.mode.to_string()),
            ("layer", memory.scope.layer.to_string()),
            ("influence", memory.influence.to_string()),
            ("sha256", memory.sha256().to_string()),
            ("expires_at", memory.expires_at.to_string()),
            ("served", memory.served.to_string()),
            (
                "verified",
                verified.err().unwrap_or_else(|| "yes".to_owned()),
            ),
        ];
        if let Some(change) = &memory.demoted {
            let reason = self.shown(&change.reason.clone().unwrap_or_default()).text;
            facts.push((
                "later",
                format!("{} by {} at {} {reason}", change.act, change.by, change.at),
            ));
        }
        let decision = self.why_decision(memory.entry, memory.candidate)?;
        Ok(Why {
            kind: "memory",
            id: id.to_string(),
            says: self.shown(&memory.text).text,
            facts,
            because: vec![decision],
        })
    }

    fn why_decision(&self, entry: EntrySeq, candidate: CandidateId) -> Result<Why, DeskError> {
        let page = self
            .store
            .entries(Some(EntrySeq(entry.0.saturating_add(1))), None, 1)?;
        let because = vec![self.why_candidate(candidate)?];
        let Some(found) = page
            .0
            .into_iter()
            .next()
            .filter(|one| one.entry.seq == entry)
        else {
            let says = "the entry that approved it is missing from the ledger".to_owned();
            return Ok(Why {
                kind: "decision",
                id: entry.to_string(),
                says,
                facts: Vec::new(),
                because,
            });
        };
        let row = self.entry_row(found);
        let reason = row
            .reason
            .clone()
            .map(|reason| format!(", reason: {reason}"))
            .unwrap_or_default();
        Ok(Why {
            kind: "decision",
            id: entry.to_string(),
            says: format!(
                "{} by {} ({}) at {}{reason}",
                past(row.act),
                row.actor,
                row.assurance,
                row.at
            ),
            facts: vec![
                ("at", row.at.to_string()),
                ("by", row.actor),
                ("assurance", row.assurance.to_string()),
                ("entry_hash", row.hash.to_string()),
            ],
            because,
        })
    }

    fn why_candidate(&self, id: CandidateId) -> Result<Why, DeskError> {
        let candidate = self.store.candidate(id)?;
        let mut because = Vec::new();
        for source in &candidate.sources {
            because.push(self.why_source(source)?);
        }
        let mut facts = vec![
            ("status", candidate.state.to_string()),
            ("claim_kind", candidate.kind.to_string()),
            ("trust", candidate.trust.to_string()),
            ("verdict", candidate.verdict.to_string()),
            ("proposer", candidate.proposer.to_string()),
            ("proposed_at", candidate.proposed_at.to_string()),
        ];
        facts.extend(
            candidate
                .findings
                .iter()
                .map(|finding| ("finding", format!("{}: {}", finding.rule, finding.message))),
        );
        if let Some(outcome) = &candidate.outcome {
            facts.push((
                "decided",
                format!("{} by {} at {}", outcome.act, outcome.by, outcome.at),
            ));
        }
        Ok(Why {
            kind: "candidate",
            id: id.to_string(),
            says: self.shown(&candidate.claim).text,
            facts,
            because,
        })
    }

    fn why_source(&self, source: &SourceRef) -> Result<Why, DeskError> {
        if let SourceRef::Pattern(id) = source {
            return self.why_pattern(*id);
        }
        let evidence = self.evidence(std::slice::from_ref(source))?;
        let Some(evidence) = evidence.into_iter().next() else {
            return Err(DeskError::NotFound(format!("there is no {source}")));
        };
        Ok(evidence_node(&evidence))
    }

    fn why_pattern(&self, id: PatternId) -> Result<Why, DeskError> {
        let pattern = self.store.pattern(id)?;
        let support = pattern.support;
        let seen = self.store.sightings(id, SIGHTINGS)?;
        let because = seen
            .into_iter()
            .map(|one| {
                let sighting = one.sighting;
                let mut facts = vec![
                    ("at", sighting.at.to_string()),
                    ("trust", sighting.trust.to_string()),
                ];
                if let Some((sha256, span)) = sighting.artifact {
                    facts.push(("artifact", place(&sha256, span)));
                }
                Why {
                    kind: "observation",
                    id: one.id.to_string(),
                    says: format!(
                        "\"{}\" · {} · session {}",
                        self.shown(&sighting.text).text,
                        sighting.user,
                        sighting.session
                    ),
                    facts,
                    because: Vec::new(),
                }
            })
            .collect();
        Ok(Why {
            kind: "pattern",
            id: id.to_string(),
            says: format!(
                "{} people, {} sessions, {} days, {} observations",
                support.users, support.sessions, support.days, pattern.observations
            ),
            facts: vec![
                ("layer", pattern.layer.to_string()),
                ("trust", pattern.trust.to_string()),
            ],
            because,
        })
    }
}

fn evidence_node(evidence: &Evidence) -> Why {
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

fn place(sha256: &Digest, span: Option<crate::domain::Span>) -> String {
    SourceRef::Artifact {
        sha256: *sha256,
        span,
    }
    .to_string()
}

fn past(act: crate::domain::Act) -> &'static str {
    if act == Ruling::Edit(String::new()).act() {
        "edited and approved"
    } else {
        "approved"
    }
}

fn yes_no(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}
