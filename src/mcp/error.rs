//! How a tool fails: a stable code and one sentence, and nothing of the machine or of other layers.

use crate::desk::DeskError;
use crate::store::StoreError;
use serde_json::{Value, json};

/// The codes that programs may rely on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::mcp) enum Code {
    /// An argument is missing, unknown or cannot be read.
    BadArgument,
    /// The layer lies outside the one the server is bound to.
    OutsideLayer,
    /// There is no such thing here.
    UnknownId,
    /// Somebody holds the store; the same call may succeed later.
    StoreBusy,
    /// The store or its policy cannot be read.
    StoreUnreadable,
    /// Not possible as things stand.
    NotPossible,
}

impl Code {
    const fn as_str(self) -> &'static str {
        match self {
            Self::BadArgument => "bad_argument",
            Self::OutsideLayer => "outside_layer",
            Self::UnknownId => "unknown_id",
            Self::StoreBusy => "store_busy",
            Self::StoreUnreadable => "store_unreadable",
            Self::NotPossible => "not_possible",
        }
    }
}

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::mcp) struct ToolError {
    code: Code,
    message: String,
}

impl ToolError {
    pub(in crate::mcp) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    pub(in crate::mcp) fn argument(name: &str, what: &str) -> Self {
        let name = crate::text::line_within(name, 60);
        Self::new(Code::BadArgument, format!("`{name}` {what}"))
    }

    pub(in crate::mcp) fn unknown(what: &str) -> Self {
        let what = crate::text::line_within(what, 60);
        Self::new(Code::UnknownId, format!("there is no {what} here"))
    }

    /// The error as it goes over the wire.
    pub(in crate::mcp) fn to_json(&self) -> Value {
        json!({ "error": { "code": self.code.as_str(), "message": self.message } })
    }
}

impl From<DeskError> for ToolError {
    // INVARIANT: no path, no SQL and no text of another layer leaves through here; what the store
    // says of itself is for the person at the machine.
    fn from(error: DeskError) -> Self {
        match error {
            DeskError::BadInput { what, .. } => Self::new(Code::BadArgument, what),
            DeskError::NotFound(what) => Self::unknown(&what),
            DeskError::NotPossible(what) => Self::new(Code::NotPossible, what),
            DeskError::Store(StoreError::Busy(_)) => Self::new(
                Code::StoreBusy,
                "the store is busy; the same call may succeed in a moment",
            ),
            DeskError::Store(StoreError::NotFound(what)) => Self::unknown(&what),
            DeskError::Policy(_)
            | DeskError::Store(_)
            | DeskError::Conflict(_)
            | DeskError::Refused(_) => Self::new(
                Code::StoreUnreadable,
                "the store does not answer; its owner finds out why with `countersign audit verify`",
            ),
        }
    }
}

/// A value that an agent wrote and that cannot be read as what it should be.
pub(in crate::mcp) fn unreadable(
    name: &'static str,
) -> impl Fn(&dyn std::fmt::Display) -> ToolError {
    move |why| ToolError::argument(name, &format!("cannot be read: {why}"))
}
