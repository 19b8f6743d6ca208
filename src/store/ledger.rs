//! The ledger as it is kept: pages for people, a walk for verification, the tables to compare with.

use crate::domain::artifact::ArtifactKind;
use crate::domain::candidate::CandidateState;
use crate::domain::decision::Signed;
use crate::domain::entry::{Beside, Entry, EntryDraft};
use crate::domain::query::{Facts, Query, Searched};
use crate::domain::{Act, CandidateId, Commitment, Digest, DocumentId, EntrySeq, Salt, Time};
use crate::domain::{Trust, memory::Memory};
use crate::ledger::canonical::decode;
use crate::ledger::replay::{
    ArtifactFacts, CandidateFacts, DocumentFacts, ERASED, Frozen, MemoryFacts, State, scope_key,
};
use crate::store::candidate::{FROZEN, frozen, frozen_commitment};
use crate::store::decide::{Draft, sources_digest};
use crate::store::error::StoreError;
use crate::store::recall::chunks_now;
use crate::store::{Store, narrow, rows};
use rusqlite::{Connection, Row, ToSql};
use std::collections::BTreeMap;

/// How many entries one read looks at.
const LOOKED_AT: i64 = 50_000;

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

impl Store {
    /// Entries before a place that a query asks for, newest first. A read looks at so many entries
    /// at most: `left_at` says where it stopped.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn entries(
        &self,
        before: Option<EntrySeq>,
        query: &Query,
        now: Time,
        shown: &dyn Fn(&str) -> String,
        limit: usize,
    ) -> Result<Searched<EntryWithTexts, EntrySeq>, StoreError> {
        self.read_at_once(|db| entries(db, before, query, now, shown, limit))
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

    /// The newest decisions on an item, newest first. Refused attempts, which anybody can pile up, are none.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn decisions_on(
        &self,
        item: &str,
        limit: usize,
    ) -> Result<Vec<EntryWithTexts>, StoreError> {
        self.read_at_once(|db| {
            let sql = "SELECT seq, bytes, hash FROM entry WHERE item = ?1 AND act <> 21 AND (act < 20 OR act >= 40) \
                       ORDER BY seq DESC LIMIT ?2";
            listed(db, sql, (item, i64::try_from(limit).unwrap_or(i64::MAX)))
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

    /// The bytes of entries behind `after` up to `last`, in order, at most `limit`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn entry_bytes(
        &self,
        after: EntrySeq,
        last: EntrySeq,
        limit: usize,
    ) -> Result<Vec<(EntrySeq, String)>, StoreError> {
        self.read(|db| {
            let mut find = db.prepare_cached(
                "SELECT seq, bytes FROM entry WHERE seq > ?1 AND seq <= ?2 ORDER BY seq LIMIT ?3",
            )?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let list = find
                .query_map((after.0, last.0, limit), |row| {
                    Ok((EntrySeq(row.get(0)?), row.get(1)?))
                })?
                .collect::<Result<_, _>>()?;
            Ok(list)
        })
    }

    /// Adds an entry that changes nothing else, for instance a refusal.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn note(&self, draft: EntryDraft) -> Result<EntrySeq, StoreError> {
        self.write(move |tx| tx.append(draft, &[]))
    }

    /// The same for a decision, signed where the store is signed.
    ///
    /// # Errors
    /// It is not what was signed any more, or the store cannot be written.
    pub fn note_signed(
        &self,
        draft: Draft,
        signed: Option<Signed>,
    ) -> Result<EntrySeq, StoreError> {
        self.write(move |tx| {
            let mut draft = draft.clone();
            draft.entry.at = tx.moment(draft.entry.at)?;
            tx.append_signed(draft, signed.as_ref())
        })
    }
}

