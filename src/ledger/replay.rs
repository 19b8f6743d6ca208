//! What the entries add up to: the state that the tables must agree with.
//!
//! Entries are the truth, tables a convenience. Whoever changes a table without an entry, or
//! writes an entry without its change, shows up as a difference.

use crate::domain::Act;
use crate::domain::candidate::CandidateState;
use crate::domain::entry::{Entry, Facts};
use crate::domain::memory::MemoryState;
use std::collections::{BTreeMap, BTreeSet};

/// Where one candidate stands, as far as entries and tables must agree on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CandidateFacts {
    /// Its version.
    pub version: u32,
    /// Where it stands.
    pub state: CandidateState,
    /// The commitment to its claim.
    pub commitment: String,
    /// The digest of everything else that never changes.
    pub frozen: Frozen,
    /// Held for somebody else.
    pub held: bool,
    /// Out of sight until then; 0 for not at all.
    pub snoozed_until: i64,
}

/// A digest as an entry holds it, or the forms a row's can take: equal where they meet. The salted
/// form came later than the plain one, and of an erased row neither is left.
#[derive(Debug, Clone, Eq)]
pub struct Frozen(pub Vec<String>);

impl PartialEq for Frozen {
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().any(|form| other.0.contains(form))
    }
}

/// What stands in the place of a commitment whose text was erased.
pub const ERASED: &str = "erased";

/// Evidence, as far as entries and tables must agree on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactFacts {
    /// What sort it is.
    pub kind: String,
    /// Where it came from.
    pub trust: String,
    /// The layer it was brought into.
    pub layer: String,
    /// How many bytes it has.
    pub length: String,
    /// Whether its bytes have gone.
    pub gone: bool,
}

/// Where one memory stands, as far as entries and tables must agree on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryFacts {
    /// Where it stands; expiry is computed and never stands here.
    pub state: MemoryState,
    /// The commitment to its text.
    pub commitment: String,
    /// Layer, project and session.
    pub scope: String,
    /// What sort of claim it is.
    pub kind: String,
    /// What it could cause.
    pub influence: String,
    /// How far it may be relied on.
    pub mode: String,
    /// When it ends.
    pub expires_at: i64,
    /// The line of versions it belongs to.
    pub lineage: i64,
    /// The entry that minted it.
    pub entry: i64,
    /// Who approved it.
    pub approved_by: String,
    /// When.
    pub approved_at: i64,
    /// The lowest trust over its sources.
    pub trust: String,
    /// The digest of what it cites.
    pub evidence: String,
}

/// A document, as far as entries and tables must agree on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentFacts {
    /// The hash of its bytes.
    pub sha256: String,
    /// The digest of its chunks' hashes.
    pub chunk_list: String,
    /// Whether it is still here.
    pub present: bool,
}

/// Everything that entries and tables must agree on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    /// Candidates by id.
    pub candidates: BTreeMap<i64, CandidateFacts>,
    /// Memories by id.
    pub memories: BTreeMap<i64, MemoryFacts>,
    /// Documents by id: the hashes of bytes and chunks, and whether they are still here.
    pub documents: BTreeMap<i64, DocumentFacts>,
    /// The digests of what is said of each event that arrived, by its id.
    pub events: BTreeMap<i64, String>,
    /// The digests of what is said of each compaction, by its entry.
    pub compactions: BTreeMap<i64, String>,
    /// The same for the sources of events, by name.
    pub event_sources: BTreeMap<String, String>,
    /// Evidence by its hash.
    pub artifacts: BTreeMap<String, ArtifactFacts>,
    /// What was erased, with the entry that says so.
    pub erased: BTreeMap<String, i64>,
    /// The thresholds that people set, by layer.
    pub thresholds: BTreeMap<String, String>,
    /// The patterns that were entered as speaking against a memory.
    pub stale: BTreeSet<(i64, i64)>,
    /// What a split or a merge said it would open, until it stands there.
    pub promised: BTreeMap<i64, String>,
    /// How many observations were taken in.
    pub observations: i64,
    /// The hash of the policy's text.
    pub policy: String,
    /// The hash of the shadow's text, empty for none.
    pub shadow: String,
}

