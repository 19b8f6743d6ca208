//! What came back from the desk. A reply older than the last request on its lane is dropped.

use crate::console::ask::{Answer, Lane, Reply, Secrets, Trouble};
use crate::console::effect::Effect;
use crate::console::layer::Layer;
use crate::console::list::{List, Load, Row};
use crate::console::model::{Item, Model, Tone, Verified, ViewId};
use crate::console::snapshot::Detail;
use crate::console::update::{going, grouping, looking, outcomes, reshaping, turning};
use crate::console::words;
use crate::desk::view::{CandidateView, MemoryView, Page, QueuePage};
use crate::domain::CandidateId;
use crate::domain::candidate::CandidateRow;

pub(crate) fn take(model: &mut Model, reply: Reply) -> Vec<Effect> {
    let newest = model.generations.get(&reply.lane).copied().unwrap_or(0);
    if reply.generation < newest && reply.lane != Lane::Act {
        return Vec::new();
    }
    match reply.answer {
        Ok(answer) => answered(model, reply.lane, answer),
        Err(trouble) => troubled(model, reply.lane, &trouble),
    }
}

fn answered(model: &mut Model, lane: Lane, answer: Answer) -> Vec<Effect> {
    match answer {
        Answer::Overview(overview) => model.overview = Some(overview),
        Answer::Candidates(page) if lane == Lane::Find => return found(model, page),
        Answer::Candidates(page) if matches!(lane, Lane::Seek(_)) => sought(model, lane, page),
        Answer::Candidates(page) => candidate_rows(model, lane, page),
        Answer::Memories(page) => {
            fill(&mut model.memory.list, page, &mut model.memory.detail.stale);
        }
        Answer::Patterns(page) => {
            fill(
                &mut model.patterns.list,
                page,
                &mut model.patterns.detail.stale,
            );
        }
        Answer::Pattern(view) => {
            let id = view.row.id;
            show(&mut model.patterns.detail, *view, |old| old.row.id == id);
        }
        Answer::Entries(page) => model.ledger.list.take_searched(page),
        Answer::Candidate(view) => candidate(model, lane, *view),
        Answer::Memory(view) => memory(model, *view),
        Answer::FoundMemories(memories) => turning::found(model, memories),
        Answer::DemotedAll(done) => return outcomes::demoted_all(model, done),
        Answer::Groups(found) => grouping::grouped(model, Ok(found)),
        Answer::Whereabouts(place) => return going::go(model, place),
        Answer::Artifact(part) => grouping::opened(model, *part),
        Answer::Case(case) => return grouping::case_made(model, case),
        Answer::Why(why) => tree(model, Ok(why)),
        Answer::Pulse(view) => crate::console::update::pulse::read(model, *view),
        Answer::Judged(judged) => judge(model, Ok(judged)),
        Answer::Verified {
            ok,
            entries,
            problems,
        } => verified(model, ok, entries, problems),
        Answer::Undoable(undoable) => outcomes::ask_undo(model, undoable),
        Answer::Decided(outcomes) => return outcomes::decided(model, outcomes),
        Answer::Revealed(candidate, secrets) => reveal(model, candidate, secrets),
        Answer::Reshaped(done) => return reshaping::reshaped(model, &done),
        Answer::Done(entry) => return outcomes::done(model, entry),
    }
    Vec::new()
}

fn troubled(model: &mut Model, lane: Lane, trouble: &Trouble) -> Vec<Effect> {
    let words = trouble.to_string();
    match lane {
        Lane::Rows(view) => {
            rows_failed(model, view, &words);
            model.say(Tone::Bad, format!("the list could not be read: {words}"));
        }
        Lane::Detail(view) => detail_failed(model, view, &words),
        Lane::Tree => tree(model, Err(words)),
        Lane::Groups => grouping::grouped(model, Err(words)),
        Lane::Judge => judge(model, Err(words)),
        Lane::Act => return outcomes::act_failed(model, trouble),
        Lane::Overview
        | Lane::Find
        | Lane::Seek(_)
        | Lane::Look
        | Lane::Verify
        | Lane::Undoable
        | Lane::Reveal
        | Lane::Keep
        | Lane::Mark => {
            model.say(Tone::Bad, words);
        }
    }
    Vec::new()
}

fn fill<R: Row>(list: &mut List<R>, page: Page<R>, stale: &mut bool) {
    let refreshed = list.purpose == Load::Refresh;
    list.take(page.rows, page.more);
    *stale |= refreshed;
}

fn candidate_rows(model: &mut Model, lane: Lane, page: QueuePage) {
    let view = match lane {
        Lane::Rows(ViewId::Quarantine) => &mut model.quarantine,
        _ => &mut model.queue,
    };
    let selected = view.list.selected;
    let version = |list: &List<CandidateRow>| list.row().map(|row| row.version);
    let before = (
        version(&view.list),
        selected.is_some_and(|id| view.list.gone.contains(&id)),
    );
    view.list.take_searched(page);
    let gone = view
        .list
        .selected
        .is_some_and(|id| view.list.gone.contains(&id));
    let after = (version(&view.list), gone);
    if before != after && view.list.selected == selected {
        view.detail.stale = true;
    }
}

