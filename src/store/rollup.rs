//! What recurs in several layers of a tenant: families of patterns, and patterns of wider layers
//! that count the people of those below. Which layer is right is judged elsewhere.

use crate::domain::pattern::{PatternState, Support};
use crate::domain::{CandidateId, Digest, Layer, PatternId, Time};
use crate::recurrence::Kept;
use crate::store::beside::{Changes, tenant_of};
use crate::store::detect::pattern_number;
use crate::store::error::StoreError;
use crate::store::write::Tx;
use crate::store::{Store, rows, search};
use rusqlite::{Connection, OptionalExtension as _};

/// One pattern of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The pattern.
    pub id: PatternId,
    /// Its layer.
    pub layer: Layer,
    /// Who stands behind it.
    pub support: Support,
    /// Where it stands.
    pub state: PatternState,
    /// What it was proposed as.
    pub candidate: Option<CandidateId>,
    /// The fingerprint of its founding wording.
    pub key: Digest,
    /// The pattern of a wider layer that counts its people, the widest if there are several.
    pub counted_in: Option<PatternId>,
}

impl Store {
    /// Every family's places, for comparing new patterns with: the layer of each is its tenant.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn families(&self) -> Result<Vec<Kept>, StoreError> {
        self.read_at_once(|db| {
            let mut find = db.prepare_cached(
                "SELECT l.path, f.key, f.founder, CASE f.compared WHEN 1 THEN p.compared END FROM family f JOIN layer l ON l.id = f.tenant \
                 JOIN pattern t ON t.id = f.pattern LEFT JOIN placed p ON p.layer = t.layer AND p.key = f.key ORDER BY f.seq",
            )?;
            let mut found = find.query([])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(Kept {
                    layer: rows::layer(&row.get::<_, String>(0)?)?,
                    key: rows::digest(&row.get::<_, Vec<u8>>(1)?)?,
                    pattern: rows::digest(&row.get::<_, Vec<u8>>(2)?)?,
                    compared_by: row.get(3)?,
                });
            }
            Ok(list)
        })
    }

    /// Everything of a pattern's family, itself included.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn family(&self, id: PatternId) -> Result<Vec<Member>, StoreError> {
        self.read_at_once(|db| {
            let mut find = db.prepare_cached(
                "SELECT t.id, l.path, t.users, t.sessions, t.days, t.state, t.candidate, g.key, \
                 (SELECT max(whole) FROM rollup WHERE child = t.id) \
                 FROM family f JOIN family g ON g.tenant = f.tenant AND g.founder = f.founder \
                 JOIN pattern t ON t.id = g.pattern JOIN layer l ON l.id = t.layer WHERE f.pattern = ?1 ORDER BY t.id",
            )?;
            let mut found = find.query([id.0])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(Member {
                    id: PatternId(row.get(0)?),
                    layer: rows::layer(&row.get::<_, String>(1)?)?,
                    support: Support {
                        users: row.get(2)?,
                        sessions: row.get(3)?,
                        days: row.get(4)?,
                    },
                    state: rows::word(PatternState::from_code(row.get(5)?), "pattern state")?,
                    candidate: row.get::<_, Option<i64>>(6)?.map(CandidateId),
                    key: rows::digest(&row.get::<_, Vec<u8>>(7)?)?,
                    counted_in: row.get::<_, Option<i64>>(8)?.map(PatternId),
                });
            }
            Ok(list)
        })
    }

    /// The patterns of wider layers that count this one's people, or those it counts the people of.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn relatives(&self, id: PatternId) -> Result<(Vec<PatternId>, Vec<PatternId>), StoreError> {
        self.read_at_once(|db| {
            let ask = |sql: &str| -> Result<Vec<PatternId>, StoreError> {
                let mut find = db.prepare_cached(sql)?;
                let list = find
                    .query_map([id.0], |row| row.get(0).map(PatternId))?
                    .collect::<Result<_, _>>()?;
                Ok(list)
            };
            Ok((
                ask("SELECT whole FROM rollup WHERE child = ?1 AND whole <> ?1 ORDER BY whole")?,
                ask("SELECT child FROM rollup WHERE whole = ?1 AND child <> ?1 ORDER BY child")?,
            ))
        })
    }

    /// Who stands behind several patterns taken together: nobody is counted twice.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn support_together(&self, ids: &[PatternId]) -> Result<Support, StoreError> {
        self.read_at_once(|db| {
            let list = id_list(ids);
            let count = |table: &str, column: &str| -> Result<u32, StoreError> {
                let sql = format!(
                    "SELECT count(DISTINCT {column}) FROM {table} WHERE pattern IN ({list})"
                );
                Ok(db.prepare(&sql)?.query_row([], |row| row.get(0))?)
            };
            Ok(Support {
                users: count("pattern_user", "user")?,
                sessions: count("pattern_session", "session")?,
                days: count("pattern_day", "day")?,
            })
        })
    }

    /// Who stood behind a pattern since a moment, counting only what the rules let count.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn support_since(&self, id: PatternId, since: Time) -> Result<Support, StoreError> {
        self.read(|db| {
            let sql = "SELECT count(DISTINCT o.user), count(DISTINCT o.session), count(DISTINCT o.at / 86400000) \
                       FROM pattern_observation po JOIN observation o ON o.seq = po.seq \
                       WHERE po.pattern = ?1 AND o.at >= ?2 AND o.origin = 0 AND o.trust IN (?3, ?4) \
                       AND o.user IN (SELECT user FROM pattern_user WHERE pattern = ?1)";
            let trusts = [crate::domain::Trust::AuthenticatedUser, crate::domain::Trust::Tool];
            let [person, tool] = trusts.map(crate::domain::Trust::code);
            let mut find = db.prepare_cached(sql)?;
            Ok(find.query_row((id.0, since.millis(), person, tool), |row| {
                Ok(Support {
                    users: row.get(0)?,
                    sessions: row.get(1)?,
                    days: row.get(2)?,
                })
            })?)
        })
    }

    /// Makes a pattern of a wider layer count the people of these; what grows below grows there too.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn roll_up(
        &self,
        layer: Layer,
        founder: Digest,
        children: Vec<PatternId>,
    ) -> Result<(PatternId, Vec<Kept>), StoreError> {
        self.write(move |tx| roll_up(tx, &layer, &founder, &children))
    }
}

