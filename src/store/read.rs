//! Reading: a few read-only connections, lent out one call at a time.
//! No connection is ever returned with a transaction open, so that no snapshot pins the log.

use crate::store::Store;
use crate::store::error::StoreError;
use crossbeam_channel::{Receiver, Sender};
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// How many reads can go on at once in one process.
const READERS: usize = 3;

/// The connections that are free.
#[derive(Debug)]
pub(in crate::store) struct Readers {
    path: PathBuf,
    free: Receiver<Option<Connection>>,
    back: Sender<Option<Connection>>,
}

impl Readers {
    /// Opens the first connection; the others open when they are first needed.
    pub(in crate::store) fn open(path: &Path) -> Result<Self, StoreError> {
        let (back, free) = crossbeam_channel::bounded(READERS);
        let first = super::open::readable(path)?;
        let seats = std::iter::once(Some(first)).chain(std::iter::repeat_with(|| None));
        for seat in seats.take(READERS) {
            // The channel has room for every seat.
            let _ = back.send(seat);
        }
        Ok(Self {
            path: path.to_owned(),
            free,
            back,
        })
    }
}

impl Store {
    /// Lends a connection to one read.
    pub(in crate::store) fn read<T>(
        &self,
        ask: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let seat = self
            .readers
            .free
            .recv()
            .map_err(|_| StoreError::Broken("the readers are gone".to_owned()))?;
        let opened = seat.map_or_else(|| super::open::readable(&self.readers.path), Ok);
        let (answer, seat) = match opened {
            Ok(db) => (ask(&db).map_err(|error| error.at(&self.path)), Some(db)),
            Err(error) => (Err(error), None),
        };
        // The seat was taken from this channel, so there is room for it.
        let _ = self.readers.back.send(seat);
        answer
    }

    /// Several reads that must see one and the same state.
    pub(in crate::store) fn read_at_once<T>(
        &self,
        ask: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.read(|db| {
            db.execute_batch("BEGIN")?;
            let answer = ask(db);
            db.execute_batch("ROLLBACK")?;
            answer
        })
    }
}
