//! What a memory's place in a list is judged by: light facts of all that a query finds, and the
//! rows of one page in full. The order itself is judged elsewhere.

use crate::domain::memory::{Memory, MemoryState};
use crate::domain::query::Query;
use crate::domain::{Layer, MemoryId, ServingId, SourceRef, Time};
use crate::store::error::StoreError;
use crate::store::narrow::{self, Table};
use crate::store::{Store, rows};
use rusqlite::{Connection, Row};

/// What is known of a memory without reading its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryFacts {
    /// The memory.
    pub id: MemoryId,
    /// What is written of its state.
    pub written_state: MemoryState,
    /// When it was approved.
    pub approved_at: Time,
    /// When a person last decided on it since.
    pub changed_at: Option<Time>,
    /// When it ends.
    pub expires_at: Time,
    /// When it was last served.
    pub last_served: Option<Time>,
    /// Whether every artifact that it cites still has its bytes.
    pub evidence_held: bool,
}

/// Where servings went, summed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerReach {
    /// The layer that asked.
    pub layer: Layer,
    /// How many servings.
    pub servings: u64,
    /// In how many sessions.
    pub sessions: u64,
    /// The newest of them.
    pub last: ServingId,
    /// When that was.
    pub last_at: Time,
}

impl Store {
    /// Light facts of the memories that may be what a query asks for, and whether they certainly are.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn memory_facts(
        &self,
        query: &Query,
        now: Time,
    ) -> Result<(Vec<MemoryFacts>, bool), StoreError> {
        self.read_at_once(|db| {
            let narrowed = narrow::narrow(db, Table::Memories, query, 1, now)?;
            let sql = format!(
                "SELECT m.id, m.state, m.approved_at, m.changed_at, m.expires_at, s.last_at, m.sources FROM memory m \
                 LEFT JOIN memory_served s ON s.memory = m.id WHERE 1 = 1{}",
                narrowed.sql
            );
            let values = rusqlite::params_from_iter(narrowed.values.iter());
            let mut held = Held::new(db, now)?;
            let mut find = db.prepare_cached(&sql)?;
            let mut found = find.query(values)?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(facts(row, &mut held)?);
            }
            Ok((list, narrowed.exact))
        })
    }

    /// These memories in full, in this order; one that is gone is left out.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn memories_by_id(&self, ids: &[MemoryId]) -> Result<Vec<Memory>, StoreError> {
        self.read_at_once(|db| {
            let sql = format!("{} WHERE m.id = ?1", rows::MEMORY);
            let mut find = db.prepare_cached(&sql)?;
            let mut list = Vec::with_capacity(ids.len());
            for id in ids {
                let mut found = find.query([id.0])?;
                if let Some(row) = found.next()? {
                    list.push(rows::memory(row)?);
                }
            }
            Ok(list)
        })
    }

    /// Where the servings of a memory went, the most first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn reach_by_layer(&self, id: MemoryId) -> Result<Vec<LayerReach>, StoreError> {
        self.read(|db| {
            let mut find = db.prepare_cached(
                "SELECT l.path, count(*), count(DISTINCT s.session), max(s.id), max(s.at) FROM serving_memory sm \
                 JOIN serving s ON s.id = sm.serving JOIN layer l ON l.id = s.layer \
                 WHERE sm.memory = ?1 GROUP BY s.layer ORDER BY 2 DESC, 1",
            )?;
            let mut found = find.query([id.0])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(LayerReach {
                    layer: rows::layer(&row.get::<_, String>(0)?)?,
                    servings: row.get::<_, i64>(1)?.unsigned_abs(),
                    sessions: row.get::<_, i64>(2)?.unsigned_abs(),
                    last: ServingId(row.get(3)?),
                    last_at: Time::from_millis(row.get(4)?),
                });
            }
            Ok(list)
        })
    }
}

fn facts(row: &Row<'_>, held: &mut Held<'_>) -> Result<MemoryFacts, StoreError> {
    let time = |at: i64| Time::from_millis(at);
    Ok(MemoryFacts {
        id: MemoryId(row.get(0)?),
        written_state: rows::word(MemoryState::from_code(row.get(1)?), "memory state")?,
        approved_at: time(row.get(2)?),
        changed_at: row.get::<_, Option<i64>>(3)?.map(time),
        expires_at: time(row.get(4)?),
        last_served: row.get::<_, Option<i64>>(5)?.map(time),
        evidence_held: held.all(&row.get::<_, String>(6)?)?,
    })
}

/// Which artifacts still have their bytes.
struct Held<'a> {
    find: rusqlite::CachedStatement<'a>,
    now: i64,
}

impl<'a> Held<'a> {
    fn new(db: &'a Connection, now: Time) -> Result<Self, StoreError> {
        Ok(Self {
            find: db.prepare_cached(
                "SELECT 1 FROM artifact WHERE sha256 = ?1 AND gone = 0 AND expires_at > ?2",
            )?,
            now: now.millis(),
        })
    }

    /// Whether every artifact among these references does.
    fn all(&mut self, sources: &str) -> Result<bool, StoreError> {
        for line in sources
            .split('\n')
            .filter(|line| line.starts_with("artifact:"))
        {
            let Ok(SourceRef::Artifact { sha256, .. }) = SourceRef::parse(line) else {
                continue;
            };
            if !self.find.exists((sha256.0.as_slice(), self.now))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
