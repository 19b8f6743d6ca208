//! The console through a real pseudo-terminal: start to first frame, key to frame, at growing queues.
//!
//! `cargo bench --bench terminal` prints one line a size. A frame ends where the console ends its
//! synchronised update. `COUNTERSIGN_BENCH_ITEMS` sets the largest queue (default 1000000).

#![expect(clippy::print_stdout, reason = "a bench answers on standard output")]

use countersign::desk::{Clock, Desk};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use rusqlite::Connection;
use std::error::Error;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Where a synchronised update ends.
const FRAME_END: &[u8] = b"\x1b[?2026l";
const KEYS: usize = 300;

fn main() -> Outcome<()> {
    let largest: i64 = std::env::var("COUNTERSIGN_BENCH_ITEMS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1_000_000);
    let folder = tempfile::tempdir()?;
    let mut sizes = vec![1_000, largest];
    sizes.sort_unstable();
    sizes.dedup();
    for size in sizes {
        let store = folder.path().join(format!("{size}.db"));
        drop(Desk::init(&store, "bench", Clock::System)?);
        fill(&store, size)?;
        let mut starts: Vec<Duration> = Vec::new();
        let mut keys = Vec::new();
        for round in 0..5 {
            // A home of its own each time: the console comes back where it was left.
            let home = tempfile::tempdir()?;
            let (start, times) = run(&store, home.path(), if round == 0 { KEYS } else { 0 })?;
            starts.push(start);
            keys.extend(times);
        }
        keys.sort();
        starts.sort();
        let at = |list: &[Duration], percent: usize| {
            list.get(list.len() * percent / 100)
                .copied()
                .unwrap_or_default()
                .as_secs_f64()
                * 1e3
        };
        println!(
            "console over {size} pending: first frame with items {:.1} ms (median of {}), key to frame {:.2} ms (p99 {:.2} ms)",
            at(&starts, 50),
            starts.len(),
            at(&keys, 50),
            at(&keys, 99)
        );
    }
    Ok(())
}

fn run(store: &Path, home: &Path, presses: usize) -> Outcome<(Duration, Vec<Duration>)> {
    let pair = native_pty_system().openpty(PtySize {
        rows: 60,
        cols: 200,
        pixel_width: 0,
        pixel_height: 0,
    })?;
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_countersign"));
    command.env_clear();
    command.env("TERM", "xterm-256color");
    command.env("HOME", home);
    command.args(["review", "--no-detect", "--store"]);
    command.arg(store);
    let mut reader = pair.master.try_clone_reader()?;
    let (send, frames) = channel();
    std::thread::spawn(move || {
        let mut buffer = [0_u8; 65536];
        while let Ok(n) = reader.read(&mut buffer) {
            let Some(bytes) = buffer.get(..n).filter(|bytes| !bytes.is_empty()) else {
                return;
            };
            if send.send((Instant::now(), bytes.to_vec())).is_err() {
                return;
            }
        }
    });
    let begun = Instant::now();
    let mut child = pair.slave.spawn_command(command)?;
    drop(pair.slave);
    let mut keys = pair.master.take_writer()?;
    let start = until(&frames, b"Parcel 1 ")?.duration_since(begun);
    settle(&frames);
    let mut times = Vec::with_capacity(presses);
    for turn in 0..presses {
        // Down, a page down, the end and the beginning, in turn.
        let key: &[u8] = match turn % 20 {
            7 => b"\x04",
            13 => b"G",
            17 => b"g",
            _ => b"j",
        };
        let pressed = Instant::now();
        keys.write_all(key)?;
        keys.flush()?;
        times.push(until(&frames, FRAME_END)?.duration_since(pressed));
        settle(&frames);
    }
    keys.write_all(b"Q")?;
    keys.flush()?;
    let asked = Instant::now();
    while child.try_wait()?.is_none() {
        if asked.elapsed() > Duration::from_secs(10) {
            child.kill()?;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok((start, times))
}

/// When the bytes waited for had arrived.
fn until(frames: &Receiver<(Instant, Vec<u8>)>, wanted: &[u8]) -> Outcome<Instant> {
    let mut seen: Vec<u8> = Vec::new();
    loop {
        let (at, bytes) = frames.recv_timeout(Duration::from_secs(30))?;
        seen.extend(bytes);
        if seen.windows(wanted.len()).any(|part| part == wanted) {
            return Ok(at);
        }
    }
}

/// Lets what is still on its way arrive, so that the next key measures its own frame.
fn settle(frames: &Receiver<(Instant, Vec<u8>)>) {
    while frames.recv_timeout(Duration::from_millis(25)).is_ok() {}
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
