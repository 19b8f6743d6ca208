//! A text on screen byte for byte, and the record of which of its bytes were in sight.

use crate::console::draw::Canvas;
use crate::console::event::{Target, TextDrawn};
use crate::console::model::{Focus, ViewId};
use crate::console::prose::{Mark, Prose};
use crate::console::theme::Ink;
use crate::console::views::page::Page;
use crate::console::views::parts::ink_of;
use crate::console::widgets::pane::{self, row_of};
use crate::console::words;
use ratatui::layout::Rect;
use std::rc::Rc;

/// A text, laid out for its room.
#[derive(Debug, Clone)]
pub(crate) struct Exact {
    prose: Rc<Prose>,
    target: Option<Target>,
    gutter: &'static str,
}

impl Exact {
    pub(crate) fn new(
        canvas: &mut Canvas<'_>,
        text: &str,
        marks: &[Mark],
        columns: u16,
        target: Option<Target>,
    ) -> Self {
        let escaped = canvas.model.escaped;
        let gutter = "  ";
        let columns = columns.saturating_sub(3).max(8);
        let prose = canvas.kept.prose(text, columns, escaped, marks);
        Self {
            prose,
            target,
            gutter,
        }
    }

    pub(crate) fn with_gutter(self, gutter: &'static str) -> Self {
        Self { gutter, ..self }
    }

    pub(crate) fn rows(&self) -> usize {
        self.prose.rows.len()
    }

    pub(crate) fn hidden(&self) -> usize {
        self.prose.hidden
    }

    /// Draws the rows from `scroll` on; what was in sight is what a decision may be bound to.
    pub(crate) fn draw(&self, canvas: &mut Canvas<'_>, area: Rect, scroll: usize) {
        let room = usize::from(area.height);
        let most = self.rows().saturating_sub(room);
        let from = scroll.min(most);
        for (at, row) in self.prose.rows.iter().skip(from).take(room).enumerate() {
            let place = row_of(area, u16::try_from(at).unwrap_or(u16::MAX));
            let mut line = canvas.row(place.width);
            line.put(self.gutter, Ink::Rule);
            for (shown, paint) in &row.parts {
                line.ready(shown, ink_of(*paint));
            }
            line.draw(place, canvas.buffer);
        }
        canvas.drawn.most_scroll = most;
        canvas.drawn.text_rows = room;
        if let Some(target) = self.target {
            let bytes = self.prose.bytes(from, room);
            canvas.drawn.text = Some(TextDrawn {
                target,
                bytes,
                length: self.prose.length,
            });
        }
    }

    /// `all 3 lines`, or how far one has got and which key reads on.
    pub(crate) fn position(
        &self,
        canvas: &Canvas<'_>,
        scroll: usize,
        room: usize,
    ) -> (String, Ink) {
        let most = self.rows().saturating_sub(room);
        let lines = self.prose.lines;
        if most == 0 {
            let all = if lines == 1 {
                "all 1 line".to_owned()
            } else {
                format!("all {lines} lines")
            };
            return (all, Ink::Dim);
        }
        let seen = self.prose.lines_before(scroll.min(most) + room);
        let (at, of) = (words::count(seen as u64), words::count(lines as u64));
        let length = self.prose.length;
        let whole = self
            .target
            .is_none_or(|target| canvas.model.safety.whole(target, length));
        if whole || seen == lines && scroll == 0 {
            let on = if scroll < most { " ↓" } else { "" };
            return (format!("line {at}/{of}{on}"), Ink::Dim);
        }
        let key = canvas.model.keymap.hint(canvas.model.place(), "read_down");
        let key = if key.is_empty() {
            String::new()
        } else {
            format!(" ({key}, pagedown)")
        };
        (
            format!("line {at}/{of} · scroll to read all{key}"),
            Ink::Advisory,
        )
    }
}

/// Head, text, facts: the text is the largest, and what is left goes to the facts.
pub(crate) fn split(canvas: &mut Canvas<'_>, area: Rect, top: &Page, exact: &Exact, low: &Page) {
    let head = u16::try_from(top.rows.len())
        .unwrap_or(2)
        .min(area.height / 3)
        .max(1);
    top.draw(
        canvas,
        Rect {
            height: head,
            ..area
        },
        0,
    );
    let gap = u16::from(area.height > 14);
    let rest = pane::below(area, head + gap);
    let wanted = u16::try_from(low.rows.len()).unwrap_or(u16::MAX);
    let needed = u16::try_from(exact.rows()).unwrap_or(u16::MAX);
    let spare = rest.height.saturating_sub(needed.saturating_add(1));
    // Whoever reads a long text gets the room for it; the facts come back with the list.
    let least = if canvas.model.focus == Focus::Detail {
        0
    } else {
        rest.height / 3
    };
    let facts = wanted.min(spare.max(least));
    let room = rest.height.saturating_sub(facts + 1).min(needed.max(1));
    let air = u16::from(spare > facts.saturating_add(1));
    let scroll = match canvas.model.view {
        ViewId::Memory => canvas.model.memory.detail.scroll,
        ViewId::Patterns => canvas.model.patterns.detail.scroll,
        ViewId::Quarantine => canvas.model.quarantine.detail.scroll,
        ViewId::Queue | ViewId::Ledger | ViewId::Pulse => canvas.model.queue.detail.scroll,
    };
    let (position, ink) = exact.position(canvas, scroll, usize::from(room));
    exact.draw(
        canvas,
        Rect {
            height: room,
            ..rest
        },
        scroll,
    );
    let after = pane::below(rest, room + air);
    let after = pane::titled(
        after,
        canvas.buffer,
        canvas.theme,
        |_| {},
        &[(&position, ink)],
    );
    low.draw(canvas, after, 0);
}
