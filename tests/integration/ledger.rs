//! The ledger against those who would change it: every attack is carried out on a real store, past
//! every door, and named by what finds it. What nothing finds is tested too: it is said, not hidden.

use crate::world::{World, proposal, strings};
use countersign::domain::Digest;
use countersign::domain::entry::Entry;
use countersign::ledger::canonical::{decode, encode, leaf_hash};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A world with one memory and entries of many kinds behind it.
fn lived_in() -> World {
    let world = World::new();
    world.remember("Refunds take five working days.", "acme/emea");
    world.observe("Returns are free of charge.", "acme/emea", 2);
    world.recall("acme/emea");
    for n in 0..4 {
        world
            .run(["decide", "approve", &format!("C-{n}9")])
            .exits(3);
    }
    world.is_whole();
    world
}

/// The reviewer's configuration is another one: nobody remembers anything.
fn forgetful(mut world: World) -> World {
    let home = world.path("another-home").display().to_string();
    world.environment.insert("HOME".to_owned(), home);
    world
}

fn entries(world: &World) -> i64 {
    world.count("SELECT max(seq) FROM entry")
}

/// The database with the triggers gone, as an attacker has it.
fn open(world: &World) -> rusqlite::Connection {
    let database = world.database();
    database
        .execute_batch("DROP TRIGGER IF EXISTS entry_is_never_changed; DROP TRIGGER IF EXISTS entry_is_never_removed")
        .unwrap();
    database
}

/// Rewrites every entry from `from` on and makes chain, head and tree right again.
fn rewrite(world: &World, from: i64, change: impl Fn(&mut Entry)) {
    let database = open(world);
    let hash_of = |seq: i64| -> Vec<u8> {
        let sql = "SELECT hash FROM entry WHERE seq = ?1";
        database.query_row(sql, [seq], |row| row.get(0)).unwrap()
    };
    let mut prev = Digest::from_slice(&hash_of(from - 1)).unwrap();
    let last = entries(world);
    for seq in from..=last {
        let sql = "SELECT bytes FROM entry WHERE seq = ?1";
        let bytes: String = database.query_row(sql, [seq], |row| row.get(0)).unwrap();
        let mut entry = decode(&bytes).unwrap();
        entry.prev = prev;
        change(&mut entry);
        let bytes = encode(&entry).unwrap();
        prev = leaf_hash(&bytes);
        database
            .execute(
                "UPDATE entry SET bytes = ?2, hash = ?3, actor = ?4 WHERE seq = ?1",
                (seq, bytes, prev.0.as_slice(), &entry.draft.actor),
            )
            .unwrap();
    }
    database
        .execute("UPDATE ledger_head SET hash = ?1", [prev.0.as_slice()])
        .unwrap();
    database.execute("DELETE FROM tree_node", []).unwrap();
}

/// Somebody else is named in the refusals that the world recorded.
fn other_name(entry: &mut Entry) {
    if entry.draft.act.as_str() == "refuse" {
        entry.draft.actor = "nobody".to_owned();
    }
}

#[test]
fn every_single_change_to_the_entries_is_found_and_names_the_entry() {
    let original = lived_in();
    let last = entries(&original);
    let swap = "CREATE TEMP TABLE s AS SELECT * FROM entry WHERE seq IN (3, 4); \
         UPDATE entry SET bytes = (SELECT bytes FROM s WHERE seq = 4), hash = (SELECT hash FROM s WHERE seq = 4) WHERE seq = 3; \
         UPDATE entry SET bytes = (SELECT bytes FROM s WHERE seq = 3), hash = (SELECT hash FROM s WHERE seq = 3) WHERE seq = 4;";
    let cases: &[(&str, String, &str)] = &[
        ("flipped", "UPDATE entry SET bytes = replace(bytes, 'refuse', 'refusf') WHERE seq = (SELECT max(seq) FROM entry)".into(), &format!("entry E-{last} was changed")),
        ("flipped early", "UPDATE entry SET bytes = replace(bytes, '\"v\":1', '\"v\":2') WHERE seq = 2".into(), "entry E-2 was changed"),
        ("hash", "UPDATE entry SET hash = zeroblob(32) WHERE seq = 3".into(), "entry E-3 was changed"),
        ("hash cut", "UPDATE entry SET hash = x'00' WHERE seq = 3".into(), "entry E-3 was changed"),
        ("removed", "DELETE FROM entry WHERE seq = 3".into(), "entry E-3 is missing"),
        ("first removed", "DELETE FROM entry WHERE seq = 1".into(), "entry E-1 is missing"),
        ("reordered", swap.into(), "entry E-3 says it is E-4"),
        ("inserted", format!(
            "CREATE TEMP TABLE i AS SELECT * FROM entry WHERE seq >= 4; DELETE FROM entry WHERE seq >= 4; \
             INSERT INTO entry SELECT 4, at, act, item, actor, bytes, hash FROM entry WHERE seq = 3; \
             INSERT INTO entry SELECT seq + 1, at, act, item, actor, bytes, hash FROM i; UPDATE ledger_head SET seq = {last} + 1"
        ), "entry E-4 says it is E-3"),
        ("tail cut", "DELETE FROM entry WHERE seq = (SELECT max(seq) FROM entry)".into(), &format!("the store remembers E-{last}")),
    ];
    for (what, sql, found) in cases {
        let world = forgetful(original.fork());
        open(&world).execute_batch(sql).unwrap();
        let answer = world.verify();
        assert_eq!(answer["ok"], json!(false), "{what}");
        assert!(
            answer["problems"].to_string().contains(found),
            "{what}: {answer}"
        );
    }
}

