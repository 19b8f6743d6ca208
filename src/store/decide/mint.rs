//! What an approval mints: a memory of its own, with the bytes that were approved.

use crate::domain::candidate::Candidate;
use crate::domain::entry::Facts;
use crate::domain::memory::{MemoryState, Mode};
use crate::domain::{
    Digest, EntrySeq, Influence, LineageId, MemoryId, Salt, SessionId, SourceRef, Time,
};
use crate::store::candidate::scope_facts;
use crate::store::decide::ruling::NewRuling;
use crate::store::error::StoreError;
use crate::store::write::Tx;
use crate::store::{rows, search};
use rusqlite::ToSql;

/// What an approval mints.
#[derive(Debug, Clone)]
pub struct Mint {
    /// The approved bytes.
    pub text: String,
    /// The salt of the commitment to them.
    pub salt: Salt,
    /// What it could cause.
    pub influence: Influence,
    /// How far it may be relied on.
    pub mode: Mode,
    /// When it ends.
    pub expires_at: Time,
    /// The key under which equal texts meet, so that an echo of it is known.
    pub fingerprint: Digest,
}
pub(in crate::store::decide) fn mint_facts(
    candidate: &Candidate,
    mint: &Mint,
    id: Option<MemoryId>,
    facts: &mut Facts,
) {
    if let Some(id) = id {
        facts.insert("memory".to_owned(), id.to_string());
    }
    let more = [
        ("evidence", sources_digest(&candidate.sources).to_string()),
        ("expires_at", mint.expires_at.millis().to_string()),
        ("influence", mint.influence.to_string()),
        ("kind", candidate.kind.to_string()),
        ("mode", mint.mode.to_string()),
        ("trust", candidate.trust.to_string()),
    ];
    facts.extend(more.map(|(key, value)| (key.to_owned(), value)));
    scope_facts(&candidate.scope, facts);
}

/// What a claim rests on, as a digest: the references themselves stand in the rows.
#[must_use]
pub fn sources_digest(sources: &[SourceRef]) -> Digest {
    Digest::of(rows::sources_text(sources).as_bytes())
}

pub(in crate::store::decide) fn insert_memory(
    tx: &Tx<'_>,
    candidate: &Candidate,
    new: &NewRuling,
    mint: &Mint,
    (id, lineage): (MemoryId, LineageId),
    entry: EntrySeq,
) -> Result<(), StoreError> {
    let layer = tx.layer(&candidate.scope.layer)?;
    let values: [&dyn ToSql; 19] = [
        &id.0,
        &lineage.0,
        &candidate.id.0,
        &entry.0,
        &mint.text,
        &mint.salt.0.as_slice(),
        &candidate.kind.code(),
        &mint.influence.code(),
        &mint.mode.code(),
        &MemoryState::Active.code(),
        &candidate.trust.code(),
        &layer,
        &candidate
            .scope
            .project
            .as_ref()
            .map(crate::domain::Project::as_str),
        &candidate.scope.session.as_ref().map(SessionId::as_str),
        &rows::sources_text(&candidate.sources),
        &new.at.millis(),
        &new.hand.reviewer.name.as_str(),
        &mint.expires_at.millis(),
        &mint.fingerprint.0.as_slice(),
    ];
    tx.db()
        .prepare_cached(
            "INSERT INTO memory (id, lineage, candidate, entry, text, salt, kind, influence, mode, state, trust, layer, project, \
             session, sources, approved_at, approved_by, expires_at, fingerprint) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)",
        )?
        .execute(values)?;
    tx.tally("memories", 1)?;
    index_memory(tx, id, layer, &mint.text)
}

pub(in crate::store::decide) fn index_memory(
    tx: &Tx<'_>,
    id: MemoryId,
    layer: i64,
    text: &str,
) -> Result<(), StoreError> {
    tx.db()
        .prepare_cached("INSERT INTO memory_text (rowid, ltok, body) VALUES (?1, ?2, ?3)")?
        .execute((id.0, search::layer_token(layer), text))?;
    Ok(())
}

pub(in crate::store::decide) fn unindex_memory(
    tx: &Tx<'_>,
    id: MemoryId,
) -> Result<(), StoreError> {
    tx.db()
        .prepare_cached("DELETE FROM memory_text WHERE rowid = ?1")?
        .execute([id.0])?;
    Ok(())
}
