//! Finding, limiting, sorting, copying, asking why. Nothing here decides.

use crate::console::ask::{From, Lane, Request};
use crate::console::effect::Effect;
use crate::console::input::Input;
use crate::console::layer::{Field, Layer, Purpose};
use crate::console::list::{List, Load, Row};
use crate::console::model::{Model, Tone, ViewId};
use crate::console::update::asking;
use crate::domain::CandidateId;
use crate::domain::query::{Query, Term};

pub(crate) fn find(model: &mut Model) -> Vec<Effect> {
    let hint = if model.needle.is_empty() {
        "words, in any case; Enter moves to the next row that holds them".to_owned()
    } else {
        format!(
            "words, in any case; Enter alone finds `{}` again",
            model.needle
        )
    };
    field(model, "Find", &hint, "", Purpose::Find)
}

pub(crate) fn limit(model: &mut Model) -> Vec<Effect> {
    let (now, hint) = match model.view {
        ViewId::Ledger => (model.ledger.filter.to_string(), HINT),
        ViewId::Memory => (model.memory.filter.to_string(), HINT),
        ViewId::Patterns => (model.patterns.filter.to_string(), HINT),
        ViewId::Pulse => (
            crate::console::update::pulse::limited(model),
            "a layer, acme/emea, and those below it; empty measures everything",
        ),
        ViewId::Queue => (model.queue.filter.to_string(), HINT),
        ViewId::Quarantine => (model.quarantine.filter.to_string(), HINT),
    };
    field(model, "Limit", hint, &now, Purpose::Limit)
}

const HINT: &str = "words, or key:value; `or`, `-` for not, (…); empty shows everything";

fn field(model: &mut Model, title: &str, hint: &str, text: &str, purpose: Purpose) -> Vec<Effect> {
    model.push(Layer::Field(Field {
        title: title.to_owned(),
        hint: hint.to_owned(),
        input: Input::of(text),
        error: None,
        purpose,
        target: None,
    }));
    Vec::new()
}

pub(crate) fn find_next(model: &mut Model) -> Vec<Effect> {
    let needle = model.needle.clone();
    if seek(model, &needle, false) {
        return Vec::new();
    }
    let far = match model.view {
        ViewId::Queue => model.queue.list.more_after,
        ViewId::Quarantine => model.quarantine.list.more_after,
        ViewId::Memory | ViewId::Patterns | ViewId::Ledger | ViewId::Pulse => false,
    };
    if far && let Some(view) = model.candidates() {
        let last = view.list.rows.last().map(|row| row.id);
        return seek_from(model, last);
    }
    let limit = model.keymap.hint(model.place(), "limit");
    model.say(
        Tone::Plain,
        format!("no row here holds `{needle}`; `{limit}` narrows the whole list"),
    );
    Vec::new()
}

/// Asks for the next candidate behind this one that holds the words and is not loaded.
pub(crate) fn seek_from(model: &mut Model, last: Option<CandidateId>) -> Vec<Effect> {
    let words = Query::of(Term::Text(model.needle.clone()));
    let Some(view) = model.candidates() else {
        return Vec::new();
    };
    let request = Request::Candidates {
        state: view.state,
        filter: view.filter.clone().and(words),
        from: last.map_or(From::Start, From::After),
        limit: 1,
    };
    vec![asking::ask(model, Lane::Find, request)]
}

pub(crate) fn find_previous(model: &mut Model) -> Vec<Effect> {
    let needle = model.needle.clone();
    if !seek(model, &needle, true) {
        model.say(Tone::Plain, format!("no row here holds `{needle}`"));
    }
    Vec::new()
}

fn seek(model: &mut Model, needle: &str, back: bool) -> bool {
    match model.view {
        ViewId::Queue => seek_in(&mut model.queue.list, needle, back),
        ViewId::Quarantine => seek_in(&mut model.quarantine.list, needle, back),
        ViewId::Memory => seek_in(&mut model.memory.list, needle, back),
        ViewId::Patterns => seek_in(&mut model.patterns.list, needle, back),
        ViewId::Ledger => seek_in(&mut model.ledger.list, needle, back),
        ViewId::Pulse => false,
    }
}

/// Moves to the next row that holds the words, going round at the end.
fn seek_in<R: Row>(list: &mut List<R>, needle: &str, back: bool) -> bool {
    let needle = needle.to_lowercase();
    let rows = list.rows.len();
    let at = list.place().unwrap_or(0);
    let offsets = 1..=rows;
    let places = offsets.map(|by| if back { at + rows - by } else { at + by } % rows.max(1));
    let hit = places.map(|at| at % rows.max(1)).find(|at| {
        list.rows
            .get(*at)
            .is_some_and(|row| row.text().to_lowercase().contains(&needle))
    });
    if let Some(at) = hit {
        list.select_at(at);
    }
    hit.is_some()
}

pub(crate) fn sort(model: &mut Model) -> Vec<Effect> {
    model.memory.sort = model.memory.sort.next();
    model.memory.list = List::default();
    Vec::new()
}

pub(crate) fn verify(model: &mut Model) -> Vec<Effect> {
    model.say(Tone::Plain, "verifying the ledger");
    vec![asking::ask(model, Lane::Verify, Request::Verify)]
}

pub(crate) fn why(model: &mut Model) -> Vec<Effect> {
    let Some(subject) = subject(model) else {
        return Vec::new();
    };
    model.push(Layer::Tree {
        title: subject.clone(),
        tree: None,
        scroll: 0,
    });
    vec![asking::ask(model, Lane::Tree, Request::Why(subject))]
}

fn subject(model: &Model) -> Option<String> {
    match model.view {
        ViewId::Ledger => model.ledger.list.row().map(|row| row.item.clone()),
        ViewId::Pulse => None,
        ViewId::Queue | ViewId::Quarantine | ViewId::Memory | ViewId::Patterns => {
            model.selected().map(|item| item.to_string())
        }
    }
}

pub(crate) fn escape_all(model: &mut Model) -> Vec<Effect> {
    model.escaped = !model.escaped;
    let words = if model.escaped {
        "every character outside plain ASCII is shown by its number"
    } else {
        "the text is shown as it reads"
    };
    model.say(Tone::Plain, words);
    Vec::new()
}

pub(crate) fn copy(model: &mut Model) -> Vec<Effect> {
    let text = match model.view {
        ViewId::Memory => model.memory.current().map(|view| view.memory.text.clone()),
        ViewId::Patterns => model.patterns.current().map(|view| view.row.claim.clone()),
        ViewId::Ledger => model.ledger.list.row().and_then(|row| row.text.clone()),
        ViewId::Pulse => None,
        ViewId::Queue | ViewId::Quarantine => match model.draft().filter(|_| model.on_draft()) {
            Some(draft) => Some(draft.text.clone()),
            None => model.candidate().map(|view| view.candidate.claim.clone()),
        },
    };
    let Some(text) = text else {
        model.say(Tone::Refused, "copy: there is no text here");
        return Vec::new();
    };
    vec![Effect::Copy(crate::console::prose::shown(&text))]
}

pub(crate) fn take_in(model: &mut Model) -> Vec<Effect> {
    asking::rows(model, Load::Anew)
}
