//! Opening: the connection recipe, the migrations, and what is refused at the door.

use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::{Act, Assurance, Digest, Time};
use crate::store::error::StoreError;
use crate::store::write::Tx;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Marks the file as ours: `Csgn`.
const APPLICATION_ID: i64 = 0x4373_676e;

/// Append-only: (layout after it, its SQL). A shipped step never changes.
pub(in crate::store) const MIGRATIONS: &[(i64, &str)] = &[
    (1, include_str!("../../assets/migrations/0001_begin.sql")),
    (2, include_str!("../../assets/migrations/0002_detector.sql")),
    (3, include_str!("../../assets/migrations/0003_signing.sql")),
    (4, include_str!("../../assets/migrations/0004_ledger.sql")),
    (5, include_str!("../../assets/migrations/0005_events.sql")),
    (6, include_str!("../../assets/migrations/0006_policy.sql")),
    (7, include_str!("../../assets/migrations/0007_reports.sql")),
    (8, include_str!("../../assets/migrations/0008_pulse.sql")),
    (9, include_str!("../../assets/migrations/0009_memory.sql")),
    (10, include_str!("../../assets/migrations/0010_ledger.sql")),
];

/// What a new store begins with.
#[derive(Debug, Clone)]
pub struct NewStore {
    /// When it begins.
    pub at: Time,
    /// Who began it.
    pub actor: String,
    /// A name of its own that no other store has.
    pub uuid: String,
    /// The policy it begins under.
    pub policy: String,
    /// The hash of that policy with its packs, under which claims are judged.
    pub policy_hash: Digest,
    /// Whether it is a throw-away store for trying things out.
    pub demo: bool,
}

/// A file or folder that belongs to the store and stands beside it.
pub(in crate::store) fn beside(path: &Path, what: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{what}"));
    path.with_file_name(name)
}

/// Makes the file of a new store, with nothing in it.
pub(in crate::store) fn create(path: &Path) -> Result<(), StoreError> {
    if std::fs::symlink_metadata(path).is_ok() {
        return Err(StoreError::Exists(path.to_owned()));
    }
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        std::fs::create_dir_all(folder).map_err(|_| StoreError::ReadOnly(folder.to_owned()))?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut db =
        Connection::open_with_flags(path, flags).map_err(|e| StoreError::from(e).at(path))?;
    restrict(path);
    settle(&db)
        .and_then(|()| migrate(&mut db, path))
        .map_err(|e| e.at(path))
}

/// Checks what stands at `path` and brings an older layout up to ours.
pub(in crate::store) fn bring_up_to_date(path: &Path) -> Result<(), StoreError> {
    match std::fs::metadata(path) {
        Err(_) => return Err(StoreError::Missing(path.to_owned())),
        Ok(found) if found.is_dir() => {
            return Err(StoreError::NotAStore(path.to_owned(), "it is a folder"));
        }
        Ok(found) if found.len() == 0 => {
            return Err(StoreError::NotAStore(path.to_owned(), "it is empty"));
        }
        Ok(_) => {}
    }
    let layout = inspect(path)?;
    if layout == latest() {
        return Ok(());
    }
    let mut db = writable(path)?;
    migrate(&mut db, path).map_err(|e| e.at(path))
}

/// A connection that may write, set up in the one right order.
pub(in crate::store) fn writable(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags).map_err(|e| StoreError::from(e).at(path))?;
    settle(&db).map_err(|e| e.at(path))?;
    if db.is_readonly("main").unwrap_or(true) {
        return Err(StoreError::ReadOnly(path.to_owned()));
    }
    Ok(db)
}

/// A connection that can only read.
pub(in crate::store) fn readable(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags).map_err(|e| StoreError::from(e).at(path))?;
    let recipe = || -> Result<(), StoreError> {
        db.busy_timeout(Duration::from_secs(15))?;
        db.execute_batch("PRAGMA query_only=ON; PRAGMA trusted_schema=OFF; PRAGMA cache_size=-16384; PRAGMA temp_store=MEMORY;")?;
        db.set_prepared_statement_cache_capacity(64);
        Ok(())
    };
    recipe().map_err(|e| e.at(path))?;
    Ok(db)
}

/// A connection that a snapshot is written from: it changes nothing, and says so by how it opens,
/// since a connection that may only query may not write a snapshot either.
pub(in crate::store) fn snapshot_source(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags).map_err(|e| StoreError::from(e).at(path))?;
    let timeout = db.busy_timeout(Duration::from_secs(15));
    timeout.map_err(|e| StoreError::from(e).at(path))?;
    Ok(db)
}

