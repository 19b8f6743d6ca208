//! Signatures as they are kept: written with their entry, in its transaction, and read back.
//!
//! What is compared here are facts: that the entry says what was signed, that the head which was
//! seen stands in this ledger, that nobody decided on the item since. Whose key it was and whether
//! the signature holds is judged before and after, never here.

use crate::domain::decision::Signed;
use crate::domain::entry::EntryDraft;
use crate::domain::{Commitment, Digest, EntrySeq, Salt};
use crate::ledger::statement::{SIGNED_BY, STATEMENT, Statement};
use crate::store::decide::Draft;
use crate::store::error::StoreError;
use crate::store::recall::KeptEntry;
use crate::store::write::Tx;
use crate::store::{Store, rows};
use rusqlite::{Connection, OptionalExtension as _};

/// An entry about reviewers, with all that stands beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewerEntry {
    /// The entry.
    pub kept: KeptEntry,
    /// What was signed, and the signature.
    pub signature: Option<(String, String)>,
    /// The list it adopts, with the commitment to it as it stands now.
    pub list: Option<(String, Commitment)>,
}

impl Store {
    /// Writes an entry that changes no table but the ledger: a change of the reviewers' list, an adoption.
    ///
    /// # Errors
    /// It is not what was signed any more, or the store cannot be written.
    pub fn enter(&self, draft: Draft, signed: Option<Signed>) -> Result<EntrySeq, StoreError> {
        self.write(move |tx| {
            let draft = Draft {
                entry: EntryDraft {
                    at: tx.moment(draft.entry.at)?,
                    ..draft.entry
                },
                beside: draft.beside,
            };
            tx.append_signed(draft, signed.as_ref())
        })
    }

    /// Every entry about reviewers, in order.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn reviewer_entries(&self) -> Result<Vec<ReviewerEntry>, StoreError> {
        self.read_at_once(|db| {
            let sql = "SELECT e.seq, e.bytes, e.hash, s.statement, s.armored, b.salt, b.body FROM entry e \
                       LEFT JOIN signature s ON s.seq = e.seq \
                       LEFT JOIN beside b ON b.seq = e.seq AND b.part = 'list' \
                       WHERE e.act IN (16, 17) ORDER BY e.seq";
            let mut find = db.prepare_cached(sql)?;
            let mut found = find.query([])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                let body: Option<String> = row.get(6)?;
                let salt: Option<[u8; 32]> = row.get(5)?;
                list.push(ReviewerEntry {
                    kept: kept(row)?,
                    signature: signature(row.get(3)?, row.get(4)?),
                    list: body.zip(salt).map(|(body, salt)| {
                        let commitment = Commitment::to(&Salt(salt), body.as_bytes());
                        (body, commitment)
                    }),
                });
            }
            Ok(list)
        })
    }

    /// Whether any decision was ever signed here.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn holds_signatures(&self) -> Result<bool, StoreError> {
        self.read(|db| {
            let mut find = db.prepare_cached("SELECT EXISTS (SELECT 1 FROM signature)")?;
            Ok(find.query_row([], |row| row.get(0))?)
        })
    }

    /// What was signed for an entry, and the signature.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn signature(&self, seq: EntrySeq) -> Result<Option<(String, String)>, StoreError> {
        self.read(|db| {
            let mut find =
                db.prepare_cached("SELECT statement, armored FROM signature WHERE seq = ?1")?;
            Ok(find
                .query_row([seq.0], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?)
        })
    }

    /// Signed entries behind `after` up to `last` with what was signed, in order, at most `limit`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn signatures(
        &self,
        after: EntrySeq,
        last: EntrySeq,
        limit: usize,
    ) -> Result<Vec<(KeptEntry, String, String)>, StoreError> {
        self.read(|db| {
            let mut find = db.prepare_cached(
                "SELECT e.seq, e.bytes, e.hash, s.statement, s.armored FROM signature s JOIN entry e ON e.seq = s.seq \
                 WHERE s.seq > ?1 AND s.seq <= ?2 ORDER BY s.seq LIMIT ?3",
            )?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let mut found = find.query((after.0, last.0, limit))?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push((kept(row)?, row.get(3)?, row.get(4)?));
            }
            Ok(list)
        })
    }

    /// What the entries about reviewers adopt, with the salts of their commitments.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn adoptions(&self) -> Result<Vec<(EntrySeq, Salt, String)>, StoreError> {
        self.read(|db| {
            let mut find = db.prepare_cached(
                "SELECT e.seq, b.salt, b.body FROM entry e JOIN beside b ON b.seq = e.seq AND b.part = 'list' \
                 WHERE e.act IN (16, 17) ORDER BY e.seq",
            )?;
            let list = find
                .query_map([], |row| {
                    Ok((EntrySeq(row.get(0)?), Salt(row.get(1)?), row.get(2)?))
                })?
                .collect::<Result<_, _>>()?;
            Ok(list)
        })
    }

    /// Why an entry cannot stand where it stands, given the head that its signer had seen.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn misplaced(
        &self,
        statement: &Statement,
        seq: EntrySeq,
    ) -> Result<Option<String>, StoreError> {
        self.read_at_once(|db| misplaced(db, statement, Some(seq)))
    }

    /// One entry as it is kept.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn kept_entry(&self, seq: EntrySeq) -> Result<Option<KeptEntry>, StoreError> {
        self.read(|db| {
            let mut find =
                db.prepare_cached("SELECT seq, bytes, hash FROM entry WHERE seq = ?1")?;
            let mut found = find.query([seq.0])?;
            found.next()?.map(kept).transpose()
        })
    }

    /// The entries behind what is served now: the one that minted each memory, the newest that turned
    /// it, and the one that added each document, with the item and its text.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn served_by(
        &self,
        before: EntrySeq,
    ) -> Result<Vec<(KeptEntry, String, String)>, StoreError> {
        self.read_at_once(|db| {
            let sql = "SELECT e.seq, e.bytes, e.hash, 'M-' || m.id, m.text FROM memory m JOIN entry e ON e.seq = m.entry \
                         WHERE m.state = 0 AND e.seq < ?1 \
                       UNION ALL SELECT e.seq, e.bytes, e.hash, 'M-' || m.id, m.text FROM memory m JOIN entry e ON e.item = 'M-' || m.id AND e.act <> 21 AND e.act IN (6, 7, 8, 19) \
                         WHERE m.state = 0 AND e.seq < ?1 AND (e.act IN (8, 19) OR e.seq = ( \
                           SELECT n.seq FROM entry n WHERE n.item = e.item AND n.act <> 21 AND n.act IN (6, 7, 8, 19) ORDER BY n.seq DESC LIMIT 1)) \
                       UNION ALL SELECT e.seq, e.bytes, e.hash, 'K-' || d.id, d.title FROM document d JOIN entry e ON e.seq = d.entry \
                         WHERE d.removed = 0 AND e.seq < ?1 ORDER BY 1";
            let mut find = db.prepare(sql)?;
            let mut found = find.query([before.0])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push((kept(row)?, row.get(3)?, row.get(4)?));
            }
            Ok(list)
        })
    }
}