fn found(model: &mut Model, page: QueuePage) -> Vec<Effect> {
    let needle = model.needle.clone();
    let Some(row) = page.rows.into_iter().next() else {
        if let Some(left_at) = page.left_at {
            model.say(
                Tone::Plain,
                format!("looking for `{needle}` from {left_at} on"),
            );
            return looking::seek_from(model, Some(left_at));
        }
        model.say(
            Tone::Plain,
            format!("nothing further down holds `{needle}`"),
        );
        return Vec::new();
    };
    select(model, row);
    Vec::new()
}

/// What somebody went to: the row itself or none.
fn sought(model: &mut Model, lane: Lane, page: QueuePage) {
    let mut rows = page.rows.into_iter();
    match rows.find(|row| lane == Lane::Seek(row.id)) {
        Some(row) => select(model, row),
        None => model.say(
            Tone::Plain,
            "it is not in this list now: snoozed, or decided",
        ),
    }
}

/// Selects a row that is not among those loaded: the rows around it are asked for.
fn select(model: &mut Model, row: CandidateRow) {
    if let Some(view) = model.candidates_mut() {
        view.list.selected = Some(row.id);
        view.list.rows = vec![row];
        view.list.first_at = None;
        view.list.more_before = true;
        view.list.left_after = None;
        view.list.left_before = None;
        view.list.loaded = false;
    }
}

fn candidate(model: &mut Model, lane: Lane, view: CandidateView) {
    let list = match lane {
        Lane::Detail(ViewId::Quarantine) => &mut model.quarantine,
        _ => &mut model.queue,
    };
    let id = view.candidate.id;
    if let Some(draft) = model.drafts.get(&id)
        && draft.version != view.candidate.version
    {
        model.drafts.remove(&id);
    }
    show(&mut list.detail, view, |old| old.candidate.id == id);
}

fn memory(model: &mut Model, view: MemoryView) {
    let id = view.memory.id;
    show(&mut model.memory.detail, view, |old| old.memory.id == id);
}

/// A new item starts at the top of its first tab; the same item again stays where it was read.
fn show<V>(detail: &mut Detail<V>, view: V, same: impl Fn(&V) -> bool) {
    if !detail.view.as_ref().is_some_and(same) {
        detail.scroll = 0;
        detail.tab = 0;
    }
    detail.view = Some(view);
    detail.asked = None;
    detail.stale = false;
    detail.trouble = None;
}

fn tree(model: &mut Model, answer: Result<crate::desk::view::Why, String>) {
    if let Some(Layer::Tree { tree, .. }) = model.layers.last_mut() {
        *tree = Some(answer);
    }
}

/// Shown only where nothing else was opened meanwhile and the item is still the one on screen.
fn reveal(model: &mut Model, candidate: CandidateId, secrets: Secrets) {
    let same = model.selected() == Some(Item::Candidate(candidate));
    if model.layers.is_empty() && same {
        model.push(Layer::Secret { candidate, secrets });
    } else {
        let words =
            format!("the secret of {candidate} is on record as looked at, and was not shown");
        model.say(Tone::Plain, words);
    }
}

fn judge(model: &mut Model, answer: Result<crate::console::ask::Judged, String>) {
    if let Some(id) = model.judging.take()
        && let Some(draft) = model.drafts.get_mut(&id)
    {
        draft.judged = Some(answer);
    }
}

fn verified(model: &mut Model, ok: bool, entries: u64, problems: Vec<String>) {
    let n = words::count(entries);
    match problems.first() {
        None if ok => model.say(
            Tone::Good,
            format!("the ledger verifies: {n} entries, tables agree"),
        ),
        first => {
            let first = first.map_or("it does not verify", String::as_str);
            model.say(
                Tone::Bad,
                format!("ledger: {} problems; {first}", problems.len().max(1)),
            );
        }
    }
    model.verified = Some(Verified {
        ok,
        entries,
        problems,
    });
}

fn rows_failed(model: &mut Model, view: ViewId, words: &str) {
    let (asked, trouble) = match view {
        ViewId::Queue => (
            &mut model.queue.list.asked_at,
            &mut model.queue.list.trouble,
        ),
        ViewId::Quarantine => (
            &mut model.quarantine.list.asked_at,
            &mut model.quarantine.list.trouble,
        ),
        ViewId::Memory => (
            &mut model.memory.list.asked_at,
            &mut model.memory.list.trouble,
        ),
        ViewId::Patterns => (
            &mut model.patterns.list.asked_at,
            &mut model.patterns.list.trouble,
        ),
        ViewId::Ledger => (
            &mut model.ledger.list.asked_at,
            &mut model.ledger.list.trouble,
        ),
        ViewId::Pulse => (&mut model.pulse.asked_at, &mut model.pulse.detail.trouble),
    };
    *asked = None;
    *trouble = Some(words.to_owned());
}

fn detail_failed(model: &mut Model, view: ViewId, words: &str) {
    let trouble = match view {
        ViewId::Queue => &mut model.queue.detail.trouble,
        ViewId::Quarantine => &mut model.quarantine.detail.trouble,
        ViewId::Memory => &mut model.memory.detail.trouble,
        ViewId::Patterns => &mut model.patterns.detail.trouble,
        ViewId::Ledger => &mut model.ledger.detail.trouble,
        ViewId::Pulse => &mut model.pulse.detail.trouble,
    };
    *trouble = Some(words.to_owned());
}
