//! Detecting: group what is new, propose what enough distinct people said. Never approves.
//!
//! One process at a time holds the lease. The cost of a round grows with what is new: the cursor
//! and the counts move together, so that a killed detector neither loses nor repeats a sighting.

use crate::desk::propose::ProposalAnswer;
use crate::desk::view::Detected;
use crate::desk::{Desk, DeskError};
use crate::domain::candidate::{CandidateState, Proposal};
use crate::domain::observation::Observation;
use crate::domain::pattern::{Pattern, PatternState, Support, Wording};
use crate::domain::{Kind, ObservationId, PatternId, Proposer, Scope, SourceRef};
use crate::recurrence::{Grouper, Kept, Lines};
use crate::store::StoreError;
use crate::store::detect::{Grouped, GrownPattern};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

/// A desk that goes gives the detector's lease back, so that the next one need not wait.
impl Drop for Desk {
    fn drop(&mut self) {
        if self.detecting.load(Ordering::Relaxed) {
            // A lease that cannot be given back runs out by itself.
            let _ = self.store.give_lease_back(&self.holder);
        }
    }
}

/// How long a round holds the detector's lease, in milliseconds; a killed detector is replaced after that.
const LEASE: i64 = 15_000;
/// How many patterns are proposed in one round.
const PROPOSALS: usize = 256;

impl Desk {
    /// One round: looks at up to `limit` new observations and proposes what passes the thresholds.
    ///
    /// # Errors
    /// The store cannot be written; what was done stays done.
    pub fn detect(&self, limit: usize) -> Result<Detected, DeskError> {
        self.drain()?;
        let now = self.now();
        let lag = self.store.lag()?;
        if lag == 0 && self.ready()?.is_empty() {
            return Ok(Detected::default());
        }
        if !self.store.take_lease(&self.holder, now, now.plus(LEASE))? {
            return Ok(Detected {
                lag,
                busy: true,
                ..Detected::default()
            });
        }
        self.detecting.store(true, Ordering::Relaxed);
        let mut detected = Detected::default();
        let unseen = self.store.unseen(limit)?;
        detected.observations = unseen.len() as u64;
        let mut kept = self.grouping.lock().unwrap_or_else(PoisonError::into_inner);
        let mut grouping = self.recollect(kept.take())?;
        let grouped = self.grouped(&mut grouping, unseen)?;
        let grown = match self.store.grow(grouped) {
            Ok(grown) => grown.patterns,
            Err(StoreError::Busy(_)) => {
                return Ok(Detected {
                    lag,
                    busy: true,
                    ..Detected::default()
                });
            }
            Err(error) => return Err(error.into()),
        };
        *kept = Some(grouping);
        drop(kept);
        detected.patterns = grown.len() as u64;
        for pattern in self.worth_proposing(&grown)? {
            let answer = self.propose_pattern(&pattern)?;
            self.store.mark_proposed(pattern.id, answer.id)?;
            if answer.status.is_new() {
                detected.proposed.push(answer.id);
            }
        }
        detected.lag = self.store.lag()?;
        Ok(detected)
    }

