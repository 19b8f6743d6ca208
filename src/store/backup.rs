//! Backup, check and restore. A backup is one snapshot, made while others write: the database file
//! alone, copied, is none. Its evidence bytes stand in a folder beside it, as the store's do.

use crate::domain::Digest;
use crate::domain::entry::EntryDraft;
use crate::store::error::StoreError;
use crate::store::write::{Gate, Tx};
use crate::store::{Store, open};
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Counts that screens show without counting, each with the set it counts.
const TALLIES: &[(&str, &str)] = &[
    ("pending", "SELECT count(*) FROM candidate WHERE state = 0"),
    (
        "quarantined",
        "SELECT count(*) FROM candidate WHERE state = 1",
    ),
    ("held", "SELECT count(*) FROM candidate WHERE held <> 0"),
    ("memories", "SELECT count(*) FROM memory WHERE state = 0"),
    ("observations", "SELECT count(*) FROM observation"),
];

/// Sets that must be the same, each pair with what is wrong where they are not.
const SAME: &[(&str, &str)] = &[
    (
        "SELECT count(*) FROM (SELECT id FROM memory_text_docsize EXCEPT SELECT id FROM memory WHERE state = 0)",
        "memories stand in the search index that are not active",
    ),
    (
        "SELECT count(*) FROM (SELECT id FROM memory WHERE state = 0 EXCEPT SELECT id FROM memory_text_docsize)",
        "active memories are missing from the search index",
    ),
    (
        "SELECT count(*) FROM (SELECT id FROM chunk_text_docsize EXCEPT \
         SELECT c.id FROM chunk c JOIN document d ON d.id = c.document WHERE d.removed = 0 AND c.verdict < 2)",
        "chunks stand in the search index that may not be found",
    ),
    (
        "SELECT count(*) FROM (SELECT c.id FROM chunk c JOIN document d ON d.id = c.document WHERE d.removed = 0 AND c.verdict < 2 \
         EXCEPT SELECT id FROM chunk_text_docsize)",
        "chunks of documents are missing from the search index",
    ),
    (
        "SELECT count(*) FROM (SELECT memory, count(*) n FROM serving_memory GROUP BY memory) s \
         LEFT JOIN memory_served c ON c.memory = s.memory WHERE c.count IS NOT s.n",
        "memories say that they were served more or less often than they were",
    ),
];

impl Store {
    /// Writes one snapshot of everything to `path`, with its evidence beside it.
    ///
    /// # Errors
    /// Something stands there, or it cannot be written; then nothing is left there.
    pub fn backup(&self, path: &Path) -> Result<(), StoreError> {
        if std::fs::symlink_metadata(path).is_ok() {
            return Err(StoreError::Exists(path.to_owned()));
        }
        let unwritable = |_| StoreError::ReadOnly(path.to_owned());
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or_else(|| Path::new("."));
        std::fs::create_dir_all(folder).map_err(unwritable)?;
        let fresh = tempfile::tempdir_in(folder).map_err(unwritable)?;
        let part = fresh.path().join("store.db");
        open::snapshot_source(&self.path)?.execute("VACUUM INTO ?1", [text_of(&part)?])?;
        open::restrict(&part);
        std::fs::File::open(&part)
            .and_then(|file| file.sync_all())
            .map_err(unwritable)?;
        copy_artifacts(&self.artifact_folder(), &open::beside(path, "artifacts"))?;
        std::fs::rename(&part, path).map_err(unwritable)?;
        crate::store::artifact::sync_folder(path);
        Ok(())
    }

    /// What the engine and the tables say of themselves: everything that is wrong, named.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn check(&self) -> Result<Vec<String>, StoreError> {
        let mut found = self.read_at_once(|db| {
            let mut found = engine_says(db)?;
            for (name, count) in TALLIES {
                let kept: i64 = db.query_row(
                    "SELECT COALESCE((SELECT n FROM tally WHERE name = ?1), 0)",
                    [name],
                    |row| row.get(0),
                )?;
                let counted: i64 = db.query_row(count, [], |row| row.get(0))?;
                if kept != counted {
                    found.push(format!(
                        "the count of {name} is {kept}, there are {counted}"
                    ));
                }
            }
            for (sql, wrong) in SAME {
                let n: i64 = db.query_row(sql, [], |row| row.get(0))?;
                if n > 0 {
                    found.push(format!("{n} {wrong}"));
                }
            }
            Ok(found)
        })?;
        for index in ["memory_text", "chunk_text", "candidate_text"] {
            // The index checks itself in a write; what it finds comes back as an error.
            let sql = format!("INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)");
            let checked = self.write(move |tx| Ok(tx.db().execute(&sql, [])?));
            if let Err(error) = checked {
                found.push(format!("the search index {index} is broken: {error}"));
            }
        }
        Ok(found)
    }

    /// Puts a backup in the place of the store at `target` and writes `draft` as its next entry.
    /// Other processes that have the store open see the change; what stood there is kept beside it.
    /// Returns where, if anything stood there.
    ///
    /// # Errors
    /// The target cannot be written, or others keep it locked; then it stands as it was.
    pub fn restore_over(
        target: &Path,
        backup: &Path,
        draft: EntryDraft,
    ) -> Result<Option<PathBuf>, StoreError> {
        let gate = Gate::open(target)?;
        if !gate.hold() {
            return Err(StoreError::Busy(target.to_owned()));
        }
        let source = open::snapshot_source(backup)?;
        let kept = unused(target, draft.at.millis());
        let kept = match open::writable(target) {
            Ok(mut db) => {
                db.execute("VACUUM INTO ?1", [text_of(&kept)?])?;
                open::restrict(&kept);
                pour(&source, &mut db).map_err(|error| error.at(target))?;
                Some(kept)
            }
            Err(_) => put_file(&source, target, &kept)?,
        };
        copy_artifacts(
            &open::beside(backup, "artifacts"),
            &open::beside(target, "artifacts"),
        )?;
        // An older backup is brought up to the layout that this program writes.
        open::bring_up_to_date(target)?;
        let db = open::writable(target)?;
        db.execute_batch("BEGIN IMMEDIATE")?;
        Tx::on(&db).append(draft, &[])?;
        db.execute_batch("COMMIT")?;
        Ok(kept)
    }
}

