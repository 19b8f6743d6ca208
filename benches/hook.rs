//! Hooks as harnesses pay for them: the whole process, from its start to its end.
//!
//! `cargo bench --bench hook` prints one line a case: a person's prompt and the start of a session,
//! over a store that is free and over one whose write lock another process holds for eight seconds.
//! Beside them stands a process of ours that does nothing, which no hook can beat.
//! `COUNTERSIGN_BENCH_RUNS` sets how often (default 300).

#![expect(clippy::print_stdout, reason = "a bench answers on standard output")]

use countersign::desk::{Clock, build_demo};
use rusqlite::Connection;
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// How long the write lock is held.
const HELD: Duration = Duration::from_secs(8);

fn main() -> Outcome<()> {
    let runs = std::env::var("COUNTERSIGN_BENCH_RUNS");
    let runs: usize = runs.ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let folder = tempfile::tempdir()?;
    let store = folder.path().join("store.db");
    drop(build_demo(&store, Clock::System)?);
    let prompt = |n: usize| {
        format!(
            r#"{{"session_id":"s-{n}","hook_event_name":"UserPromptSubmit","prompt":"Refunds take five working days, {n}."}}"#
        )
    };
    let start = |n: usize| {
        format!(r#"{{"session_id":"s-{n}","hook_event_name":"SessionStart","source":"startup"}}"#)
    };
    let mut floor = Vec::new();
    for _ in 0..runs {
        let begun = Instant::now();
        Command::new(env!("CARGO_BIN_EXE_countersign"))
            .arg("--version")
            .stdout(Stdio::null())
            .status()?;
        floor.push(begun.elapsed());
    }
    say("a process that does nothing", floor, None);
    measure("a prompt, store free", &store, runs, prompt)?;
    measure("a session's start, store free", &store, runs, start)?;

    let (ready, wait) = std::sync::mpsc::channel();
    let path = store.clone();
    let holder = std::thread::spawn(move || -> Result<(), String> {
        let gate = std::fs::File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path.with_file_name("store.db.gate"))
            .map_err(|error| error.to_string())?;
        gate.lock().map_err(|error| error.to_string())?;
        let db = Connection::open(&path).map_err(|error| error.to_string())?;
        db.execute_batch("BEGIN IMMEDIATE")
            .map_err(|error| error.to_string())?;
        ready
            .send(Instant::now())
            .map_err(|error| error.to_string())?;
        std::thread::sleep(HELD);
        db.execute_batch("ROLLBACK")
            .map_err(|error| error.to_string())
    });
    let since = wait.recv()?;
    let (mut prompts, mut starts) = (Vec::new(), Vec::new());
    let (mut n, mut handed) = (0, 0);
    while since.elapsed() + Duration::from_millis(500) < HELD {
        prompts.push(hook(&store, &prompt(1_000_000 + n))?.0);
        let (took, out) = hook(&store, &start(1_000_000 + n))?;
        starts.push(took);
        handed += usize::from(!out.is_empty());
        n += 1;
    }
    holder.join().map_err(|_| "the holder failed")??;
    say("a prompt, write lock held", prompts, None);
    say("a session's start, write lock held", starts, Some(handed));
    Ok(())
}

fn measure(
    what: &str,
    store: &Path,
    runs: usize,
    payload: impl Fn(usize) -> String,
) -> Outcome<()> {
    let (mut times, mut handed) = (Vec::new(), 0);
    for n in 0..runs {
        let (took, out) = hook(store, &payload(n))?;
        times.push(took);
        handed += usize::from(!out.is_empty());
    }
    say(what, times, Some(handed));
    Ok(())
}

/// One event through the program; how long it took and what was answered.
fn hook(store: &Path, payload: &str) -> Outcome<(Duration, Vec<u8>)> {
    let begun = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args([
            "hook",
            "--harness",
            "claude",
            "--layer",
            "acme/emea/berlin",
            "--store",
        ])
        .arg(store)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().ok_or("no standard input")?;
    input.write_all(payload.as_bytes())?;
    drop(input);
    let done = child.wait_with_output()?;
    let took = begun.elapsed();
    if !done.status.success() || !done.stderr.is_empty() {
        return Err(String::from_utf8_lossy(&done.stderr).into_owned().into());
    }
    Ok((took, done.stdout))
}

fn say(what: &str, mut times: Vec<Duration>, handed: Option<usize>) {
    times.sort();
    let at = |percent: usize| {
        let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
        times.get(place).copied().unwrap_or_default().as_secs_f64() * 1e3
    };
    let handed = handed.map_or(String::new(), |handed| {
        format!(", {handed} answered with memory")
    });
    println!(
        "{what}: median {:.1} ms, p99 {:.1} ms, longest {:.1} ms of {}{handed}",
        at(50),
        at(99),
        at(100),
        times.len()
    );
}
