//! What the detector reads and writes: one lease, one cursor, patterns that only ever grow.
//!
//! The cursor moves in the same transaction as the counts, so that a killed detector neither
//! loses nor repeats a sighting. Nothing here says when a pattern is worth proposing.

use crate::domain::observation::{Observation, Sighting};
use crate::domain::pattern::{Pattern, PatternState, Support, Wording};
use crate::domain::query::{Facts, Query};
use crate::domain::{CandidateId, Digest, Layer, ObservationId, PatternId, Time, Trust};
use crate::store::beside::{self, NewLink};
use crate::store::error::StoreError;
use crate::store::observe::{OBSERVATION, observation};
use crate::store::write::Tx;
use crate::store::{Store, narrow, rows};
use rusqlite::{Connection, OptionalExtension as _, Row, ToSql};
use std::collections::BTreeMap;

/// How many wordings of a pattern words are looked for in.
const WORDINGS: usize = 10_000;

/// One sighting with the group it belongs to.
#[derive(Debug, Clone)]
pub struct Grouped {
    /// The observation.
    pub id: ObservationId,
    /// What was seen.
    pub sighting: Sighting,
    /// The fingerprint of its own wording.
    pub key: Digest,
    /// The fingerprint of the wording that founded its group, inside its layer; none without a group.
    pub founder: Option<Digest>,
    /// Whether it counts towards support.
    pub counts: bool,
    /// Whether its wording was placed only now, and whether later ones are compared with it.
    pub placed: Option<Option<String>>,
    /// What its wording was seen beside when it was placed.
    pub links: Vec<NewLink>,
    /// Where it founds a pattern: the founder of its family in the tenant, and whether later
    /// founders are compared with it.
    pub family: Option<(Digest, bool)>,
}

/// What a round of grouping is written with.
#[derive(Debug, Clone)]
pub struct Round {
    /// The sightings, in order.
    pub grouped: Vec<Grouped>,
    /// From here on a pattern that grew is looked at again.
    pub worth: Support,
    /// The detector that placed them.
    pub version: Digest,
    /// When.
    pub at: Time,
    /// How long placing them took, in milliseconds.
    pub millis: u64,
}

/// A wording that was placed before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Its layer.
    pub layer: Layer,
    /// Its fingerprint.
    pub key: Digest,
    /// The fingerprint of the wording that founded its group.
    pub founder: Digest,
    /// Its text, where later wordings are compared with it.
    pub compared: Option<String>,
}

/// What a round of grouping changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grown {
    /// Patterns that grew or began.
    pub patterns: Vec<GrownPattern>,
}

/// A pattern that grew or began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrownPattern {
    /// The pattern.
    pub id: PatternId,
    /// Where it stands.
    pub state: PatternState,
    /// Who stood behind it before.
    pub before: Support,
    /// Who stands behind it now.
    pub after: Support,
}