fn kept(row: &rusqlite::Row<'_>) -> Result<KeptEntry, StoreError> {
    // A hash that is none names nothing: whoever compares it finds the entry changed.
    let hash = Digest::from_slice(&row.get::<_, Vec<u8>>(2)?).unwrap_or(Digest::ZERO);
    Ok(KeptEntry {
        seq: EntrySeq(row.get(0)?),
        bytes: row.get(1)?,
        hash,
    })
}

fn signature(statement: Option<String>, armored: Option<String>) -> Option<(String, String)> {
    statement.zip(armored)
}

/// The head that was seen must stand in this ledger, and nobody may have decided on the item since:
/// so an old signature is never good for a second entry.
fn misplaced(
    db: &Connection,
    statement: &Statement,
    seq: Option<EntrySeq>,
) -> Result<Option<String>, StoreError> {
    let mut find = db.prepare_cached("SELECT hash FROM entry WHERE seq = ?1")?;
    let hash: Option<Vec<u8>> = find
        .query_row([statement.head.0], |row| row.get(0))
        .optional()?;
    let stands = match hash {
        Some(hash) => rows::digest(&hash)? == statement.head_hash,
        None => statement.head.0 == 0 && statement.head_hash == Digest::ZERO,
    };
    if !stands {
        return Ok(Some(format!(
            "{}, which its reviewer had seen, is not the entry that stands there now",
            statement.head
        )));
    }
    let mut later = db.prepare_cached(
        "SELECT seq FROM entry WHERE item = ?1 AND act <> 21 AND seq > ?2 AND seq < ?3 AND (act < 20 OR act >= 40) LIMIT 1",
    )?;
    let end = seq.map_or(i64::MAX, |seq| seq.0);
    let found: Option<i64> = later
        .query_row((&statement.item, statement.head.0, end), |row| row.get(0))
        .optional()?;
    Ok(found.map(|other| {
        format!(
            "{} was decided on in E-{other}, after its reviewer had looked: it may be an old signature used twice",
            statement.item
        )
    }))
}

impl Tx<'_> {
    /// Adds an entry that says exactly what was signed, with the signature beside it; where nobody
    /// signs, just the entry.
    pub(in crate::store) fn append_signed(
        &self,
        draft: Draft,
        signed: Option<&Signed>,
    ) -> Result<EntrySeq, StoreError> {
        let Draft { mut entry, beside } = draft;
        let Some(signed) = signed else {
            return self.append(entry, &beside);
        };
        let moved = |why: String| StoreError::Moved {
            item: entry.item.clone(),
            why,
        };
        let statement =
            Statement::decode(&signed.statement).map_err(|error| moved(error.to_string()))?;
        statement.agrees(&entry).map_err(moved)?;
        if let Some(why) = misplaced(self.db(), &statement, None)? {
            return Err(moved(why));
        }
        let name = Digest::of(signed.statement.as_bytes()).to_string();
        entry.facts.insert(STATEMENT.to_owned(), name);
        entry
            .facts
            .insert(SIGNED_BY.to_owned(), signed.signed_by.clone());
        entry.assurance = signed.assurance;
        let seq = self.append(entry, &beside)?;
        self.db()
            .prepare_cached("INSERT INTO signature (seq, statement, armored) VALUES (?1, ?2, ?3)")?
            .execute((seq.0, &signed.statement, &signed.armored))?;
        Ok(seq)
    }
}
