//! Erasing: a text, its salt and every copy of it that this store holds, in the transaction of the
//! entry that says so. What the ledger committed to stays, and can no longer be guessed.

use crate::domain::candidate::{Candidate, CandidateState};
use crate::domain::decision::{Hand, Signed};
use crate::domain::entry::{Beside, EntryDraft, Facts};
use crate::domain::memory::MemoryState;
use crate::domain::{Act, CandidateId, Digest, EntrySeq, MemoryId, ObservationId, Time};
use crate::ledger::canonical::decode;
use crate::store::Store;
use crate::store::candidate::load;
use crate::store::decide::{Draft, count_move, set_memory};
use crate::store::error::StoreError;
use crate::store::memory::load_memory;
use crate::store::observe::{row_bytes, row_hash};
use crate::store::write::{Tx, committed};
use rusqlite::{Connection, OptionalExtension as _};

/// What stands in the place of an erased text.
pub const ERASED_TEXT: &str = "(erased)";
/// How many other items with the same words are named.
const NAMED: i64 = 20;

/// What is to be erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// Evidence bytes.
    Artifact(Digest),
    /// One sighting, with the fingerprint of its wording.
    Observation(ObservationId, Digest),
    /// A claim and every memory it became.
    Claim(CandidateId),
}

/// A decision to erase.
#[derive(Debug, Clone)]
pub struct NewErasure {
    /// What.
    pub subject: Subject,
    /// Who decides.
    pub hand: Hand,
    /// When.
    pub at: Time,
    /// Why, kept beside the entry.
    pub reason: Beside,
    /// The signature over it, where the store is signed.
    pub signed: Option<Signed>,
}

/// What was erased, and what says the same and still stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// The entry that says so.
    pub entry: EntrySeq,
    /// Memories that lost their text and are served no more.
    pub memories: Vec<MemoryId>,
    /// Other items that hold the same words or were drawn from it.
    pub alike: Vec<String>,
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Artifact(sha256) => write!(f, "artifact:{sha256}"),
            Self::Observation(id, _) => id.fmt(f),
            Self::Claim(id) => id.fmt(f),
        }
    }
}

impl Store {
    /// Erases.
    ///
    /// # Errors
    /// There is no such thing, it was erased before, or the store cannot be written.
    pub fn erase(&self, new: NewErasure) -> Result<Erasure, StoreError> {
        self.write(move |tx| {
            let item = new.subject.to_string();
            let before = tx
                .db()
                .prepare_cached("SELECT entry FROM erased WHERE item = ?1")?
                .exists([&item])?;
            if before {
                return Err(StoreError::Erased(item));
            }
            match &new.subject {
                Subject::Artifact(sha256) => erase_artifact(tx, &new, sha256),
                Subject::Observation(id, key) => erase_observation(tx, &new, *id, key),
                Subject::Claim(id) => erase_claim(tx, &new, *id),
            }
        })
    }

    /// The entry that erasing would make now.
    ///
    /// # Errors
    /// There is no such thing, or the store cannot be read.
    pub fn draft_erase(&self, new: &NewErasure) -> Result<Draft, StoreError> {
        self.read_at_once(|db| {
            let facts = match &new.subject {
                Subject::Artifact(_) => what("artifact"),
                Subject::Observation(..) => what("observation"),
                Subject::Claim(id) => claim_facts(db, *id)?.0,
            };
            Ok(draft(new, new.at, facts))
        })
    }

