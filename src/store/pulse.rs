//! Counts of what happens, by day, layer and sort: kept with each change, in its transaction.
//!
//! They are bookkeeping: nothing that is decided, recalled or verified reads them, and none of them
//! has an entry. What they come to is said in `desk`.

use crate::domain::happening::{Happening, Pace};
use crate::domain::pattern::Support;
use crate::domain::threshold::reaches;
use crate::domain::{CandidateId, Finding, Layer, MemoryId, Severity, Time, Verdict};
use crate::store::candidate::NewCandidate;
use crate::store::decide::{NewRuling, Takeback};
use crate::store::error::StoreError;
use crate::store::write::Tx;
use crate::store::{Store, search};
use rusqlite::{Connection, OptionalExtension as _};
use std::collections::BTreeSet;

/// How often something happened on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// The UTC day, counted from 1970.
    pub day: i64,
    /// What.
    pub what: Happening,
    /// How often.
    pub n: u64,
}

impl Store {
    /// What happened from the first of these days until before the second, in a layer and below it,
    /// or everywhere.
    ///
    /// # Errors
    /// The store cannot be read, or holds a count of no sort we know.
    pub fn happenings(
        &self,
        within: Option<&Layer>,
        from: i64,
        until: i64,
    ) -> Result<Vec<Counted>, StoreError> {
        self.read_at_once(|db| {
            let sql = format!(
                "SELECT day, what, detail, sum(n) FROM happened WHERE day >= ?1 AND day < ?2{} GROUP BY day, what, detail",
                inside(db, within)?
            );
            let mut find = db.prepare_cached(&sql)?;
            let mut found = find.query((from, until))?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                let (what, detail): (i64, String) = (row.get(1)?, row.get(2)?);
                let read = Happening::read(what, &detail);
                list.push(Counted {
                    day: row.get(0)?,
                    what: read.ok_or_else(|| {
                        StoreError::Broken(format!("a count of `{what} {detail}` is of no sort"))
                    })?,
                    n: u64::try_from(row.get::<_, i64>(3)?).unwrap_or(0),
                });
            }
            Ok(list)
        })
    }

    /// How many candidates wait in a layer and below it, snoozed ones not, and since when the oldest.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn waiting_in(&self, layer: &Layer, now: Time) -> Result<(u64, Option<Time>), StoreError> {
        self.read_at_once(|db| {
            let mut count = db.prepare_cached(
                "SELECT count(*) FROM candidate INDEXED BY candidate_waiting WHERE state = 0 AND layer = ?1",
            )?;
            let mut asleep = db.prepare_cached(
                "SELECT count(*) FROM candidate WHERE snoozed_until > 0 AND snoozed_until > ?1 AND +state = 0 AND layer = ?2",
            )?;
            let mut first = db.prepare_cached(
                "SELECT proposed_at FROM candidate INDEXED BY candidate_waiting \
                 WHERE state = 0 AND layer = ?1 AND snoozed_until <= ?2 ORDER BY id LIMIT 1",
            )?;
            let (mut waiting, mut oldest) = (0_i64, None::<i64>);
            for id in search::descendants(db, layer)? {
                let all: i64 = count.query_row([id], |row| row.get(0))?;
                let snoozed: i64 = asleep.query_row((now.millis(), id), |row| row.get(0))?;
                waiting += all - snoozed;
                let at: Option<i64> = first.query_row((id, now.millis()), |row| row.get(0)).optional()?;
                oldest = match (oldest, at) {
                    (Some(one), Some(other)) => Some(one.min(other)),
                    (one, other) => one.or(other),
                };
            }
            Ok((u64::try_from(waiting).unwrap_or(0), oldest.map(Time::from_millis)))
        })
    }

    /// So many memories, spread evenly over all that were ever approved.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn memory_sample(&self, most: u32) -> Result<Vec<MemoryId>, StoreError> {
        self.read_at_once(|db| {
            let last: i64 = db.query_row("SELECT COALESCE(max(id), 0) FROM memory", [], |row| {
                row.get(0)
            })?;
            let mut find =
                db.prepare_cached("SELECT id FROM memory WHERE id >= ?1 ORDER BY id LIMIT 1")?;
            let mut sample = BTreeSet::new();
            for at in 0..i64::from(most) {
                let from = last.saturating_mul(at) / i64::from(most.max(1)) + 1;
                let id: Option<i64> = find.query_row([from], |row| row.get(0)).optional()?;
                sample.extend(id);
            }
            Ok(sample.into_iter().map(MemoryId).collect())
        })
    }
}

/// Waiting candidates whose patterns fall short of a support.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Short {
    /// The first of them, oldest first.
    pub rows: Vec<(CandidateId, String, Support)>,
    /// How many there are of those looked at.
    pub total: u64,
    /// How many were looked at.
    pub looked_at: u64,
}