/// Changes past every door, each with what is said of it.
const TABLES: &[(&str, &str)] = &[
    (
        "DELETE FROM memory",
        "memory M-1 is in the ledger and not in its table",
    ),
    (
        "DELETE FROM candidate",
        "candidate C-1 is in the ledger and not in its table",
    ),
    (
        "INSERT INTO candidate SELECT 7, version, state, claim, claim_key, salt, kind, influence, verdict, trust, layer, project, session, \
          expires_at, confidence, proposer, proposed_at, sources, evidence, findings, policy, pattern, users, sessions, days, held, \
          snoozed_until, linked_to, memory, decided_by, decided_at, decided_act, decided_why, NULL FROM candidate",
        "candidate C-7 is in its table and not in the ledger",
    ),
    (
        "DELETE FROM serving",
        "logs a serving S-1 that is not in its table",
    ),
    (
        "DELETE FROM serving_memory",
        "serving S-1 was changed in its table",
    ),
    (
        "UPDATE serving SET block = zeroblob(32)",
        "serving S-1 was changed in its table",
    ),
    (
        "UPDATE serving SET session = 'other'",
        "serving S-1 was changed in its table",
    ),
    (
        "UPDATE serving SET at = at - 1",
        "serving S-1 was changed in its table",
    ),
    (
        "UPDATE serving SET format = 'block'",
        "serving S-1 was changed in its table",
    ),
    (
        "UPDATE serving_memory SET sha256 = zeroblob(32)",
        "S-1 says it handed over M-1 with another text",
    ),
    (
        "INSERT INTO serving SELECT 2, at, layer, project, session, format, block, bytes, entry, salt FROM serving",
        "serving S-2 is in its table and in no entry",
    ),
    (
        "UPDATE observation SET user = 'mallory' WHERE seq = 2",
        "observations that entry",
    ),
    (
        "UPDATE observation SET salt = zeroblob(16) WHERE seq = 2",
        "observations that entry",
    ),
    (
        "DELETE FROM observation WHERE seq = 3",
        "observations that entry",
    ),
    (
        "INSERT INTO observation SELECT 99, text, layer, user, session, source, trust, origin, at, artifact, span_start, span_end, NULL, salt FROM observation WHERE seq = 1",
        "observation O-99 is in its table and in no entry",
    ),
    (
        "UPDATE artifact SET trust = 4",
        "was changed in its table without an entry",
    ),
    (
        "UPDATE artifact SET gone = 1",
        "was changed in its table without an entry",
    ),
    (
        "DELETE FROM artifact",
        "is in the ledger and not in its table",
    ),
    (
        "DELETE FROM beside WHERE part = 'reason'",
        "is gone, and no entry erased it",
    ),
    (
        "UPDATE beside SET body = 'other' WHERE part = 'reason'",
        "is not the one it commits to",
    ),
    (
        "INSERT INTO beside SELECT 999, part, salt, body FROM beside WHERE part = 'reason'",
        "there is no such entry",
    ),
    (
        "INSERT INTO erased VALUES ('C-1', 2, NULL)",
        "is marked as erased in its table and in no entry",
    ),
];

#[test]
fn a_row_without_its_entry_and_an_entry_without_its_row_are_found_in_every_table() {
    let original = lived_in();
    original.file("note.txt", "Refunds take five working days.\n");
    let file = original.path("note.txt").display().to_string();
    original
        .run(["ingest", "--layer", "acme", "--user", "u", &file])
        .exits(0);
    for (sql, found) in TABLES {
        let world = forgetful(original.fork());
        assert!(world.database().execute(sql, []).unwrap() > 0, "{sql}");
        let answer = world.verify();
        assert_eq!(answer["ok"], json!(false), "{sql}");
        assert!(
            answer["problems"].to_string().contains(found),
            "{sql}: {answer}"
        );
    }
}

