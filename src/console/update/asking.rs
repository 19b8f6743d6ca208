//! Requests to the desk: what the shown view lacks, and nothing else.

use crate::console::ask::{Ask, From, Lane, Request};
use crate::console::effect::Effect;
use crate::console::list::{Load, PAGE};
use crate::console::model::{Item, Model, ViewId};
use crate::console::snapshot::Candidates;
use crate::desk::view::MemoryPlace;
use crate::domain::{CandidateId, EntrySeq};

/// A request on a lane; whatever was asked there before is pointless now.
pub(crate) fn ask(model: &mut Model, lane: Lane, request: Request) -> Effect {
    let generation = model.generations.entry(lane).or_insert(0);
    *generation += 1;
    Effect::Ask(Ask {
        lane,
        generation: *generation,
        request,
    })
}

pub(crate) fn overview(model: &mut Model) -> Vec<Effect> {
    vec![ask(model, Lane::Overview, Request::Overview)]
}

/// Something was committed: read the head line again, and look at the shown rows.
pub(crate) fn news(model: &mut Model) -> Vec<Effect> {
    let mut effects = overview(model);
    if shown_loaded(model) && !searching(model) {
        effects.extend(rows(model, Load::Refresh));
    }
    effects
}

/// The rows that the shown list lacks where its selection stands.
pub(crate) fn rows_wanted(model: &mut Model) -> Vec<Effect> {
    let wanted = match model.view {
        ViewId::Queue => model.queue.list.wants(),
        ViewId::Quarantine => model.quarantine.list.wants(),
        ViewId::Memory => model.memory.list.wants(),
        ViewId::Patterns => model.patterns.list.wants(),
        ViewId::Ledger => model.ledger.list.wants(),
        ViewId::Pulse => model.pulse.wants(),
    };
    wanted.map(|load| rows(model, load)).unwrap_or_default()
}

/// Rows of the shown list, for this purpose.
pub(crate) fn rows(model: &mut Model, load: Load) -> Vec<Effect> {
    let now = model.now.ms;
    let view = model.view;
    let request = match view {
        ViewId::Queue => candidate_rows(&mut model.queue, load, now),
        ViewId::Quarantine => candidate_rows(&mut model.quarantine, load, now),
        ViewId::Memory => memory_rows(model, load),
        ViewId::Patterns => pattern_rows(model, load),
        ViewId::Ledger => entry_rows(model, load),
        ViewId::Pulse => crate::console::update::pulse::request(model, false),
    };
    vec![ask(model, Lane::Rows(view), request)]
}

/// The detail of the selected item, unless it is here or on its way.
pub(crate) fn detail_wanted(model: &mut Model) -> Vec<Effect> {
    let Some(item) = model.selected() else {
        return Vec::new();
    };
    let now = model.now.ms;
    let (here, awaited) = match (model.view, item) {
        (ViewId::Queue, Item::Candidate(id)) => detail_state(&model.queue, id),
        (ViewId::Quarantine, Item::Candidate(id)) => detail_state(&model.quarantine, id),
        (ViewId::Memory, _) => {
            let detail = &model.memory.detail;
            (
                model.memory.current().is_some() && !detail.stale,
                detail.asked,
            )
        }
        (ViewId::Patterns, _) => {
            let detail = &model.patterns.detail;
            (
                model.patterns.current().is_some() && !detail.stale,
                detail.asked,
            )
        }
        _ => return Vec::new(),
    };
    if here || awaited.is_some_and(|(asked, _)| asked == item) {
        return Vec::new();
    }
    let request = match item {
        Item::Candidate(id) => Request::Candidate(id),
        Item::Memory(id) => Request::Memory(id),
        Item::Pattern(id) => Request::Pattern(id),
        Item::Entry(_) => return Vec::new(),
    };
    model.await_detail(item, now);
    let view = model.view;
    vec![ask(model, Lane::Detail(view), request)]
}

/// The gate's word on the draft on screen, if nobody has asked for it.
pub(crate) fn judgement_wanted(model: &mut Model) -> Vec<Effect> {
    let asked = model.judging.is_some();
    let unjudged = model.on_draft() && model.draft().is_some_and(|draft| draft.judged.is_none());
    let Some(candidate) = model.candidate().map(|view| view.candidate.id) else {
        return Vec::new();
    };
    if asked || !unjudged {
        return Vec::new();
    }
    let text = model
        .draft()
        .map(|draft| draft.text.clone())
        .unwrap_or_default();
    model.judging = Some(candidate);
    vec![ask(model, Lane::Judge, Request::Judge { candidate, text })]
}

