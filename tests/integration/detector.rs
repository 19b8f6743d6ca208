//! The detector's acts from outside: layers, thresholds, what is known, what speaks against a
//! memory, explanations, and a detector that is killed again and again.

use crate::world::{World, strings};
use serde_json::{Value, json};
use std::process::{Command, Stdio};

/// One sighting a line: who, where, which session, how many days ago, what.
fn said(world: &World, rows: &[(&str, &str, &str, i64, &str)]) {
    let lines: Vec<String> = rows
        .iter()
        .map(|(user, layer, session, ago, text)| {
            let at = world.now().plus_days(-ago).to_string();
            json!({ "text": text, "layer": layer, "user": user, "session": session, "at": at })
                .to_string()
        })
        .collect();
    world.feed(lines.join("\n"), ["observe", "--json"]).exits(0);
}

/// So many users of a layer, each in two sessions, over two days.
fn people(world: &World, layer: &str, users: std::ops::Range<u32>, text: &str) {
    let mut rows = Vec::new();
    let names: Vec<(String, String)> = users
        .flat_map(|n| (0..2).map(move |s| (format!("u{n}"), format!("s{n}-{s}"))))
        .collect();
    for (at, (user, session)) in names.iter().enumerate() {
        rows.push((
            user.as_str(),
            layer,
            session.as_str(),
            (at % 2) as i64,
            text,
        ));
    }
    said(world, &rows);
}

fn patterns(world: &World) -> Vec<Value> {
    world.run(["detect", "patterns", "--json"]).exits(0).lines()
}

fn pattern_of(world: &World, layer: &str, claim: &str) -> Value {
    let all = patterns(world);
    let found = all
        .iter()
        .find(|one| one["layer"] == layer && one["claim"] == claim);
    found
        .unwrap_or_else(|| panic!("{layer} {claim}: {all:?}"))
        .clone()
}

const REFUND: &str = "Refunds are paid within 5 working days";

#[test]
fn what_recurs_in_one_layer_is_proposed_for_it_and_nowhere_else() {
    let world = World::new();
    people(&world, "acme/emea/berlin", 0..4, REFUND);
    people(&world, "acme/emea/paris", 10..11, REFUND);
    assert_eq!(world.detect()["proposed"], 1);
    let queue = world.queue("pending");
    assert_eq!(strings(&json!(queue), "layer"), ["acme/emea/berlin"]);
    world.is_whole();
}

#[test]
fn what_several_layers_say_together_is_proposed_for_the_lowest_they_have_in_common() {
    let world = World::new();
    people(&world, "acme/emea/berlin", 0..2, REFUND);
    people(&world, "acme/emea/paris", 10..11, REFUND);
    people(
        &world,
        "acme/apac/tokyo",
        20..21,
        "The lift is broken again",
    );
    people(&world, "other/emea/berlin", 30..32, REFUND);
    assert_eq!(world.detect()["proposed"], 1);
    let queue = world.queue("pending");
    assert_eq!(strings(&json!(queue), "layer"), ["acme/emea"]);
    assert_eq!(queue[0]["users"], 3);
    // What grows below grows there, and is not proposed a second time.
    people(&world, "acme/emea/paris", 11..16, REFUND);
    assert_eq!(world.detect()["proposed"], 0);
    assert_eq!(world.queue("pending")[0]["users"], 8);
    // A layer that says it for the first time is counted from then on.
    people(&world, "acme/emea/rome", 40..42, REFUND);
    assert_eq!(world.detect()["proposed"], 0);
    assert_eq!(world.queue("pending")[0]["users"], 10);
    let whole = pattern_of(&world, "acme/emea", REFUND);
    let explained = world
        .run([
            "detect",
            "explain",
            whole["pattern"].as_str().unwrap(),
            "--json",
        ])
        .exits(0)
        .json();
    assert_eq!(
        explained["counts"].as_array().unwrap().len(),
        3,
        "{explained}"
    );
    world.is_whole();
}

#[test]
fn a_wider_layer_that_qualifies_later_names_what_was_proposed_below() {
    let world = World::new();
    people(&world, "acme/emea/berlin", 0..4, REFUND);
    assert_eq!(world.detect()["proposed"], 1);
    let first = world.queue("pending")[0]["id"].clone();
    people(&world, "acme/emea/paris", 10..14, REFUND);
    assert_eq!(world.detect()["proposed"], 1);
    let queue = world.queue("pending");
    assert_eq!(
        strings(&json!(queue), "layer"),
        ["acme/emea/berlin", "acme/emea"]
    );
    let id = queue[1]["id"].as_str().unwrap();
    let view = world.run(["queue", "show", id, "--json"]).exits(0).json();
    let known = view["known"].as_array().unwrap();
    assert!(
        known
            .iter()
            .any(|one| one["relation"] == "below" && one["item"] == first),
        "{known:?}"
    );
    world.is_whole();
}

