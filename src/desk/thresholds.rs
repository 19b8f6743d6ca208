//! Thresholds: what the policy asks, what people set beside it, and what other numbers would do.
//!
//! Setting them is a decision. Nothing set here can ask for less than the policy, and a layer
//! cannot ask for less than those above it.

use crate::desk::presence::Presence;
use crate::desk::{Desk, DeskError};
use crate::domain::pattern::Support;
use crate::domain::threshold::{ThresholdSet, reaches};
use crate::domain::{Act, EntrySeq, Layer, Time};
use crate::gate::Policy;
use crate::recurrence::{Thresholds, WhatIf, budget};
use std::sync::Arc;

/// How many weeks back the table looks.
const WEEKS: i64 = 4;

/// What the policy asks, and what people set beside it.
#[derive(Debug, Clone)]
pub(in crate::desk) struct Levels {
    policy: ThresholdSet,
    in_force: Arc<Policy>,
    set: Vec<ThresholdSet>,
}

/// What a policy asks.
fn of_policy(policy: &Policy) -> ThresholdSet {
    let asked = policy.thresholds();
    ThresholdSet {
        layer: None,
        least: Support {
            users: asked.users,
            sessions: asked.sessions,
            days: asked.days,
        },
        window: 0,
    }
}

/// How many candidates other thresholds would give.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct WhatIfTable {
    /// For this layer and those below; for all where none is named.
    pub layer: Option<Layer>,
    /// The thresholds in force there.
    pub now: ThresholdSet,
    /// How many patterns pass them.
    pub candidates: u64,
    /// How many pending candidates a team can keep up with.
    pub budget: u64,
    /// What each pair of users and sessions would give.
    pub table: Vec<WhatIfCell>,
}

/// One pair of thresholds.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct WhatIfCell {
    /// Distinct users.
    pub users: u32,
    /// Distinct sessions.
    pub sessions: u32,
    /// How many patterns have as many.
    pub candidates: u64,
    /// How many came to it in each of the last weeks, the newest first.
    pub last_weeks: Vec<u64>,
    /// Whether the queue's budget holds them.
    pub fits: bool,
}

/// Thresholds that keep the queue within a number.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct BudgetProposal {
    /// The thresholds in force.
    pub now: ThresholdSet,
    /// How many candidates they give.
    pub instead_of: u64,
    /// The thresholds proposed; none where nothing fits.
    pub proposed: Option<ThresholdSet>,
    /// How many candidates those would give.
    pub candidates: u64,
}

impl Levels {
    /// What holds everywhere.
    pub(in crate::desk) fn base(&self) -> ThresholdSet {
        let all = self.set.iter().filter(|one| one.layer.is_none());
        all.fold(self.policy.clone(), |all, one| all.tightened_by(one))
    }

    /// What holds in a layer.
    pub(in crate::desk) fn at(&self, layer: &Layer) -> ThresholdSet {
        self.asked_of(layer).at(&self.set, layer)
    }

    /// What the policy asks of a layer: there it may ask for more.
    fn asked_of(&self, layer: &Layer) -> ThresholdSet {
        self.policy
            .tightened_by(&of_policy(self.in_force.at(layer)))
    }

    /// What a layer would have to ask at least: the policy, and what is set above it.
    fn above(&self, layer: Option<&Layer>) -> ThresholdSet {
        match layer {
            None => self.policy.clone(),
            Some(layer) => {
                let above: Vec<ThresholdSet> = self
                    .set
                    .iter()
                    .filter(|one| one.layer.as_ref() != Some(layer))
                    .cloned()
                    .collect();
                self.asked_of(layer).at(&above, layer)
            }
        }
    }
}

