//! Detecting: group what is new, propose what enough distinct people said. Never approves.
//!
//! One process at a time holds the lease. The cost of a round grows with what is new: the cursor
//! and the counts move together, so that a killed detector neither loses nor repeats a sighting.

use crate::desk::propose::ProposalAnswer;
use crate::desk::thresholds::Levels;
use crate::desk::view::Detected;
use crate::desk::{Desk, DeskError};
use crate::domain::candidate::{CandidateState, Proposal};
use crate::domain::observation::Observation;
use crate::domain::pattern::{LinkKind, Pattern, PatternState, Wording};
use crate::domain::threshold::ThresholdSet;
use crate::domain::{Kind, Layer, ObservationId, PatternId, Proposer, Scope, SourceRef};
use crate::recurrence::{Grouper, How, Kept, Lines, Link, Placed};
use crate::store::StoreError;
use crate::store::beside::NewLink;
use crate::store::detect::{Grouped, Round};
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
/// How many patterns are looked at again in one round.
const LOOKS: usize = 4096;
/// How many patterns of a kind are noted beside one wording.
const SEEN_BESIDE: usize = 2;
/// How many wordings of a pattern are listed.
const WORDINGS: usize = 10_000;

impl Desk {
    /// One round: looks at up to `limit` new observations and proposes what passes the thresholds.
    ///
    /// # Errors
    /// The store cannot be written; what was done stays done.
    pub fn detect(&self, limit: usize) -> Result<Detected, DeskError> {
        self.drain()?;
        let now = self.now();
        let lag = self.store.lag()?;
        let levels = self.levels()?;
        let idle =
            lag == 0 && self.store.worth_a_look(1)?.is_empty() && self.ready(&levels)?.is_empty();
        if idle && !self.is_of_another_version()? {
            return Ok(Detected::default());
        }
        let busy = Detected {
            lag,
            busy: true,
            ..Detected::default()
        };
        if !self.store.take_lease(&self.holder, now, now.plus(LEASE))? {
            return Ok(busy);
        }
        self.detecting.store(true, Ordering::Relaxed);
        match self.round(limit, &levels) {
            Ok(Some(detected)) => Ok(detected),
            Ok(None) => Ok(busy),
            Err(error) => {
                // Whoever asks for the status hears of it; the caller hears it in any case.
                let _ = self.store.note_detector_error(error.to_string(), now);
                Err(error)
            }
        }
    }

