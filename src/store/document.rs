//! Documents in, indexed at once; chunks that the gate keeps back are kept and never found.

use crate::domain::decision::{Hand, Signed};
use crate::domain::digest::Hasher;
use crate::domain::document::{Chunk, Document};
use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::{Act, Digest, DocumentId, Layer, Time, Verdict};
use crate::store::decide::Draft;
use crate::store::error::StoreError;
use crate::store::write::Tx;
use crate::store::{Store, policy, rows, search};
use rusqlite::Connection;

/// A document before it has an id.
#[derive(Debug, Clone)]
pub struct NewDocument {
    /// Its title.
    pub title: String,
    /// The layer it is for.
    pub layer: Layer,
    /// The hash of its bytes.
    pub sha256: Digest,
    /// Its pieces, each judged.
    pub chunks: Vec<Chunk>,
    /// The hash of the text of the policy that judged them.
    pub policy_text: Digest,
    /// Who uploads it.
    pub hand: Hand,
    /// When.
    pub at: Time,
    /// The signature over it, where the store is signed.
    pub signed: Option<Signed>,
}

impl Store {
    /// Adds a document. The same bytes in the same layer are one document.
    ///
    /// # Errors
    /// It is there already, or the store cannot be written.
    pub fn add_document(&self, new: NewDocument) -> Result<DocumentId, StoreError> {
        self.write(move |tx| add(tx, &new))
    }

    /// Puts a document in the place of another: one is taken away and one added, or neither.
    ///
    /// # Errors
    /// The old one is gone already, the new text is here already, or the store cannot be written.
    pub fn replace_document(
        &self,
        old: DocumentId,
        removal: Option<Signed>,
        new: NewDocument,
    ) -> Result<DocumentId, StoreError> {
        self.write(move |tx| {
            remove(tx, old, &new.hand, new.at, removal.as_ref())?;
            add(tx, &new)
        })
    }

    /// Takes a document away; its text is no longer found.
    ///
    /// # Errors
    /// There is none, or it is gone already.
    pub fn remove_document(
        &self,
        id: DocumentId,
        hand: Hand,
        at: Time,
        signed: Option<Signed>,
    ) -> Result<(), StoreError> {
        self.write(move |tx| remove(tx, id, &hand, at, signed.as_ref()))
    }

    /// The entry that adding a document would make now, for whoever has to sign it.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn draft_document(&self, new: &NewDocument) -> Result<Draft, StoreError> {
        self.read(|db| Ok(added(new, next_id(db)?)))
    }

    /// The entry that taking a document away would make now.
    #[must_use]
    pub fn draft_removal(&self, id: DocumentId, hand: &Hand, at: Time) -> Draft {
        draft(hand, at, Act::DocumentRemove, id, Facts::new())
    }

    /// Documents that are here, newest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn documents(&self) -> Result<Vec<Document>, StoreError> {
        self.read(|db| {
            let mut find = db.prepare_cached(
                "SELECT d.id, d.title, l.path, d.sha256, d.chunks, d.withheld, d.at, d.by FROM document d \
                 JOIN layer l ON l.id = d.layer WHERE d.removed = 0 ORDER BY d.id DESC",
            )?;
            let mut found = find.query([])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(Document {
                    id: DocumentId(row.get(0)?),
                    title: row.get(1)?,
                    layer: rows::layer(&row.get::<_, String>(2)?)?,
                    sha256: rows::digest(&row.get::<_, Vec<u8>>(3)?)?,
                    chunks: row.get(4)?,
                    withheld: row.get(5)?,
                    at: Time::from_millis(row.get(6)?),
                    by: row.get(7)?,
                });
            }
            Ok(list)
        })
    }
}

fn next_id(db: &Connection) -> Result<DocumentId, StoreError> {
    let mut find = db.prepare_cached("SELECT COALESCE(max(id), 0) + 1 FROM document")?;
    Ok(DocumentId(find.query_row([], |row| row.get(0))?))
}

fn withheld(new: &NewDocument) -> usize {
    let kept_back = |chunk: &&Chunk| chunk.verdict == Verdict::Quarantine;
    new.chunks.iter().filter(kept_back).count()
}

