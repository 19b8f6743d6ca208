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

words! {
    /// How decisions in a store are known to be somebody's.
    Footing as "footing" {
        /// No reviewers are listed: a name is whatever somebody says.
        Open = 0 "unsigned",
        /// Reviewers and roles are listed, and nobody signs.
        Listed = 1 "unsigned, roles listed",
        /// Every decision is signed with the key of a listed reviewer.
        Signed = 2 "signed",
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