impl Store {
    /// Takes or renews the detector's lease. One process at a time holds it.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn take_lease(&self, holder: &str, now: Time, until: Time) -> Result<bool, StoreError> {
        let holder = holder.to_owned();
        self.write(move |tx| {
            let changed = tx.db().execute(
                "UPDATE detector SET holder = ?1, lease_until = ?2 WHERE one = 1 AND (holder = ?1 OR holder IS NULL OR lease_until <= ?3)",
                (&holder, until.millis(), now.millis()),
            )?;
            Ok(changed == 1)
        })
    }

    /// Gives the lease back, if this holder has it.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn give_lease_back(&self, holder: &str) -> Result<(), StoreError> {
        let holder = holder.to_owned();
        self.write(move |tx| {
            tx.db().execute(
                "UPDATE detector SET holder = NULL, lease_until = 0 WHERE one = 1 AND holder = ?1",
                [&holder],
            )?;
            Ok(())
        })
    }

    /// Observations the detector has not looked at, oldest first, at most `limit`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn unseen(&self, limit: usize) -> Result<Vec<Observation>, StoreError> {
        self.read(|db| {
            let sql = format!("{OBSERVATION} WHERE o.seq > (SELECT done FROM detector WHERE one = 1) ORDER BY o.seq LIMIT ?1");
            let mut find = db.prepare_cached(&sql)?;
            let mut found = find.query([i64::try_from(limit).unwrap_or(i64::MAX)])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(observation(row)?);
            }
            Ok(list)
        })
    }

    /// Every wording that was placed, in the order it came.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn places(&self) -> Result<Vec<Place>, StoreError> {
        self.read_at_once(|db| {
            let sql = "SELECT l.path, p.key, p.founder, p.compared FROM placed p JOIN layer l ON l.id = p.layer ORDER BY p.id";
            let mut find = db.prepare_cached(sql)?;
            let mut found = find.query([])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(Place {
                    layer: rows::layer(&row.get::<_, String>(0)?)?,
                    key: rows::digest(&row.get::<_, Vec<u8>>(1)?)?,
                    founder: rows::digest(&row.get::<_, Vec<u8>>(2)?)?,
                    compared: row.get(3)?,
                });
            }
            Ok(list)
        })
    }

    /// How far the detector has come: whoever moved it knows more than one who did not.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn detected_up_to(&self) -> Result<ObservationId, StoreError> {
        self.read(|db| {
            let mut find = db.prepare_cached("SELECT done FROM detector WHERE one = 1")?;
            Ok(ObservationId(find.query_row([], |row| row.get(0))?))
        })
    }

    /// Whether a wording of this fingerprint was placed in a pattern.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn pattern_holds(&self, id: PatternId, key: &Digest) -> Result<bool, StoreError> {
        self.read(|db| {
            let mut find = db.prepare_cached(
                "SELECT p.id FROM placed p JOIN pattern t ON t.layer = p.layer AND t.fingerprint = substr(p.founder, 1, 16) \
                 WHERE t.id = ?1 AND p.key = ?2",
            )?;
            Ok(find.exists((id.0, key.0.as_slice()))?)
        })
    }

    /// Which of these sightings repeat a memory that their session had been served before.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn echoes(&self, grouped: &[Grouped]) -> Result<Vec<bool>, StoreError> {
        self.read_at_once(|db| {
            let mut known = db.prepare_cached("SELECT id FROM memory WHERE fingerprint = ?1 LIMIT 1")?;
            let mut served = db.prepare_cached(
                "SELECT s.id FROM memory m JOIN serving_memory sm ON sm.memory = m.id JOIN serving s ON s.id = sm.serving \
                 WHERE m.fingerprint = ?1 AND s.session = ?2 AND s.at <= ?3 LIMIT 1",
            )?;
            let mut found = Vec::with_capacity(grouped.len());
            for one in grouped {
                let key = one.key.0.as_slice();
                let seen = &one.sighting;
                let echo = known.exists([key])?
                    && served.exists((key, seen.session.as_str(), seen.at.millis()))?;
                found.push(echo);
            }
            Ok(found)
        })
    }

    /// How many observations the detector has not looked at.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn lag(&self) -> Result<u64, StoreError> {
        self.read(|db| {
            let sql = "SELECT COALESCE((SELECT max(seq) FROM observation), 0) - done FROM detector WHERE one = 1";
            let lag: i64 = db.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
            Ok(u64::try_from(lag).unwrap_or(0))
        })
    }

    /// Adds grouped sightings to their patterns and moves the cursor behind the last of them.
    ///
    /// # Errors
    /// Another process moved the cursor meanwhile (nothing is written), or the store cannot be written.
    pub fn grow(&self, round: Round) -> Result<Grown, StoreError> {
        self.write(move |tx| grow(tx, &round))
    }

    /// Patterns not yet proposed that reach these numbers.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn ready(&self, least: Support, limit: usize) -> Result<Vec<Pattern>, StoreError> {
        self.read_at_once(|db| {
            let sql = format!("{PATTERN} WHERE p.state = 0 AND p.users >= ?1 AND p.sessions >= ?2 AND p.days >= ?3 ORDER BY p.users DESC, p.sessions DESC, p.id LIMIT ?4");
            let mut find = db.prepare_cached(&sql)?;
            let mut found = find.query((least.users, least.sessions, least.days, i64::try_from(limit).unwrap_or(i64::MAX)))?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(pattern(db, row)?);
            }
            Ok(list)
        })
    }

    /// Marks what a pattern was proposed as.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn mark_proposed(&self, id: PatternId, candidate: CandidateId) -> Result<(), StoreError> {
        self.write(move |tx| {
            tx.db()
                .prepare_cached("UPDATE pattern SET state = 1, candidate = ?2 WHERE id = ?1")?
                .execute((id.0, candidate.0))?;
            tx.db()
                .prepare_cached(
                    "UPDATE pattern SET candidate = ?2 WHERE candidate IS NULL AND id IN (SELECT child FROM rollup WHERE whole = ?1)",
                )?
                .execute((id.0, candidate.0))?;
            Ok(())
        })
    }

    /// One pattern.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn pattern(&self, id: PatternId) -> Result<Pattern, StoreError> {
        self.read_at_once(|db| {
            let sql = format!("{PATTERN} WHERE p.id = ?1");
            let mut find = db.prepare_cached(&sql)?;
            let mut found = find.query([id.0])?;
            let row = found
                .next()?
                .ok_or_else(|| StoreError::NotFound(format!("pattern {id}")))?;
            pattern(db, row)
        })
    }

    /// Patterns, best supported first, at most `limit`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn patterns(&self, limit: usize) -> Result<Vec<Pattern>, StoreError> {
        self.read_at_once(|db| {
            let sql = format!("{PATTERN} ORDER BY p.users DESC, p.sessions DESC, p.id LIMIT ?1");
            let mut find = db.prepare_cached(&sql)?;
            let mut found = find.query([i64::try_from(limit).unwrap_or(i64::MAX)])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(pattern(db, row)?);
            }
            Ok(list)
        })
    }

    /// Patterns that a query asks for, best supported first, from `offset` on, at most `limit`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn patterns_within(
        &self,
        query: &Query,
        now: Time,
        shown: &dyn Fn(&str) -> String,
        offset: usize,
        limit: usize,
    ) -> Result<Vec<Pattern>, StoreError> {
        self.read_at_once(|db| {
            let narrowed = narrow::narrow(db, narrow::Table::Patterns, query, 3, now)?;
            // What SQL cannot answer is skipped and counted here instead of there.
            let (skipped, mut left) = if narrowed.exact { (offset, 0) } else { (0, offset) };
            let most = if narrowed.exact { limit } else { usize::MAX };
            let sql = format!(
                "{PATTERN} WHERE p.users > 0{} ORDER BY p.users DESC, p.sessions DESC, p.id LIMIT ?1 OFFSET ?2",
                narrowed.sql
            );
            let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
            let (most, skipped) = (number(most), number(skipped));
            let mut values: Vec<&dyn ToSql> = vec![&most, &skipped];
            values.extend(narrowed.values.iter().map(|value| value as &dyn ToSql));
            let mut find = db.prepare_cached(&sql)?;
            let mut found = find.query(values.as_slice())?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                let one = pattern(db, row)?;
                if !narrowed.exact {
                    let wordings = wordings(db, one.id, WORDINGS)?;
                    let mut facts = Facts::of_pattern(&one, now);
                    let others = wordings.iter().map(|it| it.text.as_str().into());
                    facts.texts.extend(others);
                    if !query.picks(facts, shown) {
                        continue;
                    }
                    if left > 0 {
                        left -= 1;
                        continue;
                    }
                }
                list.push(one);
                if list.len() == limit {
                    break;
                }
            }
            Ok(list)
        })
    }

    /// The wordings behind a pattern, most frequent first, at most `limit`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn wordings(&self, id: PatternId, limit: usize) -> Result<Vec<Wording>, StoreError> {
        self.read(|db| wordings(db, id, limit))
    }

    /// The newest sightings behind a pattern, at most `limit`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn sightings(&self, id: PatternId, limit: usize) -> Result<Vec<Observation>, StoreError> {
        self.read_at_once(|db| {
            let sql = format!("{OBSERVATION} JOIN pattern_observation po ON po.seq = o.seq WHERE po.pattern = ?1 ORDER BY o.seq DESC LIMIT ?2");
            let mut find = db.prepare_cached(&sql)?;
            let mut found = find.query((id.0, i64::try_from(limit).unwrap_or(i64::MAX)))?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(observation(row)?);
            }
            Ok(list)
        })
    }
}

