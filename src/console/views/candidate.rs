//! The detail of a candidate: its exact text first, then everything a decision rests on.

use crate::console::draw::Canvas;
use crate::console::model::ViewId;
use crate::console::prose::{self, Mark, Paint};
use crate::console::tabs::Tab;
use crate::console::theme::Ink;
use crate::console::views::exact::{Exact, split};
use crate::console::views::first;
use crate::console::views::grounds::{findings, impact, provenance};
use crate::console::views::page::Page;
use crate::console::views::parts::{self};
use crate::console::views::summary::{banners, gate, said, summary};
use crate::console::widgets::pane;
use crate::console::words;
use crate::desk::view::CandidateView;
use crate::domain::Digest;
use ratatui::layout::Rect;

pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let view = model.candidate();
    let id = model
        .selected()
        .map(|item| item.to_string())
        .unwrap_or_default();
    let version = view.map_or(String::new(), |view| {
        format!(" v{}", view.candidate.version)
    });
    let alone = match (model.single, model.overview.as_ref(), model.view) {
        (false, ..) => String::new(),
        _ if area.width < 100 => "focus · ".to_owned(),
        (true, Some(all), ViewId::Queue) => {
            format!("one at a time · {} wait · ", words::count(all.pending))
        }
        (true, ..) => "one at a time · ".to_owned(),
    };
    let right = format!("{alone}{id}{version}");
    let count = |tab| view.and_then(|view| counted(view, tab));
    let area = parts::tabs(canvas, area, count, &right);
    if view.is_none() && model.view == ViewId::Queue && first::is_first(model) {
        return first::draw(canvas, area);
    }
    let Some(view) = view else {
        return absent(canvas, area);
    };
    canvas.drawn.target = model.target();
    match model.current_tab() {
        Tab::Diff => diff(canvas, area, view),
        Tab::Findings => page(canvas, area, |page| findings(page, view)),
        Tab::Provenance => page(canvas, area, |page| provenance(page, view, model)),
        Tab::Impact => page(canvas, area, |page| impact(page, view, model)),
        Tab::History => page(canvas, area, |page| {
            parts::history(page, &view.history, model.now.wall);
        }),
        _ => text(canvas, area, view),
    }
}

fn counted(view: &CandidateView, tab: Tab) -> Option<usize> {
    match tab {
        Tab::Findings => Some(view.candidate.findings.len()),
        Tab::Provenance => Some(view.evidence.len() + view.wordings.len()),
        Tab::Impact => Some(view.near.len() + view.known.len()),
        Tab::History => Some(view.history.len()),
        _ => None,
    }
}

/// Nothing to show: nothing selected, still on its way, or unreadable.
pub(crate) fn absent(canvas: &mut Canvas<'_>, area: Rect) {
    let model = canvas.model;
    let area = pane::below(area, 1);
    let trouble = match model.view {
        ViewId::Queue => &model.queue.detail.trouble,
        ViewId::Quarantine => &model.quarantine.detail.trouble,
        ViewId::Memory => &model.memory.detail.trouble,
        ViewId::Patterns => &model.patterns.detail.trouble,
        ViewId::Ledger => &model.ledger.detail.trouble,
        ViewId::Pulse => &model.pulse.detail.trouble,
    };
    let late = model
        .detail_awaited()
        .is_some_and(|at| model.now.ms.saturating_sub(at) >= 150);
    if let Some(trouble) = trouble {
        canvas.say(area, trouble, Ink::Bad);
    } else if late {
        canvas.say(area, "reading …", Ink::Dim);
    }
}

pub(crate) fn page(canvas: &mut Canvas<'_>, area: Rect, fill: impl FnOnce(&mut Page)) {
    let mut page = Page::new(area.width);
    fill(&mut page);
    let model = canvas.model;
    let scroll = match model.view {
        ViewId::Queue => model.queue.detail.scroll,
        ViewId::Quarantine => model.quarantine.detail.scroll,
        ViewId::Memory => model.memory.detail.scroll,
        ViewId::Patterns => model.patterns.detail.scroll,
        ViewId::Ledger => model.ledger.detail.scroll,
        ViewId::Pulse => model.pulse.detail.scroll,
    };
    page.draw_scrolled(canvas, area, scroll);
}

/// What it is, the text, and in short what speaks for and against it.
fn text(canvas: &mut Canvas<'_>, area: Rect, view: &CandidateView) {
    let model = canvas.model;
    let c = &view.candidate;
    let marks = prose::marks(&c.findings, &view.unsupported);
    let exact = Exact::new(canvas, &c.claim, &marks, area.width, model.target());
    let mut top = Page::new(area.width);
    let scope = [
        c.scope.project.as_ref().map(|p| format!(" project {p}")),
        c.scope.session.as_ref().map(|s| format!(" session {s}")),
    ];
    let scope: String = scope.into_iter().flatten().collect();
    top.text(
        &format!(
            "{}{scope} · {} · {} · until {}",
            c.scope.layer,
            c.kind,
            c.influence,
            c.expires_at.date()
        ),
        Ink::Dim,
        0,
    );
    banners(&mut top, view, model, exact.hidden());
    let mut low = Page::new(area.width);
    summary(&mut low, view, model);
    said(&mut low, view, model);
    split(canvas, area, &top, &exact, &low);
}

/// The reviewer's own text against the proposal, with the gate's word on it.
fn diff(canvas: &mut Canvas<'_>, area: Rect, view: &CandidateView) {
    let model = canvas.model;
    let Some(draft) = model.draft() else { return };
    let before = &view.candidate.claim;
    let (removed, added) = crate::console::difference::words(before, &draft.text);
    let mark = |ranges: Vec<std::ops::Range<usize>>, paint| {
        ranges
            .into_iter()
            .map(|range| Mark {
                range,
                paint,
                label: String::new(),
            })
            .collect::<Vec<_>>()
    };
    let mut marks = match &draft.judged {
        Some(Ok(judged)) => prose::marks(&judged.findings, &[]),
        _ => Vec::new(),
    };
    marks.extend(mark(added, Paint::Added));
    let target = model
        .draft_target()
        .filter(|target| target.shown == Digest::of(draft.text.as_bytes()));
    let exact = Exact::new(canvas, &draft.text, &marks, area.width, target).with_gutter("+ ");
    let mut top = Page::new(area.width);
    top.text(
        "✎ your text, byte for byte; what you put in is underlined",
        Ink::Title,
        0,
    );
    if exact.hidden() > 0 {
        top.text(
            &format!(
                "⚠ {}",
                words::many(exact.hidden() as u64, "hidden character")
            ),
            Ink::Quarantine,
            0,
        );
    }
    let mut low = Page::new(area.width);
    match &draft.judged {
        None => low.fact("gate", "is being asked about your text …", Ink::Dim),
        Some(Err(why)) => low.fact("gate", why, Ink::Bad),
        Some(Ok(judged)) => {
            gate(&mut low, judged.verdict, &judged.findings);
            low.fact(
                "influence",
                &format!("{} · {}", judged.influence, judged.why),
                Ink::Text,
            );
        }
    }
    low.heading("The proposal; what you took out is underlined");
    low.quote(before, &mark(removed, Paint::Removed), "- ");
    split(canvas, area, &top, &exact, &low);
}
