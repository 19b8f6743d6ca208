//! `memory_context` over MCP with many memories, beside the bare query that it stands on.
//!
//! `cargo bench --bench mcp` prints one line. The tool checks every memory against the ledger and
//! logs a durable serving before it answers; the bare query does neither. A few hundred memories are
//! proposed and approved, the rest are rows that the search must rank and that never win.
//! `COUNTERSIGN_BENCH_MEMORIES` sets how many (default 100000).

#![expect(clippy::print_stdout, reason = "a bench answers on standard output")]

use countersign::desk::presence::{Caller, Presence};
use countersign::desk::{Clock, Desk, read_proposal};
use countersign::domain::decision::{CandidateDecision, Ruling, Seen};
use countersign::domain::{Reviewer, ReviewerName, Role};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Memories that a person approved.
const APPROVED: usize = 300;
const CALLS: usize = 300;
const QUERY: &str = "desk calls parcels";

fn main() -> Outcome<()> {
    let wanted = std::env::var("COUNTERSIGN_BENCH_MEMORIES");
    let wanted: usize = wanted.ok().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let folder = tempfile::tempdir()?;
    let store = folder.path().join("store.db");
    approve(&store)?;
    fill(&store, wanted.saturating_sub(APPROVED))?;
    let (mut bare, found) = bare(&store)?;
    let (mut tool, records) = tool(&store)?;
    let (bare_p50, bare_p99) = (at(&mut bare, 50), at(&mut bare, 99));
    let (tool_p50, tool_p99) = (at(&mut tool, 50), at(&mut tool, 99));
    println!(
        "memory_context over {wanted} memories, {records} records handed over: median {tool_p50:.1} ms, p99 {tool_p99:.1} ms; \
         the bare query, {found} rows: median {bare_p50:.1} ms, p99 {bare_p99:.1} ms; ratio {:.2} at the median, {:.2} at p99",
        tool_p50 / bare_p50,
        tool_p99 / bare_p99
    );
    Ok(())
}

fn approve(store: &Path) -> Outcome<()> {
    let desk = Desk::init(store, "alice", Clock::System)?;
    let caller = Caller {
        input_is_terminal: true,
        output_is_terminal: true,
        markers: Vec::new(),
        role: None,
    };
    let reviewer = Reviewer {
        name: ReviewerName::parse("alice")?,
        role: Role::Admin,
    };
    let presence = Presence::at_terminal(&caller, reviewer)?;
    for n in 0..APPROVED {
        let line = json!({
            "claim": format!("Desk {n} answers calls about parcels."), "kind": "observed_fact", "source_refs": ["session:s-1"],
            "source_trust": "authenticated_user", "scope": { "layer": "acme" }, "proposer": "bench",
        });
        let proposal = read_proposal(&line.to_string()).map_err(|bad| bad.error)?;
        let id = desk.propose(proposal)?.id;
        let view = desk.candidate(id)?;
        desk.decide(
            &presence,
            CandidateDecision {
                candidate: id,
                seen: Seen {
                    version: view.candidate.version,
                    shown: view.shown,
                    frame: 1,
                    whole: true,
                    on_screen: None,
                },
                ruling: Ruling::Approve,
                reason: Some("checked".to_owned()),
                influence: None,
                supersedes: None,
            },
        )?;
    }
    Ok(())
}

/// Rows in the same layer that hold one of the words asked for, written straight into the tables.
fn fill(store: &Path, size: usize) -> Outcome<()> {
    let db = Connection::open(store)?;
    let size = i64::try_from(size)?;
    let columns = "lineage, candidate, entry, fingerprint, salt, kind, influence, mode, state, trust, layer, sources, approved_at, \
                   approved_by, expires_at";
    db.execute_batch("BEGIN")?;
    db.execute(
        &format!(
            "WITH RECURSIVE n(i) AS (SELECT 1 WHERE ?1 > 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
             INSERT INTO memory (id, text, {columns})
             SELECT 1000000 + n.i, 'Shift ' || n.i || ' hands parcels to the night courier at half past nine.', {columns}
             FROM n JOIN memory m ON m.id = 1"
        ),
        [size],
    )?;
    db.execute(
        "INSERT INTO memory_text (rowid, ltok, body) SELECT id, 'zl' || layer, text FROM memory WHERE id > 1000000",
        [],
    )?;
    db.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE);")?;
    Ok(())
}

/// The same search without the checks and without the log.
fn bare(store: &Path) -> Outcome<(Vec<Duration>, usize)> {
    let db = Connection::open(store)?;
    let layer: i64 = db.query_row("SELECT layer FROM memory WHERE id = 1", [], |row| {
        row.get(0)
    })?;
    let words: Vec<String> = QUERY.split(' ').map(|word| format!("\"{word}\"")).collect();
    let wanted = format!("ltok:(zl{layer}) AND body:({})", words.join(" OR "));
    let mut find = db.prepare(
        "SELECT m.id, m.text FROM memory m JOIN memory_text ON memory_text.rowid = m.id \
         WHERE memory_text MATCH ?1 AND m.layer = ?2 AND m.state = 0 ORDER BY memory_text.rank LIMIT 200",
    )?;
    let (mut times, mut found) = (Vec::new(), 0);
    for _ in 0..CALLS {
        let begun = Instant::now();
        let rows = find.query_map((&wanted, layer), |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
        })?;
        found = rows.collect::<Result<Vec<_>, _>>()?.len();
        times.push(begun.elapsed());
    }
    Ok((times, found))
}

/// The tool through the server's own pipes, and how many records it handed over.
fn tool(store: &Path) -> Outcome<(Vec<Duration>, usize)> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["mcp", "--layer", "acme", "--store"])
        .arg(store)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().ok_or("no standard input")?;
    let mut output = BufReader::new(child.stdout.take().ok_or("no standard output")?);
    let mut ask = |id: usize, method: &str, params: Value| -> Outcome<Value> {
        let question = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        writeln!(input, "{question}")?;
        let mut line = String::new();
        output.read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    };
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "bench", "version": "1" } });
    ask(1, "initialize", hello)?;
    let (mut times, mut records) = (Vec::new(), 0);
    for n in 0..=CALLS {
        let call = json!({ "name": "memory_context", "arguments": { "query": QUERY } });
        let begun = Instant::now();
        let answer = ask(n + 2, "tools/call", call)?;
        // The first call opens the store.
        if n > 0 {
            times.push(begun.elapsed());
        }
        let list = answer.pointer("/result/structuredContent/records");
        records = list.and_then(Value::as_array).map_or(0, Vec::len);
    }
    drop(input);
    child.wait()?;
    Ok((times, records))
}

fn at(times: &mut [Duration], percent: usize) -> f64 {
    times.sort();
    let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times.get(place).copied().unwrap_or_default().as_secs_f64() * 1e3
}
