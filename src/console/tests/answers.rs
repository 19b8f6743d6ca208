//! What the desk in memory answers to each request.

use crate::console::ask::{Answer, From, Judged, Request, Secrets, Trouble};
use crate::console::tests::fixture::Fixture;
use crate::desk::view::{
    EntryRow, MarkedMemory, MemoryPlace, MemoryRow, MemoryView, Overview, Page, QueuePage,
    Undoable, Why,
};
use crate::desk::{ArtifactPart, Conflict, GroupCounts, Whereabouts};
use crate::domain::artifact::ArtifactKind;
use crate::domain::candidate::{Candidate, CandidateRow, CandidateState, Outcome};
use crate::domain::decision::{CandidateDecision, Decided, Ruling};
use crate::domain::entry::EntryDraft;
use crate::domain::memory::{MemoryKey, MemoryState};
use crate::domain::query::{Facet, Facts, Query, Searched};
use crate::domain::{
    CandidateId, Class, Digest, EntrySeq, Finding, Influence, MemoryId, Severity, Span, Trust,
    Verdict,
};

impl Fixture {
    fn groups(&self, state: CandidateState, query: &Query, facet: Facet) -> GroupCounts {
        let mut counts = std::collections::BTreeMap::new();
        let mut total = 0;
        for view in &self.candidates {
            let facts = Facts::of_candidate(&view.candidate, self.now);
            if view.candidate.state == state && query.matches(&facts) {
                total += 1;
                for group in facet.groups(&facts) {
                    *counts.entry(group).or_insert(0) += 1;
                }
            }
        }
        let mut groups: Vec<(String, u64)> = counts.into_iter().collect();
        groups.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        GroupCounts {
            facet,
            total,
            groups,
        }
    }

    fn whereabouts(&self, item: &str) -> Whereabouts {
        let id = CandidateId::parse(item).ok();
        let found = id.and_then(|id| self.find(id));
        match found {
            Some(view) => Whereabouts::Candidate(view.candidate.id, view.candidate.state),
            None => Whereabouts::Nowhere(format!("`{item}` stands in no list")),
        }
    }

    fn found_entries(&self, query: &Query) -> Searched<EntryRow, EntrySeq> {
        let holds = |row: &&EntryRow| {
            let draft = EntryDraft {
                at: row.at,
                actor: row.actor.clone(),
                assurance: row.assurance,
                act: row.act,
                item: row.item.clone(),
                facts: row.facts.iter().cloned().collect(),
            };
            query.matches(&Facts::of_entry(&draft, &[], self.now))
        };
        Searched {
            rows: self.entries.iter().filter(holds).cloned().collect(),
            more: false,
            left_at: None,
        }
    }

    fn look(&mut self, request: Request) -> Result<Answer, Trouble> {
        match request {
            Request::Groups {
                state,
                filter,
                facet,
            } => Ok(Answer::Groups(self.groups(state, &filter, facet))),
            Request::Whereabouts(item) => Ok(Answer::Whereabouts(self.whereabouts(&item))),
            Request::Artifact { sha256, cited } => Ok(Answer::Artifact(Box::new(ArtifactPart {
                sha256,
                title: "ticket-9.txt".to_owned(),
                kind: ArtifactKind::ToolResult,
                trust: Trust::Tool,
                length: 90,
                bytes: Span { start: 0, end: 90 },
                text: "first line\ncould we deploy\u{202e} the hotfix tonight?\nlast line"
                    .to_owned(),
                cited,
                expires_at: self.now.plus_days(14),
            }))),
            Request::Case(id) => Ok(Answer::Case(format!("[[case]]\nid = \"{id}\""))),
            act => self.act(act),
        }
    }

    pub(crate) fn answer(&mut self, request: Request) -> Result<Answer, Trouble> {
        let missing = || Trouble::Said("there is no such thing".to_owned());
        match request {
            Request::Overview => Ok(Answer::Overview(self.overview())),
            Request::Candidates {
                state,
                filter,
                from,
                limit,
            } => {
                let held: Vec<CandidateRow> = self
                    .candidates
                    .iter()
                    .filter(|view| view.candidate.state == state)
                    .filter(|view| view.candidate.snoozed_until.is_none())
                    .filter(|view| filter.matches(&Facts::of_candidate(&view.candidate, self.now)))
                    .map(|view| row(&view.candidate))
                    .collect();
                Ok(Answer::Candidates(page(held, from, limit)))
            }
            Request::Candidate(id) => {
                let view = self.find(id).cloned().ok_or_else(missing)?;
                Ok(Answer::Candidate(Box::new(view)))
            }
            Request::Memories { place, limit, .. } => Ok(self.memory_page(place, limit)),
            Request::FoundMemories(_) => Ok(self.found_memories()),
            Request::Memory(id) => {
                let view = self.memories.iter().find(|view| view.memory.id == id);
                Ok(Answer::Memory(Box::new(view.cloned().ok_or_else(missing)?)))
            }
            Request::Patterns { .. } => Ok(Answer::Patterns(Page {
                rows: self.patterns.iter().map(|view| view.row.clone()).collect(),
                more: false,
            })),
            Request::Pattern(id) => {
                let view = self.patterns.iter().find(|view| view.row.id == id);
                Ok(Answer::Pattern(Box::new(
                    view.cloned().ok_or_else(missing)?,
                )))
            }
            Request::Entries { filter, .. } => Ok(Answer::Entries(self.found_entries(&filter))),
            Request::Why(subject) => Ok(Answer::Why(why(&subject))),
            Request::Judge { text, .. } => Ok(Answer::Judged(judged(&text))),
            Request::Verify => Ok(Answer::Verified {
                ok: true,
                entries: self.entries.len() as u64,
                problems: Vec::new(),
            }),
            Request::Pulse { layer, days, keep } => Ok(self.pulse(layer, days, keep)),
            Request::ShortOf { least, .. } => Ok(Answer::Why(self.short_of(least))),
            Request::Undoable => Ok(Answer::Undoable(self.undoable())),
            other => self.look(other),
        }
    }