/// The tree that proofs are read from is checked as well.
#[test]
fn a_node_of_the_tree_that_is_not_its_entries_is_found_and_proves_nothing() {
    let world = World::new();
    let desk = world.desk();
    for n in 0..600 {
        desk.note_refusal("agent", "approve", &format!("C-{n}"), "no terminal")
            .unwrap();
    }
    assert_eq!(world.count("SELECT count(*) FROM tree_node"), 2);
    world.is_whole();
    let before = world.run(["audit", "prove", "E-3", "--json"]).exits(0).out;
    world
        .database()
        .execute("UPDATE tree_node SET hash = zeroblob(32) WHERE at = 1", [])
        .unwrap();
    world.is_broken("the tree over E-257 to E-512");
    let ran = world.run(["audit", "prove", "E-3", "--json"]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    // A store from before the table computes what is not kept.
    let world = forgetful(world);
    world
        .database()
        .execute("DELETE FROM tree_node", [])
        .unwrap();
    world.is_whole();
    let proof: Value = serde_json::from_str(&before).unwrap();
    let again = world
        .run(["audit", "prove", "E-3", "--json"])
        .exits(0)
        .json();
    assert_eq!(again["entries"], proof["entries"]);
}

#[test]
fn a_suffix_rewritten_with_care_is_found_by_whoever_kept_a_checkpoint_and_by_nobody_else() {
    let world = lived_in();
    let kept = world.path("kept.checkpoint").display().to_string();
    world.run(["audit", "checkpoint", "--to", &kept]).exits(0);
    let size = entries(&world) - 1;
    world.run(["audit", "verify", "--since", &kept]).exits(0);
    let early = world.path("early.checkpoint");
    let first = first_checkpoint(&world);
    std::fs::write(&early, first).unwrap();
    rewrite(&world, 4, other_name);
    let answer = world.verify();
    assert_eq!(answer["ok"], json!(false), "the reviewer saw it: {answer}");
    let world = forgetful(world);
    // Honest: without a witness and without a checkpoint nobody can tell.
    let rewritten_checkpoint_entry = world.verify();
    assert!(
        rewritten_checkpoint_entry["problems"]
            .to_string()
            .contains("holds a checkpoint of other entries"),
        "{rewritten_checkpoint_entry}"
    );
    let ran = world.run(["audit", "verify", "--since", &kept, "--json"]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(
        ran.out
            .contains(&format!("something from E-1 to E-{size} was rewritten")),
        "{}",
        ran.out
    );
    // Two checkpoints, one of them older than the change, close in on it.
    let early = early.display().to_string();
    let ran = world.run([
        "audit", "verify", "--since", &kept, "--since", &early, "--json",
    ]);
    assert!(
        ran.out
            .contains(&format!("something from E-3 to E-{size} was rewritten")),
        "{}",
        ran.out
    );
}

/// A checkpoint of the first two entries, as somebody could have kept it.
fn first_checkpoint(world: &World) -> String {
    use countersign::ledger::note::{Checkpoint, NoteKey};
    let desk = world.desk();
    let database = world.database();
    let hashes: Vec<Digest> = [1, 2]
        .map(|seq: i64| {
            let bytes: Vec<u8> = database
                .query_row("SELECT hash FROM entry WHERE seq = ?1", [seq], |row| {
                    row.get(0)
                })
                .unwrap();
            Digest::from_slice(&bytes).unwrap()
        })
        .to_vec();
    let origin = desk.origin().unwrap();
    let key = NoteKey::new(&origin, &[7; 32]).unwrap();
    let root = countersign::ledger::tree::above(&hashes[0], &hashes[1]);
    Checkpoint {
        origin,
        size: 2,
        root,
    }
    .signed(&key)
}

#[test]
fn a_rewrite_that_nobody_saw_before_is_found_by_nobody() {
    let world = lived_in();
    rewrite(&world, 4, other_name);
    forgetful(world).is_whole();
}

#[test]
fn a_cut_tail_and_an_old_copy_are_found_by_any_checkpoint_that_saw_more() {
    let original = lived_in();
    let old = original.fork();
    original.run(["decide", "approve", "C-9"]).exits(3);
    let kept = original.path("kept.checkpoint").display().to_string();
    original
        .run(["audit", "checkpoint", "--to", &kept])
        .exits(0);
    let saw = entries(&original) - 1;
    let cut = original.fork();
    open(&cut)
        .execute_batch(
            "DELETE FROM entry WHERE seq > (SELECT max(seq) - 2 FROM entry); \
             UPDATE ledger_head SET seq = (SELECT max(seq) FROM entry), hash = (SELECT hash FROM entry ORDER BY seq DESC LIMIT 1)",
        )
        .unwrap();
    for world in [old, cut] {
        world.is_whole();
        let ends = entries(&world);
        let ran = world.run(["audit", "verify", "--since", &kept, "--json"]);
        assert_eq!(ran.code, 1, "{}", ran.out);
        let said = format!("the ledger ends at E-{ends}, the checkpoint by ");
        assert!(ran.out.contains(&said), "{}", ran.out);
        assert!(
            ran.out.contains(&format!(
                "saw E-{saw}: entries from E-{} on were cut off",
                ends + 1
            )),
            "{}",
            ran.out
        );
        // And nothing new is signed over what stands there.
        let ran = world.run(["audit", "checkpoint", "--to", &kept]);
        ran.fails_clearly(3, "is not replaced");
    }
}

#[test]
fn two_reviewers_who_were_shown_two_histories_find_out_when_they_compare() {
    let alice = lived_in();
    let bob = alice.fork();
    alice.run(["decide", "approve", "C-8"]).exits(3);
    bob.run(["decide", "reject", "C-8"]).exits(3);
    let checkpoint = |world: &World, name: &str| {
        let path = alice.path(name).display().to_string();
        world.run(["audit", "checkpoint", "--to", &path]).exits(0);
        path
    };
    let (of_alice, of_bob) = (checkpoint(&alice, "alice"), checkpoint(&bob, "bob"));
    let ran = alice
        .run(["audit", "compare", &of_alice, &of_bob, "--json"])
        .exits(1);
    assert!(ran.out.contains("two histories: both have"), "{}", ran.out);
    bob.run(["decide", "reject", "C-8"]).exits(3);
    let of_bob = checkpoint(&bob, "bob-later");
    let ran = alice.run(["audit", "compare", &of_alice, &of_bob]).exits(1);
    assert!(
        ran.out
            .contains("the second does not fit this store, the first does"),
        "{}",
        ran.out
    );
    alice.run(["decide", "approve", "C-8"]).exits(3);
    let later = checkpoint(&alice, "alice-later");
    let ran = alice.run(["audit", "compare", &of_alice, &later]).exits(0);
    assert!(ran.out.contains("one history"), "{}", ran.out);
}

#[test]
fn a_checkpoint_is_entered_once_and_a_quiet_ledger_does_not_grow_by_itself() {
    let world = lived_in();
    let first = world.run(["audit", "checkpoint", "--json"]).exits(0).json();
    let entries_then = entries(&world);
    assert_eq!(first["size"], json!(entries_then - 1));
    for _ in 0..3 {
        let again = world.run(["audit", "checkpoint", "--json"]).exits(0).json();
        assert_eq!(again["checkpoint"], first["checkpoint"]);
    }
    assert_eq!(entries(&world), entries_then);
    let key = std::fs::metadata(world.path("home/.config/countersign/checkpoint.key")).unwrap();
    #[cfg(unix)]
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&key.permissions()) & 0o777,
        0o600
    );
    let answer = world.verify();
    assert_eq!(answer["checkpoints"][0]["size"], first["size"], "{answer}");
    assert_eq!(answer["checkpoints"][0]["by"], "olga");
    assert_eq!(
        answer["anchored"][0]["by"], "you, in your configuration",
        "{answer}"
    );
    assert_eq!(answer["anchored_up_to"], json!(entries_then), "{answer}");
}

