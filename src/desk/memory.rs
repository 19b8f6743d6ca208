//! Looking after memories: the list with what is stale on top, and one in full.

use crate::desk::view::{MemoryRow, MemorySort, MemoryView, Page, ServingRow};
use crate::desk::{Desk, DeskError};
use crate::domain::filter::Filter;
use crate::domain::memory::{Memory, MemoryState};
use crate::domain::time::DAY;
use crate::domain::{MemoryId, SourceRef, Time};
use crate::store::known::Contradicted;
use crate::store::memory::Reach;
use crate::store::report::Doubts;

/// How many memories one list is made from.
const LISTED: usize = 20_000;
/// How many days before its end a memory is looked at again.
const ENDS_SOON: i64 = 7;
/// How many days without a serving make a memory doubtful.
const UNSERVED: i64 = 30;

impl Desk {
    /// Memories in the order asked for.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn memories(
        &self,
        sort: MemorySort,
        filter: &Filter,
        offset: usize,
        limit: usize,
    ) -> Result<Page<MemoryRow>, DeskError> {
        let now = self.now();
        let mut rows = Vec::new();
        let doubts = self.store.doubts()?;
        let contradicted = self.store.contradicted()?;
        for memory in self.store.memories(filter, LISTED)? {
            let mut row = self.memory_row(&memory, now)?;
            row.stale.splice(0..0, reported(&memory, &doubts, now));
            row.stale.splice(0..0, against(&memory, &contradicted, now));
            row.contradicted = contradicted.contains_key(&memory.id);
            rows.push(row);
        }
        match sort {
            MemorySort::Staleness => rows.sort_by_key(|row| {
                (
                    served_last(row),
                    !row.contradicted,
                    std::cmp::Reverse(row.stale.len()),
                    row.expires_at,
                    row.id,
                )
            }),
            MemorySort::Expiry => {
                rows.sort_by_key(|row| (served_last(row), row.expires_at, row.id));
            }
            MemorySort::Newest => rows.sort_by_key(|row| std::cmp::Reverse(row.id)),
        }
        let more = rows.len() > offset.saturating_add(limit);
        Ok(Page {
            rows: rows.into_iter().skip(offset).take(limit).collect(),
            more,
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
        let candidate = self.store.candidate(memory.candidate)?;
        let (servings, sessions_reached) = self.store.reach(id, 50)?;
        let history = self
            .store
            .history(&[id.to_string(), candidate.id.to_string()], 50)?;
        let proposed = (candidate.claim != memory.text).then(|| self.shown(&candidate.claim).text);
        let mut stale = staleness(&memory, now);
        stale.splice(0..0, reported(&memory, &self.store.doubts()?, now));
        let contradicted = self.store.contradicted()?;
        for one in contradicted.get(&id).into_iter().flatten() {
            let why = self.shown(&one.why).text;
            stale.insert(0, format!("{} ({}): {why}", one.pattern, one.relation));
        }
        stale.splice(0..0, against(&memory, &contradicted, now));
        memory.text = self.shown(&memory.text).text;
        if let Some(change) = &mut memory.demoted {
            change.reason = change.reason.take().map(|reason| self.shown(&reason).text);
        }
        Ok(MemoryView {
            state: memory.state_at(now),
            stale,
            verified,
            evidence: self.evidence(&memory.sources)?,
            servings: servings.into_iter().map(serving_row).collect(),
            sessions_reached,
            proposed,
            history: history
                .into_iter()
                .map(|entry| self.entry_row(entry))
                .collect(),
            memory,
        })
    }

    fn memory_row(&self, memory: &Memory, now: Time) -> Result<MemoryRow, DeskError> {
        let mut memory = memory.clone();
        memory.evidence_held = self.evidence_held(&memory)?;
        Ok(MemoryRow {
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
            stale: staleness(&memory, now),
            contradicted: false,
        })
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

/// Active ones first, then ended ones, then those taken out.
const fn served_last(row: &MemoryRow) -> u8 {
    match row.state {
        MemoryState::Active => 0,
        MemoryState::Expired => 1,
        MemoryState::Demoted | MemoryState::Superseded => 2,
    }
}

/// Why a memory should be looked at again, weightiest first.
fn staleness(memory: &Memory, now: Time) -> Vec<String> {
    let mut reasons = Vec::new();
    if memory.state_at(now) != MemoryState::Active {
        return reasons;
    }
    if !memory.evidence_held {
        reasons.push("its evidence is gone (retention passed)".to_owned());
    }
    let left = memory.expires_at.since(now);
    if left <= ENDS_SOON * DAY {
        reasons.push(format!("ends in {} d", left / DAY));
    }
    let idle = now.since(memory.last_served.unwrap_or(memory.approved_at));
    if idle > UNSERVED * DAY {
        let days = idle / DAY;
        reasons.push(if memory.last_served.is_some() {
            format!("last served {days} d ago")
        } else {
            format!("never served in {days} d")
        });
    }
    reasons
}

/// Who says otherwise since a person last decided on it.
fn against(memory: &Memory, contradicted: &Contradicted, now: Time) -> Option<String> {
    if memory.state_at(now) != MemoryState::Active {
        return None;
    }
    let all = contradicted.get(&memory.id)?;
    let (first, most) = (all.first()?, all.iter().map(|one| one.users).max()?);
    let people = if most == 1 { "person" } else { "people" };
    Some(format!(
        "contradicted by {most} {people} since {} ({})",
        first.at.date(),
        first.pattern
    ))
}

/// What agents reported of it since a person last decided on it.
fn reported(memory: &Memory, doubts: &Doubts, now: Time) -> Option<String> {
    if memory.state_at(now) != MemoryState::Active {
        return None;
    }
    let turned = memory.demoted.as_ref().map(|outcome| outcome.at);
    let since = turned.unwrap_or(memory.approved_at).max(memory.approved_at);
    let after = doubts.get(&memory.id).into_iter().flatten();
    match after.filter(|(at, _)| *at >= since).count() {
        0 => None,
        1 => Some("reported wrong or stale by an agent".to_owned()),
        many => Some(format!("reported wrong or stale {many} times by agents")),
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