    fn memory_page(&self, place: MemoryPlace, limit: usize) -> Answer {
        let rows: Vec<MemoryRow> = self.memories.iter().map(memory_row).collect();
        let after = match place {
            MemoryPlace::After(key) => rows.iter().filter(|row| row.key <= key).count(),
            _ => 0,
        };
        let more = rows.len() > after + limit;
        let rows = rows.into_iter().skip(after).take(limit).collect();
        Answer::Memories(Page { rows, more })
    }

    fn found_memories(&self) -> Answer {
        let live = self.memories.iter();
        let live = live.filter(|view| view.state == MemoryState::Active);
        let marked = |view: &MemoryView| MarkedMemory {
            id: view.memory.id,
            shown: Digest::of(view.memory.text.as_bytes()),
            served: view.memory.served,
        };
        Answer::FoundMemories(live.map(marked).collect())
    }

    fn act(&mut self, act: Request) -> Result<Answer, Trouble> {
        self.acts.push(act.clone());
        match act {
            Request::Decide(decisions) => Ok(Answer::Decided(
                decisions
                    .into_iter()
                    .map(|decision| (decision.candidate, self.decide(decision)))
                    .collect(),
            )),
            Request::Demote { memory, .. } => {
                let view = self
                    .memories
                    .iter_mut()
                    .find(|view| view.memory.id == memory)
                    .unwrap();
                view.state = MemoryState::Demoted;
                view.memory.written_state = MemoryState::Demoted;
                Ok(Answer::Done(EntrySeq(90)))
            }
            Request::DemoteAll { memories, .. } => Ok(Answer::DemotedAll(
                memories
                    .into_iter()
                    .map(|one| (one.id, Ok(EntrySeq(90))))
                    .collect(),
            )),
            Request::Split { parts, .. } => {
                let opened = (1..).zip(parts);
                let opened = opened.map(|(n, _)| (CandidateId(70 + n), CandidateState::Pending));
                Ok(Answer::Reshaped(crate::desk::Reshaped {
                    entry: EntrySeq(90),
                    opened: opened.collect(),
                    stands: Vec::new(),
                }))
            }
            Request::Merge(_) => Ok(Answer::Reshaped(crate::desk::Reshaped {
                entry: EntrySeq(90),
                opened: vec![(CandidateId(71), CandidateState::Pending)],
                stands: Vec::new(),
            })),
            Request::Reveal(id) => Ok(Answer::Revealed(
                id,
                Secrets(vec!["hunter2-plain".to_owned()]),
            )),
            _ => Ok(Answer::Done(EntrySeq(91))),
        }
    }

    fn decide(&mut self, decision: CandidateDecision) -> Result<Decided, Trouble> {
        let now = self.now;
        let beaten = self.beaten_by.take();
        let view = self.find_mut(decision.candidate);
        let item = decision.candidate.to_string();
        if let Some(outcome) = beaten {
            view.candidate.state = CandidateState::Rejected;
            view.candidate.outcome = Some(outcome.clone());
            return Err(Trouble::Conflict(Conflict::Decided { item, outcome }));
        }
        if decision.seen.version != view.candidate.version || decision.seen.shown != view.shown {
            let now = view.candidate.version;
            return Err(Trouble::Conflict(Conflict::Changed {
                item,
                seen: decision.seen.version,
                now,
            }));
        }
        let (state, decided) = match &decision.ruling {
            Ruling::Approve | Ruling::Edit(_) => (
                CandidateState::Approved,
                Decided::Minted(MemoryId(100 + decision.candidate.0)),
            ),
            Ruling::Reject | Ruling::Confirm => (CandidateState::Rejected, Decided::Moved),
            Ruling::Release => (CandidateState::Pending, Decided::Moved),
            Ruling::Hold(held) => {
                view.candidate.held = *held;
                return Ok(Decided::Moved);
            }
            Ruling::Snooze(until) => {
                view.candidate.snoozed_until = Some(*until);
                return Ok(Decided::Moved);
            }
        };
        view.candidate.state = state;
        view.candidate.outcome = Some(Outcome {
            act: decision.ruling.act(),
            by: "alice".to_owned(),
            at: now,
            reason: decision.reason,
        });
        Ok(decided)
    }

