//! The whole ledger in one file, for whoever does not have the store.

use crate::desk::{Desk, DeskError};
use crate::domain::EntrySeq;
use crate::ledger::export::{FORMAT, Line};
use crate::ledger::note::NoteKey;

/// How many entries are read at a time.
const PAGE: usize = 2000;

impl Desk {
    /// Hands over an export line by line: entries up to now, and a checkpoint of just these.
    ///
    /// # Errors
    /// The store cannot be read, an entry cannot be exported, or `each` does not take a line.
    pub fn export_ledger(
        &self,
        key: &NoteKey,
        each: &mut dyn FnMut(&str) -> Result<(), DeskError>,
    ) -> Result<u64, DeskError> {
        let checkpoint = self.sound_tree()?;
        let mut lines = 0;
        let mut say = |line: &Line| {
            let text = serde_json::to_string(line)
                .map_err(|error| DeskError::NotPossible(error.to_string()))?;
            each(&text)
        };
        say(&Line::Head {
            export: FORMAT.to_owned(),
            origin: checkpoint.origin.clone(),
            entries: checkpoint.size,
            root: checkpoint.root.to_string(),
        })?;
        lines += 1;
        let mut after = EntrySeq(0);
        let last = EntrySeq(i64::try_from(checkpoint.size).unwrap_or(i64::MAX));
        while after < last {
            let page = self.store.entry_bytes(after, last, PAGE)?;
            let Some((newest, _)) = page.last() else {
                break;
            };
            after = *newest;
            for (_, entry) in page {
                say(&Line::Entry { entry })?;
                lines += 1;
            }
        }
        say(&Line::Checkpoint {
            checkpoint: checkpoint.signed(key),
            key: key.verifier().to_string(),
        })?;
        lines += 1;
        say(&Line::End { end: lines })?;
        Ok(checkpoint.size)
    }
}
