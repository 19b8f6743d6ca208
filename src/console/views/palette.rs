//! The palette: every action by name; one that is not possible now says why.

use crate::console::draw::Canvas;
use crate::console::layer::Layer;
use crate::console::palette;
use crate::console::theme::Ink;
use crate::console::views::dock;
use crate::console::widgets::pane::{self, row_of};
use ratatui::layout::{Position, Rect};

pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let Some(Layer::Palette { input, picked }) = model.layers.last() else {
        return;
    };
    let found = palette::found(model, input.text());
    let count = format!("{} actions", found.len());
    let area = pane::titled(
        area,
        canvas.buffer,
        canvas.theme,
        |row| {
            row.put("Actions", Ink::Title);
        },
        &[(&count, Ink::Dim)],
    );
    let place = row_of(area, 0);
    let column = dock::input(canvas, place, "  : ", input.text(), input.cursor());
    canvas.cursor = Some(Position::new(place.x + column, place.y));
    let area = pane::below(area, 1);
    let room = usize::from(area.height).max(1);
    let top = picked.saturating_sub(room - 1);
    let view = crate::console::place::Place::of_view(model.view);
    for (at, action) in found.iter().enumerate().skip(top).take(room) {
        let place = row_of(area, u16::try_from(at - top).unwrap_or(u16::MAX));
        let mut row = canvas.row(place.width);
        row.put(if at == *picked { " ▸ " } else { "   " }, Ink::Text);
        row.cell(&action.id.replace('_', " "), Ink::Text, 16);
        row.cell(&model.keymap.written(view, action), Ink::Key, 10);
        match action.now(model) {
            Ok(()) => row.put(action.help, Ink::Dim),
            Err(why) => row.put("– ", Ink::Refused).put(&why, Ink::Refused),
        };
        if at == *picked {
            row.draw_selected(place, canvas.buffer, Ink::Selected);
        } else {
            row.draw(place, canvas.buffer);
        }
    }
}
