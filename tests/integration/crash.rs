//! Killed anywhere: the real program, several processes at once, random acts, no warning.
//!
//! After each round: what was acknowledged is there, nothing is half-done, the ledger verifies, the
//! indexes are whole. `COUNTERSIGN_CRASH_ROUNDS` sets the rounds (default 40), `COUNTERSIGN_CRASH_SEED`
//! the order of events, which is printed where a round fails.

use crate::many::{Terminal, answers, start, store_of_the_program};
use crate::world::{World, proposal};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::time::Duration;

/// How many processes work at once.
const AT_ONCE: usize = 3;
/// The longest a process lives before it is killed, in milliseconds.
const LONGEST: u64 = 60;

/// Numbers in an order of their own for each seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// One act of one process.
#[derive(Debug, Clone)]
enum Job {
    Observe(String),
    Propose(String),
    Ingest(String),
    Detect,
    Recall,
    Sweep,
    Checkpoint(String),
    Backup(String),
    Approve(i64),
    Reject(i64),
    Demote(i64),
    Erase(String),
    Document(String),
}

/// What a process had said by the time it was killed.
#[derive(Debug)]
struct Said {
    job: Job,
    out: String,
}

#[test]
fn inv06_killed_anywhere_nothing_acknowledged_is_lost_and_nothing_is_half_done() {
    let rounds = number("COUNTERSIGN_CRASH_ROUNDS").unwrap_or(40);
    let seed = number("COUNTERSIGN_CRASH_SEED")
        .unwrap_or_else(fresh_seed)
        .max(1);
    let mut dice = Dice(seed);
    let world = store_of_the_program();
    world.file(".config/countersign/config.toml", "role = \"admin\"\n");
    let (mut acknowledged, mut killed) = (0, 0);
    for round in 0..rounds {
        let context = format!("seed {seed}, round {round}");
        let jobs: Vec<(Job, Option<u64>)> = (0..AT_ONCE)
            .map(|which| {
                let lives = (dice.below(4) > 0).then(|| dice.below(LONGEST));
                (job(&world, &mut dice, round, which), lives)
            })
            .collect();
        killed += jobs.iter().filter(|(_, lives)| lives.is_some()).count();
        let store = world.store();
        let said: Vec<Said> = std::thread::scope(|threads| {
            let running: Vec<_> = jobs
                .into_iter()
                .map(|(job, lives)| {
                    threads.spawn({
                        let store = &store;
                        move || run(store, job, lives)
                    })
                })
                .collect();
            running.into_iter().map(|one| one.join().unwrap()).collect()
        });
        for one in &said {
            acknowledged += usize::from(check(&world, one, &context));
        }
        whole(&world, &context);
    }
    println!(
        "{rounds} rounds, seed {seed}: {killed} processes killed, {acknowledged} acts acknowledged, none lost"
    );
    assert!(
        rounds < 20 || acknowledged > 0,
        "nothing was ever acknowledged: seed {seed}"
    );
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn fresh_seed() -> u64 {
    let mut bytes = [0_u8; 8];
    getrandom::fill(&mut bytes).unwrap();
    u64::from_le_bytes(bytes) >> 1
}

fn job(world: &World, dice: &mut Dice, round: u64, which: usize) -> Job {
    let name = format!("{round}-{which}");
    let one_of = |dice: &mut Dice, sql: &str| -> Option<i64> {
        let database = world.database();
        let mut find = database.prepare(sql).unwrap();
        let ids: Vec<i64> = find
            .query_map([], |row| row.get(0))
            .unwrap()
            .flatten()
            .collect();
        let at = dice.below(u64::try_from(ids.len()).unwrap().max(1));
        ids.get(usize::try_from(at).unwrap()).copied()
    };
    let pending = "SELECT id FROM candidate WHERE state = 0";
    let active = "SELECT id FROM memory WHERE state = 0";
    let chosen = match dice.below(16) {
        0 | 1 => Some(Job::Observe(name.clone())),
        2 => Some(Job::Ingest(world.file(
            &format!("in/{name}.txt"),
            format!("The parcel of round {name} is late.\n"),
        ))),
        3 => Some(Job::Detect),
        4 => Some(Job::Recall),
        5 => {
            // Its retention has passed: nothing else of it stands in an entry.
            world
                .database()
                .execute("UPDATE artifact SET expires_at = 1 WHERE id % 2 = 0", [])
                .unwrap();
            Some(Job::Sweep)
        }
        6 => Some(Job::Checkpoint(
            world
                .path(&format!("in/{name}.checkpoint"))
                .display()
                .to_string(),
        )),
        7 => Some(Job::Backup(
            world.path(&format!("in/{name}.db")).display().to_string(),
        )),
        8 | 9 => one_of(dice, pending).map(Job::Approve),
        10 => one_of(dice, pending).map(Job::Reject),
        11 => one_of(dice, active).map(Job::Demote),
        12 => one_of(dice, "SELECT id FROM candidate WHERE claim <> '(erased)'")
            .map(|id| Job::Erase(format!("C-{id}"))),
        13 => one_of(dice, "SELECT seq FROM observation WHERE text <> '(erased)'")
            .map(|id| Job::Erase(format!("O-{id}"))),
        14 => Some(Job::Document(world.file(
            &format!("in/{name}.md"),
            format!("The desk of {name} closes at six.\n"),
        ))),
        _ => None,
    };
    chosen.unwrap_or(Job::Propose(name))
}

fn run(store: &Path, job: Job, lives: Option<u64>) -> Said {
    let out = match &job {
        Job::Observe(name) => {
            let line = |n: usize| {
                json!({ "text": format!("Returns are free, says {n}."), "layer": "acme", "user": format!("u-{n}"),
                "session": format!("s-{name}"), "key": format!("{name}-{n}") })
            };
            let input: String = (0..10).map(|n| format!("{}\n", line(n))).collect();
            piped(store, &["observe", "--json"], &input, lives)
        }
        Job::Propose(name) => {
            let line = |n: usize| proposal(&format!("Fact {n} of round {name} holds."), "acme");
            let input: String = (0..5).map(|n| format!("{}\n", line(n))).collect();
            piped(store, &["propose", "--json"], &input, lives)
        }
        Job::Ingest(file) => piped(
            store,
            &["ingest", "--layer", "acme", "--user", "u", "--json", file],
            "",
            lives,
        ),
        Job::Detect => piped(store, &["detect", "--once", "--json"], "", lives),
        Job::Recall => piped(store, &["recall", "--layer", "acme", "--json"], "", lives),
        Job::Sweep => piped(store, &["store", "sweep", "--json"], "", lives),
        Job::Checkpoint(to) => piped(
            store,
            &["audit", "checkpoint", "--to", to, "--json"],
            "",
            lives,
        ),
        Job::Backup(to) => piped(store, &["store", "backup", to, "--json"], "", lives),
        Job::Approve(id) => typed(
            store,
            &["decide", "approve", &format!("C-{id}"), "--reason", "seen"],
            lives,
        ),
        Job::Reject(id) => typed(
            store,
            &[
                "decide",
                "reject",
                &format!("C-{id}"),
                "--reason",
                "not_true",
            ],
            lives,
        ),
        Job::Demote(id) => typed(
            store,
            &["demote", &format!("M-{id}"), "--reason", "stale"],
            lives,
        ),
        Job::Erase(item) => typed(store, &["erase", item, "--reason", "asked for"], lives),
        Job::Document(file) => typed(store, &["document", "add", file, "--layer", "acme"], lives),
    };
    Said { job, out }
}

/// In a pipe: killed after so many milliseconds, or left to finish.
fn piped(store: &Path, arguments: &[&str], input: &str, lives: Option<u64>) -> String {
    let mut child = start(store, arguments);
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // The pipe breaks where the program is killed.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    if let Some(millis) = lives {
        std::thread::sleep(Duration::from_millis(millis));
        child.kill().unwrap();
    }
    let mut out = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
    child.wait().unwrap();
    writer.join().unwrap();
    String::from_utf8_lossy(&out).into_owned()
}

