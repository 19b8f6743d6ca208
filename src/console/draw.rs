//! From the model to a frame: reads only, changes nothing but a cache that may be thrown away.

use crate::console::event::Drawn;
use crate::console::layer::Layer;
use crate::console::layout::Areas;
use crate::console::model::Model;
use crate::console::prose::Kept;
use crate::console::theme::{Ink, Theme};
use crate::console::views;
use crate::console::widgets::row::Row;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// What drawing works with.
#[derive(Debug)]
pub(crate) struct Canvas<'a> {
    pub(crate) model: &'a Model,
    pub(crate) theme: &'a Theme,
    pub(crate) kept: &'a mut Kept,
    pub(crate) buffer: &'a mut Buffer,
    /// Where the terminal's cursor goes: for those who hear the screen instead of seeing it.
    pub(crate) cursor: Option<Position>,
    pub(crate) drawn: Drawn,
}

impl<'a> Canvas<'a> {
    pub(crate) const fn row(&self, width: u16) -> Row<'a> {
        Row::new(self.theme, width)
    }

    /// A row of one text.
    pub(crate) fn say(&mut self, area: Rect, text: &str, ink: Ink) {
        let mut row = self.row(area.width);
        row.put(text, ink);
        row.draw(area, self.buffer);
    }
}

/// Draws the whole screen and says what of it a decision may be bound to.
pub(crate) fn draw(model: &Model, theme: &Theme, kept: &mut Kept, frame: &mut Frame<'_>) -> Drawn {
    let areas = Areas::of(model);
    let drawn = Drawn {
        layer: model.layer_serial,
        text_rows: 1,
        ..Drawn::default()
    };
    let buffer = frame.buffer_mut();
    let mut canvas = Canvas {
        model,
        theme,
        kept,
        buffer,
        cursor: None,
        drawn,
    };
    if areas.too_small() {
        too_small(&mut canvas, areas);
    } else {
        screen(&mut canvas, areas);
    }
    let Canvas { cursor, drawn, .. } = canvas;
    if let Some(cursor) = cursor {
        frame.set_cursor_position(cursor);
    }
    drawn
}

fn screen(canvas: &mut Canvas<'_>, areas: Areas) {
    views::head::draw(canvas, areas.header);
    views::foot::draw(canvas, areas.notice, areas.footer);
    views::foot::walk(canvas, areas.tour);
    match canvas.model.layers.last() {
        Some(Layer::Help { .. }) => return views::help::draw(canvas, areas.body),
        Some(Layer::Tree { .. }) => return views::tree::draw(canvas, areas.body),
        Some(Layer::Secret { .. }) => return views::secret::draw(canvas, areas.body),
        Some(Layer::Pager(_)) => return views::pager::draw(canvas, areas.body),
        Some(Layer::Writer { .. }) => return views::writer::draw(canvas, areas.body, areas.wide),
        _ => {}
    }
    views::draw(canvas, areas);
    match canvas.model.layers.last() {
        Some(Layer::Palette { .. }) => views::palette::draw(canvas, areas.dock),
        Some(Layer::Groups(_)) => views::groups::draw(canvas, areas.dock),
        Some(layer) => views::dock::draw(canvas, layer, areas.dock),
        None => {}
    }
}

fn too_small(canvas: &mut Canvas<'_>, areas: Areas) {
    let (width, height) = canvas.model.size;
    let words = format!("terminal too small ({width}x{height})");
    let area = Rect {
        y: areas.whole.height / 2,
        height: areas.whole.height.min(1),
        ..areas.whole
    };
    canvas.say(area, &words, Ink::Bad);
}
