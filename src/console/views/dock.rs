//! Reasons, confirmations and fields, at the foot: the text they are about stays in sight.

use crate::console::draw::Canvas;
use crate::console::layer::{Choose, Confirm, Field, Layer, Purpose};
use crate::console::layout::OPTION;
use crate::console::place::Place;
use crate::console::theme::Ink;
use crate::console::widgets::pane::{self, row_of};
use crate::console::widgets::row::Row;
use crate::domain::query::Query;
use crate::text::visible::{PieceKind, visible};
use ratatui::layout::{Position, Rect};

pub(crate) fn draw(canvas: &mut Canvas<'_>, layer: &Layer, area: Rect) {
    match layer {
        Layer::Choose(menu) => choose(canvas, menu, area),
        Layer::Confirm(confirm) => question(canvas, confirm, area),
        Layer::Field(field) => line(canvas, field, area),
        Layer::Palette { .. }
        | Layer::Help { .. }
        | Layer::Writer { .. }
        | Layer::Tree { .. }
        | Layer::Groups(_)
        | Layer::Pager(_)
        | Layer::Secret { .. } => {}
    }
}

fn choose(canvas: &mut Canvas<'_>, menu: &Choose, area: Rect) {
    let area = titled(canvas, area, &menu.title, "Esc: nothing happens");
    let across = usize::from((area.width.saturating_sub(2) / OPTION).max(1));
    for (at, options) in menu.options.chunks(across).enumerate() {
        let place = row_of(area, u16::try_from(at).unwrap_or(u16::MAX));
        let mut row = canvas.row(place.width);
        row.gap(2);
        for (digit, word) in options {
            row.put(&digit.to_string(), Ink::Key).gap(1);
            row.cell(word, Ink::Text, usize::from(OPTION) - 2);
        }
        row.draw(place, canvas.buffer);
    }
    canvas.cursor = Some(Position::new(area.x + 2, area.y));
}

fn question(canvas: &mut Canvas<'_>, confirm: &Confirm, area: Rect) {
    let yes = canvas.model.keymap.hint(Place::Confirm, "yes");
    let how = format!("{yes}: {}   Esc: nothing happens", confirm.verb);
    let area = titled(canvas, area, &confirm.title, &how);
    for (at, (label, text)) in confirm.lines.iter().enumerate() {
        let place = row_of(area, u16::try_from(at).unwrap_or(u16::MAX));
        let mut row = canvas.row(place.width);
        row.gap(2).cell(label, Ink::Dim, 12).put(text, Ink::Text);
        row.draw(place, canvas.buffer);
    }
    canvas.cursor = Some(Position::new(area.x + 2, area.y));
}

fn line(canvas: &mut Canvas<'_>, field: &Field, area: Rect) {
    let area = titled(canvas, area, &field.title, "Enter takes it   Esc leaves");
    let place = row_of(area, 0);
    let (text, cursor) = (field.input.text(), field.input.cursor());
    let column = input(canvas, place, PROMPT, text, cursor);
    canvas.cursor = Some(Position::new(place.x + column, place.y));
    let below = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(1),
        ..area
    };
    match &field.error {
        Some(why) => refusal(canvas, field, why, below),
        None => hint(canvas, field, below),
    }
}

/// Why what is typed cannot be taken; in a query, under the place that is meant.
fn refusal(canvas: &mut Canvas<'_>, field: &Field, why: &str, area: Rect) {
    let mut area = area;
    let (text, cursor) = (field.input.text(), field.input.cursor());
    let over = canvas.model.view.over();
    let typed = canvas.model.query_typed();
    let bad = typed.and_then(|(text, _)| Query::parse(text, over).err());
    if let Some(bad) = bad {
        let start = from(text.get(..cursor).unwrap_or(text), room(area.width));
        let before = width(text.get(start..bad.at).unwrap_or_default());
        let marked = width(bad.word()).max(1);
        let place = row_of(area, 0);
        let mut row = canvas.row(place.width);
        row.gap(PROMPT.chars().count() + before)
            .put(&"^".repeat(marked), Ink::Bad);
        row.draw(place, canvas.buffer);
        area.y += 1;
        area.height = area.height.saturating_sub(1);
    }
    for (at, line) in visible(why)
        .wrap(area.width.saturating_sub(5))
        .iter()
        .enumerate()
    {
        let place = row_of(area, u16::try_from(at).unwrap_or(u16::MAX));
        if place.y >= area.y + area.height {
            break;
        }
        let mut row = canvas.row(place.width);
        row.gap(4);
        for run in &line.runs {
            row.ready(
                &run.shown,
                if run.kind == PieceKind::Named {
                    Ink::Token
                } else {
                    Ink::Bad
                },
            );
        }
        row.draw(place, canvas.buffer);
    }
}

/// What the field takes; in a query, what could stand at the cursor.
fn hint(canvas: &mut Canvas<'_>, field: &Field, area: Rect) {
    let place = row_of(area, 0);
    let options = match field.purpose {
        Purpose::Limit if !field.input.text().is_empty() => canvas.model.completion().options,
        _ => Vec::new(),
    };
    let mut row = canvas.row(place.width);
    row.gap(4);
    if options.is_empty() {
        row.put(&field.hint, Ink::Dim);
    } else {
        let key = canvas.model.keymap.hint(Place::Field, "complete");
        row.put(&key, Ink::Key).gap(2);
    }
    for option in options {
        if row.left() < width(&option) + 2 {
            row.put("…", Ink::Dim);
            break;
        }
        row.put(&option, Ink::Text).gap(2);
    }
    row.draw(place, canvas.buffer);
}

/// What stands before a line that is typed.
const PROMPT: &str = "  › ";

/// How many columns of it are in sight.
fn room(columns: u16) -> usize {
    usize::from(columns).saturating_sub(PROMPT.chars().count() + 2)
}

/// From which byte on it is in sight, so that its end is.
fn from(head: &str, room: usize) -> usize {
    let mut start = 0;
    while width(head.get(start..).unwrap_or_default()) > room {
        let rest = head.get(start..).and_then(|rest| rest.chars().next());
        start += rest.map_or(1, char::len_utf8);
    }
    start
}

/// A line that is being typed: its end near the cursor stays in sight. Returns the cursor's column.
pub(crate) fn input(
    canvas: &mut Canvas<'_>,
    place: Rect,
    prompt: &str,
    text: &str,
    cursor: usize,
) -> u16 {
    let head = text.get(..cursor).unwrap_or(text);
    let rest = text.get(cursor..).unwrap_or_default();
    let room = usize::from(place.width).saturating_sub(prompt.chars().count() + 2);
    let start = from(head, room);
    let mut row: Row<'_> = canvas.row(place.width);
    row.put(prompt, Ink::Key)
        .put(head.get(start..).unwrap_or_default(), Ink::Field);
    let column = row.used();
    row.put(rest, Ink::Field);
    row.draw(place, canvas.buffer);
    u16::try_from(column).unwrap_or(0)
}

fn width(text: &str) -> usize {
    use unicode_width::UnicodeWidthStr;
    crate::text::line(text).width()
}

/// The title of a layer and the way out of it.
fn titled(canvas: &mut Canvas<'_>, area: Rect, title: &str, out: &str) -> Rect {
    pane::titled(
        area,
        canvas.buffer,
        canvas.theme,
        |row| {
            row.put(title, Ink::Title);
        },
        &[(out, Ink::Key)],
    )
}
