//! Pulse for the desk in memory: measures of a busy month, and what other thresholds would give.

use crate::console::ask::{Answer, Request};
use crate::console::pulse::PulseView;
use crate::console::tests::bench::Bench;
use crate::console::tests::fixture::Fixture;
use crate::desk::view::Why;
use crate::desk::{
    DayCounts, Figure, Measures, QueueNow, RuleCount, Share, TimeToWhy, WhatIfCell, WhatIfTable,
    Window,
};
use crate::domain::Layer;
use crate::domain::pattern::Support;
use crate::domain::threshold::ThresholdSet;
use crate::domain::time::DAY;

impl Fixture {
    pub(crate) fn pulse(&self, layer: Option<Layer>, days: i64, kept: bool) -> Answer {
        let busy = !self.candidates.is_empty();
        let window = if busy { month(days) } else { quiet(days) };
        let mut figures = window.figures();
        figures.push(Figure {
            name: "queue_depth",
            says: "candidates that wait",
            unit: "candidates",
            value: Some(self.candidates.len() as f64),
            share: None,
        });
        let why = TimeToWhy {
            sampled: if busy { 9 } else { 0 },
            median_ms: busy.then_some(0.42),
            slowest_ms: busy.then_some(1.9),
        };
        let before = quiet(days);
        let measures = Measures {
            layer: layer.clone(),
            since: self.now.plus_days(1 - days),
            until: self.now,
            days,
            queue: QueueNow {
                depth: self.candidates.len() as u64,
                budget: 40,
                oldest: busy.then(|| self.now.plus(-3 * DAY)),
            },
            why,
            figures_before: before.figures(),
            window,
            before,
            figures,
        };
        let baseline = kept.then(|| measures.baseline());
        Answer::Pulse(Box::new(PulseView {
            baseline: Ok(baseline),
            table: table(layer, busy),
            measures,
            kept,
        }))
    }

    pub(crate) fn short_of(&self, least: Support) -> Why {
        Why {
            kind: "thresholds",
            id: format!("users {}, sessions {}", least.users, least.sessions),
            says: "1 of the 5 candidates looked at fall short of them".to_owned(),
            facts: Vec::new(),
            because: self
                .candidates
                .iter()
                .take(1)
                .map(|view| Why {
                    kind: "candidate",
                    id: view.candidate.id.to_string(),
                    says: view.candidate.claim.clone(),
                    facts: Vec::new(),
                    because: Vec::new(),
                })
                .collect(),
        }
    }
}

fn quiet(days: i64) -> Window {
    let day = |n: i64| DayCounts {
        day: format!("day {n}"),
        proposed: 0,
        quarantined: 0,
        decided: 0,
    };
    Window {
        by_day: (0..days).map(day).collect(),
        ..Window::default()
    }
}

fn month(days: i64) -> Window {
    let mut window = quiet(days);
    for (at, day) in window.by_day.iter_mut().enumerate() {
        day.proposed = (at as u64 * 7) % 11;
        day.decided = (at as u64 * 5) % 9;
    }
    window.with_sources = Share { n: 93, of: 100 };
    window.quarantined_by_trust = [
        ("model", Share { n: 4, of: 28 }),
        ("web", Share { n: 9, of: 29 }),
        ("tool", Share { n: 2, of: 31 }),
        ("authenticated_user", Share { n: 0, of: 12 }),
    ]
    .into();
    window.released = Share { n: 4, of: 66 };
    window.served_stale = Share { n: 212, of: 1_204 };
    window.decided = [("approve", 31), ("reject", 12)].into();
    window.active_hours = 4;
    window.by_hour[8] = 20;
    window.by_hour[9] = 23;
    window.pace.faster_than_reading = Share { n: 2, of: 31 };
    window.pace.median_seconds = Some(9);
    window.pace.histogram = [2, 5, 12, 6, 3, 2, 0, 1];
    let rule = |rule: &str, n| RuleCount {
        rule: rule.to_owned(),
        n,
    };
    window.blocked_by = vec![
        rule("approval_without_receipt", 9),
        rule("missing_source_ref", 3),
        rule("a\u{202e}rule\u{200b}", 1),
    ];
    window
}

