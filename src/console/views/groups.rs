//! The groups of a list with their counts, at the foot: the list itself stays in sight.

use crate::console::draw::Canvas;
use crate::console::layer::Layer;
use crate::console::place::Place;
use crate::console::theme::Ink;
use crate::console::widgets::pane::{self, row_of};
use crate::console::words;
use crate::domain::query::Facet;
use ratatui::layout::{Position, Rect};

pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let Some(Layer::Groups(groups)) = model.layers.last() else {
        return;
    };
    let key = model.keymap.hint(Place::Groups, "group");
    let how = format!("{key}: group by the next   Enter narrows   Esc closes");
    let total = match &groups.found {
        Some(Ok(found)) => words::count(found.total),
        _ => "…".to_owned(),
    };
    let area = pane::titled(
        area,
        canvas.buffer,
        canvas.theme,
        |row| {
            row.put(&total, Ink::Title).put(" by:", Ink::Dim);
            for facet in Facet::ALL {
                let here = *facet == groups.facet;
                row.gap(1).put(if here { "▸" } else { "" }, Ink::Title);
                let ink = if here { Ink::Title } else { Ink::Dim };
                row.put(facet.as_str(), ink);
            }
        },
        &[(&how, Ink::Key)],
    );
    canvas.cursor = Some(Position::new(area.x, area.y));
    let found = match &groups.found {
        None => return canvas.say(pane::inset(area, 2), "counting …", Ink::Dim),
        Some(Err(why)) => return canvas.say(pane::inset(area, 2), why, Ink::Bad),
        Some(Ok(found)) if found.groups.is_empty() => {
            let words = format!("nothing here has a {}", groups.facet);
            return canvas.say(pane::inset(area, 2), &words, Ink::Dim);
        }
        Some(Ok(found)) => found,
    };
    let room = usize::from(area.height).max(1);
    let top = groups.picked.saturating_sub(room - 1);
    for (at, (name, count)) in found.groups.iter().enumerate().skip(top).take(room) {
        let place = row_of(area, u16::try_from(at - top).unwrap_or(u16::MAX));
        let mut row = canvas.row(place.width);
        row.put(if at == groups.picked { " ▸ " } else { "   " }, Ink::Text);
        row.cell_right(&words::count(*count), Ink::Text, 9);
        let share = count.saturating_mul(100).checked_div(found.total.max(1));
        row.cell_right(&format!("{} %", share.unwrap_or(0)), Ink::Dim, 7);
        row.gap(2).put(name, Ink::Text);
        if at == groups.picked {
            row.draw_selected(place, canvas.buffer, Ink::Selected);
        } else {
            row.draw(place, canvas.buffer);
        }
    }
}
