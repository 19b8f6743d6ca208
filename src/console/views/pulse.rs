//! Pulse: what other thresholds would give, and how things go, from one reading of the store.

use crate::console::draw::Canvas;
use crate::console::model::{Focus, ViewId};
use crate::console::theme::Ink;
use crate::console::views::page::Page;
use crate::console::views::{View, heat, measures};
use crate::console::widgets::pane;
use ratatui::layout::Rect;

pub(crate) static PULSE: View = View {
    id: ViewId::Pulse,
    action: "pulse",
    name: "Pulse",
    count: |_| String::new(),
    list: |_, _, _| {},
    detail: |_, _| {},
};

/// From this width on, the two stand side by side.
const WIDE: u16 = 170;

/// Both parts, in the room that other views share between list and detail.
pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let Some(view) = model.pulse.detail.view.as_ref() else {
        return absent(canvas, area);
    };
    let table_rows = heat::rows(&view.table) + 1;
    let (left, right) = if area.width >= WIDE {
        let width = area.width / 2;
        let left = Rect { width, ..area };
        let right = Rect {
            x: area.x + width,
            width: area.width - width,
            ..area
        };
        let right = pane::beside(right, canvas.buffer, canvas.theme);
        (left, right)
    } else {
        let shown = if model.focus == Focus::Detail {
            0
        } else {
            table_rows.min(area.height)
        };
        (
            Rect {
                height: shown,
                ..area
            },
            pane::below(area, shown),
        )
    };
    if left.height > 0 {
        thresholds(canvas, left);
    }
    figures(canvas, right);
}

fn thresholds(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let Some(view) = model.pulse.detail.view.as_ref() else {
        return;
    };
    let layer = view
        .table
        .layer
        .as_ref()
        .map_or("all layers", |layer| layer.as_str());
    let area = pane::titled(
        area,
        canvas.buffer,
        canvas.theme,
        |row| {
            row.put("Thresholds", Ink::Title)
                .put(" · patterns that pass if …", Ink::Dim);
            row.put(" · ", Ink::Dim).put(layer, Ink::Advisory);
        },
        &[],
    );
    heat::draw(canvas, area, &view.table);
}

fn figures(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let Some(view) = model.pulse.detail.view.as_ref() else {
        return;
    };
    let stale = if model.pulse.detail.stale {
        format!(
            "not of this moment · {}",
            model.keymap.hint(model.place(), "take_in")
        )
    } else {
        String::new()
    };
    let right = [(stale.as_str(), Ink::Advisory)];
    let days = view.measures.days;
    let area = pane::titled(
        area,
        canvas.buffer,
        canvas.theme,
        |row| {
            row.put("Measures", Ink::Title);
            row.put(
                &format!(" · {days} days · before: the {days} days before that"),
                Ink::Dim,
            );
        },
        if stale.is_empty() { &[] } else { &right },
    );
    let area = pane::inset(area, 1);
    let mut page = Page::new(area.width);
    measures::fill(&mut page, view, area.width);
    page.draw_scrolled(canvas, area, model.pulse.detail.scroll);
}

fn absent(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let area = pane::inset(pane::below(area, 1), 2);
    let late = model
        .pulse
        .asked_at
        .is_some_and(|at| model.now.ms.saturating_sub(at) >= 150);
    if let Some(trouble) = &model.pulse.detail.trouble {
        canvas.say(area, trouble, Ink::Bad);
    } else if late {
        canvas.say(area, "measuring …", Ink::Dim);
    }
}
