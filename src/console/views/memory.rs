//! The detail of a memory: its approved bytes, who got them, why it should be looked at again.

use crate::console::draw::Canvas;
use crate::console::prose::{Mark, Paint};
use crate::console::tabs::Tab;
use crate::console::theme::Ink;
use crate::console::views::candidate::{absent, page};
use crate::console::views::exact::{Exact, split};
use crate::console::views::page::Page;
use crate::console::views::parts;
use crate::console::words;
use crate::desk::view::MemoryView;
use crate::domain::Time;
use crate::domain::memory::{MemoryState, Mode};
use ratatui::layout::Rect;

pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let view = model.memory.current();
    let id = model
        .selected()
        .map(|item| item.to_string())
        .unwrap_or_default();
    let count = |tab| view.and_then(|view| counted(view, tab));
    let area = parts::tabs(canvas, area, count, &id);
    let Some(view) = view else {
        return absent(canvas, area);
    };
    canvas.drawn.target = model.target();
    let now = model.now.wall;
    match model.current_tab() {
        Tab::Reach => page(canvas, area, |page| reach(page, view, now)),
        Tab::Provenance => page(canvas, area, |page| provenance(page, view, now)),
        Tab::History => page(canvas, area, |page| {
            versions(page, view, now);
            parts::history(page, &view.history, now);
        }),
        Tab::Diff => page(canvas, area, |page| diff(page, view)),
        _ => text(canvas, area, view),
    }
}

fn counted(view: &MemoryView, tab: Tab) -> Option<usize> {
    match tab {
        Tab::Reach => usize::try_from(view.sessions_reached).ok(),
        Tab::Provenance => Some(view.evidence.len()),
        Tab::History => Some(view.history.len()),
        _ => None,
    }
}

fn text(canvas: &mut Canvas<'_>, area: Rect, view: &MemoryView) {
    let model = canvas.model;
    let m = &view.memory;
    let now = model.now.wall;
    let exact = Exact::new(canvas, &m.text, &[], area.width, model.target());
    let mut top = Page::new(area.width);
    let head = format!(
        "{} · {} · {} · until {}",
        m.scope.layer,
        m.kind,
        m.influence,
        m.expires_at.date()
    );
    top.text(&head, Ink::Dim, 0);
    if exact.hidden() > 0 {
        let many = words::many(exact.hidden() as u64, "hidden character");
        top.text(&format!("⚠ {many}, each named below"), Ink::Quarantine, 0);
    }
    if let Err(why) = &view.verified {
        top.text(&format!("✗ {why}: recall withholds it"), Ink::Bad, 0);
    }
    let mut low = Page::new(area.width);
    standing(&mut low, view, now);
    low.fact("served", &served(view, now), Ink::Text);
    let by = m.approved_by.join(", ");
    low.fact(
        "approved",
        &format!("by {by} on {}", m.approved_at.date()),
        Ink::Text,
    );
    if view.verified.is_ok() {
        low.fact(
            "bytes",
            &format!("unchanged since approval ✓ {}", m.sha256().short()),
            Ink::Clear,
        );
    }
    low.fact("trust", &words::spaced(m.trust.as_str()), Ink::Text);
    split(canvas, area, &top, &exact, &low);
}

fn standing(page: &mut Page, view: &MemoryView, now: Time) {
    let m = &view.memory;
    let end = words::ends(now, m.expires_at);
    match (view.state, m.mode) {
        (MemoryState::Demoted, _) => {
            let how = m.changed.as_ref().map_or_else(String::new, |o| {
                let reason = o
                    .reason
                    .as_ref()
                    .map(|r| format!(": {}", words::spaced(r)))
                    .unwrap_or_default();
                format!(" by {} at {}{reason}", o.by, words::moment(o.at))
            });
            page.fact("state", &format!("demoted{how}"), Ink::Quarantine);
        }
        (MemoryState::Superseded, _) => {
            let how = m.changed.as_ref().map_or_else(String::new, |o| {
                let why = o.reason.clone().unwrap_or_default();
                format!(": {why}, by {} at {}", o.by, words::moment(o.at))
            });
            page.fact(
                "state",
                &format!("replaced by a later version{how}"),
                Ink::Dim,
            );
        }
        (MemoryState::Expired, _) => page.fact("state", &format!("expired · {end}"), Ink::Stale),
        (MemoryState::Active, Mode::Advisory) => {
            page.fact("state", &format!("advisory · {end}"), Ink::Advisory);
        }
        (MemoryState::Active, Mode::Active) => {
            page.fact("state", &format!("active · {end}"), Ink::Clear);
        }
    }
    for (at, why) in view.stale.iter().enumerate() {
        page.fact(if at == 0 { "stale" } else { "" }, why, Ink::Stale);
    }
}

