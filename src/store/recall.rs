//! What recall reads and what a serving writes. Filter, then expiry, then limit: all in one place.
//!
//! Only the memory and document tables are reachable from here: no candidate, no artifact.

use crate::domain::document::Passage;
use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::memory::Memory;
use crate::domain::serving::Serving;
use crate::domain::{
    Act, Assurance, Digest, DocumentId, EntrySeq, MemoryId, Scope, ServingId, SessionId, Time,
    TraceParent,
};
use crate::store::error::StoreError;
use crate::store::write::Tx;
use crate::store::{Store, rows, search};
use rusqlite::{Connection, OptionalExtension as _, ToSql};

/// A serving before it has an id.
#[derive(Debug, Clone)]
pub struct NewServing {
    /// When.
    pub at: Time,
    /// Who asked, in a word.
    pub actor: String,
    /// From where.
    pub scope: Scope,
    /// In which form.
    pub format: String,
    /// The hash of the bytes handed over.
    pub block: Digest,
    /// How many bytes.
    pub bytes: u64,
    /// The memories handed over, with the hash of each.
    pub memories: Vec<(MemoryId, Digest)>,
    /// Memories that were not handed over because they did not verify, and why.
    pub withheld: Vec<(MemoryId, String)>,
    /// The trace of whoever asked.
    pub trace: Option<TraceParent>,
}

/// The kept bytes of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptEntry {
    /// Its place.
    pub seq: EntrySeq,
    /// Its canonical bytes.
    pub bytes: String,
    /// Its hash, as kept.
    pub hash: Digest,
}

/// A memory with the entries that recall checks it against.
#[derive(Debug, Clone, PartialEq)]
pub struct Recalled {
    /// The memory.
    pub memory: Memory,
    /// The entry that minted it.
    pub minted: Option<KeptEntry>,
    /// The decisions on the memory itself that followed, oldest first.
    pub turns: Vec<KeptEntry>,
    /// The approvals that put another memory in its place, each with what took back decisions on that.
    pub replaced: Vec<(KeptEntry, Vec<KeptEntry>)>,
    /// For what the policy let pass: the entries by which people put policies in force.
    pub policies: Vec<KeptEntry>,
}

/// A passage with what it is checked against.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundPassage {
    /// The passage.
    pub passage: Passage,
    /// The entry that added its document.
    pub added: Option<KeptEntry>,
    /// The hashes of the document's chunks as they are now.
    pub chunk_list: Digest,
}

impl Store {
    /// Memories visible from a scope that have not ended, nearest layer first, at most `limit`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn recall(
        &self,
        viewer: &Scope,
        query: Option<&str>,
        now: Time,
        limit: usize,
    ) -> Result<Vec<Recalled>, StoreError> {
        self.read_at_once(|db| {
            let layers = lineage(db, viewer)?;
            let memories = match query {
                Some(query) => search_memories(db, viewer, query, &layers, now, limit)?,
                None => list_memories(db, viewer, &layers, now, limit)?,
            };
            memories
                .into_iter()
                .map(|memory| with_entries(db, memory))
                .collect()
        })
    }

    /// One memory with its entries, whatever its state.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn recalled(&self, id: MemoryId) -> Result<Recalled, StoreError> {
        self.read_at_once(|db| with_entries(db, crate::store::memory::load_memory(db, id)?))
    }

    /// Chunks of documents visible from a scope that match, at most `limit`. Withheld ones never.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn passages(
        &self,
        viewer: &Scope,
        query: &str,
        limit: usize,
    ) -> Result<Vec<FoundPassage>, StoreError> {
        self.read_at_once(|db| passages(db, viewer, query, limit))
    }

    /// Logs a serving. Nothing may be handed over before this has returned.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn serve(&self, new: NewServing) -> Result<ServingId, StoreError> {
        self.write(move |tx| serve(tx, &new))
    }

    /// One serving.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn serving(&self, id: ServingId) -> Result<Serving, StoreError> {
        self.read_at_once(|db| load_serving(db, id))
    }
}

/// The numbers of the viewer's layer and those above it, nearest first.
fn lineage(db: &Connection, viewer: &Scope) -> Result<Vec<i64>, StoreError> {
    let mut find = db.prepare_cached("SELECT id FROM layer WHERE path = ?1")?;
    let mut ids = Vec::new();
    for layer in viewer.layer.lineage() {
        ids.extend(
            find.query_row([layer.as_str()], |row| row.get::<_, i64>(0))
                .optional()?,
        );
    }
    Ok(ids)
}

