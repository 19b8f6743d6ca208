//! The ledger as it is kept: pages for people, a walk for verification, the tables to compare with.

use crate::domain::candidate::CandidateState;
use crate::domain::entry::{Beside, Entry, EntryDraft};
use crate::domain::{Act, Commitment, Digest, DocumentId, EntrySeq, Salt};
use crate::ledger::canonical::decode;
use crate::ledger::replay::{CandidateFacts, DocumentFacts, MemoryFacts, State, scope_key};
use crate::store::candidate::{FROZEN, frozen};
use crate::store::decide::sources_digest;
use crate::store::error::StoreError;
use crate::store::observe::batch_now;
use crate::store::recall::KeptEntry;
use crate::store::recall::chunks_now;
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
    /// The digest of the rows that an entry about observations speaks of, as they are now.
    Batch(EntrySeq, Digest),
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
            let sql = "SELECT seq, bytes, hash FROM entry WHERE actor = ?1 AND (act < 20 OR act >= 40) ORDER BY seq DESC LIMIT ?2";
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
                if let Some(digest) = batch_now(db, &kept)? {
                    each(Step::Batch(kept.seq, digest));
                }
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
    documents(db, &mut state)?;
    state.events = crate::store::receipt::event_digests(db)?
        .into_iter()
        .collect();
    state.event_sources = crate::store::receipt::source_digests(db)?
        .into_iter()
        .collect();
    state.policy = crate::store::policy::body_hash(db, "policy")?;
    state.shadow = crate::store::policy::body_hash(db, "shadow")?;
    state.observations = db.query_row("SELECT count(*) FROM observation", [], |row| row.get(0))?;
    Ok(state)
}

fn documents(db: &Connection, state: &mut State) -> Result<(), StoreError> {
    let mut find = db.prepare("SELECT id, sha256, removed FROM document")?;
    let mut found = find.query([])?;
    while let Some(row) = found.next()? {
        let id: i64 = row.get(0)?;
        let facts = DocumentFacts {
            sha256: rows::digest(&row.get::<_, Vec<u8>>(1)?)?.to_string(),
            chunk_list: chunks_now(db, DocumentId(id))?.to_string(),
            present: !row.get::<_, bool>(2)?,
        };
        state.documents.insert(id, facts);
    }
    Ok(())
}

fn candidates(db: &Connection, state: &mut State) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT c.id, c.version, c.state, c.salt, c.claim, c.held, c.snoozed_until, {FROZEN} \
         FROM candidate c JOIN layer l ON l.id = c.layer"
    );
    let mut find = db.prepare(&sql)?;
    let mut found = find.query([])?;
    while let Some(row) = found.next()? {
        let claim: String = row.get(4)?;
        let facts = CandidateFacts {
            version: row.get(1)?,
            state: rows::word(CandidateState::from_code(row.get(2)?), "status")?,
            commitment: Commitment::to(&Salt(row.get(3)?), claim.as_bytes()).to_string(),
            frozen: frozen(row, 7)?.to_string(),
            held: row.get(5)?,
            snoozed_until: row.get(6)?,
        };
        state.candidates.insert(row.get(0)?, facts);
    }
    Ok(())
}

fn memories(db: &Connection, state: &mut State) -> Result<(), StoreError> {
    let mut find = db.prepare(rows::MEMORY)?;
    let mut found = find.query([])?;
    while let Some(row) = found.next()? {
        let memory = rows::memory(row)?;
        let scope = &memory.scope;
        let project = scope.project.as_ref().map(crate::domain::Project::as_str);
        let session = scope.session.as_ref().map(crate::domain::SessionId::as_str);
        let facts = MemoryFacts {
            state: memory.written_state,
            commitment: memory.commitment().to_string(),
            scope: scope_key(scope.layer.as_str(), project, session),
            kind: memory.kind.to_string(),
            influence: memory.influence.to_string(),
            mode: memory.mode.to_string(),
            expires_at: memory.expires_at.millis(),
            entry: memory.entry.0,
            approved_by: memory.approved_by.join("\n"),
            approved_at: memory.approved_at.millis(),
            trust: memory.trust.to_string(),
            evidence: sources_digest(&memory.sources).to_string(),
        };
        state.memories.insert(memory.id.0, facts);
    }
    Ok(())
}
