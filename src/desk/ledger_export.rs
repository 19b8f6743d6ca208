//! The whole ledger in one file, for whoever does not have the store.

use crate::desk::{Desk, DeskError};
use crate::domain::{Digest, EntrySeq};
use crate::ledger::canonical::decode;
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
            lines += 1;
            each(&text)
        };
        say(&Line::Head {
            export: FORMAT.to_owned(),
            origin: checkpoint.origin.clone(),
            entries: checkpoint.size,
            root: checkpoint.root.to_string(),
        })?;
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
            }
        }
        self.export_signatures(last, &mut say)?;
        say(&Line::Checkpoint {
            checkpoint: checkpoint.signed(key),
            key: key.verifier().to_string(),
        })?;
        let end = lines;
        let text = serde_json::to_string(&Line::End { end })
            .map_err(|error| DeskError::NotPossible(error.to_string()))?;
        each(&text)?;
        Ok(checkpoint.size)
    }

    /// The reviewers' list, what its admins adopted, and every decision's signature.
    fn export_signatures(
        &self,
        last: EntrySeq,
        say: &mut dyn FnMut(&Line) -> Result<(), DeskError>,
    ) -> Result<(), DeskError> {
        let list = self.reviewers()?;
        say(&Line::AllowedSigners {
            allowed_signers: crate::keys::allowed_signers(list.members()),
        })?;
        for (seq, salt, adopts) in self.store.adoptions()? {
            if seq <= last {
                say(&Line::Adopted {
                    adopts,
                    salt: Digest(salt.0).to_string(),
                    seq: seq.0,
                })?;
            }
        }
        let mut after = EntrySeq(0);
        loop {
            let page = self.store.signatures(after, last, PAGE)?;
            let Some((newest, ..)) = page.last() else {
                return Ok(());
            };
            after = newest.seq;
            for (kept, statement, signature) in page {
                let entry = decode(&kept.bytes)
                    .map_err(|error| DeskError::NotPossible(format!("{}: {error}", kept.seq)))?;
                say(&Line::Signature {
                    seq: kept.seq.0,
                    statement,
                    signature,
                    principal: crate::keys::principal(&entry.draft.actor),
                    namespace: crate::keys::namespace(entry.draft.act).to_owned(),
                    verify_time: crate::keys::stamp(entry.draft.at),
                })?;
            }
        }
    }
}
