//! Evidence bytes: files beside the database, named by their hash, written once.
//!
//! The file is complete and durable before its row is; a row without its file means that the
//! bytes have gone, and says so. Bytes are never reachable from recall or search.

use crate::domain::artifact::{ArtifactHead, ArtifactKind};
use crate::domain::digest::Hasher;
use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::{Act, Assurance, Digest, Layer, SessionId, Span, Time, Trust};
use crate::store::error::StoreError;
use crate::store::write::Tx;
use crate::store::{Store, rows};
use rusqlite::{OptionalExtension as _, Row};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

/// Bytes on their way in; they become an artifact when they are kept.
#[derive(Debug)]
pub struct Incoming {
    file: tempfile::NamedTempFile,
    hasher: Hasher,
    length: u64,
}

/// What is said of an artifact when it is kept.
#[derive(Debug, Clone)]
pub struct NewArtifact {
    /// What sort of evidence it is.
    pub kind: ArtifactKind,
    /// Where it came from.
    pub trust: Trust,
    /// The layer it is brought into.
    pub layer: Layer,
    /// The session it belongs to, where known.
    pub session: Option<SessionId>,
    /// A title for people.
    pub title: String,
    /// When.
    pub at: Time,
    /// When its bytes go.
    pub expires_at: Time,
    /// Who brings it.
    pub actor: String,
}

impl Incoming {
    /// Adds bytes.
    ///
    /// # Errors
    /// The disk does not take them.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.hasher.bytes(bytes);
        self.length = self.length.saturating_add(bytes.len() as u64);
        self.file.write_all(bytes).map_err(|error| io(&error))
    }
}

impl Store {
    /// Begins to take bytes in.
    ///
    /// # Errors
    /// The folder beside the store cannot be written.
    pub fn incoming(&self) -> Result<Incoming, StoreError> {
        let folder = self.artifact_folder();
        std::fs::create_dir_all(&folder).map_err(|_| StoreError::ReadOnly(folder.clone()))?;
        let file = tempfile::Builder::new()
            .prefix(".incoming-")
            .tempfile_in(&folder)
            .map_err(|error| io(&error))?;
        Ok(Incoming {
            file,
            hasher: Hasher::default(),
            length: 0,
        })
    }

    /// Keeps the bytes as an artifact; the same bytes twice are one. Returns whether they are new.
    ///
    /// # Errors
    /// The bytes or their row cannot be written; then nothing was kept.
    pub fn keep(&self, incoming: Incoming, new: NewArtifact) -> Result<(Digest, bool), StoreError> {
        let sha256 = incoming.hasher.finish();
        let target = self.artifact_file(&sha256);
        if let Some(folder) = target.parent() {
            std::fs::create_dir_all(folder).map_err(|error| io(&error))?;
        }
        if std::fs::metadata(&target).is_err() {
            incoming
                .file
                .as_file()
                .sync_all()
                .map_err(|error| io(&error))?;
            incoming
                .file
                .persist(&target)
                .map_err(|error| io(&error.error))?;
            sync_folder(&target);
        }
        let length = incoming.length;
        let kept = self.write(move |tx| keep(tx, sha256, length, &new));
        if matches!(kept, Err(StoreError::Erased(_))) {
            self.remove_bytes(&sha256)?;
        }
        Ok((sha256, kept?))
    }

    /// What is known of an artifact.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn artifact(&self, sha256: &Digest) -> Result<Option<ArtifactHead>, StoreError> {
        let found = self.read(|db| {
            let sql = format!("{ARTIFACT} WHERE a.sha256 = ?1");
            db.prepare_cached(&sql)?
                .query_row([sha256.0.as_slice()], |row| Ok(head(row)))
                .optional()?
                .transpose()
        })?;
        Ok(found.map(|head| self.with_presence(head)))
    }

    /// Every artifact, in the order they came.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn artifacts(&self) -> Result<Vec<ArtifactHead>, StoreError> {
        let heads = self.read(|db| {
            let sql = format!("{ARTIFACT} ORDER BY a.id");
            let mut find = db.prepare_cached(&sql)?;
            let mut found = find.query([])?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(head(row)?);
            }
            Ok(list)
        })?;
        Ok(heads
            .into_iter()
            .map(|head| self.with_presence(head))
            .collect())
    }

    fn with_presence(&self, mut head: ArtifactHead) -> ArtifactHead {
        head.present = head.present && std::fs::metadata(self.artifact_file(&head.sha256)).is_ok();
        head
    }

    /// Bytes of an artifact: the span asked for, at most `limit` of them. None where they have gone.
    ///
    /// # Errors
    /// The disk does not give them.
    pub fn artifact_bytes(
        &self,
        sha256: &Digest,
        span: Span,
        limit: usize,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let Ok(mut file) = File::open(self.artifact_file(sha256)) else {
            return Ok(None);
        };
        let wanted = span.end.saturating_sub(span.start).min(limit);
        file.seek(SeekFrom::Start(span.start as u64))
            .map_err(|error| io(&error))?;
        let mut bytes = Vec::new();
        file.take(wanted as u64)
            .read_to_end(&mut bytes)
            .map_err(|error| io(&error))?;
        Ok(Some(bytes))
    }

    /// The bytes of an artifact as a stream.
    ///
    /// # Errors
    /// They have gone, or the disk does not give them.
    pub fn artifact_reader(&self, sha256: &Digest) -> Result<File, StoreError> {
        File::open(self.artifact_file(sha256)).map_err(|error| io(&error))
    }

    /// Whether the bytes of an artifact still have its hash.
    ///
    /// # Errors
    /// The disk does not give them.
    pub fn artifact_is_whole(&self, sha256: &Digest) -> Result<bool, StoreError> {
        let Ok(mut file) = File::open(self.artifact_file(sha256)) else {
            return Ok(false);
        };
        let mut hasher = Hasher::default();
        let mut buffer = vec![0_u8; 64 * 1024];
        loop {
            let n = file.read(&mut buffer).map_err(|error| io(&error))?;
            let Some(bytes) = buffer.get(..n).filter(|bytes| !bytes.is_empty()) else {
                return Ok(hasher.finish() == *sha256);
            };
            hasher.bytes(bytes);
        }
    }

    pub(in crate::store) fn artifact_file(&self, sha256: &Digest) -> PathBuf {
        let name = sha256.to_string();
        let folder: String = name.chars().take(2).collect();
        self.artifact_folder().join(folder).join(name)
    }
}

