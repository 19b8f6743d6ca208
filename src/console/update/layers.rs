//! Help, palette, closing, leaving.

use crate::console::effect::Effect;
use crate::console::input::Input;
use crate::console::layer::Layer;
use crate::console::model::{Focus, Model, Tone};
use crate::console::place::Place;
use crate::console::tour;
use crate::console::update::editing;
use crate::console::words;

pub(crate) fn palette(model: &mut Model) -> Vec<Effect> {
    model.push(Layer::Palette {
        input: Input::default(),
        picked: 0,
    });
    Vec::new()
}

pub(crate) fn help(model: &mut Model) -> Vec<Effect> {
    let place = model.place();
    model.push(Layer::Help {
        input: Input::default(),
        scroll: 0,
        place,
    });
    Vec::new()
}

/// Closes the top layer. What was written in place stays as a draft.
pub(crate) fn close(model: &mut Model) -> Vec<Effect> {
    match model.pop() {
        Some(Layer::Writer {
            candidate, input, ..
        }) => editing::keep(model, candidate, input.text().to_owned()),
        _ => Vec::new(),
    }
}

pub(crate) fn back(model: &mut Model) -> Vec<Effect> {
    if model.focus == Focus::Detail {
        model.focus = Focus::List;
        return Vec::new();
    }
    if model.single && model.tab() == 0 {
        model.single = false;
        return Vec::new();
    }
    if model.tab() > 0 {
        model.set_tab(0);
        return Vec::new();
    }
    if model.key.typed().is_none() {
        return Vec::new();
    }
    if !model.drafts.is_empty() {
        let many = words::many(model.drafts.len() as u64, "draft");
        let key = model.keymap.hint(Place::Everywhere, "quit");
        model.say(
            Tone::Refused,
            format!("you have {many} that nobody has approved: `{key}` leaves without them"),
        );
        return Vec::new();
    }
    quit(model)
}

pub(crate) fn tour(model: &mut Model) -> Vec<Effect> {
    tour::turn(model);
    Vec::new()
}

pub(crate) fn quit(_: &mut Model) -> Vec<Effect> {
    vec![Effect::Quit]
}

pub(crate) fn repaint(_: &mut Model) -> Vec<Effect> {
    vec![Effect::Repaint]
}

pub(crate) fn suspend(_: &mut Model) -> Vec<Effect> {
    vec![Effect::Suspend]
}
