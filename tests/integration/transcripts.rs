//! From real transcripts and a real stream of requests to the queue, and never further by itself.

use crate::world::{World, shared, strings};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const CASES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/cases/transcript/claude_code"
);
const ALL_CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/transcript");
const FACT: &str = "Refunds take five working days.";

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_none_or(|kind| kind != "tsv") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[track_caller]
fn ingest(world: &World, path: &Path) -> Value {
    let path = path.display().to_string();
    world
        .run([
            "ingest",
            "--layer",
            "acme/emea",
            "--user",
            "u-1",
            "--json",
            &path,
        ])
        .exits(0)
        .json()
}

/// Ingests every file twice: the first time without a failure, the second time without anything new.
#[track_caller]
fn ingest_twice(folder: &Path) -> World {
    let world = World::new();
    let all = files(folder);
    assert!(!all.is_empty(), "no transcripts in {}", folder.display());
    for path in &all {
        let first = ingest(&world, path);
        assert_eq!(
            first["bytes"].as_u64(),
            Some(std::fs::metadata(path).unwrap().len()),
            "{first}"
        );
    }
    let count = || {
        ["observation", "candidate", "artifact", "entry"]
            .map(|table| world.count(&format!("SELECT count(*) FROM {table}")))
    };
    let before = count();
    for path in &all {
        let again = ingest(&world, path);
        let new = (&again["observed"], &again["candidates"], &again["known"]);
        assert_eq!(new, (&json!(0), &json!(0), &json!(true)), "{again}");
    }
    assert_eq!(count(), before);
    world.is_whole();
    world
}

#[test]
fn every_real_transcript_is_ingested_and_the_second_time_adds_nothing() {
    let Some(folder) = shared("every_real_transcript_is_ingested", "transcripts") else {
        return;
    };
    let world = ingest_twice(&folder);
    let observed = world.count("SELECT count(*) FROM observation");
    assert!(observed > 20, "{observed} of a person's own words");
    world.detect();
    assert_eq!(world.recalled("acme/emea"), [""; 0]);
}

#[test]
fn every_sample_transcript_is_ingested_and_the_second_time_adds_nothing() {
    ingest_twice(Path::new(ALL_CASES));
}

#[test]
fn a_fabricated_directive_in_a_compaction_summary_never_reaches_recall() {
    let world = World::new();
    let sample = Path::new(CASES).join("cc_compact_fabricated.jsonl");
    let listed = ingest(&world, &sample);
    assert_eq!(
        listed["candidates"], 0,
        "nothing is proposed unasked: {listed}"
    );
    let claims = listed["summaries"][0]["claims"].as_array().unwrap();
    let fabricated = claims
        .iter()
        .find(|claim| {
            claim["text"]
                .as_str()
                .unwrap()
                .contains("deploy to production")
        })
        .unwrap();
    assert_eq!(fabricated["standing"], "unsupported", "{fabricated}");
    assert!(
        claims.iter().all(|claim| claim["trust"] == "model"),
        "{claims:?}"
    );
    let path = sample.display().to_string();
    let ask = [
        "ingest",
        "--layer",
        "acme/emea",
        "--user",
        "u-1",
        "--propose-summaries",
        "--json",
        &path,
    ];
    let report = world.run(ask).exits(0).json();
    assert!(report["candidates"].as_u64() > Some(0), "{report}");
    assert_eq!(
        world.run(ask).exits(0).json()["candidates"],
        0,
        "proposed once"
    );
    let observed =
        "SELECT count(*) FROM observation WHERE text LIKE '%deploy%' OR text LIKE '%CHECKPOINT%'";
    assert_eq!(world.count(observed), 0, "a summary is nobody's sighting");
    let directive = |row: &&Value| {
        row["claim"]
            .as_str()
            .unwrap()
            .contains("deploy to production")
    };
    let held = world.queue("quarantined");
    let held: Vec<&Value> = held.iter().filter(directive).collect();
    assert!(!held.is_empty(), "the directive stands in quarantine");
    assert!(held.iter().all(|row| row["trust"] == "model"), "{held:?}");
    assert_eq!(world.queue("pending").iter().filter(directive).count(), 0);
    world.detect();
    for query in ["deploy production", "checkpoint", "shops", ""] {
        let ran = world
            .run([
                "recall",
                "--layer",
                "acme/emea",
                "--query",
                query,
                "--format",
                "block",
            ])
            .exits(0);
        assert!(!ran.out.contains("deploy"), "{}", ran.out);
    }
    assert_eq!(world.recalled("acme/emea"), [""; 0]);
}

