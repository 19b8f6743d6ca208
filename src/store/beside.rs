//! What the detector keeps beside its counts: links, families, first sightings, the supports by
//! week, its own progress. All of it is written in the transaction that moves the cursor.

use crate::domain::pattern::{LinkKind, PatternLink, Support};
use crate::domain::{Digest, Layer, PatternId, Time};
use crate::store::detect::{Grouped, Grown, Round, pattern_number};
use crate::store::error::StoreError;
use crate::store::write::Tx;
use crate::store::{Store, rows};
use rusqlite::{Connection, OptionalExtension as _};
use std::collections::BTreeMap;

/// How many links of a kind are kept for one pattern.
const MOST_LINKS: i64 = 32;
/// Counts above this are all one, here as in the what-if table.
const MOST: u32 = 64;
/// How long a week is, in milliseconds.
const WEEK: i64 = 7 * crate::domain::time::DAY;

/// What a wording was seen beside when it was placed.
#[derive(Debug, Clone, PartialEq)]
pub struct NewLink {
    /// Which it is.
    pub kind: LinkKind,
    /// The founder of the other pattern; the pattern's own where it joined.
    pub other: Digest,
    /// What it was held against.
    pub with: String,
    /// Why, where it is said at once.
    pub why: String,
}

/// When a user and a session were first seen, where they were.
pub type FirstSeen = (Option<Time>, Option<Time>);

/// Where the detector is.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Progress {
    /// Who holds the lease, and until when.
    pub holder: Option<String>,
    /// Until when the lease runs.
    pub lease_until: Option<Time>,
    /// Observations still to be looked at.
    pub lag: u64,
    /// Observations looked at.
    pub done: u64,
    /// When the last round ended.
    pub last_round: Option<Time>,
    /// Observations a second in the last round.
    pub rate: Option<u64>,
    /// What went wrong last, and when; gone after a round that went well.
    pub error: Option<String>,
    /// When that was.
    pub error_at: Option<Time>,
}

