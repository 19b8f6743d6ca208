//! What an agent found of a memory that was handed to it: evidence for a person, never a decision.

use crate::domain::word::words;

words! {
    /// What was found.
    ReportVerdict as "verdict" {
        /// It is not so.
        Wrong = 1 "wrong",
        /// It was so once.
        Stale = 2 "stale",
        /// It was no help.
        Unhelpful = 3 "unhelpful",
        /// It was right and of use.
        Helped = 4 "helped",
    }
}

impl ReportVerdict {
    /// Whether a person should look at the memory again.
    #[must_use]
    pub const fn is_doubt(self) -> bool {
        matches!(self, Self::Wrong | Self::Stale)
    }
}
