//! Recall: approved, unexpired, verified memories of a scope, inside a budget, logged.
//!
//! The serving is durable before anything is handed over. What does not verify is withheld, named
//! and recorded, never served. Nothing here reads a candidate, an artifact or the quarantine.

use crate::desk::life::life;
use crate::desk::signing::Grounds;
use crate::desk::{Desk, DeskError};
use crate::domain::document::Passage;
use crate::domain::entry::Entry;
use crate::domain::memory::{Memory, MemoryState, Mode};
use crate::domain::reviewer::Footing;
use crate::domain::{
    Act, Digest, Influence, MemoryId, Scope, ServingId, SourceRef, Time, TraceParent,
};
use crate::keys::Reviewers;
use crate::ledger::canonical::{decode, leaf_hash};
use crate::ledger::replay::scope_key;
use crate::render::Record;
use crate::store::decide::sources_digest;
use crate::store::recall::{FoundPassage, KeptEntry, NewServing, Recalled};
use std::collections::BTreeSet;

/// How many memories are looked at for one recall.
const LOOKED_AT: usize = 200;
/// How many passages of documents answer one query.
const PASSAGES: usize = 5;
/// The budget where none is given, in characters.
const BUDGET: usize = 8000;

/// In which form memories are handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RecallFormat {
    /// Records, for programs.
    #[default]
    Json,
    /// Lines, for people.
    Text,
    /// A context block, for agents.
    Block,
}

impl RecallFormat {
    /// Every form.
    pub const ALL: &'static [Self] = &[Self::Json, Self::Text, Self::Block];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "text",
            Self::Block => "block",
        }
    }
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct RecallRequest {
    /// From where.
    pub viewer: Scope,
    /// In which words, if in any.
    pub query: Option<String>,
    /// How many characters may be handed over.
    pub budget: Option<usize>,
    /// In which form.
    pub format: RecallFormat,
    /// Who asks, in a word.
    pub actor: String,
    /// The trace of whoever asks, where it said so.
    pub trace: Option<TraceParent>,
}

/// One memory as it is handed over.
#[derive(Debug, Clone, PartialEq)]
pub struct Served {
    /// The memory.
    pub memory: Memory,
    /// The hash of its bytes.
    pub sha256: Digest,
    /// What enough people say against it since a person last decided on it.
    pub stale: Vec<String>,
}

/// What was handed over.
#[derive(Debug, Clone, PartialEq)]
pub struct Recall {
    /// The log's id of it.
    pub serving: ServingId,
    /// The memories, best first.
    pub records: Vec<Served>,
    /// Passages of documents, kept apart from what was learned.
    pub documents: Vec<Passage>,
    /// Memories that did not verify, and why.
    pub withheld: Vec<(MemoryId, String)>,
    /// The rendered form, for text and block.
    pub rendered: String,
    /// How it is known that people approved these.
    pub assurance: Footing,
}

impl Desk {
    /// Hands memories over, and logs it first.
    ///
    /// # Errors
    /// The store cannot be read or the serving cannot be logged: then nothing is handed over.
    pub fn recall(&self, request: &RecallRequest) -> Result<Recall, DeskError> {
        self.recall_few(request, usize::MAX)
    }