impl Desk {
    /// The thresholds in force, everywhere or in a layer, and everything that people set.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn thresholds(
        &self,
        layer: Option<&Layer>,
    ) -> Result<(ThresholdSet, Vec<ThresholdSet>), DeskError> {
        let levels = self.levels()?;
        let now = layer.map_or_else(|| levels.base(), |layer| levels.at(layer));
        Ok((now, levels.set))
    }

    /// Sets the thresholds of a layer, or of all. A person's act.
    ///
    /// # Errors
    /// They ask for less than the policy or a layer above, or the store cannot be written.
    pub fn set_thresholds(
        &self,
        presence: &Presence,
        new: ThresholdSet,
    ) -> Result<EntrySeq, DeskError> {
        let above = self.levels()?.above(new.layer.as_ref());
        let looser = !reaches(new.least, above.least)
            || (above.window > 0 && (new.window == 0 || new.window > above.window));
        if looser {
            return Err(DeskError::BadInput {
                what: format!("a layer may only tighten: above it stands {above}"),
                hint: "ask for as much or more; what the policy asks is changed in the policy"
                    .to_owned(),
            });
        }
        let (hand, now) = (presence.hand().clone(), self.now());
        let draft = || Ok(crate::store::thresholds::draft(&new, &hand, now));
        let signed = self.sign(presence, draft, Act::Thresholds)?;
        Ok(self.store.set_thresholds(new, hand, now, signed)?)
    }

    /// What other thresholds would give, from the counts alone: nothing is run again.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn what_if(&self, layer: Option<&Layer>) -> Result<WhatIfTable, DeskError> {
        let (now, _) = self.thresholds(layer)?;
        let days = now.least.days;
        let at = self.now();
        let mut ends = vec![self.grid(layer, None, days)?];
        for week in 0..WEEKS {
            ends.push(self.grid(layer, Some(at.plus_days(-7 * week)), days)?);
        }
        let most = self.policy().queue_budget();
        let Support {
            users, sessions, ..
        } = now.least;
        let rows = users.saturating_sub(2).max(1)..=users.saturating_add(4);
        let columns = sessions.saturating_sub(3).max(1)..=sessions.saturating_add(5);
        let mut table = Vec::new();
        for users in rows {
            for sessions in columns.clone() {
                let counts: Vec<u64> = ends
                    .iter()
                    .map(|grid| grid.candidates(users, sessions))
                    .collect();
                let weeks = counts.iter().zip(counts.iter().skip(1));
                let candidates = counts.first().copied().unwrap_or(0);
                table.push(WhatIfCell {
                    users,
                    sessions,
                    candidates,
                    last_weeks: weeks
                        .map(|(end, begin)| end.saturating_sub(*begin))
                        .collect(),
                    fits: candidates <= most,
                });
            }
        }
        Ok(WhatIfTable {
            layer: layer.cloned(),
            candidates: ends
                .first()
                .map_or(0, |grid| grid.candidates(users, sessions)),
            now,
            budget: most,
            table,
        })
    }

    /// Thresholds that keep the queue within `most`. Nothing is set.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn budget(&self, layer: Option<&Layer>, most: u64) -> Result<BudgetProposal, DeskError> {
        let (now, _) = self.thresholds(layer)?;
        let Support {
            users,
            sessions,
            days,
        } = now.least;
        let present = Thresholds {
            users,
            sessions,
            days,
        };
        let grid = self.grid(layer, None, days)?;
        let found = budget(&grid, present, most);
        Ok(BudgetProposal {
            instead_of: grid.candidates(users, sessions),
            candidates: found.map_or(0, |found| found.candidates),
            proposed: found.map(|found| ThresholdSet {
                layer: layer.cloned(),
                least: Support {
                    users: found.thresholds.users,
                    sessions: found.thresholds.sessions,
                    days: found.thresholds.days,
                },
                window: now.window,
            }),
            now,
        })
    }

    /// How many patterns pass these thresholds in their layer and below.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn what_if_at(&self, set: &ThresholdSet) -> Result<u64, DeskError> {
        let grid = self.grid(set.layer.as_ref(), None, set.least.days)?;
        Ok(grid.candidates(set.least.users, set.least.sessions))
    }

    pub(in crate::desk) fn levels(&self) -> Result<Levels, DeskError> {
        let in_force = self.in_force()?;
        Ok(Levels {
            policy: of_policy(&in_force),
            in_force,
            set: self.store.thresholds()?,
        })
    }

    fn grid(
        &self,
        layer: Option<&Layer>,
        before: Option<Time>,
        days: u32,
    ) -> Result<WhatIf, DeskError> {
        let supports = self.store.supports(layer, before)?;
        Ok(WhatIf::weighed(supports, days))
    }
}