    /// Patterns, best supported first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn patterns(&self, limit: usize) -> Result<Vec<(Pattern, Vec<Wording>)>, DeskError> {
        let patterns = self.store.patterns(limit)?;
        patterns
            .into_iter()
            .map(|mut pattern| {
                let wordings = self.wordings(pattern.id)?;
                pattern.claim = self.shown(&pattern.claim).text;
                Ok((pattern, wordings))
            })
            .collect()
    }

    /// The wordings behind a pattern, as they may be shown.
    pub(in crate::desk) fn wordings(&self, id: PatternId) -> Result<Vec<Wording>, DeskError> {
        let wordings = self.store.wordings(id, 50)?;
        let shown = |wording: Wording| Wording {
            text: self.shown(&wording.text).text,
            ..wording
        };
        Ok(wordings.into_iter().map(shown).collect())
    }

    /// Places new sightings in their patterns. One that does not count, because of where it came
    /// from or because it repeats what its own session was served, joins only a pattern that has
    /// its very words: it founds none, and nothing is ever compared with it.
    fn grouped(
        &self,
        grouping: &mut Grouping,
        unseen: Vec<Observation>,
    ) -> Result<Vec<Grouped>, DeskError> {
        let mut list: Vec<Grouped> = unseen.into_iter().map(ungrouped).collect();
        let echoes = self.store.echoes(&list)?;
        for (one, echo) in list.iter_mut().zip(echoes) {
            one.counts = one.counts && !echo;
            grouping.place(one);
        }
        Ok(list)
    }

    /// What was placed so far: as remembered, or read again where another process went on meanwhile.
    fn recollect(&self, grouping: Option<Grouping>) -> Result<Grouping, DeskError> {
        let done = self.store.detected_up_to()?;
        if let Some(grouping) = grouping.filter(|grouping| grouping.done == done) {
            return Ok(grouping);
        }
        let kept = self.store.places()?.into_iter().map(|place| Kept {
            layer: place.layer,
            key: place.key,
            pattern: place.founder,
            compared_by: place.compared,
        });
        Ok(Grouping {
            done,
            grouper: Grouper::new(Lines::SHIPPED, kept),
        })
    }

    /// Patterns past the thresholds that were not proposed yet.
    fn ready(&self) -> Result<Vec<Pattern>, DeskError> {
        let policy = self.in_force()?;
        let thresholds = policy.thresholds();
        let least = Support {
            users: thresholds.users,
            sessions: thresholds.sessions,
            days: thresholds.days,
        };
        if !policy.has_layers() {
            return Ok(self.store.ready(least, PROPOSALS)?);
        }
        // A layer may ask for more; what does not reach that must not stand in others' way.
        let mut found = self.store.ready(least, usize::MAX)?;
        found.retain(|pattern| {
            let needed = policy.at(&pattern.layer).thresholds();
            let support = pattern.support;
            support.users >= needed.users
                && support.sessions >= needed.sessions
                && support.days >= needed.days
        });
        found.truncate(PROPOSALS);
        Ok(found)
    }

    fn worth_proposing(&self, grown: &[GrownPattern]) -> Result<Vec<Pattern>, DeskError> {
        let mut found = self.ready()?;
        for one in grown
            .iter()
            .filter(|one| one.state == PatternState::Proposed)
        {
            let pattern = self.store.pattern(one.id)?;
            if self.evidence_doubled(&pattern)? {
                found.push(pattern);
            }
        }
        Ok(found)
    }

    /// Whether a pattern whose claim was turned down has found twice as many people since.
    fn evidence_doubled(&self, pattern: &Pattern) -> Result<bool, DeskError> {
        let Some(id) = pattern.candidate else {
            return Ok(false);
        };
        let candidate = self.store.candidate(id)?;
        let then = self.store.support_when_proposed(id)?;
        Ok(candidate.state == CandidateState::Rejected
            && pattern.support.users >= then.users.saturating_mul(2).max(1))
    }

    fn propose_pattern(&self, pattern: &Pattern) -> Result<ProposalAnswer, DeskError> {
        let wordings = self.store.wordings(pattern.id, 50)?;
        let central = crate::recurrence::central(&wordings).and_then(|at| wordings.get(at));
        let proposer = Proposer::parse("detector")
            .map_err(|error| DeskError::NotPossible(error.to_string()))?;
        self.propose(Proposal {
            claim: central.map_or_else(|| pattern.claim.clone(), |wording| wording.text.clone()),
            kind: Kind::ObservedFact,
            sources: vec![SourceRef::Pattern(pattern.id)],
            declared_trust: None,
            scope: Scope::of(pattern.layer.clone()),
            expires_at: None,
            confidence: None,
            proposer,
            forbidden_fields: Vec::new(),
            key: None,
        })
    }
}

/// What was placed so far: all of it can be read from the store again.
#[derive(Debug)]
pub(in crate::desk) struct Grouping {
    done: ObservationId,
    grouper: Grouper,
}

impl Grouping {
    fn place(&mut self, one: &mut Grouped) {
        self.done = one.id;
        if !one.counts {
            one.founder = self.grouper.pattern_of(&one.sighting.layer, &one.key);
            return;
        }
        let placed = self.grouper.place(&one.sighting.layer, &one.sighting.text);
        one.founder = Some(placed.pattern);
        one.placed = placed.keep.map(|keep| keep.compared_by);
    }
}

fn ungrouped(observation: Observation) -> Grouped {
    let sighting = observation.sighting;
    Grouped {
        id: observation.id,
        key: crate::recurrence::fingerprint(&sighting.text),
        founder: None,
        counts: crate::recurrence::counts(sighting.origin, sighting.trust),
        placed: None,
        sighting,
    }
}
