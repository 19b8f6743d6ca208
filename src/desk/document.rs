//! Documents: static knowledge, cut into chunks, each scanned by the gate, indexed at once.
//!
//! Adding one is a decision: what it says reaches agents without passing the queue. A chunk that
//! the gate would quarantine is kept back and named.

use crate::desk::presence::Presence;
use crate::desk::{Desk, DeskError};
use crate::domain::document::{Chunk, Document};
use crate::domain::pattern::Support;
use crate::domain::{Act, Digest, DocumentId, Kind, Layer, Scope, SourceRef, Trust, Verdict};
use crate::gate::{Facts, SourceFact, Standing};
use crate::store::document::NewDocument;

/// The longest chunk, in bytes; a longer paragraph is cut at its sentences.
const LONGEST: usize = 1200;
/// The longest document that is taken.
const LONGEST_DOCUMENT: usize = 8 * 1024 * 1024;

/// A document, cut and scanned, before anybody decided about it.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentDraft {
    /// Its title.
    pub title: String,
    /// The layer it is for.
    pub layer: Layer,
    /// The hash of its text.
    pub sha256: Digest,
    /// Its pieces, each judged.
    pub chunks: Vec<Chunk>,
}

/// What became of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentAdded {
    /// Its id.
    pub id: DocumentId,
    /// How many chunks it has.
    pub chunks: usize,
    /// Those kept back: their place and the objection.
    pub withheld: Vec<(u32, String)>,
}

impl Desk {
    /// Cuts and scans a text. Nothing is written.
    ///
    /// # Errors
    /// It is empty or too long.
    pub fn draft_document(
        &self,
        title: &str,
        layer: &Layer,
        text: &str,
    ) -> Result<DocumentDraft, DeskError> {
        let bad = |what: &str, hint: &str| DeskError::BadInput {
            what: what.to_owned(),
            hint: hint.to_owned(),
        };
        if text.trim().is_empty() {
            return Err(bad("the document is empty", "name a file with text in it"));
        }
        if text.len() > LONGEST_DOCUMENT {
            return Err(bad("the document is longer than 8 MiB", "split it"));
        }
        let sha256 = Digest::of(text.as_bytes());
        let scope = Scope::of(layer.clone());
        let others = self.store.other_tenants(layer.tenant())?;
        let source = SourceFact {
            reference: SourceRef::Artifact { sha256, span: None },
            trust: Trust::Tool,
            standing: Standing::Held,
            text: None,
        };
        let policy = self.in_force()?;
        let judge = |place: usize, piece: &str| {
            let facts = Facts {
                text: piece,
                kind: Kind::ObservedFact,
                sources: std::slice::from_ref(&source),
                declared_trust: None,
                scope: &scope,
                proposer_layer: None,
                expires_at: None,
                now: self.now(),
                confidence: None,
                forbidden_fields: &[],
                claims: 1,
                support: Support::default(),
                other_tenants: &others,
                receipt: false,
                evidence: None,
            };
            // A chunk holds many sentences: only what it says counts, not how a single claim is built.
            let mut findings = crate::gate::judge(&facts, &policy).findings;
            findings.retain(|finding| finding.class != crate::domain::Class::Structure);
            Chunk {
                place: u32::try_from(place).unwrap_or(u32::MAX),
                text: piece.to_owned(),
                verdict: Verdict::of(&findings),
                findings,
            }
        };
        let chunks = cut(text)
            .into_iter()
            .enumerate()
            .map(|(place, piece)| judge(place, piece))
            .collect();
        Ok(DocumentDraft {
            title: title.to_owned(),
            layer: layer.clone(),
            sha256,
            chunks,
        })
    }

    /// Adds a document that a person has decided about.
    ///
    /// # Errors
    /// The same bytes stand in the same layer already, or the store cannot be written.
    pub fn add_document(
        &self,
        presence: &Presence,
        draft: DocumentDraft,
    ) -> Result<DocumentAdded, DeskError> {
        let chunks = draft.chunks.len();
        let withheld = kept_back(&draft);
        let here = self.store.documents()?;
        let same = here
            .iter()
            .find(|one| one.layer == draft.layer && one.sha256 == draft.sha256);
        if let Some(same) = same {
            return Err(DeskError::BadInput {
                what: format!("the same text is in {} already, as {}", same.layer, same.id),
                hint: "remove that one first, or add a changed text".to_owned(),
            });
        }
        let mut new = NewDocument {
            title: draft.title,
            layer: draft.layer,
            sha256: draft.sha256,
            chunks: draft.chunks,
            hand: presence.hand().clone(),
            at: self.now(),
            signed: None,
        };
        new.signed = self.sign(
            presence,
            || Ok(self.store.draft_document(&new)?),
            Act::DocumentAdd,
        )?;
        let id = self.store.add_document(new)?;
        Ok(DocumentAdded {
            id,
            chunks,
            withheld,
        })
    }

    /// Takes a document away.
    ///
    /// # Errors
    /// There is none, or the store cannot be written.
    pub fn remove_document(&self, presence: &Presence, id: DocumentId) -> Result<(), DeskError> {
        let (hand, now) = (presence.hand().clone(), self.now());
        let draft = || Ok(self.store.draft_removal(id, &hand, now));
        let signed = self.sign(presence, draft, Act::DocumentRemove)?;
        Ok(self.store.remove_document(id, hand, now, signed)?)
    }

    /// Documents that are here, newest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn documents(&self) -> Result<Vec<Document>, DeskError> {
        Ok(self.store.documents()?)
    }
}

/// The chunks that the gate keeps back, with its objection.
pub(in crate::desk) fn kept_back(draft: &DocumentDraft) -> Vec<(u32, String)> {
    let objection = |chunk: &Chunk| {
        let worst = chunk.findings.iter().max_by_key(|finding| finding.severity);
        worst
            .map(|finding| format!("{}: {}", finding.rule, finding.message))
            .unwrap_or_default()
    };
    draft
        .chunks
        .iter()
        .filter(|chunk| chunk.verdict == Verdict::Quarantine)
        .map(|chunk| (chunk.place, objection(chunk)))
        .collect()
}

/// Paragraphs, joined while they are short, cut at sentences where they are long.
fn cut(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut end = 0;
    for paragraph in text.split_inclusive("\n\n") {
        if end > start && end + paragraph.len() - start > LONGEST {
            pieces.push((start, end));
            start = end;
        }
        end += paragraph.len();
    }
    pieces.push((start, end));
    pieces
        .into_iter()
        .filter_map(|(start, end)| text.get(start..end))
        .flat_map(cut_long)
        .map(str::trim)
        .filter(|piece| !piece.is_empty())
        .collect()
}

fn cut_long(mut text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    while text.len() > LONGEST {
        let limit = text.floor_char_boundary(LONGEST);
        let head = text.get(..limit).unwrap_or(text);
        let at = [". ", "\n", " "]
            .iter()
            .find_map(|mark| head.rfind(mark).map(|at| at + mark.len()))
            .unwrap_or(limit);
        let (piece, rest) = text.split_at_checked(at.max(1)).unwrap_or((text, ""));
        pieces.push(piece);
        text = rest;
    }
    pieces.push(text);
    pieces
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, cut};

    #[test]
    fn chunks_hold_the_whole_text_and_none_is_too_long() {
        let paragraph = "A sentence about refunds. ".repeat(30);
        let text = format!("Title\n\n{paragraph}\n\n{}\n\nlast", "ä".repeat(3000));
        let pieces = cut(&text);
        assert!(pieces.iter().all(|piece| piece.len() <= LONGEST));
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(bare(&pieces.concat()), bare(&text));
    }
}