    /// The work of one round; nothing where another process was faster.
    fn round(&self, limit: usize, levels: &Levels) -> Result<Option<Detected>, DeskError> {
        if self.is_of_another_version()? {
            self.compare_groups()?;
        }
        let begun = std::time::Instant::now();
        let mut detected = Detected::default();
        let unseen = self.store.unseen(limit)?;
        detected.observations = unseen.len() as u64;
        let mut kept = self.grouping.lock().unwrap_or_else(PoisonError::into_inner);
        let mut grouping = self.recollect(kept.take())?;
        // What a round that was cut off left over is done first: the end is then the same.
        self.settle(levels, &mut grouping, &mut detected)?;
        if !unseen.is_empty() {
            let grouped = self.grouped(&mut grouping, unseen)?;
            let round = Round {
                grouped,
                worth: levels.base().half(),
                version: crate::recurrence::detector_version(),
                at: self.now(),
                millis: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            };
            match self.store.grow(round) {
                Ok(grown) => detected.patterns = grown.patterns.len() as u64,
                Err(StoreError::Busy(_)) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
            self.settle(levels, &mut grouping, &mut detected)?;
        }
        *kept = Some(grouping);
        drop(kept);
        detected.lag = self.store.lag()?;
        Ok(Some(detected))
    }

    /// Draws from the counts what follows from them: wider layers, stale memories, candidates.
    fn settle(
        &self,
        levels: &Levels,
        grouping: &mut Grouping,
        detected: &mut Detected,
    ) -> Result<(), DeskError> {
        let mut worth = self.look_again(levels, grouping)?;
        worth.extend(self.ready(levels)?);
        // What is proposed is not ready any more: this comes to an end.
        while !worth.is_empty() {
            for pattern in &worth {
                let answer = self.propose_pattern(pattern)?;
                self.store.mark_proposed(pattern.id, answer.id)?;
                self.link_what_is_below(pattern.id, answer.id)?;
                if answer.status.is_new() {
                    detected.proposed.push(answer.id);
                }
            }
            worth = self.ready(levels)?;
        }
        Ok(())
    }

    /// Looks at patterns that grew: what others say in other layers, what they speak against, and
    /// whether a claim that was turned down has found so many more people that it comes back.
    fn look_again(
        &self,
        levels: &Levels,
        grouping: &mut Grouping,
    ) -> Result<Vec<Pattern>, DeskError> {
        let mut again = Vec::new();
        loop {
            let ids = self.store.worth_a_look(LOOKS)?;
            if ids.is_empty() {
                return Ok(again);
            }
            for id in &ids {
                for kept in self.lift(*id, levels)? {
                    grouping.grouper.keep(&kept);
                }
                let pattern = self.store.pattern(*id)?;
                self.speak_against(&pattern, levels)?;
                if pattern.state == PatternState::Proposed && self.evidence_doubled(&pattern)? {
                    again.push(pattern);
                }
            }
            self.store.looked_at(ids)?;
        }
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
        let wordings = self.store.wordings(id, WORDINGS)?;
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
            families: Grouper::new(Lines::SHIPPED, self.store.families()?),
        })
    }

    /// Patterns past the thresholds of their layer that were not proposed yet.
    fn ready(&self, levels: &Levels) -> Result<Vec<Pattern>, DeskError> {
        let mut ready = Vec::new();
        for pattern in self.store.ready(levels.base().least, LOOKS)? {
            let asked = levels.at(&pattern.layer);
            if self.passes(&pattern, &asked)? {
                ready.push(pattern);
            }
            if ready.len() >= PROPOSALS {
                break;
            }
        }
        ready.sort_by_key(|pattern| pattern.id);
        Ok(ready)
    }

    /// Whether a pattern is supported widely enough, and lately enough where that is asked.
    pub(in crate::desk) fn passes(
        &self,
        pattern: &Pattern,
        asked: &ThresholdSet,
    ) -> Result<bool, DeskError> {
        if !asked.passes(pattern.support) {
            return Ok(false);
        }
        if asked.window == 0 {
            return Ok(true);
        }
        let since = self.now().plus_days(-i64::from(asked.window));
        Ok(asked.passes(self.store.support_since(pattern.id, since)?))
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
    /// The same for the founders of all layers of a tenant together.
    families: Grouper,
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
        one.links = links_of(&one.sighting.text, &placed);
        if placed.how == How::Founded
            && let Ok(tenant) = Layer::parse(one.sighting.layer.tenant())
        {
            let family = self.families.place(&tenant, &one.sighting.text);
            let compared = family.keep.is_some_and(|kept| kept.compared_by.is_some());
            one.family = Some((family.pattern, compared));
        }
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
        links: Vec::new(),
        family: None,
        sighting,
    }
}

/// What a wording was seen beside. Only why it joined is put in words at once: that is what the
/// counts rest on; the rest is said when somebody asks.
fn links_of(text: &str, placed: &Placed) -> Vec<NewLink> {
    let link = |kind, link: &Link, why| NewLink {
        kind,
        other: link.pattern,
        with: link.with.clone(),
        why,
    };
    let mut links = Vec::new();
    if let How::Joined(joined) = &placed.how {
        let why = crate::recurrence::explain(text, &joined.with).to_string();
        links.push(link(LinkKind::Joined, joined, why));
    }
    let maybe = placed.maybe.iter().take(SEEN_BESIDE);
    links.extend(maybe.map(|one| link(LinkKind::Maybe, one, String::new())));
    let apart = placed.possibly_contradicting.iter().take(SEEN_BESIDE);
    links.extend(apart.map(|one| link(LinkKind::Apart, one, String::new())));
    links
}
