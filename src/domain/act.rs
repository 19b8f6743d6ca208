//! What can happen to a store: each is one entry in the ledger.

use crate::domain::Role;
use crate::domain::word::words;

words! {
    /// One act. The first group is decided by people only.
    Act as "act" {
        /// A candidate became a memory as it stood.
        Approve = 1 "approve",
        /// A candidate became a memory in the reviewer's wording.
        Edit = 2 "edit",
        /// A candidate was turned down.
        Reject = 3 "reject",
        /// A quarantined candidate was let into the queue.
        Release = 4 "release",
        /// A quarantined candidate was confirmed as bad.
        Confirm = 5 "confirm",
        /// A memory stopped being served.
        Demote = 6 "demote",
        /// A demoted memory is served again.
        Restore = 7 "restore",
        /// The newest decision was taken back.
        Undo = 8 "undo",
        /// A candidate is held for someone else to look at.
        Hold = 9 "hold",
        /// A candidate comes back later.
        Snooze = 10 "snooze",
        /// Static knowledge was uploaded.
        DocumentAdd = 11 "document_add",
        /// Static knowledge was taken away.
        DocumentRemove = 12 "document_remove",
        /// A hidden secret was looked at.
        Reveal = 13 "reveal",
        /// The policy in force, or the shadow beside it, was changed.
        Policy = 14 "policy",
        /// The thresholds of the detector were set.
        Thresholds = 15 "thresholds",
        /// The list of reviewers changed.
        Reviewer = 16 "reviewer",
        /// Decisions made before signing began were taken over by an admin.
        Adopt = 17 "adopt",
        /// A text, its salt and every copy of it were removed for good.
        Erase = 18 "erase",
        /// A person verified a memory again: it lives on.
        Renew = 19 "renew",
        /// The store began, under a policy.
        Init = 20 "init",
        /// A batch of observations came in.
        Observe = 21 "observe",
        /// Evidence bytes were kept.
        Artifact = 22 "artifact",
        /// A candidate was proposed and judged.
        Propose = 23 "propose",
        /// New evidence changed a candidate.
        Support = 24 "support",
        /// Memories were handed over.
        Serve = 25 "serve",
        /// A recall withheld something that did not verify.
        Withhold = 26 "withhold",
        /// Someone who may not decide tried to.
        Refuse = 27 "refuse",
        /// A checkpoint of everything before this entry was signed.
        Checkpoint = 28 "checkpoint",
        /// The store was restored from a backup.
        Restored = 29 "restored",
        /// The patterns were held against the groups that the detector would make today.
        Regroup = 30 "regroup",
        /// Enough people say otherwise than a memory: it is marked, and still served.
        Stale = 31 "stale",
        /// Evidence bytes passed their retention and went.
        Expire = 32 "expire",
        /// A signed workflow event arrived.
        Event = 33 "event",
        /// The policy let a named class of low influence pass, without a person.
        Auto = 34 "auto",
        /// A model summed a conversation up.
        Compaction = 35 "compaction",
        /// An agent reported on a memory that was handed to it.
        Report = 36 "report",
        /// A source of signed events was added or taken away.
        EventSource = 40 "event_source",
        /// A first approval, or a first re-verification, of what takes more than one.
        Endorse = 41 "endorse",
        /// A candidate with several claims became several candidates.
        Split = 42 "split",
        /// Candidates that say the same became one.
        Merge = 43 "merge",
    }
}

impl Act {
    /// Whether only a person at a terminal may do this.
    #[must_use]
    pub const fn is_decision(self) -> bool {
        self.code() < Self::Init.code() || self.code() >= Self::EventSource.code()
    }

    /// The role that this decision takes, where there are reviewers with roles.
    #[must_use]
    pub const fn takes(self) -> Role {
        match self {
            Self::Reviewer
            | Self::Adopt
            | Self::EventSource
            | Self::Policy
            | Self::Thresholds
            | Self::Erase => Role::Admin,
            Self::Release | Self::Confirm | Self::Reveal => Role::Security,
            _ => Role::Reviewer,
        }
    }
}