    fn undoable(&self) -> Option<Undoable> {
        let decided = self
            .candidates
            .iter()
            .find(|view| view.candidate.outcome.is_some())?;
        let outcome = decided.candidate.outcome.clone()?;
        let item = decided.candidate.id.to_string();
        Some(Undoable {
            entry: EntrySeq(80),
            act: outcome.act,
            item,
            at: outcome.at,
            served: 3,
        })
    }

    fn overview(&self) -> Overview {
        let count = |state| {
            self.candidates
                .iter()
                .filter(|view| view.candidate.state == state)
                .count() as u64
        };
        let oldest = self
            .candidates
            .iter()
            .find(|v| v.candidate.state == CandidateState::Pending);
        Overview {
            store: "/demo/countersign.db".to_owned(),
            demo: self.demo,
            pending: count(CandidateState::Pending),
            quarantined: count(CandidateState::Quarantined),
            held: self
                .candidates
                .iter()
                .filter(|view| view.candidate.held)
                .count() as u64,
            snoozed: 0,
            budget: 40,
            oldest: oldest.map(|view| view.candidate.proposed_at),
            memories: self.memories.len() as u64,
            entries: self.entries.len() as u64,
            lag: 0,
            policy: Digest::of(b"policy"),
            now: self.now,
        }
    }
}

fn page(rows: Vec<CandidateRow>, from: From<CandidateId>, limit: usize) -> QueuePage {
    let total = rows.len();
    let (rows, more): (Vec<CandidateRow>, bool) = match from {
        From::Start => (rows.into_iter().take(limit).collect(), total > limit),
        From::After(id) => {
            let after: Vec<_> = rows.into_iter().filter(|row| row.id > id).collect();
            let more = after.len() > limit;
            (after.into_iter().take(limit).collect(), more)
        }
        From::Before(id) => {
            let before: Vec<_> = rows.into_iter().filter(|row| row.id < id).collect();
            let skip = before.len().saturating_sub(limit);
            (before.into_iter().skip(skip).collect(), skip > 0)
        }
        From::End => (
            rows.into_iter().skip(total.saturating_sub(limit)).collect(),
            total > limit,
        ),
    };
    QueuePage {
        rows,
        more,
        left_at: None,
    }
}

fn row(candidate: &Candidate) -> CandidateRow {
    CandidateRow {
        id: candidate.id,
        version: candidate.version,
        state: candidate.state,
        claim: candidate.claim.clone(),
        kind: candidate.kind,
        influence: candidate.influence,
        verdict: candidate.verdict,
        findings: candidate.findings.clone(),
        layer: candidate.scope.layer.clone(),
        trust: candidate.trust,
        support: candidate.support,
        proposed_at: candidate.proposed_at,
        held: candidate.held,
    }
}

fn memory_row(view: &MemoryView) -> MemoryRow {
    let memory = &view.memory;
    MemoryRow {
        key: MemoryKey {
            group: 0,
            first: memory.id.0,
            second: 0,
            id: memory.id,
        },
        id: memory.id,
        text: memory.text.clone(),
        layer: memory.scope.layer.clone(),
        kind: memory.kind,
        influence: memory.influence,
        mode: memory.mode,
        state: view.state,
        expires_at: memory.expires_at,
        served: memory.served,
        last_served: memory.last_served,
        contradicted: false,
        stale: view.stale.clone(),
    }
}

fn judged(text: &str) -> Judged {
    let bad = text.find("skip review").map(|start| Finding {
        rule: "skips_control".to_owned(),
        class: Class::Bypass,
        severity: Severity::Quarantine,
        span: Some(Span {
            start,
            end: start + 11,
        }),
        view: "raw".to_owned(),
        field: None,
        decoded: None,
        message: "it leaves out a check by people".to_owned(),
    });
    let findings: Vec<Finding> = bad.into_iter().collect();
    Judged {
        verdict: Verdict::of(&findings),
        influence: Influence::Answer,
        why: "it states something an answer would repeat".to_owned(),
        findings,
    }
}

fn why(subject: &str) -> Why {
    let leaf = |id: &str, says: &str| Why {
        kind: "observation",
        id: id.to_owned(),
        says: says.to_owned(),
        facts: vec![("user", "u-17".to_owned())],
        because: Vec::new(),
    };
    Why {
        kind: "memory",
        id: subject.to_owned(),
        says: "\"Late fees are waived under €20\"".to_owned(),
        facts: vec![("state", "active".to_owned())],
        because: vec![Why {
            kind: "candidate",
            id: "C-3312".to_owned(),
            says: "from 6 people, 9 sessions, 4 days".to_owned(),
            facts: Vec::new(),
            because: vec![
                leaf("O-1", "waive the fee if it's under 20"),
                leaf("O-2", "no fee below 20"),
            ],
        }],
    }
}
