//! The ledger as it is kept: pages for people, a walk for verification, the tables to compare with.

use crate::domain::candidate::CandidateState;
use crate::domain::entry::{Beside, Entry, EntryDraft};
use crate::domain::memory::MemoryState;
use crate::domain::{Act, Commitment, Digest, EntrySeq, Influence, Kind, Salt};
use crate::ledger::canonical::decode;
use crate::ledger::replay::{CandidateFacts, MemoryFacts, State, scope_key};
use crate::store::error::StoreError;
use crate::store::recall::KeptEntry;
use crate::store::{Store, rows};
use rusqlite::{Connection, OptionalExtension as _, Row};

/// An entry with the texts kept beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryWithTexts {
    /// The entry, if its bytes can be read.
    pub entry: Entry,
    /// Its hash, as kept.
    pub hash: Digest,
    /// The texts it commits to that have not been erased.
    pub beside: Vec<Beside>,
}

/// One step of a walk over the ledger.
#[derive(Debug)]
pub enum Step<'a> {
    /// An entry as it is kept.
    Entry(&'a KeptEntry, &'a [Beside]),
    /// The end that the store remembers, and the state of its tables at that moment.
    End {
        seq: i64,
        hash: Digest,
        tables: &'a State,
    },
}

impl Store {
    /// Entries before a place, newest first, at most `limit`; narrowed by act, item or actor.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn entries(
        &self,
        before: Option<EntrySeq>,
        text: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<EntryWithTexts>, bool), StoreError> {
        self.read_at_once(|db| {
            let narrowing = text.map_or("?2 IS NULL", narrowing);
            let sql = format!("SELECT seq, bytes, hash FROM entry WHERE seq < ?1 AND {narrowing} ORDER BY seq DESC LIMIT ?3");
            let from = before.map_or(i64::MAX, |seq| seq.0);
            let wanted = i64::try_from(limit.saturating_add(1)).unwrap_or(i64::MAX);
            let mut list = listed(db, &sql, (from, text.map(narrowing_value), wanted))?;
            let more = list.len() > limit;
            list.truncate(limit);
            Ok((list, more))
        })
    }

    /// Entries about any of these items, newest first, at most `limit`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn history(
        &self,
        items: &[String],
        limit: usize,
    ) -> Result<Vec<EntryWithTexts>, StoreError> {
        self.read_at_once(|db| {
            let sql =
                "SELECT seq, bytes, hash FROM entry WHERE item = ?1 AND act <> 21 ORDER BY seq DESC LIMIT ?2";
            let mut all = Vec::new();
            for item in items {
                all.extend(listed(
                    db,
                    sql,
                    (item, i64::try_from(limit).unwrap_or(i64::MAX)),
                )?);
            }
            all.sort_by_key(|one| std::cmp::Reverse(one.entry.seq));
            all.truncate(limit);
            Ok(all)
        })
    }

    /// The newest decisions by a reviewer, undoings included, newest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn decisions_by(
        &self,
        reviewer: &str,
        limit: usize,
    ) -> Result<Vec<EntryWithTexts>, StoreError> {
        self.read_at_once(|db| {
            let sql = "SELECT seq, bytes, hash FROM entry WHERE actor = ?1 AND act < 20 ORDER BY seq DESC LIMIT ?2";
            listed(db, sql, (reviewer, i64::try_from(limit).unwrap_or(i64::MAX)))
        })
    }

    /// Adds an entry that changes nothing else, for instance a refusal.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn note(&self, draft: EntryDraft) -> Result<EntrySeq, StoreError> {
        self.write(move |tx| tx.append(draft, &[]))
    }

    /// Walks the whole ledger in order, then hands over what the tables say, all in one snapshot.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn walk(&self, each: &mut dyn FnMut(Step<'_>)) -> Result<(), StoreError> {
        self.read_at_once(|db| {
            let mut texts = db.prepare_cached(
                "SELECT part, salt, body FROM beside WHERE seq = ?1 ORDER BY part",
            )?;
            let mut all = db.prepare("SELECT seq, bytes, hash FROM entry ORDER BY seq")?;
            let mut found = all.query([])?;
            while let Some(row) = found.next()? {
                let kept = KeptEntry {
                    seq: EntrySeq(row.get(0)?),
                    bytes: row.get(1)?,
                    hash: rows::digest(&row.get::<_, Vec<u8>>(2)?)?,
                };
                let beside = beside_of(&mut texts, kept.seq)?;
                each(Step::Entry(&kept, &beside));
            }
            let head = db
                .prepare("SELECT seq, hash FROM ledger_head")?
                .query_row([], |row| {
                    Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?))
                })
                .optional()?;
            let (seq, hash) = head.unwrap_or_default();
            let hash = Digest::from_slice(&hash).unwrap_or(Digest::ZERO);
            let tables = tables(db)?;
            each(Step::End {
                seq,
                hash,
                tables: &tables,
            });
            Ok(())
        })
    }
}

/// Which column a narrowing text can mean.
fn narrowing(text: &str) -> &'static str {
    if Act::parse(text).is_ok() {
        "act = ?2"
    } else if text.contains('-') || text.contains(':') {
        "item = ?2 AND act <> 21"
    } else {
        "actor = ?2"
    }
}

fn narrowing_value(text: &str) -> rusqlite::types::Value {
    Act::parse(text).map_or_else(|_| text.to_owned().into(), |act| act.code().into())
}

