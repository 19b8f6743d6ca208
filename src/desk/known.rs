//! Near what is known: a claim is held against approved memories, and against what waits or was
//! turned down, in its own layer, above and below it. Enough people who say otherwise than a
//! memory mark it; it is still served until a person decides.

use crate::desk::thresholds::Levels;
use crate::desk::{Desk, DeskError};
use crate::domain::candidate::CandidateState;
use crate::domain::known::{Known, Relation};
use crate::domain::pattern::Pattern;
use crate::domain::threshold::reaches;
use crate::domain::{CandidateId, Layer, PatternId};
use crate::recurrence::{Reading, bearing};
use crate::store::known::NewStale;

/// How many memories and how many candidates a claim is held against.
const HELD_AGAINST: usize = 50;
/// How many of each are kept.
const KEPT: usize = 12;

impl Desk {
    /// What is known near a claim, in its lineage of layers.
    pub(in crate::desk) fn known_near(
        &self,
        layer: &Layer,
        claim: &str,
    ) -> Result<Vec<Known>, DeskError> {
        let reading = self.masked_reading(claim);
        let mut known = Vec::new();
        for memory in self
            .store
            .memories_like(layer, claim, self.now(), HELD_AGAINST)?
        {
            if let Some((relation, why)) = bearing(&reading, &self.masked_reading(&memory.text)) {
                known.push(Known {
                    relation,
                    item: memory.id.to_string(),
                    why,
                });
            }
        }
        known.truncate(KEPT);
        let most = known.len() + KEPT;
        for candidate in self.store.candidates_like(layer, claim, HELD_AGAINST)? {
            let Some((relation, why)) = bearing(&reading, &self.masked_reading(&candidate.claim))
            else {
                continue;
            };
            let relation = match (candidate.state, relation) {
                (CandidateState::Rejected, Relation::Duplicate) => Relation::RejectedBefore,
                // That something else was turned down says nothing of this claim.
                (CandidateState::Rejected, _) => continue,
                (_, relation) => relation,
            };
            known.push(Known {
                relation,
                item: candidate.id.to_string(),
                why,
            });
        }
        known.truncate(most);
        Ok(known)
    }

    /// A text as it may be shown: what is said of it later holds no secret either.
    pub(in crate::desk) fn masked_reading(&self, text: &str) -> Reading {
        Reading::of(&self.shown(text).text)
    }

    /// What stood near a candidate when it was proposed, as it may be shown.
    pub(in crate::desk) fn known_of(&self, id: CandidateId) -> Result<Vec<Known>, DeskError> {
        let shown = |known: Known| Known {
            why: self.shown(&known.why).text,
            ..known
        };
        Ok(self.store.known(id)?.into_iter().map(shown).collect())
    }

    /// Marks the memories that a pattern speaks against, once half of what a proposal takes is
    /// behind it.
    pub(in crate::desk) fn speak_against(
        &self,
        pattern: &Pattern,
        levels: &Levels,
    ) -> Result<(), DeskError> {
        if !reaches(pattern.support, levels.at(&pattern.layer).half()) {
            return Ok(());
        }
        let now = self.now();
        let memories =
            self.store
                .memories_like(&pattern.layer, &pattern.claim, now, HELD_AGAINST)?;
        if memories.is_empty() {
            return Ok(());
        }
        let reading = self.masked_reading(&pattern.claim);
        for memory in memories {
            let found = bearing(&reading, &self.masked_reading(&memory.text));
            let Some((relation, why)) = found.filter(|(relation, _)| relation.is_against()) else {
                continue;
            };
            self.store.mark_stale(NewStale {
                memory: memory.id,
                pattern: pattern.id,
                relation,
                why,
                at: now,
            })?;
        }
        Ok(())
    }

    /// Names the candidates of layers below whose people a wider one counts.
    pub(in crate::desk) fn link_what_is_below(
        &self,
        whole: PatternId,
        candidate: CandidateId,
    ) -> Result<(), DeskError> {
        let (_, below) = self.store.relatives(whole)?;
        let mut known = Vec::new();
        for id in below {
            let child = self.store.pattern(id)?;
            if let Some(found) = child.candidate.filter(|found| *found != candidate) {
                known.push(Known {
                    relation: Relation::Below,
                    item: found.to_string(),
                    why: format!("the same was proposed for {} alone", child.layer),
                });
            }
        }
        if !known.is_empty() {
            self.store.know(candidate, known)?;
        }
        Ok(())
    }
}
