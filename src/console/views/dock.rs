//! Reasons, confirmations and fields, at the foot: the text they are about stays in sight.

use crate::console::draw::Canvas;
use crate::console::layer::{Choose, Confirm, Field, Layer};
use crate::console::layout::OPTION;
use crate::console::place::Place;
use crate::console::theme::Ink;
use crate::console::widgets::pane::{self, row_of};
use crate::console::widgets::row::Row;
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
    let column = input(
        canvas,
        place,
        "  › ",
        field.input.text(),
        field.input.cursor(),
    );
    canvas.cursor = Some(Position::new(place.x + column, place.y));
    let (text, ink) = match &field.error {
        Some(error) => (error.as_str(), Ink::Bad),
        None => (field.hint.as_str(), Ink::Dim),
    };
    let place = row_of(area, 1);
    let mut row = canvas.row(place.width);
    row.gap(4).put(text, ink);
    row.draw(place, canvas.buffer);
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
    let mut start = 0;
    while width(head.get(start..).unwrap_or_default()) > room {
        start += head
            .get(start..)
            .and_then(|t| t.chars().next())
            .map_or(1, char::len_utf8);
    }
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
