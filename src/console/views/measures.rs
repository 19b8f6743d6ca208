//! The measures as bars, sparks and a histogram, each with its number, the window before it and the
//! baseline in words.

use crate::console::pulse::PulseView;
use crate::console::theme::Ink;
use crate::console::views::page::Page;
use crate::console::widgets::chart;
use crate::console::words;
use crate::desk::{Figure, Measures, PACE_BARS, PaceCounts, Share, Window};
use crate::domain::time::HOUR;

/// How wide a label is, a bar, and the number behind it.
const LABEL: u16 = 18;
const BAR: usize = 12;
const NUMBER: usize = 20;
/// How many rules are named.
const RULES: usize = 8;

/// The shares that are drawn as bars: what is more of it, good or bad, is not said by the bar.
const SHARES: [(&str, &str); 4] = [
    ("with_sources", "with sources"),
    ("quarantine_rate", "held by the gate"),
    ("false_positives", "false positives"),
    ("stale_servings", "stale servings"),
];
const BY_TRUST: [(&str, &str); 5] = [
    ("quarantine_rate_model", "– from a model"),
    ("quarantine_rate_web", "– from the web"),
    ("quarantine_rate_tool", "– from a tool"),
    ("quarantine_rate_person", "– from a person"),
    ("quarantine_rate_system", "– from the system"),
];

pub(crate) fn fill(page: &mut Page, view: &PulseView, width: u16) {
    let measures = &view.measures;
    let [first, second, rest @ ..] = SHARES;
    share(page, view, first);
    share(page, view, second);
    for one in BY_TRUST {
        if figure(measures, one.0).is_some_and(|it| it.share.is_some_and(|share| share.of > 0)) {
            share(page, view, one);
        }
    }
    for one in rest {
        share(page, view, one);
    }
    pace(page, view);
    flow(page, view, width);
    blocked(page, &measures.window);
    time_to_why(page, view);
    match &view.baseline {
        Ok(None) => {}
        Ok(Some(kept)) => {
            let at: String = kept.at.chars().take(10).collect();
            page.text(
                &format!("baseline: kept {at}, over {} days", kept.days),
                Ink::Dim,
                0,
            );
        }
        Err(why) => page.text(why, Ink::Bad, 0),
    }
}

fn figure<'a>(measures: &'a Measures, name: &str) -> Option<&'a Figure> {
    measures.figures.iter().find(|one| one.name == name)
}

