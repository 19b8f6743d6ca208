//! Who decides, and how sure we are that it was they.

use crate::domain::ReviewerName;
use crate::domain::word::words;

words! {
    /// What a reviewer may decide.
    Role as "role" {
        /// The queue.
        Reviewer = 0 "reviewer",
        /// The queue and the quarantine.
        Security = 1 "security",
        /// All of it, policy and reviewers too.
        Admin = 2 "admin",
    }
}

words! {
    /// How sure a decision is to be this reviewer's, least first.
    Assurance as "assurance" {
        /// A name somebody gave.
        Asserted = 0 "asserted",
        /// Decided on a real terminal, outside any known agent.
        Terminal = 1 "terminal",
        /// Signed with the reviewer's key.
        Key = 2 "key",
        /// Signed with a key that was touched.
        Touch = 3 "touch",
    }
}

/// Who acts.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Reviewer {
    /// The name given.
    pub name: ReviewerName,
    /// What the name may decide.
    pub role: Role,
}
