//! The ledger: what was done, when, to what, by whom; the newest first.

use crate::console::draw::Canvas;
use crate::console::model::ViewId;
use crate::console::place::Place;
use crate::console::theme::Ink;
use crate::console::views::candidates::limit;
use crate::console::views::rows::{self, Title};
use crate::console::views::{View, entry};
use crate::console::words;
use crate::domain::Act;
use ratatui::layout::Rect;

pub(crate) static LEDGER: View = View {
    id: ViewId::Ledger,
    action: "ledger",
    name: "Ledger",
    count: |overview| words::count(overview.entries),
    list,
    detail: entry::draw,
};

fn list(canvas: &mut Canvas<'_>, area: Rect, _: bool) {
    let model = canvas.model;
    let view = &model.ledger;
    let verified = match &model.verified {
        Some(verified) if verified.ok => format!("✓ verified {}", words::count(verified.entries)),
        Some(_) => "✗ does not verify".to_owned(),
        None => {
            let key = model.keymap.hint(Place::Ledger, "verify");
            format!("newest first · {key} verifies")
        }
    };
    let total = model.overview.as_ref().map(|overview| overview.entries);
    let title = Title {
        name: "Ledger",
        note: verified,
        limit: limit(&view.filter, view.list.left_after),
        total: total.filter(|_| view.filter.is_empty()),
        empty: "No entry matches.",
        hint: "An empty limit shows everything again.",
    };
    rows::draw(canvas, area, &view.list, &title, |row, item, _| {
        row.gap(1).cell(&item.seq.to_string(), Ink::Dim, 7);
        let wide = row.left() > 50;
        let when = words::clock(item.at);
        let when: String = when.chars().skip(if wide { 0 } else { 5 }).collect();
        row.cell(&when, Ink::Dim, if wide { 17 } else { 12 });
        let act = words::spaced(item.act.as_str());
        row.cell(&act, ink(item.act), if wide { 12 } else { 9 });
        row.gap(1)
            .cell(&item.item, Ink::Text, if wide { 14 } else { 7 });
        row.gap(1).put(
            &item.actor,
            if item.act.is_decision() {
                Ink::Title
            } else {
                Ink::Dim
            },
        );
        if let Some(reason) = &item.reason {
            row.gap(2).put(reason, Ink::Dim);
        }
    });
}

/// People's acts stand out from what the machinery wrote.
pub(crate) const fn ink(act: Act) -> Ink {
    match act {
        Act::Approve | Act::Edit | Act::Restore | Act::Release | Act::Renew => Ink::Good,
        Act::Reject | Act::Confirm | Act::Demote => Ink::Quarantine,
        Act::Undo | Act::Hold | Act::Snooze | Act::Endorse | Act::Split | Act::Merge => Ink::Held,
        Act::Withhold | Act::Refuse => Ink::Bad,
        _ => Ink::Dim,
    }
}
