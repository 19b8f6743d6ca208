//! Static knowledge, uploaded on purpose: indexed at once, scanned by the gate, never in the queue.

use crate::domain::{Digest, DocumentId, Finding, Layer, Time, Verdict};

/// A document as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Its id.
    pub id: DocumentId,
    /// Its title.
    pub title: String,
    /// The layer it was uploaded for.
    pub layer: Layer,
    /// The hash of its bytes.
    pub sha256: Digest,
    /// How many chunks it has.
    pub chunks: u32,
    /// How many of them the gate keeps back.
    pub withheld: u32,
    /// When it was uploaded.
    pub at: Time,
    /// By whom.
    pub by: String,
}

/// One piece of a document, small enough to hand over.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    /// Its place in the document, from 0.
    pub place: u32,
    /// Its text.
    pub text: String,
    /// What the gate says.
    pub verdict: Verdict,
    /// What the gate objects to.
    pub findings: Vec<Finding>,
}

/// A chunk that answers a recall.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Passage {
    /// The document it stands in.
    pub document: DocumentId,
    /// The document's title.
    pub title: String,
    /// Its place in the document.
    pub place: u32,
    /// Its text.
    pub text: String,
    /// The layer of the document.
    pub layer: Layer,
    /// The hash of the text.
    pub sha256: Digest,
}