fn detail_state(list: &Candidates, _: CandidateId) -> (bool, Option<(Item, u64)>) {
    (
        list.current().is_some() && !list.detail.stale,
        list.detail.asked,
    )
}

fn shown_loaded(model: &mut Model) -> bool {
    let now = model.now.ms;
    match model.view {
        ViewId::Queue => model.queue.list.loaded,
        ViewId::Quarantine => model.quarantine.list.loaded,
        ViewId::Memory => model.memory.list.loaded,
        ViewId::Patterns => model.patterns.list.loaded,
        ViewId::Ledger => model.ledger.list.loaded,
        ViewId::Pulse => model.pulse.due(now),
    }
}

/// Whether a search for rows that match a limit is under way: beginning anew would never end.
fn searching(model: &Model) -> bool {
    match model.view {
        ViewId::Queue => model.queue.list.is_searching(),
        ViewId::Quarantine => model.quarantine.list.is_searching(),
        ViewId::Ledger => model.ledger.list.is_searching(),
        ViewId::Memory | ViewId::Patterns | ViewId::Pulse => false,
    }
}

fn candidate_rows(view: &mut Candidates, load: Load, now: u64) -> Request {
    let list = &mut view.list;
    list.asked_at = Some(now);
    list.purpose = load;
    let first = list.rows.first().map(|row| row.id).or(list.selected);
    let last = list.rows.last().map(|row| row.id);
    let before_first = match first {
        Some(id) if list.more_before => From::After(CandidateId(id.0 - 1)),
        _ => From::Start,
    };
    let (from, limit) = match load {
        Load::Anew | Load::Refresh => (before_first, list.rows.len().max(PAGE) + PAGE / 4),
        Load::Append => {
            let from = last.max(list.left_after);
            (from.map_or(From::Start, From::After), PAGE)
        }
        Load::Prepend => {
            // What was kept as a place may be gone, and everything before it is still there.
            let from = first.into_iter().chain(list.left_before).min();
            (from.map_or(From::End, From::Before), PAGE)
        }
        Load::Last => (From::End, PAGE),
    };
    if load == Load::Anew && !list.more_before {
        list.first_at = Some(0);
    }
    Request::Candidates {
        state: view.state,
        filter: view.filter.clone(),
        from,
        limit,
    }
}

fn memory_rows(model: &mut Model, load: Load) -> Request {
    let now = model.now.ms;
    let view = &mut model.memory;
    let list = &mut view.list;
    list.asked_at = Some(now);
    list.purpose = load;
    let first = list.rows.first().map(|row| row.key);
    let last = list.rows.last().map(|row| row.key);
    let top = match first {
        Some(key) if list.more_before => MemoryPlace::At(key),
        _ => MemoryPlace::Start,
    };
    let (place, limit) = match load {
        Load::Anew | Load::Refresh => (top, list.rows.len().max(PAGE)),
        Load::Append => (last.map_or(MemoryPlace::Start, MemoryPlace::After), PAGE),
        Load::Prepend => (first.map_or(MemoryPlace::Start, MemoryPlace::Before), PAGE),
        Load::Last => (MemoryPlace::End, PAGE),
    };
    if place == MemoryPlace::Start {
        list.first_at = Some(0);
    }
    Request::Memories {
        sort: view.sort,
        filter: view.filter.clone(),
        place,
        limit,
    }
}

fn pattern_rows(model: &mut Model, load: Load) -> Request {
    let now = model.now.ms;
    let view = &mut model.patterns;
    view.list.asked_at = Some(now);
    view.list.purpose = load;
    view.list.first_at = Some(0);
    let (offset, limit) = match load {
        Load::Append => (view.list.rows.len(), PAGE),
        Load::Anew | Load::Refresh | Load::Prepend | Load::Last => {
            (0, view.list.rows.len().max(PAGE))
        }
    };
    Request::Patterns {
        filter: view.filter.clone(),
        offset,
        limit,
    }
}

fn entry_rows(model: &mut Model, load: Load) -> Request {
    let now = model.now.ms;
    let view = &mut model.ledger;
    view.list.asked_at = Some(now);
    view.list.purpose = load;
    view.list.first_at = Some(0);
    let before: Option<EntrySeq> = match load {
        Load::Append => {
            let last = view.list.rows.last().map(|row| row.seq);
            last.into_iter().chain(view.list.left_after).min()
        }
        Load::Anew | Load::Refresh | Load::Prepend | Load::Last => None,
    };
    Request::Entries {
        before,
        filter: view.filter.clone(),
        limit: PAGE,
    }
}
