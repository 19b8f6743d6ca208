//! Witnessing: whoever saw the ledger once can tell later whether it only grew.
//!
//! Each entry names the hash of the one before it, so one remembered hash vouches for all that
//! came before. This catches a cut tail, a rewritten past and a store rolled back to an old copy,
//! for whoever remembers; it cannot say what happened after the remembered moment.

use crate::desk::{Desk, DeskError};
use crate::domain::{Digest, EntrySeq};

/// What somebody saw of a ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    /// The store's own name.
    pub store: String,
    /// The newest entry they saw.
    pub entry: EntrySeq,
    /// Its hash.
    pub hash: Digest,
}

impl Desk {
    /// What there is to be seen of the ledger now.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn sight(&self) -> Result<Option<Sight>, DeskError> {
        let store = self.store.uuid()?;
        Ok(self
            .store
            .head()?
            .map(|(entry, hash)| Sight { store, entry, hash }))
    }

    /// Why the ledger cannot have grown out of what was seen, if it cannot.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn contradicts(&self, seen: &Sight) -> Result<Option<String>, DeskError> {
        let entry = seen.entry;
        Ok(match self.store.entry_hash(entry)? {
            Some(hash) if hash == seen.hash => None,
            Some(_) => Some(format!(
                "{entry} is not the entry that you saw there: the ledger was rewritten since"
            )),
            None => Some(format!(
                "{entry}, which you saw, is gone: the ledger was cut, or the store is an old copy"
            )),
        })
    }
}
