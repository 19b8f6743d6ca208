//! A list on screen: only the rows that are in sight are built.

use crate::console::draw::Canvas;
use crate::console::list::List;
use crate::console::model::{Focus, Model};
use crate::console::theme::Ink;
use crate::console::widgets::pane::{self, row_of};
use crate::console::widgets::row::Row;
use crate::console::words;
use ratatui::layout::{Position, Rect};

/// What stands above a list.
#[derive(Debug)]
pub(crate) struct Title {
    pub(crate) name: &'static str,
    /// How it is ordered, or what is known of it.
    pub(crate) note: String,
    /// What narrows it, or is marked in it.
    pub(crate) limit: String,
    /// How many there are in all, where that is known.
    pub(crate) total: Option<u64>,
    /// What to say when there is nothing, and what would change that.
    pub(crate) empty: &'static str,
    pub(crate) hint: &'static str,
}

/// Draws the title, the rows in sight, and what there is to say of rows that are not.
pub(crate) fn draw<R: crate::console::list::Row>(
    canvas: &mut Canvas<'_>,
    area: Rect,
    list: &List<R>,
    title: &Title,
    mut fill: impl FnMut(&mut Row<'_>, &R, bool),
) {
    let area = head(canvas, area, list, title);
    if list.rows.is_empty() {
        return nothing(canvas, area, list, title);
    }
    for (at, item) in list
        .rows
        .iter()
        .skip(list.top)
        .take(usize::from(area.height))
        .enumerate()
    {
        let place = row_of(area, u16::try_from(at).unwrap_or(u16::MAX));
        let selected = list.selected == Some(item.id());
        let mut row = canvas.row(place.width.saturating_sub(1));
        row.put(if selected { "▸" } else { " " }, Ink::Text);
        fill(&mut row, item, list.gone.contains(&item.id()));
        if selected {
            let focused = canvas.model.focus == Focus::List;
            let ink = if focused {
                Ink::Selected
            } else {
                Ink::Unfocused
            };
            row.draw_selected(place, canvas.buffer, ink);
            if canvas.cursor.is_none() {
                canvas.cursor = Some(Position::new(place.x, place.y));
            }
        } else {
            row.draw(place, canvas.buffer);
        }
    }
}

fn head<R: crate::console::list::Row>(
    canvas: &mut Canvas<'_>,
    area: Rect,
    list: &List<R>,
    title: &Title,
) -> Rect {
    let focused = canvas.model.focus == Focus::List;
    let mut news = String::new();
    if list.arrivals > 0 {
        let key = canvas.model.keymap.hint(canvas.model.place(), "take_in");
        news = format!("{} new · {key}", words::count(list.arrivals as u64));
    } else if let Some(at) = list.asked_at
        && canvas.model.now.ms.saturating_sub(at) >= 150
    {
        "reading …".clone_into(&mut news);
    }
    let place = place(list, title.total);
    let right = [(news.as_str(), Ink::Advisory)];
    pane::titled(
        area,
        canvas.buffer,
        canvas.theme,
        |row| {
            row.put(title.name, if focused { Ink::Title } else { Ink::Dim })
                .gap(1);
            row.put(&place, Ink::Dim);
            let saved = saved_as(canvas.model);
            for (text, ink) in [
                (&title.note, Ink::Dim),
                (&saved, Ink::Title),
                (&title.limit, Ink::Advisory),
            ] {
                if !text.is_empty() {
                    row.put(" · ", Ink::Dim).put(text, ink);
                }
            }
        },
        if news.is_empty() { &[] } else { &right },
    )
}

/// The name under which what is shown was saved.
fn saved_as(model: &Model) -> String {
    let here = crate::console::shelf::here(model, "");
    let named = model.saved.iter().find(|saved| {
        here.as_ref()
            .is_some_and(|here| here.view == saved.view && here.query == saved.query)
    });
    named.map_or_else(String::new, |saved| format!("view {}", saved.name))
}

/// `3 of 23`, as far as it is known.
fn place<R: crate::console::list::Row>(list: &List<R>, total: Option<u64>) -> String {
    let complete = !list.more_before && !list.more_after;
    let total = if complete {
        Some(list.rows.len() as u64)
    } else {
        total
    };
    let at = list.place().map(|at| at as u64);
    let from_end = (list.rows.len() as u64).checked_sub(at.unwrap_or(0));
    let place = match (list.first_at, total, from_end) {
        (Some(first), _, _) => at.map(|at| first + at + 1),
        (None, Some(total), Some(left)) if !list.more_after => (total + 1).checked_sub(left),
        _ => None,
    };
    match (place, total) {
        _ if list.rows.is_empty() => String::new(),
        (Some(place), Some(total)) => format!("{} of {}", words::count(place), words::count(total)),
        (Some(place), None) => format!("{} of more", words::count(place)),
        (None, Some(total)) => format!("of {}", words::count(total)),
        (None, None) => String::new(),
    }
}

fn nothing<R: crate::console::list::Row>(
    canvas: &mut Canvas<'_>,
    area: Rect,
    list: &List<R>,
    title: &Title,
) {
    let area = pane::inset(pane::below(area, 1), 2);
    if let Some(trouble) = &list.trouble {
        canvas.say(area, trouble, Ink::Bad);
    } else if list.loaded {
        canvas.say(area, title.empty, Ink::Text);
        canvas.say(pane::below(area, 1), title.hint, Ink::Dim);
    } else if list
        .asked_at
        .is_some_and(|at| canvas.model.now.ms.saturating_sub(at) >= 150)
    {
        canvas.say(area, "reading …", Ink::Dim);
    }
}
