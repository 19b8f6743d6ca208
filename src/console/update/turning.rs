//! Memories out of service and back, and taking a decision back: each asks before it acts.

use crate::console::ask::{Lane, Request};
use crate::console::effect::Effect;
use crate::console::input::Input;
use crate::console::layer::{Act, Choice, Choose, Confirm, Field, Layer, Purpose};
use crate::console::model::{Acting, Item, Model, Tone};
use crate::console::place::Place;
use crate::console::tabs::Tab;
use crate::console::update::asking;
use crate::console::words;
use crate::desk::view::MarkedMemory;
use crate::domain::reason::DemoteReason;
use crate::domain::{Digest, Influence};

pub(crate) fn demote(model: &mut Model) -> Vec<Effect> {
    let Some(target) = model.target() else {
        return Vec::new();
    };
    // Taking an approval back has a key of its own.
    let options = DemoteReason::ALL
        .iter()
        .filter(|reason| **reason != DemoteReason::Undone);
    let options = options
        .filter_map(|r| Some((u32::try_from(r.code()).ok()?, words::spaced(r.as_str()))))
        .collect();
    let title = match model.memory.marks.len() {
        0 => format!("Demote {}: why?", target.item),
        n => format!("Demote {n} marked memories: why?"),
    };
    model.push(Layer::Choose(Choose {
        title,
        options,
        choice: Choice::Demote,
        target,
    }));
    Vec::new()
}

pub(crate) fn restore(model: &mut Model) -> Vec<Effect> {
    let plans = model
        .memory
        .current()
        .is_some_and(|view| view.memory.influence >= Influence::Plan);
    if plans {
        note(
            model,
            "Restore: why?",
            "an agent may plan by this: say in a few words why it holds",
            Purpose::RestoreNote,
        );
    } else {
        ask_restore(model, None);
    }
    Vec::new()
}

pub(crate) fn ask_restore(model: &mut Model, note: Option<String>) {
    let (Some(target), Some(view)) = (model.target(), model.memory.current()) else {
        return;
    };
    let why = view.memory.changed.as_ref().map_or_else(
        || "unknown".to_owned(),
        |o| {
            format!(
                "by {} at {}{}",
                o.by,
                words::moment(o.at),
                o.reason
                    .as_ref()
                    .map(|r| format!(" ({r})"))
                    .unwrap_or_default()
            )
        },
    );
    let confirm = Confirm {
        title: format!("Restore {}?", target.item),
        lines: vec![
            ("demoted", why),
            (
                "then",
                format!("it is served again in {}", view.memory.scope.layer),
            ),
        ],
        verb: "restore it",
        act: Act::Restore {
            memory: view.memory.id,
            shown: target.shown,
            note,
        },
        target: Some(target),
    };
    model.push(Layer::Confirm(confirm));
}

/// Asks for a few words before the question.
pub(crate) fn note(model: &mut Model, title: &str, hint: &str, purpose: Purpose) {
    model.push(Layer::Field(Field {
        title: title.to_owned(),
        hint: hint.to_owned(),
        input: Input::default(),
        error: None,
        purpose,
        target: None,
    }));
}

pub(crate) fn undo(model: &mut Model) -> Vec<Effect> {
    vec![asking::ask(model, Lane::Undoable, Request::Undoable)]
}

pub(crate) fn demote_for(model: &mut Model, digit: u32) -> Vec<Effect> {
    let Some(reason) = DemoteReason::from_code(i64::from(digit)) else {
        return Vec::new();
    };
    model.pop();
    if reason == DemoteReason::Other {
        note(
            model,
            "Demote: why?",
            "say what is wrong with it",
            Purpose::DemoteNote,
        );
        return Vec::new();
    }
    ask_demote(model, reason, None);
    Vec::new()
}

/// Marks the selected memory, or takes its mark away, and goes on to the next.
pub(crate) fn mark(model: &mut Model) -> Vec<Effect> {
    let view = &mut model.memory;
    let Some(row) = view.list.row() else {
        return Vec::new();
    };
    let marked = MarkedMemory {
        id: row.id,
        shown: Digest::of(row.text.as_bytes()),
        served: row.served,
    };
    if view.marks.remove(&marked.id).is_none() {
        view.marks.insert(marked.id, marked);
    }
    view.list.step(1);
    Vec::new()
}