impl Store {
    /// What a pattern was seen beside, at most `limit` of each kind, the newest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn links(&self, id: PatternId, limit: usize) -> Result<Vec<PatternLink>, StoreError> {
        self.read_at_once(|db| {
            let mut find = db.prepare_cached(
                "SELECT kind, other, text, with_text, why, version, at FROM pattern_link WHERE pattern = ?1 AND kind = ?2 \
                 ORDER BY id DESC LIMIT ?3",
            )?;
            let mut list = Vec::new();
            for kind in LinkKind::ALL {
                let limit = i64::try_from(limit).unwrap_or(i64::MAX);
                let mut found = find.query((id.0, kind.code(), limit))?;
                while let Some(row) = found.next()? {
                    list.push(PatternLink {
                        kind: *kind,
                        other: Some(row.get(1)?).filter(|id| *id != 0).map(PatternId),
                        text: row.get(2)?,
                        with: row.get(3)?,
                        why: row.get(4)?,
                        version: rows::digest(&row.get::<_, Vec<u8>>(5)?)?,
                        at: Time::from_millis(row.get(6)?),
                    });
                }
            }
            Ok(list)
        })
    }

    /// How many patterns have each support, in these layers or in all, before this week or in all
    /// weeks; and the weeks there are.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn supports(
        &self,
        within: Option<&Layer>,
        before: Option<Time>,
    ) -> Result<Vec<(Support, u64)>, StoreError> {
        self.read_at_once(|db| {
            let narrowed = match within {
                None => String::new(),
                Some(layer) => {
                    let ids = crate::store::search::descendants(db, layer)?;
                    format!(" AND layer IN ({})", crate::store::search::id_list(&ids))
                }
            };
            let sql = format!(
                "SELECT users, sessions, days, sum(n) FROM support_change WHERE week < ?1{narrowed} GROUP BY users, sessions, days"
            );
            let mut find = db.prepare_cached(&sql)?;
            let before = before.map_or(i64::MAX, week_of);
            let mut found = find.query([before])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                let support = Support {
                    users: row.get(0)?,
                    sessions: row.get(1)?,
                    days: row.get(2)?,
                };
                list.push((support, u64::try_from(row.get::<_, i64>(3)?).unwrap_or(0)));
            }
            Ok(list)
        })
    }

    /// When a user and a session of a tenant were first seen at all.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn first_seen(
        &self,
        tenant: &str,
        who: &[(String, String)],
    ) -> Result<Vec<FirstSeen>, StoreError> {
        self.read_at_once(|db| {
            let mut find = db.prepare_cached(
                "SELECT at FROM first_seen WHERE what = ?1 AND tenant = ?2 AND name = ?3",
            )?;
            let mut one = |what: i64, name: &str| -> Result<Option<Time>, StoreError> {
                let at = find
                    .query_row((what, tenant, name), |row| row.get(0))
                    .optional()?;
                Ok(at.map(Time::from_millis))
            };
            who.iter()
                .map(|(user, session)| Ok((one(0, user)?, one(1, session)?)))
                .collect()
        })
    }

    /// Patterns that grew and were not looked at since, at most `limit`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn worth_a_look(&self, limit: usize) -> Result<Vec<PatternId>, StoreError> {
        self.read(|db| {
            let mut find =
                db.prepare_cached("SELECT pattern FROM pattern_todo ORDER BY pattern LIMIT ?1")?;
            let list = find
                .query_map([i64::try_from(limit).unwrap_or(i64::MAX)], |row| {
                    row.get(0).map(PatternId)
                })?
                .collect::<Result<_, _>>()?;
            Ok(list)
        })
    }

    /// Takes patterns off that list.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn looked_at(&self, ids: Vec<PatternId>) -> Result<(), StoreError> {
        self.write(move |tx| {
            let mut done = tx
                .db()
                .prepare_cached("DELETE FROM pattern_todo WHERE pattern = ?1")?;
            for id in &ids {
                done.execute([id.0])?;
            }
            Ok(())
        })
    }

    /// Where the detector is.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn progress(&self) -> Result<Progress, StoreError> {
        self.read_at_once(|db| {
            let sql = "SELECT d.holder, d.lease_until, d.done, COALESCE((SELECT max(seq) FROM observation), 0), \
                       p.at, p.observations, p.millis, p.error, p.error_at \
                       FROM detector d LEFT JOIN detector_progress p ON p.one = 1 WHERE d.one = 1";
            Ok(db.prepare_cached(sql)?.query_row([], |row| {
                let (done, last): (i64, i64) = (row.get(2)?, row.get(3)?);
                let at: Option<i64> = row.get(4)?;
                let (seen, millis): (Option<i64>, Option<i64>) = (row.get(5)?, row.get(6)?);
                let rate = seen.zip(millis).filter(|(seen, _)| *seen > 0);
                let until: i64 = row.get(1)?;
                Ok(Progress {
                    holder: row.get(0)?,
                    lease_until: Some(until).filter(|at| *at > 0).map(Time::from_millis),
                    lag: u64::try_from(last - done).unwrap_or(0),
                    done: done.unsigned_abs(),
                    last_round: at.filter(|at| *at > 0).map(Time::from_millis),
                    rate: rate.map(|(seen, millis)| (seen * 1000 / millis.max(1)).unsigned_abs()),
                    error: row.get(7)?,
                    error_at: row.get::<_, Option<i64>>(8)?.map(Time::from_millis),
                })
            })?)
        })
    }

    /// The version of the detector that worked last, if one did.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn detector_version(&self) -> Result<Option<String>, StoreError> {
        self.read(|db| {
            let mut find =
                db.prepare_cached("SELECT version FROM detector_progress WHERE one = 1")?;
            let found: Option<String> = find.query_row([], |row| row.get(0)).optional()?;
            Ok(found.filter(|version| !version.is_empty()))
        })
    }

    /// Keeps what went wrong, so that whoever asks for the status hears of it.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn note_detector_error(&self, error: String, at: Time) -> Result<(), StoreError> {
        self.write(move |tx| {
            tx.db()
                .prepare_cached(
                    "INSERT INTO detector_progress (one, at, observations, millis, version, error, error_at) VALUES (1, 0, 0, 0, '', ?1, ?2) \
                     ON CONFLICT (one) DO UPDATE SET error = ?1, error_at = ?2",
                )?
                .execute((&error, at.millis()))?;
            Ok(())
        })
    }
}