#[test]
fn a_checkpoint_goes_to_a_git_repository_as_a_commit_each() {
    let world = lived_in();
    let folder = world.path("anchors");
    let git = |arguments: &[&str]| {
        let ran = Command::new("git")
            .arg("-C")
            .arg(&folder)
            .args(arguments)
            .output()
            .unwrap();
        assert!(
            ran.status.success(),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        String::from_utf8(ran.stdout).unwrap()
    };
    std::fs::create_dir_all(&folder).unwrap();
    if Command::new("git").arg("--version").output().is_err() {
        crate::world::skipped("a_checkpoint_goes_to_a_git_repository", "no git here");
        return;
    }
    git(&["init", "--quiet"]);
    git(&["config", "user.name", "olga"]);
    git(&["config", "user.email", "olga@example.com"]);
    let folder_text = folder.display().to_string();
    for _ in 0..2 {
        world
            .run(["audit", "checkpoint", "--git", &folder_text])
            .exits(0);
        world.run(["decide", "approve", "C-9"]).exits(3);
        world
            .run(["audit", "checkpoint", "--git", &folder_text])
            .exits(0);
    }
    // The third found the ledger as the second had left it.
    assert_eq!(git(&["log", "--oneline"]).lines().count(), 3);
    let file = git(&["ls-files"]).trim().to_owned();
    let kept = folder.join(file).display().to_string();
    world.run(["audit", "verify", "--since", &kept]).exits(0);
}

#[test]
fn a_proof_convinces_without_the_store_and_stops_when_anything_is_changed() {
    let world = lived_in();
    let proof = world.run(["audit", "prove", "M-1", "--json"]).exits(0);
    let key = world
        .run(["audit", "checkpoint", "--show-key"])
        .exits(0)
        .out
        .trim()
        .to_owned();
    let acts: Vec<Value> = proof.json()["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            serde_json::from_str::<Value>(one["bytes"].as_str().unwrap()).unwrap()["act"].clone()
        })
        .collect();
    assert_eq!(acts, [json!("propose"), json!("approve")]);
    let elsewhere = World::without_store();
    let mut far = proof.json();
    far["entries"][0]["index"] = json!(u64::MAX);
    let far = elsewhere.file("far.proof", far.to_string());
    let ran = elsewhere.run(["audit", "check-proof", &far, "--key", &key]);
    let ran = ran.exits(1);
    assert!(ran.out.contains("there is no such entry"), "{}", ran.out);
    let file = elsewhere.file("m1.proof", &proof.out);
    let ran = elsewhere
        .run(["audit", "check-proof", &file, "--key", &key])
        .exits(0);
    assert!(
        ran.out.contains("2 entries stand in ledger."),
        "{}",
        ran.out
    );
    let ran = elsewhere.run(["audit", "check-proof", &file]).exits(0);
    assert!(ran.out.contains("which nobody vouched for"), "{}", ran.out);
    let other = lived_in()
        .run(["audit", "checkpoint", "--show-key"])
        .exits(0)
        .out;
    elsewhere
        .run(["audit", "check-proof", &file, "--key", other.trim()])
        .exits(1);
    for (from, to) in [
        ("approve", "reject"),
        ("\"index\":", "\"index\":1"),
        ("olga", "mallory"),
    ] {
        let changed = elsewhere.file("changed.proof", proof.out.replacen(from, to, 1));
        elsewhere
            .run(["audit", "check-proof", &changed, "--key", &key])
            .exits(1);
    }
}

#[test]
fn an_export_is_verified_without_the_store_and_names_what_was_done_to_it() {
    let world = lived_in();
    let file = world.path("ledger.jsonl").display().to_string();
    world.run(["audit", "export", &file]).exits(0);
    world.run(["audit", "export", &file]).exits(2);
    let key = world
        .run(["audit", "checkpoint", "--show-key"])
        .exits(0)
        .out
        .trim()
        .to_owned();
    let elsewhere = World::without_store();
    let found = elsewhere
        .run(["audit", "import-check", &file, "--key", &key, "--json"])
        .exits(0)
        .json();
    assert_eq!(found["anchored"][0]["size"], found["entries"], "{found}");
    assert!(
        !std::fs::read_to_string(&file).unwrap().contains("Refunds"),
        "no text leaves"
    );
    let lines: Vec<String> = std::fs::read_to_string(&file)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    let check = |lines: &[String], found: &str| {
        let file = elsewhere.file("changed.jsonl", lines.join("\n"));
        let ran = elsewhere
            .run(["audit", "import-check", &file, "--key", &key, "--json"])
            .exits(1);
        assert!(
            ran.json()["problems"].to_string().contains(found),
            "{found}: {}",
            ran.out
        );
    };
    let mut changed = lines.clone();
    changed[3] = changed[3].replace("terminal", "asserted");
    check(&changed, "entry E-4 does not follow");
    let mut removed = lines.clone();
    removed.remove(3);
    check(&removed, "entry E-3 says it is E-4");
    let mut swapped = lines.clone();
    swapped.swap(3, 4);
    check(&swapped, "entry E-3 says it is E-4");
    check(&lines[..lines.len() - 3], "the file does not end");
    let ran = elsewhere.run([
        "audit",
        "import-check",
        &file,
        "--key",
        lived_in()
            .run(["audit", "checkpoint", "--show-key"])
            .out
            .trim(),
    ]);
    assert_eq!(ran.code, 1, "another key: {}", ran.out);
}