impl State {
    /// Applies one entry.
    ///
    /// # Errors
    /// An entry that does not say what its act must say, or acts on what is not there.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), String> {
        let facts = &entry.draft.facts;
        match entry.draft.act {
            Act::Propose => self.propose(entry),
            Act::Approve | Act::Edit | Act::Auto => self.mint(entry),
            Act::Reject | Act::Release | Act::Confirm | Act::Hold | Act::Snooze | Act::Support => {
                self.move_candidate(entry)
            }
            Act::Endorse => self.endorse(entry),
            Act::Split | Act::Merge => self.reshape(entry),
            Act::Demote | Act::Restore | Act::Renew => self.move_memory(entry),
            Act::Undo => self.undo(entry),
            Act::DocumentAdd => self.add_document(entry),
            Act::DocumentRemove => self.remove_document(entry),
            Act::Observe => {
                self.observations = self.observations.saturating_add(integer(facts, "count")?);
                Ok(())
            }
            Act::Init => {
                need(facts, "policy_text")?.clone_into(&mut self.policy);
                Ok(())
            }
            Act::Policy => self.set_policy(entry),
            Act::Event => {
                let row = need(facts, "row")?.to_owned();
                self.events.insert(number(&entry.draft.item)?, row);
                Ok(())
            }
            Act::Compaction => {
                let row = need(facts, "row")?.to_owned();
                self.compactions.insert(entry.seq.0, row);
                Ok(())
            }
            Act::EventSource => {
                match facts.get("row") {
                    Some(row) => self
                        .event_sources
                        .insert(entry.draft.item.clone(), row.clone()),
                    None => self.event_sources.remove(&entry.draft.item),
                };
                Ok(())
            }
            Act::Thresholds => {
                let layer = facts.get("layer").cloned().unwrap_or_default();
                self.thresholds
                    .insert(layer, need(facts, "thresholds")?.to_owned());
                Ok(())
            }
            Act::Stale => {
                let pattern = number(need(facts, "pattern")?)?;
                self.stale.insert((number(&entry.draft.item)?, pattern));
                Ok(())
            }
            Act::Artifact => self.keep_artifact(entry),
            Act::Expire => self.lose_artifact(entry),
            Act::Erase => self.erase(entry),
            Act::Serve | Act::Withhold | Act::Refuse | Act::Report | Act::Reveal => Ok(()),
            Act::Reviewer | Act::Adopt => Ok(()),
            Act::Checkpoint | Act::Restored | Act::Regroup => Ok(()),
        }
    }

    fn add_document(&mut self, entry: &Entry) -> Result<(), String> {
        let facts = &entry.draft.facts;
        let document = DocumentFacts {
            sha256: need(facts, "sha256")?.to_owned(),
            chunk_list: need(facts, "chunk_list")?.to_owned(),
            present: true,
        };
        self.documents.insert(number(&entry.draft.item)?, document);
        Ok(())
    }

    fn remove_document(&mut self, entry: &Entry) -> Result<(), String> {
        let id = number(&entry.draft.item)?;
        let document = self.documents.get_mut(&id).ok_or_else(|| missing(entry))?;
        document.present = false;
        Ok(())
    }

    fn set_policy(&mut self, entry: &Entry) -> Result<(), String> {
        let slot = match entry.draft.item.as_str() {
            "policy" => &mut self.policy,
            "shadow" => &mut self.shadow,
            other => return Err(format!("changes `{other}`, which is no policy")),
        };
        need(&entry.draft.facts, "policy_text")?.clone_into(slot);
        Ok(())
    }

    /// Where this state and the tables disagree, named.
    #[must_use]
    pub fn differences(&self, tables: &Self) -> Vec<String> {
        let mut found = Vec::new();
        compare(
            "candidate C",
            &self.candidates,
            &tables.candidates,
            &mut found,
        );
        compare("memory M", &self.memories, &tables.memories, &mut found);
        compare("document K", &self.documents, &tables.documents, &mut found);
        compare("event V", &self.events, &tables.events, &mut found);
        compare(
            "compaction E",
            &self.compactions,
            &tables.compactions,
            &mut found,
        );
        if self.event_sources != tables.event_sources {
            found.push(
                "the sources of events were changed in their table without an entry".to_owned(),
            );
        }
        compare("artifact:", &self.artifacts, &tables.artifacts, &mut found);
        for (item, entry) in &self.erased {
            if tables.erased.get(item) != Some(entry) {
                found.push(format!(
                    "entry E-{entry} erased {item}, and its table says otherwise"
                ));
            }
        }
        for item in tables
            .erased
            .keys()
            .filter(|item| !self.erased.contains_key(*item))
        {
            found.push(format!(
                "{item} is marked as erased in its table and in no entry"
            ));
        }
        if self.thresholds != tables.thresholds {
            found.push("the thresholds were changed in their table without an entry".to_owned());
        }
        if self.stale != tables.stale {
            found.push(
                "what speaks against memories was changed in its table without an entry".to_owned(),
            );
        }
        for id in self.promised.keys() {
            found.push(format!(
                "candidate C-{id} was opened by a decision, and no entry made it"
            ));
        }
        if self.policy != tables.policy {
            found.push("the policy was changed in its table without an entry".to_owned());
        }
        if self.shadow != tables.shadow {
            found.push("the shadow policy was changed in its table without an entry".to_owned());
        }
        if self.observations != tables.observations {
            found.push(format!(
                "the ledger counts {} observations, the table holds {}",
                self.observations, tables.observations
            ));
        }
        found
    }

    fn propose(&mut self, entry: &Entry) -> Result<(), String> {
        let facts = &entry.draft.facts;
        if facts.contains_key("linked_to") && !facts.contains_key("text_commitment") {
            return Ok(()); // proposed again: linked, nothing changed
        }
        let candidate = CandidateFacts {
            version: 1,
            state: state_of(facts)?,
            commitment: need(facts, "text_commitment")?.to_owned(),
            frozen: frozen_of(facts)?,
            held: false,
            snoozed_until: 0,
        };
        let id = number(&entry.draft.item)?;
        if let Some(promised) = self.promised.remove(&id)
            && promised != candidate.commitment
        {
            return Err("is not the text that a decision opened it for".to_owned());
        }
        self.candidates.insert(id, candidate);
        Ok(())
    }

    /// A split or a merge closes what it names and says what it opens.
    fn reshape(&mut self, entry: &Entry) -> Result<(), String> {
        let facts = &entry.draft.facts;
        self.close(need(facts, "closes")?, CandidateState::Closed)?;
        for (at, id) in need(facts, "opens")?
            .split(' ')
            .filter(|id| !id.is_empty())
            .enumerate()
        {
            let commitment = need(facts, &format!("part_{}", at + 1))?.to_owned();
            self.promised.insert(number(id)?, commitment);
        }
        Ok(())
    }

    /// Moves every candidate of a list to this state.
    fn close(&mut self, list: &str, state: CandidateState) -> Result<(), String> {
        for id in list.split(' ') {
            let candidate = self.candidates.get_mut(&number(id)?);
            let candidate =
                candidate.ok_or_else(|| format!("acts on {id}, which no entry before it made"))?;
            candidate.state = state;
            candidate.version = candidate.version.saturating_add(1);
            candidate.held = false;
            candidate.snoozed_until = 0;
        }
        Ok(())
    }

    fn mint(&mut self, entry: &Entry) -> Result<(), String> {
        self.move_candidate(entry)?;
        let facts = &entry.draft.facts;
        let id = number(need(facts, "memory")?)?;
        let memory = MemoryFacts {
            lineage: self.replace(entry)?.unwrap_or(id),
            state: MemoryState::Active,
            commitment: need(facts, "text_commitment")?.to_owned(),
            scope: scope_of(facts)?,
            kind: need(facts, "kind")?.to_owned(),
            influence: need(facts, "influence")?.to_owned(),
            mode: need(facts, "mode")?.to_owned(),
            expires_at: integer(facts, "expires_at")?,
            entry: entry.seq.0,
            approved_by: entry.draft.actor.clone(),
            approved_at: entry.draft.at.millis(),
            trust: need(facts, "trust")?.to_owned(),
            evidence: need(facts, "evidence")?.to_owned(),
        };
        self.memories.insert(id, memory);
        Ok(())
    }

    /// The memory that an approval takes the place of is served no longer; the new one joins its line.
    fn replace(&mut self, entry: &Entry) -> Result<Option<i64>, String> {
        let Some(old) = entry.draft.facts.get("supersedes") else {
            return Ok(None);
        };
        let memory = self
            .memories
            .get_mut(&number(old)?)
            .ok_or_else(|| format!("supersedes {old}, which no entry before it made"))?;
        if memory.state != MemoryState::Active {
            return Err(format!(
                "supersedes {old}, which was {} by then",
                memory.state
            ));
        }
        memory.state = MemoryState::Superseded;
        Ok(Some(memory.lineage))
    }

    fn move_candidate(&mut self, entry: &Entry) -> Result<(), String> {
        let facts = &entry.draft.facts;
        let key = facts
            .get("candidate")
            .map_or(&entry.draft.item, |candidate| candidate);
        let candidate = self
            .candidates
            .get_mut(&number(key)?)
            .ok_or_else(|| missing(entry))?;
        candidate.state = state_of(facts)?;
        candidate.version = u32::try_from(integer(facts, "version")?).unwrap_or(u32::MAX);
        candidate.held = facts.get("held").is_some_and(|value| value == "yes");
        candidate.snoozed_until = if facts.contains_key("snoozed_until") {
            integer(facts, "snoozed_until")?
        } else {
            0
        };
        Ok(())
    }

    fn move_memory(&mut self, entry: &Entry) -> Result<(), String> {
        let facts = &entry.draft.facts;
        let memory = self
            .memories
            .get_mut(&number(&entry.draft.item)?)
            .ok_or_else(|| missing(entry))?;
        memory.state =
            MemoryState::parse(need(facts, "memory_state")?).map_err(|e| e.to_string())?;
        if entry.draft.act == Act::Renew || facts.contains_key("expires_at") {
            memory.expires_at = integer(facts, "expires_at")?;
        }
        Ok(())
    }

    /// A first approval moves its candidate's version; a first re-verification moves nothing.
    fn endorse(&mut self, entry: &Entry) -> Result<(), String> {
        if entry.draft.item.starts_with("M-") {
            let known = self.memories.contains_key(&number(&entry.draft.item)?);
            return if known { Ok(()) } else { Err(missing(entry)) };
        }
        self.move_candidate(entry)
    }

    fn keep_artifact(&mut self, entry: &Entry) -> Result<(), String> {
        let facts = &entry.draft.facts;
        let artifact = ArtifactFacts {
            kind: need(facts, "kind")?.to_owned(),
            trust: need(facts, "trust")?.to_owned(),
            layer: need(facts, "layer")?.to_owned(),
            length: need(facts, "length")?.to_owned(),
            gone: false,
        };
        self.artifacts.insert(address(&entry.draft.item)?, artifact);
        Ok(())
    }

    fn lose_artifact(&mut self, entry: &Entry) -> Result<(), String> {
        let artifact = self.artifacts.get_mut(&address(&entry.draft.item)?);
        artifact.ok_or_else(|| missing(entry))?.gone = true;
        Ok(())
    }

    /// Erasing takes a text out of every place; a memory among them is served no longer.
    fn erase(&mut self, entry: &Entry) -> Result<(), String> {
        let (facts, item) = (&entry.draft.facts, &entry.draft.item);
        self.erased.insert(item.clone(), entry.seq.0);
        if item.starts_with("artifact:") {
            return self.lose_artifact(entry);
        }
        if !facts.contains_key("status") {
            return Ok(()); // an observation: its batch still holds its hash
        }
        self.move_candidate(entry)?;
        if let Some(candidate) = self.candidates.get_mut(&number(item)?) {
            ERASED.clone_into(&mut candidate.commitment);
            candidate.frozen = Frozen(vec![ERASED.to_owned()]);
        }
        for id in facts
            .get("memories")
            .into_iter()
            .flat_map(|ids| ids.split(' '))
        {
            let memory = self
                .memories
                .get_mut(&number(id)?)
                .ok_or_else(|| missing(entry))?;
            ERASED.clone_into(&mut memory.commitment);
            if memory.state == MemoryState::Active {
                memory.state = MemoryState::Demoted;
            }
        }
        Ok(())
    }

    fn undo(&mut self, entry: &Entry) -> Result<(), String> {
        if let Some(list) = entry.draft.facts.get("closes") {
            self.close(list, CandidateState::Closed)?;
        }
        if let Some(list) = entry.draft.facts.get("reopens") {
            self.close(list, CandidateState::Pending)?;
        }
        if let Some(old) = entry.draft.facts.get("returns") {
            let memory = self.memories.get_mut(&number(old)?);
            memory.ok_or_else(|| missing(entry))?.state = MemoryState::Active;
        }
        if entry.draft.facts.contains_key("memory_state") {
            self.move_memory(entry)?;
        }
        if entry.draft.facts.contains_key("status") {
            self.move_candidate(entry)?;
        }
        Ok(())
    }
}