pub(in crate::store) const fn week_of(at: Time) -> i64 {
    at.millis().div_euclid(WEEK)
}

/// Supports that patterns came to and left, gathered over a round.
#[derive(Debug, Default)]
pub(in crate::store) struct Changes(BTreeMap<(i64, i64, u32, u32, u32), i64>);

impl Changes {
    pub(in crate::store) fn note(&mut self, layer: i64, at: Time, before: Support, after: Support) {
        if before == after {
            return;
        }
        let week = week_of(at);
        let mut count = |support: Support, by: i64| {
            if support.users > 0 {
                let capped = |n: u32| n.min(MOST);
                let key = (
                    week,
                    layer,
                    capped(support.users),
                    capped(support.sessions),
                    capped(support.days),
                );
                *self.0.entry(key).or_default() += by;
            }
        };
        count(before, -1);
        count(after, 1);
    }

    pub(in crate::store) fn keep(self, tx: &Tx<'_>) -> Result<(), StoreError> {
        let mut change = tx.db().prepare_cached(
            "INSERT INTO support_change (week, layer, users, sessions, days, n) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
             ON CONFLICT (week, layer, users, sessions, days) DO UPDATE SET n = n + ?6",
        )?;
        for ((week, layer, users, sessions, days), n) in self.0 {
            if n != 0 {
                change.execute((week, layer, users, sessions, days, n))?;
            }
        }
        Ok(())
    }
}

/// The patterns of wider layers that count what this one counts.
pub(in crate::store) fn wholes(tx: &Tx<'_>, id: PatternId) -> Result<Vec<PatternId>, StoreError> {
    let mut find = tx.db().prepare_cached(
        "WITH RECURSIVE up(id) AS (SELECT whole FROM rollup WHERE child = ?1 \
         UNION SELECT r.whole FROM rollup r JOIN up ON r.child = up.id) SELECT id FROM up WHERE id <> ?1",
    )?;
    let list = find
        .query_map([id.0], |row| row.get(0).map(PatternId))?
        .collect::<Result<_, _>>()?;
    Ok(list)
}

/// When users and sessions were first seen: once for each in a round.
pub(in crate::store) fn first_seen(tx: &Tx<'_>, grouped: &[Grouped]) -> Result<(), StoreError> {
    let mut first: BTreeMap<(i64, &str, &str), i64> = BTreeMap::new();
    for one in grouped {
        let seen = &one.sighting;
        let tenant = seen.layer.tenant();
        for key in [
            (0, tenant, seen.user.as_str()),
            (1, tenant, seen.session.as_str()),
        ] {
            let at = first.entry(key).or_insert(i64::MAX);
            *at = (*at).min(seen.at.millis());
        }
    }
    let mut keep = tx.db().prepare_cached(
        "INSERT INTO first_seen (what, tenant, name, at) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (what, tenant, name) DO UPDATE SET at = ?4 WHERE at > ?4",
    )?;
    for ((what, tenant, name), at) in first {
        keep.execute((what, tenant, name, at))?;
    }
    Ok(())
}

/// New patterns take their place in their family.
pub(in crate::store) fn keep_families(tx: &Tx<'_>, grouped: &[Grouped]) -> Result<(), StoreError> {
    let mut keep = tx.db().prepare_cached(
        "INSERT INTO family (pattern, tenant, founder, key, seq, compared) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
    )?;
    for one in grouped {
        let (Some((family, compared)), Some(founder)) = (&one.family, &one.founder) else {
            continue;
        };
        let layer = &one.sighting.layer;
        let id = pattern_number(tx, tx.layer(layer)?, founder)?;
        let tenant = tx.layer(&tenant_of(layer)?)?;
        keep.execute((
            id.0,
            tenant,
            family.0.as_slice(),
            founder.0.as_slice(),
            one.id.0,
            compared,
        ))?;
    }
    Ok(())
}

