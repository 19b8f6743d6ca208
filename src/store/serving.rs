//! Servings as they are looked back at: in a session, with a memory, between two moments.
//!
//! INVARIANT: a serving's time is its entry's, and verifying holds the two together: times ascend
//! with ids, so that a moment is found by halving and no index over times is kept.

use crate::domain::{MemoryId, ServingId, SessionId, Time};
use crate::store::error::StoreError;
use crate::store::memory::Reach;
use crate::store::{Store, rows};
use rusqlite::{Connection, OptionalExtension as _, ToSql};

/// What a session was handed of one memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handed {
    /// The memory.
    pub memory: MemoryId,
    /// How often, in the servings that were looked at.
    pub times: u64,
    /// When first.
    pub first: Time,
    /// When last.
    pub last: Time,
    /// The serving that handed it over last.
    pub serving: ServingId,
}

/// Rows that were listed, and how many there are in all.
pub type Counted<T> = (Vec<T>, u64);

impl Store {
    /// What a session was handed up to a moment: the newest servings first, and each memory once,
    /// the one handed over last first. Both look at the newest `limit` servings.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn handed_to(
        &self,
        session: &SessionId,
        until: Time,
        limit: usize,
    ) -> Result<(Counted<Reach>, Vec<Handed>), StoreError> {
        self.read_at_once(|db| {
            let values: [&dyn ToSql; 3] = [&session.as_str(), &until.millis(), &most(limit)];
            let which = "SELECT s.id FROM serving s WHERE s.session = ?1 AND s.at <= ?2 ORDER BY s.at DESC, s.id DESC LIMIT ?3";
            let servings = reached(
                db,
                &format!("s.id IN ({which}) ORDER BY s.at DESC, s.id DESC"),
                &values,
            )?;
            let mut count = db.prepare_cached(
                "SELECT count(*) FROM serving WHERE session = ?1 AND at <= ?2",
            )?;
            let all: i64 =
                count.query_row((session.as_str(), until.millis()), |row| row.get(0))?;
            let sql = format!(
                "SELECT sm.memory, count(*), min(s.at), max(s.at), max(s.id) FROM serving s \
                 JOIN serving_memory sm ON sm.serving = s.id WHERE s.id IN ({which}) GROUP BY sm.memory ORDER BY 5 DESC, 1"
            );
            let mut find = db.prepare_cached(&sql)?;
            let handed = find
                .query_map(values.as_slice(), |row| {
                    Ok(Handed {
                        memory: MemoryId(row.get(0)?),
                        times: row.get::<_, i64>(1)?.unsigned_abs(),
                        first: Time::from_millis(row.get(2)?),
                        last: Time::from_millis(row.get(3)?),
                        serving: ServingId(row.get(4)?),
                    })
                })?
                .collect::<Result<_, _>>()?;
            Ok(((servings, all.unsigned_abs()), handed))
        })
    }

    /// The first serving of a session at or after a moment.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn next_serving(
        &self,
        session: &SessionId,
        after: Time,
    ) -> Result<Option<ServingId>, StoreError> {
        self.read(|db| {
            let mut find = db.prepare_cached(
                "SELECT id FROM serving WHERE session = ?1 AND at >= ?2 ORDER BY at, id LIMIT 1",
            )?;
            let found = find
                .query_row((session.as_str(), after.millis()), |row| row.get(0))
                .optional()?;
            Ok(found.map(ServingId))
        })
    }

    /// The servings that held a memory between two moments, both included, newest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn servings_with(
        &self,
        memory: MemoryId,
        from: Option<Time>,
        to: Option<Time>,
        limit: usize,
    ) -> Result<Counted<Reach>, StoreError> {
        self.read_at_once(|db| {
            let first = match from {
                Some(from) => first_at(db, from.millis())?,
                None => 0,
            };
            let behind = match to {
                Some(to) => first_at(db, to.millis().saturating_add(1))?,
                None => i64::MAX,
            };
            let values: [&dyn ToSql; 4] = [&memory.0, &first, &behind, &most(limit)];
            let which = "SELECT sm.serving FROM serving_memory sm WHERE sm.memory = ?1 AND sm.serving >= ?2 AND sm.serving < ?3 \
                         ORDER BY sm.serving DESC LIMIT ?4";
            let servings =
                reached(db, &format!("s.id IN ({which}) ORDER BY s.id DESC"), &values)?;
            let mut count = db.prepare_cached(
                "SELECT count(*) FROM serving_memory WHERE memory = ?1 AND serving >= ?2 AND serving < ?3",
            )?;
            let all: i64 = count.query_row((memory.0, first, behind), |row| row.get(0))?;
            Ok((servings, all.unsigned_abs()))
        })
    }
}

/// The id from which on every serving is of this moment or later.
fn first_at(db: &Connection, millis: i64) -> Result<i64, StoreError> {
    let mut newest = db.prepare_cached("SELECT COALESCE(max(id), 0) FROM serving")?;
    let mut find =
        db.prepare_cached("SELECT id, at FROM serving WHERE id >= ?1 ORDER BY id LIMIT 1")?;
    let mut low: i64 = 1;
    let mut high: i64 = newest.query_row([], |row| row.get::<_, i64>(0))? + 1;
    while low < high {
        let middle = low + (high - low) / 2;
        let found: Option<(i64, i64)> = find
            .query_row([middle], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        match found {
            Some((id, at)) if at < millis => low = id + 1,
            _ => high = middle,
        }
    }
    Ok(low)
}

fn reached(db: &Connection, which: &str, values: &[&dyn ToSql]) -> Result<Vec<Reach>, StoreError> {
    let sql = format!(
        "SELECT s.id, s.at, l.path, s.session, (SELECT count(*) FROM serving_memory n WHERE n.serving = s.id) \
         FROM serving s JOIN layer l ON l.id = s.layer WHERE {which}"
    );
    let mut find = db.prepare_cached(&sql)?;
    let mut found = find.query(values)?;
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
    Ok(list)
}

fn most(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