    /// The same, at most so many memories.
    ///
    /// # Errors
    /// As `recall`.
    pub fn recall_few(&self, request: &RecallRequest, limit: usize) -> Result<Recall, DeskError> {
        let now = self.now();
        let query = request
            .query
            .as_deref()
            .map(str::trim)
            .filter(|query| !query.is_empty());
        let grounds = self.grounds()?;
        let found = self.store.recall(&request.viewer, query, now, LOOKED_AT)?;
        let mut withheld = Vec::new();
        let mut sound = Vec::new();
        for recalled in found {
            match self.check(&grounds, &recalled, &request.viewer, now) {
                Ok(()) => sound.push(recalled.memory),
                Err(why) => withheld.push((recalled.memory.id, why)),
            }
        }
        rank(&mut sound, query);
        let budget = request.budget.unwrap_or(BUDGET);
        sound.truncate(limit);
        let mut records = within(sound, budget);
        self.mark_contradicted(&mut records, now)?;
        let documents = match query {
            Some(query) => self.sound_passages(&grounds.list, &request.viewer, query)?,
            None => Vec::new(),
        };
        let rendered = render(request.format, &records, &documents, budget);
        let handed_over = if rendered.is_empty() {
            joined(&records)
        } else {
            rendered.clone()
        };
        let serving = self.store.serve(NewServing {
            at: now,
            actor: request.actor.clone(),
            scope: request.viewer.clone(),
            format: request.format.as_str().to_owned(),
            block: Digest::of(handed_over.as_bytes()),
            bytes: handed_over.len() as u64,
            memories: records
                .iter()
                .map(|one| (one.memory.id, one.sha256))
                .collect(),
            withheld: withheld.clone(),
            trace: request.trace,
        })?;
        Ok(Recall {
            serving,
            records,
            documents,
            withheld,
            rendered,
            assurance: grounds.list.footing(),
        })
    }

    /// Whether a memory's bytes and everything said of them are what a person approved.
    pub(in crate::desk) fn verify_text(&self, memory: &Memory) -> Result<(), String> {
        let recalled = self
            .store
            .recalled(memory.id)
            .map_err(|error| error.to_string())?;
        check_minted(&recalled)?;
        let grounds = self.grounds().map_err(|error| error.to_string())?;
        self.check_people(&grounds, &recalled)
    }

    /// Whether those who decided about a memory were people that this store believes.
    fn check_people(&self, grounds: &Grounds, recalled: &Recalled) -> Result<(), String> {
        let list = &grounds.list;
        let minted = recalled
            .minted
            .as_ref()
            .ok_or("no entry in the ledger approved it")?;
        // What passed without a person has nobody's signature: the policy that let it pass has.
        let passed = decode(&minted.bytes)
            .ok()
            .filter(|entry| entry.draft.act == Act::Auto);
        let Some(passed) = passed else {
            self.check_countersigned(grounds, &recalled.memory, minted)?;
            return self.check_turns(grounds, recalled);
        };
        if list.footing() != Footing::Signed {
            return Ok(());
        }
        self.check_turns(grounds, recalled)?;
        let text = passed.draft.facts.get("policy_text");
        let let_it_pass = |kept: &&KeptEntry| {
            decode(&kept.bytes).is_ok_and(|entry| entry.draft.facts.get("policy_text") == text)
        };
        let mut policies = recalled.policies.iter().filter(let_it_pass);
        if policies.any(|kept| self.check_entry(list, kept).is_ok()) {
            return Ok(());
        }
        Err("the policy that let it pass was signed by nobody who may".to_owned())
    }

    /// Passages whose document is, chunk for chunk, the one a person added. Others are left out.
    fn sound_passages(
        &self,
        list: &Reviewers,
        viewer: &Scope,
        query: &str,
    ) -> Result<Vec<Passage>, DeskError> {
        let found = self.store.passages(viewer, query, PASSAGES)?;
        let sound = |one: &FoundPassage| {
            let added = one
                .added
                .as_ref()
                .map(|kept| sound_entry(kept, &[Act::DocumentAdd]));
            let list = one.chunk_list.to_string();
            matches!(added, Some(Ok(entry)) if entry.draft.facts.get("chunk_list") == Some(&list)
                && entry.draft.facts.get("layer").is_some_and(|layer| layer == one.passage.layer.as_str()))
        };
        // A document whose removal was undone behind the ledger's back stays removed.
        let stands = |one: &FoundPassage| {
            let item = one.passage.document.to_string();
            let newest = self.store.decisions_on(&item, 1);
            newest.is_ok_and(|newest| {
                newest
                    .first()
                    .is_some_and(|one| one.entry.draft.act == Act::DocumentAdd)
            })
        };
        let signed = |one: &FoundPassage| {
            list.footing() != Footing::Signed
                || one
                    .added
                    .as_ref()
                    .is_some_and(|kept| self.check_entry(list, kept).is_ok())
        };
        let visible = |one: &FoundPassage| one.passage.layer.is_visible_from(&viewer.layer);
        Ok(found
            .into_iter()
            .filter(|one| sound(one) && visible(one) && signed(one) && stands(one))
            .map(|one| one.passage)
            .collect())
    }