const VISIBLE: &str = "m.state = 0 AND m.expires_at > ?1 AND (m.project IS NULL OR m.project = ?2) \
     AND (m.session IS NULL OR m.session = ?3)";

fn list_memories(
    db: &Connection,
    viewer: &Scope,
    layers: &[i64],
    now: Time,
    limit: usize,
) -> Result<Vec<Memory>, StoreError> {
    let sql = format!(
        "{} WHERE m.layer = ?4 AND {VISIBLE} ORDER BY m.id DESC LIMIT ?5",
        rows::MEMORY
    );
    let mut list = Vec::new();
    for layer in layers {
        let left = i64::try_from(limit.saturating_sub(list.len())).unwrap_or(i64::MAX);
        collect(db, &sql, viewer, now, &[layer, &left], &mut list)?;
    }
    Ok(list)
}

fn search_memories(
    db: &Connection,
    viewer: &Scope,
    query: &str,
    layers: &[i64],
    now: Time,
    limit: usize,
) -> Result<Vec<Memory>, StoreError> {
    let Some(wanted) = search::match_text(query, layers) else {
        return Ok(Vec::new());
    };
    // The layer stands in the match and is checked again on the rows that come out.
    let sql = format!(
        "{} JOIN memory_text ON memory_text.rowid = m.id WHERE memory_text MATCH ?4 AND m.layer IN ({}) AND {VISIBLE} \
         ORDER BY memory_text.rank LIMIT ?5",
        rows::MEMORY,
        search::id_list(layers)
    );
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut list = Vec::new();
    collect(db, &sql, viewer, now, &[&wanted, &limit], &mut list)?;
    Ok(list)
}

fn collect(
    db: &Connection,
    sql: &str,
    viewer: &Scope,
    now: Time,
    more: &[&dyn ToSql],
    list: &mut Vec<Memory>,
) -> Result<(), StoreError> {
    let now = now.millis();
    let project = viewer.project.as_ref().map(crate::domain::Project::as_str);
    let session = viewer.session.as_ref().map(SessionId::as_str);
    let mut values: Vec<&dyn ToSql> = vec![&now, &project, &session];
    values.extend(more);
    let mut statement = db.prepare_cached(sql)?;
    let mut found = statement.query(values.as_slice())?;
    while let Some(row) = found.next()? {
        list.push(rows::memory(row)?);
    }
    Ok(())
}

fn with_entries(db: &Connection, memory: Memory) -> Result<Recalled, StoreError> {
    let mut by_seq = db.prepare_cached("SELECT seq, bytes, hash FROM entry WHERE seq = ?1")?;
    let minted = kept(&mut by_seq.query([memory.entry.0])?)?;
    let mut by_item = db.prepare_cached("SELECT seq, bytes, hash FROM entry WHERE item = ?1 AND act <> 21 AND act IN (6, 7, 8, 19) ORDER BY seq")?;
    let mut found = by_item.query([memory.id.to_string()])?;
    let mut turns = Vec::new();
    while let Some(entry) = kept(&mut found)? {
        turns.push(entry);
    }
    let replaced = replaced(db, memory.id)?;
    let passed = format!("{{\"act\":\"{}\"", Act::Auto);
    let passed = minted
        .as_ref()
        .is_some_and(|entry| entry.bytes.starts_with(&passed));
    let policies = if passed { policies(db)? } else { Vec::new() };
    Ok(Recalled {
        memory,
        minted,
        turns,
        replaced,
        policies,
    })
}

/// The approvals that name a memory as the one they take the place of.
fn replaced(db: &Connection, id: MemoryId) -> Result<Vec<(KeptEntry, Vec<KeptEntry>)>, StoreError> {
    let named = "CASE WHEN json_valid(bytes) THEN json_extract(bytes, '$.facts.supersedes') END";
    let mut find = db.prepare_cached(&format!(
        "SELECT seq, bytes, hash FROM entry INDEXED BY entry_supersedes \
         WHERE act IN (1, 2) AND {named} IS NOT NULL AND {named} = ?1 ORDER BY seq"
    ))?;
    let mut taken_back = db.prepare_cached(
        "SELECT u.seq, u.bytes, u.hash FROM entry a JOIN entry u ON u.item = json_extract(a.bytes, '$.facts.memory') \
         AND u.act <> 21 AND u.act = 8 WHERE a.seq = ?1 ORDER BY u.seq",
    )?;
    let mut found = find.query([id.to_string()])?;
    let mut list = Vec::new();
    while let Some(entry) = kept(&mut found)? {
        let mut undos = taken_back.query([entry.seq.0])?;
        let mut backs = Vec::new();
        while let Some(undo) = kept(&mut undos)? {
            backs.push(undo);
        }
        drop(undos);
        list.push((entry, backs));
    }
    Ok(list)
}

