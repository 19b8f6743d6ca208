//! The detector at scale: how fast it catches up, what the next ten thousand cost, what-if, memory.
//!
//! `cargo bench --bench detector` prints one line a measure. `COUNTERSIGN_BENCH_ITEMS` sets how many
//! observations there are (default 1000000), in 50,000 distinct wordings per million.

#![expect(clippy::print_stdout, reason = "a bench answers on standard output")]

use countersign::desk::{Clock, Desk};
use countersign::domain::observation::{Origin, Sighting};
use countersign::domain::{Layer, SessionId, Time, Trust, UserId};
use std::error::Error;
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error>>;

const BATCH: usize = 10_000;
const ROUND: usize = 5_000;

fn main() -> Outcome<()> {
    let items: usize = std::env::var("COUNTERSIGN_BENCH_ITEMS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1_000_000);
    let folder = tempfile::tempdir()?;
    let desk = Desk::init(&folder.path().join("detect.db"), "bench", Clock::System)?;
    let wordings = (items / 20).max(100);
    let mut first_ten = Duration::ZERO;
    let mut spent = Duration::ZERO;
    for batch in 0..items / BATCH {
        observe(&desk, batch, wordings)?;
        let took = catch_up(&desk)?;
        spent += took;
        if batch == 1 {
            first_ten = took;
        }
    }
    println!(
        "detect: {items} observations, {wordings} wordings: {} observations/s (aim 20000), {:.1} s",
        (items as f64 / spent.as_secs_f64()) as u64,
        spent.as_secs_f64()
    );
    observe(&desk, items / BATCH, wordings)?;
    let last = catch_up(&desk)?;
    println!(
        "10,000 more: {:.0} ms at {items}, {:.0} ms at {BATCH}: ratio {:.2} (aim 1.50 or less)",
        last.as_secs_f64() * 1000.0,
        first_ten.as_secs_f64() * 1000.0,
        last.as_secs_f64() / first_ten.as_secs_f64().max(1e-9)
    );
    let mut times: Vec<Duration> = (0..21)
        .map(|_| {
            let begun = Instant::now();
            desk.what_if(None).map(|_| begun.elapsed())
        })
        .collect::<Result<_, _>>()?;
    times.sort_unstable();
    println!(
        "what-if: p50 {:.1} ms, worst {:.1} ms (aim 50)",
        millis(&times, 10),
        millis(&times, 20)
    );
    println!("peak memory: {} MB (aim 500)", peak_memory());
    Ok(())
}

fn millis(times: &[Duration], at: usize) -> f64 {
    times.get(at).map_or(0.0, Duration::as_secs_f64) * 1000.0
}

fn catch_up(desk: &Desk) -> Outcome<Duration> {
    let begun = Instant::now();
    while desk.detect(ROUND)?.lag > 0 {}
    Ok(begun.elapsed())
}

/// Few people say most things once; some things are said by many, in several layers.
fn observe(desk: &Desk, batch: usize, wordings: usize) -> Outcome<()> {
    const LAYERS: [&str; 3] = ["acme/support", "acme/emea/berlin", "acme/emea/paris"];
    let now = desk.now();
    let mut list = Vec::with_capacity(BATCH);
    for i in 0..BATCH {
        let n = batch * BATCH + i;
        let which = scattered(n) % wordings;
        list.push(Ok(Sighting {
            text: sentence(which),
            layer: Layer::parse(LAYERS.get(which % 3).copied().unwrap_or("acme"))?,
            user: UserId::parse(&format!("u{}", scattered(n + 7) % 5000))?,
            session: SessionId::parse(&format!("s{}", n / 3))?,
            source: None,
            trust: Trust::AuthenticatedUser,
            at: Time::from_millis(now.millis() - ((scattered(n + 3) % 30) as i64) * 86_400_000),
            origin: Origin::Direct,
            key: None,
            artifact: None,
        }));
    }
    desk.observe(list, "bench")?;
    Ok(())
}

/// Sentences of several common and some rare words: alike, as people's are, and not the same.
fn sentence(n: usize) -> String {
    const WHO: [&str; 12] = [
        "customers",
        "the billing team",
        "premium users",
        "agents",
        "the night shift",
        "new partners",
        "the warehouse",
        "the registry",
        "reviewers",
        "the finance desk",
        "students",
        "drivers",
    ];
    const DO: [&str; 10] = [
        "must confirm",
        "may change",
        "never see",
        "always get",
        "ask for",
        "wait for",
        "pay for",
        "close",
        "report",
        "print",
    ];
    const WHAT: [&str; 14] = [
        "an invoice",
        "the parcel label",
        "a refund",
        "the consent form",
        "their password",
        "an export",
        "the contract",
        "a backup",
        "the ticket",
        "a voucher",
        "the access log",
        "a meeting room",
        "the delivery note",
        "an address",
    ];
    let pick = |list: &[&str], n: usize| list.get(n % list.len()).copied().unwrap_or("").to_owned();
    format!(
        "{} {} {} {} {} kilo{}",
        pick(&WHO, n),
        pick(&DO, n / 12),
        pick(&WHAT, n / 120),
        if n.is_multiple_of(2) {
            "for account"
        } else {
            "in region"
        },
        n / 1680,
        scattered(n) % 9973
    )
}

/// The same for the same number, with no pattern that a cache would like.
const fn scattered(n: usize) -> usize {
    let mixed = (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 24) as usize
}

/// The most memory this process ever held, in megabytes; 0 where the system does not say.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1));
    kilobytes.and_then(|n| n.parse::<u64>().ok()).unwrap_or(0) / 1024
}
