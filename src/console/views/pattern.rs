//! The detail of a pattern: its claim, its wordings beside it, who said them, what joined it and
//! what was kept apart from it, and why it is proposed or not.

use crate::console::draw::Canvas;
use crate::console::prose::{Mark, Paint};
use crate::console::tabs::Tab;
use crate::console::theme::Ink;
use crate::console::views::candidate::{absent, page};
use crate::console::views::exact::{Exact, split};
use crate::console::views::page::Page;
use crate::console::views::parts;
use crate::console::views::patterns::{standing, trend};
use crate::console::words;
use crate::desk::PatternView;
use crate::domain::Time;
use crate::domain::pattern::LinkKind;
use ratatui::layout::Rect;

pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let view = model.patterns.current();
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
        Tab::Wordings => page(canvas, area, |page| wordings(page, view)),
        Tab::Support => page(canvas, area, |page| support(page, view, now)),
        Tab::Links => page(canvas, area, |page| links(page, view)),
        Tab::Kin => page(canvas, area, |page| kin(page, view)),
        _ => text(canvas, area, view),
    }
}

fn counted(view: &PatternView, tab: Tab) -> Option<usize> {
    match tab {
        Tab::Wordings => Some(view.wordings.len()),
        Tab::Support => Some(view.sightings.len()),
        Tab::Links => Some(view.links.len()),
        Tab::Kin => Some(view.kin.len() + view.known.len()),
        _ => None,
    }
}

fn text(canvas: &mut Canvas<'_>, area: Rect, view: &PatternView) {
    let model = canvas.model;
    let row = &view.row;
    let exact = Exact::new(canvas, &row.claim, &[], area.width, model.target());
    let mut top = Page::new(area.width);
    top.text(&format!("{} · {}", row.layer, row.state), Ink::Dim, 0);
    if exact.hidden() > 0 {
        let many = words::many(exact.hidden() as u64, "hidden character");
        top.text(&format!("⚠ {many}, each named below"), Ink::Quarantine, 0);
    }
    let mut low = Page::new(area.width);
    let (word, ink) = standing(row);
    low.fact("state", &format!("{word} · {}", view.why), ink);
    distance(&mut low, view);
    for flag in &row.flags {
        low.fact("odd", &format!("⚠ {flag}"), Ink::Quarantine);
    }
    for (memory, why) in &view.against {
        low.fact("against", &format!("{memory}: {why}"), Ink::Stale);
    }
    let seen = format!(
        "{} · last {} · {}",
        words::many(row.observations, "sighting"),
        words::ago(model.now.wall, row.last_at),
        trend(&row.trend)
    );
    low.fact("seen", &seen, Ink::Text);
    low.fact("trust", &words::spaced(row.trust.as_str()), Ink::Text);
    split(canvas, area, &top, &exact, &low);
}

fn distance(page: &mut Page, view: &PatternView) {
    let (have, least) = (view.row.support, view.row.asked.least);
    let part = |have: u32, asked: u32, what: &str| format!("{what} {have}/{asked}");
    let all = [
        part(have.users, least.users, "users"),
        part(have.sessions, least.sessions, "sessions"),
        part(have.days, least.days, "days"),
    ];
    let window = match view.row.asked.window {
        0 => String::new(),
        days => format!(" · only the last {days} days count"),
    };
    page.fact(
        "support",
        &format!("{}{window}", all.join(" · ")),
        Ink::Text,
    );
}

/// Every wording, with what differs from the one that stands for all.
fn wordings(page: &mut Page, view: &PatternView) {
    for wording in &view.wordings {
        let when = match (wording.first_at, wording.last_at) {
            (Some(first), Some(last)) => format!(" · {} to {}", first.date(), last.date()),
            _ => String::new(),
        };
        page.heading(&format!(
            "{}× by {}{when}",
            words::count(wording.count),
            words::many(u64::from(wording.users), "person")
        ));
        if wording.text == view.row.claim {
            page.text("the claim, in these words", Ink::Dim, 2);
            continue;
        }
        let (_, added) = crate::console::difference::words(&view.row.claim, &wording.text);
        let marks: Vec<Mark> = added
            .into_iter()
            .map(|range| Mark {
                range,
                paint: Paint::Added,
                label: String::new(),
            })
            .collect();
        page.quote(&wording.text, &marks, "  │ ");
        if !wording.who.is_empty() {
            page.text(&wording.who.join(", "), Ink::Dim, 2);
        }
    }
}

fn support(page: &mut Page, view: &PatternView, now: Time) {
    distance(page, view);
    for id in &view.counted_in {
        page.fact("counts in", &format!("{id}, for a wider layer"), Ink::Text);
    }
    for id in &view.counts {
        page.fact(
            "counts",
            &format!("the people of {id}, in a layer below"),
            Ink::Text,
        );
    }
    for flag in &view.row.flags {
        page.fact("odd", &format!("⚠ {flag}"), Ink::Quarantine);
    }
    page.heading("Newest sightings");
    for sighting in &view.sightings {
        let counts = match sighting.counts {
            Ok(()) => String::new(),
            Err(why) => format!(" · does not count: {why}"),
        };
        let who = format!(
            "{} · session {} · {}{counts}",
            sighting.user, sighting.session, sighting.trust
        );
        page.fact(&words::span(now.since(sighting.at)), &who, Ink::Dim);
        if sighting.text != view.row.claim {
            page.fact("", &sighting.text, Ink::Text);
        }
    }
}

fn links(page: &mut Page, view: &PatternView) {
    if view.links.is_empty() {
        page.text("Nothing else was compared with it.", Ink::Dim, 0);
    }
    let mut last = None;
    for link in &view.links {
        if last != Some(link.kind) {
            page.heading(heading(link.kind));
            last = Some(link.kind);
        }
        let other = link.other.map(|id| id.to_string()).unwrap_or_default();
        let ink = match link.kind {
            LinkKind::Apart => Ink::Quarantine,
            LinkKind::Joined => Ink::Text,
            _ => Ink::Advisory,
        };
        page.fact(&other, &link.text, ink);
        page.fact("beside", &link.with, Ink::Text);
        page.fact("", &link.why, Ink::Dim);
    }
}

const fn heading(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Joined => "Joined it, and why",
        LinkKind::Maybe => "May say the same; not counted",
        LinkKind::Apart => "Looks alike and says otherwise",
        LinkKind::Merge => "Today's detector would join these",
        LinkKind::Split => "Today's detector would take these out",
    }
}

fn kin(page: &mut Page, view: &PatternView) {
    if view.kin.is_empty() && view.known.is_empty() {
        page.text("Nobody has decided anything near it.", Ink::Dim, 0);
    }
    for kin in &view.kin {
        page.fact(
            &kin.candidate.to_string(),
            &format!(
                "{} · {}",
                kin.state,
                kin.decided.as_deref().unwrap_or("not decided")
            ),
            Ink::Text,
        );
        page.fact("", &kin.claim, Ink::Dim);
    }
    if !view.known.is_empty() {
        page.heading("Known when it was proposed");
    }
    for known in &view.known {
        let ink = match known.relation.is_against() {
            true => Ink::Quarantine,
            false => Ink::Advisory,
        };
        page.fact(&known.item, &words::spaced(known.relation.as_str()), ink);
        page.fact("", &known.why, Ink::Dim);
    }
}
