//! The record of a compaction: which messages were summed up, into which summary, and which
//! candidates were made of it.

use super::run::Run;
use crate::desk::DeskError;
use crate::domain::compaction::Compaction;
use crate::domain::{CandidateId, Digest, SessionId, Span};
use crate::transcript::Message;

/// The messages that no summary has summed up yet, as far as they stand in this artifact.
#[derive(Debug, Default)]
pub(super) struct Since {
    span: Option<Span>,
    messages: u64,
}

impl Since {
    pub(super) fn add(&mut self, span: Option<Span>) {
        let Some(span) = span else { return };
        self.messages += 1;
        self.span = Some(match self.span {
            None => span,
            Some(known) => Span {
                start: known.start.min(span.start),
                end: known.end.max(span.end),
            },
        });
    }
}

impl Run<'_, '_> {
    /// Enters the compaction, once.
    pub(super) fn enter_compaction(
        &mut self,
        message: &Message,
        claims: u64,
        candidates: Vec<CandidateId>,
    ) -> Result<(), DeskError> {
        let since = std::mem::take(&mut self.since);
        let now = self.desk.now();
        let declared = message.session.as_deref().map(SessionId::parse);
        let session = declared
            .and_then(Result::ok)
            .unwrap_or_else(|| self.request.session.clone());
        let compaction = Compaction {
            summary: Digest::of(message.text.as_bytes()),
            source: since.span.map(|span| (self.artifact, span)),
            messages: since.messages,
            layer: self.request.layer.clone(),
            session,
            happened_at: message.at.or(self.options.at).unwrap_or(now).min(now),
            claims,
            candidates,
        };
        self.desk.store.keep_compaction(compaction, now, "ingest")?;
        Ok(())
    }
}