/// A place beside the store where nothing stands yet.
fn unused(target: &Path, at: i64) -> PathBuf {
    let named = |n: u32| open::beside(target, &format!("before-restore-{at}-{n}"));
    let free = (1..u32::MAX)
        .map(named)
        .find(|path| std::fs::symlink_metadata(path).is_err());
    free.unwrap_or_else(|| named(0))
}

fn engine_says(db: &Connection) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    let mut check = db.prepare("PRAGMA integrity_check(20)")?;
    let mut lines = check.query([])?;
    while let Some(row) = lines.next()? {
        let line: String = row.get(0)?;
        if line != "ok" {
            found.push(format!("the database file is damaged: {line}"));
        }
    }
    Ok(found)
}

/// Page by page into a store that others may have open: to them it is one large change.
fn pour(source: &Connection, target: &mut Connection) -> Result<(), StoreError> {
    let backup = Backup::new(source, target)?;
    for _ in 0..600 {
        match backup.step(-1)? {
            StepResult::Done => return Ok(()),
            _ => std::thread::sleep(Duration::from_millis(25)),
        }
    }
    Err(StoreError::Busy(PathBuf::new()))
}

/// Where nothing that can be opened stands: the file itself, whole, in one step. What stood there
/// is moved aside with its log, so that nothing of it is replayed into the new one.
fn put_file(
    source: &Connection,
    target: &Path,
    kept: &Path,
) -> Result<Option<PathBuf>, StoreError> {
    let unwritable = |_| StoreError::ReadOnly(target.to_owned());
    let folder = target
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    let fresh = tempfile::tempdir_in(folder).map_err(unwritable)?;
    let part = fresh.path().join("store.db");
    source.execute("VACUUM INTO ?1", [text_of(&part)?])?;
    open::restrict(&part);
    std::fs::File::open(&part)
        .and_then(|file| file.sync_all())
        .map_err(unwritable)?;
    let stood = std::fs::symlink_metadata(target).is_ok();
    for ending in ["", "-wal", "-shm"] {
        let with = |path: &Path| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        if std::fs::symlink_metadata(with(target)).is_ok() {
            std::fs::rename(with(target), with(kept)).map_err(unwritable)?;
        }
    }
    std::fs::rename(&part, target).map_err(unwritable)?;
    crate::store::artifact::sync_folder(target);
    Ok(stood.then(|| kept.to_owned()))
}

/// Copies evidence that is not there yet. A file is named by its hash: one that is there is right,
/// or verifying says that it is not.
fn copy_artifacts(from: &Path, to: &Path) -> Result<(), StoreError> {
    let failed = |error: std::io::Error| crate::store::artifact::io(&error);
    for folder in std::fs::read_dir(from).into_iter().flatten().flatten() {
        let target = to.join(folder.file_name());
        for file in std::fs::read_dir(folder.path())
            .into_iter()
            .flatten()
            .flatten()
        {
            let place = target.join(file.file_name());
            let named = file
                .file_name()
                .to_str()
                .is_some_and(|name| Digest::parse(name).is_ok());
            if !named || std::fs::metadata(&place).is_ok() {
                continue;
            }
            std::fs::create_dir_all(&target).map_err(failed)?;
            let part = tempfile::NamedTempFile::new_in(&target).map_err(failed)?;
            match std::fs::copy(file.path(), part.path()) {
                // It went while we read: retention passed, its row says so or will.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                copied => copied.map_err(failed)?,
            };
            part.as_file().sync_all().map_err(failed)?;
            part.persist(&place).map_err(|error| failed(error.error))?;
        }
    }
    Ok(())
}

fn text_of(path: &Path) -> Result<&str, StoreError> {
    path.to_str()
        .ok_or_else(|| StoreError::Broken("a path that is no text cannot be used here".to_owned()))
}
