//! The detail of a ledger entry: everything it commits to.

use crate::console::draw::Canvas;
use crate::console::theme::Ink;
use crate::console::views::candidate::absent;
use crate::console::views::page::Page;
use crate::console::views::{ledger, parts};
use crate::console::words;
use crate::domain::Time;
use ratatui::layout::Rect;

pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let row = model.ledger.list.row();
    let id = row.map(|row| row.seq.to_string()).unwrap_or_default();
    let area = parts::tabs(canvas, area, |_| None, &id);
    let Some(entry) = row else {
        return absent(canvas, area);
    };
    let now = model.now.wall;
    let fill = |page: &mut Page| {
        page.text(
            &format!("{} {}", words::spaced(entry.act.as_str()), entry.item),
            ledger::ink(entry.act),
            0,
        );
        page.blank();
        page.fact(
            "by",
            &format!("{} · {}", entry.actor, entry.assurance),
            Ink::Text,
        );
        page.fact(
            "at",
            &format!(
                "{} UTC · {}",
                words::clock(entry.at),
                words::ago(now, entry.at)
            ),
            Ink::Text,
        );
        if let Some(reason) = &entry.reason {
            page.fact("reason", reason, Ink::Text);
        }
        page.fact(
            "hash",
            &digest(&entry.hash.to_string(), area.width),
            Ink::Dim,
        );
        if let Some(text) = &entry.text {
            page.heading("The text that was shown");
            page.quote(text, &[], "  │ ");
        }
        if !entry.facts.is_empty() {
            page.heading("What else the entry commits to");
        }
        for (name, value) in &entry.facts {
            page.fact(
                &words::spaced(name),
                &readable(name, value, area.width),
                Ink::Dim,
            );
        }
        if let Some(verified) = model.verified.as_ref().filter(|verified| !verified.ok) {
            page.heading("The ledger does not verify");
            for problem in &verified.problems {
                page.text(problem, Ink::Bad, 2);
            }
        }
    };
    let mut page = Page::with_labels(area.width, 14);
    fill(&mut page);
    page.draw_scrolled(canvas, area, model.ledger.detail.scroll);
}

/// A moment as a moment, a digest shortened, anything else as it stands.
fn readable(name: &str, value: &str, width: u16) -> String {
    match value.parse() {
        Ok(millis) if name.ends_with("_at") || name.ends_with("_until") => {
            Time::from_millis(millis).to_string()
        }
        _ => digest(value, width),
    }
}

/// A digest whole where it fits on its line, otherwise its first half: enough to tell two apart.
fn digest(value: &str, width: u16) -> String {
    let long = value.len() == 64 && value.bytes().all(|b| b.is_ascii_hexdigit());
    match value.get(..32) {
        Some(head) if long && width < 80 => format!("{head}…"),
        _ => value.to_owned(),
    }
}
