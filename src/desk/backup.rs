//! Backup, check, restore. A restore never goes back in time in silence: whoever saw a later ledger
//! is asked first, and the ledger says that it happened.

use crate::desk::{Clock, Desk, DeskError};
use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::{Act, Assurance, Digest, Reviewer};
use crate::ledger::note::Checkpoint;
use crate::store::Store;
use std::path::{Path, PathBuf};

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedStore {
    /// Whether nothing is wrong.
    pub ok: bool,
    /// How many entries there are.
    pub entries: u64,
    /// What is wrong.
    pub problems: Vec<String>,
}

/// What a restore did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// How many entries the backup held.
    pub entries: u64,
    /// The root over them.
    pub root: Digest,
    /// Where the store that stood there is kept.
    pub kept: Option<PathBuf>,
}

impl Desk {
    /// Writes one snapshot of everything to `path` while others go on writing. What it holds is
    /// read back before it is called a backup.
    ///
    /// # Errors
    /// Something stands there, it cannot be written, or what was written does not verify.
    pub fn backup(&self, path: &Path) -> Result<Checkpoint, DeskError> {
        self.store.backup(path)?;
        let copy = Self::open(path, self.clock.clone())?;
        let verified = copy.verify()?;
        if let Some(problem) = verified.problems.first() {
            return Err(DeskError::NotPossible(format!(
                "the backup is written and does not verify: {problem}"
            )));
        }
        copy.checkpoint()
    }

    /// Everything that can be checked: the engine, the indexes, counts against sets, the ledger
    /// against the tables.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn check_store(&self) -> Result<CheckedStore, DeskError> {
        let mut problems = self.store.check()?;
        let verified = self.verify()?;
        problems.extend(verified.problems);
        Ok(CheckedStore {
            ok: problems.is_empty(),
            entries: verified.entries,
            problems,
        })
    }

    /// Why putting this backup in the place of the store at `target` would lose something: the
    /// store there has entries that the backup does not have. Nothing where no store can be read.
    ///
    /// # Errors
    /// The backup cannot be read.
    pub fn would_lose(&self, target: &Path) -> Result<Option<String>, DeskError> {
        let Ok(live) = Store::open(target) else {
            return Ok(None);
        };
        let Ok((size, root)) = live.tree_head() else {
            return Ok(None);
        };
        if live.uuid().ok() != self.store.uuid().ok() {
            return Ok(Some(
                "the store there is another one, not this backup's".to_owned(),
            ));
        }
        Ok(match self.store.root_at(size)? {
            Some(here) if here == root => None,
            Some(_) => Some(format!(
                "the store there has {size} entries of another history"
            )),
            None => {
                let (own, _) = self.store.tree_head()?;
                Some(format!(
                    "the store there goes on to E-{size}, the backup ends at E-{own}"
                ))
            }
        })
    }

    /// Puts the backup that this desk is opened on in the place of the store at `target`, and
    /// enters that it was restored. Whoever calls has asked [`Self::would_lose`] and the witnesses.
    ///
    /// # Errors
    /// The backup does not verify, or the target cannot be written; then it stands as it was.
    pub fn restore_to(
        &self,
        target: &Path,
        reviewer: &Reviewer,
        assurance: Assurance,
        lost: Option<&str>,
        clock: &Clock,
    ) -> Result<Restored, DeskError> {
        let verified = self.verify()?;
        if let Some(problem) = verified.problems.first() {
            return Err(DeskError::NotPossible(format!(
                "the backup does not verify, so nothing was restored: {problem}"
            )));
        }
        let mut facts: Facts = [
            ("from_root", verified.root.to_string()),
            ("from_size", verified.entries.to_string()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into();
        if lost.is_some() {
            facts.insert("older".to_owned(), "yes".to_owned());
        }
        if let Ok((size, root)) = Store::open(target).and_then(|live| live.tree_head()) {
            facts.insert("replaced_size".to_owned(), size.to_string());
            facts.insert("replaced_root".to_owned(), root.to_string());
        }
        let draft = EntryDraft {
            at: clock.now(),
            actor: reviewer.name.to_string(),
            assurance,
            act: Act::Restored,
            item: "store".to_owned(),
            facts,
        };
        let kept = Store::restore_over(target, self.store.path(), draft)?;
        Ok(Restored {
            entries: verified.entries,
            root: verified.root,
            kept,
        })
    }
}
