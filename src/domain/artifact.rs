//! Evidence: immutable bytes, addressed by their hash, kept for a bounded time, never recalled.

use crate::domain::word::words;
use crate::domain::{Digest, Layer, SessionId, Time, Trust};

words! {
    /// What sort of evidence it is.
    ArtifactKind as "artifact kind" {
        /// A harness's own record of a conversation.
        Transcript = 0 "transcript",
        /// What a tool answered.
        ToolResult = 1 "tool_result",
        /// A page.
        Page = 2 "page",
        /// A summary that a model wrote of a conversation.
        CompactionSummary = 3 "compaction_summary",
        /// A file handed over.
        Document = 4 "document",
        /// Lines of observations.
        Observations = 5 "observations",
    }
}

/// What is known of an artifact without its bytes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ArtifactHead {
    /// The hash of its bytes.
    pub sha256: Digest,
    /// What sort of evidence it is.
    pub kind: ArtifactKind,
    /// Where it came from.
    pub trust: Trust,
    /// The layer it was brought into.
    pub layer: Layer,
    /// The session it belongs to, where known.
    pub session: Option<SessionId>,
    /// A title for people, for instance a file name.
    pub title: String,
    /// How many bytes it has.
    pub length: u64,
    /// When it was brought in.
    pub at: Time,
    /// When its bytes go.
    pub expires_at: Time,
    /// Whether its bytes are still here.
    pub present: bool,
}
