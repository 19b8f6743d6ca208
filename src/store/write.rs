//! Writing: one thread per process, one transaction for everything that is queued.
//!
//! Each change runs in a savepoint of its own, so that one that fails undoes nothing of its
//! neighbours; each is answered only after the commit that holds it is durable. The lock file
//! stands before `BEGIN IMMEDIATE`, since SQLite's own waiting can starve a process for seconds.

use crate::domain::entry::{Beside, EntryDraft};
use crate::domain::{Digest, EntrySeq, Layer, Time};
use crate::ledger::chain::{Head, append};
use crate::store::error::StoreError;
use crossbeam_channel::{Receiver, Sender};
use rusqlite::{Connection, OptionalExtension as _};
use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How many changes one commit may hold.
const GROUP: usize = 256;
/// How long a commit waits for its turn among processes.
const PATIENCE: Duration = Duration::from_secs(15);
/// How long it sleeps between two looks.
const PAUSE: Duration = Duration::from_micros(300);
/// How many changes may wait before callers do.
const QUEUE: usize = 1024;

type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// Run with a transaction, or told why there is none.
type Change = Box<dyn FnOnce(Result<&Tx<'_>, StoreError>) -> Ran + Send>;

/// A change that has run and waits for the commit.
struct Ran {
    keep: bool,
    answer: Answer,
}

/// The thread that writes.
#[derive(Debug)]
pub(in crate::store) struct Writer {
    queue: Option<Sender<Change>>,
    thread: Option<JoinHandle<()>>,
}

/// A store that is closed has nothing left going on: the thread has ended.
impl Drop for Writer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // A writer that panicked has nothing more to say here; its callers heard of it.
            let _ = thread.join();
        }
    }
}

/// A transaction in progress.
#[derive(Debug)]
pub(in crate::store) struct Tx<'c> {
    db: &'c Connection,
}

impl Writer {
    pub(in crate::store) fn start(path: &Path) -> Result<Self, StoreError> {
        let db = super::open::writable(path)?;
        let gate = Gate::open(path)?;
        let (queue, changes) = crossbeam_channel::bounded(QUEUE);
        let path = path.to_owned();
        let thread = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || serve(&db, &gate, &changes, &path))
            .map_err(|error| StoreError::Broken(error.to_string()))?;
        Ok(Self {
            queue: Some(queue),
            thread: Some(thread),
        })
    }

    pub(in crate::store) fn run<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Tx<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        let (done, wait) = crossbeam_channel::bounded(1);
        let boxed: Change = Box::new(move |tx| {
            let result = tx.and_then(change);
            Ran {
                keep: result.is_ok(),
                answer: Box::new(move |committed| {
                    // A caller that has gone away does not need its answer.
                    let _ = done.send(committed.and(result));
                }),
            }
        });
        let gone = || StoreError::Broken("the writer is gone".to_owned());
        let queue = self.queue.as_ref().ok_or_else(gone)?;
        queue.send(boxed).map_err(|_| gone())?;
        wait.recv().map_err(|_| gone())?
    }
}

fn serve(db: &Connection, gate: &Gate, changes: &Receiver<Change>, path: &Path) {
    while let Ok(first) = changes.recv() {
        let group = std::iter::once(first).chain(changes.try_iter().take(GROUP - 1));
        commit_together(db, gate, group, path);
    }
    // Nobody is left to hear of a failure, and nobody shall wait for it: the next opener does it.
    let _ = db.busy_timeout(Duration::ZERO);
    // Statistics of a store that has only begun say that every table is tiny, and from then on the
    // planner scans the ledger it could look up: until it has grown, no statistics are better.
    let grown = "SELECT 1 FROM ledger_head WHERE seq > 10000";
    if db
        .prepare(grown)
        .and_then(|mut find| find.exists([]))
        .unwrap_or(false)
    {
        let _ = db.execute_batch("PRAGMA optimize");
    }
}

fn commit_together(db: &Connection, gate: &Gate, group: impl Iterator<Item = Change>, path: &Path) {
    let locked = gate.hold();
    let begun = if locked {
        db.execute_batch("BEGIN IMMEDIATE")
            .map_err(StoreError::from)
    } else {
        Err(StoreError::Busy(path.to_owned()))
    };
    let mut answers = Vec::new();
    for change in group {
        answers.push(if begun.is_ok() {
            run_one(db, change)
        } else {
            refuse(change)
        });
    }
    let outcome = begun.and_then(|()| db.execute_batch("COMMIT").map_err(StoreError::from));
    if outcome.is_err() && !db.is_autocommit() {
        // The commit failed and its error is what the callers hear.
        let _ = db.execute_batch("ROLLBACK");
    }
    if locked {
        // Closing the file would release it as well.
        let _ = gate.0.unlock();
    }
    let outcome = outcome.map_err(|error| error.at(path));
    for answer in answers {
        answer(outcome.clone());
    }
}

/// The lock file that keeps processes fair to each other. Dropping it lets go.
#[derive(Debug)]
pub(in crate::store) struct Gate(File);

