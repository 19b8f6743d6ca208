//! Where things stand on the screen, from its size and the layer on top. Update and drawing agree by it.

use crate::console::layer::Layer;
use crate::console::model::{Focus, Model, ViewId};
use crate::console::tour;
use crate::text::visible::visible;
use ratatui::layout::Rect;

/// The smallest screen that decides anything.
pub(crate) const LEAST: (u16, u16) = (40, 10);
/// From this width on, list and detail stand side by side.
const WIDE: u16 = 90;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Areas {
    pub(crate) whole: Rect,
    pub(crate) header: Rect,
    pub(crate) body: Rect,
    pub(crate) list: Rect,
    pub(crate) detail: Rect,
    /// The layer at the foot of the screen, if there is one.
    pub(crate) dock: Rect,
    /// The walk through a demonstration store, if there is one.
    pub(crate) tour: Rect,
    pub(crate) notice: Rect,
    pub(crate) footer: Rect,
    pub(crate) wide: bool,
}

impl Areas {
    pub(crate) fn of(model: &Model) -> Self {
        let (width, height) = model.size;
        let whole = Rect::new(0, 0, width, height);
        let (header, rest) = top(whole, if height < 16 { 1 } else { 2 });
        let (rest, footer) = bottom(rest, 1);
        let (rest, notice) = bottom(rest, notice_rows(model, width).min(height / 4).max(1));
        let (rest, tour) = bottom(rest, tour_rows(model));
        let most = rest.height.saturating_sub(4);
        let (body, dock) = bottom(rest, dock_rows(model, width).min(most));
        let wide = width >= WIDE && !model.single;
        let (list, detail) = if model.single {
            (body, middle(body))
        } else if wide {
            beside(body)
        } else {
            stacked(body, model.focus, listed(model))
        };
        Self {
            whole,
            header,
            body,
            list,
            detail,
            dock,
            tour,
            notice,
            footer,
            wide,
        }
    }

    /// How many rows the list has room for, under its title.
    pub(crate) fn rows(&self) -> usize {
        usize::from(self.list.height.saturating_sub(1))
    }

    pub(crate) const fn too_small(&self) -> bool {
        self.whole.width < LEAST.0 || self.whole.height < LEAST.1
    }
}

/// A text is read best in lines of a page's width.
fn middle(body: Rect) -> Rect {
    let width = body.width.min(100);
    Rect {
        x: body.x + (body.width - width) / 2,
        width,
        ..body
    }
}

/// The list takes two fifths, the text the rest.
fn beside(body: Rect) -> (Rect, Rect) {
    let width = (body.width * 21 / 50).clamp(38, 88);
    let list = Rect { width, ..body };
    let detail = Rect {
        x: body.x + width,
        width: body.width - width,
        ..body
    };
    (list, detail)
}

/// The list takes two fifths at most, and no more than it has rows.
fn stacked(body: Rect, focus: Focus, listed: usize) -> (Rect, Rect) {
    let listed = u16::try_from(listed + 1).unwrap_or(u16::MAX);
    let rows = match focus {
        Focus::List => (body.height * 2 / 5).clamp(3, 16).min(listed.max(4)),
        Focus::Detail => 2,
    };
    top(body, rows.min(body.height / 2))
}

fn listed(model: &Model) -> usize {
    match model.view {
        ViewId::Queue => model.queue.list.rows.len(),
        ViewId::Quarantine => model.quarantine.list.rows.len(),
        ViewId::Memory => model.memory.list.rows.len(),
        ViewId::Patterns => model.patterns.list.rows.len(),
        ViewId::Ledger => model.ledger.list.rows.len(),
        ViewId::Pulse => 0,
    }
}

fn top(area: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(area.height);
    let rest = Rect {
        y: area.y + rows,
        height: area.height - rows,
        ..area
    };
    (
        Rect {
            height: rows,
            ..area
        },
        rest,
    )
}

fn bottom(area: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(area.height);
    let (rest, low) = top(area, area.height - rows);
    (rest, low)
}

/// A refusal that cannot be read to its end explains nothing: a long one gets more rows.
fn notice_rows(model: &Model, width: u16) -> u16 {
    let text = model
        .notice
        .as_ref()
        .filter(|_| model.acting.is_none())
        .map(|notice| &notice.text);
    let lines = text.map_or(1, |text| visible(text).wrap(width.saturating_sub(4)).len());
    u16::try_from(lines).unwrap_or(4).min(4)
}

/// The walk takes two rows where there is room for everything else.
fn tour_rows(model: &Model) -> u16 {
    let (width, height) = model.size;
    if height < 20 {
        return 0;
    }
    let lines =
        tour::sentence(model).map_or(0, |text| visible(&text).wrap(width.saturating_sub(4)).len());
    u16::try_from(lines).unwrap_or(2).min(3)
}

/// A reason's option and its gap, in columns.
pub(crate) const OPTION: u16 = 26;

fn dock_rows(model: &Model, width: u16) -> u16 {
    match model.layers.last() {
        Some(Layer::Choose(menu)) => {
            let across = (width.saturating_sub(2) / OPTION).max(1);
            1 + u16::try_from(menu.options.len())
                .unwrap_or(9)
                .div_ceil(across)
        }
        Some(Layer::Confirm(confirm)) => 1 + u16::try_from(confirm.lines.len()).unwrap_or(4),
        Some(Layer::Field(field)) if field.error.is_some() => 5,
        Some(Layer::Field(_)) => 3,
        Some(Layer::Palette { .. } | Layer::Groups(_)) => 10,
        Some(
            Layer::Help { .. }
            | Layer::Writer { .. }
            | Layer::Tree { .. }
            | Layer::Pager(_)
            | Layer::Secret { .. },
        )
        | None => 0,
    }
}