fn listed(
    db: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> Result<Vec<EntryWithTexts>, StoreError> {
    let mut texts =
        db.prepare_cached("SELECT part, salt, body FROM beside WHERE seq = ?1 ORDER BY part")?;
    let mut find = db.prepare_cached(sql)?;
    let mut found = find.query(values)?;
    let mut list = Vec::new();
    while let Some(row) = found.next()? {
        list.push(entry_row(row, &mut texts)?);
    }
    Ok(list)
}

fn entry_row(
    row: &Row<'_>,
    texts: &mut rusqlite::Statement<'_>,
) -> Result<EntryWithTexts, StoreError> {
    let seq = EntrySeq(row.get(0)?);
    let bytes: String = row.get(1)?;
    let hash = rows::digest(&row.get::<_, Vec<u8>>(2)?)?;
    let entry = decode(&bytes).unwrap_or_else(|error| unreadable(seq, &error.to_string()));
    Ok(EntryWithTexts {
        entry,
        hash,
        beside: beside_of(texts, seq)?,
    })
}

/// A line that stands in for an entry that was damaged, so that the list still shows its place.
fn unreadable(seq: EntrySeq, why: &str) -> Entry {
    Entry {
        seq,
        prev: Digest::ZERO,
        draft: EntryDraft {
            at: crate::domain::Time::from_millis(0),
            actor: "?".to_owned(),
            assurance: crate::domain::Assurance::Asserted,
            act: Act::Refuse,
            item: format!("unreadable entry: {why}"),
            facts: crate::domain::entry::Facts::new(),
        },
    }
}

fn beside_of(
    texts: &mut rusqlite::Statement<'_>,
    seq: EntrySeq,
) -> Result<Vec<Beside>, StoreError> {
    let list = texts
        .query_map([seq.0], |row| {
            Ok(Beside {
                part: row.get(0)?,
                salt: Salt(row.get(1)?),
                body: row.get(2)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(list)
}

/// What the tables say, in the words that a replay uses.
fn tables(db: &Connection) -> Result<State, StoreError> {
    let mut state = State::default();
    candidates(db, &mut state)?;
    memories(db, &mut state)?;
    let mut documents = db.prepare("SELECT id, sha256, removed FROM document")?;
    let mut found = documents.query([])?;
    while let Some(row) = found.next()? {
        let sha256 = rows::digest(&row.get::<_, Vec<u8>>(1)?)?;
        state
            .documents
            .insert(row.get(0)?, (sha256.to_string(), !row.get::<_, bool>(2)?));
    }
    state.policy = policy_in_force(db)?;
    state.observations = db.query_row("SELECT count(*) FROM observation", [], |row| row.get(0))?;
    Ok(state)
}

/// The hash of the policy text that stands in its table, whatever its key says.
fn policy_in_force(db: &Connection) -> Result<String, StoreError> {
    let sql = "SELECT p.body FROM meta m JOIN policy p ON lower(hex(p.sha256)) = m.value WHERE m.name = 'policy'";
    let body: Option<String> = db.prepare(sql)?.query_row([], |row| row.get(0)).optional()?;
    Ok(body.map(|body| Digest::of(body.as_bytes()).to_string()).unwrap_or_default())
}

fn candidates(db: &Connection, state: &mut State) -> Result<(), StoreError> {
    let mut find =
        db.prepare("SELECT id, version, state, salt, claim, held, snoozed_until FROM candidate")?;
    let mut found = find.query([])?;
    while let Some(row) = found.next()? {
        let claim: String = row.get(4)?;
        let facts = CandidateFacts {
            version: row.get(1)?,
            state: rows::word(CandidateState::from_code(row.get(2)?), "status")?,
            commitment: Commitment::to(&Salt(row.get(3)?), claim.as_bytes()).to_string(),
            held: row.get(5)?,
            snoozed_until: row.get(6)?,
        };
        state.candidates.insert(row.get(0)?, facts);
    }
    Ok(())
}

fn memories(db: &Connection, state: &mut State) -> Result<(), StoreError> {
    let sql = "SELECT m.id, m.state, m.salt, m.text, l.path, m.project, m.session, m.kind, m.influence, m.mode, m.expires_at, m.entry \
               FROM memory m JOIN layer l ON l.id = m.layer";
    let mut find = db.prepare(sql)?;
    let mut found = find.query([])?;
    while let Some(row) = found.next()? {
        let text: String = row.get(3)?;
        let layer: String = row.get(4)?;
        let project: Option<String> = row.get(5)?;
        let session: Option<String> = row.get(6)?;
        let facts = MemoryFacts {
            state: rows::word(MemoryState::from_code(row.get(1)?), "memory state")?,
            commitment: Commitment::to(&Salt(row.get(2)?), text.as_bytes()).to_string(),
            scope: scope_key(&layer, project.as_deref(), session.as_deref()),
            kind: rows::word(Kind::from_code(row.get(7)?), "kind")?.to_string(),
            influence: rows::word(Influence::from_code(row.get(8)?), "influence")?.to_string(),
            mode: rows::word(crate::domain::memory::Mode::from_code(row.get(9)?), "mode")?
                .to_string(),
            expires_at: row.get(10)?,
            entry: row.get(11)?,
        };
        state.memories.insert(row.get(0)?, facts);
    }
    Ok(())
}
