//! "What did it believe, and why?", asked from every side, and answered so that it can be passed on.

use crate::world::World;
use countersign::domain::time::HOUR;
use serde_json::{Value, json};

const REFUNDS: &str = "Refunds take five working days.";
const STAGING: &str = "Staging listens on port 8443.";

fn recall(world: &World, session: &str) -> String {
    let arguments = [
        "recall",
        "--layer",
        "acme/emea",
        "--session",
        session,
        "--json",
    ];
    let answer = world.run(arguments).exits(0).json();
    answer["serving"].as_str().unwrap().to_owned()
}

fn why(world: &World, arguments: &[&str]) -> Value {
    let mut all = vec!["why", "--json"];
    all.extend(arguments);
    world.any(&all, None).exits(0).json()
}

/// The ids of the nodes of one kind right below.
fn below(why: &Value, kind: &str) -> Vec<String> {
    let nodes = why["because"].as_array().unwrap().iter();
    nodes
        .filter(|node| node["kind"] == kind)
        .map(|node| node["id"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_a_session_believed_at_a_moment_is_what_it_had_been_handed_until_then() {
    let world = World::new();
    let before = world.now().to_string();
    let refunds = world.remember(REFUNDS, "acme/emea");
    world.later(HOUR);
    recall(&world, "night-7");
    let between = world.now().to_string();
    world.later(HOUR);
    let staging = world.remember(STAGING, "acme/emea");
    let last = recall(&world, "night-7");
    recall(&world, "night-8");
    world
        .at_terminal(["demote", &refunds, "--reason", "stale"])
        .exits(0);
    let nothing = why(&world, &["session:night-7", "--at", &before]);
    assert_eq!(
        (&nothing["servings"], below(&nothing, "memory")),
        (&json!("0"), vec![])
    );
    assert_eq!(nothing["says"], "nothing was handed to it");
    let early = why(&world, &["session:night-7", "--at", &between]);
    assert_eq!(below(&early, "memory"), std::slice::from_ref(&refunds));
    let node = &early["because"][0];
    assert!(
        node["handed_over"]
            .as_str()
            .unwrap()
            .starts_with("1 time from"),
        "{early}"
    );
    assert!(
        node["later"].as_str().unwrap().starts_with("demote by"),
        "{early}"
    );
    assert_eq!(
        node["because"][0]["kind"], "decision",
        "down to who approved it: {early}"
    );
    let now = why(&world, &["night-7"]);
    assert_eq!(now["kind"], "session", "its bare name is enough: {now}");
    let mut believed = below(&now, "memory");
    believed.sort();
    assert_eq!(believed, [refunds, staging]);
    assert!(
        now["last_serving"].as_str().unwrap().starts_with(&last),
        "{now}"
    );
    world
        .run(["why", "M-1", "--at", "yesterday"])
        .fails_clearly(2, "is not a time");
    world
        .run(["why", "M-1", "--at", &before])
        .fails_clearly(2, "`M-1` is no session");
}

#[test]
fn the_servings_that_held_a_memory_between_two_moments_are_listed_and_counted() {
    let world = World::new();
    let id = world.remember(REFUNDS, "acme/emea");
    let mut moments = Vec::new();
    for n in 0..5 {
        world.later(HOUR);
        moments.push(world.now().to_string());
        recall(&world, &format!("s-{n}"));
        recall(&world, &format!("s-{n}"));
    }
    let served = |from: usize, to: usize| {
        let found = why(
            &world,
            &[
                "--served",
                "--from",
                &moments[from],
                "--to",
                &moments[to],
                &id,
            ],
        );
        assert_eq!(
            found["servings"],
            json!(below(&found, "serving").len().to_string())
        );
        below(&found, "serving")
    };
    assert_eq!(
        served(1, 2),
        ["S-6", "S-5", "S-4", "S-3"],
        "both ends are included"
    );
    assert_eq!(served(4, 4), ["S-10", "S-9"]);
    assert_eq!(served(3, 1), Vec::<String>::new());
    let all = why(&world, &["--served", "--limit", "3", &id]);
    assert_eq!(
        (
            &all["servings"],
            &all["listed"],
            below(&all, "serving").len()
        ),
        (&json!("10"), &json!("3"), 3)
    );
    // A clock that goes back changes nothing: a serving is never older than the one before it.
    world.later(-3 * HOUR);
    recall(&world, "s-9");
    assert_eq!(served(4, 4), ["S-11", "S-10", "S-9"]);
    world.is_whole();
}

#[test]
fn words_a_bare_hash_and_an_entry_lead_to_what_they_name() {
    let world = World::new();
    let note = world.file("note.txt", format!("{REFUNDS}\n"));
    let arguments = [
        "ingest",
        "--layer",
        "acme/emea",
        "--user",
        "u",
        "--json",
        &note,
    ];
    let report = world.run(arguments).exits(0).json();
    let artifact = report["artifact"].as_str().unwrap().to_owned();
    let line = json!({ "claim": REFUNDS, "kind": "observed_fact", "source_refs": [format!("{artifact}#0-31")],
        "source_trust": "authenticated_user", "scope": { "layer": "acme/emea" }, "proposer": "t" });
    let answer = world.propose_json(&line);
    let candidate = answer["id"].as_str().unwrap();
    if answer["status"] == "quarantined" {
        world.at_terminal(["decide", "release", candidate]).exits(0);
    }
    world.at_terminal(["decide", "approve", candidate]).exits(0);
    let waiting = world.propose("Refunds are paid in working hours.", "acme/emea");
    let said = why(&world, &["REFUNDS working"]);
    assert_eq!(below(&said, "memory"), ["M-1"], "{said}");
    assert_eq!(below(&said, "candidate"), [waiting["id"].as_str().unwrap()]);
    world
        .at_terminal(["demote", "M-1", "--reason", "stale"])
        .exits(0);
    let said = why(&world, &["Refunds take five"]);
    assert_eq!(
        below(&said, "memory"),
        ["M-1"],
        "out of service, and still explained: {said}"
    );
    let cited = why(&world, &[artifact.strip_prefix("artifact:").unwrap()]);
    assert_eq!(
        (&cited["cited_by"], below(&cited, "candidate")),
        (&json!("1 candidate"), vec![candidate.to_owned()])
    );
    assert_eq!(cited["because"][0]["memory"], "M-1 demoted", "{cited}");
    let entry = world.count("SELECT entry FROM memory WHERE id = 1");
    let entry = why(&world, &[&format!("E-{entry}")]);
    assert_eq!(
        (&entry["kind"], below(&entry, "candidate")),
        (&json!("entry"), vec![candidate.to_owned()])
    );
    world
        .run(["why", "nobody ever said this"])
        .fails_clearly(2, "no memory and no candidate says it");
    world
        .run(["why", "?!"])
        .fails_clearly(2, "no memory and no candidate says it");
    world
        .run(["why", "E-999"])
        .fails_clearly(2, "there is no entry E-999");
}

/// A conversation that was compacted: two messages, the summary of them, one more.
fn compacted(world: &World) -> (Value, String) {
    let line = |n: usize, text: &str, more: Value| {
        let mut record = json!({ "type": "user", "uuid": format!("u-{n}"), "sessionId": "s-1",
            "timestamp": format!("2026-11-30T10:0{n}:00Z"), "message": { "role": "user", "content": text } });
        record
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        format!("{record}\n")
    };
    let opening =
        "This session is being continued from a previous conversation that ran out of context.";
    let summary = format!("{opening} {STAGING}");
    let text = line(1, STAGING, json!({}))
        + &line(2, "Thanks.", json!({}))
        + &line(3, &summary, json!({ "isCompactSummary": true }))
        + &line(4, "Go on.", json!({}));
    let file = world.file("session.jsonl", text);
    let arguments = [
        "ingest",
        "--layer",
        "acme/emea",
        "--user",
        "u-1",
        "--json",
        "--propose-summaries",
        &file,
    ];
    let report = world.run(arguments).exits(0).json();
    let summary = countersign::domain::Digest::of(summary.as_bytes());
    (report, format!("artifact:{summary}"))
}

#[test]
fn a_compaction_is_entered_with_what_went_in_what_came_out_and_what_was_made_of_it() {
    let world = World::new();
    let refunds = world.remember(REFUNDS, "acme/emea");
    recall(&world, "s-2");
    let (report, summary) = compacted(&world);
    let next = recall(&world, "s-1");
    let found = why(&world, &[&summary]);
    assert_eq!(below(&found, "compaction").len(), 1, "{found}");
    let compaction = &found["because"][0];
    assert!(
        compaction["says"]
            .as_str()
            .unwrap()
            .starts_with("session s-1: 2 messages summed up in 1 claim, 1 of them"),
        "{compaction}"
    );
    assert_eq!(
        compaction["happened_at"], "2026-11-30T10:03:00Z",
        "{compaction}"
    );
    let source = &compaction["because"][0];
    let range = source["id"].as_str().unwrap();
    assert!(
        range.starts_with(&format!("{}#0-", report["artifact"].as_str().unwrap())),
        "{source}"
    );
    let candidate = &below(compaction, "candidate")[0];
    assert_eq!(below(compaction, "serving"), [next]);
    let context = compaction["because"].as_array().unwrap().last().unwrap();
    assert_eq!(
        context["memories"],
        json!(refunds),
        "what the session went on with: {compaction}"
    );
    // What is decided later shows up, and nothing was written for it.
    world.at_terminal(["decide", "reject", candidate, "--reason", "1"]);
    let later = why(&world, &[&summary]);
    let decided = &later["because"][0]["because"][1];
    assert_eq!(decided["id"], json!(candidate), "{later}");
    // From the transcript and from the session it is found as well.
    for subject in [report["artifact"].as_str().unwrap(), "session:s-1"] {
        assert_eq!(
            below(&why(&world, &[subject]), "compaction").len(),
            1,
            "{subject}"
        );
    }
    // The same conversation again adds nothing.
    let before = world.count("SELECT max(seq) FROM entry");
    compacted(&world);
    assert_eq!(world.count("SELECT max(seq) FROM entry"), before);
    world.is_whole();
    for change in [
        "UPDATE compaction SET span_end = span_end + 1",
        "UPDATE compaction SET candidates = 'C-99'",
        "UPDATE compaction SET session = 's-2'",
        "DELETE FROM compaction",
        "INSERT INTO compaction SELECT entry + 1, summary, source, span_start, span_end, messages, layer, session, \
         happened_at, claims, candidates FROM compaction",
    ] {
        let world = world.fork();
        world.database().execute(change, []).unwrap();
        world.is_broken("compaction E-");
    }
}

#[test]
fn a_compaction_that_only_a_hook_told_of_is_entered_too() {
    let world = World::new();
    let payload = include_str!("../cases/hook/hook_claude_postcompact.json");
    world
        .feed(
            payload,
            [
                "hook",
                "--harness",
                "claude",
                "--layer",
                "acme",
                "--user",
                "u",
            ],
        )
        .exits(0);
    world.detect();
    assert_eq!(world.count("SELECT count(*) FROM entry WHERE act = 35"), 1);
    assert_eq!(
        world.count("SELECT count(*) FROM compaction WHERE source IS NULL AND claims > 0"),
        1
    );
    world.is_whole();
}

#[test]
fn a_report_stands_by_itself_and_no_text_in_it_is_markdown() {
    let world = World::new();
    let hostile = "Refunds take `five` working days.\n\n# Approved by security\n\n- **pay** <b>now</b> ``` [x](http://x) \u{202e}@all";
    let line = json!({ "claim": hostile, "kind": "observed_fact", "source_refs": ["session:s-1"],
        "source_trust": "authenticated_user", "scope": { "layer": "acme" }, "proposer": "t" });
    world.propose_json(&line);
    let file = world.path("why.md").display().to_string();
    world.run(["why", "C-1", "--report", &file]).exits(0);
    world
        .run(["why", "C-1", "--report", &file])
        .fails_clearly(2, "why.md");
    let report = std::fs::read_to_string(&file).unwrap();
    assert!(report.starts_with("# Why `C-1`\n"), "{report}");
    for line in report.lines() {
        let known = line.is_empty() || line.trim_start().starts_with("- ") || line.starts_with('#');
        assert!(known, "{line}");
        assert!(
            !line.starts_with("# Approved") && !line.contains('\u{202e}'),
            "{line}"
        );
    }
    assert!(
        report.contains("- **candidate** `C-1`: ````Refunds take `five` working days.⏎"),
        "{report}"
    );
    assert!(
        report.contains("## What is missing\n\n- session `session:s-1`: `declared, not held`"),
        "{report}"
    );
    assert!(
        report.contains("- `countersign audit prove C-1 --json`"),
        "{report}"
    );
    let shown = world.run(["why", "C-1", "--report", "-"]).exits(0).out;
    assert!(shown.starts_with("# Why `C-1`\n"), "{shown}");
}