    /// The entry that erased an item, if one did.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn erased(&self, item: &str) -> Result<Option<EntrySeq>, StoreError> {
        self.read(|db| {
            let mut find = db.prepare_cached("SELECT entry FROM erased WHERE item = ?1")?;
            Ok(find
                .query_row([item], |row| row.get(0))
                .optional()?
                .map(EntrySeq))
        })
    }

    /// The observations that were drawn from an artifact.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn observations_of(&self, sha256: &Digest) -> Result<Vec<ObservationId>, StoreError> {
        self.read(|db| {
            let mut find = db.prepare_cached(
                "SELECT o.seq FROM observation o JOIN artifact a ON a.id = o.artifact WHERE a.sha256 = ?1 ORDER BY o.seq",
            )?;
            let list = find
                .query_map([sha256.0.as_slice()], |row| row.get(0).map(ObservationId))?
                .collect::<Result<_, _>>()?;
            Ok(list)
        })
    }
}

/// Writes the entry and the mark that the tables carry of it.
fn enter(
    tx: &Tx<'_>,
    new: &NewErasure,
    facts: Facts,
    hash: Option<Digest>,
) -> Result<EntrySeq, StoreError> {
    let item = new.subject.to_string();
    let entry = tx.append_signed(draft(new, new.at, facts), new.signed.as_ref())?;
    tx.db().execute(
        "INSERT INTO erased (item, entry, hash) VALUES (?1, ?2, ?3)",
        (item, entry.0, hash.map(|hash| hash.0.to_vec())),
    )?;
    Ok(entry)
}

fn draft(new: &NewErasure, at: Time, facts: Facts) -> Draft {
    let beside = vec![new.reason.clone()];
    let entry = EntryDraft {
        at,
        actor: new.hand.reviewer.name.to_string(),
        assurance: new.hand.assurance,
        act: Act::Erase,
        item: new.subject.to_string(),
        facts,
    };
    Draft {
        entry: committed(entry, &beside),
        beside,
    }
}

/// What erasing a claim does to it and to the memories that came of it.
fn claim_facts(db: &Connection, id: CandidateId) -> Result<(Facts, Vec<MemoryId>), StoreError> {
    let candidate = load(db, id)?;
    let mut find = db.prepare_cached("SELECT id FROM memory WHERE candidate = ?1 ORDER BY id")?;
    let memories: Vec<MemoryId> = find
        .query_map([id.0], |row| row.get(0).map(MemoryId))?
        .collect::<Result<_, _>>()?;
    let mut facts = what("claim");
    facts.insert("status".to_owned(), state_after(&candidate).to_string());
    let version = candidate.version.saturating_add(1);
    facts.insert("version".to_owned(), version.to_string());
    if !memories.is_empty() {
        let list: Vec<String> = memories.iter().map(ToString::to_string).collect();
        facts.insert("memories".to_owned(), list.join(" "));
    }
    Ok((facts, memories))
}

/// What waits for a decision is turned down with its text.
const fn state_after(candidate: &Candidate) -> CandidateState {
    match candidate.state {
        CandidateState::Pending | CandidateState::Quarantined => CandidateState::Rejected,
        decided => decided,
    }
}

fn what(kind: &str) -> Facts {
    [("erased".to_owned(), kind.to_owned())].into()
}

fn erase_artifact(tx: &Tx<'_>, new: &NewErasure, sha256: &Digest) -> Result<Erasure, StoreError> {
    let address = sha256.0.as_slice();
    let changed = tx.db().execute(
        "UPDATE artifact SET gone = 1, title = ?2, session = NULL WHERE sha256 = ?1",
        (address, ERASED_TEXT),
    )?;
    if changed == 0 {
        return Err(StoreError::NotFound(format!("artifact {sha256}")));
    }
    tx.db().execute(
        "DELETE FROM cited_span WHERE artifact = (SELECT id FROM artifact WHERE sha256 = ?1)",
        [address],
    )?;
    let entry = enter(tx, new, what("artifact"), None)?;
    let alike = named(
        tx,
        "SELECT 'O-' || o.seq FROM observation o JOIN artifact a ON a.id = o.artifact WHERE a.sha256 = ?1 ORDER BY o.seq LIMIT ?2",
        (address, NAMED),
    )?;
    Ok(Erasure {
        entry,
        memories: Vec::new(),
        alike,
    })
}

