//! What other thresholds would let through, from the counts alone.
//!
//! The counts are gathered once into a grid; every question after that is one look. Nothing is run
//! again, and nothing is changed: thresholds are set by a person, or where the policy says so.

use crate::domain::pattern::Support;
use crate::recurrence::thresholds::Thresholds;

/// Counts above this are all one: nobody asks for more.
pub const MOST: u32 = 64;
const SIDE: usize = MOST as usize + 1;

/// For every pair of users and sessions, how many patterns have at least as many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhatIf {
    /// The days asked of every pattern.
    pub days: u32,
    at_least: Vec<u64>,
}

/// Thresholds that keep the queue within a budget, and what they would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Budget {
    /// The thresholds proposed.
    pub thresholds: Thresholds,
    /// How many candidates they give.
    pub candidates: u64,
    /// How many the present ones give.
    pub instead_of: u64,
}

impl WhatIf {
    /// Gathers the support of patterns seen on at least so many days.
    #[must_use]
    pub fn of(supports: impl IntoIterator<Item = Support>, days: u32) -> Self {
        Self::weighed(supports.into_iter().map(|support| (support, 1)), days)
    }

    /// The same from a histogram: a support and how many patterns have it.
    #[must_use]
    pub fn weighed(supports: impl IntoIterator<Item = (Support, u64)>, days: u32) -> Self {
        let mut grid = vec![0_u64; SIDE * SIDE];
        for (support, patterns) in supports {
            if support.days >= days
                && let Some(cell) = grid.get_mut(place(support.users, support.sessions))
            {
                *cell = cell.saturating_add(patterns);
            }
        }
        summed_from_the_end(&mut grid, SIDE);
        summed_from_the_end(&mut grid, 1);
        Self {
            days,
            at_least: grid,
        }
    }

    /// How many patterns have at least so many users and sessions; counts above `MOST` are `MOST`.
    #[must_use]
    pub fn candidates(&self, users: u32, sessions: u32) -> u64 {
        self.at_least
            .get(place(users, sessions))
            .copied()
            .unwrap_or(0)
    }
}

/// Adds to every cell the one a step behind it, from the last to the first.
fn summed_from_the_end(grid: &mut [u64], step: usize) {
    for at in (0..grid.len()).rev() {
        let ends = if step == 1 {
            at % SIDE == SIDE - 1
        } else {
            at + step >= grid.len()
        };
        let behind = if ends {
            0
        } else {
            grid.get(at + step).copied().unwrap_or(0)
        };
        if let Some(cell) = grid.get_mut(at) {
            *cell = cell.saturating_add(behind);
        }
    }
}

fn place(users: u32, sessions: u32) -> usize {
    users.min(MOST) as usize * SIDE + sessions.min(MOST) as usize
}

/// Thresholds that give at most `most` candidates, never below the present ones: those that turn
/// the fewest patterns away, then those that ask for the least. Nothing where none would do.
#[must_use]
pub fn budget(what_if: &WhatIf, present: Thresholds, most: u64) -> Option<Budget> {
    let users = present.users.min(MOST)..=MOST;
    let fits = users
        .flat_map(|users| {
            (present.sessions.min(MOST)..=MOST).map(move |sessions| (users, sessions))
        })
        .map(|(users, sessions)| (what_if.candidates(users, sessions), users, sessions))
        .filter(|(candidates, ..)| *candidates <= most);
    let (candidates, users, sessions) = fits.min_by_key(|(candidates, users, sessions)| {
        (most - candidates, users + sessions, *users)
    })?;
    Some(Budget {
        thresholds: Thresholds {
            users: users.max(present.users),
            sessions: sessions.max(present.sessions),
            days: present.days.max(what_if.days),
        },
        candidates,
        instead_of: what_if.candidates(present.users, present.sessions),
    })
}

#[cfg(test)]
mod tests {
    use super::{MOST, WhatIf, budget};
    use crate::domain::pattern::Support;
    use crate::recurrence::Thresholds;
    use proptest::prelude::*;

    const fn support(users: u32, sessions: u32, days: u32) -> Support {
        Support {
            users,
            sessions,
            days,
        }
    }

    #[test]
    fn a_budget_only_tightens_and_says_what_it_would_do() {
        let supports = [
            support(3, 5, 2),
            support(3, 9, 2),
            support(4, 7, 2),
            support(9, 9, 1),
            support(2, 2, 2),
        ];
        let what_if = WhatIf::of(supports, 2);
        assert_eq!(what_if.candidates(3, 5), 3);
        assert_eq!(what_if.candidates(0, 0), 4);
        let found = budget(&what_if, Thresholds::SHIPPED, 2).unwrap();
        assert_eq!((found.candidates, found.instead_of), (2, 3));
        assert_eq!((found.thresholds.users, found.thresholds.sessions), (3, 6));
        let enough = budget(&what_if, Thresholds::SHIPPED, 99).unwrap();
        assert_eq!(enough.thresholds, Thresholds::SHIPPED);
        let crowd = WhatIf::of((0..9).map(|_| support(999, 999, 9)), 2);
        assert_eq!(budget(&crowd, Thresholds::SHIPPED, 8), None);
    }

    proptest! {
        #[test]
        fn the_grid_counts_what_a_walk_over_all_patterns_counts(
            all in prop::collection::vec((0_u32..90, 0_u32..90, 0_u32..4), 0..60),
            users in 0_u32..=MOST,
            sessions in 0_u32..=MOST,
        ) {
            let supports = || all.iter().map(|(users, sessions, days)| support(*users, *sessions, *days));
            let walked = supports().filter(|one| one.users >= users && one.sessions >= sessions && one.days >= 2).count();
            prop_assert_eq!(WhatIf::of(supports(), 2).candidates(users, sessions), walked as u64);
        }
    }
}
