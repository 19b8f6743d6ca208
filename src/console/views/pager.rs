//! Raw evidence, a part of it, every character drawn or named; what is cited is marked.

use crate::console::draw::Canvas;
use crate::console::layer::Layer;
use crate::console::prose::{Mark, Paint};
use crate::console::theme::Ink;
use crate::console::views::exact::Exact;
use crate::console::widgets::pane;
use crate::console::words;
use ratatui::layout::{Position, Rect};

pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let Some(Layer::Pager(pager)) = model.layers.last() else {
        return;
    };
    let part = &pager.part;
    let marks: Vec<Mark> = part
        .cited
        .iter()
        .map(|span| Mark {
            range: span.range(),
            paint: Paint::Cited,
            label: "cited".to_owned(),
        })
        .collect();
    let inner = pane::inset(pane::below(area, 2), 2);
    let exact = Exact::new(canvas, &part.text, &marks, inner.width, None);
    let room = usize::from(inner.height);
    let most = exact.rows().saturating_sub(room);
    let from = pager.scroll.min(most);
    let last = (from + room).min(exact.rows());
    let position = format!("rows {}-{last} of {}", from + 1, exact.rows());
    pane::titled(
        area,
        canvas.buffer,
        canvas.theme,
        |row| {
            row.put("Artifact ", Ink::Dim).put(&part.title, Ink::Title);
        },
        &[(&position, Ink::Dim), ("  Esc closes", Ink::Key)],
    );
    let bytes = (part.bytes.start > 0 || (part.bytes.end as u64) < part.length).then(|| {
        format!(
            " · bytes {}-{} of {}",
            words::count(part.bytes.start as u64),
            words::count(part.bytes.end as u64),
            words::count(part.length)
        )
    });
    let hidden = match exact.hidden() {
        0 => String::new(),
        n => format!(" · {}", words::many(n as u64, "hidden character")),
    };
    let facts = format!(
        "{} · {} · {}… · kept until {}{}{hidden}",
        part.kind,
        part.trust,
        part.sha256.short(),
        part.expires_at.date(),
        bytes.unwrap_or_default()
    );
    canvas.say(pane::inset(pane::below(area, 1), 2), &facts, Ink::Dim);
    canvas.cursor = Some(Position::new(area.x, area.y));
    exact.draw(canvas, inner, from);
    canvas.drawn.layer_most = most;
}
