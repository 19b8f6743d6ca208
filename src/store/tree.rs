//! The ledger's Merkle tree as it is kept: leaf hashes in the entries, every eighth level above
//! them in a table of its own. What is not kept is computed from what is below it, so that a store
//! from before the table needs no conversion.

use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::{Act, Assurance, Digest, EntrySeq, Time};
use crate::ledger::tree::{self, Frontier, Node};
use crate::store::error::StoreError;
use crate::store::recall::KeptEntry;
use crate::store::write::Tx;
use crate::store::{Store, rows};
use rusqlite::{Connection, OptionalExtension as _};

/// How many levels lie between two that are kept.
const STEP: u32 = 8;

/// The proof that one entry stands in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Included {
    /// The entry as it is kept.
    pub entry: KeptEntry,
    /// The hashes that lead from it to the root.
    pub proof: Vec<Digest>,
}

impl Store {
    /// How many entries there are, and the root over them.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn tree_head(&self) -> Result<(u64, Digest), StoreError> {
        self.read_at_once(tree_head)
    }

    /// The root over the first `size` entries; none if there are not so many.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn root_at(&self, size: u64) -> Result<Option<Digest>, StoreError> {
        self.read_at_once(|db| {
            if size > length(db)? {
                return Ok(None);
            }
            tree::root(size, &mut |node| fetch(db, node)).map(Some)
        })
    }

    /// The same root over the first `size` entries from their hashes alone, one by one: slower, and
    /// not misled by a node that somebody changed. What is signed is checked this way.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn root_from_leaves(&self, size: u64) -> Result<Digest, StoreError> {
        self.read(|db| {
            let mut find =
                db.prepare_cached("SELECT hash FROM entry WHERE seq <= ?1 ORDER BY seq")?;
            let mut found = find.query([signed(size)])?;
            let mut frontier = Frontier::default();
            while let Some(row) = found.next()? {
                let hash = row.get_ref(0)?.as_blob().ok().and_then(Digest::from_slice);
                let hash = hash.ok_or_else(|| {
                    StoreError::Broken("a stored digest has the wrong length".to_owned())
                })?;
                frontier.push(hash, &mut |_, _| {});
            }
            Ok(frontier.root())
        })
    }

    /// Proofs for these entries under the root over the first `size` of them.
    ///
    /// # Errors
    /// There is no such entry, or the store cannot be read.
    pub fn included(&self, entries: &[EntrySeq], size: u64) -> Result<Vec<Included>, StoreError> {
        self.read_at_once(|db| {
            let mut find = db.prepare_cached("SELECT bytes, hash FROM entry WHERE seq = ?1")?;
            let mut list = Vec::new();
            for seq in entries {
                let found = find
                    .query_row([seq.0], |row| Ok((row.get(0)?, row.get::<_, Vec<u8>>(1)?)))
                    .optional()?;
                let (bytes, hash) =
                    found.ok_or_else(|| StoreError::NotFound(format!("entry {seq}")))?;
                let index = seq.0.unsigned_abs().saturating_sub(1);
                list.push(Included {
                    entry: KeptEntry {
                        seq: *seq,
                        bytes,
                        hash: rows::digest(&hash)?,
                    },
                    proof: tree::inclusion(index, size, &mut |node| fetch(db, node))?,
                });
            }
            Ok(list)
        })
    }

    /// The proof that the first `new` entries grew out of the first `old` of them.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn growth(&self, old: u64, new: u64) -> Result<Vec<Digest>, StoreError> {
        self.read_at_once(|db| tree::consistency(old, new, &mut |node| fetch(db, node)))
    }

    /// Enters that a checkpoint of everything so far was signed with this key. Where the newest
    /// entry says just that already, nothing is added: a quiet ledger does not grow by itself.
    /// Returns what the checkpoint speaks of.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn enter_checkpoint(
        &self,
        at: Time,
        actor: &str,
        assurance: Assurance,
        key: &str,
    ) -> Result<(u64, Digest), StoreError> {
        let (actor, key) = (actor.to_owned(), key.to_owned());
        self.write(move |tx| {
            let db = tx.db();
            let (size, root) = tree_head(db)?;
            if let Some(before) = newest_checkpoint(db, size, &key)? {
                return Ok(before);
            }
            let facts: Facts = [
                ("key", key.clone()),
                ("root", root.to_string()),
                ("size", size.to_string()),
            ]
            .map(|(name, value)| (name.to_owned(), value))
            .into();
            tx.append(
                EntryDraft {
                    at,
                    actor: actor.clone(),
                    assurance,
                    act: Act::Checkpoint,
                    item: "ledger".to_owned(),
                    facts,
                },
                &[],
            )?;
            Ok((size, root))
        })
    }
}