/// The entries by which people put policies in force.
fn policies(db: &Connection) -> Result<Vec<KeptEntry>, StoreError> {
    let mut find = db.prepare_cached(
        "SELECT seq, bytes, hash FROM entry WHERE item IN ('store', ?1) AND act <> 21 AND act IN (14, 20) ORDER BY seq DESC",
    )?;
    let mut found = find.query([crate::store::policy::ITEM])?;
    let mut list = Vec::new();
    while let Some(entry) = kept(&mut found)? {
        list.push(entry);
    }
    Ok(list)
}

fn kept(found: &mut rusqlite::Rows<'_>) -> Result<Option<KeptEntry>, StoreError> {
    let Some(row) = found.next()? else {
        return Ok(None);
    };
    let hash = rows::digest(&row.get::<_, Vec<u8>>(2)?)?;
    Ok(Some(KeptEntry {
        seq: EntrySeq(row.get(0)?),
        bytes: row.get(1)?,
        hash,
    }))
}

fn passages(
    db: &Connection,
    viewer: &Scope,
    query: &str,
    limit: usize,
) -> Result<Vec<FoundPassage>, StoreError> {
    let layers = lineage(db, viewer)?;
    let Some(wanted) = search::match_text(query, &layers) else {
        return Ok(Vec::new());
    };
    let sql = format!(
        "SELECT d.id, d.title, c.place, c.text, l.path, d.entry FROM chunk_text JOIN chunk c ON c.id = chunk_text.rowid \
         JOIN document d ON d.id = c.document JOIN layer l ON l.id = c.layer \
         WHERE chunk_text MATCH ?1 AND c.layer IN ({}) AND d.removed = 0 AND c.verdict < 2 ORDER BY chunk_text.rank LIMIT ?2",
        search::id_list(&layers)
    );
    let mut statement = db.prepare_cached(&sql)?;
    let mut found = statement.query((wanted, i64::try_from(limit).unwrap_or(i64::MAX)))?;
    let mut by_seq = db.prepare_cached("SELECT seq, bytes, hash FROM entry WHERE seq = ?1")?;
    let mut list = Vec::new();
    while let Some(row) = found.next()? {
        let text: String = row.get(3)?;
        let document = DocumentId(row.get(0)?);
        let added = kept(&mut by_seq.query([row.get::<_, i64>(5)?])?)?;
        let passage = Passage {
            document,
            title: row.get(1)?,
            place: row.get(2)?,
            sha256: Digest::of(text.as_bytes()),
            text,
            layer: rows::layer(&row.get::<_, String>(4)?)?,
        };
        list.push(FoundPassage {
            passage,
            added,
            chunk_list: chunks_now(db, document)?,
        });
    }
    Ok(list)
}

/// The hashes of a document's chunks as they are now.
pub(in crate::store) fn chunks_now(
    db: &Connection,
    document: DocumentId,
) -> Result<Digest, StoreError> {
    let mut find =
        db.prepare_cached("SELECT text FROM chunk WHERE document = ?1 ORDER BY place")?;
    let mut found = find.query([document.0])?;
    let mut hashes = Vec::new();
    while let Some(row) = found.next()? {
        hashes.push(Digest::of(row.get::<_, String>(0)?.as_bytes()));
    }
    Ok(crate::store::document::chunk_list(hashes.into_iter()))
}

