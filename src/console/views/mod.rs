//! The views and the layers over them: each file draws one thing from the model.
//!
//! | module | draws |
//! |---|---|
//! | `head`, `foot` | who and how much; what can be done now |
//! | `candidates` | the lists of queue and quarantine |
//! | `memories`, `patterns`, `ledger` | the lists of memories, patterns and entries |
//! | `pulse`, `heat`, `measures` | thresholds and what they would do; how things go |
//! | `candidate`, `memory`, `pattern`, `entry` | the detail beside them |
//! | `exact` | a text, byte for byte, with what is objected to |
//! | `summary`, `grounds` | a candidate at one glance, and in full |
//! | `page`, `parts`, `rows` | what details and lists have in common |
//! | `dock` | reasons, confirmations and fields at the foot |
//! | `first` | an empty store: how something gets in |
//! | `groups`, `pager` | a list's groups with their counts; raw evidence |
//! | `palette`, `help`, `tree`, `secret`, `writer` | the other layers |

pub(crate) mod candidate;
pub(crate) mod candidates;
pub(crate) mod dock;
pub(crate) mod entry;
pub(crate) mod exact;
pub(crate) mod first;
pub(crate) mod foot;
pub(crate) mod grounds;
pub(crate) mod groups;
pub(crate) mod head;
pub(crate) mod heat;
pub(crate) mod help;
pub(crate) mod ledger;
pub(crate) mod measures;
pub(crate) mod memories;
pub(crate) mod memory;
pub(crate) mod page;
pub(crate) mod pager;
pub(crate) mod palette;
pub(crate) mod parts;
pub(crate) mod pattern;
pub(crate) mod patterns;
pub(crate) mod pulse;
pub(crate) mod rows;
pub(crate) mod secret;
pub(crate) mod summary;
pub(crate) mod tree;
pub(crate) mod writer;

use crate::console::draw::Canvas;
use crate::console::layout::Areas;
use crate::console::model::ViewId;
use crate::console::widgets::pane;
use crate::desk::view::Overview;
use ratatui::layout::Rect;

/// One view: what it is called, how full it is, and how its two panes are drawn.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) id: ViewId,
    /// The action that opens it.
    pub(crate) action: &'static str,
    pub(crate) name: &'static str,
    pub(crate) count: fn(&Overview) -> String,
    list: fn(&mut Canvas<'_>, Rect, bool),
    detail: fn(&mut Canvas<'_>, Rect),
}

pub(crate) const ALL: &[&View] = &[
    &candidates::QUEUE,
    &candidates::QUARANTINE,
    &memories::MEMORY,
    &patterns::PATTERNS,
    &ledger::LEDGER,
    &pulse::PULSE,
];

pub(crate) fn of(id: ViewId) -> &'static View {
    ALL.iter()
        .find(|view| view.id == id)
        .copied()
        .unwrap_or(&candidates::QUEUE)
}

/// Draws the shown view: its list, and the detail of what is selected in it.
pub(crate) fn draw(canvas: &mut Canvas<'_>, areas: Areas) {
    let view = of(canvas.model.view);
    if view.id == ViewId::Pulse {
        return pulse::draw(canvas, areas.body);
    }
    let detail = if areas.wide {
        pane::beside(areas.detail, canvas.buffer, canvas.theme)
    } else {
        areas.detail
    };
    if !canvas.model.single {
        (view.list)(canvas, areas.list, areas.wide);
    }
    (view.detail)(canvas, detail);
}
