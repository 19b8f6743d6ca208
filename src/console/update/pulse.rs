//! Keys of Pulse: picking thresholds and asking what they would do, setting them, keeping a baseline.

use crate::console::ask::{Lane, Request};
use crate::console::effect::Effect;
use crate::console::layer::{Act, Confirm, Layer};
use crate::console::list::Load;
use crate::console::model::{Model, ViewId};
use crate::console::pulse::{PulseView, WINDOWS};
use crate::console::update::{asking, moving};
use crate::console::words;

pub(crate) fn show(model: &mut Model) -> Vec<Effect> {
    moving::show(model, ViewId::Pulse)
}

/// The next window of days.
pub(crate) fn window(model: &mut Model) -> Vec<Effect> {
    let pulse = &mut model.pulse;
    let at = WINDOWS
        .iter()
        .position(|days| *days == pulse.days)
        .unwrap_or(0);
    pulse.days = WINDOWS.get((at + 1) % WINDOWS.len()).copied().unwrap_or(30);
    asking::rows(model, Load::Anew)
}

/// Keeps today's figures, to hold later ones against.
pub(crate) fn keep(model: &mut Model) -> Vec<Effect> {
    let request = request(model, true);
    // On a way of its own: no later look at the figures takes its place.
    vec![asking::ask(model, Lane::Keep, request)]
}

pub(crate) fn request(model: &mut Model, keep: bool) -> Request {
    let now = model.now.ms;
    let pulse = &mut model.pulse;
    pulse.asked_at = Some(now);
    Request::Pulse {
        layer: pulse.layer.clone(),
        days: pulse.days,
        keep,
    }
}

/// Which of the waiting candidates the picked thresholds would not have proposed.
pub(crate) fn short_of(model: &mut Model) -> Vec<Effect> {
    let Some(wanted) = model.pulse.wanted() else {
        return Vec::new();
    };
    let least = wanted.least;
    model.push(Layer::Tree {
        title: format!(
            "not, at {} users and {} sessions",
            least.users, least.sessions
        ),
        tree: None,
        scroll: 0,
    });
    let request = Request::ShortOf {
        layer: wanted.layer,
        least,
    };
    vec![asking::ask(model, Lane::Tree, request)]
}

/// Asks before the picked thresholds are set.
pub(crate) fn apply(model: &mut Model) -> Vec<Effect> {
    let (Some(wanted), Some(table)) = (model.pulse.wanted(), model.pulse.table()) else {
        return Vec::new();
    };
    let would = model.pulse.picked().map_or(0, |cell| cell.candidates);
    let layer = wanted
        .layer
        .as_ref()
        .map_or("all layers".to_owned(), ToString::to_string);
    let say = |n: u64| words::many(n, "pattern");
    let confirm = Confirm {
        title: format!("Set the thresholds of {layer}?"),
        lines: vec![
            (
                "now",
                format!("{} → {} pass", table.now, say(table.candidates)),
            ),
            ("then", format!("{wanted} → {} pass", say(would))),
            (
                "writes",
                "an entry; what waits already waits on; set them again to go back".to_owned(),
            ),
        ],
        verb: "set them",
        act: Act::Thresholds(wanted),
        target: None,
    };
    model.push(Layer::Confirm(confirm));
    Vec::new()
}

pub(crate) fn read(model: &mut Model, view: PulseView) {
    let now = model.now.ms;
    if view.kept {
        model.say(
            crate::console::model::Tone::Good,
            "today's figures are the baseline now; it is yours, and no part of the store",
        );
    }
    model.pulse.take(view, now);
}

/// The layer that is measured, as it is typed.
pub(crate) fn limited(model: &Model) -> String {
    model
        .pulse
        .layer
        .as_ref()
        .map_or_else(String::new, ToString::to_string)
}

/// Measures another layer, or everything.
pub(crate) fn limit(model: &mut Model, text: &str) -> Result<Vec<Effect>, String> {
    let text = text.trim();
    let text = text.strip_prefix("layer:").unwrap_or(text);
    let layer = (!text.is_empty())
        .then(|| crate::domain::Layer::parse(text))
        .transpose();
    model.pulse.layer = layer.map_err(|bad| bad.to_string())?;
    model.pulse.forget();
    model.pop();
    Ok(asking::rows(model, Load::Anew))
}