fn roll_up(
    tx: &Tx<'_>,
    layer: &Layer,
    founder: &Digest,
    children: &[PatternId],
) -> Result<(PatternId, Vec<Kept>), StoreError> {
    let db = tx.db();
    let number = tx.layer(layer)?;
    // Where the wording was placed in the wider layer already, it stays in that pattern.
    let placed: Option<Vec<u8>> = db
        .prepare_cached("SELECT founder FROM placed WHERE layer = ?1 AND key = ?2")?
        .query_row((number, founder.0.as_slice()), |row| row.get(0))
        .optional()?;
    let founder = placed
        .as_deref()
        .map(rows::digest)
        .transpose()?
        .unwrap_or(*founder);
    let whole = pattern_number(tx, number, &founder)?;
    let tenant = tx.layer(&tenant_of(layer)?)?;
    let before = support(db, whole)?;
    let mut kept = Vec::new();
    for child in children.iter().filter(|child| **child != whole) {
        let mut count = db.prepare_cached(
            "INSERT INTO rollup (child, whole) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
        )?;
        if count.execute((child.0, whole.0))? == 0 {
            continue;
        }
        for sql in MERGE {
            db.prepare_cached(sql)?.execute((child.0, whole.0))?;
        }
        db.prepare_cached("UPDATE pattern SET state = 1 WHERE id = ?1 AND state = 0")?
            .execute([child.0])?;
        kept.extend(keep_places(tx, *child, number, layer, &founder)?);
        db.prepare_cached(
            "INSERT INTO family (pattern, tenant, founder, key, seq, compared) SELECT ?2, ?3, f.founder, ?4, f.seq, 0 FROM family f \
             WHERE f.pattern = ?1 ON CONFLICT DO NOTHING",
        )?
        .execute((child.0, whole.0, tenant, founder.0.as_slice()))?;
    }
    db.prepare_cached(RECOUNT)?.execute([whole.0])?;
    let after = support(db, whole)?;
    let at: i64 = db
        .prepare_cached("SELECT last_at FROM pattern WHERE id = ?1")?
        .query_row([whole.0], |row| row.get(0))?;
    let mut changes = Changes::default();
    changes.note(number, Time::from_millis(at), before, after);
    changes.keep(tx)?;
    Ok((whole, kept))
}

