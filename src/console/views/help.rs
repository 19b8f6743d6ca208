//! What the keys do here: the action table, narrowed by what is typed.

use crate::console::action::{self, Action};
use crate::console::draw::Canvas;
use crate::console::layer::Layer;
use crate::console::model::Model;
use crate::console::place::{self, Place};
use crate::console::theme::Ink;
use crate::console::views::dock;
use crate::console::widgets::pane::{self, row_of};
use crate::text::visible::visible;
use ratatui::layout::{Position, Rect};

pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let Some(Layer::Help {
        input,
        scroll,
        place,
    }) = model.layers.last()
    else {
        return;
    };
    let area = pane::titled(
        area,
        canvas.buffer,
        canvas.theme,
        |row| {
            row.put("Keys", Ink::Title)
                .gap(1)
                .put(place.title(), Ink::Dim);
        },
        &[("type to search   Esc closes", Ink::Key)],
    );
    let search = row_of(area, 0);
    let column = dock::input(canvas, search, "  / ", input.text(), input.cursor());
    canvas.cursor = Some(Position::new(search.x + column, search.y));
    let area = pane::inset(pane::below(area, 2), 2);
    let rows = lines(model, *place, input.text(), area.width);
    let room = usize::from(area.height);
    let most = rows.len().saturating_sub(room);
    canvas.drawn.layer_most = most;
    for (at, (key, text, ink)) in rows.iter().skip((*scroll).min(most)).take(room).enumerate() {
        let line = row_of(area, u16::try_from(at).unwrap_or(u16::MAX));
        let mut row = canvas.row(line.width);
        if key.is_empty() && *ink == Ink::Title {
            row.put(text, Ink::Title);
        } else {
            row.cell(key, Ink::Key, KEYS).put(text, *ink);
        }
        row.draw(line, canvas.buffer);
    }
}

/// Columns for the keys.
const KEYS: usize = 16;

/// Keys and what they do, the shown view's own first.
fn lines(model: &Model, from: Place, typed: &str, width: u16) -> Vec<(String, String, Ink)> {
    let mut out = Vec::new();
    let own = place::ALL.iter().filter(|(place, _, _)| *place == from);
    let others = place::ALL.iter().filter(|(place, _, _)| *place != from);
    for (place, _, title) in own.chain(others) {
        let here = *place == from || *place == Place::Everywhere || !place.is_view();
        let first = place.is_view();
        if !here
            || !first && typed.is_empty() && *place != Place::Confirm && *place != Place::Choose
        {
            continue;
        }
        let before = out.len();
        let actions = action::ALL
            .iter()
            .filter(|action| action.places.contains(place));
        for action in actions.filter(|action| matches(model, *place, action, typed)) {
            entry(&mut out, model, *place, action, width);
        }
        if out.len() > before {
            out.insert(before, (String::new(), (*title).to_owned(), Ink::Title));
            out.push((String::new(), String::new(), Ink::Text));
        }
    }
    if out.is_empty() {
        out.push((String::new(), "No key does that.".to_owned(), Ink::Dim));
    }
    out
}

fn matches(model: &Model, place: Place, action: &Action, typed: &str) -> bool {
    let text = format!(
        "{} {} {}",
        model.keymap.written(place, action),
        action.id,
        action.help
    );
    text.to_lowercase().contains(&typed.to_lowercase())
}

/// A key, what it does, and why it does not do it now.
fn entry(
    out: &mut Vec<(String, String, Ink)>,
    model: &Model,
    place: Place,
    action: &Action,
    width: u16,
) {
    let mut key = model.keymap.written(place, action);
    let columns = width
        .saturating_sub(u16::try_from(KEYS).unwrap_or(16))
        .max(16);
    for line in visible(action.help).wrap(columns) {
        let text: String = line.runs.iter().map(|run| run.shown.as_str()).collect();
        out.push((std::mem::take(&mut key), text, Ink::Text));
    }
    let now = place.is_view().then(|| action.now(model));
    if let Some(Err(why)) = now {
        out.push((String::new(), format!("– not now: {why}"), Ink::Refused));
    }
}
