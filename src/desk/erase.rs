//! Erasing: an admin's decision that takes a text out of everything this store holds.
//!
//! The ledger stays whole: it holds salted commitments, and salt and text go together. What cannot
//! be taken back is named: servings that happened, exports and backups that were made.

use crate::desk::presence::Presence;
use crate::desk::{Desk, DeskError, fresh_salt};
use crate::domain::entry::Beside;
use crate::domain::{Act, CandidateId, EntrySeq, MemoryId, ObservationId, SourceRef};
use crate::store::erase::{NewErasure, Subject};

/// What is about to be erased, to be read by whoever decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasable {
    /// What: `C-12`, `O-3`, `artifact:<sha256>`.
    pub item: String,
    /// Its text; none of evidence, which is named only.
    pub text: Option<String>,
    /// What else goes with it, in words.
    pub also: Vec<String>,
    subject: Subject,
}

/// What was erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErasureDone {
    /// The entry that says so.
    pub entry: EntrySeq,
    /// Memories that are served no more.
    pub memories: Vec<MemoryId>,
    /// Other items that hold the same words or were drawn from it: nothing happened to them.
    pub alike: Vec<String>,
    /// Whether no copy is left in the write-ahead log.
    pub log_emptied: bool,
}

impl Desk {
    /// What `erase` would erase.
    ///
    /// # Errors
    /// There is no such thing, or nothing of this kind can be erased.
    pub fn erasable(&self, subject: &str) -> Result<Erasable, DeskError> {
        if let Ok(SourceRef::Artifact { sha256, span: None }) = SourceRef::parse(subject) {
            let head = self.store.artifact(&sha256)?;
            let head = head.ok_or_else(|| DeskError::NotFound(format!("there is no {subject}")))?;
            let drawn = self.store.observations_of(&sha256)?.len();
            let mut also = vec![format!(
                "{} bytes of evidence, {}",
                head.length,
                self.shown(&head.title).text
            )];
            if drawn > 0 {
                also.push(format!(
                    "{drawn} observations were drawn from it and stay: erase them one by one"
                ));
            }
            return Ok(Erasable {
                item: format!("artifact:{sha256}"),
                text: None,
                also,
                subject: Subject::Artifact(sha256),
            });
        }
        if let Ok(id) = ObservationId::parse(subject) {
            let found = self.store.observation(id)?;
            let found = found.ok_or_else(|| DeskError::NotFound(format!("there is no {id}")))?;
            let text = found.sighting.text;
            let key = crate::recurrence::fingerprint(&text);
            return Ok(Erasable {
                item: id.to_string(),
                text: Some(self.shown(&text).text),
                also: vec![
                    "who said it and in which session; the pattern keeps its counts".to_owned(),
                ],
                subject: Subject::Observation(id, key),
            });
        }
        let id = match MemoryId::parse(subject) {
            Ok(memory) => self.store.memory(memory)?.candidate,
            Err(_) => CandidateId::parse(subject).map_err(|_| DeskError::BadInput {
                what: format!(
                    "`{}` is nothing that can be erased",
                    crate::text::line(subject)
                ),
                hint: "name artifact:<sha256>, an observation O-3 or a claim C-12".to_owned(),
            })?,
        };
        let candidate = self.store.candidate(id)?;
        let mut also = vec!["every text that its decisions kept beside the ledger".to_owned()];
        if let Some(memory) = self.store.memory_of(id)? {
            also.push(format!("{memory}, which is served no more"));
        }
        Ok(Erasable {
            item: id.to_string(),
            text: Some(self.shown(&candidate.claim).text),
            also,
            subject: Subject::Claim(id),
        })
    }

    /// Erases what was shown.
    ///
    /// # Errors
    /// The reviewer is no admin, no reason was given, it was erased before, or it cannot be written.
    pub fn erase(
        &self,
        presence: &Presence,
        what: Erasable,
        reason: &str,
    ) -> Result<ErasureDone, DeskError> {
        self.may(presence, Act::Erase)?;
        let hand = presence.hand().clone();
        let reason = reason.trim();
        if reason.is_empty() {
            return Err(DeskError::NotPossible("erasing needs a reason".to_owned()));
        }
        let bytes = match &what.subject {
            Subject::Artifact(sha256) => Some(*sha256),
            _ => None,
        };
        let mut new = NewErasure {
            subject: what.subject,
            hand,
            at: self.now(),
            reason: Beside {
                part: "reason".to_owned(),
                salt: fresh_salt()?,
                body: reason.to_owned(),
            },
            signed: None,
        };
        new.signed = self.sign(presence, || Ok(self.store.draft_erase(&new)?), Act::Erase)?;
        let done = self.store.erase(new)?;
        if let Some(sha256) = bytes {
            self.store.remove_bytes(&sha256)?;
        }
        Ok(ErasureDone {
            entry: done.entry,
            memories: done.memories,
            alike: done.alike,
            log_emptied: self.store.empty_log()?,
        })
    }
}
