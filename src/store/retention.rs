//! Evidence whose time has passed. The row is marked and entered in one transaction, the file goes
//! after it; a kill between the two leaves a file that the next sweep finds and removes.

use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::{Act, Assurance, Digest, EntrySeq, SourceRef, Span, Time};
use crate::store::error::StoreError;
use crate::store::{Store, rows};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

/// After so long bytes that never became an artifact are nobody's any more.
const ABANDONED: Duration = Duration::from_hours(24);

/// Evidence that is to go, with what stays of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expiring {
    /// The hash of its bytes.
    pub sha256: Digest,
    /// The hashes of its cited ranges.
    pub spans: Vec<(Span, Digest)>,
    /// When.
    pub at: Time,
    /// Who sweeps.
    pub actor: String,
}

impl Store {
    /// Artifacts whose time had passed at this moment and whose bytes have not gone yet.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn expired(&self, now: Time, limit: usize) -> Result<Vec<Digest>, StoreError> {
        self.digests(
            "SELECT sha256 FROM artifact WHERE gone = 0 AND expires_at <= ?1 ORDER BY id LIMIT ?2",
            (now.millis(), i64::try_from(limit).unwrap_or(i64::MAX)),
        )
    }

    /// Artifacts whose bytes have gone by an entry: expired or erased.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn artifacts_gone(&self) -> Result<BTreeSet<Digest>, StoreError> {
        let list = self.digests("SELECT sha256 FROM artifact WHERE gone = 1", ())?;
        Ok(list.into_iter().collect())
    }

    /// Every range of an artifact that a candidate or memory cites.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn cited_spans(&self) -> Result<BTreeMap<Digest, BTreeSet<(usize, usize)>>, StoreError> {
        self.read_at_once(|db| {
            let mut cited: BTreeMap<Digest, BTreeSet<(usize, usize)>> = BTreeMap::new();
            let sql = "SELECT sources FROM candidate UNION ALL SELECT sources FROM memory";
            let mut find = db.prepare(sql)?;
            let mut found = find.query([])?;
            while let Some(row) = found.next()? {
                let sources: String = row.get(0)?;
                for line in sources.split('\n') {
                    if let Ok(SourceRef::Artifact {
                        sha256,
                        span: Some(span),
                    }) = SourceRef::parse(line)
                    {
                        cited
                            .entry(sha256)
                            .or_default()
                            .insert((span.start, span.end));
                    }
                }
            }
            Ok(cited)
        })
    }

    /// Marks an artifact as gone and keeps the hashes of its cited ranges. None if it went before.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn expire(&self, gone: Expiring) -> Result<Option<EntrySeq>, StoreError> {
        self.write(move |tx| {
            let db = tx.db();
            let address = gone.sha256.0.as_slice();
            let changed = db.execute(
                "UPDATE artifact SET gone = 1 WHERE sha256 = ?1 AND gone = 0",
                [address],
            )?;
            if changed == 0 {
                return Ok(None);
            }
            let mut keep = db.prepare_cached(
                "INSERT OR REPLACE INTO cited_span (artifact, span_start, span_end, sha256) \
                 SELECT id, ?2, ?3, ?4 FROM artifact WHERE sha256 = ?1",
            )?;
            for (span, hash) in &gone.spans {
                keep.execute((
                    address,
                    span.start as i64,
                    span.end as i64,
                    hash.0.as_slice(),
                ))?;
            }
            let facts: Facts = [("cited_ranges".to_owned(), gone.spans.len().to_string())].into();
            let draft = EntryDraft {
                at: gone.at,
                actor: gone.actor.clone(),
                assurance: Assurance::Asserted,
                act: Act::Expire,
                item: format!("artifact:{}", gone.sha256),
                facts,
            };
            tx.append(draft, &[]).map(Some)
        })
    }

    /// The hash that was kept of a cited range whose bytes have gone.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn cited_span(&self, sha256: &Digest, span: Span) -> Result<Option<Digest>, StoreError> {
        let list = self.digests(
            "SELECT c.sha256 FROM cited_span c JOIN artifact a ON a.id = c.artifact \
             WHERE a.sha256 = ?1 AND c.span_start = ?2 AND c.span_end = ?3",
            (sha256.0.as_slice(), span.start as i64, span.end as i64),
        )?;
        Ok(list.into_iter().next())
    }

    /// Removes the bytes of an artifact that is marked as gone. Bytes that are not there are gone.
    ///
    /// # Errors
    /// The disk does not let them go.
    pub fn remove_bytes(&self, sha256: &Digest) -> Result<(), StoreError> {
        let file = self.artifact_file(sha256);
        match std::fs::remove_file(&file) {
            Ok(()) => {
                crate::store::artifact::sync_folder(&file);
                Ok(())
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(crate::store::artifact::io(&error)),
        }
    }

    /// Removes what was left of bytes that never became an artifact: their writer is gone.
    pub fn remove_abandoned(&self) -> u64 {
        let mut removed = 0;
        for entry in std::fs::read_dir(self.artifact_folder())
            .into_iter()
            .flatten()
            .flatten()
        {
            let incoming = entry
                .file_name()
                .to_string_lossy()
                .starts_with(".incoming-");
            let modified = entry.metadata().and_then(|found| found.modified());
            let old = modified.is_ok_and(|at| {
                SystemTime::now()
                    .duration_since(at)
                    .is_ok_and(|age| age > ABANDONED)
            });
            if incoming && old && std::fs::remove_file(entry.path()).is_ok() {
                removed += 1;
            }
        }
        removed
    }

    /// Whether an artifact's file stands on disk, whatever its row says.
    #[must_use]
    pub fn artifact_is_on_disk(&self, sha256: &Digest) -> bool {
        std::fs::metadata(self.artifact_file(sha256)).is_ok()
    }

    /// Moves everything committed into the database file and empties the write-ahead log, so that
    /// no copy of what was deleted is left in it. Whether that was possible: a reader that stands
    /// still in an old state prevents it.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn empty_log(&self) -> Result<bool, StoreError> {
        let db = crate::store::open::writable(&self.path)?;
        // A reader that is at work is soon done; one that stands still is not waited for.
        db.busy_timeout(Duration::from_millis(500))?;
        let busy: i64 = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        Ok(busy == 0)
    }

    fn digests(&self, sql: &str, values: impl rusqlite::Params) -> Result<Vec<Digest>, StoreError> {
        self.read(|db| {
            let mut find = db.prepare_cached(sql)?;
            let mut found = find.query(values)?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(rows::digest(&row.get::<_, Vec<u8>>(0)?)?);
            }
            Ok(list)
        })
    }
}
