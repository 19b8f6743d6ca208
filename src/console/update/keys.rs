//! From a key to an action, and past the rules that keep a key from deciding what was not seen.

use crate::console::action::{Action, Binds};
use crate::console::effect::Effect;
use crate::console::key::Key;
use crate::console::layer::{Binding, Layer};
use crate::console::layout::Areas;
use crate::console::model::{Model, Tone};
use crate::console::place::Place;
use crate::console::safety::Leave;
use crate::console::update::typing;

pub(crate) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    let mut effects = settle_suspended(model, key);
    let now = model.now;
    model.safety.press(key, now);
    model.key = key;
    model.notice = None;
    if matches!(model.layers.last(), Some(Layer::Secret { .. })) {
        // What was hidden goes with the next key, whatever it is; the key does nothing else.
        model.pop();
        return effects;
    }
    let place = model.place();
    match model.keymap.find(place, key) {
        Some(action) => effects.extend(attempt(model, action, key)),
        None => effects.extend(typed(model, place, key)),
    }
    effects
}

/// A suspended key has been silent long enough: it was a press, not a repeat.
pub(crate) fn tick(model: &mut Model) -> Vec<Effect> {
    match model.suspended {
        Some((key, at)) if model.now.ms >= at => {
            model.suspended = None;
            believe(model, key)
        }
        _ => Vec::new(),
    }
}

/// Runs an action if it is possible now and, where it decides, if what it decides was on screen.
pub(crate) fn attempt(model: &mut Model, action: &'static Action, key: Key) -> Vec<Effect> {
    let leave = leave(model, action, key);
    attempt_with(model, action, key, leave)
}

/// The same, where it was asked before whether the key may decide.
pub(crate) fn attempt_with(
    model: &mut Model,
    action: &'static Action,
    key: Key,
    leave: Leave,
) -> Vec<Effect> {
    if Areas::of(model).too_small() && !matches!(action.id, "quit" | "back" | "suspend" | "repaint")
    {
        model.say(
            Tone::Refused,
            "the terminal is too small to decide anything",
        );
        return Vec::new();
    }
    if let Err(why) = action.now(model) {
        model.say(Tone::Refused, format!("{}: {why}", name(action)));
        return Vec::new();
    }
    match leave {
        Leave::Granted => run(model, action, key),
        Leave::At(ms) => {
            model.suspended = Some((key, ms));
            Vec::new()
        }
        Leave::Refused(why) => {
            model.say(Tone::Refused, why);
            Vec::new()
        }
    }
}

fn run(model: &mut Model, action: &'static Action, key: Key) -> Vec<Effect> {
    let effects = (action.run)(model);
    if model.acting.is_some() {
        let now = model.now;
        model.safety.decided(key, now);
    }
    effects
}

pub(crate) fn leave(model: &Model, action: &Action, key: Key) -> Leave {
    let binding = match action.binds {
        Binds::Nothing => Binding::Nothing,
        Binds::Selected => model.target().map_or(Binding::ToLayer, Binding::To),
        Binds::Layer => model.layers.last().map_or(Binding::Nothing, Layer::binding),
    };
    let target = match binding {
        Binding::Nothing => return Leave::Granted,
        Binding::ToLayer => None,
        Binding::To(target) => Some(target),
    };
    model
        .safety
        .leave(key, target, model.layer_serial, model.now)
}

/// Another key came first: the suspended one was no repeat. The same key: it was.
fn settle_suspended(model: &mut Model, key: Key) -> Vec<Effect> {
    match model.suspended.take() {
        Some((waiting, _)) if waiting != key => believe(model, waiting),
        _ => Vec::new(),
    }
}

fn believe(model: &mut Model, key: Key) -> Vec<Effect> {
    let Some(action) = model.keymap.find(model.place(), key) else {
        return Vec::new();
    };
    model.key = key;
    match action.now(model) {
        Ok(()) => run(model, action, key),
        Err(_) => Vec::new(),
    }
}

fn typed(model: &mut Model, place: Place, key: Key) -> Vec<Effect> {
    let text = key.typed().filter(|_| place.takes_text());
    if let (Some(c), Some(input)) = (text, model.input_mut()) {
        input.insert(c.encode_utf8(&mut [0; 4]));
        return typing::changed(model);
    }
    let latin = key.typed().is_none_or(|c| c.is_ascii());
    let hint = model.keymap.hint(Place::Everywhere, "help");
    let why = match (place.is_view(), latin) {
        (true, true) => format!("`{key}` does nothing here; `{hint}` lists the keys"),
        (true, false) => format!("`{key}` is not a key here: is another keyboard layout on?"),
        (false, _) => format!("`{key}` does nothing while {}", place.title()),
    };
    model.say(Tone::Refused, why);
    Vec::new()
}

fn name(action: &Action) -> String {
    let name = if action.label.is_empty() {
        action.id
    } else {
        action.label
    };
    name.replace('_', " ")
}
