//! Taking a memory out of service, and bringing it back. Both are a person's act.

use crate::desk::presence::Presence;
use crate::desk::{Desk, DeskError, fresh_salt};
use crate::domain::memory::{Memory, MemoryState};
use crate::domain::reason::DemoteReason;
use crate::domain::{Act, Digest, EntrySeq, MemoryId};
use crate::store::decide::{NewTurn, Note};

impl Desk {
    /// Demotes a memory: it is not served from this moment on.
    ///
    /// # Errors
    /// It is not active, its text is not the one that was shown, or it cannot be written.
    pub fn demote(
        &self,
        presence: &Presence,
        memory: MemoryId,
        shown: Digest,
        reason: DemoteReason,
        note: Option<String>,
    ) -> Result<EntrySeq, DeskError> {
        let kept = self.store.memory(memory)?;
        if kept.written_state == MemoryState::Superseded {
            return Err(DeskError::NotPossible(format!(
                "{memory} was superseded and is not served"
            )));
        }
        self.turn(
            presence,
            &kept,
            shown,
            Act::Demote,
            Some(reason.to_string()),
            note,
        )
    }

    /// Restores a demoted memory. It takes what approving took.
    ///
    /// # Errors
    /// It is not demoted, its time has passed, or it cannot be written.
    pub fn restore(
        &self,
        presence: &Presence,
        memory: MemoryId,
        shown: Digest,
        note: Option<String>,
    ) -> Result<EntrySeq, DeskError> {
        let kept = self.store.memory(memory)?;
        if kept.written_state == MemoryState::Demoted {
            self.check_restorable(&kept, note.as_deref())?;
        }
        self.turn(presence, &kept, shown, Act::Restore, None, note)
    }

    fn check_restorable(&self, memory: &Memory, note: Option<&str>) -> Result<(), DeskError> {
        let id = memory.id;
        if memory.expires_at <= self.now() {
            return Err(DeskError::NotPossible(format!(
                "{id} ended at {}: let it be proposed again",
                memory.expires_at
            )));
        }
        let policy = self.in_force()?;
        let here = policy.at(&memory.scope.layer);
        if here.reviewers_needed(memory.influence) > 1 {
            return Err(DeskError::NotPossible(format!(
                "{id} took two people to approve: let it be proposed again, and approved by two"
            )));
        }
        if here.reason_needed(memory.influence) && note.is_none_or(|note| note.trim().is_empty()) {
            return Err(DeskError::NotPossible(format!(
                "restoring {} influence needs a reason",
                memory.influence
            )));
        }
        self.verify_text(memory).map_err(DeskError::NotPossible)
    }

    fn turn(
        &self,
        presence: &Presence,
        memory: &Memory,
        shown: Digest,
        act: Act,
        reason: Option<String>,
        note: Option<String>,
    ) -> Result<EntrySeq, DeskError> {
        let text = self.shown(&memory.text);
        if text.digest() != shown {
            return Err(DeskError::NotPossible(format!(
                "{} is not the text that was shown; look at it again",
                memory.id
            )));
        }
        let note = match note
            .map(|note| note.trim().to_owned())
            .filter(|note| !note.is_empty())
        {
            Some(body) => Some(Note {
                salt: fresh_salt()?,
                body,
            }),
            None => None,
        };
        let mut new = NewTurn {
            memory: memory.id,
            act,
            hand: presence.hand().clone(),
            at: self.now(),
            reason,
            note,
            shown: Note {
                salt: fresh_salt()?,
                body: text.text,
            },
            signed: None,
        };
        new.signed = self.sign(presence, || Ok(self.store.draft_turn(&new)?), act)?;
        Ok(self.store.turn(new)?)
    }
}
