//! What the details have in common: tabs, facts beside their labels, pages that scroll.

use crate::console::draw::Canvas;
use crate::console::model::Focus;
use crate::console::prose::{Mark, Paint};
use crate::console::tabs::Tab;
use crate::console::theme::Ink;
use crate::console::views::page::Page;
use crate::console::widgets::pane::{self};
use crate::console::words;
use crate::desk::view::{EntryRow, Evidence};
use crate::domain::{Severity, Time, Verdict};
use ratatui::layout::Rect;

/// The row of tabs, with how many things each holds; returns the room below it.
pub(crate) fn tabs(
    canvas: &mut Canvas<'_>,
    area: Rect,
    count: impl Fn(Tab) -> Option<usize>,
    right: &str,
) -> Rect {
    let model = canvas.model;
    let current = model.current_tab();
    let focused = model.focus == Focus::Detail;
    let narrow = area.width < 76;
    let right = [(right, if focused { Ink::Title } else { Ink::Dim })];
    let area = pane::titled(
        area,
        canvas.buffer,
        canvas.theme,
        |row| {
            for tab in model.tabs() {
                let count = count(*tab).filter(|n| *n > 0).map(|n| format!(" {n}"));
                let label = format!("{}{}", tab.name(), count.unwrap_or_default());
                if *tab == current {
                    row.put(&format!(" {label} "), Ink::Active);
                } else {
                    row.gap(1).put(&label, Ink::Dim).gap(1);
                }
                if !narrow {
                    row.gap(1);
                }
            }
        },
        &right,
    );
    pane::inset(area, 1)
}

/// What a stretch of text is drawn with.
pub(crate) const fn ink_of(paint: Paint) -> Ink {
    match paint {
        Paint::Plain => Ink::Text,
        Paint::Token => Ink::Token,
        Paint::Finding(Severity::Quarantine) => Ink::Quarantine,
        Paint::Finding(Severity::Advisory) => Ink::Advisory,
        Paint::Finding(Severity::Info) => Ink::Dim,
        Paint::Unsupported => Ink::Unsupported,
        Paint::Cited => Ink::Key,
        Paint::Added => Ink::Added,
        Paint::Removed => Ink::Removed,
    }
}

pub(crate) const fn verdict_ink(verdict: Verdict) -> Ink {
    match verdict {
        Verdict::Clear => Ink::Clear,
        Verdict::Advisory => Ink::Advisory,
        Verdict::Quarantine => Ink::Quarantine,
    }
}

pub(crate) const fn severity_ink(severity: Severity) -> Ink {
    match severity {
        Severity::Info => Ink::Dim,
        Severity::Advisory => Ink::Advisory,
        Severity::Quarantine => Ink::Quarantine,
    }
}

/// The sources of a claim, with what each says.
pub(crate) fn evidence(page: &mut Page, evidence: &[Evidence], now: Time) {
    if evidence.is_empty() {
        page.text("It names no source.", Ink::Advisory, 0);
    }
    for source in evidence {
        let kind = source
            .kind
            .map_or(String::new(), |kind| words::spaced(kind.as_str()));
        page.heading(if source.title.is_empty() {
            &kind
        } else {
            &source.title
        });
        let standing = match source.expires_at {
            Some(end) => format!("{} · bytes {}", source.standing, words::ends(now, end)),
            None => source.standing.to_owned(),
        };
        let what = if kind.is_empty() {
            String::new()
        } else {
            format!(" · {kind}")
        };
        page.fact("trust", &format!("{}{what}", source.trust), Ink::Text);
        page.fact(
            "stands",
            &standing,
            if crate::domain::why::stands(source.standing) {
                Ink::Text
            } else {
                Ink::Advisory
            },
        );
        page.fact("ref", &source.reference.to_string(), Ink::Dim);
        if let Some(quote) = &source.quote {
            quoted(page, quote, source);
        }
    }
}

/// A quoted source, with what denies the claim marked, else what backs it, else what is cited.
pub(crate) fn quoted(page: &mut Page, quote: &str, source: &Evidence) {
    let (span, paint, label) = match (source.denies, source.backs) {
        (Some(span), _) => (
            Some(span),
            Paint::Finding(Severity::Quarantine),
            "says otherwise",
        ),
        (None, Some(span)) => (Some(span), Paint::Cited, "backs it"),
        (None, None) => (source.cited, Paint::Cited, "cited"),
    };
    let mark = |span: crate::domain::Span| Mark {
        range: span.range(),
        paint,
        label: label.to_owned(),
    };
    let marks: Vec<Mark> = span.map(mark).into_iter().collect();
    page.quote(quote, &marks, "  │ ");
}

/// What has happened to an item.
pub(crate) fn history(page: &mut Page, entries: &[EntryRow], now: Time) {
    if entries.is_empty() {
        page.text("Nothing has happened to it yet.", Ink::Dim, 0);
    }
    for entry in entries {
        page.heading(&format!(
            "{} by {} · {}",
            words::past(entry.act),
            entry.actor,
            words::ago(now, entry.at)
        ));
        page.fact(
            "entry",
            &format!(
                "{} · {} · {}",
                entry.seq,
                words::moment(entry.at),
                entry.assurance
            ),
            Ink::Dim,
        );
        if let Some(reason) = &entry.reason {
            page.fact("reason", reason, Ink::Text);
        }
        if let Some(text) = &entry.text {
            page.quote(text, &[], "  │ ");
        }
    }
}