#[test]
fn enough_people_who_say_otherwise_mark_a_memory_until_a_person_decides() {
    let world = World::new();
    let memory = world.remember(REFUND, "acme/emea");
    let listed = || world.run(["memory", "list", "--json"]).exits(0).lines();
    people(
        &world,
        "acme/emea/berlin",
        0..1,
        "Refunds are paid within 9 working days",
    );
    world.detect();
    assert_eq!(listed()[0]["stale"], json!([]), "one person is not enough");
    people(
        &world,
        "acme/emea/berlin",
        1..3,
        "Refunds are paid within 9 working days",
    );
    world.detect();
    let why = listed()[0]["stale"][0].as_str().unwrap().to_owned();
    assert!(why.starts_with("contradicted by 3 people since"), "{why}");
    assert_eq!(
        world.recalled("acme/emea/berlin").len(),
        1,
        "it is still served"
    );
    let view = world
        .run(["memory", "show", &memory, "--json"])
        .exits(0)
        .json();
    assert!(
        view["stale"].to_string().contains("9 working days"),
        "{view}"
    );
    assert!(view["history"].to_string().contains("stale"), "{view}");
    let queue = world.queue("pending");
    let id = queue[0]["id"].as_str().unwrap();
    let shown = world.run(["queue", "show", id, "--json"]).exits(0).json();
    assert_eq!(shown["known"][0]["relation"], "supersedes", "{shown}");
    assert_eq!(shown["known"][0]["item"], memory.as_str());
    world.is_whole();
    world.later(1000);
    // A person's decision answers it.
    world
        .at_terminal(["demote", &memory, "--reason", "stale"])
        .exits(0);
    world.later(1000);
    world
        .at_terminal(["restore", &memory, "--reason", "it still holds"])
        .exits(0);
    assert_eq!(listed()[0]["stale"], json!([]));
    world.is_whole();
    // A row without its entry is found.
    world
        .database()
        .execute("DELETE FROM memory_stale", [])
        .unwrap();
    world.is_broken("speaks against memories");
}

#[test]
fn still_true_answers_what_is_said_against_a_memory_and_recall_says_it_until_then() {
    let world = World::new();
    let memory = world.remember(REFUND, "acme/emea");
    let berlin = "acme/emea/berlin";
    people(
        &world,
        berlin,
        0..3,
        "Refunds are paid within 9 working days",
    );
    world.detect();
    let listed = || world.run(["memory", "list", "--json"]).exits(0).json();
    let handed = world.recall(berlin);
    let said = handed["records"][0]["stale"].to_string();
    assert!(
        said.contains("contradicted by 3 people") && said.contains("9 working days"),
        "{said}"
    );
    assert_eq!(listed()["contradicted"], true);
    world.later(1000);
    world
        .at_terminal(["renew", &memory, "--reason", "asked finance"])
        .exits(0);
    let row = listed();
    assert_eq!(
        (&row["stale"], &row["contradicted"]),
        (&json!([]), &json!(false)),
        "{row}"
    );
    assert_eq!(world.recall(berlin)["records"][0]["stale"], json!([]));
    world.is_whole();
}

#[test]
fn inv2_thresholds_are_set_by_a_person_only_and_only_tighten() {
    let world = World::new();
    let set = |text: &str, layer: &str| {
        world.at_terminal(["detect", "thresholds", "--set", text, "--layer", layer])
    };
    world
        .run(["detect", "thresholds", "--set", "users=4"])
        .fails_clearly(3, "terminal");
    set("users=2", "acme").fails_clearly(2, "only tighten");
    set("users=x", "acme").fails_clearly(2, "no number");
    set("users=4,sessions=7", "acme").exits(0);
    set("users=3", "acme/emea").fails_clearly(2, "only tighten");
    let now = |layer: &str| {
        world
            .run(["detect", "thresholds", "--layer", layer, "--json"])
            .exits(0)
            .json()["now"]
            .clone()
    };
    assert_eq!(now("acme/emea")["users"], 4);
    assert_eq!(now("acmex")["users"], 3);
    people(&world, "acme/emea", 0..3, REFUND);
    people(&world, "acmex", 0..3, REFUND);
    assert_eq!(world.detect()["proposed"], 1);
    assert_eq!(strings(&json!(world.queue("pending")), "layer"), ["acmex"]);
    world.is_whole();
    // Setting them back is the way back.
    set("users=3,sessions=5", "acme").exits(0);
    assert_eq!(world.detect()["proposed"], 1);
    world.is_whole();
    world
        .database()
        .execute("UPDATE thresholds SET users = 1", [])
        .unwrap();
    world.is_broken("thresholds were changed");
}

