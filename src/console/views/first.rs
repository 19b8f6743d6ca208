//! What stands beside an empty queue: how something gets into this store, and what becomes of it.

use crate::console::draw::Canvas;
use crate::console::model::Model;
use crate::console::theme::Ink;
use crate::console::views::page::Page;
use ratatui::layout::Rect;

/// Whether nothing ever came in.
pub(crate) fn is_first(model: &Model) -> bool {
    model.queue.filter.is_empty()
        && model.overview.as_ref().is_some_and(|it| {
            it.pending + it.quarantined + it.snoozed + it.memories == 0 && it.lag == 0
        })
}

pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let store = quoted(&model.session.store);
    let mut page = Page::new(area.width);
    page.heading("Bring something in, from another terminal");
    for (label, command) in [
        (
            "an agent",
            format!("countersign install --harness claude --layer acme/dev --store {store}"),
        ),
        (
            "the past",
            format!("countersign ingest ~/.claude/projects --layer acme/dev --store {store}"),
        ),
        (
            "one claim",
            "countersign propose --help    shows one to try".to_owned(),
        ),
        ("examples", "countersign demo".to_owned()),
    ] {
        page.fact(label, &command, Ink::Text);
    }
    page.heading("What becomes of it");
    for (label, says) in [
        (
            "said",
            "what enough people say in enough sessions is proposed; agents propose too",
        ),
        (
            "held",
            "what the gate objects to waits in the quarantine, with the words it objects to",
        ),
        (
            "decided",
            "the rest waits here until you approve its exact text, change it or turn it down",
        ),
        (
            "served",
            "only what was approved is recalled, and each recall is on record",
        ),
    ] {
        page.fact(label, says, Ink::Dim);
    }
    page.draw_scrolled(canvas, area, model.queue.detail.scroll);
}

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    shell_words::quote(path).into_owned()
}
