//! What can go wrong with a store, in words for people; SQLite's own error never leaves the room.

use crate::domain::candidate::Outcome;
use std::fmt;
use std::path::PathBuf;

/// Why the store did not do what was asked.
#[derive(Debug, Clone, PartialEq)]
pub enum StoreError {
    /// Nothing stands at the path.
    Missing(PathBuf),
    /// What stands there is no store of ours.
    NotAStore(PathBuf, &'static str),
    /// A newer program made it.
    Newer {
        path: PathBuf,
        found: i64,
        ours: i64,
    },
    /// Something stands where a new store was asked for.
    Exists(PathBuf),
    /// It cannot be written here.
    ReadOnly(PathBuf),
    /// Another process kept it locked for too long.
    Busy(PathBuf),
    /// The disk is full.
    Full(PathBuf),
    /// The item changed, or somebody else decided it.
    Conflict {
        item: String,
        seen: u32,
        now: u32,
        outcome: Option<Outcome>,
    },
    /// What was signed is not what would be written now: the item moved on meanwhile.
    Moved { item: String, why: String },
    /// Another policy was put in force meanwhile.
    PolicyChanged,
    /// There is no such item.
    NotFound(String),
    /// It was erased.
    Erased(String),
    /// The file or the disk under it failed.
    Broken(String),
}

impl StoreError {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Missing(path) => {
                Some(format!("make one with `countersign init --store {}`", path.display()))
            }
            Self::NotAStore(..) => Some("name another path with --store".to_owned()),
            Self::Newer { .. } => Some("use the newer countersign that made it".to_owned()),
            Self::Exists(_) => Some("use it as it is, or name another path".to_owned()),
            Self::ReadOnly(_) => Some("check who owns the file and its folder".to_owned()),
            Self::Busy(_) => Some("nothing was changed; try again".to_owned()),
            Self::Full(_) => Some("nothing was changed; make room and try again".to_owned()),
            Self::Broken(_) => Some(
                "stop writing, keep the file with its -wal and -shm together, and run `countersign audit verify`"
                    .to_owned(),
            ),
            Self::Moved { .. } => Some("nothing was written; look at it again and decide again".to_owned()),
            Self::PolicyChanged => Some("look at the item again, and decide again".to_owned()),
            Self::Conflict { .. } | Self::NotFound(_) | Self::Erased(_) => None,
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(path) => write!(f, "there is no store at `{}`", path.display()),
            Self::NotAStore(path, why) => {
                write!(f, "`{}` is not a countersign store: {why}", path.display())
            }
            Self::Newer { path, found, ours } => write!(
                f,
                "the store at `{}` has layout {found}, this program knows layouts up to {ours}",
                path.display()
            ),
            Self::Exists(path) => write!(f, "something stands at `{}` already", path.display()),
            Self::ReadOnly(path) => write!(f, "`{}` cannot be written", path.display()),
            Self::Busy(path) => write!(
                f,
                "the store at `{}` is locked by another process",
                path.display()
            ),
            Self::Full(path) => write!(f, "the disk that holds `{}` is full", path.display()),
            Self::Conflict {
                item, seen, now, ..
            } => {
                write!(
                    f,
                    "{item} changed since it was shown (version {seen}, now {now})"
                )
            }
            Self::Moved { item, why } => {
                write!(f, "{item} is not what was signed any more: {why}")
            }
            Self::PolicyChanged => {
                f.write_str("another policy was put in force meanwhile; nothing was changed")
            }
            Self::NotFound(what) => write!(f, "there is no {what}"),
            Self::Erased(what) => write!(f, "{what} was erased for good"),
            Self::Broken(why) => write!(f, "the store failed: {why}"),
        }
    }
}

impl std::error::Error for StoreError {}

/// Puts SQLite's error into ours. The path is filled in where it helps.
impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ffi::ErrorCode;
        let here = PathBuf::new();
        match error.sqlite_error_code() {
            Some(
                ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::FileLockingProtocolFailed,
            ) => Self::Busy(here),
            Some(ErrorCode::DiskFull) => Self::Full(here),
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                Self::ReadOnly(here)
            }
            Some(ErrorCode::NotADatabase) => Self::NotAStore(here, "it is not a database"),
            Some(ErrorCode::SystemIoFailure) if is_write_past_limit(&error) => Self::Full(here),
            _ => Self::Broken(error.to_string()),
        }
    }
}

impl StoreError {
    /// Names the store in errors that were raised below the level that knows its path.
    #[must_use]
    pub(in crate::store) fn at(self, path: &std::path::Path) -> Self {
        let path = path.to_owned();
        match self {
            Self::Busy(_) => Self::Busy(path),
            Self::Full(_) => Self::Full(path),
            Self::ReadOnly(_) => Self::ReadOnly(path),
            Self::NotAStore(_, why) => Self::NotAStore(path, why),
            other => other,
        }
    }
}

/// Under a limit on file size a full disk arrives as a failed write (778).
fn is_write_past_limit(error: &rusqlite::Error) -> bool {
    error
        .sqlite_error()
        .is_some_and(|inner| inner.extended_code == 778)
}