pub(in crate::store) fn tenant_of(layer: &Layer) -> Result<Layer, StoreError> {
    rows::layer(layer.tenant())
}

/// Links stand on both patterns, each from its own side.
pub(in crate::store) fn keep_links(tx: &Tx<'_>, round: &Round) -> Result<(), StoreError> {
    for one in &round.grouped {
        let Some(founder) = &one.founder else {
            continue;
        };
        if one.links.is_empty() {
            continue;
        }
        let layer = tx.layer(&one.sighting.layer)?;
        let own = pattern_number(tx, layer, founder)?;
        for link in &one.links {
            if link.other == *founder {
                keep_link(tx, own, None, &one.sighting.text, &link.with, link, round)?;
                continue;
            }
            let other = pattern_number(tx, layer, &link.other)?;
            keep_link(
                tx,
                own,
                Some(other),
                &one.sighting.text,
                &link.with,
                link,
                round,
            )?;
            keep_link(
                tx,
                other,
                Some(own),
                &link.with,
                &one.sighting.text,
                link,
                round,
            )?;
        }
    }
    Ok(())
}

fn keep_link(
    tx: &Tx<'_>,
    of: PatternId,
    other: Option<PatternId>,
    text: &str,
    with: &str,
    link: &NewLink,
    round: &Round,
) -> Result<(), StoreError> {
    let kept: i64 = tx
        .db()
        .prepare_cached("SELECT count(*) FROM pattern_link WHERE pattern = ?1 AND kind = ?2")?
        .query_row((of.0, link.kind.code()), |row| row.get(0))?;
    if kept >= MOST_LINKS {
        return Ok(());
    }
    tx.db()
        .prepare_cached(
            "INSERT INTO pattern_link (pattern, kind, other, text, with_text, why, version, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) \
             ON CONFLICT DO NOTHING",
        )?
        .execute((
            of.0,
            link.kind.code(),
            other.map_or(0, |id| id.0),
            text,
            with,
            &link.why,
            round.version.0.as_slice(),
            round.at.millis(),
        ))?;
    Ok(())
}

/// Patterns that found more people, where those are enough to matter or others say the same
/// in another layer.
pub(in crate::store) fn note_worth_a_look(
    tx: &Tx<'_>,
    grown: &Grown,
    worth: Support,
) -> Result<(), StoreError> {
    let mut note = tx
        .db()
        .prepare_cached("INSERT INTO pattern_todo (pattern) VALUES (?1) ON CONFLICT DO NOTHING")?;
    for one in &grown.patterns {
        if one.after == one.before {
            continue;
        }
        let enough = one.after.users >= worth.users
            && one.after.sessions >= worth.sessions
            && one.after.days >= worth.days;
        if enough || has_siblings(tx.db(), one.id)? {
            note.execute([one.id.0])?;
        }
    }
    Ok(())
}

fn has_siblings(db: &Connection, id: PatternId) -> Result<bool, StoreError> {
    let mut find = db.prepare_cached(
        "SELECT 1 FROM family f JOIN family g ON g.tenant = f.tenant AND g.founder = f.founder AND g.pattern <> f.pattern \
         WHERE f.pattern = ?1 LIMIT 1",
    )?;
    Ok(find.exists([id.0])?)
}

/// A round that went well, and how fast it was.
pub(in crate::store) fn progress(tx: &Tx<'_>, round: &Round) -> Result<(), StoreError> {
    let millis = i64::try_from(round.millis).unwrap_or(i64::MAX);
    tx.db()
        .prepare_cached(
            "INSERT INTO detector_progress (one, at, observations, millis, version) VALUES (1, ?1, ?2, ?3, ?4) \
             ON CONFLICT (one) DO UPDATE SET at = ?1, observations = ?2, millis = ?3, version = ?4, error = NULL, error_at = NULL",
        )?
        .execute((
            round.at.millis(),
            round.grouped.len() as i64,
            millis,
            round.version.to_string(),
        ))?;
    Ok(())
}