const ARTIFACT: &str = "SELECT a.sha256, a.kind, a.trust, l.path, a.session, a.title, a.length, a.at, a.expires_at, \
     a.gone FROM artifact a JOIN layer l ON l.id = a.layer";

fn keep(tx: &Tx<'_>, sha256: Digest, length: u64, new: &NewArtifact) -> Result<bool, StoreError> {
    let layer = tx.layer(&new.layer)?;
    make_room(tx, &sha256)?;
    let fresh = tx
        .db()
        .prepare_cached(
            "INSERT INTO artifact (sha256, kind, trust, layer, session, title, length, at, expires_at) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (sha256) DO NOTHING",
        )?
        .execute((
            sha256.0.as_slice(),
            new.kind.code(),
            new.trust.code(),
            layer,
            new.session.as_ref().map(SessionId::as_str),
            &new.title,
            i64::try_from(length).unwrap_or(i64::MAX),
            new.at.millis(),
            new.expires_at.millis(),
        ))?;
    if fresh == 0 {
        return Ok(false);
    }
    let facts: Facts = [
        ("kind", new.kind.as_str().to_owned()),
        ("layer", new.layer.to_string()),
        ("length", length.to_string()),
        ("trust", new.trust.as_str().to_owned()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    let draft = EntryDraft {
        at: new.at,
        actor: new.actor.clone(),
        assurance: Assurance::Asserted,
        act: Act::Artifact,
        item: format!("artifact:{sha256}"),
        facts,
    };
    tx.append(draft, &[])?;
    Ok(true)
}

/// Bytes that went when their time had passed may come again and begin anew; erased ones may not.
fn make_room(tx: &Tx<'_>, sha256: &Digest) -> Result<(), StoreError> {
    let item = format!("artifact:{sha256}");
    let mut erased = tx
        .db()
        .prepare_cached("SELECT 1 FROM erased WHERE item = ?1")?;
    if erased.exists([&item])? {
        return Err(StoreError::Erased(item));
    }
    tx.db()
        .prepare_cached("DELETE FROM artifact WHERE sha256 = ?1 AND gone = 1")?
        .execute([sha256.0.as_slice()])?;
    Ok(())
}

fn head(row: &Row<'_>) -> Result<ArtifactHead, StoreError> {
    let session: Option<String> = row.get(4)?;
    let session = session
        .map(|text| SessionId::parse(&text))
        .transpose()
        .map_err(|error| StoreError::Broken(error.to_string()))?;
    Ok(ArtifactHead {
        sha256: rows::digest(&row.get::<_, Vec<u8>>(0)?)?,
        kind: rows::word(ArtifactKind::from_code(row.get(1)?), "artifact kind")?,
        trust: rows::word(Trust::from_code(row.get(2)?), "trust")?,
        layer: rows::layer(&row.get::<_, String>(3)?)?,
        session,
        title: row.get(5)?,
        length: row.get::<_, i64>(6)?.unsigned_abs(),
        at: Time::from_millis(row.get(7)?),
        expires_at: Time::from_millis(row.get(8)?),
        present: !row.get::<_, bool>(9)?,
    })
}

/// The new name is durable only once its folder is.
pub(in crate::store) fn sync_folder(file: &std::path::Path) {
    if let Some(folder) = file.parent().and_then(|folder| File::open(folder).ok()) {
        // Some file systems cannot sync a folder; the bytes themselves are synced already.
        let _ = folder.sync_all();
    }
}

pub(in crate::store) fn io(error: &std::io::Error) -> StoreError {
    match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
            StoreError::Full(PathBuf::new())
        }
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
            StoreError::ReadOnly(PathBuf::new())
        }
        _ => StoreError::Broken(error.to_string()),
    }
}
