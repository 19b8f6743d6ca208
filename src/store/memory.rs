//! Memories as a person looks after them: lists, one in full, who was served it.

use crate::domain::memory::Memory;
use crate::domain::{CandidateId, Layer, LineageId, MemoryId, ServingId, Time};
use crate::store::error::StoreError;
use crate::store::{Store, rows, search};
use rusqlite::{Connection, OptionalExtension as _};

/// A serving as a memory's reach lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// The serving.
    pub serving: ServingId,
    /// When.
    pub at: Time,
    /// From which layer.
    pub layer: Layer,
    /// In which session.
    pub session: Option<String>,
    /// How many memories it held.
    pub memories: u64,
}

/// A layer that would be handed a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audience {
    /// The layer.
    pub layer: Layer,
    /// How many memories it sees already.
    pub memories: u64,
    /// How many sessions were handed any of them there lately.
    pub sessions: u64,
}

impl Store {
    /// One memory.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn memory(&self, id: MemoryId) -> Result<Memory, StoreError> {
        self.read(|db| load_memory(db, id))
    }

    /// Every version of a memory, oldest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn versions(&self, lineage: LineageId) -> Result<Vec<Memory>, StoreError> {
        self.read_at_once(|db| {
            let sql = format!("{} WHERE m.lineage = ?1 ORDER BY m.id", rows::MEMORY);
            let mut find = db.prepare_cached(&sql)?;
            let mut found = find.query([lineage.0])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(rows::memory(row)?);
            }
            Ok(list)
        })
    }

    /// The memory a candidate became, demoted ones included.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn memory_of(&self, candidate: CandidateId) -> Result<Option<MemoryId>, StoreError> {
        self.read(|db| {
            let mut find = db.prepare_cached(
                "SELECT id FROM memory WHERE candidate = ?1 ORDER BY id DESC LIMIT 1",
            )?;
            Ok(find
                .query_row([candidate.0], |row| row.get(0))
                .optional()?
                .map(MemoryId))
        })
    }

    /// The newest servings that held a memory, at most `limit`, and in how many sessions it was served at all.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn reach(&self, id: MemoryId, limit: usize) -> Result<(Vec<Reach>, u64), StoreError> {
        self.read_at_once(|db| reach(db, id, limit))
    }

    /// How many servings held a memory after a moment.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn served_since(&self, id: MemoryId, since: Time) -> Result<u64, StoreError> {
        self.read(|db| {
            let mut count = db.prepare_cached(
                "SELECT count(*) FROM serving_memory sm JOIN serving s ON s.id = sm.serving WHERE sm.memory = ?1 AND s.at >= ?2",
            )?;
            let n: i64 = count.query_row((id.0, since.millis()), |row| row.get(0))?;
            Ok(n.unsigned_abs())
        })
    }

    /// Each layer that sees `layer`'s memories, with the number of memories it sees itself already
    /// and the sessions that were handed any there since a moment.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn audience(
        &self,
        layer: &Layer,
        now: Time,
        since: Time,
    ) -> Result<Vec<Audience>, StoreError> {
        self.read_at_once(|db| {
            let all = search::layers(db)?;
            let mut here = db.prepare_cached(
                "SELECT count(*) FROM memory WHERE layer = ?1 AND state = 0 AND expires_at > ?2",
            )?;
            let mut served = db.prepare_cached(
                "SELECT count(DISTINCT session) FROM serving WHERE layer = ?1 AND at >= ?2",
            )?;
            let mut counts: Vec<(Layer, u64)> = Vec::new();
            for (id, path) in &all {
                let n: i64 = here.query_row((id, now.millis()), |row| row.get(0))?;
                counts.push((path.clone(), n.unsigned_abs()));
            }
            let sees = |viewer: &Layer| {
                counts
                    .iter()
                    .filter(|(held, _)| held.is_visible_from(viewer))
                    .map(|(_, n)| n)
                    .sum()
            };
            let mut list = Vec::new();
            for (id, path) in all.iter().filter(|(_, path)| layer.is_visible_from(path)) {
                let n: i64 = served.query_row((id, since.millis()), |row| row.get(0))?;
                list.push(Audience {
                    layer: path.clone(),
                    memories: sees(path),
                    sessions: n.unsigned_abs(),
                });
            }
            if !list.iter().any(|one| one.layer == *layer) {
                let own = Audience {
                    layer: layer.clone(),
                    memories: sees(layer),
                    sessions: 0,
                };
                list.insert(0, own);
            }
            Ok(list)
        })
    }
}

/// One memory, inside any transaction.
pub(in crate::store) fn load_memory(db: &Connection, id: MemoryId) -> Result<Memory, StoreError> {
    let sql = format!("{} WHERE m.id = ?1", rows::MEMORY);
    let found = db
        .prepare_cached(&sql)?
        .query_row([id.0], |row| Ok(rows::memory(row)))
        .optional()?;
    found.ok_or_else(|| StoreError::NotFound(format!("memory {id}")))?
}

fn reach(db: &Connection, id: MemoryId, limit: usize) -> Result<(Vec<Reach>, u64), StoreError> {
    let mut find = db.prepare_cached(
        "SELECT s.id, s.at, l.path, s.session, (SELECT count(*) FROM serving_memory n WHERE n.serving = s.id) \
         FROM serving_memory sm JOIN serving s ON s.id = sm.serving JOIN layer l ON l.id = s.layer \
         WHERE sm.memory = ?1 ORDER BY sm.serving DESC LIMIT ?2",
    )?;
    let mut found = find.query((id.0, i64::try_from(limit).unwrap_or(i64::MAX)))?;
    let mut list = Vec::new();
    while let Some(row) = found.next()? {
        list.push(Reach {
            serving: ServingId(row.get(0)?),
            at: Time::from_millis(row.get(1)?),
            layer: rows::layer(&row.get::<_, String>(2)?)?,
            session: row.get(3)?,
            memories: row.get::<_, i64>(4)?.unsigned_abs(),
        });
    }
    let mut sessions = db.prepare_cached(
        "SELECT count(DISTINCT s.session) FROM serving_memory sm JOIN serving s ON s.id = sm.serving WHERE sm.memory = ?1",
    )?;
    let n: i64 = sessions.query_row([id.0], |row| row.get(0))?;
    Ok((list, n.unsigned_abs()))
}