/// Writes the first entry and everything a store begins with.
pub(in crate::store) fn begin(tx: &Tx<'_>, new: &NewStore) -> Result<(), StoreError> {
    let db = tx.db();
    for (name, value) in [
        ("uuid", new.uuid.as_str()),
        ("demo", if new.demo { "yes" } else { "no" }),
    ] {
        db.execute(
            "INSERT INTO meta (name, value) VALUES (?1, ?2)",
            (name, value),
        )?;
    }
    let text_hash = Digest::of(new.policy.as_bytes());
    db.execute(
        "INSERT INTO meta (name, value) VALUES ('policy', ?1)",
        [text_hash.to_string()],
    )?;
    db.execute(
        "INSERT INTO policy (sha256, body, since) VALUES (?1, ?2, ?3)",
        (text_hash.0.as_slice(), &new.policy, new.at.millis()),
    )?;
    db.execute(
        "INSERT INTO detector (one, done, lease_until) VALUES (1, 0, 0)",
        [],
    )?;
    let facts: Facts = [
        ("policy", new.policy_hash.to_string()),
        ("policy_text", text_hash.to_string()),
        ("uuid", new.uuid.clone()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    let draft = EntryDraft {
        at: new.at,
        actor: new.actor.clone(),
        assurance: Assurance::Asserted,
        act: Act::Init,
        item: "store".to_owned(),
        facts,
    };
    tx.append(draft, &[]).map(|_| ())
}

fn latest() -> i64 {
    MIGRATIONS.last().map_or(0, |(layout, _)| *layout)
}

/// Reads the layout without changing anything, and refuses what is not ours.
fn inspect(path: &Path) -> Result<i64, StoreError> {
    let db = readable(path)?;
    let read = || -> Result<(i64, i64), rusqlite::Error> {
        let id = db.pragma_query_value(None, "application_id", |row| row.get(0))?;
        let layout = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
        Ok((id, layout))
    };
    let (id, layout) = read().map_err(|e| StoreError::from(e).at(path))?;
    if id != APPLICATION_ID {
        return Err(StoreError::NotAStore(
            path.to_owned(),
            "it is another program's database",
        ));
    }
    if layout > latest() {
        return Err(StoreError::Newer {
            path: path.to_owned(),
            found: layout,
            ours: latest(),
        });
    }
    Ok(layout)
}

/// The recipe: timeout before anything that can wait, WAL only where it is not on yet.
fn settle(db: &Connection) -> Result<(), StoreError> {
    db.busy_timeout(Duration::from_secs(15))?;
    let mode: String = db.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if mode != "wal" {
        let now: String = db.query_row("PRAGMA journal_mode=WAL", [], |row| row.get(0))?;
        if now != "wal" {
            return Err(StoreError::Broken(format!(
                "the write-ahead log cannot be used here ({now})"
            )));
        }
    }
    db.execute_batch(
        "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA recursive_triggers=ON;
         PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA secure_delete=ON;
         PRAGMA journal_size_limit=67108864; PRAGMA cache_size=-16384; PRAGMA temp_store=MEMORY;
         PRAGMA mmap_size=0;",
    )?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    db.set_prepared_statement_cache_capacity(128);
    Ok(())
}

fn migrate(db: &mut Connection, path: &Path) -> Result<(), StoreError> {
    for (layout, sql) in MIGRATIONS {
        let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let current: i64 = tx.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if current > latest() {
            return Err(StoreError::Newer {
                path: path.to_owned(),
                found: current,
                ours: latest(),
            });
        }
        if current < *layout {
            tx.execute_batch(sql)?;
            tx.pragma_update(None, "application_id", APPLICATION_ID)?;
            tx.pragma_update(None, "user_version", *layout)?;
        }
        tx.commit()?;
    }
    Ok(())
}

/// A store holds people's words: only its owner reads it, where the platform can say so.
pub(in crate::store) fn restrict(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // A file system without modes keeps its own rules; the store still works there.
        let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600));
    }
    #[cfg(not(unix))]
    let _ = path;
}

#[cfg(test)]
mod tests {
    use super::MIGRATIONS;
    use crate::domain::Digest;

    /// A store somebody made must stay readable: a step that was shipped is never edited. A change
    /// is the next file, with its own line here.
    #[test]
    fn shipped_migrations_never_change() {
        let known = [
            "a1a6f8fa2e5fd93a1fc525ff7fae16ed10ecc9885ef220a5a90918842f1282e9",
            "61186a2378bf12fd315ea4a0fde9cc805d4971f2e350e72774f1b7fcb9d05fb5",
            "a54b3e25022e5a5d919c79b47362c9b06fb807a712065e3f9b2e75928545c0aa",
            "9cb82eb04a7bd134aa5f8e8a099b675534cf2edc38376a58194d3d5f2e45dded",
            "91be3a3bdd9186f5bf8bfa4b08ec69ff3fa23b1a823eda2f0f854a45963e137f",
            "d4d53fc2ba14f29c3d6df5bc8c3858f5239edeab072689da8d23b890cf57e831",
            "e1356ae4d1043486f04613e6a9f41f6773e94c8f53aaebda0b2d713aa4ef78ee",
            "641857a3d2969224295d63b343a80addee5a55f2f1432c6b79dcae64af64b303",
            "a8e94756f8dbab3eb58a28f6a714297372f4776a8a18c78bf048a3937f234ca3",
            "e6fd17660472ebd1068f83b99490f597b13619c5b485e27d1649af1a2d1b471c",
        ];
        let found: Vec<String> = MIGRATIONS
            .iter()
            .map(|(_, sql)| Digest::of(sql.as_bytes()).to_string())
            .collect();
        assert_eq!(found, known);
    }
}