pub(in crate::store) const PATTERN: &str = "SELECT p.id, l.path, p.users, p.sessions, p.days, p.observations, p.trust, p.last_at, p.state, p.candidate \
     FROM pattern p JOIN layer l ON l.id = p.layer";

pub(in crate::store) fn pattern(db: &Connection, row: &Row<'_>) -> Result<Pattern, StoreError> {
    let id = PatternId(row.get(0)?);
    let claim = wordings(db, id, 1)?
        .pop()
        .map(|wording| wording.text)
        .unwrap_or_default();
    let support = Support {
        users: row.get(2)?,
        sessions: row.get(3)?,
        days: row.get(4)?,
    };
    let lowest = rows::word(Trust::from_code(row.get(6)?), "trust")?;
    Ok(Pattern {
        id,
        claim,
        layer: rows::layer(&row.get::<_, String>(1)?)?,
        support,
        observations: row.get::<_, i64>(5)?.unsigned_abs(),
        // The least of nothing is not the most: where nobody counts, nothing vouches.
        trust: Trust::lowest((support.users > 0).then_some(lowest)),
        last_at: Time::from_millis(row.get(7)?),
        state: rows::word(PatternState::from_code(row.get(8)?), "pattern state")?,
        candidate: row.get::<_, Option<i64>>(9)?.map(CandidateId),
    })
}