fn entries(
    db: &Connection,
    before: Option<EntrySeq>,
    query: &Query,
    now: Time,
    shown: &dyn Fn(&str) -> String,
    limit: usize,
) -> Result<Searched<EntryWithTexts, EntrySeq>, StoreError> {
    let narrowed = narrow::narrow(db, narrow::Table::Entries, query, 3, now)?;
    let head: Option<i64> = db.query_row("SELECT max(seq) FROM entry", [], |row| row.get(0))?;
    let from = before.map_or_else(|| head.unwrap_or(0).saturating_add(1), |seq| seq.0);
    // What was done to one thing is found by its index, however far back.
    let far = query.is_empty() || query.item().is_some();
    let until = if far {
        0
    } else {
        from.saturating_sub(LOOKED_AT)
    };
    let sql = format!(
        "SELECT e.seq, e.bytes, e.hash FROM entry e WHERE e.seq < ?1 AND e.seq >= ?2{} ORDER BY e.seq DESC",
        narrowed.sql
    );
    let mut values: Vec<&dyn ToSql> = vec![&from, &until];
    values.extend(narrowed.values.iter().map(|value| value as &dyn ToSql));
    let mut texts =
        db.prepare_cached("SELECT part, salt, body FROM beside WHERE seq = ?1 ORDER BY part")?;
    let mut find = db.prepare_cached(&sql)?;
    let mut found = find.query(values.as_slice())?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        let one = entry_row(row, &mut texts)?;
        let facts = Facts::of_entry(&one.entry.draft, &one.beside, now);
        if query.picks(facts, shown) {
            rows.push(one);
        }
        if rows.len() > limit {
            break;
        }
    }
    let more = rows.len() > limit;
    rows.truncate(limit);
    let left_at = (!more && until > 1).then_some(EntrySeq(until));
    Ok(Searched {
        rows,
        more: more || left_at.is_some(),
        left_at,
    })
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
pub(in crate::store) fn tables(db: &Connection) -> Result<State, StoreError> {
    let mut state = State {
        erased: erased(db)?,
        ..State::default()
    };
    artifacts(db, &mut state)?;
    candidates(db, &mut state)?;
    memories(db, &mut state)?;
    documents(db, &mut state)?;
    state.events = crate::store::receipt::event_digests(db)?
        .into_iter()
        .collect();
    state.compactions = crate::store::compaction::compaction_digests(db)?
        .into_iter()
        .collect();
    state.event_sources = crate::store::receipt::source_digests(db)?
        .into_iter()
        .collect();
    state.thresholds = crate::store::thresholds::set(db)?
        .into_iter()
        .map(|one| (one.layer_text(), one.to_string()))
        .collect();
    state.stale = crate::store::known::stale_pairs(db)?;
    state.policy = crate::store::policy::body_hash(db, "policy")?;
    state.shadow = crate::store::policy::body_hash(db, "shadow")?;
    state.observations = db.query_row("SELECT count(*) FROM observation", [], |row| row.get(0))?;
    Ok(state)
}

/// What is marked as erased, with the entry that is said to have done it.
fn erased(db: &Connection) -> Result<BTreeMap<String, i64>, StoreError> {
    let mut find = db.prepare("SELECT item, entry FROM erased")?;
    let list = find
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    Ok(list)
}

fn artifacts(db: &Connection, state: &mut State) -> Result<(), StoreError> {
    let sql = "SELECT a.sha256, a.kind, a.trust, l.path, a.length, a.gone FROM artifact a JOIN layer l ON l.id = a.layer";
    let mut find = db.prepare(sql)?;
    let mut found = find.query([])?;
    while let Some(row) = found.next()? {
        let facts = ArtifactFacts {
            kind: rows::word(ArtifactKind::from_code(row.get(1)?), "artifact kind")?.to_string(),
            trust: rows::word(Trust::from_code(row.get(2)?), "trust")?.to_string(),
            layer: row.get(3)?,
            length: row.get::<_, i64>(4)?.to_string(),
            gone: row.get(5)?,
        };
        let address = rows::digest(&row.get::<_, Vec<u8>>(0)?)?.to_string();
        state.artifacts.insert(address, facts);
    }
    Ok(())
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
        let (id, salt) = (CandidateId(row.get(0)?), Salt(row.get(3)?));
        let erased = state.erased.contains_key(&id.to_string());
        let plain = frozen(row, 7)?;
        let facts = CandidateFacts {
            version: row.get(1)?,
            state: rows::word(CandidateState::from_code(row.get(2)?), "status")?,
            commitment: if erased {
                ERASED.to_owned()
            } else {
                Commitment::to(&salt, claim.as_bytes()).to_string()
            },
            frozen: Frozen(if erased {
                vec![ERASED.to_owned()]
            } else {
                let salted = frozen_commitment(&salt, &plain);
                vec![salted.to_string(), plain.to_string()]
            }),
            held: row.get(5)?,
            snoozed_until: row.get(6)?,
        };
        state.candidates.insert(id.0, facts);
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
            commitment: commitment(&memory, &state.erased),
            scope: scope_key(scope.layer.as_str(), project, session),
            kind: memory.kind.to_string(),
            influence: memory.influence.to_string(),
            mode: memory.mode.to_string(),
            expires_at: memory.expires_at.millis(),
            lineage: memory.lineage.0,
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

/// An erased memory has no text to commit to: its candidate says so.
fn commitment(memory: &Memory, erased: &BTreeMap<String, i64>) -> String {
    if erased.contains_key(&memory.candidate.to_string()) {
        return ERASED.to_owned();
    }
    memory.commitment().to_string()
}
