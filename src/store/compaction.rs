//! Compactions as they are kept: each once, with the entry that tells of it, found by its summary,
//! by the conversation's artifact, or by its session.

use crate::domain::compaction::{Compaction, KeptCompaction};
use crate::domain::digest::Hasher;
use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::{Act, Assurance, CandidateId, Digest, EntrySeq, SessionId, Span, Time};
use crate::store::error::StoreError;
use crate::store::write::Tx;
use crate::store::{Store, rows};
use rusqlite::{Connection, OptionalExtension as _, Row, ToSql};

const COMPACTION: &str = "SELECT n.entry, n.summary, n.source, n.span_start, n.span_end, n.messages, l.path, n.session, \
     n.happened_at, n.claims, n.candidates FROM compaction n JOIN layer l ON l.id = n.layer";

impl Store {
    /// Keeps a compaction with its entry; one that is known already adds nothing.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn keep_compaction(
        &self,
        compaction: Compaction,
        at: Time,
        actor: &str,
    ) -> Result<EntrySeq, StoreError> {
        let actor = actor.to_owned();
        self.write(move |tx| keep(tx, &compaction, at, &actor))
    }

    /// The compactions that made this summary, or summed up a part of this artifact, oldest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn compactions_of(
        &self,
        artifact: &Digest,
        limit: usize,
    ) -> Result<Vec<KeptCompaction>, StoreError> {
        self.read(|db| {
            let sql = format!(
                "{COMPACTION} WHERE n.summary = ?1 OR n.source = ?1 ORDER BY n.entry LIMIT ?2"
            );
            listed(db, &sql, &[&artifact.0.as_slice(), &most(limit)])
        })
    }

    /// The compactions of a session up to a moment, oldest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn compactions_in(
        &self,
        session: &SessionId,
        until: Time,
        limit: usize,
    ) -> Result<Vec<KeptCompaction>, StoreError> {
        self.read(|db| {
            let sql = format!(
                "{COMPACTION} WHERE n.session = ?1 AND n.happened_at <= ?2 ORDER BY n.happened_at, n.entry LIMIT ?3"
            );
            let values: [&dyn ToSql; 3] = [&session.as_str(), &until.millis(), &most(limit)];
            listed(db, &sql, &values)
        })
    }
}

/// The digest of everything a row says, by its entry.
pub(in crate::store) fn compaction_digests(
    db: &Connection,
) -> Result<Vec<(i64, String)>, StoreError> {
    let sql = format!("{COMPACTION} ORDER BY n.entry");
    let all = listed(db, &sql, &[])?;
    Ok(all
        .iter()
        .map(|one| (one.entry.0, digest(&one.compaction)))
        .collect())
}

