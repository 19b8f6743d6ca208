//! What is known near a claim, found by its words inside a lineage of layers; and which memories
//! enough people speak against. What the words mean is judged elsewhere.

use crate::domain::candidate::{Candidate, CandidateState};
use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::known::{Known, Relation};
use crate::domain::memory::Memory;
use crate::domain::{Act, Assurance, CandidateId, EntrySeq, Layer, MemoryId, PatternId, Time};
use crate::store::error::StoreError;
use crate::store::write::Tx;
use crate::store::{Store, rows, search};
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};

/// Which memories are spoken against, by which pattern and since when.
pub type Contradicted = BTreeMap<MemoryId, Vec<Against>>;

/// One pattern that speaks against a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Against {
    /// The pattern.
    pub pattern: PatternId,
    /// What it has to do with the memory.
    pub relation: Relation,
    /// How many people are behind it by now.
    pub users: u32,
    /// Why, in words.
    pub why: String,
    /// Since when.
    pub at: Time,
    /// The entry that says so.
    pub entry: EntrySeq,
}

/// A memory that a pattern speaks against, before it is entered.
#[derive(Debug, Clone)]
pub struct NewStale {
    /// The memory.
    pub memory: MemoryId,
    /// The pattern.
    pub pattern: PatternId,
    /// What the two have to do with each other.
    pub relation: Relation,
    /// Why, in words.
    pub why: String,
    /// When.
    pub at: Time,
}

impl Store {
    /// Memories that are served and share words with a text, in its layer, above and below it.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn memories_like(
        &self,
        layer: &Layer,
        text: &str,
        now: Time,
        limit: usize,
    ) -> Result<Vec<Memory>, StoreError> {
        self.read_at_once(|db| {
            let layers = kindred(db, layer)?;
            let list = search::id_list(&layers);
            let any = format!("SELECT 1 FROM memory WHERE state = 0 AND layer IN ({list}) LIMIT 1");
            if !db.prepare_cached(&any)?.exists([])? {
                return Ok(Vec::new());
            }
            let Some(wanted) = search::match_text(text, &layers) else {
                return Ok(Vec::new());
            };
            let sql = format!(
                "{} JOIN memory_text ON memory_text.rowid = m.id WHERE memory_text MATCH ?1 AND m.layer IN ({list}) \
                 AND m.state = 0 AND m.expires_at > ?2 ORDER BY memory_text.rank LIMIT ?3",
                rows::MEMORY
            );
            let mut find = db.prepare_cached(&sql)?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let mut found = find.query((wanted, now.millis(), limit))?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(rows::memory(row)?);
            }
            Ok(list)
        })
    }

    /// Candidates that wait or were turned down and share words with a text, in its layer, above
    /// and below it. What is in quarantine is not found.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn candidates_like(
        &self,
        layer: &Layer,
        text: &str,
        limit: usize,
    ) -> Result<Vec<Candidate>, StoreError> {
        self.read_at_once(|db| {
            let layers = kindred(db, layer)?;
            let Some(wanted) = search::match_text(text, &layers) else {
                return Ok(Vec::new());
            };
            let states = [CandidateState::Pending, CandidateState::Rejected]
                .map(CandidateState::code);
            let sql = format!(
                "{} JOIN candidate_text ON candidate_text.rowid = c.id WHERE candidate_text MATCH ?1 AND c.layer IN ({}) \
                 AND c.state IN ({}) ORDER BY candidate_text.rank LIMIT ?2",
                rows::CANDIDATE,
                search::id_list(&layers),
                search::id_list(&states),
            );
            let mut find = db.prepare_cached(&sql)?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let mut found = find.query((wanted, limit))?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(rows::candidate(row)?);
            }
            Ok(list)
        })
    }

    /// What stood near a candidate when it was proposed.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn known(&self, id: CandidateId) -> Result<Vec<Known>, StoreError> {
        self.read(|db| {
            let mut find = db.prepare_cached(
                "SELECT relation, item, why FROM known WHERE candidate = ?1 ORDER BY relation, item",
            )?;
            let mut found = find.query([id.0])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(Known {
                    relation: rows::word(Relation::from_code(row.get(0)?), "relation")?,
                    item: row.get(1)?,
                    why: row.get(2)?,
                });
            }
            Ok(list)
        })
    }

    /// Adds to what is known near a candidate.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn know(&self, id: CandidateId, known: Vec<Known>) -> Result<(), StoreError> {
        self.write(move |tx| keep_known(tx, id, &known))
    }

    /// Marks a memory as spoken against, once for each pattern; it is still served.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn mark_stale(&self, new: NewStale) -> Result<bool, StoreError> {
        self.write(move |tx| mark_stale(tx, &new))
    }

    /// Every memory that is spoken against since a person last decided on it, or those among some.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn contradicted(&self, among: Option<&[MemoryId]>) -> Result<Contradicted, StoreError> {
        self.read(|db| {
            let among = among.map_or_else(String::new, |ids| {
                let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
                format!("AND s.memory IN ({}) ", search::id_list(&ids))
            });
            let mut find = db.prepare_cached(&format!(
                "SELECT s.memory, s.pattern, s.relation, s.why, s.at, s.entry, COALESCE(p.users, 0) FROM memory_stale s \
                 JOIN memory m ON m.id = s.memory LEFT JOIN pattern p ON p.id = s.pattern \
                 WHERE m.state = 0 AND s.at >= max(m.approved_at, COALESCE(m.changed_at, 0)) {among}ORDER BY s.memory, s.at",
            ))?;
            let mut found = find.query([])?;
            let mut all = Contradicted::new();
            while let Some(row) = found.next()? {
                all.entry(MemoryId(row.get(0)?)).or_default().push(Against {
                    pattern: PatternId(row.get(1)?),
                    relation: rows::word(Relation::from_code(row.get(2)?), "relation")?,
                    why: row.get(3)?,
                    at: Time::from_millis(row.get(4)?),
                    entry: EntrySeq(row.get(5)?),
                    users: row.get(6)?,
                });
            }
            Ok(all)
        })
    }
}