fn table(layer: Option<Layer>, busy: bool) -> WhatIfTable {
    let cell = |users: u32, sessions: u32| {
        let candidates = if busy {
            u64::from(4_000 / (users * users * sessions))
        } else {
            0
        };
        WhatIfCell {
            users,
            sessions,
            candidates,
            last_weeks: vec![candidates / 9, candidates / 12, 0, 1],
            fits: candidates <= 40,
        }
    };
    WhatIfTable {
        layer,
        now: ThresholdSet {
            layer: None,
            least: Support {
                users: 3,
                sessions: 5,
                days: 2,
            },
            window: 0,
        },
        candidates: cell(3, 5).candidates,
        budget: 40,
        table: (1..=7)
            .flat_map(|users| (2..=10).map(move |sessions| (users, sessions)))
            .map(|(users, sessions)| cell(users, sessions))
            .collect(),
    }
}

#[test]
fn picked_thresholds_are_set_only_after_a_question_that_says_what_they_do() {
    let mut bench = Bench::new(Fixture::full(), (120, 40));
    bench.press("6t");
    assert!(
        bench.notice().contains("in force already"),
        "{}",
        bench.notice()
    );
    bench.press("j<right>");
    assert_eq!(bench.model.pulse.place(), Some((4, 6)));
    bench.press("t");
    let screen = bench.screen();
    assert!(screen.contains("users=4 sessions=6 days=2"), "{screen}");
    bench.press("t");
    assert!(
        bench.desk.acts.is_empty(),
        "the key that asks does not answer"
    );
    bench.press("y");
    let [Request::Thresholds(set)] = bench.desk.acts.as_slice() else {
        panic!("{:?}", bench.desk.acts);
    };
    assert_eq!(
        (set.least.users, set.least.sessions, set.least.days),
        (4, 6, 2)
    );
    assert!(
        bench.notice().contains("set the thresholds"),
        "{}",
        bench.notice()
    );
}

#[test]
fn the_arrows_stay_inside_the_table_and_g_returns_to_what_is_in_force() {
    let mut bench = Bench::new(Fixture::full(), (120, 40));
    bench.press("6");
    bench.press("kkkkkkkkk<left><left><left><left><left><left>");
    assert_eq!(bench.model.pulse.place(), Some((1, 2)));
    bench
        .press("jjjjjjjjjjj<right><right><right><right><right><right><right><right><right><right>");
    assert_eq!(bench.model.pulse.place(), Some((7, 10)));
    bench.press("g");
    assert_eq!(bench.model.pulse.place(), Some((3, 5)));
}

#[test]
fn enter_says_what_the_picked_thresholds_leave_out_and_nothing_is_decided() {
    let mut bench = Bench::new(Fixture::full(), (120, 40));
    bench.press("6jj<enter>");
    let screen = bench.screen();
    assert!(screen.contains("fall short of them"), "{screen}");
    assert!(screen.contains("Waive late fees"), "{screen}");
    bench.press("<esc>o");
    assert!(bench.screen().contains("90 days"), "{}", bench.screen());
    bench.press("b");
    assert!(
        bench.notice().contains("are the baseline now"),
        "{}",
        bench.notice()
    );
    assert!(
        bench.screen().contains("baseline 93 %"),
        "{}",
        bench.screen()
    );
    bench.press("lacme//x<enter>");
    assert!(
        bench.screen().contains("acme//x"),
        "it says why that is no layer: {}",
        bench.screen()
    );
    bench.press("<esc>lacme/emea<enter>");
    assert!(bench.screen().contains("· acme/emea"), "{}", bench.screen());
    assert!(bench.desk.acts.is_empty(), "looking decides nothing");
}

#[test]
fn news_makes_it_read_again_only_after_a_rest_and_says_when_it_is_not_of_now() {
    let mut bench = Bench::new(Fixture::full(), (120, 40));
    bench.press("6");
    bench.happen(crate::console::event::Event::News);
    bench.draw();
    assert!(
        bench.screen().contains("not of this moment"),
        "{}",
        bench.screen()
    );
    bench.press("R");
    assert!(
        !bench.screen().contains("not of this moment"),
        "{}",
        bench.screen()
    );
    bench.ms += 5_000;
    bench.happen(crate::console::event::Event::News);
    bench.draw();
    assert!(
        !bench.screen().contains("not of this moment"),
        "{}",
        bench.screen()
    );
}