/// A Python with the package `cryptography`: the one of the clients, or the system's.
fn interpreter() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), Into::into);
    let ready = |python: &PathBuf| {
        let asked = Command::new(python)
            .args(["-c", "import cryptography"])
            .output();
        asked.is_ok_and(|ran| ran.status.success())
    };
    [
        target.join("clients/legacy/bin/python"),
        PathBuf::from("python3"),
    ]
    .into_iter()
    .find(ready)
}

/// Somebody else's code, another language: hashlib and the `cryptography` package.
#[test]
fn an_independent_implementation_believes_checkpoints_proofs_and_exports_and_refuses_changed_ones()
{
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interop/check_ledger.py");
    let Some(python) = interpreter() else {
        crate::world::skipped(
            "an_independent_implementation",
            "no python3 with the package `cryptography` here",
        );
        return;
    };
    let python = |arguments: &[&str]| {
        let ran = Command::new(&python)
            .arg(&script)
            .args(arguments)
            .output()
            .unwrap();
        (
            ran.status.success(),
            String::from_utf8_lossy(&ran.stdout).into_owned()
                + &String::from_utf8_lossy(&ran.stderr),
        )
    };
    let world = lived_in();
    let path = |name: &str| world.path(name).display().to_string();
    let key = world
        .run(["audit", "checkpoint", "--show-key"])
        .exits(0)
        .out
        .trim()
        .to_owned();
    let old = world
        .run(["audit", "checkpoint", "--to", &path("old"), "--json"])
        .exits(0)
        .json();
    for n in 0..5 {
        world.propose_json(&proposal(
            &format!("Zürich «{n}» \u{7f} says\tso \\ \"{n}\"."),
            "acme",
        ));
    }
    let new = world
        .run(["audit", "checkpoint", "--to", &path("new"), "--json"])
        .exits(0)
        .json();
    let sizes = [old["size"].to_string(), new["size"].to_string()];
    let growth = world
        .run(["audit", "prove-growth", &sizes[0], &sizes[1], "--json"])
        .exits(0);
    let growth = world.file("growth.json", growth.out);
    let proof = world.file(
        "c1.proof",
        world.run(["audit", "prove", "C-1", "--json"]).exits(0).out,
    );
    world
        .run(["audit", "export", &path("ledger.jsonl")])
        .exits(0);
    let checks: [&[&str]; 4] = [
        &["checkpoint", &path("new"), &key],
        &["proof", &proof, &key],
        &["growth", &path("old"), &path("new"), &growth],
        &["export", &path("ledger.jsonl"), &key],
    ];
    for arguments in checks {
        let (good, said) = python(arguments);
        assert!(good, "{arguments:?}: {said}");
    }
    refused_when_spoiled(&world, &python, &key, &sizes[1]);
}

fn refused_when_spoiled(
    world: &World,
    python: &dyn Fn(&[&str]) -> (bool, String),
    key: &str,
    size: &str,
) {
    let spoiled = |name: &str, from: &str, to: &str| {
        let text = std::fs::read_to_string(world.path(name)).unwrap();
        let changed = text.replacen(from, to, 1);
        assert_ne!(text, changed, "{from} is not in {name}");
        world.file(&format!("spoiled-{name}"), changed)
    };
    let checks: [&[&str]; 3] = [
        &[
            "checkpoint",
            &spoiled("new", &format!("\n{size}\n"), "\n3\n"),
            key,
        ],
        &[
            "proof",
            &spoiled("c1.proof", "observed_fact", "inference"),
            key,
        ],
        &["export", &spoiled("ledger.jsonl", "olga", "mallory"), key],
    ];
    for arguments in checks {
        let (good, said) = python(arguments);
        assert!(!good, "{arguments:?}: {said}");
    }
}