#[test]
fn only_a_persons_own_words_are_observed_and_a_broken_line_costs_itself() {
    let world = World::new();
    let report = ingest(
        &world,
        &Path::new(CASES).join("cc_user_vs_tool_result.jsonl"),
    );
    let database = world.database();
    let mut find = database
        .prepare("SELECT text FROM observation WHERE origin = 0")
        .unwrap();
    let texts: Vec<String> = find
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(texts, ["Run the tests"]);
    assert_eq!(report["problem_count"], 1, "{report}");
    assert_eq!(report["problems"][0]["line"], 5);
}

/// A transcript grows while its session goes on, and its records are copied when it is resumed.
#[test]
fn a_transcript_that_grew_or_was_copied_gives_what_is_new_only() {
    let world = World::new();
    let record = |n: u32| {
        let record = json!({ "type": "user", "uuid": format!("u-{n}"), "sessionId": "s-1", "timestamp": "2026-11-30T10:00:00Z",
            "message": { "role": "user", "content": format!("Request number {n}, please.") } });
        format!("{record}\n")
    };
    let write = |name: &str, records: &[u32]| {
        let text: String = records.iter().map(|n| record(*n)).collect();
        PathBuf::from(world.file(name, text))
    };
    let observed = |path: &Path| {
        let report = ingest(&world, path);
        (
            report["observed"].as_u64().unwrap(),
            report["duplicates"].as_u64().unwrap(),
        )
    };
    assert_eq!(observed(&write("session.jsonl", &[1, 2])), (2, 0));
    assert_eq!(observed(&write("session.jsonl", &[1, 2, 3])), (1, 0));
    assert_eq!(observed(&write("session.jsonl", &[2, 1, 3])), (0, 3));
    assert_eq!(observed(&write("resumed.jsonl", &[1, 2, 3, 4])), (1, 3));
    assert_eq!(world.count("SELECT count(*) FROM observation"), 4);
}

#[test]
fn a_stream_of_real_requests_fills_the_queue() {
    let Some(file) = shared(
        "a_stream_of_real_requests_fills_the_queue",
        "recurrence/banking77_dev.jsonl",
    ) else {
        return;
    };
    let world = World::new();
    let rows: Vec<Value> = std::fs::read_to_string(file)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut input = String::new();
    for row in &rows {
        let fields = ["text", "layer", "user", "session", "at"]
            .map(|key| (key.to_owned(), row[key].clone()));
        input.push_str(&format!(
            "{}\n",
            Value::Object(fields.into_iter().collect())
        ));
    }
    // What people say recurs in meaning; the detector of today sees exact repeats, so these are made.
    let repeated: std::collections::BTreeSet<&str> = rows
        .iter()
        .filter_map(|row| row["text"].as_str())
        .step_by(60)
        .collect();
    for (at, text) in repeated.iter().enumerate() {
        for again in 0..6 {
            let spelled = if again % 2 == 0 {
                (*text).to_owned()
            } else {
                text.to_uppercase()
            };
            let row = json!({ "text": spelled, "layer": "acme/support/banking77", "user": format!("v-{}", again % 4),
                "session": format!("t-{at}-{again}"), "at": world.now().plus_days(-(again % 3)).to_string(), "key": format!("k-{at}-{again}") });
            input.push_str(&format!("{row}\n"));
        }
    }
    let answer = world.feed(&input, ["observe", "--json"]).exits(0).json();
    assert_eq!(answer["errors"], 0, "{answer}");
    let detected = world.detect();
    assert_eq!(detected["observations"], answer["observed"]);
    let waiting = world.queue("pending").len() + world.queue("quarantined").len();
    assert_eq!(detected["proposed"].as_u64(), u64::try_from(waiting).ok());
    assert!(
        waiting * 10 >= repeated.len() * 9,
        "{waiting} of {} repeated requests",
        repeated.len()
    );
    assert_eq!(
        world.detect()["observations"],
        0,
        "what was looked at is not looked at again"
    );
    assert_eq!(world.recalled("acme/support/banking77"), [""; 0]);
    world.is_whole();
}

