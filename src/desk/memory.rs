//! Looking after memories: the list with what is stale on top, and one in full.

use crate::desk::staleness::{Against, Staleness, facts_of, key, window};
use crate::desk::view::{
    MarkedMemory, MemoryPlace, MemoryRow, MemorySort, MemoryView, Page, ServingRow, VersionRow,
};
use crate::desk::{Desk, DeskError, Served};
use crate::domain::memory::{Memory, MemoryKey, MemoryState};
use crate::domain::query::{Facts, Is, Query};
use crate::domain::{MemoryId, SourceRef, Time};
use crate::store::memory::Reach;
use crate::store::order::MemoryFacts;
use crate::store::report::Doubts;
use std::collections::{BTreeMap, BTreeSet};

/// How many memories an act on all that a limit finds may turn at once.
const AT_ONCE: usize = 500;

impl Desk {
    /// Memories in the order asked for: exact over all that the query finds, one page of it.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn memories(
        &self,
        sort: MemorySort,
        query: &Query,
        place: MemoryPlace,
        limit: usize,
    ) -> Result<Page<MemoryRow>, DeskError> {
        let now = self.now();
        let against = self.against(None)?;
        let facts = self.facts_of_found(query, &against, now)?;
        let mut keys: Vec<MemoryKey> = facts
            .iter()
            .map(|one| key(sort, one, &Staleness::of(one, &against, now), now))
            .collect();
        keys.sort_unstable();
        let (range, more) = window(&keys, place, limit);
        let keys = keys.get(range).unwrap_or_default();
        let ids: Vec<MemoryId> = keys.iter().map(|key| key.id).collect();
        let facts: BTreeMap<MemoryId, MemoryFacts> =
            facts.into_iter().map(|one| (one.id, one)).collect();
        let mut rows = Vec::with_capacity(ids.len());
        for (memory, key) in self.store.memories_by_id(&ids)?.iter().zip(keys) {
            let stale = facts
                .get(&memory.id)
                .map(|one| Staleness::of(one, &against, now));
            rows.push(self.memory_row(memory, *key, &stale.unwrap_or_default(), now));
        }
        Ok(Page { rows, more })
    }

    /// Every memory that a query finds and that is still served or has merely ended, to be marked.
    ///
    /// # Errors
    /// There are too many to be looked over, or the store cannot be read.
    pub fn found_memories(&self, query: &Query) -> Result<Vec<MarkedMemory>, DeskError> {
        let against = self.against(None)?;
        let mut facts = self.facts_of_found(query, &against, self.now())?;
        facts.retain(|one| one.written_state == MemoryState::Active);
        if facts.len() > AT_ONCE {
            return Err(DeskError::NotPossible(format!(
                "{} memories are too many to look over: narrow the limit to {AT_ONCE} or fewer",
                facts.len()
            )));
        }
        let ids: Vec<MemoryId> = facts.iter().map(|one| one.id).collect();
        let found = self.store.memories_by_id(&ids)?;
        Ok(found
            .iter()
            .map(|memory| MarkedMemory {
                id: memory.id,
                shown: self.shown(&memory.text).digest(),
                served: memory.served,
            })
            .collect())
    }

    /// Light facts of the memories that a query asks for. Where the tables cannot tell, the rows are
    /// read in full and held against the query itself.
    fn facts_of_found(
        &self,
        query: &Query,
        against: &Against,
        now: Time,
    ) -> Result<Vec<MemoryFacts>, DeskError> {
        let (mut facts, exact) = self.store.memory_facts(query, now)?;
        if exact {
            return Ok(facts);
        }
        let ids: Vec<MemoryId> = facts.iter().map(|one| one.id).collect();
        let light: BTreeMap<MemoryId, &MemoryFacts> =
            facts.iter().map(|one| (one.id, one)).collect();
        let mut found = BTreeSet::new();
        for memory in self.store.memories_by_id(&ids)? {
            let stale = light
                .get(&memory.id)
                .map(|one| Staleness::of(one, against, now))
                .unwrap_or_default();
            let mut asked = Facts::of_memory(&memory, now);
            asked.is.extend(stale.is_any().then_some(Is::Stale));
            asked
                .is
                .extend(stale.contradicted().then_some(Is::Contradicted));
            if query.picks(asked, &|text| self.shown(text).text) {
                found.insert(memory.id);
            }
        }
        facts.retain(|one| found.contains(&one.id));
        Ok(facts)
    }

    fn versions(&self, memory: &Memory, now: Time) -> Result<Vec<VersionRow>, DeskError> {
        let all = self.store.versions(memory.lineage)?;
        let row = |one: Memory| VersionRow {
            id: one.id,
            text: self.shown(&one.text).text,
            by: one.approved_by.join(", "),
            at: one.approved_at,
            state: one.state_at(now),
        };
        Ok(all.into_iter().map(row).collect())
    }

    /// What speaks against memories, or against one of them.
    fn against(&self, one: Option<MemoryId>) -> Result<Against, DeskError> {
        Ok(Against {
            contradicted: self
                .store
                .contradicted(one.as_ref().map(std::slice::from_ref))?,
            doubts: self.store.doubts()?,
        })
    }

    /// One memory with everything known of it.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn memory(&self, id: MemoryId) -> Result<MemoryView, DeskError> {
        let now = self.now();
        let mut memory = self.store.memory(id)?;
        memory.evidence_held = self.evidence_held(&memory)?;
        let verified = self.verify_text(&memory);
        let renewal = self.terms(&memory)?;
        let candidate = self.store.candidate(memory.candidate)?;
        let (servings, sessions_reached) = self.store.reach(id, 50)?;
        let history = self
            .store
            .history(&[id.to_string(), candidate.id.to_string()], 50)?;
        let proposed = (candidate.claim != memory.text).then(|| self.shown(&candidate.claim).text);
        let against = self.against(Some(id))?;
        let judged = Staleness::of(&facts_of(&memory), &against, now);
        let mut stale = judged.words();
        if judged.contradicted() {
            let said = against.contradicted.get(&id).into_iter().flatten();
            let said = said.map(|one| self.said_against(one));
            stale.splice(1..1, said.collect::<Vec<_>>());
        }
        let versions = self.versions(&memory, now)?;
        memory.text = self.shown(&memory.text).text;
        if let Some(change) = &mut memory.changed {
            change.reason = change.reason.take().map(|reason| self.shown(&reason).text);
        }
        Ok(MemoryView {
            state: memory.state_at(now),
            stale,
            verified,
            evidence: self.evidence(&memory.sources)?,
            servings: servings.into_iter().map(serving_row).collect(),
            sessions_reached,
            reach: self.store.reach_by_layer(id)?,
            proposed,
            history: history
                .into_iter()
                .map(|entry| self.entry_row(entry))
                .collect(),
            renewal,
            versions,
            memory,
        })
    }

    /// Notes on what is handed over what enough people say against it.
    pub(in crate::desk) fn mark_contradicted(
        &self,
        records: &mut [Served],
        now: Time,
    ) -> Result<(), DeskError> {
        let ids: Vec<MemoryId> = records.iter().map(|one| one.memory.id).collect();
        let against = Against {
            contradicted: self.store.contradicted(Some(&ids))?,
            doubts: Doubts::new(),
        };
        for one in records {
            let said = against.contradicted.get(&one.memory.id);
            if let Some(said) = said {
                let judged = Staleness::of(&facts_of(&one.memory), &against, now);
                one.stale = judged.words().into_iter().take(1).collect();
                one.stale
                    .extend(said.iter().map(|one| self.said_against(one)));
            }
        }
        Ok(())
    }

    /// What a pattern says instead.
    fn said_against(&self, one: &crate::store::known::Against) -> String {
        let why = self.shown(&one.why).text;
        format!("{} ({}): {why}", one.pattern, one.relation)
    }

    fn memory_row(
        &self,
        memory: &Memory,
        key: MemoryKey,
        stale: &Staleness,
        now: Time,
    ) -> MemoryRow {
        MemoryRow {
            key,
            id: memory.id,
            text: self.shown(&memory.text).text,
            layer: memory.scope.layer.clone(),
            kind: memory.kind,
            influence: memory.influence,
            mode: memory.mode,
            state: memory.state_at(now),
            expires_at: memory.expires_at,
            served: memory.served,
            last_served: memory.last_served,
            contradicted: stale.contradicted(),
            stale: stale.words(),
        }
    }

    /// Whether every artifact a memory cites still has its bytes.
    fn evidence_held(&self, memory: &Memory) -> Result<bool, DeskError> {
        for source in &memory.sources {
            if let SourceRef::Artifact { sha256, .. } = source {
                let head = self.store.artifact(sha256)?;
                if head.is_none_or(|head| !head.present || head.expires_at <= self.now()) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

fn serving_row(reach: Reach) -> ServingRow {
    ServingRow {
        id: reach.serving,
        at: reach.at,
        layer: reach.layer,
        session: reach.session,
        memories: reach.memories,
    }
}