/// Layer, project and session as one comparable text.
#[must_use]
pub fn scope_key(layer: &str, project: Option<&str>, session: Option<&str>) -> String {
    format!(
        "{layer}\0{}\0{}",
        project.unwrap_or_default(),
        session.unwrap_or_default()
    )
}

fn scope_of(facts: &Facts) -> Result<String, String> {
    let optional = |key: &str| facts.get(key).map(String::as_str);
    Ok(scope_key(
        need(facts, "layer")?,
        optional("project"),
        optional("session"),
    ))
}

fn compare<K: Ord + std::fmt::Display, T: PartialEq>(
    what: &str,
    ledger: &BTreeMap<K, T>,
    tables: &BTreeMap<K, T>,
    found: &mut Vec<String>,
) {
    let what = |id: &K| {
        let dash = if what.ends_with(':') { "" } else { "-" };
        format!("{what}{dash}{id}")
    };
    for (id, said) in ledger {
        match tables.get(id) {
            None => found.push(format!(
                "{} is in the ledger and not in its table",
                what(id)
            )),
            Some(kept) if kept != said => {
                found.push(format!(
                    "{} was changed in its table without an entry",
                    what(id)
                ));
            }
            Some(_) => {}
        }
    }
    for id in tables.keys().filter(|id| !ledger.contains_key(id)) {
        found.push(format!(
            "{} is in its table and not in the ledger",
            what(id)
        ));
    }
}

