//! What a memory could cause. The gate computes its floor; a reviewer may raise it, never lower it.

use crate::domain::word::words;

words! {
    /// What a claim could cause, least first.
    Influence as "influence" {
        /// How an answer is worded.
        Style = 0 "style",
        /// What an answer says.
        Answer = 1 "answer",
        /// What an agent sets out to do.
        Plan = 2 "plan",
        /// A target that an agent would act on.
        Action = 3 "action",
        /// A permission. Never promoted.
        Authority = 4 "authority",
    }
}
