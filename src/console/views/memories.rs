//! The list of memories: what most needs an eye first, and why.

use crate::console::draw::Canvas;
use crate::console::model::ViewId;
use crate::console::snapshot::Memories;
use crate::console::theme::Ink;
use crate::console::views::candidates::limit;
use crate::console::views::rows::{self, Title};
use crate::console::views::{View, memory};
use crate::console::words;
use crate::desk::view::MemoryRow;
use crate::domain::Time;
use crate::domain::memory::{MemoryState, Mode};
use ratatui::layout::Rect;

pub(crate) static MEMORY: View = View {
    id: ViewId::Memory,
    action: "memory",
    name: "Memory",
    count: |overview| words::count(overview.memories),
    list,
    detail: memory::draw,
};

fn list(canvas: &mut Canvas<'_>, area: Rect, _: bool) {
    let view = &canvas.model.memory;
    let total = canvas
        .model
        .overview
        .as_ref()
        .map(|overview| overview.memories);
    let empty = match view.filter.is_empty() {
        true => "Nothing was approved yet: what you approve in the queue appears here.",
        false => "Nothing here matches the limit.",
    };
    let title = Title {
        name: "Memory",
        note: view.sort.says().to_owned(),
        limit: narrowed(view),
        total: total.filter(|_| view.filter.is_empty()),
        empty,
        hint: "",
    };
    let now = canvas.model.now.wall;
    rows::draw(canvas, area, &view.list, &title, |row, item, gone| {
        let (word, ink) = standing(item, now);
        let marked = view.marks.contains_key(&item.id);
        row.put(if marked { "*" } else { " " }, Ink::Key);
        row.cell(word, ink, 9);
        row.cell(&item.id.to_string(), Ink::Dim, 7);
        let why = why(item, now);
        let wide = row.left() > 56;
        let room = if wide {
            row.left() * 3 / 5
        } else {
            row.left().saturating_sub(8)
        };
        let ink = if gone || item.state != MemoryState::Active {
            Ink::Dim
        } else {
            Ink::Text
        };
        row.cell(&item.text, ink, room);
        row.gap(1);
        if wide {
            row.put(&why, Ink::Dim);
        } else {
            let over = item.expires_at <= now;
            let end = format!("in {}", words::age(item.expires_at, now));
            row.cell_right(if over { "over" } else { &end }, Ink::Dim, 7);
        }
    });
}

/// What narrows the list, and what is marked in it or beyond it.
fn narrowed(view: &Memories) -> String {
    let marked = match view.marks.len() {
        0 => String::new(),
        n => format!("{} marked", words::count(n as u64)),
    };
    let parts = [limit(&view.filter, view.list.left_after), marked];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}

/// One word for where a memory stands.
fn standing(item: &MemoryRow, now: Time) -> (&'static str, Ink) {
    match (item.state, item.mode) {
        (MemoryState::Demoted, _) => ("demoted", Ink::Dim),
        (MemoryState::Superseded, _) => ("replaced", Ink::Dim),
        (MemoryState::Expired, _) => ("expired", Ink::Stale),
        _ if item.expires_at <= now => ("expired", Ink::Stale),
        _ if !item.stale.is_empty() => ("stale", Ink::Stale),
        (_, Mode::Advisory) => ("advisory", Ink::Advisory),
        _ => ("active", Ink::Clear),
    }
}

fn why(item: &MemoryRow, now: Time) -> String {
    match item.stale.first() {
        Some(why) => why.clone(),
        None => format!(
            "{} · served {}",
            words::ends(now, item.expires_at),
            words::count(item.served)
        ),
    }
}
