//! Taking back one's newest decision: an act of its own, with its own entry.

use crate::desk::presence::Presence;
use crate::desk::view::Undoable;
use crate::desk::{Desk, DeskError};
use crate::domain::{Act, CandidateId, EntrySeq, MemoryId, Reviewer, Time};
use crate::store::StoreError;
use crate::store::decide::Takeback;
use crate::store::ledger::EntryWithTexts;

/// How far back the newest decision is looked for, past undoings.
const LOOK_BACK: usize = 64;

impl Desk {
    /// The decision that `undo` would take back: the reviewer's newest that still stands.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn undoable(&self, reviewer: &Reviewer) -> Result<Option<Undoable>, DeskError> {
        let Some(found) = self.newest(reviewer)? else {
            return Ok(None);
        };
        let served = match found.memory {
            Some(memory) => self.store.served_since(memory, found.at)?,
            None => 0,
        };
        Ok(Some(Undoable {
            entry: found.entry,
            act: found.act,
            item: found.item,
            at: found.at,
            served,
        }))
    }

    /// Takes a decision back.
    ///
    /// # Errors
    /// It is not the reviewer's newest, or another act followed on the same item.
    pub fn undo(&self, presence: &Presence, entry: EntrySeq) -> Result<EntrySeq, DeskError> {
        let found = self.newest(&presence.hand().reviewer)?.ok_or_else(|| {
            DeskError::NotPossible("there is no decision of yours to take back".to_owned())
        })?;
        if found.entry != entry {
            return Err(DeskError::NotPossible(format!(
                "{entry} is no longer your newest decision; that is {} on {}",
                found.act, found.item
            )));
        }
        let (hand, now) = (presence.hand().clone(), self.now());
        let signed = self.sign(
            presence,
            || Ok(self.store.draft_take_back(&found, &hand, now)?),
            Act::Undo,
        )?;
        match self.store.take_back(found, hand, now, signed) {
            Err(StoreError::Conflict { item, .. }) => Err(DeskError::NotPossible(format!(
                "another act followed on {item}: it cannot be taken back any more"
            ))),
            other => Ok(other?),
        }
    }

    fn newest(&self, reviewer: &Reviewer) -> Result<Option<Takeback>, DeskError> {
        let decisions = self.store.decisions_by(reviewer.name.as_str(), LOOK_BACK)?;
        let undone: Vec<&String> = decisions
            .iter()
            .filter_map(|one| one.entry.draft.facts.get("undoes"))
            .collect();
        let stands = |one: &&EntryWithTexts| {
            let draft = &one.entry.draft;
            can_be_taken_back(draft.act) && !undone.contains(&&one.entry.seq.to_string())
        };
        Ok(decisions.iter().find(stands).map(takeback))
    }
}

const fn can_be_taken_back(act: Act) -> bool {
    matches!(
        act,
        Act::Approve
            | Act::Edit
            | Act::Endorse
            | Act::Reject
            | Act::Release
            | Act::Confirm
            | Act::Hold
            | Act::Snooze
            | Act::Demote
            | Act::Restore
            | Act::Renew
            | Act::Split
            | Act::Merge
    )
}

fn takeback(one: &EntryWithTexts) -> Takeback {
    let draft = &one.entry.draft;
    let reshaped = matches!(draft.act, Act::Split | Act::Merge);
    let named = |key: &str| -> Vec<CandidateId> {
        let list = draft.facts.get(key).filter(|_| reshaped);
        let ids = list.into_iter().flat_map(|list| list.split(' '));
        ids.filter_map(|id| CandidateId::parse(id).ok()).collect()
    };
    let minted = draft
        .facts
        .get("memory")
        .and_then(|text| MemoryId::parse(text).ok());
    Takeback {
        entry: one.entry.seq,
        act: draft.act,
        item: draft.item.clone(),
        memory: minted.or_else(|| MemoryId::parse(&draft.item).ok()),
        candidate: CandidateId::parse(&draft.item).ok(),
        at: draft.at,
        ended: draft
            .facts
            .get("expires_before")
            .filter(|_| draft.act == Act::Renew)
            .and_then(|millis| millis.parse().ok())
            .map(Time::from_millis),
        held: draft.act == Act::Hold && !draft.facts.contains_key("held"),
        closed: named("closes"),
        opened: named("opens"),
        supersedes: draft
            .facts
            .get("supersedes")
            .and_then(|id| MemoryId::parse(id).ok()),
    }
}
