//! How fast, and in how much memory: a million observations of fifty thousand wordings.
//!
//! `cargo test --release recurrence::scale -- --ignored --nocapture` prints the figures.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::domain::pattern::Support;
use crate::domain::{Digest, Layer};
use crate::recurrence::{Grouper, Lines, Thresholds, WhatIf, budget};

/// One of fifty thousand wordings, of which many resemble each other.
fn wording(number: u64) -> String {
    const WHO: &[&str] = &[
        "customers",
        "drivers",
        "the night shift",
        "new colleagues",
        "suppliers",
        "our partners",
        "the help desk",
        "visitors",
        "students",
        "the finance team",
    ];
    const DOES: &[&str] = &[
        "must call",
        "pay",
        "send the form to",
        "wait for",
        "print labels at",
        "collect parcels from",
        "ask",
        "return keys to",
        "write to",
        "sign in at",
    ];
    const WHERE: &[&str] = &[
        "the Berlin desk",
        "gate 4",
        "the warehouse",
        "accounting",
        "the front office",
        "room 12",
        "the workshop",
        "the Porto branch",
        "the harbour",
        "the archive",
    ];
    const WHEN: &[&str] = &[
        "before noon",
        "on Fridays",
        "after the audit",
        "within 5 days",
        "every month",
        "during the sale",
        "in winter",
        "when the lift is broken",
        "once the invoice is paid",
        "at the weekend",
    ];
    let pick =
        |list: &[&'static str], step: u64| list[(number / step % list.len() as u64) as usize];
    format!(
        "{} {} {} {} (case {})",
        pick(WHO, 1),
        pick(DOES, 10),
        pick(WHERE, 100),
        pick(WHEN, 1000),
        word(number / 10_000)
    )
}

fn word(number: u64) -> &'static str {
    ["alder", "birch", "cedar", "elm", "fir"][(number % 5) as usize]
}

#[test]
#[ignore = "takes a minute, prints figures"]
fn a_million_observations() {
    let layer = Layer::parse("acme/support").unwrap();
    let mut grouper = Grouper::new(Lines::SHIPPED, []);
    let mut kept = Vec::new();
    let (started, mut state) = (Instant::now(), 1_u64);
    let mut supports: BTreeMap<Digest, Support> = BTreeMap::new();
    for n in 0..1_000_000_u64 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let number = if n < 50_000 {
            n
        } else {
            (state >> 33) % 50_000
        };
        let placed = grouper.place(&layer, &wording(number));
        let support = supports.entry(placed.pattern).or_default();
        *support = Support {
            users: support.users + 1,
            sessions: support.sessions + 1,
            days: support.days + 1,
        };
        kept.extend(placed.keep);
        if n == 9_999 || n == 49_999 || n == 989_999 || n == 999_999 {
            println!(
                "{:>9} observations after {:>8.2?}, peak memory {}",
                n + 1,
                started.elapsed(),
                peak()
            );
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{:.0} a second, {:?} wordings and patterns",
        1e6 / seconds,
        grouper.size()
    );
    let again = Instant::now();
    let size = Grouper::new(Lines::SHIPPED, kept).size();
    println!("restored in {:.2?}: {size:?}", again.elapsed());
    let million: Vec<Support> = (0..1_000_000_u32)
        .map(|n| Support {
            users: n % 97,
            sessions: n % 89,
            days: n % 7,
        })
        .collect();
    let asked = Instant::now();
    let what_if = WhatIf::of(million, 2);
    let proposed = budget(&what_if, Thresholds::SHIPPED, 50);
    println!(
        "what-if and budget over 1,000,000 patterns in {:.2?}: {proposed:?}",
        asked.elapsed()
    );
}

fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap_or("unknown")
        .to_owned()
}
