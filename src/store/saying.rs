//! Which memories and candidates say something: for whoever has the words and not the number.
//!
//! Every state is found, demoted and rejected too; what was erased has no words left.

use crate::domain::{CandidateId, MemoryId};
use crate::store::error::StoreError;
use crate::store::{Store, search};
use rusqlite::Connection;
use std::collections::BTreeSet;

/// What says it, the best match first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Saying {
    /// Memories.
    pub memories: Vec<MemoryId>,
    /// Candidates that did not become one of them.
    pub candidates: Vec<CandidateId>,
}

impl Store {
    /// The memories and candidates that hold all of these words, at most `limit` of each.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn saying(&self, words: &str, limit: usize) -> Result<Saying, StoreError> {
        self.read_at_once(|db| {
            let Some(wanted) = search::match_all(words) else {
                return Ok(Saying::default());
            };
            saying(db, &wanted, words, limit)
        })
    }
}

fn saying(db: &Connection, wanted: &str, words: &str, limit: usize) -> Result<Saying, StoreError> {
    let most = i64::try_from(limit).unwrap_or(i64::MAX);
    let numbers = |sql: &str, text: &str| -> Result<Vec<i64>, StoreError> {
        let mut find = db.prepare_cached(sql)?;
        let list = find
            .query_map((text, most), |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        Ok(list)
    };
    let mut memories = numbers(
        "SELECT rowid FROM memory_text WHERE memory_text MATCH ?1 ORDER BY rank LIMIT ?2",
        wanted,
    )?;
    // What is out of service has left the index of what is served.
    memories.extend(numbers(
        "SELECT id FROM memory WHERE state <> 0 AND instr(lower(text), lower(?1)) > 0 ORDER BY id DESC LIMIT ?2",
        words,
    )?);
    let mut alone = Vec::new();
    let mut became = db.prepare_cached("SELECT memory FROM candidate WHERE id = ?1")?;
    for id in numbers(
        "SELECT rowid FROM candidate_text WHERE candidate_text MATCH ?1 ORDER BY rank LIMIT ?2",
        wanted,
    )? {
        match became.query_row([id], |row| row.get::<_, Option<i64>>(0))? {
            Some(memory) => memories.push(memory),
            None => alone.push(CandidateId(id)),
        }
    }
    let mut seen = BTreeSet::new();
    memories.retain(|id| seen.insert(*id));
    memories.truncate(limit);
    Ok(Saying {
        memories: memories.into_iter().map(MemoryId).collect(),
        candidates: alone,
    })
}
