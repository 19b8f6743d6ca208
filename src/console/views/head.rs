//! The head: which store, who sits here and how surely, which views there are and how full.

use crate::console::draw::Canvas;
use crate::console::model::{Model, Verified, ViewId};
use crate::console::place::Place;
use crate::console::theme::Ink;
use crate::console::views;
use crate::console::widgets::pane::row_of;
use crate::console::widgets::row::Row;
use crate::console::words;
use crate::desk::view::Overview;
use ratatui::layout::Rect;

pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    if area.height > 1 {
        names(canvas, row_of(area, 0));
        places(canvas, row_of(area, 1));
    } else {
        places(canvas, row_of(area, 0));
    }
}

/// Who and where.
fn names(canvas: &mut Canvas<'_>, area: Rect) {
    let session = &canvas.model.session;
    let mut row = canvas.row(area.width);
    row.gap(1).put("Countersign", Ink::Brand).gap(2);
    let who = format!("{} · {}", session.reviewer.name, session.reviewer.role);
    let how = match &session.may_decide {
        Ok(()) => session.footing.as_str(),
        Err(_) => "looking only",
    };
    let right = crate::text::line(&who).chars().count() + how.chars().count() + 5;
    let demo = canvas
        .model
        .overview
        .as_ref()
        .is_some_and(|overview| overview.demo);
    let room = row.left().saturating_sub(right + 2);
    let note = match (demo, room) {
        (false, _) => "",
        (true, 44..) => " (demo: nothing here is real)",
        (true, _) => " (demo)",
    };
    row.put_within(
        &tail(&session.store, room.saturating_sub(note.len())),
        Ink::Dim,
        room,
    );
    if row.left() > right + note.len() {
        row.put(note, Ink::Dim);
    }
    let at = usize::from(area.width).saturating_sub(right);
    row.to(at)
        .put(&who, Ink::Title)
        .put(" · ", Ink::Dim)
        .put(how, Ink::Advisory);
    row.draw(area, canvas.buffer);
}

/// The views with their keys and counts, and what presses.
fn places(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let wide = area.width >= 100;
    let mut row = canvas.row(area.width);
    for view in views::ALL {
        let key = model.keymap.hint(Place::Everywhere, view.action);
        // In a narrow head the room goes to what waits.
        let counted = wide || !matches!(view.id, ViewId::Memory | ViewId::Ledger);
        let overview = model.overview.as_ref().filter(|_| counted);
        let count = overview.map(view.count).unwrap_or_default();
        let sign = match &model.verified {
            Some(verified) if view.id == ViewId::Ledger && !verified.ok => " ✗",
            Some(verified) if view.id == ViewId::Ledger && is_newest(model, verified) => " ✓",
            _ => "",
        };
        let label = format!(
            " {key} {}{}{count}{sign}{}",
            view.name,
            if count.is_empty() { "" } else { " " },
            if wide || view.id == model.view {
                " "
            } else {
                ""
            }
        );
        row.put(
            &label,
            if view.id == model.view {
                Ink::Active
            } else {
                Ink::Text
            },
        );
        if wide {
            row.gap(1);
        }
    }
    if let Some(overview) = &model.overview {
        pressure(&mut row, model.now.wall, overview);
    }
    row.draw(area, canvas.buffer);
}

/// An item that waited so long is pointed at.
const LONG: i64 = 7 * crate::domain::time::DAY;
/// Whether nothing was entered since the ledger was verified.
fn is_newest(model: &Model, verified: &Verified) -> bool {
    let entries = model.overview.as_ref().map(|overview| overview.entries);
    entries.is_none_or(|entries| entries <= verified.entries)
}

/// The oldest, what is held or snoozed: as much as there is room for.
fn pressure(row: &mut Row<'_>, now: crate::domain::Time, overview: &Overview) {
    let mut facts: Vec<(String, Ink)> = Vec::new();
    if let Some(oldest) = overview.oldest {
        let waits = now.since(oldest);
        let (sign, ink) = if waits >= LONG {
            ("⚠ ", Ink::Held)
        } else {
            ("", Ink::Text)
        };
        facts.push((format!("{sign}oldest {}", words::span(waits)), ink));
    }
    if overview.held > 0 {
        facts.push((format!("held {}", words::count(overview.held)), Ink::Held));
    }
    if overview.pending > overview.budget && overview.budget > 0 {
        facts.push(("over budget".to_owned(), Ink::Bad));
    }
    if overview.snoozed > 0 {
        facts.push((
            format!("snoozed {}", words::count(overview.snoozed)),
            Ink::Dim,
        ));
    }
    if overview.lag > 0 {
        facts.push((
            format!("detector {} behind", words::count(overview.lag)),
            Ink::Dim,
        ));
    }
    let width = |facts: &[(String, Ink)]| {
        facts
            .iter()
            .map(|(f, _)| f.chars().count() + 3)
            .sum::<usize>()
    };
    while width(&facts) > row.left() {
        facts.pop();
    }
    let at = row.used() + row.left();
    row.to(at.saturating_sub(width(&facts).saturating_sub(2)));
    for (place, (fact, ink)) in facts.iter().enumerate() {
        row.put(if place > 0 { " · " } else { "" }, Ink::Dim)
            .put(fact, *ink);
    }
}

/// The end of a path: what tells stores apart.
fn tail(path: &str, columns: usize) -> String {
    let count = path.chars().count();
    if count <= columns {
        return path.to_owned();
    }
    let kept: String = path.chars().skip(count + 1 - columns.min(count)).collect();
    format!("…{kept}")
}
