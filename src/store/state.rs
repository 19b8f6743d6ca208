//! What a screen shows at a glance, read without counting; and whether anything changed.

use crate::domain::{Digest, EntrySeq};
use crate::store::Store;
use crate::store::error::StoreError;
use rusqlite::OptionalExtension as _;

/// Counts that are kept as the store changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Candidates that wait for a reviewer, snoozed ones included.
    pub pending: u64,
    /// Candidates that wait for security.
    pub quarantined: u64,
    /// Pending candidates that are held.
    pub held: u64,
    /// Memories written as active.
    pub memories: u64,
    /// Entries in the ledger.
    pub entries: u64,
    /// Observations taken in.
    pub observations: u64,
}

impl Store {
    /// The counts.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        self.read_at_once(|db| {
            let mut counts = Counts::default();
            let mut find = db.prepare_cached("SELECT name, n FROM tally")?;
            let mut found = find.query([])?;
            while let Some(row) = found.next()? {
                let n = u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0);
                match row.get::<_, String>(0)?.as_str() {
                    "pending" => counts.pending = n,
                    "quarantined" => counts.quarantined = n,
                    "held" => counts.held = n,
                    "memories" => counts.memories = n,
                    "observations" => counts.observations = n,
                    _ => {}
                }
            }
            let head = db
                .prepare_cached("SELECT seq FROM ledger_head")?
                .query_row([], |row| row.get::<_, i64>(0))
                .optional()?;
            counts.entries = head.unwrap_or(0).unsigned_abs();
            Ok(counts)
        })
    }

    /// A number that moves whenever any process has committed anything; costs about a microsecond.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn changes(&self) -> Result<u64, StoreError> {
        self.read(|db| {
            let head: Option<i64> = db
                .prepare_cached("SELECT seq FROM ledger_head")?
                .query_row([], |row| row.get(0))
                .optional()?;
            Ok(head.unwrap_or(0).unsigned_abs())
        })
    }

    /// The policy in force, as text, and the hash of the text that was entered.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn policy(&self) -> Result<(String, Digest), StoreError> {
        self.read(|db| {
            let sql = "SELECT p.body, p.sha256 FROM meta m JOIN policy p ON lower(hex(p.sha256)) = m.value WHERE m.name = 'policy'";
            let (body, hash): (String, Vec<u8>) =
                db.prepare_cached(sql)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok((body, crate::store::rows::digest(&hash)?))
        })
    }

    /// Whether this is a throw-away store for trying things out.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn is_demo(&self) -> Result<bool, StoreError> {
        self.read(|db| {
            let found: Option<String> = db
                .prepare_cached("SELECT value FROM meta WHERE name = 'demo'")?
                .query_row([], |row| row.get(0))
                .optional()?;
            Ok(found.as_deref() == Some("yes"))
        })
    }

    /// Every tenant but this one.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn other_tenants(&self, own: &str) -> Result<Vec<String>, StoreError> {
        self.read(|db| {
            let layers = crate::store::search::layers(db)?;
            let mut names: Vec<String> = layers
                .iter()
                .map(|(_, layer)| layer.tenant().to_owned())
                .collect();
            names.retain(|name| name != own);
            names.dedup();
            Ok(names)
        })
    }

    /// The name this store was born with, which no other has.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn uuid(&self) -> Result<String, StoreError> {
        self.read(|db| {
            let sql = "SELECT value FROM meta WHERE name = 'uuid'";
            Ok(db.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
        })
    }

    /// The newest entry and its hash.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn head(&self) -> Result<Option<(EntrySeq, Digest)>, StoreError> {
        self.hash_where("ORDER BY seq DESC LIMIT 1", None)
    }

    /// An entry's hash, if there is such an entry.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn entry_hash(&self, seq: EntrySeq) -> Result<Option<Digest>, StoreError> {
        Ok(self
            .hash_where("WHERE seq = ?1", Some(seq.0))?
            .map(|(_, hash)| hash))
    }

    fn hash_where(
        &self,
        which: &str,
        seq: Option<i64>,
    ) -> Result<Option<(EntrySeq, Digest)>, StoreError> {
        self.read(|db| {
            let sql = format!("SELECT seq, hash FROM entry {which}");
            let mut find = db.prepare_cached(&sql)?;
            let mut found = match seq {
                Some(seq) => find.query([seq])?,
                None => find.query([])?,
            };
            let Some(row) = found.next()? else {
                return Ok(None);
            };
            let hash = crate::store::rows::digest(&row.get::<_, Vec<u8>>(1)?)?;
            Ok(Some((EntrySeq(row.get(0)?), hash)))
        })
    }
}
