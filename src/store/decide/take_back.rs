//! Taking a decision back by doing its opposite, in an entry of its own.

use crate::domain::candidate::{Candidate, CandidateState};
use crate::domain::decision::{Hand, Signed};
use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::memory::{Memory, MemoryState};
use crate::domain::{Act, CandidateId, EntrySeq, MemoryId, Time};
use crate::store::Store;
use crate::store::candidate::load;
use crate::store::decide::reshape::set_closed;
use crate::store::decide::turn::{Change, set_memory};
use crate::store::decide::{Draft, count_move};
use crate::store::error::StoreError;
use crate::store::memory::load_memory;
use crate::store::write::Tx;
use rusqlite::Connection;

/// A decision to be taken back: what it was and what it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Takeback {
    /// The entry to take back.
    pub entry: EntrySeq,
    /// What it was.
    pub act: Act,
    /// What it was done to.
    pub item: String,
    /// The memory it minted or changed.
    pub memory: Option<MemoryId>,
    /// The candidate it decided.
    pub candidate: Option<CandidateId>,
    /// When.
    pub at: Time,
    /// The end that a renewal found.
    pub ended: Option<Time>,
    /// The memory that an approval took the place of.
    pub supersedes: Option<MemoryId>,
    /// The candidates that a split or a merge closed.
    pub closed: Vec<CandidateId>,
    /// The candidates that it opened.
    pub opened: Vec<CandidateId>,
    /// Whether the candidate was held before.
    pub held: bool,
}

impl Store {
    /// Takes a decision back by doing its opposite, in an entry of its own.
    ///
    /// # Errors
    /// Something else happened to the item since: then nothing was written.
    pub fn take_back(
        &self,
        what: Takeback,
        hand: Hand,
        at: Time,
        signed: Option<Signed>,
    ) -> Result<EntrySeq, StoreError> {
        self.write(move |tx| take_back(tx, &what, &hand, at, signed.as_ref()))
    }

    /// The entry that taking a decision back would make now.
    ///
    /// # Errors
    /// What it was done to is not there.
    pub fn draft_take_back(
        &self,
        what: &Takeback,
        hand: &Hand,
        at: Time,
    ) -> Result<Draft, StoreError> {
        self.read_at_once(|db| {
            let undone = Undone::of(db, what)?;
            Ok(Draft {
                entry: take_back_draft(what, &undone, hand, at),
                beside: Vec::new(),
            })
        })
    }
}

/// What taking a decision back changes.
struct Undone {
    memory: Option<(Memory, MemoryState)>,
    candidate: Option<(Candidate, CandidateState)>,
    /// A memory that stays where it is: its end goes back, or only a first approval is void.
    stays: Option<Memory>,
    /// A memory that was replaced, and takes its place again.
    returns: Option<Memory>,
    /// Candidates that wait again, and those that go with it.
    reopens: Vec<Candidate>,
    withdraws: Vec<Candidate>,
}

impl Undone {
    fn of(db: &Connection, what: &Takeback) -> Result<Self, StoreError> {
        let next = if what.act == Act::Demote {
            MemoryState::Active
        } else {
            MemoryState::Demoted
        };
        let memory = what.memory.map(|id| load_memory(db, id)).transpose()?;
        let reshaped = matches!(what.act, Act::Split | Act::Merge);
        let candidate = what.candidate.filter(|_| !reshaped);
        let candidate = candidate.map(|id| load(db, id)).transpose()?;
        let reopens = all_still(db, &what.closed, |one| one.state == CandidateState::Closed)?;
        let untouched = |one: &Candidate| {
            let waits = [CandidateState::Pending, CandidateState::Quarantined];
            waits.contains(&one.state) && one.version == 1
        };
        let withdraws = all_still(db, &what.opened, untouched)?;
        let minted = matches!(what.act, Act::Approve | Act::Edit);
        // Whoever replaced or demoted it since did so under another item's name.
        if let Some(memory) = &memory {
            let left = match what.act {
                Act::Demote => MemoryState::Demoted,
                _ => MemoryState::Active,
            };
            is_still(memory, left)?;
        }
        not_erased(
            db,
            memory.as_ref().map(|memory| memory.candidate),
            &what.closed,
        )?;
        let returns = match what.supersedes.filter(|_| minted) {
            Some(old) => {
                let old = load_memory(db, old)?;
                is_still(&old, MemoryState::Superseded)?;
                Some(old)
            }
            None => None,
        };
        let moves = !matches!(what.act, Act::Renew | Act::Endorse);
        let (memory, stays) = if moves {
            (memory, None)
        } else {
            (None, memory)
        };
        Ok(Self {
            memory: memory.map(|memory| (memory, next)),
            candidate: candidate.map(|candidate| (candidate, state_before(what.act))),
            stays,
            returns,
            reopens,
            withdraws,
        })
    }
}

/// What was erased since does not come back: there is no text that it could come back with.
fn not_erased(
    db: &Connection,
    behind: Option<CandidateId>,
    closed: &[CandidateId],
) -> Result<(), StoreError> {
    let mut find = db.prepare_cached("SELECT 1 FROM erased WHERE item = ?1")?;
    for id in behind.iter().chain(closed) {
        if find.exists([id.to_string()])? {
            return Err(StoreError::Erased(id.to_string()));
        }
    }
    Ok(())
}

/// These candidates, each where the decision left it; else something else happened since.
fn all_still(
    db: &Connection,
    ids: &[CandidateId],
    still: impl Fn(&Candidate) -> bool,
) -> Result<Vec<Candidate>, StoreError> {
    let mut found = Vec::new();
    for id in ids {
        let candidate = load(db, *id)?;
        if !still(&candidate) {
            return Err(StoreError::Conflict {
                item: id.to_string(),
                seen: 0,
                now: candidate.version,
                outcome: None,
            });
        }
        found.push(candidate);
    }
    Ok(found)
}

