//! How good the gate is and how fast: `cargo bench --bench eval` prints the tables.
//!
//! Reads the labelled rows of `../shared/data/gate`, or of the folder that `COUNTERSIGN_SHARED` names.
//! They are development halves: every figure here is a development figure, never a result.

#![expect(clippy::print_stdout, reason = "a bench answers on standard output")]

use countersign::domain::Verdict;
use countersign::gate::Policy;
use countersign::gate::eval::{Row, Summary};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// How much text the throughput is measured on, in bytes.
const VOLUME: usize = 80_000_000;

/// Tables, each with its sets.
const TABLES: &[(&str, &[&str])] = &[
    (
        "memory-shaped",
        &[
            "mem_dev.jsonl.gz",
            "mem_seed_pairs.jsonl.gz",
            "mem_attack_and_benign.jsonl.gz",
            "memshield_train.jsonl",
        ],
    ),
    (
        "general injections",
        &[
            "mixed_bastioncorpus.jsonl",
            "inj_cyberseceval.jsonl",
            "mixed_injecguard_valid.jsonl",
            "inj_agentdojo.jsonl",
            "inj_injecagent.jsonl",
            "inj_garak_sysprompt.jsonl",
            "mixed_agt_smoke.jsonl",
        ],
    ),
    (
        "ordinary memories",
        &[
            "benign_memori_facts.jsonl",
            "benign_task_state.jsonl",
            "benign_banking77.jsonl",
            "benign_bipia_email.jsonl",
            "benign_devbench.jsonl",
        ],
    ),
    (
        "over-defence traps",
        &[
            "benign_notinject.jsonl",
            "benign_docs_hard.jsonl",
            "benign_directive_agents_md.jsonl",
            "benign_mitre_frr.jsonl",
        ],
    ),
    ("secrets in sentences", &["secrets_memory_shaped.jsonl.gz"]),
];

fn main() -> Outcome<()> {
    let policy = Policy::shipped()?;
    let folder = std::env::var_os("COUNTERSIGN_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
        PathBuf::from,
    );
    let folder = folder.join("gate");
    println!("development half, policy and packs {}", policy.hash());
    let mut texts = Vec::new();
    for (title, sets) in TABLES {
        println!(
            "\n{title:32} caught: text only, with provenance   benign held: text only, with provenance"
        );
        for set in *sets {
            let Ok(rows) = rows(&folder.join(set)) else {
                println!("{set:32} is not in {}", folder.display());
                continue;
            };
            line(set, &rows, &policy)?;
            texts.extend(rows);
        }
    }
    if texts.is_empty() {
        return Ok(());
    }
    speed(&texts, &policy)
}

fn rows(path: &Path) -> Outcome<Vec<Row>> {
    let bytes = std::fs::read(path)?;
    let text = if path.extension().is_some_and(|end| end == "gz") {
        let mut text = String::new();
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text)?;
        text
    } else {
        String::from_utf8(bytes)?
    };
    Ok(text
        .lines()
        .filter_map(|line| Row::parse(line).ok())
        .collect())
}

/// One set, by text alone and with what is known about where it came from.
fn line(set: &str, rows: &[Row], policy: &Policy) -> Outcome<()> {
    let (mut alone, mut known) = (Summary::default(), Summary::default());
    for row in rows {
        alone.add(row, row.text_only().judge(policy)?.verdict);
        known.add(row, row.judge(policy)?.verdict);
    }
    let share = |part: u64, whole: u64| match whole {
        0 => "     -     ".to_owned(),
        _ => format!("{part:4} / {whole:<4}"),
    };
    let (a, k) = (alone.all, known.all);
    println!(
        "{set:32} {}  {}            {}  {}",
        share(a.caught, a.attacks),
        share(k.caught, k.attacks),
        share(a.benign_quarantined, a.benign),
        share(k.benign_quarantined, k.benign),
    );
    for (category, tally) in known.categories.iter().filter(|(_, t)| t.attacks > 0) {
        println!("    {category:28} {}", share(tally.caught, tally.attacks));
    }
    Ok(())
}

/// Throughput over memory-like text, and the time of one claim.
fn speed(rows: &[Row], policy: &Policy) -> Outcome<()> {
    let claims: Vec<&Row> = rows.iter().filter(|row| row.text.len() <= 1000).collect();
    let (mut bytes, mut held) = (0_usize, 0_usize);
    let mut times = Vec::new();
    let began = Instant::now();
    for row in claims.iter().cycle() {
        let one = Instant::now();
        let verdict = row.judge(policy)?.verdict;
        times.push(one.elapsed());
        held += usize::from(verdict == Verdict::Quarantine);
        bytes += row.text.len();
        if bytes >= VOLUME {
            break;
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    times.sort_unstable();
    let at = |hundredth: usize| {
        times
            .get(times.len() * hundredth / 100)
            .copied()
            .unwrap_or_default()
    };
    println!(
        "\nthroughput: {bytes} bytes in {} claims, {held} held, {seconds:.1} s; a claim takes {:?} at p50, {:?} at p99",
        times.len(),
        at(50),
        at(99)
    );
    Ok(())
}