/// The wordings of the child stand for the whole as well.
fn keep_places(
    tx: &Tx<'_>,
    child: PatternId,
    number: i64,
    layer: &Layer,
    founder: &Digest,
) -> Result<Vec<Kept>, StoreError> {
    let db = tx.db();
    let mut find = db.prepare_cached(
        "SELECT p.key, p.compared FROM placed p JOIN pattern t ON t.layer = p.layer AND t.fingerprint = substr(p.founder, 1, 16) \
         WHERE t.id = ?1 ORDER BY p.id",
    )?;
    let mut keep = db.prepare_cached(
        "INSERT INTO placed (layer, key, founder, compared) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (layer, key) DO NOTHING",
    )?;
    let mut found = find.query([child.0])?;
    let mut kept = Vec::new();
    while let Some(row) = found.next()? {
        let key = rows::digest(&row.get::<_, Vec<u8>>(0)?)?;
        // Only the founder is compared with later wordings of the wider layer.
        let compared: Option<String> = row.get(1)?;
        let compared = compared.filter(|_| key == *founder);
        let row = (number, key.0.as_slice(), founder.0.as_slice(), &compared);
        if keep.execute(row)? > 0 {
            kept.push(Kept {
                layer: layer.clone(),
                key,
                pattern: *founder,
                compared_by: compared,
            });
        }
    }
    Ok(kept)
}

const MERGE: &[&str] = &[
    "INSERT INTO pattern_user (pattern, user) SELECT ?2, user FROM pattern_user WHERE pattern = ?1 ON CONFLICT DO NOTHING",
    "INSERT INTO pattern_session (pattern, session) SELECT ?2, session FROM pattern_session WHERE pattern = ?1 ON CONFLICT DO NOTHING",
    "INSERT INTO pattern_day (pattern, day) SELECT ?2, day FROM pattern_day WHERE pattern = ?1 ON CONFLICT DO NOTHING",
    "INSERT INTO pattern_wording (pattern, sha256, text, count) SELECT ?2, sha256, text, count FROM pattern_wording WHERE pattern = ?1 \
     ON CONFLICT (pattern, sha256) DO UPDATE SET count = count + excluded.count",
    "INSERT INTO pattern_observation (pattern, seq) SELECT ?2, seq FROM pattern_observation WHERE pattern = ?1 ON CONFLICT DO NOTHING",
    "UPDATE pattern SET trust = min(trust, (SELECT c.trust FROM pattern c WHERE c.id = ?1)), \
     last_at = max(last_at, (SELECT c.last_at FROM pattern c WHERE c.id = ?1)) WHERE id = ?2",
];
const RECOUNT: &str = "UPDATE pattern SET users = (SELECT count(*) FROM pattern_user WHERE pattern = ?1), \
     sessions = (SELECT count(*) FROM pattern_session WHERE pattern = ?1), days = (SELECT count(*) FROM pattern_day WHERE pattern = ?1), \
     observations = (SELECT count(*) FROM pattern_observation WHERE pattern = ?1) WHERE id = ?1";

fn support(db: &Connection, id: PatternId) -> Result<Support, StoreError> {
    let mut find = db.prepare_cached("SELECT users, sessions, days FROM pattern WHERE id = ?1")?;
    Ok(find.query_row([id.0], |row| {
        Ok(Support {
            users: row.get(0)?,
            sessions: row.get(1)?,
            days: row.get(2)?,
        })
    })?)
}

fn id_list(ids: &[PatternId]) -> String {
    search::id_list(&ids.iter().map(|id| id.0).collect::<Vec<_>>())
}
