//! Views under a name: saved from what is shown, opened by their name. Nothing here decides.

use crate::console::effect::Effect;
use crate::console::input::Input;
use crate::console::layer::{Field, Layer, Purpose};
use crate::console::model::{Model, Tone, ViewId};
use crate::console::ready::Ready;
use crate::console::shelf;
use crate::console::update::{moving, typing};
use crate::domain::query::Query;

/// Whether the shown view can be saved.
pub(crate) fn lists(model: &Model) -> Ready {
    match model.view {
        ViewId::Pulse => Err("there is no list here to save".into()),
        _ => Ok(()),
    }
}

pub(crate) fn any_saved(model: &Model) -> Ready {
    match model.saved.is_empty() {
        true => Err("no view is saved yet".into()),
        false => Ok(()),
    }
}

pub(crate) fn save_view(model: &mut Model) -> Vec<Effect> {
    let hint = "a name for this view and its limit; a name that is taken is replaced".to_owned();
    field(model, "Save view", hint, Purpose::SaveView)
}

pub(crate) fn open_view(model: &mut Model) -> Vec<Effect> {
    let names: Vec<&str> = model.saved.iter().map(|view| view.name.as_str()).collect();
    let hint = format!("its name, or how it begins: {}", names.join(" · "));
    field(model, "Open view", hint, Purpose::OpenView)
}

fn field(model: &mut Model, title: &str, hint: String, purpose: Purpose) -> Vec<Effect> {
    model.push(Layer::Field(Field {
        title: title.to_owned(),
        hint,
        input: Input::default(),
        error: None,
        purpose,
        target: None,
    }));
    Vec::new()
}

pub(crate) fn save_as(model: &mut Model, name: &str) -> Result<Vec<Effect>, String> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 40 {
        return Err("a name has 1 to 40 characters".to_owned());
    }
    let Some(view) = shelf::here(model, name) else {
        return Err("there is no list here to save".to_owned());
    };
    model.pop();
    model.saved.retain(|saved| saved.name != name);
    model.saved.push(view);
    model.say(Tone::Good, format!("saved the view `{name}`"));
    Ok(vec![Effect::Shelve])
}

pub(crate) fn open_named(model: &mut Model, name: &str) -> Result<Vec<Effect>, String> {
    let name = name.trim();
    let mut like = model.saved.iter().filter(|it| it.name.starts_with(name));
    let exact = model.saved.iter().find(|it| it.name == name);
    let found = match (exact, like.next(), like.next()) {
        (Some(exact), _, _) => exact,
        (None, Some(only), None) => only,
        (None, None, _) => return Err("no saved view begins like that".to_owned()),
        (None, Some(_), Some(_)) => {
            return Err("several saved views begin like that: go on typing".to_owned());
        }
    };
    let Some(view) = shelf::view_named(&found.view) else {
        return Err(format!("`{}` is no view", found.view));
    };
    let query = Query::parse(&found.query, view.over()).map_err(|bad| bad.to_string())?;
    model.pop();
    let mut effects = moving::show(model, view);
    effects.extend(typing::narrow(model, query));
    Ok(effects)
}
