//! The lists of queue and quarantine: where, what, who stands behind it, how old.

use crate::console::draw::Canvas;
use crate::console::model::ViewId;
use crate::console::place::Place;
use crate::console::snapshot::Candidates;
use crate::console::theme::Ink;
use crate::console::views::rows::{self, Title};
use crate::console::views::{View, candidate};
use crate::console::widgets::row::Row;
use crate::console::words;
use crate::domain::candidate::CandidateRow;
use crate::domain::query::Query;
use crate::domain::{Kind, Severity, Time, Verdict};
use ratatui::layout::Rect;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) static QUEUE: View = View {
    id: ViewId::Queue,
    action: "queue",
    name: "Queue",
    count: |overview| match overview.budget {
        0 => words::count(overview.pending),
        budget => format!(
            "{}/{}",
            words::count(overview.pending),
            words::count(budget)
        ),
    },
    list: queue,
    detail: candidate::draw,
};

pub(crate) static QUARANTINE: View = View {
    id: ViewId::Quarantine,
    action: "quarantine",
    name: "Quarantine",
    count: |overview| words::count(overview.quarantined),
    list: quarantine,
    detail: candidate::draw,
};

fn queue(canvas: &mut Canvas<'_>, area: Rect, _: bool) {
    let view = &canvas.model.queue;
    let total = canvas
        .model
        .overview
        .as_ref()
        .map(|overview| overview.pending);
    let title = Title {
        name: "Queue",
        note: String::new(),
        limit: note(view),
        total: total.filter(|_| view.filter.is_empty()),
        empty: empty(view, "Nothing waits for a reviewer."),
        hint: hint(
            view,
            "What agents and the detector propose appears here by itself.",
        ),
    };
    let now = canvas.model.now.wall;
    rows::draw(canvas, area, &view.list, &title, |row, item, gone| {
        head(row, glyph(item, view), item);
        let tail = tail(item, now, gone);
        let room = row.left().saturating_sub(tail.chars().count() + 1);
        row.cell(&item.claim, if gone { Ink::Dim } else { Ink::Text }, room);
        row.gap(1).put(&tail, Ink::Dim);
    });
}

fn quarantine(canvas: &mut Canvas<'_>, area: Rect, _: bool) {
    let view = &canvas.model.quarantine;
    let total = canvas
        .model
        .overview
        .as_ref()
        .map(|overview| overview.quarantined);
    let title = Title {
        name: "Quarantine",
        note: one_rule(view, &canvas.model.keymap.hint(Place::Quarantine, "group")),
        limit: note(view),
        total: total.filter(|_| view.filter.is_empty()),
        empty: empty(view, "The gate holds nothing back."),
        hint: hint(
            view,
            "What it objects to most appears here, for security to look at.",
        ),
    };
    let now = canvas.model.now.wall;
    rows::draw(canvas, area, &view.list, &title, |row, item, gone| {
        let class = item.findings.iter().max_by_key(|finding| finding.severity);
        let class = class.map_or("", |finding| finding.class.as_str());
        row.gap(1).put("⚠", Ink::Quarantine).gap(1);
        row.cell(
            &words::spaced(class),
            Ink::Quarantine,
            if row.left() > 60 { 17 } else { 14 },
        );
        let tail = if gone {
            "gone".to_owned()
        } else {
            words::age(now, item.proposed_at)
        };
        let room = row.left().saturating_sub(6 + 1);
        row.gap(1)
            .cell(&item.claim, if gone { Ink::Dim } else { Ink::Text }, room);
        row.cell_right(&tail, Ink::Dim, 6);
    });
}

/// Whether one rule alone holds most of what is loaded: then the rule is what to look at.
fn one_rule(view: &Candidates, key: &str) -> String {
    let rows = &view.list.rows;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        let holding = row.findings.iter();
        let holding = holding.filter(|finding| finding.severity == Severity::Quarantine);
        let rules: BTreeSet<&str> = holding.map(|finding| finding.rule.as_str()).collect();
        for rule in rules {
            *counts.entry(rule).or_default() += 1;
        }
    }
    match counts.into_iter().max_by_key(|(_, count)| *count) {
        Some((rule, count)) if count >= ALIKE && count * 2 > rows.len() => {
            format!("{count} of {} held by {rule} · {key}", rows.len())
        }
        _ => String::new(),
    }
}

/// How many are held by one rule before that is worth a word.
const ALIKE: usize = 8;

/// The sign of what most needs an eye: marked, held, objected to, only concluded.
fn glyph(item: &CandidateRow, view: &Candidates) -> (&'static str, Ink) {
    if view.marks.contains_key(&item.id) {
        return ("*", Ink::Key);
    }
    if item.held {
        return ("H", Ink::Held);
    }
    let worst = item.findings.iter().map(|finding| finding.severity).max();
    match (item.verdict, worst, item.kind) {
        (Verdict::Quarantine, _, _) => ("⚠", Ink::Quarantine),
        (Verdict::Advisory, _, _) | (_, Some(Severity::Advisory), _) => ("!", Ink::Advisory),
        (_, _, Kind::Inference) => ("?", Ink::Dim),
        _ => (" ", Ink::Text),
    }
}

fn head(row: &mut Row<'_>, (glyph, ink): (&'static str, Ink), item: &CandidateRow) {
    let layer = if row.left() > 60 { 12 } else { 7 };
    row.gap(1).put(glyph, ink).gap(1);
    row.cell(item.layer.leaf(), Ink::Dim, layer);
    row.gap(1);
}

/// Who stands behind it and how old it is, in columns that line up.
fn tail(item: &CandidateRow, now: Time, gone: bool) -> String {
    if gone {
        return "decided".to_owned();
    }
    let users = if item.support.users > 0 {
        format!("{}u", item.support.users)
    } else {
        String::new()
    };
    format!("{users:>3} {:>4}", words::age(now, item.proposed_at))
}

fn empty(view: &Candidates, words: &'static str) -> &'static str {
    if view.filter.is_empty() {
        words
    } else {
        "Nothing here matches the limit."
    }
}

fn hint(view: &Candidates, words: &'static str) -> &'static str {
    if view.filter.is_empty() {
        words
    } else {
        "An empty limit shows everything again."
    }
}

fn note(view: &Candidates) -> String {
    let mut notes = Vec::new();
    if !view.filter.is_empty() {
        let left = view.list.left_after.or(view.list.left_before);
        notes.push(limit(&view.filter, left));
    }
    if !view.marks.is_empty() {
        notes.push(format!("{} marked", view.marks.len()));
    }
    notes.join(" · ")
}

/// What a list is narrowed to, and how far it was searched where that is not to its end.
pub(crate) fn limit<Id: std::fmt::Display>(filter: &Query, left_at: Option<Id>) -> String {
    match left_at {
        _ if filter.is_empty() => String::new(),
        None => format!("limit {filter}"),
        Some(id) => format!("limit {filter} · searched up to {id}"),
    }
}