/// The numbers of a layer, of those above it and of those below it.
fn kindred(db: &Connection, layer: &Layer) -> Result<Vec<i64>, StoreError> {
    Ok(search::layers(db)?
        .into_iter()
        .filter(|(_, other)| layer.is_visible_from(other) || other.is_visible_from(layer))
        .map(|(id, _)| id)
        .collect())
}

/// Makes a candidate findable by its words, beside what it is.
pub(in crate::store) fn index(
    tx: &Tx<'_>,
    id: CandidateId,
    layer: &Layer,
    claim: &str,
) -> Result<(), StoreError> {
    let token = search::layer_token(tx.layer(layer)?);
    tx.db()
        .prepare_cached("INSERT INTO candidate_text (rowid, ltok, body) VALUES (?1, ?2, ?3)")?
        .execute((id.0, token, claim))?;
    Ok(())
}

pub(in crate::store) fn keep_known(
    tx: &Tx<'_>,
    id: CandidateId,
    known: &[Known],
) -> Result<(), StoreError> {
    let mut keep = tx.db().prepare_cached(
        "INSERT INTO known (candidate, relation, item, why) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
    )?;
    for one in known {
        keep.execute((id.0, one.relation.code(), &one.item, &one.why))?;
    }
    Ok(())
}

fn mark_stale(tx: &Tx<'_>, new: &NewStale) -> Result<bool, StoreError> {
    let db = tx.db();
    let at = tx.moment(new.at)?;
    // Marked since the last decision: there is nothing new to say.
    let standing: bool = db
        .prepare_cached(
            "SELECT 1 FROM memory_stale s JOIN memory m ON m.id = s.memory WHERE s.memory = ?1 AND s.pattern = ?2 \
             AND s.at >= max(m.approved_at, COALESCE(m.changed_at, 0))",
        )?
        .exists((new.memory.0, new.pattern.0))?;
    let active = db
        .prepare_cached("SELECT 1 FROM memory WHERE id = ?1 AND state = 0")?
        .exists([new.memory.0])?;
    if standing || !active {
        return Ok(false);
    }
    let facts: Facts = [
        ("pattern", new.pattern.to_string()),
        ("relation", new.relation.to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    let draft = EntryDraft {
        at,
        actor: "detector".to_owned(),
        assurance: Assurance::Asserted,
        act: Act::Stale,
        item: new.memory.to_string(),
        facts,
    };
    let entry = tx.append(draft, &[])?;
    db.prepare_cached(
        "INSERT INTO memory_stale (memory, pattern, relation, why, at, entry) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
         ON CONFLICT (memory, pattern) DO UPDATE SET relation = ?3, why = ?4, at = ?5, entry = ?6",
    )?
    .execute((
        new.memory.0,
        new.pattern.0,
        new.relation.code(),
        &new.why,
        at.millis(),
        entry.0,
    ))?;
    Ok(true)
}

/// Every memory and pattern that were ever entered together.
pub(in crate::store) fn stale_pairs(db: &Connection) -> Result<BTreeSet<(i64, i64)>, StoreError> {
    let mut find = db.prepare("SELECT memory, pattern FROM memory_stale")?;
    let list = find
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    Ok(list)
}
