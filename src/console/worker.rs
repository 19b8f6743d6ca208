//! The desk, off the drawing thread: reads that newer ones make pointless, acts that nothing does.

use crate::console::ask::{Answer, Ask, From, Judged, Lane, Reply, Request, Secrets, Trouble};
use crate::console::event::Event;
use crate::console::model::ViewId;
use crate::console::pulse::PulseView;
use crate::desk::presence::Presence;
use crate::desk::{Baseline, Desk};
use crate::domain::query::Query;
use crate::domain::{Layer, Reviewer};
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use tokio::sync::mpsc::UnboundedSender;

/// Requests on their way at most.
const ROOM: usize = 64;

/// What the threads share.
#[derive(Debug, Clone)]
struct Shared {
    desk: Arc<Desk>,
    presence: Option<Presence>,
    reviewer: Reviewer,
    /// Where the reviewer's own baseline is kept.
    baseline: Option<PathBuf>,
    newest: Arc<Mutex<BTreeMap<Lane, u64>>>,
    events: UnboundedSender<Event>,
}

#[derive(Debug)]
pub(crate) struct Worker {
    shared: Shared,
    reads: Sender<Ask>,
    slow: Sender<Ask>,
    acts: Sender<Ask>,
    acting: JoinHandle<()>,
}

impl Worker {
    pub(crate) fn start(
        desk: Arc<Desk>,
        presence: Option<Presence>,
        reviewer: Reviewer,
        baseline: Option<PathBuf>,
        events: UnboundedSender<Event>,
    ) -> Self {
        let newest = Arc::default();
        let shared = Shared {
            desk,
            presence,
            reviewer,
            baseline,
            newest,
            events,
        };
        let (reads, reading) = bounded(ROOM);
        let (slow, slowly) = bounded(ROOM);
        let (acts, acting) = bounded(ROOM);
        spawn(shared.clone(), reading);
        spawn(shared.clone(), slowly);
        let acting = spawn(shared.clone(), acting);
        Self {
            shared,
            reads,
            slow,
            acts,
            acting,
        }
    }

    /// Sends a request off; never waits.
    pub(crate) fn ask(&self, ask: Ask) {
        self.shared.note(&ask);
        let way = match ask.lane {
            Lane::Act | Lane::Reveal => &self.acts,
            Lane::Verify
            | Lane::Tree
            | Lane::Groups
            | Lane::Look
            | Lane::Keep
            | Lane::Rows(ViewId::Pulse) => &self.slow,
            Lane::Overview
            | Lane::Rows(_)
            | Lane::Detail(_)
            | Lane::Find
            | Lane::Seek(_)
            | Lane::Judge
            | Lane::Mark
            | Lane::Undoable => &self.reads,
        };
        let lost = match way.try_send(ask) {
            Ok(()) => return,
            Err(TrySendError::Full(ask) | TrySendError::Disconnected(ask)) => ask,
        };
        self.shared.reply(
            &lost,
            Err(Trouble::Said(
                "the desk is too busy; nothing was done".to_owned(),
            )),
        );
    }

    /// Waits for acts that are on their way: what was sent off is written or refused, not lost.
    pub(crate) fn finish(self) {
        drop(self.acts);
        let patience = std::time::Instant::now() + std::time::Duration::from_secs(2);
        while !self.acting.is_finished() && std::time::Instant::now() < patience {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
}

fn spawn(shared: Shared, asks: Receiver<Ask>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        for ask in asks {
            if shared.superseded(&ask) {
                continue;
            }
            let answered = catch_unwind(AssertUnwindSafe(|| shared.answer(ask.request.clone())));
            let answer = answered.unwrap_or_else(|panic| {
                Err(Trouble::Said(format!(
                    "it failed inside: {}",
                    crate::text::line(&message(&*panic))
                )))
            });
            shared.reply(&ask, answer);
        }
    })
}

/// What a panic said.
fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown".to_owned())
}

impl Shared {
    fn note(&self, ask: &Ask) {
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        newest.insert(ask.lane, ask.generation);
    }

    fn superseded(&self, ask: &Ask) -> bool {
        let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        ask.lane != Lane::Act
            && newest
                .get(&ask.lane)
                .is_some_and(|newest| *newest > ask.generation)
    }

    fn reply(&self, ask: &Ask, answer: Result<Answer, Trouble>) {
        let reply = Reply {
            lane: ask.lane,
            generation: ask.generation,
            answer,
        };
        let _ended = self.events.send(Event::Reply(reply));
    }