/// Something else happened to the memory since, unless it stands where the decision left it.
fn is_still(memory: &Memory, state: MemoryState) -> Result<(), StoreError> {
    if memory.written_state == state {
        return Ok(());
    }
    Err(StoreError::Conflict {
        item: memory.id.to_string(),
        seen: 0,
        now: 0,
        outcome: None,
    })
}

fn take_back_draft(what: &Takeback, undone: &Undone, hand: &Hand, at: Time) -> EntryDraft {
    let mut facts: Facts = [("undoes".to_owned(), what.entry.to_string())].into();
    if let Some((_, next)) = &undone.memory {
        facts.insert("memory_state".to_owned(), next.to_string());
        facts.insert("reason".to_owned(), "undone".to_owned());
    }
    if let Some(memory) = &undone.stays {
        let state = memory.written_state.to_string();
        facts.insert("memory_state".to_owned(), state);
        if let Some(end) = what.ended {
            facts.insert("expires_at".to_owned(), end.millis().to_string());
        }
    }
    if let Some(old) = &undone.returns {
        facts.insert("returns".to_owned(), old.id.to_string());
    }
    for (key, list) in [("reopens", &undone.reopens), ("closes", &undone.withdraws)] {
        let ids: Vec<String> = list.iter().map(|one| one.id.to_string()).collect();
        if !ids.is_empty() {
            facts.insert(key.to_owned(), ids.join(" "));
        }
    }
    if let Some((candidate, next)) = &undone.candidate {
        if what.held {
            facts.insert("held".to_owned(), "yes".to_owned());
        }
        facts.insert("candidate".to_owned(), candidate.id.to_string());
        facts.insert("status".to_owned(), next.to_string());
        facts.insert(
            "version".to_owned(),
            candidate.version.saturating_add(1).to_string(),
        );
    }
    EntryDraft {
        at,
        actor: hand.reviewer.name.to_string(),
        assurance: hand.assurance,
        act: Act::Undo,
        item: what
            .memory
            .map_or_else(|| what.item.clone(), |memory| memory.to_string()),
        facts,
    }
}

fn take_back(
    tx: &Tx<'_>,
    what: &Takeback,
    hand: &Hand,
    at: Time,
    signed: Option<&Signed>,
) -> Result<EntrySeq, StoreError> {
    let at = tx.moment(at)?;
    check_newest(tx, what)?;
    let undone = Undone::of(tx.db(), what)?;
    let draft = Draft {
        entry: take_back_draft(what, &undone, hand, at),
        beside: Vec::new(),
    };
    let entry = tx.append_signed(draft, signed)?;
    crate::store::pulse::taken_back(tx, what)?;
    if let Some((memory, next)) = undone.memory {
        let why = "undone".to_owned();
        let change: Change<'_> = (hand, at, Act::Undo, Some(&why));
        set_memory(
            tx,
            &memory,
            next,
            (next != MemoryState::Active).then_some(change),
        )?;
    }
    if let Some(old) = &undone.returns {
        set_memory(tx, old, MemoryState::Active, None)?;
    }
    if let Some((memory, end)) = undone.stays.zip(what.ended) {
        // What people said against it before the renewal stands again.
        tx.db()
            .prepare_cached(
                "UPDATE memory SET expires_at = ?2, changed_by = NULL, changed_at = NULL, changed_act = NULL, changed_why = NULL \
                 WHERE id = ?1",
            )?
            .execute((memory.id.0, end.millis()))?;
    }
    for candidate in &undone.withdraws {
        set_closed(tx, candidate, None)?;
    }
    let reopened = undone.reopens.into_iter();
    let reopened = reopened.map(|candidate| (candidate, CandidateState::Pending));
    for (candidate, next) in undone.candidate.into_iter().chain(reopened) {
        tx.db()
            .prepare_cached(
                "UPDATE candidate SET version = version + 1, state = ?2, held = ?3, snoozed_until = 0, memory = NULL, \
                 decided_by = NULL, decided_at = NULL, decided_act = NULL, decided_why = NULL WHERE id = ?1",
            )?
            .execute((candidate.id.0, next.code(), what.held))?;
        count_move(tx, &candidate, next, what.held)?;
    }
    Ok(entry)
}

/// Where a candidate stood before this act.
const fn state_before(act: Act) -> CandidateState {
    match act {
        Act::Release | Act::Confirm => CandidateState::Quarantined,
        _ => CandidateState::Pending,
    }
}

/// Refused once another act followed on the same item.
fn check_newest(tx: &Tx<'_>, what: &Takeback) -> Result<(), StoreError> {
    let mut find = tx.db().prepare_cached(
        "SELECT seq FROM entry WHERE item IN (?1, ?2, ?3) AND seq > ?4 AND act <> 21 AND act NOT IN (13, 22, 23, 25, 26, 27, 31, 36) ORDER BY seq LIMIT 1",
    )?;
    let memory = what.memory.map(|id| id.to_string()).unwrap_or_default();
    let candidate = what.candidate.map(|id| id.to_string()).unwrap_or_default();
    let mut later = find.query((&what.item, memory, candidate, what.entry.0))?;
    match later.next()? {
        None => Ok(()),
        Some(_) => Err(StoreError::Conflict {
            item: what.item.clone(),
            seen: 0,
            now: 0,
            outcome: None,
        }),
    }
}
