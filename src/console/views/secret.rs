//! What a candidate hides, for as long as nobody presses a key. Nowhere else is it drawn.

use crate::console::draw::Canvas;
use crate::console::layer::Layer;
use crate::console::theme::Ink;
use crate::console::views::page::Page;
use crate::console::widgets::pane;
use ratatui::layout::{Position, Rect};

pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let Some(Layer::Secret { candidate, secrets }) = canvas.model.layers.last() else {
        return;
    };
    let name = format!("Hidden in {candidate}");
    let area = pane::titled(
        area,
        canvas.buffer,
        canvas.theme,
        |row| {
            row.put(&name, Ink::Title);
        },
        &[("any key closes", Ink::Key)],
    );
    canvas.cursor = Some(Position::new(area.x, area.y));
    let area = pane::inset(pane::below(area, 1), 2);
    let mut page = Page::new(area.width);
    for secret in &secrets.0 {
        page.quote(secret, &[], "  ");
        page.blank();
    }
    page.text(
        "that you looked is on record; the value is not",
        Ink::Dim,
        0,
    );
    page.draw(canvas, area, 0);
}