    fn answer(&self, request: Request) -> Result<Answer, Trouble> {
        let desk = &self.desk;
        Ok(match request {
            Request::Overview => Answer::Overview(desk.overview()?),
            Request::Candidates {
                state,
                filter,
                from,
                limit,
            } => {
                let query = self.asked(&filter);
                Answer::Candidates(match from {
                    From::Start => desk.queue(state, &query, None, limit)?,
                    From::After(id) => desk.queue(state, &query, Some(id), limit)?,
                    From::Before(id) => desk.queue_before(state, &query, id, limit)?,
                    From::End => desk.queue_last(state, &query, limit)?,
                })
            }
            Request::Candidate(id) => Answer::Candidate(Box::new(desk.candidate(id)?)),
            Request::Memories {
                sort,
                filter,
                place,
                limit,
            } => Answer::Memories(desk.memories(sort, &self.asked(&filter), place, limit)?),
            Request::FoundMemories(filter) => {
                Answer::FoundMemories(desk.found_memories(&self.asked(&filter))?)
            }
            Request::Memory(id) => Answer::Memory(Box::new(desk.memory(id)?)),
            Request::Patterns {
                filter,
                offset,
                limit,
            } => Answer::Patterns(desk.pattern_rows(&filter, offset, limit)?),
            Request::Pattern(id) => Answer::Pattern(Box::new(desk.pattern(id)?)),
            Request::Entries {
                before,
                filter,
                limit,
            } => Answer::Entries(desk.entries(before, &self.asked(&filter), limit)?),
            Request::Why(subject) => Answer::Why(desk.why(&subject)?),
            Request::ShortOf { layer, least } => Answer::Why(desk.short_of(layer.as_ref(), least)?),
            Request::Pulse { layer, days, keep } => {
                Answer::Pulse(Box::new(self.pulse(layer.as_ref(), days, keep)?))
            }
            Request::Judge { candidate, text } => {
                let judged = desk.judge_edit(candidate, &text)?;
                Answer::Judged(Judged {
                    verdict: judged.verdict,
                    influence: judged.influence,
                    why: judged.influence_why,
                    findings: judged.findings,
                })
            }
            Request::Verify => {
                let verified = desk.verify()?;
                Answer::Verified {
                    ok: verified.ok,
                    entries: verified.entries,
                    problems: verified.problems,
                }
            }
            Request::Undoable => Answer::Undoable(desk.undoable(&self.reviewer)?),
            other => self.look(other)?,
        })
    }

    fn pulse(&self, layer: Option<&Layer>, days: i64, keep: bool) -> Result<PulseView, Trouble> {
        let since = self.desk.now().plus_days(1 - days);
        let measures = self.desk.measures(layer, Some(since))?;
        if keep {
            let nowhere =
                || Trouble::Said("there is no home folder to keep a baseline in".to_owned());
            measures
                .baseline()
                .write(self.baseline.as_ref().ok_or_else(nowhere)?)?;
        }
        let kept = self.baseline.as_ref().map(|file| Baseline::read(file));
        let baseline = kept.transpose().map(Option::flatten);
        Ok(PulseView {
            baseline: baseline.map_err(|error| error.to_string()),
            table: self.desk.what_if(layer)?,
            measures,
            kept: keep,
        })
    }

    /// A query in the name of whoever sits here.
    fn asked(&self, query: &Query) -> Query {
        query.asked_by(&self.reviewer.name)
    }

    fn look(&self, request: Request) -> Result<Answer, Trouble> {
        let desk = &self.desk;
        Ok(match request {
            Request::Groups {
                state,
                filter,
                facet,
            } => Answer::Groups(desk.groups(state, &self.asked(&filter), facet)?),
            Request::Whereabouts(item) => Answer::Whereabouts(desk.whereabouts(&item)?),
            Request::Artifact { sha256, cited } => {
                Answer::Artifact(Box::new(desk.look_into(&sha256, cited)?))
            }
            Request::Case(id) => Answer::Case(desk.policy_case(id)?),
            act => self.act(act)?,
        })
    }

    fn act(&self, request: Request) -> Result<Answer, Trouble> {
        let desk = &self.desk;
        let looking = || Trouble::Said("nothing can be decided here".to_owned());
        let presence = self.presence.as_ref().ok_or_else(looking)?;
        Ok(match request {
            Request::Decide(decisions) => Answer::Decided(
                decisions
                    .into_iter()
                    .map(|decision| {
                        let id = decision.candidate;
                        (id, desk.decide(presence, decision).map_err(Trouble::from))
                    })
                    .collect(),
            ),
            Request::Demote {
                memory,
                shown,
                reason,
                note,
            } => Answer::Done(desk.demote(presence, memory, shown, reason, note)?),
            Request::DemoteAll {
                memories,
                reason,
                note,
            } => Answer::DemotedAll(
                memories
                    .into_iter()
                    .map(|one| {
                        let done = desk.demote(presence, one.id, one.shown, reason, note.clone());
                        (one.id, done.map_err(Trouble::from))
                    })
                    .collect(),
            ),
            Request::Restore {
                memory,
                shown,
                note,
            } => Answer::Done(desk.restore(presence, memory, shown, note)?),
            Request::Renew {
                memory,
                shown,
                note,
            } => Answer::Done(desk.renew(presence, memory, shown, None, note)?.entry),
            Request::Split {
                candidate,
                seen,
                parts,
            } => Answer::Reshaped(desk.split(presence, candidate, &seen, &parts, None)?),
            Request::Merge(marked) => Answer::Reshaped(desk.merge(presence, &marked, None)?),
            Request::Undo(entry) => Answer::Done(desk.undo(presence, entry)?),
            Request::Thresholds(set) => Answer::Done(desk.set_thresholds(presence, set)?),
            Request::Reveal(id) => Answer::Revealed(id, Secrets(desk.reveal(presence, id)?)),
            other => return Err(Trouble::Said(format!("{other:?} is no act"))),
        })
    }
}
