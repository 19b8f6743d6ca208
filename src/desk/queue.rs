//! What reviewers look through: the queue, one candidate in full, and what an edit would do.

use crate::desk::view::{CandidateView, EntryRow, Near, Overview, QueuePage, SightingRow};
use crate::desk::{Desk, DeskError};
use crate::domain::candidate::{Candidate, CandidateState, Proposal};
use crate::domain::observation::{Observation, Origin};
use crate::domain::query::Query;
use crate::domain::reviewer::Footing;
use crate::domain::{CandidateId, Influence, Scope, Verdict};
use crate::features::{Features, What};
use crate::gate::Judgement;
use crate::store::candidate::Place;

/// How many days back sessions count as an audience.
const LATELY: i64 = 30;
/// How many near memories are shown.
const NEAR: usize = 5;
/// How much two texts must share to be called near, in percent.
const NEAR_ENOUGH: u32 = 40;

impl Desk {
    /// What the head line of every screen says.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn overview(&self) -> Result<Overview, DeskError> {
        let now = self.now();
        let counts = self.store.counts()?;
        let (snoozed, oldest) = self.store.waiting(now)?;
        Ok(Overview {
            store: self.store.path().display().to_string(),
            demo: self.store.is_demo()?,
            pending: counts.pending.saturating_sub(snoozed),
            quarantined: counts.quarantined,
            held: counts.held,
            snoozed,
            budget: self.policy().queue_budget(),
            oldest,
            memories: counts.memories,
            entries: counts.entries,
            lag: self.store.lag()?,
            policy: self.policy().hash(),
            now,
        })
    }

    /// Rows of one state from behind `after` on, oldest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn queue(
        &self,
        state: CandidateState,
        query: &Query,
        after: Option<CandidateId>,
        limit: usize,
    ) -> Result<QueuePage, DeskError> {
        self.queue_at(
            state,
            query,
            after.map_or(Place::First, Place::After),
            limit,
        )
    }

    /// The rows just before `before`, oldest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn queue_before(
        &self,
        state: CandidateState,
        query: &Query,
        before: CandidateId,
        limit: usize,
    ) -> Result<QueuePage, DeskError> {
        self.queue_at(state, query, Place::Before(before), limit)
    }

    /// The newest rows, oldest of them first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn queue_last(
        &self,
        state: CandidateState,
        query: &Query,
        limit: usize,
    ) -> Result<QueuePage, DeskError> {
        self.queue_at(state, query, Place::Last, limit)
    }

    /// One candidate with everything a reviewer looks at.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn candidate(&self, id: CandidateId) -> Result<CandidateView, DeskError> {
        let mut candidate = self.store.candidate(id)?;
        let sources = self.resolve(&candidate.sources, &candidate.claim, &candidate.scope)?;
        let weight = self.weigh(&candidate.claim, &sources)?;
        let mut evidence = self.evidence(&candidate.sources)?;
        if let Some(weight) = &weight {
            weight.mark(&sources.facts, &mut evidence);
        }
        let weighed = weight.map(|weight| weight.weighed);
        let near = self.near(&candidate.scope, &candidate.claim)?;
        let shown = self.shown(&candidate.claim);
        let blocked =
            self.why_not_approvable(&candidate, candidate.influence, !shown.masked.is_empty())?;
        let blocked = match blocked {
            None => self.why_held_now(&candidate, &sources)?,
            some => some,
        };
        let before = self.endorsements(&candidate)?;
        let influence = before
            .iter()
            .fold(candidate.influence, |so_far, one| so_far.max(one.influence));
        let policy = self.policy();
        let here = policy.at(&candidate.scope.layer);
        let digest = shown.digest();
        candidate.claim = shown.text;
        if let Some(outcome) = &mut candidate.outcome {
            outcome.reason = outcome.reason.take().map(|reason| self.shown(&reason).text);
        }
        let (wordings, sightings, flags) = match candidate.pattern {
            Some(pattern) => {
                let seen = self.store.sightings(pattern, 200)?;
                let flags = self.flags(&self.store.pattern(pattern)?, &seen)?;
                let newest = seen.into_iter().take(50);
                (
                    self.wordings(pattern)?,
                    newest.map(|one| self.sighting_row(one)).collect(),
                    flags,
                )
            }
            None => (Vec::new(), Vec::new(), Vec::new()),
        };
        Ok(CandidateView {
            shown: digest,
            masked: shown.masked,
            evidence,
            wordings,
            sightings,
            unsupported: weighed
                .as_ref()
                .map(|it| it.words.clone())
                .unwrap_or_default(),
            weighed,
            near,
            known: self.known_of(candidate.id)?,
            flags,
            audience: self.store.audience(
                &candidate.scope.layer,
                self.now(),
                self.now().plus_days(-LATELY),
            )?,
            parts: crate::desk::reshape::parts_of(&candidate.claim),
            approvals: before.into_iter().map(|one| one.approval).collect(),
            reviewers_needed: here.reviewers_needed(influence),
            reason_needed: here.reason_needed(influence),
            blocked,
            history: self.history_of(&candidate)?,
            candidate,
        })
    }

    /// What the gate says of a candidate in other words. Nothing is written.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn judge_edit(&self, id: CandidateId, text: &str) -> Result<Judgement, DeskError> {
        let candidate = self.store.candidate(id)?;
        let sources = self.resolve(&candidate.sources, &candidate.claim, &candidate.scope)?;
        let proposal = proposal_of(&candidate);
        self.judge(&proposal, text, &sources)
    }

    /// Why nobody can approve this candidate now, if nobody can.
    pub(in crate::desk) fn why_not_approvable(
        &self,
        candidate: &Candidate,
        influence: Influence,
        has_secret: bool,
    ) -> Result<Option<String>, DeskError> {
        let why = match influence {
            _ if candidate.state == CandidateState::Quarantined => {
                "it is in quarantine: security must release it first"
            }
            _ if has_secret => "it holds a secret: edit it out, then approve the edited text",
            Influence::Authority => "a permission is never remembered: only a receipt can say so",
            Influence::Action if self.footing()? != Footing::Signed => {
                "it names a target that an agent would act on: that takes two people with keys, and this store is unsigned"
            }
            Influence::Style | Influence::Answer | Influence::Plan | Influence::Action => {
                return Ok(None);
            }
        };
        Ok(Some(why.to_owned()))
    }

    fn queue_at(
        &self,
        state: CandidateState,
        query: &Query,
        place: Place,
        limit: usize,
    ) -> Result<QueuePage, DeskError> {
        let mut found = self
            .store
            .queue(state, query, place, (self.now(), limit), &|text| {
                self.shown(text).text
            })?;
        for row in &mut found.rows {
            row.claim = self.shown(&row.claim).text;
        }
        Ok(found)
    }

    fn history_of(&self, candidate: &Candidate) -> Result<Vec<EntryRow>, DeskError> {
        let mut items = vec![candidate.id.to_string()];
        items.extend(
            self.store
                .memory_of(candidate.id)?
                .map(|memory| memory.to_string()),
        );
        let entries = self.store.history(&items, 50)?;
        Ok(entries
            .into_iter()
            .map(|entry| self.entry_row(entry))
            .collect())
    }

    /// Approved memories that the claim's readers see already and that share most of its words.
    fn near(&self, scope: &Scope, claim: &str) -> Result<Vec<Near>, DeskError> {
        let words = content_words(claim);
        let features = crate::features::of(claim);
        let found = self.store.recall(scope, Some(claim), self.now(), 50)?;
        let mut near: Vec<Near> = found
            .into_iter()
            .map(|one| one.memory)
            .map(|memory| {
                let overlap = overlap(&words, &content_words(&memory.text));
                let differs = differences(&features, &crate::features::of(&memory.text));
                Near {
                    differs,
                    memory: memory.id,
                    text: self.shown(&memory.text).text,
                    layer: memory.scope.layer,
                    overlap,
                }
            })
            .filter(|near| near.overlap >= NEAR_ENOUGH)
            .collect();
        near.sort_by_key(|near| (std::cmp::Reverse(near.overlap), near.memory));
        near.truncate(NEAR);
        Ok(near)
    }

    pub(in crate::desk) fn sighting_row(&self, observation: Observation) -> SightingRow {
        let seen = observation.sighting;
        let counts = match seen.origin {
            Origin::Recall => Err("a memory of ours that came back"),
            Origin::Derived => Err("a copy of something counted already"),
            Origin::Direct if !seen.trust.supports() => {
                Err("neither a user's own words nor an own tool")
            }
            Origin::Direct => Ok(()),
        };
        SightingRow {
            at: seen.at,
            user: seen.user.to_string(),
            session: seen.session.to_string(),
            text: self.shown(&seen.text).text,
            trust: seen.trust,
            counts,
        }
    }
}