/// INVARIANT: a serving's time is its entry's, which never runs backwards: looking back finds a
/// moment by halving, and verifying holds the two together.
fn serve(tx: &Tx<'_>, new: &NewServing) -> Result<ServingId, StoreError> {
    let new = &NewServing {
        at: tx.moment(new.at)?,
        ..new.clone()
    };
    for (memory, why) in &new.withheld {
        let facts: Facts = [("why".to_owned(), why.clone())].into();
        tx.append(draft(new, Act::Withhold, memory.to_string(), facts), &[])?;
    }
    let mut find = tx
        .db()
        .prepare_cached("SELECT COALESCE(max(id), 0) + 1 FROM serving")?;
    let id = ServingId(find.query_row([], |row| row.get(0))?);
    let salt = crate::store::salt::fresh()?;
    let mut facts: Facts = [
        ("count", new.memories.len().to_string()),
        ("format", new.format.clone()),
        ("served_commitment", served(&salt, new).to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    crate::store::candidate::scope_facts(&new.scope, &mut facts);
    crate::store::candidate::trace_fact(new.trace, &mut facts);
    let entry = tx.append(draft(new, Act::Serve, id.to_string(), facts), &[])?;
    let layer = tx.layer(&new.scope.layer)?;
    let values: [&dyn ToSql; 10] = [
        &id.0,
        &new.at.millis(),
        &layer,
        &new.scope
            .project
            .as_ref()
            .map(crate::domain::Project::as_str),
        &new.scope.session.as_ref().map(SessionId::as_str),
        &new.format,
        &new.block.0.as_slice(),
        &i64::try_from(new.bytes).unwrap_or(i64::MAX),
        &entry.0,
        &salt.0.as_slice(),
    ];
    tx.db()
        .prepare_cached(
            "INSERT INTO serving (id, at, layer, project, session, format, block, bytes, entry, salt) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(values)?;
    for (memory, sha256) in &new.memories {
        tx.db()
            .prepare_cached("INSERT OR IGNORE INTO serving_memory (memory, serving, sha256) VALUES (?1, ?2, ?3)")?
            .execute((memory.0, id.0, sha256.0.as_slice()))?;
        tx.db()
            .prepare_cached(
                "INSERT INTO memory_served (memory, count, last_at) VALUES (?1, 1, ?2) \
                 ON CONFLICT (memory) DO UPDATE SET count = count + 1, last_at = ?2",
            )?
            .execute((memory.0, new.at.millis()))?;
    }
    let handed = new.memories.iter().map(|(memory, _)| *memory);
    crate::store::pulse::served(tx, layer, new.at, handed)?;
    Ok(id)
}

/// What a serving's entry commits to: the block's hash and the numbers of its memories, salted,
/// so that an erased memory cannot be guessed back from a block that held little else.
fn served(salt: &crate::domain::Salt, new: &NewServing) -> crate::domain::Commitment {
    let mut memories: Vec<i64> = new.memories.iter().map(|(memory, _)| memory.0).collect();
    memories.sort_unstable();
    memories.dedup();
    let mut bytes = new.block.0.to_vec();
    memories
        .iter()
        .for_each(|memory| bytes.extend_from_slice(&memory.to_be_bytes()));
    crate::domain::Commitment::to(salt, &bytes)
}

fn draft(new: &NewServing, act: Act, item: String, facts: Facts) -> EntryDraft {
    EntryDraft {
        at: new.at,
        actor: new.actor.clone(),
        assurance: Assurance::Asserted,
        act,
        item,
        facts,
    }
}

fn load_serving(db: &Connection, id: ServingId) -> Result<Serving, StoreError> {
    let mut find = db.prepare_cached(
        "SELECT s.at, l.path, s.project, s.session, s.format, s.block, s.bytes FROM serving s JOIN layer l ON l.id = s.layer WHERE s.id = ?1",
    )?;
    let mut found = find.query([id.0])?;
    let row = found
        .next()?
        .ok_or_else(|| StoreError::NotFound(format!("serving {id}")))?;
    let broken = |error: crate::domain::name::BadName| StoreError::Broken(error.to_string());
    let project: Option<String> = row.get(2)?;
    let session: Option<String> = row.get(3)?;
    let scope = Scope {
        layer: rows::layer(&row.get::<_, String>(1)?)?,
        project: project
            .map(|text| crate::domain::Project::parse(&text))
            .transpose()
            .map_err(broken)?,
        session: session
            .map(|text| SessionId::parse(&text))
            .transpose()
            .map_err(broken)?,
    };
    let mut memories = Vec::new();
    let mut members = db.prepare_cached(
        "SELECT memory, sha256 FROM serving_memory WHERE serving = ?1 ORDER BY memory",
    )?;
    let mut listed = members.query([id.0])?;
    while let Some(row) = listed.next()? {
        memories.push((
            MemoryId(row.get(0)?),
            rows::digest(&row.get::<_, Vec<u8>>(1)?)?,
        ));
    }
    Ok(Serving {
        id,
        at: Time::from_millis(row.get(0)?),
        scope,
        format: row.get(4)?,
        block: rows::digest(&row.get::<_, Vec<u8>>(5)?)?,
        bytes: row.get::<_, i64>(6)?.unsigned_abs(),
        memories,
    })
}
