//! A long transcript through the whole program: bytes a second, and the most memory it took.
//!
//! `cargo bench --bench ingest` makes a session of 1 GB in a temporary folder, runs the program on
//! it, prints one line and removes it. `COUNTERSIGN_BENCH_MB` sets another size.

#![expect(clippy::print_stdout, reason = "a bench answers on standard output")]

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let megabytes: u64 = std::env::var("COUNTERSIGN_BENCH_MB")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1000);
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("session.jsonl");
    let (bytes, persons) = generate(&file, megabytes * 1_000_000)?;
    let store = folder.path().join("store.db");
    let program = env!("CARGO_BIN_EXE_countersign");
    let run = |command: &mut Command| -> Outcome<(Duration, u64, String)> {
        let begun = Instant::now();
        let mut child = command
            .env_clear()
            .env("HOME", folder.path())
            .env("COUNTERSIGN_STORE", &store)
            .stdout(Stdio::piped())
            .spawn()?;
        let status = format!("/proc/{}/status", child.id());
        let mut most = 0;
        while child.try_wait()?.is_none() {
            most = most.max(resident(&status));
            std::thread::sleep(Duration::from_millis(10));
        }
        let took = begun.elapsed();
        let output = child.wait_with_output()?;
        Ok((
            took,
            most,
            String::from_utf8_lossy(&output.stdout).into_owned(),
        ))
    };
    run(Command::new(program).arg("init"))?;
    let ingest = ["ingest", "--layer", "acme", "--user", "u-1", "--json"];
    let (took, most, answer) = run(Command::new(program).args(ingest).arg(&file))?;
    let report: serde_json::Value = serde_json::from_str(&answer)?;
    let observed = report.get("observed").and_then(serde_json::Value::as_u64);
    if observed != Some(persons) {
        return Err(format!("{persons} persons' words, but: {answer}").into());
    }
    let speed = bytes as f64 / 1e6 / took.as_secs_f64();
    println!(
        "ingest {:.0} MB: {:.1} s, {speed:.0} MB/s, {most} MB resident at most, {persons} observed",
        bytes as f64 / 1e6,
        took.as_secs_f64()
    );
    let (again, _, _) = run(Command::new(program).args(ingest).arg(&file))?;
    println!("the same file again: {:.2} s", again.as_secs_f64());
    Ok(())
}

/// A session as they are: many tool results, answers and calls, and now and then a person.
fn generate(path: &Path, size: u64) -> Outcome<(u64, u64)> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
    let (mut written, mut turn) = (0_u64, 0_u64);
    let output: String = (0..60)
        .map(|n| format!("{n:4}\\tlet port = config.port(\\\"staging\\\"); // line {n}\\n"))
        .collect();
    let mut line = String::new();
    while written < size {
        line.clear();
        let head = |kind: &str, n: u64| {
            format!(
                "{{\"parentUuid\":\"p\",\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"/home/sam/shop\",\"sessionId\":\"s-1\",\
                 \"version\":\"2.0.0\",\"gitBranch\":\"main\",\"type\":\"{kind}\",\"uuid\":\"u-{turn}-{n}\",\"timestamp\":\"2025-11-30T10:00:00.000Z\",\"message\":{{"
            )
        };
        writeln!(
            line,
            "{}\"role\":\"user\",\"content\":\"Please look at request number {turn} again.\"}}}}",
            head("user", 0)
        )?;
        for call in 1..8 {
            writeln!(
                line,
                "{}\"role\":\"assistant\",\"content\":[{{\"type\":\"text\",\"text\":\"I will read the file and see which port it names.\"}},{{\"type\":\"tool_use\",\"id\":\"t-{turn}-{call}\",\"name\":\"Read\",\"input\":{{\"file_path\":\"/home/sam/shop/src/config.rs\"}}}}]}}}}",
                head("assistant", 2 * call)
            )?;
            writeln!(
                line,
                "{}\"role\":\"user\",\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"t-{turn}-{call}\",\"content\":\"{output}\"}}]}},\"toolUseResult\":{{\"type\":\"text\",\"file\":{{\"filePath\":\"/home/sam/shop/src/config.rs\",\"content\":\"{output}\",\"numLines\":60}}}}}}",
                head("user", 2 * call + 1)
            )?;
        }
        out.write_all(line.as_bytes())?;
        written += line.len() as u64;
        turn += 1;
    }
    out.flush()?;
    Ok((written, turn))
}

/// The most memory the process has had so far, in megabytes; nothing where it is not told.
fn resident(status: &str) -> u64 {
    let text = std::fs::read_to_string(status).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
