//! From one list to the thing itself in another. Nothing here decides.

use crate::console::ask::{From, Lane, Request};
use crate::console::effect::Effect;
use crate::console::list::List;
use crate::console::model::{Model, Tone, ViewId};
use crate::console::update::{asking, moving};
use crate::desk::Whereabouts;
use crate::domain::candidate::CandidateState;
use crate::domain::query::Query;
use crate::domain::{CandidateId, MemoryId};

/// From a pattern or an entry to what it is about.
pub(crate) fn go_there(model: &mut Model) -> Vec<Effect> {
    if model.view == ViewId::Ledger {
        let Some(row) = model.ledger.list.row() else {
            return Vec::new();
        };
        let request = Request::Whereabouts(row.item.clone());
        return vec![asking::ask(model, Lane::Look, request)];
    }
    let Some(row) = model.patterns.list.row() else {
        return Vec::new();
    };
    if let Some(memory) = row.memory {
        return to_memory(model, memory);
    }
    match (row.candidate, row.state) {
        (Some(id), "quarantined") => to_candidate(model, id, ViewId::Quarantine),
        (Some(id), _) => to_candidate(model, id, ViewId::Queue),
        (None, _) => Vec::new(),
    }
}

/// Goes where the desk says that a thing stands.
pub(crate) fn go(model: &mut Model, place: Whereabouts) -> Vec<Effect> {
    // Whoever has opened something meanwhile stays where they are.
    if !model.layers.is_empty() {
        return Vec::new();
    }
    match place {
        Whereabouts::Memory(id) => to_memory(model, id),
        Whereabouts::Candidate(id, CandidateState::Quarantined) => {
            to_candidate(model, id, ViewId::Quarantine)
        }
        Whereabouts::Candidate(id, _) => to_candidate(model, id, ViewId::Queue),
        Whereabouts::Pattern(id) => {
            model.patterns.filter = Query::default();
            model.patterns.list = List {
                selected: Some(id),
                ..List::default()
            };
            moving::show(model, ViewId::Patterns)
        }
        Whereabouts::Nowhere(why) => {
            let key = model.keymap.hint(model.place(), "why");
            model.say(
                Tone::Refused,
                format!("{why}; `{key}` walks back to where it came from"),
            );
            Vec::new()
        }
    }
}

fn to_memory(model: &mut Model, memory: MemoryId) -> Vec<Effect> {
    model.memory.filter = Query::default();
    model.memory.list = List {
        selected: Some(memory),
        ..List::default()
    };
    moving::show(model, ViewId::Memory)
}

fn to_candidate(model: &mut Model, candidate: CandidateId, view: ViewId) -> Vec<Effect> {
    let list = match view {
        ViewId::Quarantine => &mut model.quarantine,
        _ => &mut model.queue,
    };
    list.filter = Query::default();
    let request = Request::Candidates {
        state: list.state,
        filter: Query::default(),
        from: From::After(CandidateId(candidate.0 - 1)),
        limit: 1,
    };
    let mut effects = moving::show(model, view);
    effects.push(asking::ask(model, Lane::Seek(candidate), request));
    effects
}
