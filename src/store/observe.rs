//! Observations in: many rows, one transaction, one entry that holds a digest of the batch.

use crate::domain::digest::Hasher;
use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::observation::{Observation, Origin, Sighting};
use crate::domain::{
    Act, Assurance, Digest, Layer, ObservationId, SessionId, Span, Time, Trust, UserId,
};
use crate::store::error::StoreError;
use crate::store::salt::{self, ROW_SALT};
use crate::store::write::Tx;
use crate::store::{Store, rows};
use rusqlite::{CachedStatement, Connection, OptionalExtension as _, Row, ToSql};

/// What became of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Observed {
    /// Rows that were new.
    pub observed: u64,
    /// Rows that had been taken in before.
    pub duplicates: u64,
}

impl Store {
    /// Takes in a batch of sightings.
    ///
    /// # Errors
    /// The store cannot be written; then none of the batch was taken in.
    pub fn observe(
        &self,
        sightings: Vec<Sighting>,
        at: Time,
        actor: &str,
    ) -> Result<Observed, StoreError> {
        let actor = actor.to_owned();
        self.write(move |tx| observe(tx, &sightings, at, &actor))
    }

    /// The observation that came in under this key.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn observation_with_key(&self, key: &Digest) -> Result<ObservationId, StoreError> {
        let found = self.read(|db| {
            db.prepare_cached("SELECT seq FROM observation WHERE key = ?1")?
                .query_row([key.0.as_slice()], |row| row.get(0))
                .optional()
                .map_err(StoreError::from)
        })?;
        found
            .map(ObservationId)
            .ok_or_else(|| StoreError::NotFound("observation under this key".to_owned()))
    }

    /// One observation.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn observation(&self, id: ObservationId) -> Result<Option<Observation>, StoreError> {
        self.read(|db| {
            let sql = format!("{OBSERVATION} WHERE o.seq = ?1");
            let found = db
                .prepare_cached(&sql)?
                .query_row([id.0], |row| Ok(observation(row)))
                .optional()?;
            found.transpose()
        })
    }
}

/// Everything of an observation.
pub(in crate::store) const OBSERVATION: &str = "SELECT o.seq, o.text, l.path, o.user, o.session, o.source, o.trust, o.origin, o.at, o.key, \
     a.sha256, o.span_start, o.span_end \
     FROM observation o JOIN layer l ON l.id = o.layer LEFT JOIN artifact a ON a.id = o.artifact";

pub(in crate::store) fn observation(row: &Row<'_>) -> Result<Observation, StoreError> {
    let broken = |error: crate::domain::name::BadName| StoreError::Broken(error.to_string());
    let start: Option<i64> = row.get(11)?;
    let end: Option<i64> = row.get(12)?;
    let span = start.zip(end).map(|(start, end)| Span {
        start: place(start),
        end: place(end),
    });
    let artifact: Option<Vec<u8>> = row.get(10)?;
    let key: Option<Vec<u8>> = row.get(9)?;
    Ok(Observation {
        id: ObservationId(row.get(0)?),
        sighting: Sighting {
            text: row.get(1)?,
            layer: rows::layer(&row.get::<_, String>(2)?)?,
            user: UserId::parse(&row.get::<_, String>(3)?).map_err(broken)?,
            session: SessionId::parse(&row.get::<_, String>(4)?).map_err(broken)?,
            source: row.get(5)?,
            trust: rows::word(Trust::from_code(row.get(6)?), "trust")?,
            origin: rows::word(Origin::from_code(row.get(7)?), "origin")?,
            at: Time::from_millis(row.get(8)?),
            key: key.as_deref().map(rows::digest).transpose()?,
            artifact: artifact
                .as_deref()
                .map(rows::digest)
                .transpose()?
                .map(|sha256| (sha256, span)),
        },
    })
}

fn observe(
    tx: &Tx<'_>,
    sightings: &[Sighting],
    at: Time,
    actor: &str,
) -> Result<Observed, StoreError> {
    let mut rows = Rows::prepare(tx)?;
    let salts = salt::rows(sightings.len())?;
    let (mut batch, mut bytes) = (Hasher::default(), Vec::new());
    let mut outcome = Observed::default();
    for (sighting, salt) in sightings.iter().zip(salts.chunks_exact(ROW_SALT)) {
        if rows.insert(tx, sighting, salt)? {
            outcome.observed += 1;
            bytes.clear();
            digest_row(&mut bytes, sighting);
            batch.bytes(&row_hash(salt, &bytes).0);
        } else {
            outcome.duplicates += 1;
        }
    }
    drop(rows);
    if outcome.observed > 0 {
        enter(tx, outcome.observed, batch.finish(), at, actor)?;
    }
    Ok(outcome)
}

