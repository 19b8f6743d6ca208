//! What we add to a bare floor, measured side by side in the same run: ratios, not milliseconds.
//!
//! `cargo bench --bench floors` prints one line a measure. The floor does the same work with
//! nothing of ours in it; rounds are interleaved, medians are compared. `COUNTERSIGN_BENCH_ITEMS`
//! sets the largest queue (default 1000000).

#![expect(clippy::print_stdout, reason = "a bench answers on standard output")]

use countersign::desk::{Clock, Desk};
use countersign::domain::candidate::CandidateState;
use countersign::domain::observation::{Origin, Sighting};
use countersign::domain::query::Query;
use countersign::domain::{CandidateId, Layer, SessionId, Trust, UserId};
use rusqlite::{Connection, params};
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error>>;

const ROUNDS: usize = 60;
const BATCH: usize = 1000;

fn main() -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    observations(folder.path())?;
    let largest: i64 = std::env::var("COUNTERSIGN_BENCH_ITEMS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1_000_000);
    let mut sizes = vec![1_000, 100_000, largest];
    sizes.sort_unstable();
    sizes.dedup();
    for size in sizes {
        queue(folder.path(), size)?;
    }
    Ok(())
}

/// Batches of a thousand observations, with their ledger entry, against the same rows bare.
fn observations(folder: &Path) -> Outcome<()> {
    let desk = Desk::init(&folder.join("observe.db"), "bench", Clock::System)?;
    let bare = bare_table(&folder.join("bare.db"))?;
    let (mut ours, mut floor) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        // Each side owns its rows and drops them.
        let same = rows(&desk, round)?;
        let rows = rows(&desk, round)?;
        let begun = Instant::now();
        insert_bare(&bare, same)?;
        floor.push(begun.elapsed());
        let begun = Instant::now();
        desk.observe(rows.into_iter().map(Ok), "bench")?;
        ours.push(begun.elapsed());
    }
    let per_second = |time: Duration| (BATCH as f64 / time.as_secs_f64()) as u64;
    let (ours, floor) = (median(&mut ours), median(&mut floor));
    println!(
        "observe, batches of {BATCH}: {} rows/s, bare SQLite {} rows/s, ratio {:.2} (aim 0.70 or more)",
        per_second(ours),
        per_second(floor),
        floor.as_secs_f64() / ours.as_secs_f64()
    );
    Ok(())
}

fn rows(desk: &Desk, round: usize) -> Outcome<Vec<Sighting>> {
    let mut list = Vec::with_capacity(BATCH);
    for i in 0..BATCH {
        list.push(Sighting {
            text: format!("customers in round {round} ask about parcel {i}: it was handed to the night courier and the page still says packed, please look at it"),
            layer: Layer::parse("acme/emea/berlin")?,
            user: UserId::parse(&format!("u-{}", i % 97))?,
            session: SessionId::parse(&format!("s-{round}-{}", i % 211))?,
            source: Some("chat".to_owned()),
            trust: Trust::AuthenticatedUser,
            at: desk.now(),
            origin: Origin::Direct,
            key: None,
            artifact: None,
        });
    }
    Ok(list)
}

/// The same columns and index, the same journal, the same durability.
fn bare_table(path: &Path) -> Outcome<Connection> {
    let db = Connection::open(path)?;
    db.execute_batch(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA temp_store=MEMORY;
         CREATE TABLE observation (seq INTEGER PRIMARY KEY, text TEXT NOT NULL, layer INTEGER NOT NULL, user TEXT NOT NULL,
         session TEXT NOT NULL, source TEXT, trust INTEGER NOT NULL, origin INTEGER NOT NULL, at INTEGER NOT NULL,
         artifact INTEGER, span_start INTEGER, span_end INTEGER, key BLOB) STRICT;
         CREATE UNIQUE INDEX observation_key ON observation (key) WHERE key IS NOT NULL;",
    )?;
    Ok(db)
}

fn insert_bare(db: &Connection, rows: Vec<Sighting>) -> Outcome<()> {
    db.execute_batch("BEGIN IMMEDIATE")?;
    let mut insert = db.prepare_cached(
        "INSERT INTO observation (text, layer, user, session, source, trust, origin, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for row in rows {
        insert.execute(params![
            row.text,
            1,
            row.user.as_str(),
            row.session.as_str(),
            row.source,
            row.trust.code(),
            row.origin.code(),
            row.at.millis()
        ])?;
    }
    db.execute_batch("COMMIT")?;
    Ok(())
}

/// Opening, the first page and pages anywhere, at a number of pending candidates.
fn queue(folder: &Path, size: i64) -> Outcome<()> {
    let path = folder.join(format!("queue-{size}.db"));
    drop(Desk::init(&path, "bench", Clock::System)?);
    fill(&path, size)?;
    let mut opening = Vec::new();
    for _ in 0..9 {
        let begun = Instant::now();
        let desk = Desk::open(&path, Clock::System)?;
        desk.overview()?;
        let page = desk.queue(CandidateState::Pending, &Query::default(), None, 60)?;
        if let Some(row) = page.rows.first() {
            desk.candidate(row.id)?;
        }
        opening.push(begun.elapsed());
    }
    let desk = Desk::open(&path, Clock::System)?;
    let mut pages = Vec::new();
    for turn in 0..400_i64 {
        let after = CandidateId((turn * 7_919) % size.max(1));
        let begun = Instant::now();
        desk.queue(CandidateState::Pending, &Query::default(), Some(after), 60)?;
        pages.push(begun.elapsed());
    }
    let first = median(&mut opening);
    let middle = median(&mut pages);
    let p99 = pages
        .get(pages.len() * 99 / 100)
        .copied()
        .unwrap_or_default();
    println!(
        "queue of {size}: open to first page and detail {:.1} ms, page of 60 {:.0} us (p99 {:.0} us)",
        first.as_secs_f64() * 1e3,
        middle.as_secs_f64() * 1e6,
        p99.as_secs_f64() * 1e6
    );
    Ok(())
}

/// Pending candidates written straight into the table: a bench needs a million in seconds.
fn fill(path: &Path, size: i64) -> Outcome<()> {
    let db = Connection::open(path)?;
    db.execute_batch("BEGIN; INSERT INTO layer (id, path) VALUES (1, 'acme/emea');")?;
    db.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
         INSERT INTO candidate (version, state, claim, claim_key, salt, kind, influence, verdict, trust, layer, expires_at, proposer,
         proposed_at, sources, evidence, findings, policy, users, sessions, days)
         SELECT 1, 0, 'Parcel ' || i || ' is handed to the night courier at half past nine in the evening.', randomblob(32),
         randomblob(32), 0, 1, 0, 3, 1, 4000000000000, 'bench', 1700000000000 + i, 'session:s-' || i, zeroblob(32), '[]',
         zeroblob(32), 3, 5, 2 FROM n",
        [size],
    )?;
    db.execute("INSERT INTO tally (name, n) VALUES ('pending', ?1)", [size])?;
    db.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE);")?;
    Ok(())
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