/// The proposal behind a candidate, for judging it again in other words.
pub(in crate::desk) fn proposal_of(candidate: &Candidate) -> Proposal {
    Proposal {
        claim: candidate.claim.clone(),
        kind: candidate.kind,
        sources: candidate.sources.clone(),
        declared_trust: Some(candidate.trust),
        scope: candidate.scope.clone(),
        expires_at: Some(candidate.expires_at),
        confidence: candidate.confidence,
        proposer: candidate.proposer.clone(),
        forbidden_fields: Vec::new(),
        key: None,
    }
}

/// Whether an edit may be approved: the gate's most severe finding wins, also over a person's pen.
pub(in crate::desk) fn edit_objection(judgement: &Judgement) -> Option<String> {
    if judgement.verdict != Verdict::Quarantine {
        return None;
    }
    let finding = judgement
        .findings
        .iter()
        .max_by_key(|finding| finding.severity)?;
    Some(format!(
        "the gate holds the edited text: {} ({})",
        finding.message, finding.rule
    ))
}

/// In what two texts differ, each once, in words for people.
fn differences(one: &Features, other: &Features) -> Vec<&'static str> {
    let mut found: Vec<&'static str> = crate::features::differences(one, other)
        .into_iter()
        .filter_map(|difference| match difference.what {
            What::Number | What::Unit => Some("number"),
            What::Money => Some("amount"),
            What::Moment => Some("time"),
            What::Name => Some("name"),
            What::Code => Some("code"),
            What::Negation => Some("negation"),
            What::Order => Some("order"),
            What::Modality => Some("certainty"),
            What::Opposite => Some("opposite"),
            What::Word => None,
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn content_words(text: &str) -> std::collections::BTreeSet<String> {
    let folded = crate::text::key(text);
    folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 2)
        .map(str::to_owned)
        .collect()
}

fn overlap(
    one: &std::collections::BTreeSet<String>,
    other: &std::collections::BTreeSet<String>,
) -> u32 {
    let shared = one.intersection(other).count();
    let all = one.union(other).count().max(1);
    u32::try_from(shared.saturating_mul(100) / all).unwrap_or(100)
}