/// Keeps the nodes that entry `seq` completes on the levels that are kept.
pub(in crate::store) fn keep_nodes(tx: &Tx<'_>, seq: EntrySeq) -> Result<(), StoreError> {
    let mut level = STEP;
    let mut index = seq.0.unsigned_abs();
    while index.is_multiple_of(1 << STEP) {
        index >>= STEP;
        let node = Node {
            level,
            index: index.saturating_sub(1),
        };
        let hash = compute(tx.db(), node)?;
        tx.db()
            .prepare_cached(
                "INSERT OR REPLACE INTO tree_node (level, at, hash) VALUES (?1, ?2, ?3)",
            )?
            .execute((level, signed(node.index), hash.0.as_slice()))?;
        level += STEP;
    }
    Ok(())
}

/// How many entries there are and the root over them, inside any transaction.
pub(in crate::store) fn tree_head(db: &Connection) -> Result<(u64, Digest), StoreError> {
    let size = length(db)?;
    Ok((size, tree::root(size, &mut |node| fetch(db, node))?))
}

fn length(db: &Connection) -> Result<u64, StoreError> {
    let mut find = db.prepare_cached("SELECT COALESCE(max(seq), 0) FROM entry")?;
    Ok(find
        .query_row([], |row| row.get::<_, i64>(0))?
        .unsigned_abs())
}

/// What the newest entry says, if it is a checkpoint signed with this key and its root still holds.
fn newest_checkpoint(
    db: &Connection,
    size: u64,
    key: &str,
) -> Result<Option<(u64, Digest)>, StoreError> {
    let mut find = db.prepare_cached("SELECT bytes FROM entry WHERE seq = ?1")?;
    let bytes: Option<String> = find
        .query_row([signed(size)], |row| row.get(0))
        .optional()?;
    let before = size.saturating_sub(1);
    let root = tree::root(before, &mut |node| fetch(db, node))?;
    let same = bytes
        .as_deref()
        .and_then(crate::ledger::scan::scan)
        .is_some_and(|entry| {
            entry.act == Act::Checkpoint
                && entry.fact("key") == Some(key)
                && entry.digest("root") == Some(root)
        });
    Ok(same.then_some((before, root)))
}

fn fetch(db: &Connection, node: Node) -> Result<Digest, StoreError> {
    if node.level == 0 {
        let mut find = db.prepare_cached("SELECT hash FROM entry WHERE seq = ?1")?;
        let found: Option<Vec<u8>> = find
            .query_row([signed(node.index + 1)], |row| row.get(0))
            .optional()?;
        let bytes =
            found.ok_or_else(|| StoreError::NotFound(format!("entry E-{}", node.index + 1)))?;
        return rows::digest(&bytes);
    }
    if node.level.is_multiple_of(STEP) {
        let mut find =
            db.prepare_cached("SELECT hash FROM tree_node WHERE level = ?1 AND at = ?2")?;
        let kept: Option<Vec<u8>> = find
            .query_row((node.level, signed(node.index)), |row| row.get(0))
            .optional()?;
        if let Some(bytes) = kept {
            return rows::digest(&bytes);
        }
    }
    compute(db, node)
}

/// A node from the nearest level below it that is kept.
fn compute(db: &Connection, node: Node) -> Result<Digest, StoreError> {
    let base = (node.level - 1) / STEP * STEP;
    let count = 1_u64 << (node.level - base);
    let first = node.index << (node.level - base);
    let below = kept_below(db, base, first, count)?;
    let mut frontier = Frontier::default();
    if below.len() as u64 == count {
        below
            .into_iter()
            .for_each(|hash| frontier.push(hash, &mut |_, _| {}));
        return Ok(frontier.root());
    }
    for index in first..first + count {
        let hash = fetch(db, Node { level: base, index })?;
        frontier.push(hash, &mut |_, _| {});
    }
    Ok(frontier.root())
}

fn kept_below(
    db: &Connection,
    level: u32,
    first: u64,
    count: u64,
) -> Result<Vec<Digest>, StoreError> {
    let (sql, from) = if level == 0 {
        (
            "SELECT hash FROM entry WHERE ?1 = 0 AND seq >= ?2 AND seq < ?3 ORDER BY seq",
            first + 1,
        )
    } else {
        (
            "SELECT hash FROM tree_node WHERE level = ?1 AND at >= ?2 AND at < ?3 ORDER BY at",
            first,
        )
    };
    let mut find = db.prepare_cached(sql)?;
    let mut found = find.query((level, signed(from), signed(from + count)))?;
    let mut list = Vec::new();
    while let Some(row) = found.next()? {
        list.push(rows::digest(&row.get::<_, Vec<u8>>(0)?)?);
    }
    Ok(list)
}

fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
