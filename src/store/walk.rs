//! The whole store in order, for verification: entries, then what they commit to, then the tables.
//! Everything comes out of one snapshot, each table in the order it is kept, nothing looked up.

use crate::domain::entry::Beside;
use crate::domain::{Commitment, Digest, EntrySeq, MemoryId, ObservationId, Salt, ServingId};
use crate::ledger::contents::{Row, ServingNow};
use crate::ledger::replay::State;
use crate::ledger::tree::Node;
use crate::store::error::StoreError;
use crate::store::ledger::tables;
use crate::store::observe::{row_bytes, row_hash};
use crate::store::{Store, rows};
use rusqlite::{Connection, OptionalExtension as _, Statement};

/// How many rows are handed over at a time.
const GROUP: usize = 2048;

/// Entries as they are kept, many in one piece.
#[derive(Debug, Default)]
pub struct Entries {
    rows: Vec<(i64, usize, Option<Digest>)>,
    bytes: String,
    /// The texts that they commit to.
    pub beside: Vec<(EntrySeq, Beside)>,
}

impl Entries {
    /// Each with its place, its bytes and its hash. A hash of the wrong length is none.
    pub fn iter(&self) -> impl Iterator<Item = (i64, &str, Option<Digest>)> {
        let mut start = 0;
        self.rows.iter().map(move |(seq, end, hash)| {
            let bytes = self.bytes.get(start..*end).unwrap_or_default();
            start = *end;
            (*seq, bytes, *hash)
        })
    }
}

/// One step of a walk.
#[derive(Debug)]
pub enum Step {
    /// Entries, in order.
    Entries(Entries),
    /// Interior nodes of the tree as they are kept.
    Nodes(Vec<(Node, Digest)>),
    /// Observations, in order.
    Observations(Vec<(ObservationId, Row)>),
    /// Servings, in order.
    Servings(Vec<ServingNow>),
    /// Memories that were handed over under another hash than their text has.
    Handed(Vec<(MemoryId, ServingId)>),
    /// The end that the store remembers, and the state of its tables at that moment.
    End {
        seq: i64,
        hash: Digest,
        tables: Box<State>,
    },
}

impl Store {
    /// Walks everything in one snapshot.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn walk(&self, each: &mut dyn FnMut(Step)) -> Result<(), StoreError> {
        self.read_at_once(|db| {
            entries(db, each)?;
            nodes(db, each)?;
            observations(db, each)?;
            servings(db, each)?;
            handed(db, each)?;
            end(db, each)
        })
    }
}

fn entries(db: &Connection, each: &mut dyn FnMut(Step)) -> Result<(), StoreError> {
    let mut texts = db.prepare("SELECT seq, part, salt, body FROM beside ORDER BY seq, part")?;
    let mut texts = texts.query([])?;
    let mut text = next_beside(&mut texts)?;
    let mut all = db.prepare("SELECT seq, bytes, hash FROM entry ORDER BY seq")?;
    let mut found = all.query([])?;
    let mut group = Entries::default();
    while let Some(row) = found.next()? {
        let seq: i64 = row.get(0)?;
        let kept = row.get_ref(1)?.as_str().map_err(|error| {
            StoreError::Broken(format!("the bytes of entry E-{seq} are no text: {error}"))
        })?;
        group.bytes.push_str(kept);
        let hash = row.get_ref(2)?.as_blob().ok().and_then(Digest::from_slice);
        group.rows.push((seq, group.bytes.len(), hash));
        while let Some(one) = text.take_if(|(owner, _)| owner.0 <= seq) {
            group.beside.push(one);
            text = next_beside(&mut texts)?;
        }
        if group.rows.len() == GROUP {
            each(Step::Entries(std::mem::take(&mut group)));
        }
    }
    while let Some(one) = text.take() {
        group.beside.push(one);
        text = next_beside(&mut texts)?;
    }
    each(Step::Entries(group));
    Ok(())
}

fn next_beside(texts: &mut rusqlite::Rows<'_>) -> Result<Option<(EntrySeq, Beside)>, StoreError> {
    let Some(row) = texts.next()? else {
        return Ok(None);
    };
    let beside = Beside {
        part: row.get(1)?,
        salt: Salt(row.get(2)?),
        body: row.get(3)?,
    };
    Ok(Some((EntrySeq(row.get(0)?), beside)))
}

fn nodes(db: &Connection, each: &mut dyn FnMut(Step)) -> Result<(), StoreError> {
    let mut find = db.prepare("SELECT level, at, hash FROM tree_node ORDER BY level, at")?;
    let mut found = find.query([])?;
    let mut list = Vec::new();
    while let Some(row) = found.next()? {
        let node = Node {
            level: row.get(0)?,
            index: row.get::<_, i64>(1)?.unsigned_abs(),
        };
        list.push((node, rows::digest(&row.get::<_, Vec<u8>>(2)?)?));
    }
    each(Step::Nodes(list));
    Ok(())
}