/// At a terminal, by a person who types the code: killed so many milliseconds after it, or left to
/// finish.
fn typed(store: &Path, arguments: &[&str], lives: Option<u64>) -> String {
    let mut terminal = Terminal::open(store, arguments);
    terminal.type_the_code();
    match lives {
        Some(millis) => std::thread::sleep(Duration::from_millis(millis / 3)),
        None => terminal.until(|_| false),
    }
    // It may have ended by itself.
    let _ = terminal.child.kill();
    terminal.until(|_| false);
    terminal.child.wait().unwrap();
    terminal.shown
}

/// Whether the act was acknowledged; if it was, it is there.
fn check(world: &World, said: &Said, context: &str) -> bool {
    let lines = answers(said.out.as_bytes());
    let one = |sql: &str| world.count(sql);
    let failed = |line: &Value| line.get("error").is_some();
    let insist = |there: bool| assert!(there, "{context}: acknowledged and lost: {said:?}");
    match &said.job {
        Job::Observe(name) => {
            let kept = one(&format!(
                "SELECT count(*) FROM observation WHERE key IS NOT NULL AND (session = 's-{name}')"
            ));
            assert!(kept == 0 || kept == 10, "{context}: half a batch: {kept}");
            let done = lines.iter().any(|line| line["observed"] == json!(10));
            insist(!done || kept == 10);
            done
        }
        Job::Propose(_) => {
            for line in lines.iter().filter(|line| !failed(line)) {
                let id = line["id"]
                    .as_str()
                    .unwrap()
                    .trim_start_matches("C-")
                    .to_owned();
                insist(one(&format!("SELECT count(*) FROM candidate WHERE id = {id}")) == 1);
            }
            !lines.is_empty()
        }
        Job::Recall => {
            let serving = lines.first().and_then(|line| line["serving"].as_str());
            if let Some(serving) = serving {
                let id = serving.trim_start_matches("S-");
                insist(one(&format!("SELECT count(*) FROM serving WHERE id = {id}")) == 1);
            }
            serving.is_some()
        }
        Job::Ingest(_) => {
            let artifact = lines.first().and_then(|line| line["artifact"].as_str());
            if let Some(artifact) = artifact {
                insist(
                    one(&format!(
                        "SELECT count(*) FROM entry WHERE item = '{artifact}'"
                    )) > 0,
                );
            }
            artifact.is_some()
        }
        Job::Approve(_) | Job::Reject(_) | Job::Demote(_) | Job::Erase(_) | Job::Document(_) => {
            decided(world, said, context)
        }
        Job::Checkpoint(to) => {
            let kept = std::fs::read_to_string(to).is_ok();
            if kept {
                let ran = world.run(["audit", "verify", "--since", to]);
                assert_eq!(ran.code, 0, "{context}: {}", ran.out);
            }
            kept
        }
        Job::Backup(to) => {
            let done = lines.iter().any(|line| line.get("backup").is_some());
            insist(!done || Path::new(to).exists());
            done
        }
        Job::Detect | Job::Sweep => !lines.is_empty(),
    }
}

