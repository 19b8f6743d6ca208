//! Checkpoints: signed, remembered elsewhere, held against the ledger later; and proofs that hold
//! without the store. Keys come in as data: where they are kept is a face's business.

use crate::desk::{Desk, DeskError};
use crate::domain::{Assurance, CandidateId, DocumentId, EntrySeq, MemoryId, Reviewer, ServingId};
use crate::ledger::note::{Checkpoint, NoteKey};
use crate::ledger::proof::{Growth, Proof, ProvenEntry};

/// How many entries of one item are proven at once.
const PROVEN: usize = 1000;

/// How a checkpoint that somebody kept stands to the ledger as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Agreement {
    /// The ledger grew out of it.
    Grew,
    /// It is of another ledger.
    OtherLedger,
    /// The ledger has fewer entries: it was cut, or the store is an old copy.
    Shorter {
        /// How many there are now.
        now: u64,
    },
    /// The ledger has as many entries and others: something among them was rewritten.
    Rewritten,
}

impl Agreement {
    /// What is wrong, named; none if nothing is.
    #[must_use]
    pub fn objection(&self, seen: &Checkpoint) -> Option<String> {
        let size = seen.size;
        match self {
            Self::Grew => None,
            Self::OtherLedger => Some(format!(
                "the checkpoint is of another ledger, {}",
                crate::text::line(&seen.origin)
            )),
            Self::Shorter { now } => Some(format!(
                "the ledger ends at E-{now}, a checkpoint saw E-{size}: entries from E-{} on were cut off, or the store is an old copy",
                now + 1
            )),
            Self::Rewritten => Some(format!(
                "the first {size} entries are not those of the checkpoint: something from E-1 to E-{size} was rewritten since"
            )),
        }
    }
}

impl Desk {
    /// The name of this ledger in checkpoints.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn origin(&self) -> Result<String, DeskError> {
        Ok(format!("ledger.{}", self.store.uuid()?))
    }

    /// What the ledger is now. Nothing is entered.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn checkpoint(&self) -> Result<Checkpoint, DeskError> {
        let (size, root) = self.store.tree_head()?;
        Ok(Checkpoint {
            origin: self.origin()?,
            size,
            root,
        })
    }

    /// Signs a checkpoint of everything so far and enters that it was made. A ledger that did not
    /// grow since this key's newest one gets the same checkpoint again and no entry.
    ///
    /// # Errors
    /// The key is another ledger's, or the store cannot be written.
    pub fn sign_checkpoint(
        &self,
        key: &NoteKey,
        reviewer: &Reviewer,
    ) -> Result<(Checkpoint, String), DeskError> {
        self.sound_tree()?;
        let id = key.verifier().id();
        let by = reviewer.name.as_str();
        let (size, root) = self
            .store
            .enter_checkpoint(self.now(), by, Assurance::Asserted, &id)?;
        let checkpoint = Checkpoint {
            origin: self.origin()?,
            size,
            root,
        };
        let note = checkpoint.signed(key);
        Ok((checkpoint, note))
    }

    /// Whether the ledger grew out of what a checkpoint says. Who signed it is not asked here.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn agrees(&self, seen: &Checkpoint) -> Result<Agreement, DeskError> {
        if seen.origin != self.origin()? {
            return Ok(Agreement::OtherLedger);
        }
        Ok(match self.store.root_at(seen.size)? {
            Some(root) if root == seen.root => Agreement::Grew,
            Some(_) => Agreement::Rewritten,
            None => Agreement::Shorter {
                now: self.store.tree_head()?.0,
            },
        })
    }

    /// Proofs for the entries about an item, under a checkpoint of everything so far.
    ///
    /// # Errors
    /// There are none, or the store cannot be read.
    pub fn prove(&self, subject: &str, key: &NoteKey) -> Result<Proof, DeskError> {
        let checkpoint = self.sound_tree()?;
        let entries = self.entries_about(subject)?;
        let found = self.store.included(&entries, checkpoint.size)?;
        let proof = Proof {
            checkpoint: checkpoint.signed(key),
            key: key.verifier().to_string(),
            entries: found
                .into_iter()
                .map(|one| ProvenEntry {
                    index: one.entry.seq.0.unsigned_abs().saturating_sub(1),
                    bytes: one.entry.bytes,
                    proof: one.proof,
                })
                .collect(),
        };
        // What would not convince others is not handed out.
        proof.check(Some(&key.verifier())).map_err(|why| {
            DeskError::NotPossible(format!("{why}: run `countersign audit verify`"))
        })?;
        Ok(proof)
    }

    /// The proof that the newer of two sizes grew out of the older.
    ///
    /// # Errors
    /// The ledger is not so long, or the store cannot be read.
    pub fn prove_growth(&self, old: u64, new: u64) -> Result<Growth, DeskError> {
        let (size, _) = self.store.tree_head()?;
        if old > new || new > size {
            return Err(DeskError::NotPossible(format!(
                "no proof from {old} to {new} entries: the ledger has {size}"
            )));
        }
        Ok(Growth {
            old,
            new,
            proof: self.store.growth(old, new)?,
        })
    }

    /// What the ledger is now, if the tree that is kept is the tree over its entries.
    pub(in crate::desk) fn sound_tree(&self) -> Result<Checkpoint, DeskError> {
        let checkpoint = self.checkpoint()?;
        if self.store.root_from_leaves(checkpoint.size)? == checkpoint.root {
            return Ok(checkpoint);
        }
        Err(DeskError::NotPossible(
            "nothing is signed: the tree that is kept is not the tree over the entries; run `countersign audit verify`"
                .to_owned(),
        ))
    }

    /// The entries about an item, oldest first: of a memory also the decision that minted it.
    fn entries_about(&self, subject: &str) -> Result<Vec<EntrySeq>, DeskError> {
        if let Ok(entry) = EntrySeq::parse(subject) {
            return Ok(vec![entry]);
        }
        let mut items = Vec::new();
        let mut entries = Vec::new();
        if let Ok(id) = MemoryId::parse(subject) {
            let memory = self.store.memory(id)?;
            entries.push(memory.entry);
            items.extend([id.to_string(), memory.candidate.to_string()]);
        } else if let Ok(id) = CandidateId::parse(subject) {
            items.push(id.to_string());
            items.extend(self.store.memory_of(id)?.map(|memory| memory.to_string()));
        } else if let Ok(id) = ServingId::parse(subject) {
            items.push(id.to_string());
        } else if let Ok(id) = DocumentId::parse(subject) {
            items.push(id.to_string());
        } else {
            items.push(subject.to_owned());
        }
        let history = self.store.history(&items, PROVEN)?;
        entries.extend(history.iter().map(|one| one.entry.seq));
        entries.sort_unstable();
        entries.dedup();
        if entries.is_empty() {
            return Err(DeskError::NotFound(format!(
                "no entry is about `{}`",
                crate::text::line(subject)
            )));
        }
        Ok(entries)
    }
}
