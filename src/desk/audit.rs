//! Reading the ledger, and saying whether it is whole.
//!
//! Verifying reads on two threads and judges on a third: the disk and the hashes do not wait for
//! each other.

use crate::desk::view::EntryRow;
use crate::desk::{Desk, DeskError};
use crate::domain::entry::{Beside, EntryDraft, Facts};
use crate::domain::query::{Query, Searched};
use crate::domain::{Act, Assurance, Digest, EntrySeq, Time};
use crate::ledger::contents::Contents;
use crate::ledger::replay::State;
use crate::ledger::scan::Scanned;
use crate::ledger::verify::{Verifier, beside_matches};
use crate::store::ledger::EntryWithTexts;
use crate::store::recall::KeptEntry;
use crate::store::served::{Incoming, WrongTexts};
use crate::store::walk::{Entries, Filed, KeptRow, Step};
use std::collections::{BTreeMap, BTreeSet};

/// How many problems are listed; the first says where to look.
const LISTED: usize = 100;
/// How many steps may lie between two threads: enough that none waits for the other's turn on a
/// busy machine.
const AHEAD: usize = 32;
/// The texts that a decision keeps beside its entry.
const PARTS: &[&str] = &["before", "reason", "text"];

/// Whether the ledger is whole and the tables agree with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// Whether nothing is wrong.
    pub ok: bool,
    /// How many entries there are.
    pub entries: u64,
    /// The hash of the newest.
    pub head: Option<Digest>,
    /// The root of the Merkle tree over them.
    pub root: Digest,
    /// What is wrong.
    pub problems: Vec<String>,
    /// The newest checkpoint of each key, as entries tell of it.
    pub anchors: Vec<Anchor>,
    /// What was erased, and by whom.
    pub erased: Vec<ErasedItem>,
    /// The roots at the sizes that were asked for, computed from the entries' bytes.
    pub roots: BTreeMap<u64, Digest>,
}

/// An entry that tells of a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// Who made it.
    pub by: String,
    /// The key that signed it, in short.
    pub key: String,
    /// How many entries it covers.
    pub size: u64,
    /// When.
    pub at: Time,
}

/// Something that was erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErasedItem {
    /// What.
    pub item: String,
    /// The entry that says so.
    pub entry: EntrySeq,
    /// Who did it.
    pub by: String,
    /// When.
    pub at: Time,
}

impl Desk {
    /// Re-hashes every entry and everything they commit to, replays them, and compares with the tables.
    ///
    /// # Errors
    /// The store cannot be read at all.
    pub fn verify(&self) -> Result<Verification, DeskError> {
        self.verify_at(&[])
    }

    /// The same, and tells the roots at these sizes.
    ///
    /// # Errors
    /// The store cannot be read at all.
    pub fn verify_at(&self, sizes: &[u64]) -> Result<Verification, DeskError> {
        let (send, steps) = crossbeam_channel::bounded::<Step>(AHEAD);
        let (serve, servings) = crossbeam_channel::bounded(AHEAD);
        let auditor = Auditor::new(sizes, Incoming::new(servings));
        let (walked, judged) = std::thread::scope(|threads| {
            let judge = threads.spawn(move || auditor.judge(steps.into_iter()));
            let mut each = |step| {
                // A judge that is gone has panicked: joining says so.
                let _ = send.send(step);
            };
            let walked = self.store.walk(&mut each, serve);
            drop(send);
            (walked, judge.join())
        });
        let wrong = walked?;
        let mut auditor =
            judged.map_err(|_| DeskError::NotPossible("verifying failed inside".to_owned()))?;
        auditor.wrong_texts(&wrong);
        let (mut found, decisions) = auditor.finish(sizes);
        found.problems.extend(self.unbelieved(&decisions)?);
        found.problems.extend(self.changed_artifacts()?);
        found.ok = found.problems.is_empty();
        found.problems.truncate(LISTED);
        Ok(found)
    }

