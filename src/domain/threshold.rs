//! Thresholds as a person sets them beside the policy: for all layers, or for one and those below.

use crate::domain::Layer;
use crate::domain::pattern::Support;
use std::fmt;

/// What one layer asks of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ThresholdSet {
    /// For this layer and those below; for all where none is named.
    pub layer: Option<Layer>,
    /// The least support.
    #[serde(flatten)]
    pub least: Support,
    /// Only what was seen in so many days counts; everything where it is 0.
    pub window: u32,
}

impl ThresholdSet {
    /// The layer as text, empty for all.
    #[must_use]
    pub fn layer_text(&self) -> String {
        self.layer
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default()
    }

    /// Asks of each number at least what `other` asks; the shorter window wins.
    #[must_use]
    pub fn tightened_by(&self, other: &Self) -> Self {
        let window = match (self.window, other.window) {
            (0, n) | (n, 0) => n,
            (one, two) => one.min(two),
        };
        Self {
            layer: other.layer.clone().or_else(|| self.layer.clone()),
            least: Support {
                users: self.least.users.max(other.least.users),
                sessions: self.least.sessions.max(other.least.sessions),
                days: self.least.days.max(other.least.days),
            },
            window,
        }
    }

    /// What holds in a layer: the first of all, tightened by every one of its lineage.
    #[must_use]
    pub fn at(&self, set: &[Self], layer: &Layer) -> Self {
        let holds = |one: &&Self| {
            one.layer
                .as_ref()
                .is_none_or(|above| above.is_visible_from(layer))
        };
        set.iter()
            .filter(holds)
            .fold(self.clone(), |all, one| all.tightened_by(one))
    }

    /// Half of it, rounded up: what is enough to speak against a memory.
    #[must_use]
    pub const fn half(&self) -> Support {
        Support {
            users: self.least.users.div_ceil(2),
            sessions: self.least.sessions.div_ceil(2),
            days: self.least.days.div_ceil(2),
        }
    }

    /// Whether a support is enough, the window aside.
    #[must_use]
    pub const fn passes(&self, support: Support) -> bool {
        reaches(support, self.least)
    }
}

/// Whether a support is at least another.
#[must_use]
pub const fn reaches(support: Support, least: Support) -> bool {
    support.users >= least.users && support.sessions >= least.sessions && support.days >= least.days
}

impl fmt::Display for ThresholdSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Support {
            users,
            sessions,
            days,
        } = self.least;
        write!(
            f,
            "users={users} sessions={sessions} days={days} window={}",
            self.window
        )
    }
}

#[cfg(test)]
mod tests {
    use super::ThresholdSet;
    use crate::domain::Layer;
    use crate::domain::pattern::Support;
    use proptest::prelude::*;

    fn set(layer: &str, users: u32, sessions: u32, days: u32, window: u32) -> ThresholdSet {
        ThresholdSet {
            layer: Layer::parse(layer).ok(),
            least: Support {
                users,
                sessions,
                days,
            },
            window,
        }
    }

    fn check(layer: &str, expected: &str) {
        let base = set("", 3, 5, 2, 0);
        let rows = [
            set("", 3, 6, 2, 90),
            set("acme/emea", 4, 5, 2, 0),
            set("acme/emea/berlin", 2, 2, 3, 30),
        ];
        let found = base.at(&rows, &Layer::parse(layer).unwrap());
        assert_eq!(found.to_string(), expected, "{layer}");
    }

    #[test]
    fn a_child_only_tightens() {
        check("other", "users=3 sessions=6 days=2 window=90");
        check("acme", "users=3 sessions=6 days=2 window=90");
        check("acme/emea", "users=4 sessions=6 days=2 window=90");
        check("acme/emeax", "users=3 sessions=6 days=2 window=90");
        check("acme/emea/berlin", "users=4 sessions=6 days=3 window=30");
        check("acme/emea/berlin/x", "users=4 sessions=6 days=3 window=30");
    }

    proptest! {
        #[test]
        fn no_row_ever_loosens(rows in prop::collection::vec((0_usize..4, 0_u32..9, 0_u32..9, 0_u32..9, 0_u32..9), 0..8)) {
            let layers = ["", "a", "a/b", "a/b/c"];
            let rows: Vec<_> = rows.into_iter().map(|(at, u, s, d, w)| set(layers[at], u, s, d, w)).collect();
            let base = set("", 3, 5, 2, 0);
            let mut above = base.clone();
            for layer in ["a", "a/b", "a/b/c"] {
                let here = base.at(&rows, &Layer::parse(layer).unwrap());
                prop_assert!(here.least.users >= above.least.users && here.least.sessions >= above.least.sessions);
                prop_assert!(here.least.days >= above.least.days);
                prop_assert!(above.window == 0 || (here.window > 0 && here.window <= above.window));
                above = here;
            }
        }
    }
}