/// `render` writes the mark and `transcript` knows it; the two rooms are strangers, this test is not.
#[test]
fn a_context_block_that_comes_back_is_recognised_as_our_own_words() {
    let world = World::new();
    world.remember(FACT, "acme/emea");
    for (n, format) in ["block", "json"].into_iter().enumerate() {
        let handed_over = world
            .run(["recall", "--layer", "acme/emea", "--format", format])
            .exits(0)
            .out;
        if format == "block" {
            assert!(handed_over.starts_with(countersign::render::MARK));
        }
        let content = [
            handed_over.clone(),
            format!("<system-reminder>{handed_over}</system-reminder>"),
            format!("{handed_over}Please answer the customer number {n}."),
        ];
        let mut transcript = String::new();
        for (at, content) in content.iter().enumerate() {
            let record = json!({ "type": "user", "uuid": format!("{format}-{at}"), "sessionId": "s-9", "timestamp": "2026-11-30T10:00:00Z",
                "message": { "role": "user", "content": content } });
            transcript.push_str(&format!("{record}\n"));
        }
        ingest(
            &world,
            Path::new(&world.file(&format!("{format}.jsonl"), transcript)),
        );
    }
    let direct = "SELECT count(*) FROM observation WHERE origin = 0 AND text LIKE '%working days%'";
    assert_eq!(
        world.count(direct),
        0,
        "our own words are nobody's sighting"
    );
    let recalled =
        "SELECT count(*) FROM observation WHERE origin = 1 AND text LIKE '%working days%'";
    assert!(world.count(recalled) >= 2);
    let own = "SELECT count(*) FROM observation WHERE origin = 0 AND text LIKE 'Please answer%'";
    assert_eq!(
        world.count(own),
        1,
        "the person's words beside the block are theirs"
    );
    world.detect();
    let echoes: Vec<Value> = world
        .run(["detect", "patterns", "--json"])
        .exits(0)
        .lines()
        .into_iter()
        .filter(|pattern| pattern["wordings"].to_string().contains("working days"))
        .collect();
    assert!(
        echoes.iter().all(|pattern| pattern["users"] == 0),
        "{echoes:?}"
    );
}

/// Found: the form for people carries no mark that an ingester knows.
#[test]
fn the_text_form_of_a_recall_that_comes_back_is_recognised_too() {
    let world = World::new();
    world.remember(FACT, "acme/emea");
    let content = world
        .line("recall --layer acme/emea --format text")
        .exits(0)
        .out;
    let record = json!({ "type": "user", "uuid": "u", "sessionId": "s-9", "message": { "role": "user", "content": content } });
    ingest(
        &world,
        Path::new(&world.file("text.jsonl", format!("{record}\n"))),
    );
    assert_eq!(
        world.count("SELECT count(*) FROM observation WHERE origin = 0"),
        0
    );
}

#[test]
fn unknown_records_are_kept_counted_and_reported() {
    let world = World::new();
    let transcript = b"{\"type\":\"user\",\"uuid\":\"u\",\"sessionId\":\"s\",\"message\":{\"role\":\"user\",\"content\":\"A request.\"}}\n\
         {\"type\":\"hologram\",\"uuid\":\"h\"}\n{\"type\":\"hologram\",\"uuid\":\"i\"}\n\0\0\0\n\xff\n[1,2]\n";
    let path = PathBuf::from(world.file("session.jsonl", transcript));
    let report = ingest(&world, &path);
    assert_eq!(report["observed"], 1);
    assert_eq!(report["unknown"]["hologram"], 2, "{report}");
    assert_eq!(report["problem_count"], 3, "{report}");
    let artifact = report["artifact"].as_str().unwrap();
    let why = world.run(["why", artifact, "--json"]).exits(0).json();
    assert_eq!(
        (&why["kind"], &why["standing"]),
        (&json!("artifact"), &json!("held"))
    );
    let text = world
        .run([
            "ingest",
            "--layer",
            "acme",
            "--user",
            "u",
            &path.display().to_string(),
        ])
        .exits(0);
    assert!(
        text.out.contains("2 records of unknown type `hologram`"),
        "{}",
        text.out
    );
}

#[test]
fn a_ten_megabyte_line_costs_itself() {
    let world = World::new();
    let long = "x".repeat(10 * 1024 * 1024);
    let transcript = format!(
        "{{\"type\":\"user\",\"uuid\":\"a\",\"sessionId\":\"s\",\"message\":{{\"content\":\"{long}\"}}}}\n\
         {{\"type\":\"user\",\"uuid\":\"b\",\"sessionId\":\"s\",\"message\":{{\"content\":\"A request.\"}}}}\n"
    );
    let report = ingest(&world, Path::new(&world.file("long.jsonl", transcript)));
    assert_eq!(
        report["bytes"].as_u64().map(|bytes| bytes > 10_000_000),
        Some(true)
    );
    let texts = strings(
        &json!(
            world
                .run(["audit", "log", "observe", "--json"])
                .exits(0)
                .lines()
        ),
        "act",
    );
    assert_eq!(texts, ["observe"], "{report}");
    assert_eq!(
        world.count("SELECT count(*) FROM observation WHERE text = 'A request.'"),
        1
    );
    world.is_whole();
}