    /// What was approved on a receipt holds while the receipt does.
    pub(in crate::desk) fn check_receipts(&self, memory: &Memory) -> Result<(), String> {
        for source in &memory.sources {
            if let SourceRef::Receipt(id) = source {
                let objection = self
                    .receipt_objection(*id, &memory.scope.layer)
                    .map_err(|error| error.to_string())?;
                objection.map_or(Ok(()), Err)?;
            }
        }
        Ok(())
    }

    pub(in crate::desk) fn check(
        &self,
        grounds: &Grounds,
        recalled: &Recalled,
        viewer: &Scope,
        now: Time,
    ) -> Result<(), String> {
        let memory = &recalled.memory;
        holds_here(memory, viewer, now)?;
        check_minted(recalled)?;
        check_not_turned(recalled)?;
        self.check_not_replaced(&grounds.list, recalled)?;
        self.check_receipts(memory)?;
        self.check_people(grounds, recalled)?;
        if !self.shown(&memory.text).masked.is_empty() {
            return Err("it holds a secret by the rules in force now".to_owned());
        }
        Ok(())
    }
}

/// Whether a memory is active and holds for a viewer, before anything is asked of its proofs.
pub(in crate::desk) fn holds_here(
    memory: &Memory,
    viewer: &Scope,
    now: Time,
) -> Result<(), String> {
    if !memory.scope.is_visible_from(viewer) {
        return Err("it does not hold here".to_owned());
    }
    if memory.state_at(now) != MemoryState::Active {
        return Err("it is not active".to_owned());
    }
    Ok(())
}

/// INVARIANT: bytes recalled = bytes approved. Everything a row says is held against the entry
/// that minted it, so that a row edited behind the ledger's back is not served.
fn check_minted(recalled: &Recalled) -> Result<(), String> {
    let memory = &recalled.memory;
    let kept = recalled
        .minted
        .as_ref()
        .ok_or("no entry in the ledger approved it")?;
    let minted = sound_entry(kept, &[Act::Approve, Act::Edit, Act::Auto])?;
    if minted.draft.act == Act::Auto {
        check_passed(&minted, recalled)?;
    }
    let ends = life(&minted, &recalled.turns)?.ends;
    let facts = &minted.draft.facts;
    let says = |key: &str| facts.get(key).map(String::as_str).unwrap_or_default();
    if says("memory") != memory.id.to_string() {
        return Err(format!("{} approved another memory", kept.seq));
    }
    if says("text_commitment") != memory.commitment().to_string() {
        return Err(format!(
            "its bytes are not those that {} approved",
            kept.seq
        ));
    }
    let optional = |key: &str| facts.get(key).map(String::as_str);
    let approved_scope = scope_key(says("layer"), optional("project"), optional("session"));
    let scope = &memory.scope;
    let own_scope = scope_key(
        scope.layer.as_str(),
        scope.project.as_ref().map(crate::domain::Project::as_str),
        scope.session.as_ref().map(crate::domain::SessionId::as_str),
    );
    let same = approved_scope == own_scope
        && says("kind") == memory.kind.as_str()
        && says("influence") == memory.influence.as_str()
        && says("mode") == memory.mode.as_str()
        && ends == memory.expires_at
        && says("trust") == memory.trust.as_str()
        && says("evidence") == sources_digest(&memory.sources).to_string()
        && memory.approved_by == [minted.draft.actor.as_str()]
        && memory.approved_at == minted.draft.at;
    if same {
        Ok(())
    } else {
        Err(format!(
            "what is said of it is not what {} approved",
            kept.seq
        ))
    }
}

