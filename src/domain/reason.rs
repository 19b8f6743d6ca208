//! Why a person rejected a claim or demoted a memory: a code for the ledger, a digit for the key.

use crate::domain::word::words;

words! {
    /// Why a claim was rejected; the code is its digit.
    RejectReason as "reject reason" {
        /// It is not so.
        NotTrue = 1 "not_true",
        /// It was so once.
        OutOfDate = 2 "out_of_date",
        /// Too vague to act on.
        TooVague = 3 "too_vague",
        /// Right, but not for this layer.
        WrongScope = 4 "wrong_scope",
        /// Names a person or holds personal data.
        PersonalData = 5 "personal_data",
        /// A passing task, not knowledge.
        NotKnowledge = 6 "not_knowledge",
        /// Known already.
        Duplicate = 7 "duplicate",
        /// Could do harm.
        Unsafe = 8 "unsafe",
        /// Something else; say what.
        Other = 9 "other",
    }
}

words! {
    /// Why a memory was demoted; the code is its digit. Also the taxonomy of incidents.
    DemoteReason as "demote reason" {
        /// The world has moved on.
        Stale = 1 "stale",
        /// What it came from was wrong.
        SourceWrong = 2 "source_wrong",
        /// What it came from was right and was misread.
        ExtractionWrong = 3 "extraction_wrong",
        /// The policy let through what it should not.
        PolicyTooPermissive = 4 "policy_too_permissive",
        /// Served where it does not hold.
        ScopeTooWide = 5 "scope_too_wide",
        /// Something else; say what.
        Other = 6 "other",
        /// The gateway served what it should not.
        GatewayFailed = 7 "gateway_failed",
        /// The approval was taken back.
        Undone = 8 "undone",
    }
}