/// The statements of a batch. Most rows have neither key nor evidence and take the short one.
struct Rows<'c, 's> {
    plain: CachedStatement<'c>,
    full: CachedStatement<'c>,
    layer: Option<(&'s Layer, i64)>,
}

impl<'c, 's> Rows<'c, 's> {
    fn prepare(tx: &Tx<'c>) -> Result<Self, StoreError> {
        let plain = "INSERT INTO observation (text, layer, user, session, source, trust, origin, at, salt) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        let full = "INSERT INTO observation (text, layer, user, session, source, trust, origin, at, salt, artifact, span_start, \
                    span_end, key) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) \
                    ON CONFLICT (key) WHERE key IS NOT NULL DO NOTHING";
        Ok(Self {
            plain: tx.db().prepare_cached(plain)?,
            full: tx.db().prepare_cached(full)?,
            layer: None,
        })
    }

    /// Whether the row was new.
    fn insert(
        &mut self,
        tx: &Tx<'c>,
        sighting: &'s Sighting,
        salt: &[u8],
    ) -> Result<bool, StoreError> {
        let layer = self.layer(tx, &sighting.layer)?;
        let row = (
            &sighting.text,
            layer,
            sighting.user.as_str(),
            sighting.session.as_str(),
            &sighting.source,
            sighting.trust.code(),
            sighting.origin.code(),
            sighting.at.millis(),
            salt,
        );
        if sighting.key.is_none() && sighting.artifact.is_none() {
            return Ok(self.plain.execute(row)? > 0);
        }
        let (artifact, span) = match &sighting.artifact {
            Some((sha256, span)) => (artifact_number(tx.db(), sha256)?, *span),
            None => (None, None),
        };
        let key = sighting.key.as_ref().map(|key| key.0.as_slice());
        let (text, layer, user, session, source, trust, origin, at, salt) = row;
        let values: [&dyn ToSql; 13] = [
            &text,
            &layer,
            &user,
            &session,
            &source,
            &trust,
            &origin,
            &at,
            &salt,
            &artifact,
            &span.map(|span| span.start as i64),
            &span.map(|span| span.end as i64),
            &key,
        ];
        Ok(self.full.execute(values)? > 0)
    }

    /// The layer's number; rows of one layer mostly come together.
    fn layer(&mut self, tx: &Tx<'c>, layer: &'s Layer) -> Result<i64, StoreError> {
        if let Some((_, id)) = self.layer.filter(|(known, _)| *known == layer) {
            return Ok(id);
        }
        let id = tx.layer(layer)?;
        self.layer = Some((layer, id));
        Ok(id)
    }
}

/// The order of the parts is fixed, each text is preceded by its length: it is what the batch's
/// entry commits to.
fn digest_row(bytes: &mut Vec<u8>, sighting: &Sighting) {
    let texts = [
        sighting.text.as_str(),
        sighting.layer.as_str(),
        sighting.user.as_str(),
        sighting.session.as_str(),
    ];
    texts
        .iter()
        .for_each(|text| add_text(bytes, text.as_bytes()));
    let numbers = [
        sighting.trust.code(),
        sighting.origin.code(),
        sighting.at.millis(),
    ];
    numbers.iter().for_each(|number| add_number(bytes, *number));
}

/// The same bytes out of a row: text, layer, user, session, trust, origin and time from `at` on.
pub(in crate::store) fn row_bytes(
    row: &Row<'_>,
    at: usize,
    bytes: &mut Vec<u8>,
) -> Result<(), StoreError> {
    for column in at..at + 4 {
        add_text(bytes, row.get_ref(column)?.as_bytes().unwrap_or_default());
    }
    for column in at + 4..at + 7 {
        add_number(bytes, row.get(column)?);
    }
    Ok(())
}

/// The hash of a row under its salt.
pub(in crate::store) fn row_hash(salt: &[u8], bytes: &[u8]) -> Digest {
    let mut hasher = Hasher::default();
    hasher.bytes(salt);
    hasher.bytes(bytes);
    hasher.finish()
}

fn add_text(bytes: &mut Vec<u8>, text: &[u8]) {
    bytes.extend_from_slice(&(text.len() as u64).to_be_bytes());
    bytes.extend_from_slice(text);
}

fn add_number(bytes: &mut Vec<u8>, number: i64) {
    bytes.extend_from_slice(&number.to_be_bytes());
}

fn enter(tx: &Tx<'_>, count: u64, batch: Digest, at: Time, actor: &str) -> Result<(), StoreError> {
    let last = tx.db().last_insert_rowid();
    let facts: Facts = [
        ("count", count.to_string()),
        ("last", last.to_string()),
        ("rows", batch.to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    let draft = EntryDraft {
        at,
        actor: actor.to_owned(),
        assurance: Assurance::Asserted,
        act: Act::Observe,
        item: "observations".to_owned(),
        facts,
    };
    tx.append(draft, &[])?;
    tx.tally("observations", i64::try_from(count).unwrap_or(i64::MAX))
}

fn artifact_number(db: &Connection, sha256: &Digest) -> Result<Option<i64>, StoreError> {
    let mut find = db.prepare_cached("SELECT id FROM artifact WHERE sha256 = ?1")?;
    Ok(find
        .query_row([sha256.0.as_slice()], |row| row.get(0))
        .optional()?)
}

fn place(stored: i64) -> usize {
    usize::try_from(stored).unwrap_or(0)
}
