//! The list of patterns: how far each is from what its layer asks, and what became of it.

use crate::console::draw::Canvas;
use crate::console::model::ViewId;
use crate::console::theme::Ink;
use crate::console::views::candidates::limit;
use crate::console::views::rows::{self, Title};
use crate::console::views::{View, pattern};
use crate::console::widgets::chart;
use crate::desk::PatternRow;
use ratatui::layout::Rect;

pub(crate) static PATTERNS: View = View {
    id: ViewId::Patterns,
    action: "patterns",
    name: "Patterns",
    count: |overview| match overview.lag {
        0 => String::new(),
        lag => format!("{lag} behind"),
    },
    list,
    detail: pattern::draw,
};

fn list(canvas: &mut Canvas<'_>, area: Rect, _: bool) {
    let view = &canvas.model.patterns;
    let empty = match view.filter.is_empty() {
        true => {
            "Nothing recurs yet: what people say to agents is grouped here once it was observed."
        }
        false => "Nothing here matches the limit.",
    };
    let lag = canvas.model.overview.as_ref().map_or(0, |all| all.lag);
    let title = Title {
        name: "Patterns",
        note: match lag {
            0 => "users sessions days".to_owned(),
            lag => format!("users sessions days · {lag} observations to go"),
        },
        limit: limit(&view.filter, view.list.left_after),
        total: None,
        empty,
        hint: "",
    };
    rows::draw(canvas, area, &view.list, &title, |row, item, _| {
        let (word, ink) = standing(item);
        row.gap(1).cell(word, ink, 9);
        let (support, least) = (item.support, item.asked.least);
        let columns = if row.left() > 60 { 6 } else { 5 };
        for (have, asked) in [
            (support.users, least.users),
            (support.sessions, least.sessions),
            (support.days, least.days),
        ] {
            let ink = if have >= asked { Ink::Clear } else { Ink::Dim };
            row.cell_right(&format!("{have}/{asked}"), ink, columns);
        }
        let flag = if item.flags.is_empty() { " " } else { "⚠" };
        row.gap(1).put(flag, Ink::Quarantine).gap(1);
        let wide = row.left() > 60;
        let room = match wide {
            true => row.left().saturating_sub(28),
            false => row.left(),
        };
        row.cell(&item.claim, Ink::Text, room);
        if wide {
            row.gap(1).cell(&trend(&item.trend), Ink::Dim, 9);
            row.put(item.layer.as_str(), Ink::Dim);
        }
    });
}

/// One word for where a pattern stands.
pub(crate) fn standing(item: &PatternRow) -> (&'static str, Ink) {
    match item.state {
        "watching" if item.missing.is_none_missing() => ("next", Ink::Advisory),
        "watching" => ("watching", Ink::Dim),
        "counted above" => ("above", Ink::Dim),
        "pending" => ("pending", Ink::Advisory),
        "quarantined" => ("held back", Ink::Quarantine),
        "approved" => ("approved", Ink::Clear),
        "rejected" => ("rejected", Ink::Quarantine),
        other => (other, Ink::Text),
    }
}

/// How often it was seen in each of the last weeks, the newest last.
pub(crate) fn trend(weeks: &[u32]) -> String {
    let weeks: Vec<u64> = weeks.iter().copied().map(u64::from).collect();
    chart::spark(&weeks, weeks.len())
}