#[test]
fn evidence_past_its_retention_goes_from_disk_and_leaves_its_hash_an_entry_and_a_word() {
    let world = World::new();
    let file = world.file("session.txt", "Refunds take five working days.\n");
    let report = world
        .run(["ingest", "--layer", "acme", "--user", "u", "--json", &file])
        .exits(0)
        .json();
    let address = report["artifact"].as_str().unwrap().to_owned();
    let sha256 = address.trim_start_matches("artifact:").to_owned();
    let on_disk = world
        .path("store.db.artifacts")
        .join(sha256.chars().take(2).collect::<String>())
        .join(&sha256);
    let mut line = proposal("Refunds take five working days.", "acme");
    line["source_refs"] = json!([format!("{address}#0-31")]);
    world.later(60 * countersign::domain::time::DAY);
    let memory = world.remember_json(&line);
    world.run(["store", "sweep", "--json"]).exits(0);
    assert!(on_disk.exists(), "its time has not passed");
    world.later(30 * countersign::domain::time::DAY);
    let swept = world.run(["store", "sweep", "--json"]).exits(0).json();
    assert_eq!(swept["expired"], json!([sha256]), "{swept}");
    assert_eq!(swept["log_emptied"], json!(true), "{swept}");
    assert!(!on_disk.exists());
    let again = world.run(["store", "sweep", "--json"]).exits(0).json();
    assert_eq!(again["expired"], json!([]), "{again}");
    world.is_whole();
    let hash: Vec<u8> = world
        .database()
        .query_row("SELECT sha256 FROM cited_span", [], |row| row.get(0))
        .unwrap();
    assert_eq!(
        Digest::from_slice(&hash).unwrap(),
        Digest::of(b"Refunds take five working days.")
    );
    let shown = world
        .run(["memory", "show", &memory, "--json"])
        .exits(0)
        .json();
    assert!(
        shown["stale"].to_string().contains("evidence is gone"),
        "{shown}"
    );
    assert!(
        shown["sources"]
            .to_string()
            .contains("gone (retention passed)"),
        "{shown}"
    );
    let why = world.run(["why", &memory]).exits(0).out;
    assert!(why.contains("gone (retention passed)"), "{why}");
    // A kill between the entry and the file: the next sweep finishes, and verify says so meanwhile.
    std::fs::write(&on_disk, "Refunds take five working days.\n").unwrap();
    world.is_broken("its bytes are still on disk: run `countersign store sweep`");
    let swept = world.run(["store", "sweep", "--json"]).exits(0).json();
    assert_eq!(swept["leftovers"], json!(1), "{swept}");
    world.is_whole();
    // Brought again, it begins anew.
    world
        .run(["ingest", "--layer", "acme", "--user", "u", &file])
        .exits(0);
    assert!(on_disk.exists());
    world.is_whole();
}

/// A world whose reviewer is an admin.
fn admin() -> World {
    let world = World::new();
    world.file("home/.config/countersign/config.toml", "role = \"admin\"\n");
    world
}

/// Every byte that the store has on disk.
fn bytes_of(world: &World) -> Vec<u8> {
    let mut all = Vec::new();
    let mut folders = vec![world.path(".")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() && name.starts_with("store.db") || name.len() == 2 {
                folders.push(path);
            } else if path.is_file() && (name.starts_with("store.db") || name.len() == 64) {
                all.extend(std::fs::read(path).unwrap());
            }
        }
    }
    all
}

fn holds(world: &World, needle: &str) -> bool {
    let bytes = bytes_of(world);
    assert!(bytes.len() > 10_000, "nothing was read");
    let lower: Vec<u8> = bytes.iter().map(u8::to_ascii_lowercase).collect();
    lower
        .windows(needle.len())
        .any(|part| part == needle.as_bytes())
}

/// What a guesser tries: the plain hash of the text, in any form an entry could hold.
fn guessable(world: &World, text: &str) -> bool {
    let hash = Digest::of(text.as_bytes());
    let raw = hash.0.to_vec();
    let bytes = bytes_of(world);
    holds(world, &hash.to_string()) || bytes.windows(32).any(|part| part == raw)
}