#[test]
fn a_window_counts_only_what_was_seen_lately() {
    let world = World::new();
    world
        .at_terminal(["detect", "thresholds", "--set", "window=30"])
        .exits(0);
    let old = |n: i64| ["u1", "u2", "u3", "u4"][n as usize % 4];
    let rows: Vec<(&str, &str, String, i64, &str)> = (0..8)
        .map(|n| (old(n), "acme", format!("s{n}"), 60 + n % 3, REFUND))
        .collect();
    let rows: Vec<_> = rows
        .iter()
        .map(|(user, layer, session, ago, text)| (*user, *layer, session.as_str(), *ago, *text))
        .collect();
    said(&world, &rows);
    assert_eq!(world.detect()["proposed"], 0);
    let id = patterns(&world)[0]["pattern"].as_str().unwrap().to_owned();
    let why = world.run(["detect", "explain", &id]).exits(0).out;
    assert!(why.contains("last 30 days"), "{why}");
    people(&world, "acme", 0..4, REFUND);
    assert_eq!(world.detect()["proposed"], 1);
}

#[test]
fn what_other_thresholds_would_do_is_the_count_of_patterns_that_pass_them() {
    let world = World::new();
    for (at, users) in [2_u32, 3, 4, 6].into_iter().enumerate() {
        let text = [
            "the lift is broken",
            "lunch is at noon",
            "parking costs 4 euro",
            REFUND,
        ][at];
        people(&world, "acme", 0..users, text);
    }
    world.detect();
    let table = world
        .run(["detect", "thresholds", "--what-if", "--json"])
        .exits(0)
        .json();
    for cell in table["table"].as_array().unwrap() {
        let number = |key: &str| cell[key].as_u64().unwrap();
        let passing = patterns(&world)
            .iter()
            .filter(|one| {
                one["users"].as_u64().unwrap() >= number("users")
                    && one["sessions"].as_u64().unwrap() >= number("sessions")
                    && one["days"].as_u64().unwrap() >= 2
            })
            .count() as u64;
        assert_eq!(number("candidates"), passing, "{cell}");
        let weeks = cell["last_weeks"].as_array().unwrap();
        let new: u64 = weeks.iter().map(|n| n.as_u64().unwrap()).sum();
        assert_eq!(new, passing, "all of it came in the last weeks: {cell}");
    }
    assert_eq!(table["candidates"], 3);
    let budget = world
        .run(["detect", "thresholds", "--budget", "2", "--json"])
        .exits(0)
        .json();
    assert_eq!(
        (budget["instead_of"].clone(), budget["candidates"].clone()),
        (json!(3), json!(2))
    );
    world.run(["detect", "thresholds", "--what-if"]).exits(0);
}

#[test]
fn an_explanation_says_what_joined_what_was_kept_apart_and_what_is_missing() {
    let world = World::new();
    said(
        &world,
        &[
            ("u1", "acme", "s1", 0, REFUND),
            (
                "u2",
                "acme",
                "s2",
                1,
                "refunds are paid within five working days",
            ),
            (
                "u3",
                "acme",
                "s3",
                1,
                "Refunds are not paid within 5 working days",
            ),
        ],
    );
    world.detect();
    let id = pattern_of(&world, "acme", REFUND)["pattern"]
        .as_str()
        .unwrap()
        .to_owned();
    let view = world
        .run(["detect", "explain", &id, "--json"])
        .exits(0)
        .json();
    assert_eq!(view["wordings"].as_array().unwrap().len(), 2, "{view}");
    assert_eq!(view["wordings"][0]["who"].as_array().unwrap().len(), 1);
    assert!(
        view["why"].as_str().unwrap().contains("1 more user"),
        "{view}"
    );
    let kinds = strings(&view["links"], "kind");
    assert!(
        kinds.contains(&"joined".to_owned()) && kinds.contains(&"apart".to_owned()),
        "{view}"
    );
    assert!(
        view["links"][0]["why"]
            .as_str()
            .unwrap()
            .starts_with("these share"),
        "{view}"
    );
    let text = world.run(["detect", "explain", &id]).exits(0).out;
    assert!(
        text.contains("users 2/3") && text.contains("kept apart from"),
        "{text}"
    );
    world
        .run(["detect", "explain", "P-99"])
        .fails_clearly(2, "P-99");
}

