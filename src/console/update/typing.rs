//! Keys inside fields: they change the field and nothing else until it is accepted.

use crate::console::action;
use crate::console::effect::Effect;
use crate::console::input::Input;
use crate::console::layer::{Layer, Purpose};
use crate::console::list::Load;
use crate::console::model::{Model, Tone, ViewId};
use crate::console::palette;
use crate::console::update::{
    asking, deciding, keys, looking, renewing, saving, superseding, turning,
};
use crate::domain::decision::Ruling;
use crate::domain::query::Query;
use crate::domain::reason::{DemoteReason, RejectReason};

pub(crate) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let lines = matches!(model.layers.last(), Some(Layer::Writer { .. }));
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = if lines { text } else { text.replace('\n', " ") };
    match model.input_mut() {
        Some(input) => input.insert(&text),
        None => model.say(
            Tone::Refused,
            "pasted text means nothing here: nothing was done",
        ),
    }
    changed(model)
}

/// The text of a layer changed: what it found before is not what it finds now.
pub(crate) fn changed(model: &mut Model) -> Vec<Effect> {
    match model.layers.last_mut() {
        Some(Layer::Palette { picked, .. }) => *picked = 0,
        Some(Layer::Help { scroll, .. }) => *scroll = 0,
        Some(Layer::Field(field)) => field.error = None,
        _ => {}
    }
    Vec::new()
}

pub(crate) fn accept(model: &mut Model) -> Vec<Effect> {
    match model.layers.last() {
        Some(Layer::Palette { .. }) => accept_palette(model),
        Some(Layer::Field(field)) => {
            let text = field.input.text().to_owned();
            let purpose = field.purpose.clone();
            accept_field(model, purpose, &text)
        }
        _ => Vec::new(),
    }
}

fn accept_palette(model: &mut Model) -> Vec<Effect> {
    let Some(Layer::Palette { input, picked }) = model.layers.last() else {
        return Vec::new();
    };
    let found = palette::found(model, input.text());
    let Some(entry) = found.get(*picked).and_then(|found| action::find(found.id)) else {
        return Vec::new();
    };
    let key = model.key;
    // INVARIANT: an action from the palette passes the rules that its own key passes, asked while
    // the palette is still on top: the item was on screen behind it.
    let leave = keys::leave(model, entry, key);
    model.pop();
    keys::attempt_with(model, entry, key, leave)
}

fn accept_field(model: &mut Model, purpose: Purpose, text: &str) -> Vec<Effect> {
    match purpose {
        Purpose::Find => {
            model.pop();
            if !text.is_empty() {
                text.clone_into(&mut model.needle);
            }
            if model.needle.is_empty() {
                Vec::new()
            } else {
                looking::find_next(model)
            }
        }
        Purpose::Limit => limit(model, text),
        Purpose::SaveView => saving::save_as(model, text).unwrap_or_else(|why| refuse(model, &why)),
        Purpose::OpenView => {
            saving::open_named(model, text).unwrap_or_else(|why| refuse(model, &why))
        }
        Purpose::Reason { subjects, ruling } => {
            let blank = text.trim().is_empty();
            let reason = match (&ruling, blank) {
                (Ruling::Reject, true) => RejectReason::Other.as_str().to_owned(),
                (_, true) => {
                    return refuse(
                        model,
                        "a reason is needed here; Esc leaves the item as it is",
                    );
                }
                (_, false) => text.trim().to_owned(),
            };
            model.pop();
            if subjects.len() > 1 {
                return deciding::count(model, subjects, ruling, Some(reason));
            }
            deciding::decide(model, subjects, &ruling, Some(&reason))
        }
        Purpose::RestoreNote
        | Purpose::RenewNote
        | Purpose::SupersedeReason(_)
        | Purpose::DemoteNote => accept_note(model, &purpose, text.trim()),
        Purpose::DemoteAll {
            memories,
            reason,
            note,
        } => {
            if text.trim() != memories.len().to_string() {
                return refuse(
                    model,
                    "that is not their number; Esc leaves them as they are",
                );
            }
            model.pop();
            turning::demote_all(model, memories, reason, note)
        }
        Purpose::Count {
            subjects,
            ruling,
            reason,
        } => {
            if text.trim() != subjects.len().to_string() {
                return refuse(
                    model,
                    "that is not their number; Esc leaves them as they are",
                );
            }
            model.pop();
            deciding::decide(model, subjects, &ruling, reason.as_ref())
        }
    }
}

