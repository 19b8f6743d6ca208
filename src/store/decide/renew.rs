//! A memory that a person has verified again: the only act that moves its end.

use crate::domain::decision::{Hand, Signed};
use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::memory::{Memory, MemoryState};
use crate::domain::{Act, EntrySeq, MemoryId, Time};
use crate::store::Store;
use crate::store::decide::{ApprovalReach, Draft, Note, beside};
use crate::store::error::StoreError;
use crate::store::memory::load_memory;
use crate::store::write::{Tx, committed};

/// A renewal, with everything its entry holds.
#[derive(Debug, Clone)]
pub struct NewRenewal {
    /// The memory.
    pub memory: MemoryId,
    /// Who decides.
    pub hand: Hand,
    /// When.
    pub at: Time,
    /// The reason, in the reviewer's own words.
    pub note: Option<Note>,
    /// The text that was on screen, and the salt of its commitment.
    pub shown: Note,
    /// The end that was on screen.
    pub before: Time,
    /// When it ends from now on.
    pub expires_at: Time,
    /// How far this renewal goes.
    pub reach: ApprovalReach,
    /// The signature over it, where the store is signed.
    pub signed: Option<Signed>,
}

impl Store {
    /// Moves a memory's end, or notes the first of the people that this takes.
    ///
    /// # Errors
    /// The memory is not active, or its end is not the one that was seen: then nothing was written.
    pub fn renew(&self, new: NewRenewal) -> Result<EntrySeq, StoreError> {
        self.write(move |tx| renew(tx, &new))
    }

    /// The entry that a renewal would make now.
    ///
    /// # Errors
    /// The memory is not there, or not what it was.
    pub fn draft_renewal(&self, new: &NewRenewal) -> Result<Draft, StoreError> {
        self.read_at_once(|db| draft(&load_memory(db, new.memory)?, new))
    }
}

fn renew(tx: &Tx<'_>, new: &NewRenewal) -> Result<EntrySeq, StoreError> {
    let new = &NewRenewal {
        at: tx.moment(new.at)?,
        ..new.clone()
    };
    let memory = load_memory(tx.db(), new.memory)?;
    let entry = tx.append_signed(draft(&memory, new)?, new.signed.as_ref())?;
    let act = match new.reach {
        ApprovalReach::First => Act::Endorse,
        ApprovalReach::Alone | ApprovalReach::Completes(_) => Act::Renew,
    };
    crate::store::pulse::turned(tx, &memory.scope.layer, act, new.at)?;
    if act == Act::Endorse {
        return Ok(entry);
    }
    let why = new.note.as_ref().map(|note| &note.body);
    let by = new.hand.reviewer.name.as_str();
    tx.db()
        .prepare_cached(
            "UPDATE memory SET expires_at = ?2, changed_by = ?3, changed_at = ?4, changed_act = ?5, changed_why = ?6 WHERE id = ?1",
        )?
        .execute((
            memory.id.0,
            new.expires_at.millis(),
            by,
            new.at.millis(),
            Act::Renew.code(),
            why,
        ))?;
    Ok(entry)
}

fn draft(memory: &Memory, new: &NewRenewal) -> Result<Draft, StoreError> {
    if memory.written_state != MemoryState::Active || memory.expires_at != new.before {
        return Err(StoreError::Conflict {
            item: memory.id.to_string(),
            seen: 0,
            now: 0,
            outcome: memory.changed.clone(),
        });
    }
    let mut facts: Facts = [
        ("expires_at", new.expires_at.millis().to_string()),
        ("expires_before", new.before.millis().to_string()),
        ("memory_state", MemoryState::Active.to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    if let ApprovalReach::Completes(entries) = &new.reach {
        let listed: Vec<String> = entries.iter().map(ToString::to_string).collect();
        facts.insert("endorsed".to_owned(), listed.join(" "));
    }
    let mut texts = vec![beside("before", &new.shown)];
    texts.extend(new.note.as_ref().map(|note| beside("reason", note)));
    let act = match new.reach {
        ApprovalReach::First => Act::Endorse,
        ApprovalReach::Alone | ApprovalReach::Completes(_) => Act::Renew,
    };
    let entry = EntryDraft {
        at: new.at,
        actor: new.hand.reviewer.name.to_string(),
        assurance: new.hand.assurance,
        act,
        item: memory.id.to_string(),
        facts,
    };
    Ok(Draft {
        entry: committed(entry, &texts),
        beside: texts,
    })
}
