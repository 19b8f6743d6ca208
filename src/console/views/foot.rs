//! The foot: one line of what just happened, one line of what can be done now.

use crate::console::action::{self, Action};
use crate::console::draw::Canvas;
use crate::console::model::{Model, Tone};
use crate::console::place::Place;
use crate::console::theme::Ink;
use crate::console::tour;
use crate::console::widgets::pane::row_of;
use crate::console::words;
use crate::text::visible::{PieceKind, visible};
use ratatui::layout::Rect;

pub(crate) fn draw(canvas: &mut Canvas<'_>, notice: Rect, footer: Rect) {
    said(canvas, notice);
    keys(canvas, footer);
}

/// What just happened; otherwise what could be taken back.
fn said(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let mut row = canvas.row(area.width);
    row.gap(1);
    if let Some(acting) = &model.acting {
        let items: Vec<String> = acting
            .items
            .iter()
            .take(3)
            .map(ToString::to_string)
            .collect();
        let (wait, ink) = if model.session.touch {
            ("touch your key", Ink::Held)
        } else {
            ("…", Ink::Dim)
        };
        row.put(
            &format!("{wait} {} {}", acting.doing, items.join(", ")),
            ink,
        );
    } else if let Some(notice) = &model.notice {
        let (glyph, ink) = match notice.tone {
            Tone::Good => ("✓", Ink::Good),
            Tone::Plain => ("·", Ink::Text),
            Tone::Refused => ("–", Ink::Refused),
            Tone::Bad => ("✗", Ink::Bad),
        };
        return notice_lines(canvas, area, glyph, ink, &notice.text);
    }
    if let Some(last) = &model.last_act
        && model.acting.is_none()
    {
        let undo = model.keymap.hint(Place::Everywhere, "undo");
        let text = format!(
            "{undo} undo: {}, {}",
            last.text,
            words::ago(model.now.wall, last.at)
        );
        let width = crate::text::line(&text).chars().count() + 1;
        if model.notice.is_none() && row.left() > width {
            let at = usize::from(area.width) - width;
            row.to(at).put(&text, Ink::Dim);
        }
    }
    row.draw(area, canvas.buffer);
}

/// The next step of the walk through a demonstration store.
pub(crate) fn walk(canvas: &mut Canvas<'_>, area: Rect) {
    if let Some(text) = tour::sentence(canvas.model) {
        notice_lines(canvas, area, "→", Ink::Key, &text);
    }
}

/// A sentence on as many lines as it was given.
fn notice_lines(canvas: &mut Canvas<'_>, area: Rect, glyph: &str, ink: Ink, text: &str) {
    let lines = visible(text).wrap(area.width.saturating_sub(4));
    for (at, line) in lines.iter().take(usize::from(area.height)).enumerate() {
        let mut row = canvas.row(area.width);
        row.gap(1).put(if at == 0 { glyph } else { "" }, ink).to(3);
        for run in &line.runs {
            row.ready(
                &run.shown,
                if run.kind == PieceKind::Named {
                    Ink::Token
                } else {
                    ink
                },
            );
        }
        row.draw(
            row_of(area, u16::try_from(at).unwrap_or(u16::MAX)),
            canvas.buffer,
        );
    }
}

fn keys(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let place = model.place();
    let mut row = canvas.row(area.width);
    row.gap(1);
    let help = place.is_view().then(|| action::find("help")).flatten();
    let reserve = help.map_or(0, |help| width(model, place, help));
    for action in shown(model, place) {
        if row.left() < width(model, place, action) + reserve {
            continue;
        }
        entry(&mut row, model, place, action);
    }
    if let Some(help) = help {
        entry(&mut row, model, place, help);
    }
    row.draw(area, canvas.buffer);
}

fn entry(
    row: &mut crate::console::widgets::row::Row<'_>,
    model: &Model,
    place: Place,
    action: &Action,
) {
    let key = key(model, place, action);
    row.put(&key, Ink::Key)
        .gap(1)
        .put(label(model, action), Ink::Text)
        .gap(2);
}

/// What is offered where there is one item at a time.
const ALONE: &[&str] = &[
    "approve",
    "reject",
    "snooze",
    "confirm",
    "release",
    "next_item",
    "single",
];

/// Only what is possible now.
fn shown(model: &Model, place: Place) -> impl Iterator<Item = &'static Action> {
    let here = move |action: &&Action| {
        action.places.contains(&place)
            || place.is_view() && action.places.contains(&Place::Everywhere)
    };
    action::ALL
        .iter()
        .filter(here)
        .filter(|action| !label(model, action).is_empty() && action.id != "help")
        .filter(move |action| !(model.single && place.is_view()) || ALONE.contains(&action.id))
        .filter(|action| action.now(model).is_ok())
}

fn label<'a>(model: &Model, action: &'a Action) -> &'a str {
    match action.id {
        "approve" if model.on_draft() => "approve this text",
        "edit" if model.draft().is_some() => "edit further",
        "hold" if model.candidate().is_some_and(|view| view.candidate.held) => "let go",
        "next_item" if model.single => "next",
        "single" if model.single => "leave focus",
        "read" if model.place() == Place::Pulse => "what they leave out",
        "next_tab" if model.place() == Place::Pulse => "pick",
        "close" if model.place() == Place::Writer => "done: see the difference",
        _ => action.label,
    }
}

fn key(model: &Model, place: Place, action: &Action) -> String {
    if action.id == "choose" {
        return "1-9".to_owned();
    }
    let keys = model.keymap.written(place, action);
    keys.split(' ').next().unwrap_or_default().to_owned()
}

fn width(model: &Model, place: Place, action: &Action) -> usize {
    key(model, place, action).chars().count() + label(model, action).chars().count() + 3
}