fn wordings(db: &Connection, id: PatternId, limit: usize) -> Result<Vec<Wording>, StoreError> {
    let mut find = db.prepare_cached(
        "SELECT text, count FROM pattern_wording WHERE pattern = ?1 ORDER BY count DESC, length(text), text LIMIT ?2",
    )?;
    let list = find
        .query_map((id.0, i64::try_from(limit).unwrap_or(i64::MAX)), |row| {
            Ok(Wording {
                text: row.get(0)?,
                count: row.get::<_, i64>(1)?.unsigned_abs(),
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(list)
}

fn grow(tx: &Tx<'_>, round: &Round) -> Result<Grown, StoreError> {
    let grouped = round.grouped.as_slice();
    let (Some(first), Some(last)) = (grouped.first(), grouped.last()) else {
        return Ok(Grown::default());
    };
    let moved = tx.db().execute(
        "UPDATE detector SET done = ?1 WHERE one = 1 AND done < ?2",
        (last.id.0, first.id.0),
    )?;
    if moved == 0 {
        return Err(StoreError::Busy(std::path::PathBuf::new()));
    }
    let mut by_group: BTreeMap<(&Layer, &Digest), Vec<&Grouped>> = BTreeMap::new();
    for one in grouped {
        if let Some(founder) = &one.founder {
            by_group
                .entry((&one.sighting.layer, founder))
                .or_default()
                .push(one);
        }
    }
    keep_places(tx, grouped)?;
    beside::first_seen(tx, grouped)?;
    let mut grown = Grown::default();
    let mut changes = beside::Changes::default();
    for ((layer, fingerprint), members) in by_group {
        let layer = tx.layer(layer)?;
        let id = pattern_number(tx, layer, fingerprint)?;
        let mut ids = vec![id];
        ids.extend(beside::wholes(tx, id)?);
        for id in ids {
            grown
                .patterns
                .push(grow_one(tx, id, &members, &mut changes)?);
        }
    }
    changes.keep(tx)?;
    beside::keep_families(tx, grouped)?;
    beside::keep_links(tx, round)?;
    beside::note_worth_a_look(tx, &grown, round.worth)?;
    beside::progress(tx, round)?;
    Ok(grown)
}

/// Wordings that were placed only now, in the order they came.
fn keep_places(tx: &Tx<'_>, grouped: &[Grouped]) -> Result<(), StoreError> {
    let mut insert = tx.db().prepare_cached(
        "INSERT INTO placed (layer, key, founder, compared) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (layer, key) DO NOTHING",
    )?;
    for one in grouped {
        if let (Some(founder), Some(compared)) = (&one.founder, &one.placed) {
            let layer = tx.layer(&one.sighting.layer)?;
            insert.execute((layer, one.key.0.as_slice(), founder.0.as_slice(), compared))?;
        }
    }
    Ok(())
}

fn grow_one(
    tx: &Tx<'_>,
    id: PatternId,
    members: &[&Grouped],
    changes: &mut beside::Changes,
) -> Result<GrownPattern, StoreError> {
    let db = tx.db();
    let mut user = db.prepare_cached(
        "INSERT INTO pattern_user (pattern, user) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
    )?;
    let mut session = db.prepare_cached(
        "INSERT INTO pattern_session (pattern, session) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
    )?;
    let mut day = db.prepare_cached(
        "INSERT INTO pattern_day (pattern, day) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
    )?;
    let mut wording = db.prepare_cached(
        "INSERT INTO pattern_wording (pattern, sha256, text, count) VALUES (?1, ?2, ?3, 1) ON CONFLICT (pattern, sha256) DO UPDATE SET count = count + 1",
    )?;
    let mut member = db.prepare_cached(
        "INSERT INTO pattern_observation (pattern, seq) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
    )?;
    let mut more = Support::default();
    let mut trust = Trust::System;
    let mut last_at = i64::MIN;
    for one in members {
        let seen = &one.sighting;
        last_at = last_at.max(seen.at.millis());
        member.execute((id.0, one.id.0))?;
        if !one.counts {
            continue;
        }
        wording.execute((
            id.0,
            Digest::of(seen.text.as_bytes()).0.as_slice(),
            &seen.text,
        ))?;
        more.users += u32::from(user.execute((id.0, seen.user.as_str()))? > 0);
        more.sessions += u32::from(session.execute((id.0, seen.session.as_str()))? > 0);
        more.days += u32::from(day.execute((id.0, seen.at.day()))? > 0);
        trust = trust.min(seen.trust);
    }
    let (layer, state, before) = standing(db, id)?;
    db.prepare_cached(
        "UPDATE pattern SET users = users + ?2, sessions = sessions + ?3, days = days + ?4, observations = observations + ?5, \
         trust = min(trust, ?6), last_at = max(last_at, ?7) WHERE id = ?1",
    )?
    .execute((id.0, more.users, more.sessions, more.days, members.len() as i64, trust.code(), last_at))?;
    let after = Support {
        users: before.users + more.users,
        sessions: before.sessions + more.sessions,
        days: before.days + more.days,
    };
    changes.note(layer, Time::from_millis(last_at), before, after);
    Ok(GrownPattern {
        id,
        state,
        before,
        after,
    })
}

/// The layer, the state and the support of a pattern.
fn standing(db: &Connection, id: PatternId) -> Result<(i64, PatternState, Support), StoreError> {
    let mut find =
        db.prepare_cached("SELECT layer, state, users, sessions, days FROM pattern WHERE id = ?1")?;
    let (layer, state, support) = find.query_row([id.0], |row| {
        let support = Support {
            users: row.get(2)?,
            sessions: row.get(3)?,
            days: row.get(4)?,
        };
        Ok((row.get(0)?, row.get::<_, i64>(1)?, support))
    })?;
    let state = rows::word(PatternState::from_code(state), "pattern state")?;
    Ok((layer, state, support))
}

/// The number of a pattern, made on first sight.
pub(in crate::store) fn pattern_number(
    tx: &Tx<'_>,
    layer: i64,
    fingerprint: &Digest,
) -> Result<PatternId, StoreError> {
    let mut find = tx
        .db()
        .prepare_cached("SELECT id FROM pattern WHERE layer = ?1 AND fingerprint = ?2")?;
    let key = fingerprint.0.get(..16).unwrap_or_default();
    let known = find.query_row((layer, key), |row| row.get(0)).optional()?;
    if let Some(id) = known {
        return Ok(PatternId(id));
    }
    tx.db()
        .prepare_cached(
            "INSERT INTO pattern (layer, fingerprint, users, sessions, days, observations, trust, last_at, state) \
             VALUES (?1, ?2, 0, 0, 0, 0, ?3, ?4, 0)",
        )?
        .execute((layer, key, Trust::System.code(), i64::MIN))?;
    Ok(PatternId(tx.db().last_insert_rowid()))
}