fn added(new: &NewDocument, id: DocumentId) -> Draft {
    let hashes = new
        .chunks
        .iter()
        .map(|chunk| Digest::of(chunk.text.as_bytes()));
    let facts: Facts = [
        ("chunk_list", chunk_list(hashes).to_string()),
        ("chunks", new.chunks.len().to_string()),
        ("layer", new.layer.to_string()),
        ("sha256", new.sha256.to_string()),
        ("withheld", withheld(new).to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    draft(&new.hand, new.at, Act::DocumentAdd, id, facts)
}

fn add(tx: &Tx<'_>, new: &NewDocument) -> Result<DocumentId, StoreError> {
    if !policy::is_in_force(tx, &new.policy_text)? {
        return Err(StoreError::PolicyChanged);
    }
    let new = &NewDocument {
        at: tx.moment(new.at)?,
        ..new.clone()
    };
    let layer = tx.layer(&new.layer)?;
    let id = next_id(tx.db())?;
    let entry = tx.append_signed(added(new, id), new.signed.as_ref())?;
    let inserted = tx
        .db()
        .prepare_cached(
            "INSERT INTO document (id, title, layer, sha256, chunks, withheld, at, by, entry) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING",
        )?
        .execute((
            id.0,
            &new.title,
            layer,
            new.sha256.0.as_slice(),
            new.chunks.len() as i64,
            withheld(new) as i64,
            new.at.millis(),
            new.hand.reviewer.name.as_str(),
            entry.0,
        ))?;
    if inserted == 0 {
        return Err(StoreError::Conflict {
            item: format!("this document in {}", new.layer),
            seen: 0,
            now: 0,
            outcome: None,
        });
    }
    for chunk in &new.chunks {
        add_chunk(tx, id, layer, chunk)?;
    }
    Ok(id)
}

/// What a document's entry commits to: the hashes of its chunks, in order.
pub(in crate::store) fn chunk_list(hashes: impl Iterator<Item = Digest>) -> Digest {
    let mut hasher = Hasher::default();
    hashes.for_each(|hash| hasher.bytes(&hash.0));
    hasher.finish()
}

fn add_chunk(tx: &Tx<'_>, id: DocumentId, layer: i64, chunk: &Chunk) -> Result<(), StoreError> {
    tx.db()
        .prepare_cached(
            "INSERT INTO chunk (document, place, layer, text, sha256, verdict, findings) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute((
            id.0,
            chunk.place,
            layer,
            &chunk.text,
            Digest::of(chunk.text.as_bytes()).0.as_slice(),
            chunk.verdict.code(),
            rows::findings_text(&chunk.findings)?,
        ))?;
    if chunk.verdict == Verdict::Quarantine {
        return Ok(());
    }
    tx.db()
        .prepare_cached("INSERT INTO chunk_text (rowid, ltok, body) VALUES (?1, ?2, ?3)")?
        .execute((
            tx.db().last_insert_rowid(),
            search::layer_token(layer),
            &chunk.text,
        ))?;
    Ok(())
}

fn remove(
    tx: &Tx<'_>,
    id: DocumentId,
    hand: &Hand,
    at: Time,
    signed: Option<&Signed>,
) -> Result<(), StoreError> {
    let at = tx.moment(at)?;
    let changed = tx.db().execute(
        "UPDATE document SET removed = 1 WHERE id = ?1 AND removed = 0",
        [id.0],
    )?;
    if changed == 0 {
        return Err(StoreError::NotFound(format!("document {id}")));
    }
    tx.db().execute(
        "DELETE FROM chunk_text WHERE rowid IN (SELECT id FROM chunk WHERE document = ?1)",
        [id.0],
    )?;
    tx.append_signed(
        draft(hand, at, Act::DocumentRemove, id, Facts::new()),
        signed,
    )
    .map(|_| ())
}

fn draft(hand: &Hand, at: Time, act: Act, id: DocumentId, facts: Facts) -> Draft {
    Draft {
        entry: EntryDraft {
            at,
            actor: hand.reviewer.name.to_string(),
            assurance: hand.assurance,
            act,
            item: id.to_string(),
            facts,
        },
        beside: Vec::new(),
    }
}
