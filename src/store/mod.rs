//! The only SQL. Facts in, facts out, in the words of `domain`; what may follow is judged elsewhere.
//!
//! Every change is one transaction with its ledger entry. One writer thread per process groups
//! what is queued into one commit; a lock file keeps processes fair to each other; readers never
//! hold a transaction longer than one call. No row, statement or SQLite error leaves this room.

pub mod artifact;
pub mod backup;
pub mod beside;
pub mod bookmark;
pub mod candidate;
pub mod compaction;
pub mod decide;
pub mod detect;
pub mod document;
pub mod erase;
pub mod error;
pub mod group;
pub mod known;
pub mod ledger;
pub mod memory;
mod narrow;
pub mod observe;
mod open;
pub mod order;
pub mod policy;
pub mod pulse;
mod read;
pub mod recall;
pub mod receipt;
pub mod regroup;
pub mod report;
pub mod retention;
pub mod reviewer;
pub mod rollup;
mod rows;
mod salt;
pub mod saying;
mod search;
pub mod served;
pub mod serving;
pub mod state;
pub mod thresholds;
pub mod trace;
pub mod tree;
pub mod walk;
mod write;

pub use error::StoreError;
pub use open::NewStore;
pub use state::Counts;

use crate::store::read::Readers;
use crate::store::write::{Tx, Writer};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// One store on disk, shared by any number of processes.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    readers: Readers,
    writer: OnceLock<Writer>,
    bell: OnceLock<crossbeam_channel::Sender<()>>,
}

impl Store {
    /// Makes a new store at `path` and writes its first entry.
    ///
    /// # Errors
    /// Something already stands there, or the place cannot be written.
    pub fn create(path: &Path, new: NewStore) -> Result<Self, StoreError> {
        open::create(path)?;
        let store = Self::open(path)?;
        store.write(move |tx| open::begin(tx, &new))?;
        Ok(store)
    }

    /// Opens the store at `path`, bringing an older one up to date.
    ///
    /// # Errors
    /// There is none, it is no store of ours, it is newer than this program, or it cannot be read.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        open::bring_up_to_date(path)?;
        let readers = Readers::open(path)?;
        Ok(Self {
            path: path.to_owned(),
            readers,
            writer: OnceLock::new(),
            bell: OnceLock::new(),
        })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The version of the engine inside, for `doctor` and for tests.
    #[must_use]
    pub fn engine_version() -> &'static str {
        rusqlite::version()
    }

    /// Runs a change in a transaction of its own and returns once it is durable.
    fn write<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Tx<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        let writer = match self.writer.get() {
            Some(writer) => writer,
            None => {
                let fresh = Writer::start(&self.path)?;
                self.writer.get_or_init(|| fresh)
            }
        };
        let done = writer.run(change)?;
        if let Some(bell) = self.bell.get() {
            // A bell that still rings says it already.
            let _ = bell.try_send(());
        }
        Ok(done)
    }

    /// The folder that holds the bytes of artifacts, beside the database.
    fn artifact_folder(&self) -> PathBuf {
        open::beside(&self.path, "artifacts")
    }
}

/// The version of SQLite that was built in.
#[must_use]
pub fn engine_version() -> &'static str {
    rusqlite::version()
}

/// SQLite before 3.51.3 can lose commits that several processes write at once.
#[must_use]
pub fn engine_is_sound() -> bool {
    rusqlite::version_number() >= 3_051_003
}
