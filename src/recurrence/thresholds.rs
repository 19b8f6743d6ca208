//! How much support makes a pattern worth a person's time.

use crate::domain::pattern::Support;

/// The least support with which a pattern is proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// Distinct users.
    pub users: u32,
    /// Distinct sessions.
    pub sessions: u32,
    /// Distinct days.
    pub days: u32,
}

/// What is still missing; nothing where the thresholds are passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, serde::Serialize)]
pub struct Distance {
    /// Users still missing.
    pub users: u32,
    /// Sessions still missing.
    pub sessions: u32,
    /// Days still missing.
    pub days: u32,
}

impl Thresholds {
    /// The thresholds as shipped.
    pub const SHIPPED: Self = Self {
        users: 3,
        sessions: 5,
        days: 2,
    };

    /// Whether this support is enough.
    #[must_use]
    pub const fn passes(&self, support: Support) -> bool {
        self.distance(support).is_none_missing()
    }

    /// What this support still lacks.
    #[must_use]
    pub const fn distance(&self, support: Support) -> Distance {
        Distance {
            users: self.users.saturating_sub(support.users),
            sessions: self.sessions.saturating_sub(support.sessions),
            days: self.days.saturating_sub(support.days),
        }
    }
}

impl Default for Thresholds {
    fn default() -> Self {
        Self::SHIPPED
    }
}

impl Distance {
    /// Whether nothing is missing.
    #[must_use]
    pub const fn is_none_missing(&self) -> bool {
        self.users == 0 && self.sessions == 0 && self.days == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Distance, Support, Thresholds};

    fn check(support: (u32, u32, u32), missing: (u32, u32, u32)) {
        let (users, sessions, days) = support;
        let support = Support {
            users,
            sessions,
            days,
        };
        let (users, sessions, days) = missing;
        let distance = Distance {
            users,
            sessions,
            days,
        };
        assert_eq!(Thresholds::SHIPPED.distance(support), distance);
        assert_eq!(Thresholds::SHIPPED.passes(support), missing == (0, 0, 0));
    }

    #[test]
    fn every_threshold_must_be_met() {
        check((3, 5, 2), (0, 0, 0));
        check((99, 99, 99), (0, 0, 0));
        check((2, 5, 2), (1, 0, 0));
        check((3, 4, 2), (0, 1, 0));
        check((3, 5, 1), (0, 0, 1));
        check((0, 0, 0), (3, 5, 2));
    }
}
