//! The whole store in order, for verification: entries, then what they commit to, then the tables.
//! Everything comes out of one state of the store, each table in the order it is kept, nothing
//! looked up.

use crate::domain::entry::Beside;
use crate::domain::{Digest, EntrySeq, ObservationId, Salt};
use crate::ledger::contents::Row;
use crate::ledger::replay::State;
use crate::ledger::tree::Node;
use crate::store::error::StoreError;
use crate::store::ledger::tables;
use crate::store::observe::{row_bytes, row_hash};
use crate::store::served::{Servings, WrongTexts, servings, wrong_texts};
use crate::store::{Store, rows};
use crossbeam_channel::Sender;
use rusqlite::{Connection, OptionalExtension as _, Statement};

/// How many rows are handed over at a time.
const GROUP: usize = 2048;
/// How often two snapshots are tried for at one entry.
const TRIES: usize = 10_000;

/// Entries as they are kept, many in one piece.
#[derive(Debug, Default)]
pub struct Entries {
    rows: Vec<Place>,
    texts: String,
    /// The texts that they commit to.
    pub beside: Vec<(EntrySeq, Beside)>,
}

/// Where an entry's texts end in the piece, and what else its row says.
#[derive(Debug)]
struct Place {
    seq: i64,
    hash: Option<Digest>,
    at: i64,
    act: i64,
    bytes: usize,
    item: usize,
    actor: usize,
}

/// An entry's row as it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptRow<'a> {
    /// Its place.
    pub seq: i64,
    /// Its canonical bytes.
    pub bytes: &'a str,
    /// Its hash. One of the wrong length is none.
    pub hash: Option<Digest>,
    /// What it is filed under.
    pub filed: Filed<'a>,
}

/// What an entry is looked up by: columns that say again what its bytes say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filed<'a> {
    /// The act's code.
    pub act: i64,
    /// The time, in milliseconds.
    pub at: i64,
    /// The item.
    pub item: &'a str,
    /// Who did it.
    pub actor: &'a str,
}

impl Entries {
    /// Each row, in order.
    pub fn iter(&self) -> impl Iterator<Item = KeptRow<'_>> {
        let mut start = 0;
        let mut text = move |end: usize| {
            let text = self.texts.get(start..end).unwrap_or_default();
            start = end;
            text
        };
        self.rows.iter().map(move |place| KeptRow {
            seq: place.seq,
            bytes: text(place.bytes),
            hash: place.hash,
            filed: Filed {
                item: text(place.item),
                actor: text(place.actor),
                act: place.act,
                at: place.at,
            },
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
    /// The end that the store remembers, and the state of its tables at that moment.
    End {
        seq: i64,
        hash: Digest,
        tables: Box<State>,
    },
}

impl Store {
    /// Walks everything, entries and servings side by side on two connections that see one and the
    /// same state. Returns what was handed over under a hash that is not the memory's.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn walk(
        &self,
        each: &mut dyn FnMut(Step),
        served: Sender<Servings>,
    ) -> Result<WrongTexts, StoreError> {
        let beside = super::open::readable(&self.path)?;
        self.read(|db| {
            begin_together(db, &beside)?;
            let (walked, wrong) = std::thread::scope(|threads| {
                let other = threads.spawn(move || {
                    servings(&beside, &mut |group| {
                        // Whoever judges has gone and will be missed when they are joined.
                        let _ = served.send(group);
                    })?;
                    drop(served);
                    wrong_texts(&beside)
                });
                (walk_entries(db, each), other.join())
            });
            db.execute_batch("ROLLBACK")?;
            walked?;
            wrong.map_err(|_| StoreError::Broken("walking failed inside".to_owned()))?
        })
    }
}

/// Opens a snapshot on each connection, both at one entry. Everything that verifying looks at
/// changes with an entry, so that the same head means the same state.
fn begin_together(one: &Connection, other: &Connection) -> Result<(), StoreError> {
    for _ in 0..TRIES {
        one.execute_batch("BEGIN")?;
        other.execute_batch("BEGIN")?;
        if head(one)? == head(other)? {
            return Ok(());
        }
        one.execute_batch("ROLLBACK")?;
        other.execute_batch("ROLLBACK")?;
    }
    Err(StoreError::Broken(
        "others write too fast to verify what they write".to_owned(),
    ))
}

fn walk_entries(db: &Connection, each: &mut dyn FnMut(Step)) -> Result<(), StoreError> {
    entries(db, each)?;
    nodes(db, each)?;
    observations(db, each)?;
    end(db, each)
}

fn entries(db: &Connection, each: &mut dyn FnMut(Step)) -> Result<(), StoreError> {
    let mut texts = db.prepare("SELECT seq, part, salt, body FROM beside ORDER BY seq, part")?;
    let mut texts = texts.query([])?;
    let mut text = next_beside(&mut texts)?;
    let mut all =
        db.prepare("SELECT seq, bytes, hash, act, at, item, actor FROM entry ORDER BY seq")?;
    let mut found = all.query([])?;
    let mut group = Entries::default();
    while let Some(row) = found.next()? {
        let seq: i64 = row.get(0)?;
        let mut end_of = |column: usize| -> Result<usize, StoreError> {
            let kept = row.get_ref(column)?.as_str().map_err(|error| {
                StoreError::Broken(format!("a text of entry E-{seq} is none: {error}"))
            })?;
            group.texts.push_str(kept);
            Ok(group.texts.len())
        };
        let (bytes, item, actor) = (end_of(1)?, end_of(5)?, end_of(6)?);
        group.rows.push(Place {
            seq,
            hash: row.get_ref(2)?.as_blob().ok().and_then(Digest::from_slice),
            act: row.get(3)?,
            at: row.get(4)?,
            bytes,
            item,
            actor,
        });
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

fn end(db: &Connection, each: &mut dyn FnMut(Step)) -> Result<(), StoreError> {
    let (seq, hash) = head(db)?;
    let hash = Digest::from_slice(&hash).unwrap_or(Digest::ZERO);
    let tables = Box::new(tables(db)?);
    each(Step::End { seq, hash, tables });
    Ok(())
}

fn head(db: &Connection) -> Result<(i64, Vec<u8>), StoreError> {
    let found = db
        .prepare_cached("SELECT seq, hash FROM ledger_head")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    Ok(found.unwrap_or_default())
}