impl Gate {
    pub(in crate::store) fn open(path: &Path) -> Result<Self, StoreError> {
        let place = super::open::beside(path, "gate");
        File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&place)
            .map(Self)
            .map_err(|_| StoreError::ReadOnly(place))
    }

    /// Waits its turn among processes, but not for ever: one that stands still in its commit must
    /// not hold the others without a word. Where the file system knows no locks, SQLite's own must
    /// do.
    pub(in crate::store) fn hold(&self) -> bool {
        let begun = Instant::now();
        loop {
            match self.0.try_lock() {
                Ok(()) | Err(TryLockError::Error(_)) => return true,
                Err(TryLockError::WouldBlock) if begun.elapsed() > PATIENCE => return false,
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            }
        }
    }
}

fn run_one(db: &Connection, change: Change) -> Answer {
    if let Err(error) = db.execute_batch("SAVEPOINT act") {
        return change(Err(StoreError::from(error))).answer;
    }
    let ran = change(Ok(&Tx { db }));
    let closing = if ran.keep {
        "RELEASE act"
    } else {
        "ROLLBACK TO act; RELEASE act"
    };
    match db.execute_batch(closing) {
        Ok(()) => ran.answer,
        Err(error) => {
            let answer = ran.answer;
            Box::new(move |committed| answer(committed.and(Err(StoreError::from(error)))))
        }
    }
}

/// The transaction never began: the change does not run, its caller hears the reason.
fn refuse(change: Change) -> Answer {
    change(Err(StoreError::Broken(
        "the transaction did not begin".to_owned(),
    )))
    .answer
}

/// A draft with the commitments to the texts that will stand beside it.
pub(in crate::store) fn committed(mut draft: EntryDraft, beside: &[Beside]) -> EntryDraft {
    for text in beside {
        let commitment = crate::domain::Commitment::to(&text.salt, text.body.as_bytes());
        draft
            .facts
            .insert(format!("{}_commitment", text.part), commitment.to_string());
    }
    draft
}

impl<'c> Tx<'c> {
    /// Over a transaction that somebody else began and will end.
    pub(in crate::store) const fn on(db: &'c Connection) -> Self {
        Self { db }
    }

    pub(in crate::store) const fn db(&self) -> &'c Connection {
        self.db
    }

    /// Adds an entry, and the texts it commits to beside it.
    pub(in crate::store) fn append(
        &self,
        draft: EntryDraft,
        beside: &[Beside],
    ) -> Result<EntrySeq, StoreError> {
        let draft = committed(draft, beside);
        let head = self.head()?;
        let sealed = append(&head, draft).map_err(|error| StoreError::Broken(error.to_string()))?;
        let (seq, draft) = (sealed.entry.seq, &sealed.entry.draft);
        self.db
            .prepare_cached("INSERT INTO entry (seq, at, act, item, actor, bytes, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?
            .execute((seq.0, draft.at.millis(), draft.act.code(), &draft.item, &draft.actor, &sealed.bytes, sealed.hash.0.as_slice()))?;
        self.db
            .prepare_cached("INSERT INTO ledger_head (one, seq, hash) VALUES (1, ?1, ?2) ON CONFLICT (one) DO UPDATE SET seq = ?1, hash = ?2")?
            .execute((seq.0, sealed.hash.0.as_slice()))?;
        super::tree::keep_nodes(self, seq)?;
        for text in beside {
            self.db
                .prepare_cached(
                    "INSERT INTO beside (seq, part, salt, body) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute((seq.0, &text.part, text.salt.0.as_slice(), &text.body))?;
        }
        Ok(seq)
    }

    /// The moment an act is entered under: never earlier than the entry before it.
    pub(in crate::store) fn moment(&self, at: Time) -> Result<Time, StoreError> {
        Ok(self.head()?.at.max(at))
    }

    /// The number of a layer, made on first sight.
    pub(in crate::store) fn layer(&self, layer: &Layer) -> Result<i64, StoreError> {
        let known = self
            .db
            .prepare_cached("SELECT id FROM layer WHERE path = ?1")?
            .query_row([layer.as_str()], |row| row.get(0))
            .optional()?;
        if let Some(id) = known {
            return Ok(id);
        }
        self.db
            .prepare_cached("INSERT INTO layer (path) VALUES (?1)")?
            .execute([layer.as_str()])?;
        Ok(self.db.last_insert_rowid())
    }

    /// Moves a count that screens show without counting.
    pub(in crate::store) fn tally(&self, name: &str, by: i64) -> Result<(), StoreError> {
        self.db
            .prepare_cached("INSERT INTO tally (name, n) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET n = n + ?2")?
            .execute((name, by))?;
        Ok(())
    }

    fn head(&self) -> Result<Head, StoreError> {
        let row = self
            .db
            .prepare_cached(
                "SELECT h.seq, h.hash, e.at FROM ledger_head h JOIN entry e ON e.seq = h.seq",
            )?
            .query_row([], |row| {
                Ok((
                    row.get::<_, i64>(0)?,
                    row.get::<_, [u8; 32]>(1)?,
                    row.get::<_, i64>(2)?,
                ))
            })
            .optional()?;
        Ok(row.map_or_else(Head::empty, |(seq, hash, at)| Head {
            seq: EntrySeq(seq),
            hash: Digest(hash),
            at: Time::from_millis(at),
        }))
    }
}