fn share(page: &mut Page, view: &PulseView, (name, label): (&'static str, &str)) {
    let Some(one) = figure(&view.measures, name) else {
        return;
    };
    let share = one.share.unwrap_or_default();
    let number = match one.value {
        Some(percent) => format!(
            "{percent:.0} % ({} of {})",
            words::count(share.n),
            words::count(share.of)
        ),
        None => "nothing yet".to_owned(),
    };
    let bar = chart::bar(share.n, share.of, BAR);
    let mut row = labelled(label);
    row.push((pad(&bar, BAR + 1), Ink::Advisory));
    row.push((pad(&number, NUMBER), Ink::Text));
    row.push((compared(view, name, "%"), Ink::Dim));
    page.rows.push(row);
}

fn labelled(label: &str) -> Vec<(String, Ink)> {
    vec![(pad(label, usize::from(LABEL)), Ink::Dim)]
}

fn pad(text: &str, columns: usize) -> String {
    let width = text.chars().count();
    format!("{text}{}", " ".repeat(columns.saturating_sub(width)))
}

/// ` · before 91 % · baseline 90 %`, as far as there is anything.
fn compared(view: &PulseView, name: &str, unit: &str) -> String {
    let say = |what: &str, value: Option<f64>| {
        value.map(|value| format!(" · {what} {}", number(value, unit)))
    };
    let kept = view.baseline.as_ref().ok().and_then(Option::as_ref);
    let kept = kept.and_then(|kept| kept.figures.get(name).copied());
    let parts = [
        say("before", view.measures.before(name)),
        say("baseline", kept),
    ];
    parts.into_iter().flatten().collect()
}

fn number(value: f64, unit: &str) -> String {
    match unit {
        "%" => format!("{value:.0} %"),
        "" => format!("{value:.1}"),
        unit => format!("{value:.1} {unit}"),
    }
}

fn pace(page: &mut Page, view: &PulseView) {
    let counts = &view.measures.window.pace;
    let fast = counts.faster_than_reading;
    page.blank();
    if fast.of == 0 {
        let text = match counts.unmeasured {
            0 => "nothing was approved".to_owned(),
            n => format!("{}, none of them timed", words::many(n, "approval")),
        };
        let mut row = labelled("pace");
        row.push((text, Ink::Text));
        page.rows.push(row);
        return;
    }
    let median = counts
        .median_seconds
        .map_or(String::new(), |s| format!("median {s} s, "));
    let mut row = labelled("pace");
    row.push((
        format!(
            "{median}{}{}",
            faster(fast),
            compared(view, "faster_than_reading", "%")
        ),
        if fast.n > 0 { Ink::Held } else { Ink::Text },
    ));
    page.rows.push(row);
    histogram(page, counts);
}

fn faster(share: Share) -> String {
    match share.n {
        0 => format!("none of {} faster than reading", words::count(share.of)),
        n => format!(
            "{} of {} faster than reading",
            words::count(n),
            words::count(share.of)
        ),
    }
}

/// Three rows of bars over the seconds they stand for and how many there are.
fn histogram(page: &mut Page, counts: &PaceCounts) {
    const WIDE: usize = 7;
    for line in chart::columns(&counts.histogram, 3, WIDE) {
        let mut row = labelled("");
        row.push((line, Ink::Advisory));
        page.rows.push(row);
    }
    let (mut ends, mut numbers) = (labelled("seconds"), labelled("approvals"));
    let below = PACE_BARS.iter().map(|end| format!("< {end}"));
    let last = PACE_BARS.last().map(|end| format!("≥ {end}"));
    for (end, n) in below.chain(last).zip(counts.histogram) {
        ends.push((pad(&end, WIDE), Ink::Dim));
        numbers.push((pad(&words::count(n), WIDE), Ink::Text));
    }
    page.rows.extend([ends, numbers]);
}

/// What came in and what was decided, a stroke a day.
fn flow(page: &mut Page, view: &PulseView, width: u16) {
    let window = &view.measures.window;
    let columns = usize::from(width.saturating_sub(LABEL + 30)).clamp(10, 60);
    let series = |pick: fn(&crate::desk::DayCounts) -> u64| {
        let values: Vec<u64> = window.by_day.iter().map(pick).collect();
        (values.iter().sum::<u64>(), chart::spark(&values, columns))
    };
    page.blank();
    let (all, line) = series(|day| day.proposed);
    spark(page, "proposed", line, &words::count(all));
    let (all, line) = series(|day| day.decided);
    let rate = window.decisions_per_hour().map_or(String::new(), |rate| {
        format!(
            ", {rate:.1} an hour{}",
            compared(view, "decisions_per_hour", "")
        )
    });
    spark(
        page,
        "decided",
        line,
        &format!("{}{rate}", words::count(all)),
    );
    let (all, line) = (window.decisions(), chart::spark(&window.by_hour, 24));
    if all > 0 {
        spark(page, "by hour, UTC", line, "0 to 23");
    }
}

fn spark(page: &mut Page, label: &str, line: String, number: &str) {
    let mut row = labelled(label);
    row.push((line, Ink::Advisory));
    row.push((format!("  {number}"), Ink::Text));
    page.rows.push(row);
}

fn blocked(page: &mut Page, window: &Window) {
    let most = window.blocked_by.first().map_or(0, |one| one.n);
    for (at, one) in window.blocked_by.iter().take(RULES).enumerate() {
        if at == 0 {
            page.blank();
        }
        let mut row = labelled(if at == 0 { "held by rule" } else { "" });
        row.push((pad(&chart::bar(one.n, most, BAR), BAR + 1), Ink::Advisory));
        let rule = crate::text::line(&one.rule);
        row.push((format!("{} {rule}", words::count(one.n)), Ink::Text));
        page.rows.push(row);
    }
    let more = window.blocked_by.len().saturating_sub(RULES);
    if more > 0 {
        page.text(
            &format!("and {}", words::many(more as u64, "rule")),
            Ink::Dim,
            LABEL,
        );
    }
}

fn time_to_why(page: &mut Page, view: &PulseView) {
    let why = &view.measures.why;
    page.blank();
    let mut row = labelled("time to why");
    let text = match (why.median_ms, why.slowest_ms) {
        (Some(median), Some(slowest)) => format!(
            "median {median:.1} ms, slowest {slowest:.1} ms, of {}{}",
            words::many(why.sampled, "memory"),
            compared(view, "why_ms", "ms")
        ),
        _ => "there is no memory to explain yet".to_owned(),
    };
    row.push((text, Ink::Text));
    page.rows.push(row);
    let queue = &view.measures.queue;
    let mut row = labelled("queue now");
    let oldest = queue.oldest.map_or(String::new(), |at| {
        let ms = view.measures.until.since(at).max(0);
        let hours = ms / HOUR;
        format!(
            ", the oldest waits {}",
            if hours < 1 {
                "less than an hour".to_owned()
            } else {
                words::span(ms)
            }
        )
    });
    row.push((
        format!(
            "{} of budget {}{oldest}{}",
            words::count(queue.depth),
            words::count(queue.budget),
            compared(view, "queue_depth", "waiting")
        ),
        Ink::Text,
    ));
    page.rows.push(row);
}
