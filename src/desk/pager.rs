//! The bytes of an artifact as a person may look at them: a bounded part, secrets starred out.

use crate::desk::{Desk, DeskError};
use crate::domain::artifact::ArtifactKind;
use crate::domain::{Digest, Span, Time, Trust};

/// The most bytes that are looked at at once.
const LOOK: usize = 256 * 1024;
/// How much more is read on both sides.
const WIDER: usize = 4096;
/// How many of them stand before what is cited, where not all fit.
const BEFORE: usize = 32 * 1024;

/// A part of an artifact, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactPart {
    /// The hash of all its bytes.
    pub sha256: Digest,
    /// A title for people.
    pub title: String,
    /// What sort of evidence it is.
    pub kind: ArtifactKind,
    /// Where it came from.
    pub trust: Trust,
    /// How many bytes it has.
    pub length: u64,
    /// Which of them these are.
    pub bytes: Span,
    /// The text. Bytes that are no text stand as U+FFFD.
    pub text: String,
    /// What is cited, in this text.
    pub cited: Option<Span>,
    /// When its bytes go.
    pub expires_at: Time,
}

impl Desk {
    /// Looks into an artifact, around what is cited of it.
    ///
    /// # Errors
    /// There is none, its bytes have gone or are not the ones that were kept, or the store cannot be read.
    pub fn look_into(
        &self,
        sha256: &Digest,
        cited: Option<Span>,
    ) -> Result<ArtifactPart, DeskError> {
        let name = sha256.short();
        let gone = |why: &str| DeskError::NotPossible(format!("artifact {name} {why}"));
        let head = self
            .store
            .artifact(sha256)?
            .ok_or_else(|| gone("is not here"))?;
        if !head.present || head.expires_at <= self.now() {
            return Err(gone("has passed its retention: its bytes are gone"));
        }
        if !self.store.artifact_is_whole(sha256)? {
            return Err(gone("was changed on disk: it is not what was kept"));
        }
        let length = usize::try_from(head.length).unwrap_or(usize::MAX);
        let from = match cited {
            Some(span) if length > LOOK => span.start.saturating_sub(BEFORE).min(length),
            _ => 0,
        };
        let part = Span {
            start: from,
            end: length.min(from.saturating_add(LOOK)),
        };
        // Wider than what is shown, so that a secret is recognised whole before the part is cut.
        let wider = Span {
            start: part.start.saturating_sub(WIDER),
            end: part.end.saturating_add(WIDER).min(length),
        };
        let limit = LOOK.saturating_add(2 * WIDER);
        let bytes = self.store.artifact_bytes(sha256, wider, limit)?;
        let bytes = bytes.ok_or_else(|| gone("cannot be read"))?;
        let place = |at: usize| {
            let head = bytes.get(..at.saturating_sub(wider.start));
            String::from_utf8_lossy(head.unwrap_or(&bytes)).len()
        };
        let whole = self.shown(&String::from_utf8_lossy(&bytes)).text;
        let start = whole.floor_char_boundary(place(part.start));
        let end = whole.ceil_char_boundary(place(part.end));
        let text = whole.get(start..end).unwrap_or_default().to_owned();
        let cited = cited.map(|span| Span {
            start: place(span.start).saturating_sub(start),
            end: place(span.end).saturating_sub(start),
        });
        let inside = |span: &Span| span.start < span.end && text.get(span.range()).is_some();
        Ok(ArtifactPart {
            sha256: *sha256,
            title: head.title,
            kind: head.kind,
            trust: head.trust,
            length: head.length,
            bytes: part,
            cited: cited.filter(inside),
            text,
            expires_at: head.expires_at,
        })
    }
}