fn observations(db: &Connection, each: &mut dyn FnMut(Step)) -> Result<(), StoreError> {
    let mut erased = db.prepare("SELECT hash FROM erased WHERE item = ?1")?;
    let mut find = db.prepare(
        "SELECT o.seq, o.salt, o.text, l.path, o.user, o.session, o.trust, o.origin, o.at \
         FROM observation o JOIN layer l ON l.id = o.layer ORDER BY o.seq",
    )?;
    let mut found = find.query([])?;
    let mut group = Vec::with_capacity(GROUP);
    let mut bytes = Vec::new();
    while let Some(row) = found.next()? {
        let id = ObservationId(row.get(0)?);
        bytes.clear();
        row_bytes(row, 2, &mut bytes)?;
        let now = match row.get_ref(1)?.as_blob_or_null().ok().flatten() {
            Some(salt) => Row::Salted(row_hash(salt, &bytes)),
            None => unsalted(&mut erased, id, &bytes)?,
        };
        group.push((id, now));
        if group.len() == GROUP {
            each(Step::Observations(std::mem::take(&mut group)));
        }
    }
    each(Step::Observations(group));
    Ok(())
}

/// A row without a salt was erased, or is older than salts are.
fn unsalted(
    erased: &mut Statement<'_>,
    id: ObservationId,
    bytes: &[u8],
) -> Result<Row, StoreError> {
    let kept: Option<Option<Vec<u8>>> = erased
        .query_row([id.to_string()], |row| row.get(0))
        .optional()?;
    Ok(match kept {
        Some(hash) => Row::Erased(hash.as_deref().and_then(Digest::from_slice)),
        None => Row::Plain(bytes.to_vec()),
    })
}

fn servings(db: &Connection, each: &mut dyn FnMut(Step)) -> Result<(), StoreError> {
    // Covered by the index, which ends in the key: memories come in order.
    let mut members = db.prepare(
        "SELECT serving, memory FROM serving_memory INDEXED BY serving_memory_serving ORDER BY serving, memory",
    )?;
    let mut members = members.query([])?;
    let next = |rows: &mut rusqlite::Rows<'_>| -> Result<Option<(i64, i64)>, StoreError> {
        let row = rows.next()?;
        Ok(row
            .map(|row| Ok::<_, rusqlite::Error>((row.get(0)?, row.get(1)?)))
            .transpose()?)
    };
    let mut member = next(&mut members)?;
    let mut find = db.prepare("SELECT id, entry, block, salt FROM serving ORDER BY id")?;
    let mut found = find.query([])?;
    let mut group = Vec::with_capacity(GROUP);
    let mut bytes = Vec::new();
    while let Some(row) = found.next()? {
        let id: i64 = row.get(0)?;
        bytes.clear();
        bytes.extend_from_slice(row.get_ref(2)?.as_blob().unwrap_or_default());
        let mut memories = Vec::new();
        let salted = !matches!(row.get_ref(3)?, rusqlite::types::ValueRef::Null);
        while let Some((_, memory)) = member.take_if(|(serving, _)| *serving <= id) {
            if !salted {
                memories.push(MemoryId(memory));
            }
            bytes.extend_from_slice(&memory.to_be_bytes());
            member = next(&mut members)?;
        }
        let salt = row.get_ref(3)?.as_blob_or_null().ok().flatten();
        let salt = salt.and_then(Salt::from_slice);
        group.push(ServingNow {
            id: ServingId(id),
            entry: EntrySeq(row.get(1)?),
            commitment: salt.map(|salt| Commitment::to(&salt, &bytes).0),
            memories,
        });
        if group.len() == GROUP {
            each(Step::Servings(std::mem::take(&mut group)));
        }
    }
    each(Step::Servings(group));
    Ok(())
}

/// Rows whose hash is not that of the memory's text. An erased text has no hash left to show.
fn handed(db: &Connection, each: &mut dyn FnMut(Step)) -> Result<(), StoreError> {
    let mut texts = db.prepare(
        "SELECT m.text FROM memory m WHERE m.id = ?1 AND NOT EXISTS (SELECT 1 FROM erased e WHERE e.item = 'C-' || m.candidate)",
    )?;
    let mut find =
        db.prepare("SELECT memory, serving, sha256 FROM serving_memory ORDER BY memory, serving")?;
    let mut found = find.query([])?;
    let mut wrong = Vec::new();
    let mut current = (0, Digest::ZERO);
    while let Some(row) = found.next()? {
        let memory: i64 = row.get(0)?;
        if memory != current.0 {
            let text: Option<String> = texts.query_row([memory], |row| row.get(0)).optional()?;
            let hash = text.map_or(Digest::ZERO, |text| Digest::of(text.as_bytes()));
            current = (memory, hash);
        }
        if row.get_ref(2)?.as_blob().ok() != Some(current.1.0.as_slice()) {
            wrong.push((MemoryId(memory), ServingId(row.get(1)?)));
        }
    }
    each(Step::Handed(wrong));
    Ok(())
}

fn end(db: &Connection, each: &mut dyn FnMut(Step)) -> Result<(), StoreError> {
    let head = db
        .prepare("SELECT seq, hash FROM ledger_head")?
        .query_row([], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?))
        })
        .optional()?;
    let (seq, hash) = head.unwrap_or_default();
    let hash = Digest::from_slice(&hash).unwrap_or(Digest::ZERO);
    let tables = Box::new(tables(db)?);
    each(Step::End { seq, hash, tables });
    Ok(())
}
