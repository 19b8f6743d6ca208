//! The words of the house, as types: what comes from outside is parsed once, at the door.
//!
//! This room knows what may exist. It reads no clock, file, environment or randomness, and it
//! decides nothing: judgement lives one floor up, acts live in `desk`.

pub mod act;
pub mod artifact;
pub mod backing;
pub mod candidate;
pub mod compaction;
pub mod decision;
pub mod digest;
pub mod document;
pub mod entry;
pub mod finding;
pub mod happening;
pub mod id;
pub mod influence;
pub mod kind;
pub mod known;
pub mod layer;
pub mod memory;
pub mod name;
pub mod observation;
pub mod pace;
pub mod pattern;
pub mod problem;
pub mod query;
pub mod reason;
pub mod receipt;
pub mod report;
pub mod reviewer;
pub mod scope;
pub mod serving;
pub mod source;
pub mod threshold;
pub mod time;
pub mod traceparent;
pub mod trust;
pub mod why;
pub mod word;

pub use act::Act;
pub use backing::{Backing, Weighed};
pub use digest::{Commitment, Digest, Salt};
pub use finding::{Class, Finding, Severity, Span, Verdict};
pub use id::{
    CandidateId, DocumentId, EntrySeq, EventId, LineageId, MemoryId, ObservationId, PatternId,
    ServingId,
};
pub use influence::Influence;
pub use kind::Kind;
pub use layer::Layer;
pub use name::{Project, Proposer, ReviewerName, SessionId, UserId};
pub use problem::Problem;
pub use reviewer::{Assurance, Reviewer, Role};
pub use scope::Scope;
pub use source::SourceRef;
pub use time::Time;
pub use traceparent::TraceParent;
pub use trust::Trust;
pub use word::BadWord;
