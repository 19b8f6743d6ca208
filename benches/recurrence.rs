//! How fast wordings are grouped, and in how much memory: a million observations of fifty thousand
//! wordings, ten thousand more on top, and what other thresholds would give.
//!
//! `cargo bench --bench recurrence` prints the figures, nothing is asserted.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::time::Instant;

use countersign::domain::Layer;
use countersign::domain::pattern::Support;
use countersign::recurrence::{Grouper, Lines, Thresholds, WhatIf, budget};

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
const PLACE: &[&str] = &[
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
const CASE: &[&str] = &["alder", "birch", "cedar", "elm", "fir"];

/// One of fifty thousand wordings, of which many resemble each other.
fn wording(number: usize) -> String {
    let pick = |list: &[&'static str], step: usize| {
        list.get(number / step % list.len()).copied().unwrap_or("")
    };
    let (who, does) = (pick(WHO, 1), pick(DOES, 10));
    let (place, when, case) = (pick(PLACE, 100), pick(WHEN, 1000), pick(CASE, 10_000));
    format!("{who} {does} {place} {when} (case {case})")
}

/// The number of a wording, spread evenly and always the same.
fn spread(n: usize) -> usize {
    n.wrapping_mul(2_654_435_761) % 50_000
}

fn place(grouper: &mut Grouper, layer: &Layer, numbers: impl Iterator<Item = usize>) -> f64 {
    let begun = Instant::now();
    for number in numbers {
        std::hint::black_box(grouper.place(layer, &wording(number)));
    }
    begun.elapsed().as_secs_f64()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let layer = Layer::parse("acme/support")?;
    let mut grouper = Grouper::new(Lines::SHIPPED, []);
    let first = place(&mut grouper, &layer, 0..10_000);
    let early = place(
        &mut grouper,
        &layer,
        (0..10_000).map(|n| spread(n) % 10_000),
    );
    let rest = place(&mut grouper, &layer, 10_000..50_000);
    let known = place(&mut grouper, &layer, (0..930_000).map(spread));
    let late = place(&mut grouper, &layer, (0..10_000).map(spread));
    let all = first + early + rest + known + late;
    println!(
        "1,000,000 observations of 50,000 wordings: {:.0} a second",
        1e6 / all
    );
    println!("50,000 new wordings: {:.0} a second", 5e4 / (first + rest));
    println!(
        "10,000 more: {:.1} ms at 10,000 stored, {:.1} ms at 990,000 stored ({:.2} x)",
        early * 1e3,
        late * 1e3,
        late / early
    );
    let (wordings, patterns) = grouper.size();
    println!("{wordings} wordings in {patterns} patterns, {}", peak());
    let supports = (0..1_000_000_u32).map(|n| Support {
        users: n % 97,
        sessions: n % 89,
        days: n % 7,
    });
    let begun = Instant::now();
    let proposed = budget(&WhatIf::of(supports, 2), Thresholds::SHIPPED, 50);
    println!(
        "what-if and budget over 1,000,000 patterns: {:.1?}, {proposed:?}",
        begun.elapsed()
    );
    Ok(())
}

fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    line.unwrap_or("peak memory unknown").to_owned()
}