fn served(view: &MemoryView, now: Time) -> String {
    let m = &view.memory;
    match m.last_served {
        Some(last) if m.served > 0 => format!(
            "{} to {} · last {}",
            words::many(m.served, "time"),
            words::many(view.sessions_reached, "session"),
            words::ago(now, last)
        ),
        _ => "never".to_owned(),
    }
}

fn reach(page: &mut Page, view: &MemoryView, now: Time) {
    page.fact("served", &served(view, now), Ink::Text);
    if view.servings.is_empty() {
        page.text("Nobody was handed it yet.", Ink::Dim, 0);
        return;
    }
    page.heading("Where it went");
    for one in &view.reach {
        let line = format!(
            "{} to {} · last {} ({})",
            words::many(one.servings, "serving"),
            words::many(one.sessions, "session"),
            words::ago(now, one.last_at),
            one.last
        );
        page.fact(
            one.layer.leaf(),
            &format!("{} · {line}", one.layer),
            Ink::Text,
        );
    }
    page.heading("Newest recalls that held it");
    for serving in &view.servings {
        let session = serving.session.as_deref().unwrap_or("without a session");
        let with = words::many(serving.memories, "memory");
        let line = format!(
            "{} · {} · session {session} · {with}",
            words::ago(now, serving.at),
            serving.layer
        );
        page.fact(&serving.id.to_string(), &line, Ink::Text);
    }
}

/// The versions of its line, newest first, each against the one before it.
fn versions(page: &mut Page, view: &MemoryView, now: Time) {
    if view.versions.len() < 2 {
        return;
    }
    page.heading(&format!(
        "{} of it",
        words::many(view.versions.len() as u64, "version")
    ));
    let before = std::iter::once(None).chain(view.versions.iter().map(Some));
    let pairs: Vec<_> = before.zip(&view.versions).collect();
    for (before, one) in pairs.into_iter().rev() {
        let here = if one.id == view.memory.id {
            " · this one"
        } else {
            ""
        };
        let said = format!(
            "{} · by {} {}{here}",
            one.state,
            one.by,
            words::ago(now, one.at)
        );
        page.fact(&one.id.to_string(), &said, Ink::Text);
        let old = before.map_or("", |before| before.text.as_str());
        if old.is_empty() {
            page.quote(&one.text, &[], "  │ ");
            continue;
        }
        let (removed, added) = crate::console::difference::words(old, &one.text);
        let mark = |range, paint| Mark {
            range,
            paint,
            label: String::new(),
        };
        let marks: Vec<Mark> = removed
            .into_iter()
            .map(|r| mark(r, Paint::Removed))
            .collect();
        page.quote(old, &marks, "  - ");
        let marks: Vec<Mark> = added.into_iter().map(|r| mark(r, Paint::Added)).collect();
        page.quote(&one.text, &marks, "  + ");
    }
}

fn provenance(page: &mut Page, view: &MemoryView, now: Time) {
    page.fact(
        "from",
        &format!("{} · entry {}", view.memory.candidate, view.memory.entry),
        Ink::Text,
    );
    parts::evidence(page, &view.evidence, now);
}

/// What the reviewer changed before approving.
fn diff(page: &mut Page, view: &MemoryView) {
    let Some(proposed) = &view.proposed else {
        return;
    };
    let (removed, added) = crate::console::difference::words(proposed, &view.memory.text);
    let mark = |range, paint| Mark {
        range,
        paint,
        label: String::new(),
    };
    page.heading("As proposed");
    let marks: Vec<Mark> = removed
        .into_iter()
        .map(|range| mark(range, Paint::Removed))
        .collect();
    page.quote(proposed, &marks, "- ");
    page.heading("As approved");
    let marks: Vec<Mark> = added
        .into_iter()
        .map(|range| mark(range, Paint::Added))
        .collect();
    page.quote(&view.memory.text, &marks, "+ ");
}