fn erase_observation(
    tx: &Tx<'_>,
    new: &NewErasure,
    id: ObservationId,
    key: &Digest,
) -> Result<Erasure, StoreError> {
    let db = tx.db();
    let mut find = db.prepare_cached(
        "SELECT o.salt, o.text, l.path, o.user, o.session, o.trust, o.origin, o.at, o.layer \
         FROM observation o JOIN layer l ON l.id = o.layer WHERE o.seq = ?1",
    )?;
    let found = find
        .query_row([id.0], |row| {
            let mut bytes = Vec::new();
            // A row that cannot be read again has no hash to keep.
            let whole = row_bytes(row, 1, &mut bytes).is_ok();
            let salt: Option<Vec<u8>> = row.get(0)?;
            let hash = salt.filter(|_| whole).map(|salt| row_hash(&salt, &bytes));
            let texts: (String, String, String) = (row.get(1)?, row.get(3)?, row.get(4)?);
            Ok((hash, texts, row.get::<_, i64>(8)?))
        })
        .optional()?;
    let (hash, (text, user, session), layer) =
        found.ok_or_else(|| StoreError::NotFound(format!("observation {id}")))?;
    let entry = enter(tx, new, what("observation"), hash)?;
    // Its key stays, so that the same line brought again does not bring the text back; it counts
    // towards nothing from now on.
    db.execute(
        "UPDATE observation SET text = ?2, user = 'erased', session = 'erased', source = NULL, salt = NULL, origin = 2, \
         artifact = NULL, span_start = NULL, span_end = NULL WHERE seq = ?1",
        (id.0, ERASED_TEXT),
    )?;
    let mut patterns =
        db.prepare_cached("SELECT pattern FROM pattern_observation WHERE seq = ?1")?;
    let patterns: Vec<i64> = patterns
        .query_map([id.0], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for pattern in &patterns {
        leave_pattern(tx, *pattern, id, (&text, &user, &session))?;
    }
    forget_links(tx, &patterns, (&text, &user, &session))?;
    db.execute(
        "DELETE FROM placed WHERE layer = ?1 AND key = ?2 AND founder <> key",
        (layer, key.0.as_slice()),
    )?;
    db.execute(
        "UPDATE placed SET compared = NULL WHERE layer = ?1 AND key = ?2",
        (layer, key.0.as_slice()),
    )?;
    let alike = named(
        tx,
        "SELECT 'C-' || id FROM candidate WHERE claim = ?1 UNION ALL \
         SELECT 'O-' || seq FROM observation WHERE text = ?1 LIMIT ?2",
        (&text, NAMED),
    )?;
    Ok(Erasure {
        entry,
        memories: Vec::new(),
        alike,
    })
}

/// Takes a claim's words out of the index and out of what was noted of its neighbours.
fn forget_near(tx: &Tx<'_>, id: CandidateId) -> Result<(), StoreError> {
    let db = tx.db();
    db.execute("DELETE FROM candidate_text WHERE rowid = ?1", [id.0])?;
    // The index forgets words only when it is written anew.
    db.execute(
        "INSERT INTO candidate_text (candidate_text) VALUES ('optimize')",
        [],
    )?;
    db.execute(
        "UPDATE known SET why = ?3 WHERE candidate = ?1 OR item = ?2 \
         OR item IN (SELECT 'M-' || id FROM memory WHERE candidate = ?1)",
        (id.0, id.to_string(), ERASED_TEXT),
    )?;
    db.execute(
        "UPDATE memory_stale SET why = ?2 WHERE memory IN (SELECT id FROM memory WHERE candidate = ?1)",
        (id.0, ERASED_TEXT),
    )?;
    Ok(())
}

/// Takes an observation's words and names out of everything that the detector noted of them.
fn forget_links(
    tx: &Tx<'_>,
    patterns: &[i64],
    (text, user, session): (&str, &str, &str),
) -> Result<(), StoreError> {
    let db = tx.db();
    let left = |column: &str, value: &str| -> Result<bool, StoreError> {
        let sql = format!("SELECT 1 FROM observation WHERE {column} = ?1 LIMIT 1");
        Ok(db.prepare_cached(&sql)?.exists([value])?)
    };
    if !left("text", text)? {
        db.execute(
            "DELETE FROM pattern_link WHERE text = ?1 OR with_text = ?1",
            [text],
        )?;
        for pattern in patterns {
            db.execute(
                "UPDATE memory_stale SET why = ?2 WHERE pattern = ?1",
                (pattern, ERASED_TEXT),
            )?;
            db.execute(
                "UPDATE known SET why = ?2 WHERE item = ?3 \
                 OR candidate IN (SELECT id FROM candidate WHERE pattern = ?1)",
                (pattern, ERASED_TEXT, format!("P-{pattern}")),
            )?;
        }
    }
    for (what, column, value) in [(0, "user", user), (1, "session", session)] {
        if !left(column, value)? {
            db.execute(
                "DELETE FROM first_seen WHERE what = ?1 AND name = ?2",
                (what, value),
            )?;
        }
    }
    Ok(())
}

/// Takes an observation's words and names out of its pattern, where no other one brought them too.
/// The counts stay: they are numbers, and people decided on them.
fn leave_pattern(
    tx: &Tx<'_>,
    pattern: i64,
    id: ObservationId,
    (text, user, session): (&str, &str, &str),
) -> Result<(), StoreError> {
    let db = tx.db();
    let other = |column: &str, value: &str| -> Result<bool, StoreError> {
        let sql = format!(
            "SELECT 1 FROM pattern_observation po JOIN observation o ON o.seq = po.seq WHERE po.pattern = ?1 AND o.{column} = ?2 LIMIT 1"
        );
        Ok(db.prepare_cached(&sql)?.exists((pattern, value))?)
    };
    let hash = Digest::of(text.as_bytes());
    if other("text", text)? {
        db.execute(
            "UPDATE pattern_wording SET count = max(count - 1, 1) WHERE pattern = ?1 AND sha256 = ?2",
            (pattern, hash.0.as_slice()),
        )?;
    } else {
        db.execute(
            "DELETE FROM pattern_wording WHERE pattern = ?1 AND sha256 = ?2",
            (pattern, hash.0.as_slice()),
        )?;
    }
    let instead = format!("erased {id}");
    if !other("user", user)? {
        db.execute(
            "UPDATE pattern_user SET user = ?3 WHERE pattern = ?1 AND user = ?2",
            (pattern, user, &instead),
        )?;
    }
    if !other("session", session)? {
        db.execute(
            "UPDATE pattern_session SET session = ?3 WHERE pattern = ?1 AND session = ?2",
            (pattern, session, &instead),
        )?;
    }
    Ok(())
}

/// What a candidate was split into, joined with or came out of: each holds words of it.
fn reshaped_with(db: &Connection, id: CandidateId) -> Result<Vec<String>, StoreError> {
    let sql = format!(
        "SELECT bytes FROM entry WHERE act IN ({}, {}) ORDER BY seq",
        Act::Split.code(),
        Act::Merge.code()
    );
    let mut find = db.prepare_cached(&sql)?;
    let mut found = find.query([])?;
    let (own, mut with) = (id.to_string(), Vec::new());
    while let Some(row) = found.next()? {
        let Ok(entry) = decode(&row.get::<_, String>(0)?) else {
            continue;
        };
        let facts = &entry.draft.facts;
        let lists = [facts.get("closes"), facts.get("opens")];
        let ids: Vec<&str> = lists
            .into_iter()
            .flatten()
            .flat_map(|list| list.split(' '))
            .collect();
        if ids.contains(&own.as_str()) {
            with.extend(ids.into_iter().filter(|one| *one != own).map(str::to_owned));
        }
    }
    with.sort();
    with.dedup();
    Ok(with)
}

fn erase_claim(tx: &Tx<'_>, new: &NewErasure, id: CandidateId) -> Result<Erasure, StoreError> {
    let db = tx.db();
    let candidate = load(db, id)?;
    let (facts, memories) = claim_facts(db, id)?;
    let next = state_after(&candidate);
    let waits = next != candidate.state;
    let version = candidate.version.saturating_add(1);
    let alike = named(
        tx,
        "SELECT 'C-' || o.id FROM candidate o JOIN candidate c ON c.claim_key = o.claim_key AND o.id <> c.id WHERE c.id = ?1 \
         UNION ALL SELECT 'P-' || pattern FROM candidate WHERE id = ?1 AND pattern IS NOT NULL LIMIT ?2",
        (id.0, NAMED),
    )?;
    let alike = [alike, reshaped_with(db, id)?].concat();
    let entry = enter(tx, new, facts, None)?;
    forget_beside(tx, &id.to_string(), entry)?;
    forget_near(tx, id)?;
    for memory in &memories {
        erase_memory(tx, new, *memory)?;
        forget_beside(tx, &memory.to_string(), entry)?;
    }
    db.execute(
        "UPDATE candidate SET claim = ?2, salt = zeroblob(32), claim_key = randomblob(32), findings = '[]', version = ?3, \
         state = ?4, held = 0, snoozed_until = 0, decided_why = NULL WHERE id = ?1",
        (id.0, ERASED_TEXT, version, next.code()),
    )?;
    if waits {
        db.execute(
            "UPDATE candidate SET decided_by = ?2, decided_at = ?3, decided_act = ?4 WHERE id = ?1",
            (
                id.0,
                new.hand.reviewer.name.as_str(),
                new.at.millis(),
                Act::Erase.code(),
            ),
        )?;
    }
    count_move(tx, &candidate, next, false)?;
    // Merging every segment drops the words of what was deleted from the index.
    db.execute(
        "INSERT INTO memory_text (memory_text) VALUES ('optimize')",
        [],
    )?;
    Ok(Erasure {
        entry,
        memories,
        alike,
    })
}

/// The texts that earlier entries about an item kept beside the ledger.
fn forget_beside(tx: &Tx<'_>, item: &str, entry: EntrySeq) -> Result<(), StoreError> {
    tx.db().execute(
        "DELETE FROM beside WHERE seq IN (SELECT seq FROM entry WHERE item = ?1 AND act <> 21) AND seq <> ?2",
        (item, entry.0),
    )?;
    Ok(())
}

fn erase_memory(tx: &Tx<'_>, new: &NewErasure, id: MemoryId) -> Result<(), StoreError> {
    let memory = load_memory(tx.db(), id)?;
    if memory.written_state == MemoryState::Active {
        let change = (&new.hand, new.at, Act::Erase, None);
        set_memory(tx, &memory, MemoryState::Demoted, Some(change))?;
    }
    tx.db().execute(
        "UPDATE memory SET text = ?2, salt = zeroblob(32), fingerprint = randomblob(32), changed_why = NULL WHERE id = ?1",
        (id.0, ERASED_TEXT),
    )?;
    // What was handed over was this text: its hash, and that of the block around it, would let it
    // be guessed.
    tx.db().execute(
        "UPDATE serving SET salt = NULL, block = zeroblob(32) WHERE id IN (SELECT serving FROM serving_memory WHERE memory = ?1)",
        [id.0],
    )?;
    tx.db().execute(
        "UPDATE serving_memory SET sha256 = zeroblob(32) WHERE memory = ?1",
        [id.0],
    )?;
    Ok(())
}

fn named(tx: &Tx<'_>, sql: &str, values: impl rusqlite::Params) -> Result<Vec<String>, StoreError> {
    let mut find = tx.db().prepare_cached(sql)?;
    let list = find
        .query_map(values, |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    Ok(list)
}
