//! Reading the ledger, and saying whether it is whole.

use crate::desk::view::{EntryRow, Page};
use crate::desk::{Desk, DeskError};
use crate::domain::entry::{Beside, EntryDraft, Facts};
use crate::domain::{Act, Assurance, Digest, EntrySeq};
use crate::ledger::replay::State;
use crate::ledger::verify::{Verifier, beside_matches};
use crate::store::ledger::{EntryWithTexts, Step};

/// How many problems are listed; the first says where to look.
const LISTED: usize = 100;

/// Whether the ledger is whole and the tables agree with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// Whether nothing is wrong.
    pub ok: bool,
    /// How many entries there are.
    pub entries: u64,
    /// The hash of the newest.
    pub head: Option<Digest>,
    /// What is wrong.
    pub problems: Vec<String>,
}

impl Desk {
    /// Re-hashes every entry and every text beside it, replays them, and compares with the tables.
    ///
    /// # Errors
    /// The store cannot be read at all.
    pub fn verify(&self) -> Result<Verification, DeskError> {
        let mut verifier = Verifier::default();
        let mut state = State::default();
        let mut more = Vec::new();
        let mut entries = 0;
        let mut batch = None;
        self.store.walk(&mut |step| match step {
            Step::Entry(kept, beside) => {
                entries += 1;
                let Some(entry) = verifier.take(kept.seq.0, &kept.bytes, &kept.hash) else {
                    return;
                };
                batch = entry.draft.facts.get("batch").cloned();
                if let Err(why) = state.apply(&entry) {
                    more.push(format!("entry {} {why}", entry.seq));
                }
                let wrong =
                    |text: &&Beside| !beside_matches(&entry, &text.part, &text.salt, &text.body);
                more.extend(beside.iter().filter(wrong).map(|text| {
                    format!(
                        "the {} kept beside entry {} is not the one it commits to",
                        text.part, entry.seq
                    )
                }));
            }
            Step::Batch(seq, digest) => {
                if batch.as_deref() != Some(digest.to_string().as_str()) {
                    more.push(format!(
                        "observations that entry {seq} took in were changed in their table"
                    ));
                }
            }
            Step::End { seq, hash, tables } => {
                verifier.end(seq, &hash);
                more.extend(state.differences(tables));
            }
        })?;
        let head = (entries > 0).then(|| verifier.head().hash);
        let mut problems = verifier.into_problems();
        problems.append(&mut more);
        problems.extend(self.unbelieved()?);
        problems.extend(self.changed_artifacts()?);
        let ok = problems.is_empty();
        problems.truncate(LISTED);
        Ok(Verification {
            ok,
            entries,
            head,
            problems,
        })
    }

    /// Artifacts whose bytes are not, or no longer, the ones that were kept.
    fn changed_artifacts(&self) -> Result<Vec<String>, DeskError> {
        let mut found = Vec::new();
        for head in self.store.artifacts()? {
            if !head.present && head.expires_at > self.now() {
                found.push(format!(
                    "the bytes of artifact:{} are missing from disk",
                    head.sha256
                ));
            }
            if head.present && !self.store.artifact_is_whole(&head.sha256)? {
                found.push(format!(
                    "the bytes of artifact:{} were changed on disk",
                    head.sha256
                ));
            }
        }
        Ok(found)
    }

    /// Entries before a place, newest first; narrowed by act, item or actor.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn entries(
        &self,
        before: Option<EntrySeq>,
        text: Option<&str>,
        limit: usize,
    ) -> Result<Page<EntryRow>, DeskError> {
        let (entries, more) = self.store.entries(before, text, limit)?;
        Ok(Page {
            rows: entries
                .into_iter()
                .map(|entry| self.entry_row(entry))
                .collect(),
            more,
        })
    }

    /// Records that somebody who may not decide tried to.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn note_refusal(
        &self,
        actor: &str,
        tried: &str,
        item: &str,
        why: &str,
    ) -> Result<EntrySeq, DeskError> {
        let facts: Facts = [("tried", tried), ("why", why)]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into();
        Ok(self.store.note(EntryDraft {
            at: self.now(),
            actor: actor.to_owned(),
            assurance: Assurance::Asserted,
            act: Act::Refuse,
            item: item.to_owned(),
            facts,
        })?)
    }

    /// An entry as it may be shown.
    pub(in crate::desk) fn entry_row(&self, one: EntryWithTexts) -> EntryRow {
        let draft = one.entry.draft;
        let part = |name: &str| {
            one.beside
                .iter()
                .find(|text| text.part == name)
                .map(|text| self.shown(&text.body).text)
        };
        EntryRow {
            seq: one.entry.seq,
            at: draft.at,
            act: draft.act,
            reason: part("reason").or_else(|| draft.facts.get("reason").cloned()),
            text: part("text").or_else(|| part("before")),
            item: draft.item,
            actor: draft.actor,
            assurance: draft.assurance,
            hash: one.hash,
            facts: draft.facts.into_iter().collect(),
        }
    }
}