/// Marks all that the limit finds, or takes every mark away.
pub(crate) fn mark_found(model: &mut Model) -> Vec<Effect> {
    if !model.memory.marks.is_empty() {
        model.memory.marks.clear();
        model.say(Tone::Plain, "no memory is marked any more");
        return Vec::new();
    }
    let filter = model.memory.filter.clone();
    vec![asking::ask(
        model,
        Lane::Mark,
        Request::FoundMemories(filter),
    )]
}

/// What the limit found is marked; nothing is decided by it.
pub(crate) fn found(model: &mut Model, found: Vec<MarkedMemory>) {
    let many = words::many(found.len() as u64, "memory");
    model.memory.marks = found.into_iter().map(|one| (one.id, one)).collect();
    let key = model.keymap.hint(Place::Memory, "mark_found");
    model.say(
        Tone::Plain,
        format!("{many} marked; `{key}` takes all marks away"),
    );
}

/// Shows who was served the memory, while the question stays on top.
pub(crate) fn who(model: &mut Model) -> Vec<Effect> {
    let reach = model.tabs().iter().position(|tab| *tab == Tab::Reach);
    model.set_tab(reach.unwrap_or(0));
    Vec::new()
}

/// Many at once: what they are, and their number has to be typed.
fn ask_demote_all(model: &mut Model, reason: DemoteReason, note: Option<String>) {
    let memories: Vec<MarkedMemory> = model.memory.marks.values().cloned().collect();
    let n = memories.len();
    let served: u64 = memories.iter().map(|one| one.served).sum();
    let first: Vec<String> = memories
        .iter()
        .take(4)
        .map(|one| one.id.to_string())
        .collect();
    let more = if n > first.len() { " …" } else { "" };
    model.push(Layer::Field(Field {
        title: format!("Demote {n} memories as {}", words::spaced(reason.as_str())),
        hint: format!(
            "{}{more} · served {} in all · type {n} and press Enter",
            first.join(", "),
            words::many(served, "time")
        ),
        input: Input::default(),
        error: None,
        purpose: Purpose::DemoteAll {
            memories,
            reason,
            note,
        },
        target: None,
    }));
}

/// The number was typed: all of them are sent off.
pub(crate) fn demote_all(
    model: &mut Model,
    memories: Vec<MarkedMemory>,
    reason: DemoteReason,
    note: Option<String>,
) -> Vec<Effect> {
    model.acting = Some(Acting {
        doing: "demoting",
        done: "demoted",
        items: memories.iter().map(|one| Item::Memory(one.id)).collect(),
        stays: true,
        approving: false,
        undone: None,
    });
    let request = Request::DemoteAll {
        memories,
        reason,
        note,
    };
    vec![asking::ask(model, Lane::Act, request)]
}

pub(crate) fn ask_demote(model: &mut Model, reason: DemoteReason, note: Option<String>) {
    if !model.memory.marks.is_empty() {
        return ask_demote_all(model, reason, note);
    }
    let (Some(target), Some(view)) = (model.target(), model.memory.current()) else {
        return;
    };
    let memory = &view.memory;
    let reach = match memory.served {
        0 => "never served".to_owned(),
        n => format!(
            "{} to {} since {} ▸ {} who",
            words::many(n, "serving"),
            words::many(view.sessions_reached, "session"),
            memory.approved_at.date(),
            model.keymap.hint(Place::Confirm, "who")
        ),
    };
    let confirm = Confirm {
        title: format!(
            "Demote {} as {}?",
            memory.id,
            words::spaced(reason.as_str())
        ),
        lines: vec![
            ("reach", reach),
            (
                "then",
                format!("no recall in {} gets it any more", memory.scope.layer),
            ),
        ],
        verb: "demote it",
        act: Act::Demote {
            memory: memory.id,
            shown: target.shown,
            reason,
            note,
        },
        target: Some(target),
    };
    model.push(Layer::Confirm(confirm));
}
