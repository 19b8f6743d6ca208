//! Servings in the order of their table, for verification, and whether what they handed over is
//! what the memories hold. A walk of its own, beside the one over the entries.

use crate::domain::{Commitment, Digest, EntrySeq, MemoryId, Salt, ServingId, Time};
use crate::ledger::contents::{Served, ServingNow, ServingRows, served_facts};
use crate::store::error::StoreError;
use crossbeam_channel::Receiver;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, Row};
use std::collections::HashMap;

/// How many rows are handed over at a time.
const GROUP: usize = 2048;

/// Servings as they are kept, many in one piece.
#[derive(Debug, Default)]
pub struct Servings {
    rows: Vec<Place>,
    facts: String,
    memories: Vec<i64>,
}

/// Where a serving's facts and memories end in the piece, and what else its rows say.
#[derive(Debug)]
struct Place {
    id: i64,
    entry: i64,
    at: i64,
    commitment: Option<Digest>,
    facts: usize,
    memories: usize,
}

/// Memories that were handed over under another hash than their text has.
pub type WrongTexts = Vec<(MemoryId, ServingId)>;

/// The servings that a walk brings, one after another.
#[derive(Debug)]
pub struct Incoming {
    groups: Receiver<Servings>,
    now: Servings,
    next: usize,
    facts: usize,
    memories: usize,
}

impl Incoming {
    /// From where the walk puts them.
    #[must_use]
    pub fn new(groups: Receiver<Servings>) -> Self {
        Self {
            groups,
            now: Servings::default(),
            next: 0,
            facts: 0,
            memories: 0,
        }
    }
}

impl ServingRows for Incoming {
    fn peek(&mut self) -> Option<ServingNow<'_>> {
        while self.next >= self.now.rows.len() {
            self.now = self.groups.recv().ok()?;
            (self.next, self.facts, self.memories) = (0, 0, 0);
        }
        let place = self.now.rows.get(self.next)?;
        let facts = self.now.facts.get(self.facts..place.facts);
        let memories = self.now.memories.get(self.memories..place.memories);
        Some(ServingNow {
            id: ServingId(place.id),
            entry: EntrySeq(place.entry),
            at: Time::from_millis(place.at),
            commitment: place.commitment,
            facts: facts.unwrap_or_default(),
            memories: memories.unwrap_or_default(),
        })
    }

    fn pass(&mut self) {
        if let Some(place) = self.now.rows.get(self.next) {
            (self.facts, self.memories) = (place.facts, place.memories);
            self.next += 1;
        }
    }
}

/// Brings every serving, in order.
pub(in crate::store) fn servings(
    db: &Connection,
    each: &mut dyn FnMut(Servings),
) -> Result<(), StoreError> {
    // Covered by the index, which ends in the key: memories come in order.
    let mut members = db.prepare(
        "SELECT serving, memory FROM serving_memory INDEXED BY serving_memory_serving ORDER BY serving, memory",
    )?;
    let mut members = members.query([])?;
    let mut member = next(&mut members)?;
    let layers: HashMap<i64, String> = db
        .prepare("SELECT id, path FROM layer")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let mut find = db.prepare(
        "SELECT id, entry, block, salt, at, layer, project, session, format FROM serving ORDER BY id",
    )?;
    let mut found = find.query([])?;
    let mut group = Servings::default();
    let mut bytes = Vec::new();
    let mut last = (i64::MIN, "");
    while let Some(row) = found.next()? {
        let id: i64 = row.get(0)?;
        bytes.clear();
        bytes.extend_from_slice(row.get_ref(2)?.as_blob().unwrap_or_default());
        let salt = row.get_ref(3)?.as_blob_or_null().ok().flatten();
        let salt = salt.and_then(Salt::from_slice);
        let mut count = 0;
        while let Some((_, memory)) = member.take_if(|(serving, _)| *serving <= id) {
            if salt.is_none() {
                group.memories.push(memory);
            }
            count += 1;
            bytes.extend_from_slice(&memory.to_be_bytes());
            member = next(&mut members)?;
        }
        let commitment = salt.map(|salt| Commitment::to(&salt, &bytes).0);
        let here: i64 = row.get(5)?;
        if here != last.0 {
            last = (here, layers.get(&here).map_or("", String::as_str));
        }
        let served = Served {
            count,
            format: text(row, 8)?.unwrap_or_default(),
            layer: last.1,
            project: text(row, 6)?,
            session: text(row, 7)?,
            commitment: commitment.as_ref(),
        };
        served_facts(&served, &mut group.facts);
        group.rows.push(Place {
            id,
            entry: row.get(1)?,
            at: row.get(4)?,
            commitment,
            facts: group.facts.len(),
            memories: group.memories.len(),
        });
        if group.rows.len() == GROUP {
            each(std::mem::take(&mut group));
        }
    }
    each(group);
    Ok(())
}

fn next(rows: &mut rusqlite::Rows<'_>) -> Result<Option<(i64, i64)>, StoreError> {
    let row = rows.next()?;
    Ok(row
        .map(|row| Ok::<_, rusqlite::Error>((row.get(0)?, row.get(1)?)))
        .transpose()?)
}

fn text<'r>(row: &'r Row<'_>, column: usize) -> Result<Option<&'r str>, StoreError> {
    let ValueRef::Text(bytes) = row.get_ref(column)? else {
        return Ok(None);
    };
    std::str::from_utf8(bytes)
        .map(Some)
        .map_err(|error| StoreError::Broken(format!("a text of a serving is none: {error}")))
}

/// Rows whose hash is not that of the memory's text. An erased text has no hash left to show.
pub(in crate::store) fn wrong_texts(db: &Connection) -> Result<WrongTexts, StoreError> {
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
    Ok(wrong)
}