fn need<'a>(facts: &'a Facts, key: &str) -> Result<&'a str, String> {
    facts
        .get(key)
        .map(String::as_str)
        .ok_or_else(|| format!("does not say its `{key}`"))
}

fn frozen_of(facts: &Facts) -> Result<Frozen, String> {
    let salted = facts.get("frozen_commitment").map(|form| Ok(form.clone()));
    let form = salted.unwrap_or_else(|| need(facts, "frozen").map(str::to_owned))?;
    Ok(Frozen(vec![form]))
}

fn integer(facts: &Facts, key: &str) -> Result<i64, String> {
    need(facts, key)?
        .parse()
        .map_err(|_| format!("its `{key}` is not a number"))
}

fn state_of(facts: &Facts) -> Result<CandidateState, String> {
    CandidateState::parse(need(facts, "status")?).map_err(|error| error.to_string())
}

fn address(item: &str) -> Result<String, String> {
    item.strip_prefix("artifact:")
        .map(str::to_owned)
        .ok_or_else(|| format!("acts on `{item}`, which is no artifact"))
}

fn number(item: &str) -> Result<i64, String> {
    let digits = item.rsplit('-').next().unwrap_or_default();
    digits
        .parse()
        .map_err(|_| format!("acts on `{item}`, which is no id"))
}

fn missing(entry: &Entry) -> String {
    format!(
        "acts on {}, which no entry before it made",
        entry.draft.item
    )
}