#[test]
fn a_crowd_of_new_users_with_one_text_is_shown_as_suspicious_to_whoever_decides() {
    let world = World::new();
    let rows: Vec<(String, String, i64)> = (0..6)
        .map(|n| (format!("n{n}"), format!("b{n}"), n % 2))
        .collect();
    let rows: Vec<(&str, &str, &str, i64, &str)> = rows
        .iter()
        .map(|(user, session, ago)| (user.as_str(), "acme", session.as_str(), *ago, REFUND))
        .collect();
    said(&world, &rows);
    assert_eq!(world.detect()["proposed"], 1);
    let id = world.queue("pending")[0]["id"].as_str().unwrap().to_owned();
    let flags = world.run(["queue", "show", &id, "--json"]).exits(0).json()["flags"].to_string();
    assert!(
        flags.contains("letter for letter") && flags.contains("never seen before"),
        "{flags}"
    );
}

#[test]
fn a_detector_of_another_version_moves_nothing_and_says_what_it_would() {
    let world = World::new();
    people(&world, "acme", 0..4, REFUND);
    world.detect();
    let before = patterns(&world);
    world
        .database()
        .execute("UPDATE detector_progress SET version = 'an older one'", [])
        .unwrap();
    world.detect();
    assert_eq!(patterns(&world), before);
    let entries = world.count("SELECT count(*) FROM entry WHERE act = 30");
    assert_eq!(entries, 1);
    world.detect();
    assert_eq!(world.count("SELECT count(*) FROM entry WHERE act = 30"), 1);
    world.run(["detect", "regroup", "--json"]).exits(0);
    assert_eq!(world.count("SELECT count(*) FROM entry WHERE act = 30"), 2);
    world.is_whole();
}

fn fill(world: &World) {
    let mut lines = String::new();
    for n in 0..6000_u32 {
        let text = format!("Rule {} says to call team {} first", n % 400, n % 400 % 7);
        let layer = ["acme/emea/berlin", "acme/emea/paris", "acme/apac"][n as usize % 3];
        let line = json!({ "text": text, "layer": layer, "user": format!("u{}", n % 53),
                "session": format!("s{}", n % 977), "at": world.now().plus_days(-i64::from(n % 5)).to_string() });
        lines.push_str(&format!("{line}\n"));
    }
    world.feed(lines, ["observe", "--json"]).exits(0);
}

/// Numbers differ where rounds were cut elsewhere; what they number does not.
fn facts(world: &World) -> Vec<String> {
    let mut all: Vec<String> = patterns(world)
        .into_iter()
        .map(|one| {
            let [claim, layer, users, sessions, days, seen] = [
                "claim",
                "layer",
                "users",
                "sessions",
                "days",
                "observations",
            ]
            .map(|key| &one[key]);
            format!(
                "{layer} {claim} {users} {sessions} {days} {seen} {}",
                one["state"]
            )
        })
        .collect();
    all.sort();
    all
}

fn claims(world: &World) -> Vec<String> {
    let mut all: Vec<String> = world
        .queue("pending")
        .iter()
        .map(|one| format!("{} {}", one["layer"], one["claim"]))
        .collect();
    all.sort();
    all
}

/// Killed at any moment, it loses and counts nothing twice: the end is as if it had never been.
#[test]
fn a_detector_that_is_killed_again_and_again_comes_to_the_same_patterns() {
    let whole = World::new();
    fill(&whole);
    whole.detect();
    let killed = World::new();
    fill(&killed);
    let mut kills = 0;
    for pause in (0..40_u64).map(|n| 15 + n * 9 % 170) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_countersign"))
            .args(["detect", "--once"])
            .env_clear()
            .env("COUNTERSIGN_STORE", killed.store())
            .env("HOME", killed.store().parent().unwrap())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(pause));
        kills += i32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        killed
            .database()
            .execute("UPDATE detector SET holder = NULL, lease_until = 0", [])
            .unwrap();
    }
    killed.detect();
    assert!(kills > 0, "nothing was killed");
    assert_eq!(facts(&killed), facts(&whole));
    assert_eq!(claims(&killed), claims(&whole));
    assert_eq!(
        killed.count("SELECT sum(n) FROM support_change"),
        killed.count("SELECT count(*) FROM pattern WHERE users > 0")
    );
    killed.is_whole();
}

#[test]
fn whoever_observes_hears_how_far_the_detector_is_behind() {
    let world = World::new();
    let line = json!({ "text": REFUND, "layer": "acme", "user": "u", "session": "s" }).to_string();
    let answer = world.feed(line, ["observe", "--json"]).exits(0).json();
    assert_eq!(answer["lag"], 1);
    let status = world.run(["detect", "--status", "--json"]).exits(0).json();
    assert_eq!(
        (status["lag"].clone(), status["rate"].clone()),
        (json!(1), Value::Null)
    );
    world.detect();
    let status = world.run(["detect", "--status", "--json"]).exits(0).json();
    assert_eq!(
        (status["lag"].clone(), status["done"].clone()),
        (json!(0), json!(1))
    );
    assert!(
        status["rate"].is_u64() && status["error"].is_null(),
        "{status}"
    );
}
