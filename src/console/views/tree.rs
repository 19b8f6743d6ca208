//! The answer to "what did it believe, and why?": one thing under what it rests on.

use crate::console::draw::Canvas;
use crate::console::layer::Layer;
use crate::console::theme::Ink;
use crate::console::views::page::Page;
use crate::console::widgets::pane;
use crate::desk::view::Why;
use ratatui::layout::{Position, Rect};

pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let Some(Layer::Tree {
        title,
        tree,
        scroll,
    }) = canvas.model.layers.last()
    else {
        return;
    };
    let name = format!("Why {title}");
    let area = pane::titled(
        area,
        canvas.buffer,
        canvas.theme,
        |row| {
            row.put(&name, Ink::Title);
        },
        &[("Esc closes", Ink::Key)],
    );
    canvas.cursor = Some(Position::new(area.x, area.y));
    let area = pane::inset(pane::below(area, 1), 2);
    let mut page = Page::new(area.width);
    match tree {
        None => page.text("walking back to the evidence …", Ink::Dim, 0),
        Some(Err(why)) => page.text(why, Ink::Bad, 0),
        Some(Ok(why)) => node(&mut page, why, "", ""),
    }
    let room = usize::from(area.height);
    canvas.drawn.layer_most = page.rows.len().saturating_sub(room);
    page.draw(canvas, area, (*scroll).min(canvas.drawn.layer_most));
}

/// How deep a tree is drawn: far deeper than any chain from a serving to its bytes.
const DEEPEST: usize = 40;

/// `branch` stands before the node's name, `guide` before everything below it.
fn node(page: &mut Page, why: &Why, branch: &str, guide: &str) {
    let below = if why.because.is_empty() { "  " } else { "│ " };
    let inner = format!("{guide}{below}");
    page.branch(
        branch,
        &inner,
        &format!("{} {}", why.kind, why.id),
        &why.says,
    );
    for (name, value) in &why.facts {
        page.branch_fact(&inner, name, value);
    }
    if guide.chars().count() > DEEPEST {
        return page.branch(&inner, &inner, "…", "deeper than is drawn here");
    }
    for (at, because) in why.because.iter().enumerate() {
        let last = at + 1 == why.because.len();
        let (fork, on) = if last {
            ("└ ", "  ")
        } else {
            ("├ ", "│ ")
        };
        node(
            page,
            because,
            &format!("{guide}{fork}"),
            &format!("{guide}{on}"),
        );
    }
}
