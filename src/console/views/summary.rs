//! A candidate at one glance: what must not be overlooked, what the gate says, who stands behind it.

use crate::console::model::{Model, ViewId};
use crate::console::theme::Ink;
use crate::console::views::page::Page;
use crate::console::views::parts::{self, severity_ink, verdict_ink};
use crate::console::words;
use crate::desk::view::CandidateView;
use crate::domain::candidate::CandidateState;
use crate::domain::{Severity, Verdict};

/// What stands behind it, as far as there is room for: the tab has all of it.
pub(crate) fn said(page: &mut Page, view: &CandidateView, model: &Model) {
    let quotes = view
        .evidence
        .iter()
        .filter_map(|source| Some((source, source.quote.as_ref()?)));
    for (source, quote) in quotes.take(2) {
        page.heading(&format!(
            "{} · {}",
            source.title,
            words::spaced(source.trust.as_str())
        ));
        parts::quoted(page, quote, source);
    }
    if !view.sightings.is_empty() {
        page.heading("Who said so");
    }
    for sighting in view.sightings.iter().take(5) {
        let age = words::age(model.now.wall, sighting.at);
        let same = sighting.text == view.candidate.claim;
        let text = if same {
            "in these words"
        } else {
            &sighting.text
        };
        page.fact(
            &age,
            &format!("{} · {text}", sighting.user),
            if same { Ink::Dim } else { Ink::Text },
        );
    }
}

/// That it is no longer where this list says, by whom and when.
fn moved(page: &mut Page, view: &CandidateView, model: &Model) {
    let c = &view.candidate;
    let expected = model
        .candidates()
        .map_or(CandidateState::Pending, |list| list.state);
    if c.state != expected {
        let outcome = c.outcome.as_ref();
        let what = outcome.map_or_else(
            || format!("now {}", c.state),
            |o| {
                let reason = o
                    .reason
                    .as_ref()
                    .map(|r| format!(": {r}"))
                    .unwrap_or_default();
                format!(
                    "{} by {} at {}{reason}",
                    words::past(o.act),
                    o.by,
                    words::moment(o.at)
                )
            },
        );
        page.text(&format!("■ {what}"), Ink::Bad, 0);
    } else if model
        .candidates()
        .is_some_and(|list| list.list.gone.contains(&c.id))
    {
        page.text("■ it left this list since it was shown", Ink::Bad, 0);
    }
}

/// What must not be overlooked.
pub(crate) fn banners(page: &mut Page, view: &CandidateView, model: &Model, hidden: usize) {
    let c = &view.candidate;
    moved(page, view, model);
    if hidden > 0 {
        let key = model.keymap.hint(model.place(), "escape_all");
        let many = words::many(hidden as u64, "hidden character");
        let what = if model.escaped {
            "as it reads"
        } else {
            "all by number"
        };
        page.text(
            &format!("⚠ {many}, each named below · {key} shows {what}"),
            Ink::Quarantine,
            0,
        );
    } else if model.escaped {
        page.text("· shown by number; no hidden characters", Ink::Dim, 0);
    }
    if !view.masked.is_empty() {
        let many = words::many(view.masked.len() as u64, "secret");
        page.text(
            &format!("⚠ {many} masked here: only security may look, on record"),
            Ink::Quarantine,
            0,
        );
    }
    if c.held {
        page.text("H held for somebody else to look at", Ink::Held, 0);
    }
    if model.draft().is_some() && !model.on_draft() {
        page.text(
            "✎ you have a draft on the Diff tab; this is the proposal",
            Ink::Advisory,
            0,
        );
    }
    if let Some(linked) = c.linked_to {
        page.text(
            &format!("↺ the same was rejected before as {linked}; its evidence changed since"),
            Ink::Advisory,
            0,
        );
    }
}

/// Verdict, trust, support, nearness, demands: one glance.
pub(crate) fn summary(page: &mut Page, view: &CandidateView, model: &Model) {
    let c = &view.candidate;
    gate(page, c.verdict, &c.findings);
    let sources = match view.evidence.len() {
        0 => "no source".to_owned(),
        1 => "its one source".to_owned(),
        n => format!("lowest of {n} sources"),
    };
    page.fact(
        "trust",
        &format!(
            "{} · {sources} · by {}",
            words::spaced(c.trust.as_str()),
            c.proposer
        ),
        Ink::Text,
    );
    if c.support.users > 0 {
        page.fact("seen", &seen(view), Ink::Text);
    }
    for flag in &view.flags {
        page.fact("odd", &format!("⚠ {flag}"), Ink::Advisory);
    }
    if let Some(near) = view.near.first() {
        let more = view.near.len() - 1;
        let more = if more > 0 {
            format!(" · {more} more")
        } else {
            String::new()
        };
        let (how, ink) = words::nearness(near);
        let said = format!("{} {how}: {}{more}", near.memory, near.text);
        page.fact("near", &said, ink);
    }
    demands(page, view, model);
}

pub(crate) fn gate(page: &mut Page, verdict: Verdict, findings: &[crate::domain::Finding]) {
    let mut findings: Vec<_> = findings.iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    if findings.is_empty() {
        return page.fact(
            "gate",
            &format!("{verdict} · nothing to object to"),
            verdict_ink(verdict),
        );
    }
    page.fact("gate", verdict.as_str(), verdict_ink(verdict));
    for finding in findings.iter().take(4) {
        page.item(
            sign(finding.severity),
            severity_ink(finding.severity),
            &finding.message,
            Ink::Text,
        );
    }
    if findings.len() > 4 {
        page.item(
            "·",
            Ink::Dim,
            &format!("{} more on the Findings tab", findings.len() - 4),
            Ink::Dim,
        );
    }
}

/// The sign of a severity, for those who see no colours.
const fn sign(severity: Severity) -> &'static str {
    match severity {
        Severity::Quarantine => "⚠",
        Severity::Advisory => "!",
        Severity::Info => "·",
    }
}

pub(crate) fn seen(view: &CandidateView) -> String {
    let support = view.candidate.support;
    let parts = [
        (u64::from(support.users), "person"),
        (u64::from(support.sessions), "session"),
        (u64::from(support.days), "day"),
        (view.wordings.len() as u64, "wording"),
    ];
    let said = parts
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| words::many(*n, what));
    said.collect::<Vec<_>>().join(" · ")
}

pub(crate) fn demands(page: &mut Page, view: &CandidateView, model: &Model) {
    if model.view == ViewId::Quarantine {
        return;
    }
    if let Some(why) = &view.blocked {
        page.fact("needs", why, Ink::Bad);
    } else if view.reviewers_needed > 1 {
        let so_far: Vec<String> = view
            .approvals
            .iter()
            .map(|one| crate::text::line(&one.reviewer))
            .collect();
        let needs = match so_far.len() {
            0 => format!(
                "{} different reviewers with different keys",
                view.reviewers_needed
            ),
            n => format!(
                "{n} of {} ({}), needs another reviewer with another key",
                view.reviewers_needed,
                so_far.join(", ")
            ),
        };
        page.fact("needs", &needs, Ink::Advisory);
    } else if view.reason_needed {
        page.fact(
            "needs",
            "a reason in words: an agent may plan by it",
            Ink::Advisory,
        );
    }
}