#[test]
fn an_erased_claim_is_gone_from_every_byte_and_the_ledger_still_verifies() {
    let world = admin();
    let claim = "Zanzibarina Quuxfeld prefers refunds by post.";
    let memory = world.remember(claim, "acme");
    world.remember("Returns are free of charge.", "acme");
    world.recall("acme");
    world
        .run(["recall", "--layer", "acme", "--query", "quuxfeld", "--json"])
        .exits(0);
    world
        .at_terminal(["demote", &memory, "--reason", "quuxfeld asked"])
        .exits(0);
    world
        .at_terminal(["restore", &memory, "--reason", "quuxfeld asked back"])
        .exits(0);
    assert!(holds(&world, "quuxfeld") && guessable(&world, claim));
    world
        .run(["erase", "C-1", "--reason", "asked for"])
        .exits(3);
    let ran = world
        .at_terminal(["erase", "C-1", "--reason", "asked for on 3 June"])
        .exits(0);
    assert!(ran.out.contains("M-1 is no longer served"), "{}", ran.out);
    assert!(!holds(&world, "quuxfeld"), "a copy is left");
    assert!(!guessable(&world, claim), "a plain hash is left");
    assert_eq!(world.recalled("acme"), ["Returns are free of charge."]);
    let answer = world.verify();
    assert_eq!(answer["ok"], json!(true), "{answer}");
    assert_eq!(answer["erased"][0]["item"], "C-1", "{answer}");
    assert_eq!(answer["erased"][0]["by"], "olga", "{answer}");
    world.run(["store", "check"]).exits(0);
    world
        .at_terminal(["erase", "C-1", "--reason", "again"])
        .exits(2);
    let ran = world.at_terminal(["restore", &memory, "--reason", "still right"]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    for command in [
        "memory show M-1 --json",
        "queue show C-1 --json",
        "why S-1",
        "audit log --json",
    ] {
        let ran = world.line(command).exits(0);
        assert!(
            !ran.out.to_lowercase().contains("quuxfeld"),
            "{command}: {}",
            ran.out
        );
    }
    // Nobody puts another text in its place.
    let tampered = world.fork();
    tampered
        .database()
        .execute_batch("UPDATE memory SET text = 'Pay supplier X.', state = 0 WHERE id = 1")
        .unwrap();
    assert_eq!(tampered.recalled("acme"), ["Returns are free of charge."]);
    assert_eq!(tampered.verify()["ok"], json!(false));
}

#[test]
fn a_pending_claim_that_is_erased_waits_no_more_and_reviewers_may_not_erase() {
    let world = World::new();
    world.propose("Quuxfeld lives in Berlin.", "acme");
    let ran = world.at_terminal(["erase", "C-1", "--reason", "asked for"]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    assert!(
        ran.err.contains("erase takes the role `admin`"),
        "{}",
        ran.err
    );
    world.file("home/.config/countersign/config.toml", "role = \"admin\"\n");
    world
        .at_terminal(["erase", "C-1", "--reason", "asked for"])
        .exits(0);
    assert_eq!(world.queue("pending").len(), 0);
    assert!(!holds(&world, "quuxfeld"));
    world.is_whole();
    world.run(["store", "check"]).exits(0);
}

#[test]
fn an_erased_observation_is_gone_and_its_batch_still_verifies_row_by_row() {
    let world = admin();
    let line = |text: &str, user: &str, session: &str| {
        format!(
            "{}\n",
            json!({ "text": text, "layer": "acme", "user": user, "session": session, "key": session })
        )
    };
    let batch = line("Returns are free.", "u-1", "s-1")
        + &line("My name is Quuxfeld.", "quuxfeld", "s-quuxfeld")
        + &line("Returns are free.", "u-2", "s-2");
    world.feed(&batch, ["observe", "--json"]).exits(0);
    world.detect();
    assert!(holds(&world, "quuxfeld"));
    world
        .at_terminal(["erase", "observation", "2", "--reason", "asked for"])
        .exits(0);
    assert!(!holds(&world, "quuxfeld"), "a copy is left");
    let answer = world.verify();
    assert_eq!(answer["ok"], json!(true), "{answer}");
    assert_eq!(answer["erased"][0]["item"], "O-2");
    world.run(["store", "check"]).exits(0);
    // The same line brought again does not bring it back.
    let again = world.feed(&batch, ["observe", "--json"]).exits(0).json();
    assert_eq!(again["duplicates"], json!(3), "{again}");
    // The rest of the batch is as safe as before.
    for change in [
        "text = 'Returns cost ten euro.'",
        "user = 'u-9'",
        "salt = NULL",
    ] {
        let tampered = forgetful(world.fork());
        let sql = format!("UPDATE observation SET {change} WHERE seq = 3");
        tampered.database().execute(&sql, []).unwrap();
        assert_eq!(tampered.verify()["ok"], json!(false), "{change}");
    }
    let tampered = forgetful(world.fork());
    tampered
        .database()
        .execute("UPDATE erased SET hash = zeroblob(32)", [])
        .unwrap();
    assert_eq!(tampered.verify()["ok"], json!(false));
}

#[test]
fn erased_evidence_is_gone_from_disk_and_not_taken_in_again() {
    let world = admin();
    let file = world.file("session.txt", "Quuxfeld wants a refund.\n");
    let report = world
        .run(["ingest", "--layer", "acme", "--user", "u", "--json", &file])
        .exits(0)
        .json();
    let address = report["artifact"].as_str().unwrap().to_owned();
    let ran = world
        .at_terminal(["erase", &address, "--reason", "asked for"])
        .exits(0);
    let drawn = world.count("SELECT count(*) FROM observation");
    for n in 1..=drawn {
        assert!(
            ran.out.contains(&format!("O-{n}")),
            "what was drawn from it is named: {}",
            ran.out
        );
        world
            .at_terminal(["erase", &format!("O-{n}"), "--reason", "asked for"])
            .exits(0);
    }
    assert!(!holds(&world, "quuxfeld"));
    world.is_whole();
    let ran = world.run(["ingest", "--layer", "acme", "--user", "u", &file]);
    assert_ne!(ran.code, 0, "{}", ran.out);
    assert!(ran.err.contains("was erased for good"), "{}", ran.err);
    assert!(!holds(&world, "quuxfeld"));
    world.is_whole();
}

#[test]
fn a_backup_made_while_others_write_is_whole_and_comes_back_with_its_evidence() {
    let world = lived_in();
    let file = world.file("session.txt", "Refunds take five working days.\n");
    world
        .run(["ingest", "--layer", "acme", "--user", "u", &file])
        .exits(0);
    let backup = world.path("backup/team.db").display().to_string();
    let desk = world.desk();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let made = std::thread::scope(|threads| {
        threads.spawn(|| {
            let mut n = 0;
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                desk.note_refusal("agent", "approve", &format!("C-{n}"), "no terminal")
                    .unwrap();
                n += 1;
            }
        });
        let made = world.run(["store", "backup", &backup, "--json"]);
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        made.exits(0).json()
    });
    world.run(["store", "backup", &backup]).exits(2);
    let kept = entries(&world);
    assert!(made["entries"].as_i64().unwrap() <= kept);
    // The store is lost; the backup is put in its place, evidence and all.
    std::fs::remove_file(world.store()).unwrap();
    let _ = std::fs::remove_file(world.path("store.db-wal"));
    let _ = std::fs::remove_file(world.path("store.db-shm"));
    std::fs::remove_dir_all(world.path("store.db.artifacts")).unwrap();
    drop(desk);
    let world = forgetful(world);
    world.run(["store", "restore", &backup]).exits(0);
    world.is_whole();
    world.run(["store", "check"]).exits(0);
    let log = world
        .run(["audit", "log", "--limit", "1", "--json"])
        .exits(0)
        .json();
    assert_eq!(log["act"], "restored", "{log}");
    assert_eq!(
        log["seq"],
        json!(format!("E-{}", made["entries"].as_i64().unwrap() + 1))
    );
    assert_eq!(
        world.recalled("acme/emea"),
        ["Refunds take five working days."]
    );
}

#[test]
fn an_older_backup_is_refused_until_a_person_at_a_terminal_says_so_and_the_ledger_tells_of_it() {
    let world = lived_in();
    let backup = world.path("team.db").display().to_string();
    world.run(["store", "backup", &backup]).exits(0);
    // The same state: nothing is lost.
    world.run(["store", "restore", &backup]).exits(0);
    world
        .at_terminal(["demote", "M-1", "--reason", "stale"])
        .exits(0);
    let ran = world.run(["store", "restore", &backup]);
    ran.fails_clearly(3, "this backup is older than what is known");
    let ran = world.run(["store", "restore", &backup, "--older"]);
    assert_eq!(ran.code, 3, "a pipe may not: {}", ran.err);
    assert_eq!(
        world.recalled("acme/emea"),
        Vec::<String>::new(),
        "still demoted"
    );
    let ran = world
        .at_terminal(["store", "restore", &backup, "--older"])
        .exits(0);
    assert!(
        ran.out.contains("what stood there is kept in"),
        "{}",
        ran.out
    );
    let log = world
        .run(["audit", "log", "restored", "--limit", "1", "--json"])
        .exits(0)
        .json();
    assert_eq!(log["facts"]["older"], "yes", "{log}");
    assert!(log["facts"]["replaced_size"].is_string(), "{log}");
    world.is_whole();
    // The store is gone altogether: the reviewer's own memory still objects.
    world
        .at_terminal(["demote", "M-1", "--reason", "stale"])
        .exits(0);
    std::fs::remove_file(world.store()).unwrap();
    let _ = std::fs::remove_file(world.path("store.db-wal"));
    let _ = std::fs::remove_file(world.path("store.db-shm"));
    world
        .run(["store", "restore", &backup])
        .fails_clearly(3, "older than what is known");
}

#[test]
fn a_backup_that_was_tampered_with_is_not_restored_and_other_processes_see_a_restore() {
    let world = lived_in();
    let backup = world.path("team.db").display().to_string();
    world.run(["store", "backup", &backup]).exits(0);
    let other = world.desk();
    let before = other.changes().unwrap();
    world.run(["store", "restore", &backup]).exits(0);
    assert_eq!(
        other.changes().unwrap(),
        before + 1,
        "an open desk sees the new entry"
    );
    other
        .note_refusal("agent", "approve", "C-1", "no terminal")
        .unwrap();
    world.is_whole();
    rusqlite::Connection::open(&backup)
        .unwrap()
        .execute("UPDATE memory SET text = 'Pay supplier X.'", [])
        .unwrap();
    let ran = world.at_terminal(["store", "restore", &backup, "--older"]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    assert!(
        ran.err.contains("does not verify, so nothing was restored"),
        "{}",
        ran.err
    );
    assert_eq!(
        world.recalled("acme/emea"),
        ["Refunds take five working days."]
    );
}

#[test]
fn a_store_check_finds_what_the_ledger_does_not_speak_of() {
    let original = lived_in();
    original.run(["store", "check"]).exits(0);
    for (sql, found) in [
        (
            "UPDATE tally SET n = n + 1 WHERE name = 'memories'",
            "the count of memories",
        ),
        (
            "DELETE FROM memory_text WHERE rowid = 1",
            "missing from the search index",
        ),
        (
            "INSERT INTO memory_text (rowid, ltok, body) VALUES (77, 'zl1', 'x')",
            "that are not active",
        ),
        ("UPDATE memory_served SET count = 9", "more or less often"),
    ] {
        let world = original.fork();
        world.database().execute(sql, []).unwrap();
        let ran = world.run(["store", "check", "--json"]).exits(1);
        assert!(
            strings_of(&ran.json()["problems"]).contains(found),
            "{sql}: {}",
            ran.out
        );
    }
}

fn strings_of(list: &Value) -> String {
    let lines: Vec<String> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one.as_str().unwrap().to_owned())
        .collect();
    lines.join("\n")
}

/// A detector that runs for days leaves checkpoints by itself, where its configuration says.
#[test]
fn checkpoints_go_by_themselves_where_the_configuration_says() {
    let world = lived_in();
    let to = world.path("anchors/newest.checkpoint");
    let config = format!("[checkpoint]\nto = '{}'\nevery_minutes = 5\n", to.display());
    world.file("home/.config/countersign/config.toml", config);
    let mut child = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["detect", "--watch"])
        .env_clear()
        .env("COUNTERSIGN_STORE", world.store())
        .env("HOME", world.path("home"))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let begun = std::time::Instant::now();
    while !to.exists() && begun.elapsed() < std::time::Duration::from_secs(30) {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let to = to.display().to_string();
    let answer = world
        .run(["audit", "verify", "--since", &to, "--json"])
        .exits(0)
        .json();
    assert_eq!(
        strings(&answer["anchored"], "by")
            .first()
            .map(String::as_str),
        Some("your key"),
        "{answer}"
    );
}