    /// Artifacts whose bytes are not, or no longer, the ones that were kept; or still are.
    fn changed_artifacts(&self) -> Result<Vec<String>, DeskError> {
        let mut found = Vec::new();
        let gone = self.store.artifacts_gone()?;
        for head in self.store.artifacts()? {
            let address = head.sha256;
            if gone.contains(&address) {
                if self.store.artifact_is_on_disk(&address) {
                    found.push(format!(
                        "artifact:{address} has gone by its entry, its bytes are still on disk: run `countersign store sweep`"
                    ));
                }
                continue;
            }
            if !head.present && head.expires_at > self.now() {
                found.push(format!(
                    "the bytes of artifact:{address} are missing from disk"
                ));
            }
            if head.present && !self.store.artifact_is_whole(&address)? {
                found.push(format!(
                    "the bytes of artifact:{address} were changed on disk"
                ));
            }
        }
        Ok(found)
    }

    /// Entries before a place that a query asks for, newest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn entries(
        &self,
        before: Option<EntrySeq>,
        query: &Query,
        limit: usize,
    ) -> Result<Searched<EntryRow, EntrySeq>, DeskError> {
        let found = self.store.entries(
            before,
            query,
            self.now(),
            &|text| self.shown(text).text,
            limit,
        )?;
        let rows = found.rows.into_iter().map(|entry| self.entry_row(entry));
        Ok(Searched {
            rows: rows.collect(),
            more: found.more,
            left_at: found.left_at,
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

/// Holds everything a walk brings against the entries.
struct Auditor {
    verifier: Verifier,
    state: State,
    contents: Contents,
    servings: Incoming,
    entries: u64,
    decisions: Vec<KeptEntry>,
    missing: Vec<(EntrySeq, String, String)>,
    erased: Vec<ErasedItem>,
    erased_items: BTreeSet<String>,
    anchors: BTreeMap<String, Anchor>,
    problems: Vec<String>,
}

impl Auditor {
    fn new(sizes: &[u64], servings: Incoming) -> Self {
        Self {
            verifier: Verifier::remembering(sizes),
            state: State::default(),
            contents: Contents::default(),
            servings,
            entries: 0,
            decisions: Vec::new(),
            missing: Vec::new(),
            erased: Vec::new(),
            erased_items: BTreeSet::new(),
            anchors: BTreeMap::new(),
            problems: Vec::new(),
        }
    }

    fn judge(mut self, steps: impl Iterator<Item = Step>) -> Self {
        for step in steps {
            match step {
                Step::Entries(entries) => self.take(&entries),
                Step::Nodes(nodes) => nodes
                    .iter()
                    .for_each(|(node, hash)| self.verifier.node(*node, hash)),
                Step::Observations(rows) => {
                    for (id, row) in rows {
                        self.contents.observation(id, row);
                    }
                }
                Step::End { seq, hash, tables } => {
                    self.contents.end_of_servings(&mut self.servings);
                    self.verifier.end(seq, &hash);
                    self.problems.extend(self.state.differences(&tables));
                }
            }
        }
        self
    }

    fn wrong_texts(&mut self, wrong: &WrongTexts) {
        self.problems.extend(wrong.iter().map(|(memory, serving)| {
            format!("serving {serving} says it handed over {memory} with another text than it has")
        }));
    }

    fn take(&mut self, entries: &Entries) {
        let mut beside = entries.beside.iter().peekable();
        let orphan =
            |seq: EntrySeq| format!("a text is kept beside {seq}, and there is no such entry");
        for row in entries.iter() {
            let seq = row.seq;
            self.entries += 1;
            let found = self.verifier.take(seq, row.bytes, row.hash);
            while let Some((owner, _)) = beside.next_if(|(owner, _)| owner.0 < seq) {
                self.problems.push(orphan(*owner));
            }
            let mut texts: Vec<&Beside> = Vec::new();
            while let Some((_, text)) = beside.next_if(|(owner, _)| owner.0 == seq) {
                texts.push(text);
            }
            if let Some(entry) = found {
                self.check_filed(&entry, row);
                self.check_beside(&entry, &texts);
                self.entry(&entry);
            }
        }
        self.problems
            .extend(beside.map(|(owner, _)| orphan(*owner)));
    }

    /// What an entry is looked up by is what it says. Decisions are kept for whoever believes them.
    fn check_filed(&mut self, entry: &Scanned<'_>, row: KeptRow<'_>) {
        let filed = Filed {
            act: entry.act.code(),
            at: entry.at.millis(),
            item: &entry.item(),
            actor: &entry.actor(),
        };
        if filed != row.filed {
            self.problems.push(format!(
                "entry E-{} is filed under what it does not say",
                row.seq
            ));
        }
        if entry.act.is_decision() {
            self.decisions.push(KeptEntry {
                seq: EntrySeq(row.seq),
                bytes: row.bytes.to_owned(),
                hash: row.hash.unwrap_or(Digest::ZERO),
            });
        }
    }

    fn entry(&mut self, entry: &Scanned<'_>) {
        if entry.act == Act::Serve {
            return self.contents.serve(entry, &mut self.servings);
        }
        self.contents.entry(entry);
        if matches!(entry.act, Act::Withhold | Act::Refuse | Act::Reveal) {
            return; // they change no state
        }
        if entry.act == Act::Checkpoint {
            let key = entry.fact("key").unwrap_or_default().to_owned();
            let anchor = Anchor {
                by: entry.actor().into_owned(),
                key: key.clone(),
                size: entry.number("size").unwrap_or(0).unsigned_abs(),
                at: entry.at,
            };
            self.anchors.insert(key, anchor);
        }
        let seq = EntrySeq(entry.seq);
        if entry.act == Act::Erase {
            let item = entry.item().into_owned();
            let memories = entry.fact("memories").unwrap_or_default();
            self.erased_items
                .extend(memories.split(' ').map(str::to_owned));
            self.erased_items.insert(item.clone());
            self.erased.push(ErasedItem {
                item,
                entry: seq,
                by: entry.actor().into_owned(),
                at: entry.at,
            });
        }
        if let Err(why) = self.state.apply(&entry.entry()) {
            self.problems.push(format!("entry {seq} {why}"));
        }
    }

    fn check_beside(&mut self, entry: &Scanned<'_>, texts: &[&Beside]) {
        let seq = EntrySeq(entry.seq);
        for text in texts.iter().filter(|text| !beside_matches(entry, text)) {
            self.problems.push(format!(
                "the {} kept beside entry {seq} is not the one it commits to",
                text.part
            ));
        }
        if !entry.act.is_decision() {
            return;
        }
        let item = entry.item();
        for part in entry.facts_ending("_commitment") {
            let kept = texts.iter().any(|text| text.part == part);
            if PARTS.contains(&part) && !kept {
                self.missing
                    .push((seq, item.clone().into_owned(), part.to_owned()));
            }
        }
    }

    /// What came of it, and the decisions that somebody has yet to believe.
    fn finish(self, sizes: &[u64]) -> (Verification, Vec<KeptEntry>) {
        let head = (self.entries > 0).then(|| self.verifier.head().hash);
        let root = self.verifier.root();
        let roots = sizes
            .iter()
            .filter_map(|size| Some((*size, self.verifier.root_at(*size)?)))
            .collect();
        let mut problems = self.verifier.into_problems();
        problems.extend(self.problems);
        problems.extend(self.contents.into_problems());
        let missing = self
            .missing
            .iter()
            .filter(|(_, item, _)| !self.erased_items.contains(item));
        problems.extend(missing.map(|(seq, _, part)| {
            format!("the {part} that entry {seq} commits to is gone, and no entry erased it")
        }));
        let mut anchors: Vec<Anchor> = self.anchors.into_values().collect();
        anchors.sort_by_key(|anchor| std::cmp::Reverse(anchor.size));
        let found = Verification {
            ok: problems.is_empty(),
            entries: self.entries,
            head,
            root,
            problems,
            anchors,
            erased: self.erased,
            roots,
        };
        (found, self.decisions)
    }
}