/// INVARIANT: what the policy let pass is served only under a policy that a person put in force,
/// as advisory, in the policy's name.
fn check_passed(minted: &Entry, recalled: &Recalled) -> Result<(), String> {
    let text = minted.draft.facts.get("policy_text");
    let decided = recalled.policies.iter().any(|kept| {
        sound_entry(kept, &[Act::Init, Act::Policy])
            .is_ok_and(|entry| text.is_some() && entry.draft.facts.get("policy_text") == text)
    });
    if !decided {
        return Err("no person put the policy that let it pass in force".to_owned());
    }
    if recalled.memory.mode != Mode::Advisory || recalled.memory.influence != Influence::Style {
        return Err("it is more than a policy may let pass".to_owned());
    }
    Ok(())
}

/// The newest entry about the memory itself must leave it active.
fn check_not_turned(recalled: &Recalled) -> Result<(), String> {
    let Some(kept) = recalled.turns.last() else {
        return Ok(());
    };
    let turned = sound_entry(kept, &[Act::Demote, Act::Restore, Act::Renew, Act::Undo])?;
    match turned.draft.facts.get("memory_state").map(String::as_str) {
        Some("active") => Ok(()),
        _ => Err(format!("{} took it out of service", kept.seq)),
    }
}

pub(in crate::desk) fn sound_entry(kept: &KeptEntry, acts: &[Act]) -> Result<Entry, String> {
    if leaf_hash(&kept.bytes) != kept.hash {
        return Err(format!("{} was changed after it was written", kept.seq));
    }
    let entry = decode(&kept.bytes).map_err(|error| format!("{}: {error}", kept.seq))?;
    if !acts.contains(&entry.draft.act) || entry.seq != kept.seq {
        return Err(format!("{} is no approval of it", kept.seq));
    }
    Ok(entry)
}

/// Most of the asked words first, then the nearest layer, then the newest.
fn rank(memories: &mut [Memory], query: Option<&str>) {
    let words = query.map(words_of).unwrap_or_default();
    memories.sort_by_cached_key(|memory| {
        let matched = words_of(&memory.text).intersection(&words).count();
        (
            std::cmp::Reverse(matched),
            std::cmp::Reverse(memory.scope.layer.depth()),
            std::cmp::Reverse(memory.approved_at),
            std::cmp::Reverse(memory.id),
        )
    });
}

fn words_of(text: &str) -> BTreeSet<String> {
    crate::text::key(text)
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// As many as fit, in order; one that does not fit does not keep smaller ones out.
fn within(memories: Vec<Memory>, budget: usize) -> Vec<Served> {
    let served: Vec<Served> = memories
        .into_iter()
        .map(|memory| Served {
            sha256: memory.sha256(),
            stale: Vec::new(),
            memory,
        })
        .collect();
    let list: Vec<Record> = served.iter().map(record).collect();
    let fitting: BTreeSet<usize> = crate::render::fitting(&list, budget).into_iter().collect();
    served
        .into_iter()
        .enumerate()
        .filter(|(at, _)| fitting.contains(at))
        .map(|(_, one)| one)
        .collect()
}

pub(in crate::desk) fn record(served: &Served) -> Record {
    let memory = &served.memory;
    Record {
        id: memory.id.to_string(),
        text: memory.text.clone(),
        layer: memory.scope.layer.clone(),
        kind: memory.kind,
        influence: memory.influence,
        mode: memory.mode,
        expires_at: memory.expires_at,
        sources: memory.sources.len(),
        sha256: served.sha256,
    }
}

fn render(
    format: RecallFormat,
    records: &[Served],
    documents: &[Passage],
    budget: usize,
) -> String {
    let list: Vec<Record> = records.iter().map(record).collect();
    match format {
        RecallFormat::Json => String::new(),
        RecallFormat::Text => {
            framed(&(crate::render::text(&list) + &crate::render::passages(documents)))
        }
        RecallFormat::Block => crate::render::block(&list, documents, budget).0,
    }
}

/// The form for people carries the mark too, so that it is known again when it comes back.
fn framed(text: &str) -> String {
    format!(
        "{}form=\"text\">\n{text}</countersign-memory>\n",
        crate::render::MARK
    )
}

fn joined(records: &[Served]) -> String {
    records
        .iter()
        .map(|one| one.memory.text.as_str())
        .collect::<Vec<_>>()
        .join("\n")
}