fn keep(tx: &Tx<'_>, new: &Compaction, at: Time, actor: &str) -> Result<EntrySeq, StoreError> {
    let layer = tx.layer(&new.layer)?;
    let (source, start, end) = columns(new.source);
    let known: Option<i64> = tx
        .db()
        .prepare_cached(
            "SELECT entry FROM compaction WHERE summary = ?1 AND layer = ?2 AND session = ?3 \
             AND source IS ?4 AND span_start IS ?5 AND span_end IS ?6 AND (candidates = ?7 OR ?7 = '')",
        )?
        .query_row(
            (
                new.summary.0.as_slice(),
                layer,
                new.session.as_str(),
                &source,
                start,
                end,
                ids(&new.candidates),
            ),
            |row| row.get(0),
        )
        .optional()?;
    if let Some(entry) = known {
        return Ok(EntrySeq(entry));
    }
    let entry = tx.append(
        EntryDraft {
            at,
            actor: actor.to_owned(),
            assurance: Assurance::Asserted,
            act: Act::Compaction,
            item: format!("artifact:{}", new.summary),
            facts: facts(new),
        },
        &[],
    )?;
    let values: [&dyn ToSql; 11] = [
        &entry.0,
        &new.summary.0.as_slice(),
        &source,
        &start,
        &end,
        &i64::try_from(new.messages).unwrap_or(i64::MAX),
        &layer,
        &new.session.as_str(),
        &new.happened_at.millis(),
        &i64::try_from(new.claims).unwrap_or(i64::MAX),
        &ids(&new.candidates),
    ];
    tx.db()
        .prepare_cached(
            "INSERT INTO compaction (entry, summary, source, span_start, span_end, messages, layer, session, \
             happened_at, claims, candidates) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?
        .execute(values)?;
    Ok(entry)
}

fn facts(new: &Compaction) -> Facts {
    let mut facts: Facts = [
        ("claims", new.claims.to_string()),
        ("happened_at", new.happened_at.millis().to_string()),
        ("layer", new.layer.to_string()),
        ("messages", new.messages.to_string()),
        ("row", digest(new)),
        ("session", new.session.to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    if let Some((sha256, span)) = new.source {
        let source = crate::domain::SourceRef::Artifact {
            sha256,
            span: Some(span),
        };
        facts.insert("source".to_owned(), source.to_string());
    }
    if !new.candidates.is_empty() {
        facts.insert("candidates".to_owned(), ids(&new.candidates));
    }
    facts
}

fn digest(one: &Compaction) -> String {
    let (source, start, end) = columns(one.source);
    let number = |value: Option<i64>| value.map(|value| value.to_string()).unwrap_or_default();
    let mut hasher = Hasher::default();
    hasher.part(&one.summary.0);
    hasher.part(&source.unwrap_or_default());
    for part in [
        number(start),
        number(end),
        one.messages.to_string(),
        one.layer.to_string(),
        one.session.to_string(),
        one.happened_at.millis().to_string(),
        one.claims.to_string(),
        ids(&one.candidates),
    ] {
        hasher.part(part.as_bytes());
    }
    hasher.finish().to_string()
}

fn ids(candidates: &[CandidateId]) -> String {
    let ids: Vec<String> = candidates.iter().map(ToString::to_string).collect();
    ids.join(" ")
}

fn columns(source: Option<(Digest, Span)>) -> (Option<Vec<u8>>, Option<i64>, Option<i64>) {
    let number = |place: usize| i64::try_from(place).unwrap_or(i64::MAX);
    match source {
        None => (None, None, None),
        Some((sha256, span)) => (
            Some(sha256.0.to_vec()),
            Some(number(span.start)),
            Some(number(span.end)),
        ),
    }
}

fn listed(
    db: &Connection,
    sql: &str,
    values: &[&dyn ToSql],
) -> Result<Vec<KeptCompaction>, StoreError> {
    let mut find = db.prepare_cached(sql)?;
    let mut found = find.query(values)?;
    let mut list = Vec::new();
    while let Some(row) = found.next()? {
        list.push(compaction(row)?);
    }
    Ok(list)
}

fn compaction(row: &Row<'_>) -> Result<KeptCompaction, StoreError> {
    let broken = |error: crate::domain::name::BadName| StoreError::Broken(error.to_string());
    let place = |at: usize| -> Result<Option<usize>, StoreError> {
        let number: Option<i64> = row.get(at)?;
        Ok(number.map(|number| usize::try_from(number).unwrap_or(0)))
    };
    let sha256 = row
        .get::<_, Option<Vec<u8>>>(2)?
        .map(|bytes| rows::digest(&bytes))
        .transpose()?;
    let span = place(3)?
        .zip(place(4)?)
        .map(|(start, end)| Span { start, end });
    let candidates: String = row.get(10)?;
    Ok(KeptCompaction {
        entry: EntrySeq(row.get(0)?),
        compaction: Compaction {
            summary: rows::digest(&row.get::<_, Vec<u8>>(1)?)?,
            source: sha256.zip(span),
            messages: row.get::<_, i64>(5)?.unsigned_abs(),
            layer: rows::layer(&row.get::<_, String>(6)?)?,
            session: SessionId::parse(&row.get::<_, String>(7)?).map_err(broken)?,
            happened_at: Time::from_millis(row.get(8)?),
            claims: row.get::<_, i64>(9)?.unsigned_abs(),
            candidates: candidates
                .split(' ')
                .filter_map(|id| CandidateId::parse(id).ok())
                .collect(),
        },
    })
}

fn most(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
