//! The layer of a claim: the lowest one that holds the independent support.
//!
//! What several layers say, each below the thresholds alone and together above them, belongs to
//! the layer they have in common; what one of them holds alone stays there. Tenants never meet.

use crate::desk::thresholds::Levels;
use crate::desk::{Desk, DeskError};
use crate::domain::pattern::{PatternState, Support};
use crate::domain::threshold::ThresholdSet;
use crate::domain::{Layer, PatternId};
use crate::recurrence::Kept;
use crate::store::rollup::Member;
use std::collections::BTreeMap;

impl Desk {
    /// Lifts a pattern into the lowest layer above it that holds what its family says together.
    /// What has to be known of the wider layer's wordings from now on.
    pub(in crate::desk) fn lift(
        &self,
        id: PatternId,
        levels: &Levels,
    ) -> Result<Vec<Kept>, DeskError> {
        let family = self.store.family(id)?;
        let own = family.iter().find(|member| member.id == id);
        let Some(own) = own.filter(|_| family.len() > 1) else {
            return Ok(Vec::new());
        };
        for layer in own.layer.lineage() {
            let under: Vec<&Member> = family
                .iter()
                .filter(|member| layer.is_visible_from(&member.layer))
                .collect();
            let whole = under
                .iter()
                .find(|one| one.layer == layer && is_whole(one.id, &family))
                .copied();
            let lifted = match whole {
                Some(whole) => own.id != whole.id && own.counted_in.is_none(),
                None => self.belongs_to(&layer, &under, &levels.at(&layer))?,
            };
            if !lifted {
                if whole.is_some() {
                    return Ok(Vec::new());
                }
                continue;
            }
            let here = under.iter().find(|one| one.layer == layer).copied();
            let founder = whole.or(here).or_else(|| strongest(&under));
            let founder = founder.map(|member| member.key);
            let Some(founder) = founder else {
                continue;
            };
            let children: Vec<PatternId> = under
                .iter()
                .filter(|one| {
                    !one.counted_in
                        .is_some_and(|by| under.iter().any(|w| w.id == by))
                })
                .map(|one| one.id)
                .collect();
            let (whole, kept) = self.store.roll_up(layer, founder, children)?;
            if let Some(candidate) = self.store.pattern(whole)?.candidate {
                self.store.mark_proposed(whole, candidate)?;
            }
            return Ok(kept);
        }
        Ok(Vec::new())
    }

    /// Whether a layer holds what none of its branches holds alone.
    fn belongs_to(
        &self,
        layer: &Layer,
        under: &[&Member],
        asked: &ThresholdSet,
    ) -> Result<bool, DeskError> {
        let mut branches: BTreeMap<Option<String>, Vec<PatternId>> = BTreeMap::new();
        for member in under {
            let branch = member.layer.segments().nth(layer.depth());
            branches
                .entry(branch.map(str::to_owned))
                .or_default()
                .push(member.id);
        }
        let most: u32 = under.iter().map(|member| member.support.users).sum();
        if branches.len() < 2 || most < asked.least.users {
            return Ok(false);
        }
        let all: Vec<PatternId> = under.iter().map(|member| member.id).collect();
        if !asked.passes(self.store.support_together(&all)?) {
            return Ok(false);
        }
        let mut alone: Option<(Support, &Vec<PatternId>)> = None;
        for ids in branches.values() {
            let support = self.store.support_together(ids)?;
            let more = alone.is_none_or(|(best, _)| support.users > best.users);
            if asked.passes(support) && more {
                alone = Some((support, ids));
            }
        }
        let Some((_, strongest)) = alone else {
            return Ok(true);
        };
        let rest: Vec<PatternId> = all
            .into_iter()
            .filter(|id| !strongest.contains(id))
            .collect();
        Ok(asked.passes(self.store.support_together(&rest)?))
    }
}

fn is_whole(id: PatternId, family: &[Member]) -> bool {
    family.iter().any(|member| member.counted_in == Some(id))
}

/// The member with the most people behind it; the first of them.
fn strongest<'a>(under: &[&'a Member]) -> Option<&'a Member> {
    under
        .iter()
        .max_by_key(|one| {
            (
                one.support.users,
                one.state == PatternState::Proposed,
                std::cmp::Reverse(one.id),
            )
        })
        .copied()
}
