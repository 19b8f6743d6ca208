//! A memory out of service, and back.

use crate::domain::decision::{Hand, Signed};
use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::memory::{Memory, MemoryState};
use crate::domain::{Act, EntrySeq, MemoryId, Time};
use crate::store::Store;
use crate::store::decide::mint::{index_memory, unindex_memory};
use crate::store::decide::{Draft, Note, beside};
use crate::store::error::StoreError;
use crate::store::memory::load_memory;
use crate::store::write::{Tx, committed};
use rusqlite::ToSql;

/// A change of a memory by a person.
#[derive(Debug, Clone)]
pub struct NewTurn {
    /// The memory.
    pub memory: MemoryId,
    /// `demote` or `restore`.
    pub act: Act,
    /// Who decides.
    pub hand: Hand,
    /// When.
    pub at: Time,
    /// The reason's word.
    pub reason: Option<String>,
    /// The reason in the reviewer's own words.
    pub note: Option<Note>,
    /// The text that was on screen, and the salt of its commitment.
    pub shown: Note,
    /// The signature over it, where the store is signed.
    pub signed: Option<Signed>,
}

impl Store {
    /// Demotes or restores a memory.
    ///
    /// # Errors
    /// The memory is not in the state this needs: then nothing was written.
    pub fn turn(&self, new: NewTurn) -> Result<EntrySeq, StoreError> {
        self.write(move |tx| turn(tx, &new))
    }

    /// The entry that a change of a memory would make now.
    ///
    /// # Errors
    /// The memory is not there, or not in the state this needs.
    pub fn draft_turn(&self, new: &NewTurn) -> Result<Draft, StoreError> {
        self.read_at_once(|db| turn_draft(&load_memory(db, new.memory)?, new))
    }
}

fn turn(tx: &Tx<'_>, new: &NewTurn) -> Result<EntrySeq, StoreError> {
    let new = &NewTurn {
        at: tx.moment(new.at)?,
        ..new.clone()
    };
    let memory = load_memory(tx.db(), new.memory)?;
    let draft = turn_draft(&memory, new)?;
    let entry = tx.append_signed(draft, new.signed.as_ref())?;
    let why = new
        .note
        .as_ref()
        .map(|note| &note.body)
        .or(new.reason.as_ref());
    let (_, next) = turned(new.act);
    set_memory(tx, &memory, next, Some((&new.hand, new.at, new.act, why)))?;
    crate::store::pulse::turned(tx, &memory.scope.layer, new.act, new.at)?;
    Ok(entry)
}

/// The state a change of a memory needs, and the one it leaves.
const fn turned(act: Act) -> (MemoryState, MemoryState) {
    match act {
        Act::Restore => (MemoryState::Demoted, MemoryState::Active),
        _ => (MemoryState::Active, MemoryState::Demoted),
    }
}

fn turn_draft(memory: &Memory, new: &NewTurn) -> Result<Draft, StoreError> {
    let (needed, next) = turned(new.act);
    if memory.written_state != needed {
        let outcome = memory.changed.clone();
        return Err(StoreError::Conflict {
            item: memory.id.to_string(),
            seen: 0,
            now: 0,
            outcome,
        });
    }
    let mut facts: Facts = [("memory_state".to_owned(), next.to_string())].into();
    if let Some(reason) = &new.reason {
        facts.insert("reason".to_owned(), reason.clone());
    }
    let mut texts = vec![beside("before", &new.shown)];
    texts.extend(new.note.as_ref().map(|note| beside("reason", note)));
    let entry = EntryDraft {
        at: new.at,
        actor: new.hand.reviewer.name.to_string(),
        assurance: new.hand.assurance,
        act: new.act,
        item: memory.id.to_string(),
        facts,
    };
    Ok(Draft {
        entry: committed(entry, &texts),
        beside: texts,
    })
}

pub(in crate::store) type Change<'a> = (&'a Hand, Time, Act, Option<&'a String>);

pub(in crate::store) fn set_memory(
    tx: &Tx<'_>,
    memory: &Memory,
    next: MemoryState,
    change: Option<Change<'_>>,
) -> Result<(), StoreError> {
    let values: [&dyn ToSql; 6] = [
        &memory.id.0,
        &next.code(),
        &change.map(|(hand, ..)| hand.reviewer.name.as_str()),
        &change.map(|(_, at, ..)| at.millis()),
        &change.map(|(_, _, act, _)| act.code()),
        &change.and_then(|(.., why)| why),
    ];
    tx.db()
        .prepare_cached(
            "UPDATE memory SET state = ?2, changed_by = ?3, changed_at = ?4, changed_act = ?5, changed_why = ?6 WHERE id = ?1",
        )?
        .execute(values)?;
    if next == MemoryState::Active {
        let layer = tx.layer(&memory.scope.layer)?;
        tx.tally("memories", 1)?;
        index_memory(tx, memory.id, layer, &memory.text)
    } else {
        tx.tally("memories", -1)?;
        unindex_memory(tx, memory.id)
    }
}
