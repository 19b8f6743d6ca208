//! What sort of claim a candidate makes.

use crate::domain::word::words;

words! {
    /// What sort of claim it is.
    Kind as "kind" {
        /// Something seen to be so.
        ObservedFact = 0 "observed_fact",
        /// Something one person likes.
        UserPreference = 1 "user_preference",
        /// Something concluded.
        Inference = 2 "inference",
        /// Where a piece of work stands.
        TaskState = 3 "task_state",
    }
}
