//! "What did it believe, and why?": from a serving, a session, a memory, a claim's words or an
//! artifact down to the bytes it rests on, and from evidence up to what came of it.
//!
//! | module | answers |
//! |---|---|
//! | `session` | what a session believed at a moment |
//! | `served` | which servings held a memory between two moments |
//! | `evidence` | what an artifact is, who cites it, what compactions made of it |

mod evidence;
mod served;
mod session;

use crate::desk::view::Why;
use crate::desk::{Desk, DeskError};
use crate::domain::decision::Ruling;
use crate::domain::query::Query;
use crate::domain::{
    CandidateId, Digest, EntrySeq, MemoryId, ObservationId, PatternId, ServingId, SessionId,
    SourceRef, Time,
};

/// How many sightings are listed under a pattern.
const SIGHTINGS: usize = 8;
/// How many memories and candidates are listed that say the same words.
const SAYING: usize = 8;
/// How many decisions on a memory are looked through for renewals.
const RENEWALS: usize = 64;

impl Desk {
    /// The tree under a serving, session, memory, candidate, pattern, observation, artifact, entry,
    /// or under whatever says these words.
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
        if let Ok(id) = ObservationId::parse(subject) {
            return self.why_source(&SourceRef::Observation(id));
        }
        if let Ok(seq) = EntrySeq::parse(subject) {
            return self.why_entry(seq);
        }
        if let Ok(sha256) = Digest::parse(subject) {
            return self.why_artifact(&SourceRef::Artifact { sha256, span: None });
        }
        match SourceRef::parse(subject) {
            Ok(SourceRef::Session(session)) => self.why_session(&session, None),
            Ok(source @ SourceRef::Artifact { .. }) => self.why_artifact(&source),
            Ok(source) => self.why_source(&source),
            Err(_) => self.why_words(subject),
        }
    }

    /// What a session believed at a moment: everything it had been handed until then.
    ///
    /// # Errors
    /// This is no session, or the store cannot be read.
    pub fn why_at(&self, subject: &str, at: Time) -> Result<Why, DeskError> {
        let bare = subject.strip_prefix("session:");
        let other = bare.is_none()
            && (ServingId::parse(subject).is_ok()
                || MemoryId::parse(subject).is_ok()
                || CandidateId::parse(subject).is_ok());
        let session = SessionId::parse(bare.unwrap_or(subject));
        let Some(session) = session.ok().filter(|_| !other) else {
            return Err(DeskError::BadInput {
                what: format!("`{}` is no session", crate::text::line(subject)),
                hint: "what was believed at a moment is asked of a session: session:<id>"
                    .to_owned(),
            });
        };
        self.why_session(&session, Some(at))
    }

    /// The answer as a report that stands by itself.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn why_report(&self, asked: &str, why: &Why) -> Result<String, DeskError> {
        let stamp = crate::render::report::Stamp {
            asked: self.shown(asked).text,
            at: self.now(),
            origin: self.origin()?,
            head: self.store.head()?,
        };
        Ok(crate::render::report::report(why, &stamp))
    }

    /// Words, or a session's bare name.
    fn why_words(&self, words: &str) -> Result<Why, DeskError> {
        if let Ok(session) = SessionId::parse(words)
            && self
                .store
                .next_serving(&session, Time::from_millis(0))?
                .is_some()
        {
            return self.why_session(&session, None);
        }
        let found = self.store.saying(words, SAYING)?;
        let mut because = Vec::new();
        for id in &found.memories {
            because.push(self.why_memory(*id)?);
        }
        for id in &found.candidates {
            because.push(self.why_candidate(*id)?);
        }
        if because.is_empty() {
            return Err(DeskError::BadInput {
                what: format!("`{}` is nothing that can be explained: no memory and no candidate says it", crate::text::line(words)),
                hint: "name a serving S-1, a memory M-1, a candidate C-1, a pattern P-1, an entry E-1, session:<id>, \
                       artifact:<sha256>, or words of a claim".to_owned(),
            });
        }
        Ok(Why {
            kind: "words",
            id: self.shown(words).text,
            says: format!(
                "said by {} and by {} that became none of them",
                counted_many(found.memories.len() as u64, "memory", "memories"),
                counted(found.candidates.len() as u64, "candidate")
            ),
            facts: Vec::new(),
            because,
        })
    }

    /// An entry, and what it was about.
    fn why_entry(&self, seq: EntrySeq) -> Result<Why, DeskError> {
        let before = Some(EntrySeq(seq.0.saturating_add(1)));
        let kept = self
            .store
            .entries(before, &Query::default(), self.now(), &str::to_owned, 1)?;
        let found = kept.rows.into_iter().next();
        let found = found.filter(|one| one.entry.seq == seq);
        let row = self.entry_row(
            found.ok_or_else(|| DeskError::NotFound(format!("there is no entry {seq}")))?,
        );
        let about = row.item.as_str();
        let about = if let Ok(id) = ServingId::parse(about) {
            Some(self.why_serving(id))
        } else if let Ok(id) = MemoryId::parse(about) {
            Some(self.why_memory(id))
        } else if let Ok(id) = CandidateId::parse(about) {
            Some(self.why_candidate(id))
        } else if let Ok(source @ SourceRef::Artifact { .. }) = SourceRef::parse(about) {
            Some(self.why_artifact(&source))
        } else {
            None
        };
        // What an entry is about may be gone; the entry still says what was done.
        let because = match about {
            Some(
                Err(DeskError::NotFound(_))
                | Err(DeskError::Store(crate::store::StoreError::NotFound(_))),
            )
            | None => Vec::new(),
            Some(about) => vec![about?],
        };
        let mut facts = vec![("entry_hash", row.hash.to_string())];
        facts.extend(row.reason.map(|reason| ("reason", reason)));
        Ok(Why {
            kind: "entry",
            id: seq.to_string(),
            says: format!(
                "{} of {} by {} ({}) at {}",
                row.act, row.item, row.actor, row.assurance, row.at
            ),
            facts,
            because,
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
        if let Some(change) = &memory.changed {
            let reason = self.shown(&change.reason.clone().unwrap_or_default()).text;
            facts.push((
                "later",
                format!("{} by {} at {} {reason}", change.act, change.by, change.at),
            ));
        }
        facts.extend(self.renewed(id)?);
        for version in self.store.versions(memory.lineage)? {
            if version.id != id {
                let state = version.state_at(self.now());
                facts.push(("version", format!("{} ({state})", version.id)));
            }
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

    /// Who verified a memory again, and until when that let it live.
    fn renewed(&self, id: MemoryId) -> Result<Vec<(&'static str, String)>, DeskError> {
        let mut found = Vec::new();
        let decisions = self.store.decisions_on(&id.to_string(), RENEWALS)?;
        let undone: Vec<String> = decisions
            .iter()
            .filter_map(|one| one.entry.draft.facts.get("undoes").cloned())
            .collect();
        for one in decisions {
            let stands = !undone.contains(&one.entry.seq.to_string());
            if one.entry.draft.act != crate::domain::Act::Renew || !stands {
                continue;
            }
            let row = self.entry_row(one);
            let until = row.facts.iter().find(|(key, _)| key == "expires_at");
            let until = until.and_then(|(_, millis)| millis.parse().ok());
            let until = until.map_or_else(String::new, |millis| {
                format!(
                    ", until {}",
                    crate::domain::Time::from_millis(millis).date()
                )
            });
            let reason = row.reason.map(|reason| format!(", reason: {reason}"));
            found.push((
                "renewed",
                format!(
                    "by {} ({}) at {}{until} in {}{}",
                    row.actor,
                    row.assurance,
                    row.at,
                    row.seq,
                    reason.unwrap_or_default()
                ),
            ));
        }
        Ok(found)
    }

    fn why_decision(&self, entry: EntrySeq, candidate: CandidateId) -> Result<Why, DeskError> {
        let page = self.store.entries(
            Some(EntrySeq(entry.0.saturating_add(1))),
            &Query::default(),
            self.now(),
            &str::to_owned,
            1,
        )?;
        let because = vec![self.why_candidate(candidate)?];
        let Some(found) = page
            .rows
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
        let replaces = row.facts.iter().find(|(key, _)| key == "supersedes");
        let reason = match replaces {
            Some((_, old)) => format!(", in the place of {old}{reason}"),
            None => reason,
        };
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
        self.evidence_node(source)
    }

    /// A source as it stands, and nothing below it.
    fn evidence_node(&self, source: &SourceRef) -> Result<Why, DeskError> {
        let evidence = self.evidence(std::slice::from_ref(source))?;
        let Some(evidence) = evidence.into_iter().next() else {
            return Err(DeskError::NotFound(format!("there is no {source}")));
        };
        Ok(evidence::node(&evidence))
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

/// A number of things in words.
pub(super) fn counted(n: u64, one: &str) -> String {
    counted_many(n, one, &format!("{one}s"))
}

/// The same where the plural is a word of its own.
pub(super) fn counted_many(n: u64, one: &str, many: &str) -> String {
    let word = if n == 1 { one } else { many };
    format!("{n} {word}")
}

fn yes_no(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}