impl Store {
    /// The waiting candidates whose patterns have less than this behind them, among the oldest few.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn short_of(
        &self,
        within: Option<&Layer>,
        least: Support,
        looked_at: u32,
        listed: usize,
    ) -> Result<Short, StoreError> {
        self.read_at_once(|db| {
            let sql = format!(
                "SELECT c.id, c.claim, p.users, p.sessions, p.days FROM candidate c LEFT JOIN pattern p ON p.id = c.pattern \
                 WHERE c.state = 0{} ORDER BY c.id LIMIT ?1",
                inside(db, within)?
            );
            let mut find = db.prepare_cached(&sql)?;
            let mut found = find.query([looked_at])?;
            let mut short = Short::default();
            while let Some(row) = found.next()? {
                short.looked_at += 1;
                let Some(users) = row.get::<_, Option<u32>>(2)? else {
                    continue;
                };
                let support = Support {
                    users,
                    sessions: row.get(3)?,
                    days: row.get(4)?,
                };
                if reaches(support, least) {
                    continue;
                }
                short.total += 1;
                if short.rows.len() < listed {
                    short.rows.push((CandidateId(row.get(0)?), row.get(1)?, support));
                }
            }
            Ok(short)
        })
    }
}

/// The layers that are asked for, as part of a statement.
fn inside(db: &Connection, within: Option<&Layer>) -> Result<String, StoreError> {
    let Some(layer) = within else {
        return Ok(String::new());
    };
    let ids = search::descendants(db, layer)?;
    Ok(format!(" AND layer IN ({})", search::id_list(&ids)))
}

/// Counts one happening, or takes it out of the count again.
fn count(tx: &Tx<'_>, at: Time, layer: i64, what: &Happening, by: i64) -> Result<(), StoreError> {
    let (sort, detail) = what.write();
    tx.db()
        .prepare_cached(
            "INSERT INTO happened (day, what, layer, detail, n) VALUES (?1, ?2, ?3, ?4, ?5) \
             ON CONFLICT DO UPDATE SET n = n + excluded.n",
        )?
        .execute((at.day(), sort, layer, detail, by))?;
    Ok(())
}

/// A candidate was proposed and judged.
pub(in crate::store) fn proposed(tx: &Tx<'_>, new: &NewCandidate) -> Result<(), StoreError> {
    let layer = tx.layer(&new.proposal.scope.layer)?;
    let what = Happening::Proposed {
        trust: new.trust,
        verdict: new.verdict,
        sourced: !new.proposal.sources.is_empty(),
    };
    count(tx, new.at, layer, &what, 1)?;
    if new.verdict != Verdict::Quarantine {
        return Ok(());
    }
    let holds = |finding: &&Finding| finding.severity == Severity::Quarantine;
    let rules: BTreeSet<&str> = new
        .findings
        .iter()
        .filter(holds)
        .map(|finding| finding.rule.as_str())
        .collect();
    for rule in rules {
        let rule = rule.to_owned();
        count(tx, new.at, layer, &Happening::Blocked { rule }, 1)?;
    }
    Ok(())
}

/// A person ruled on a candidate.
pub(in crate::store) fn ruled(
    tx: &Tx<'_>,
    layer: &Layer,
    new: &NewRuling,
    act: crate::domain::Act,
) -> Result<(), StoreError> {
    if !act.is_decision() {
        return Ok(());
    }
    let layer = tx.layer(layer)?;
    count(tx, new.at, layer, &Happening::decided(act, new.at), 1)?;
    if new.ruling == crate::domain::decision::Ruling::Approve {
        let pace = new.on_screen.map(|ms| approved_in(&new.shown.body, ms));
        count(tx, new.at, layer, &Happening::Approved { pace }, 1)?;
    }
    Ok(())
}

fn approved_in(text: &str, on_screen: u64) -> Pace {
    let characters = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    crate::domain::pace::pace(characters, on_screen)
}

/// A person changed a memory.
pub(in crate::store) fn turned(
    tx: &Tx<'_>,
    layer: &Layer,
    act: crate::domain::Act,
    at: Time,
) -> Result<(), StoreError> {
    let layer = tx.layer(layer)?;
    count(tx, at, layer, &Happening::decided(act, at), 1)
}

/// A decision was taken back: it stands no longer.
pub(in crate::store) fn taken_back(tx: &Tx<'_>, what: &Takeback) -> Result<(), StoreError> {
    let of = |sql: &str, id: i64| -> Result<Option<i64>, StoreError> {
        let mut find = tx.db().prepare_cached(sql)?;
        Ok(find.query_row([id], |row| row.get(0)).optional()?)
    };
    let layer = match (what.candidate, what.memory) {
        (Some(CandidateId(id)), _) => of("SELECT layer FROM candidate WHERE id = ?1", id)?,
        (None, Some(MemoryId(id))) => of("SELECT layer FROM memory WHERE id = ?1", id)?,
        (None, None) => None,
    };
    let Some(layer) = layer else {
        return Ok(());
    };
    let (at, act) = (what.at, what.act);
    count(tx, at, layer, &Happening::decided(act, at), -1)
}

/// Memories were handed over from a layer.
pub(in crate::store) fn served(
    tx: &Tx<'_>,
    layer: i64,
    at: Time,
    memories: impl Iterator<Item = MemoryId>,
) -> Result<(), StoreError> {
    let mut find = tx.db().prepare_cached(
        "SELECT 1 FROM memory_stale s JOIN memory m ON m.id = s.memory \
         WHERE s.memory = ?1 AND s.at >= max(m.approved_at, COALESCE(m.changed_at, 0)) LIMIT 1",
    )?;
    let (mut fresh, mut stale) = (0, 0);
    for memory in memories {
        if find.exists([memory.0])? {
            stale += 1;
        } else {
            fresh += 1;
        }
    }
    for (stale, n) in [(false, fresh), (true, stale)] {
        if n > 0 {
            count(tx, at, layer, &Happening::Served { stale }, n)?;
        }
    }
    Ok(())
}