/// A few words before a question: what they are for asks it.
fn accept_note(model: &mut Model, purpose: &Purpose, text: &str) -> Vec<Effect> {
    if text.is_empty() {
        let why = match purpose {
            Purpose::DemoteNote => "say in a few words what is wrong with it",
            _ => "a reason is needed here; Esc leaves it as it is",
        };
        return refuse(model, why);
    }
    model.pop();
    let note = Some(text.to_owned());
    match purpose {
        Purpose::RestoreNote => turning::ask_restore(model, note),
        Purpose::RenewNote => renewing::ask(model, note),
        Purpose::SupersedeReason(memory) => superseding::ask(model, *memory, note),
        Purpose::DemoteNote => turning::ask_demote(model, DemoteReason::Other, note),
        Purpose::Find
        | Purpose::Limit
        | Purpose::SaveView
        | Purpose::OpenView
        | Purpose::Reason { .. }
        | Purpose::DemoteAll { .. }
        | Purpose::Count { .. } => {}
    }
    Vec::new()
}

fn refuse(model: &mut Model, why: &str) -> Vec<Effect> {
    if let Some(Layer::Field(field)) = model.layers.last_mut() {
        field.error = Some(why.to_owned());
    }
    Vec::new()
}

/// Narrows the shown list; a query that cannot be read leaves the field open and says why.
fn limit(model: &mut Model, text: &str) -> Vec<Effect> {
    if model.view == ViewId::Pulse {
        return match crate::console::update::pulse::limit(model, text) {
            Ok(effects) => effects,
            Err(why) => refuse(model, &why),
        };
    }
    let filter = match Query::parse(text, model.view.over()) {
        Ok(filter) => filter,
        Err(bad) => return refuse(model, &bad.why),
    };
    model.pop();
    narrow(model, filter)
}

/// Narrows the shown list to a query.
pub(crate) fn narrow(model: &mut Model, filter: Query) -> Vec<Effect> {
    if model.view == ViewId::Ledger {
        model.ledger.filter = filter;
        model.ledger.list = crate::console::list::List::default();
    } else if model.view == ViewId::Memory {
        model.memory.filter = filter;
        model.memory.list = crate::console::list::List::default();
    } else if model.view == ViewId::Patterns {
        model.patterns.filter = filter;
        model.patterns.list = crate::console::list::List::default();
    } else if let Some(view) = model.candidates_mut() {
        view.filter = filter;
        let selected = view.list.selected;
        view.list = crate::console::list::List {
            selected,
            ..Default::default()
        };
    }
    asking::rows(model, Load::Anew)
}

pub(crate) fn new_line(model: &mut Model) -> Vec<Effect> {
    typed(model, |input| input.insert("\n"))
}

pub(crate) fn left(model: &mut Model) -> Vec<Effect> {
    typed(model, Input::left)
}

pub(crate) fn right(model: &mut Model) -> Vec<Effect> {
    typed(model, Input::right)
}

pub(crate) fn line_start(model: &mut Model) -> Vec<Effect> {
    typed(model, Input::home)
}

pub(crate) fn line_end(model: &mut Model) -> Vec<Effect> {
    typed(model, Input::end)
}

pub(crate) fn erase(model: &mut Model) -> Vec<Effect> {
    typed(model, Input::backspace)
}

pub(crate) fn erase_after(model: &mut Model) -> Vec<Effect> {
    typed(model, Input::delete)
}

pub(crate) fn erase_word(model: &mut Model) -> Vec<Effect> {
    typed(model, Input::backspace_word)
}

pub(crate) fn take_back(model: &mut Model) -> Vec<Effect> {
    typed(model, |input| {
        input.undo();
    })
}

fn typed(model: &mut Model, change: impl Fn(&mut Input)) -> Vec<Effect> {
    if let Some(input) = model.input_mut() {
        change(input);
    }
    changed(model)
}