/// The same for what a person decided at a terminal.
fn decided(world: &World, said: &Said, context: &str) -> bool {
    match &said.job {
        Job::Approve(id) => acknowledged(
            world,
            said,
            " is now M-",
            &format!("SELECT count(*) FROM memory WHERE candidate = {id}"),
            context,
        ),
        Job::Reject(id) => acknowledged(
            world,
            said,
            "rejected",
            &format!("SELECT count(*) FROM entry WHERE act = 3 AND item = 'C-{id}'"),
            context,
        ),
        Job::Demote(id) => acknowledged(
            world,
            said,
            "is no longer served",
            &format!("SELECT count(*) FROM entry WHERE act IN (6, 18) AND item = 'M-{id}'"),
            context,
        ),
        Job::Erase(item) => acknowledged(
            world,
            said,
            " is erased (",
            &format!("SELECT count(*) FROM erased WHERE item = '{item}'"),
            context,
        ),
        Job::Document(_) => {
            let id = said.out.split("K-").nth(1).map(|rest| {
                let digits = rest.chars().take_while(char::is_ascii_digit);
                digits.collect::<String>()
            });
            let id = id.filter(|id| !id.is_empty()).unwrap_or_default();
            let sql = format!("SELECT count(*) FROM entry WHERE act = 11 AND item = 'K-{id}'");
            acknowledged(world, said, " added: ", &sql, context)
        }
        other => panic!("{context}: {other:?} is no decision"),
    }
}

fn acknowledged(world: &World, said: &Said, word: &str, sql: &str, context: &str) -> bool {
    let done = said.out.contains(word);
    assert!(
        !done || world.count(sql) > 0,
        "{context}: acknowledged and lost: {said:?}"
    );
    done
}

/// The ledger verifies, by a reviewer who saw every round, and everything agrees with everything.
fn whole(world: &World, context: &str) {
    let checked = world.run(["store", "check", "--json"]);
    let problems = checked.json()["problems"].clone();
    // A sweep that was killed between its entry and the file says so, and the next one finishes.
    let unfinished = |problem: &&Value| {
        problem
            .as_str()
            .unwrap()
            .contains("run `countersign store sweep`")
    };
    let list = problems.as_array().unwrap();
    let all_unfinished = list.iter().all(|problem| unfinished(&problem));
    assert!(all_unfinished, "{context}: {problems}");
    if !list.is_empty() {
        world.run(["store", "sweep"]).exits(0);
    }
    let ran = world.run(["audit", "verify"]);
    assert_eq!(ran.code, 0, "{context}: {}", ran.out);
}
