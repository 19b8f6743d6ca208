//! Hooks as harnesses call them: whatever comes in, the agent goes on, and what was accepted is kept.

use crate::world::{Ran, World};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Calls the hook with a payload in this process.
fn hook(world: &World, harness: &str, payload: impl AsRef<[u8]>, more: &[&str]) -> Ran {
    let mut arguments = vec![
        "hook",
        "--harness",
        harness,
        "--layer",
        "acme/dev",
        "--user",
        "u-7",
    ];
    arguments.extend(more);
    world.feeding(payload.as_ref(), &arguments)
}

/// Insists that a harness would go on: success, and nothing or one object on standard output.
#[track_caller]
fn harmless(ran: Ran) -> Option<Value> {
    let ran = ran.exits(0);
    assert!(ran.err.lines().count() <= 1, "{}", ran.err);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    (!ran.out.is_empty()).then(|| ran.json())
}

fn waiting(world: &World) -> usize {
    let folder = world.path("store.db.spool");
    let entries = std::fs::read_dir(folder)
        .map(|entries| entries.flatten().collect::<Vec<_>>())
        .unwrap_or_default();
    entries
        .iter()
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(".json"))
        .count()
}

fn prompt(session: &str, text: &str) -> String {
    json!({ "session_id": session, "cwd": "/home/sam/shop", "hook_event_name": "UserPromptSubmit", "prompt": text }).to_string()
}

#[test]
fn a_session_starts_with_what_was_approved_and_the_serving_is_logged() {
    let world = World::new();
    let memory = world.remember("Refunds take five working days.", "acme");
    let start =
        json!({ "session_id": "s-9", "hook_event_name": "SessionStart", "source": "compact" })
            .to_string();
    for harness in ["claude", "codex"] {
        let said =
            harmless(hook(&world, harness, &start, &["--within", "60000"])).expect("an answer");
        assert_eq!(
            said.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["hookSpecificOutput"]
        );
        let out = &said["hookSpecificOutput"];
        assert_eq!(out["hookEventName"], "SessionStart");
        let block = out["additionalContext"].as_str().unwrap();
        assert!(
            block.starts_with("<countersign-memory ") && block.contains("five working days"),
            "{block}"
        );
        assert!(block.chars().count() <= 10_000);
    }
    assert_eq!(
        world.count("SELECT count(*) FROM serving WHERE session = 's-9'"),
        2
    );
    for harness in ["gemini", "cursor"] {
        assert_eq!(
            harmless(hook(&world, harness, &start, &[])),
            None,
            "its form is not confirmed"
        );
    }
    world
        .at_terminal(["demote", &memory, "--reason", "stale"])
        .exits(0);
    assert_eq!(
        harmless(hook(&world, "claude", &start, &[])),
        None,
        "nothing to say is said with nothing"
    );
}

#[test]
fn what_people_ask_becomes_observations_and_counts_once() {
    let world = World::new();
    for (user, session) in [
        ("u-1", "a"),
        ("u-1", "b"),
        ("u-2", "c"),
        ("u-2", "d"),
        ("u-3", "e"),
        ("u-3", "f"),
    ] {
        for _ in 0..2 {
            let payload = prompt(session, "Always run the linter before you commit");
            let arguments = [
                "hook",
                "--harness",
                "claude",
                "--layer",
                "acme/dev",
                "--user",
                user,
            ];
            assert_eq!(
                harmless(world.feeding(payload.as_bytes(), &arguments)),
                None
            );
        }
        world.later(11 * 3_600_000);
    }
    assert!(waiting(&world) >= 6);
    let round = world.detect();
    assert_eq!(waiting(&world), 0);
    assert_eq!(round["proposed"], 1, "{round}");
    assert_eq!(
        world.count("SELECT count(*) FROM observation"),
        6,
        "the same event twice counts once"
    );
    assert_eq!(
        world.count("SELECT count(DISTINCT trust) FROM observation"),
        1
    );
    world.is_whole();
}

#[test]
fn a_summary_is_a_models_and_a_directive_in_it_stays_evidence() {
    let world = World::new();
    let payload = include_str!("../cases/hook/hook_claude_postcompact.json");
    assert_eq!(harmless(hook(&world, "claude", payload, &[])), None);
    world.detect();
    assert_eq!(
        world.count("SELECT count(*) FROM artifact WHERE kind = 3 AND trust = 0"),
        1
    );
    assert_eq!(
        world.count("SELECT count(*) FROM observation")
            + world.count("SELECT count(*) FROM candidate"),
        0
    );
}

#[test]
fn a_transcript_is_read_later_and_as_far_as_it_was_written() {
    let world = World::new();
    let line = |text: &str| {
        format!(
            "{}\n",
            json!({
                "type": "user", "uuid": text, "sessionId": "s-4", "timestamp": "2026-12-01T08:00:00Z",
                "message": { "role": "user", "content": text },
            })
        )
    };
    let path = world.file("t.jsonl", line("Refunds take five days"));
    let event = |name: &str| {
        json!({ "session_id": "s-4", "transcript_path": path, "hook_event_name": name }).to_string()
    };
    harmless(hook(&world, "claude", event("PreCompact"), &[]));
    std::fs::write(
        &path,
        line("Refunds take five days") + &line("Ship on Fridays") + "{\"half",
    )
    .unwrap();
    harmless(hook(&world, "claude", event("SessionEnd"), &[]));
    world.detect();
    assert_eq!(world.count("SELECT count(*) FROM observation"), 2);
    assert_eq!(waiting(&world), 0);
    let gone = json!({ "session_id": "s-4", "transcript_path": "C:\\Users\\sam\\t.jsonl", "hook_event_name": "SessionEnd" });
    assert_eq!(
        harmless(hook(&world, "claude", gone.to_string(), &[])),
        None
    );
    world.detect();
}

/// Payloads as harnesses send them.
const KNOWN: &[(&str, &str)] = &[
    (
        "claude",
        include_str!("../cases/hook/hook_claude_posttooluse.json"),
    ),
    (
        "claude",
        include_str!("../cases/hook/hook_claude_sessionstart_compact.json"),
    ),
    (
        "codex",
        include_str!("../cases/hook/hook_codex_postcompact.json"),
    ),
    (
        "codex",
        include_str!("../cases/hook/hook_codex_sessionstart.json"),
    ),
    (
        "gemini",
        include_str!("../cases/hook/hook_gemini_precompress.json"),
    ),
    (
        "claude",
        include_str!("../cases/hook/hook_unknown_event.json"),
    ),
    (
        "codex",
        include_str!("../cases/hook/hook_unknown_event.json"),
    ),
    (
        "gemini",
        include_str!("../cases/hook/hook_unknown_event.json"),
    ),
    (
        "cursor",
        include_str!("../cases/hook/hook_unknown_event.json"),
    ),
];

#[test]
fn every_known_payload_is_answered_as_its_harness_accepts() {
    let world = World::new();
    for (harness, payload) in KNOWN {
        assert_eq!(
            harmless(hook(&world, harness, payload, &["--tools"])),
            None,
            "{harness}"
        );
        let half = payload.get(..payload.len() / 2).unwrap();
        assert_eq!(
            harmless(hook(&world, harness, half, &[])),
            None,
            "{harness} half"
        );
        assert_eq!(
            harmless(hook(
                &world,
                harness,
                format!("{payload} and garbage {{"),
                &[]
            )),
            None,
            "{harness} garbage"
        );
    }
    assert_eq!(
        world.count("SELECT count(*) FROM artifact"),
        0,
        "nothing is taken in before it is drained"
    );
    world.detect();
    assert_eq!(
        world.count("SELECT count(*) FROM artifact WHERE kind = 1"),
        1,
        "one tool's answer, once"
    );
}

#[test]
fn what_a_tool_answered_has_the_trust_of_whoever_spoke_through_it() {
    let world = World::new();
    for (tool, trust) in [
        ("Bash", 2),
        ("WebFetch", 1),
        ("mcp__net__http_get", 1),
        ("Task", 0),
        ("mcp__countersign__memory_context", 0),
    ] {
        let payload = serde_json::json!({
            "session_id": "s-9", "hook_event_name": "PostToolUse", "tool_name": tool,
            "tool_use_id": tool, "tool_response": format!("The answer of {tool}."),
        });
        let ran = hook(&world, "claude", payload.to_string(), &["--tools"]);
        assert_eq!(harmless(ran), None);
        world.detect();
        let newest = "SELECT trust FROM artifact ORDER BY rowid DESC LIMIT 1";
        assert_eq!(world.count(newest), trust, "{tool}");
    }
}

#[test]
fn bad_input_and_bad_arguments_never_stop_an_agent() {
    let world = World::new();
    let huge = prompt("s-1", &"x".repeat(9 * 1024 * 1024));
    for payload in [
        b"".as_slice(),
        b"null",
        b"[1]",
        b"\xff\xfe\x00",
        b"{\"a\":",
        b"\"text\"",
        huge.as_bytes(),
    ] {
        let ran = hook(&world, "claude", payload, &[]);
        assert!(ran.err.starts_with("countersign: "), "{}", ran.err);
        assert_eq!(harmless(ran), None);
    }
    for arguments in [
        &["hook"] as &[&str],
        &["hook", "--harness", "unknown", "--layer", "acme"],
        &["hook", "--harness", "claude"],
        &["hook", "--harness", "claude", "--layer", "acme//x"],
        &[
            "hook",
            "--harness",
            "claude",
            "--layer",
            "acme",
            "--nonsense",
        ],
    ] {
        assert_eq!(harmless(world.feeding(b"{}", arguments)), None);
    }
    let bare = World::without_store();
    let start = json!({ "session_id": "s", "hook_event_name": "SessionStart" }).to_string();
    assert_eq!(harmless(hook(&bare, "claude", &start, &[])), None);
    assert_eq!(
        harmless(hook(
            &bare,
            "claude",
            prompt("s", "kept before the store is made"),
            &[]
        )),
        None
    );
    bare.run(["init"]).exits(0);
    bare.detect();
    assert_eq!(
        bare.count("SELECT count(*) FROM observation"),
        1,
        "what was accepted is not lost"
    );
}

/// What a harness says where there is no home, no store, or none that can be written.
fn without_a_place(world: &mut World, harness: &str, prompt: &impl Fn(&str) -> String) {
    // No home: the store is named, and that is enough. No store either: one line, and success.
    let home = world.environment.remove("HOME").unwrap();
    assert_eq!(harmless(hook(world, harness, prompt("No home"), &[])), None);
    assert_eq!(waiting(world), 1, "{harness}");
    let store = world.environment.remove("COUNTERSIGN_STORE").unwrap();
    let ran = hook(world, harness, prompt("No store"), &[]);
    assert!(ran.err.starts_with("countersign: "), "{}", ran.err);
    assert_eq!(harmless(ran), None);

    // A place where nothing can be written, whoever asks.
    let unwritable = "/proc/nowhere/store.db".to_owned();
    world
        .environment
        .insert("COUNTERSIGN_STORE".to_owned(), unwritable);
    let ran = hook(world, harness, prompt("Read only"), &[]);
    assert!(ran.err.contains("could not be kept"), "{}", ran.err);
    assert_eq!(harmless(ran), None);
    world
        .environment
        .insert("COUNTERSIGN_STORE".to_owned(), store);
    world.environment.insert("HOME".to_owned(), home);
}

/// Every harness, and everything that can be wrong with what it says or with where it says it.
#[test]
fn whatever_a_harness_says_it_goes_on_and_what_can_be_read_is_kept() {
    let end = |name: &str, transcript: &str| {
        json!({
            "session_id": "s-1", "hook_event_name": name, "cwd": "C:\\Users\\sam\\shop", "transcript_path": transcript,
        })
        .to_string()
    };
    for (harness, prompt_event, end_event) in [
        ("claude", "UserPromptSubmit", "SessionEnd"),
        ("codex", "UserPromptSubmit", "PreCompact"),
        ("gemini", "BeforeAgent", "SessionEnd"),
        ("cursor", "beforeSubmitPrompt", "stop"),
    ] {
        let mut world = World::new();
        let prompt = |words: &str| {
            json!({ "session_id": "s-1", "hook_event_name": prompt_event, "prompt": words })
                .to_string()
        };
        let latin = prompt("Gr~~e aus Bern").into_bytes();
        let latin: Vec<u8> = latin
            .into_iter()
            .map(|byte| if byte == b'~' { 0xfc } else { byte })
            .collect();
        let unknown = json!({ "session_id": "s-1", "hook_event_name": "Unheard" }).to_string();
        let missing = end(end_event, "C:\\Users\\sam\\.agent\\s-1.jsonl");
        let gone = end(end_event, "/nowhere/s-1.jsonl");
        let null = format!(
            "{{\"session_id\":\"s-2\",\"hook_event_name\":\"{end_event}\",\"transcript_path\":null}}"
        );
        let mut kept = 0;
        for (payload, keeps) in [
            (prompt("Refunds take five days").into_bytes(), true),
            (latin, true),
            (unknown.into_bytes(), true),
            (missing.into_bytes(), true),
            (gone.into_bytes(), true),
            (null.into_bytes(), harness == "cursor"),
            (
                b"{\"session_id\": \"s-1\", \"prompt\": \"cut o".to_vec(),
                false,
            ),
            (b"\xff\xfe{\0".to_vec(), false),
        ] {
            let ran = hook(&world, harness, &payload, &[]);
            kept += usize::from(keeps);
            let shown = String::from_utf8_lossy(&payload).into_owned();
            assert_eq!(harmless(ran), None, "{harness}: {shown}");
            assert_eq!(waiting(&world), kept, "{harness}: {shown}");
        }
        world.detect();
        assert_eq!(
            world.count("SELECT count(*) FROM observation WHERE text LIKE 'Gr\u{fffd}%aus Bern'"),
            1,
            "{harness}: one bad byte costs one letter"
        );

        without_a_place(&mut world, harness, &prompt);
        world.is_whole();
    }
}

#[test]
fn a_direct_write_to_a_memory_file_becomes_a_proposal_where_that_is_asked_for() {
    let world = World::new();
    let write = json!({
        "session_id": "s-3", "hook_event_name": "PreToolUse", "tool_name": "Write", "tool_use_id": "t-1",
        "tool_input": { "file_path": "/home/sam/shop/CLAUDE.md", "content": "Integration tests need the VPN." },
    })
    .to_string();
    assert_eq!(
        harmless(hook(&world, "claude", &write, &[])),
        None,
        "off by default"
    );
    let denied = harmless(hook(&world, "claude", &write, &["--guard"])).unwrap();
    assert_eq!(denied["hookSpecificOutput"]["permissionDecision"], "deny");
    assert!(denied.to_string().contains("memory_propose"));
    let other = write.replace("CLAUDE.md", "README.md");
    assert_eq!(harmless(hook(&world, "claude", other, &["--guard"])), None);
    world.detect();
    let waiting = [world.queue("pending"), world.queue("quarantined")].concat();
    assert_eq!(waiting.len(), 1, "{waiting:?}");
    assert_eq!(
        (&waiting[0]["claim"], &waiting[0]["trust"]),
        (&json!("Integration tests need the VPN."), &json!("model"))
    );
}

#[cfg(unix)]
#[test]
fn what_cannot_be_kept_is_not_denied_and_not_called_kept() {
    let world = World::new();
    std::fs::write(
        world.path("store.db.spool"),
        "a file stands where the folder should be",
    )
    .unwrap();
    let write = json!({
        "session_id": "s-3", "hook_event_name": "PreToolUse", "tool_name": "Write",
        "tool_input": { "file_path": "/x/AGENTS.md", "content": "x" },
    });
    let ran = hook(&world, "claude", write.to_string(), &["--guard"]);
    assert!(ran.err.contains("could not be kept"), "{}", ran.err);
    assert_eq!(harmless(ran), None);
}

#[test]
fn a_drain_that_was_killed_counts_nothing_twice() {
    let world = World::new();
    harmless(hook(
        &world,
        "claude",
        prompt("s-1", "Refunds take five days"),
        &[],
    ));
    let folder = world.path("store.db.spool");
    let file = std::fs::read_dir(&folder)
        .unwrap()
        .flatten()
        .next()
        .unwrap()
        .path();
    let kept = std::fs::read(&file).unwrap();
    world.detect();
    std::fs::write(&file, kept).unwrap(); // as if it had been killed before the file was removed
    std::fs::write(folder.join("00000000000000000001-bad.json"), "{").unwrap();
    world.detect();
    assert_eq!(world.count("SELECT count(*) FROM observation"), 1);
    assert_eq!(waiting(&world), 0);
    assert!(
        folder.join("failed/00000000000000000001-bad.json").exists(),
        "kept aside, not lost"
    );
}

/// The program itself, its input left open or closed. Returns what it printed and how long it took.
fn program(world: &World, payload: &str, leave_open: bool) -> (String, Duration) {
    let begun = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args([
            "hook",
            "--harness",
            "claude",
            "--layer",
            "acme/dev",
            "--store",
        ])
        .arg(world.store())
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(payload.as_bytes()).unwrap();
    input.flush().unwrap();
    let open = leave_open.then_some(input);
    let done = child.wait_with_output().unwrap();
    drop(open);
    assert_eq!(done.status.code(), Some(0));
    (String::from_utf8(done.stdout).unwrap(), begun.elapsed())
}

#[test]
fn input_that_is_never_closed_holds_nothing_up() {
    let world = World::new();
    let (out, _) = program(&world, &prompt("s-1", "Refunds take five days"), true);
    assert_eq!(out, "");
    assert_eq!(waiting(&world), 1);
    let (_, took) = program(&world, "{\"session_id\": ", true);
    assert!(
        took < Duration::from_secs(20),
        "half an object is waited for, and not for ever: {took:?}"
    );
}

#[test]
fn a_store_that_is_locked_costs_the_agent_nothing_but_its_memory() {
    let world = World::new();
    world.remember("Refunds take five working days.", "acme");
    let gate = std::fs::File::options()
        .write(true)
        .open(world.path("store.db.gate"))
        .unwrap();
    gate.lock().unwrap();
    let held = world.database();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    let start = json!({ "session_id": "s-9", "hook_event_name": "SessionStart" }).to_string();
    let (out, _) = program(&world, &start, false);
    assert_eq!(out, "", "no serving, no bytes");
    let (out, _) = program(&world, &prompt("s-9", "Refunds take five days"), false);
    assert_eq!((out.as_str(), waiting(&world)), ("", 1));
    held.execute_batch("ROLLBACK").unwrap();
    drop((held, gate));
    world.detect();
    assert_eq!(world.count("SELECT count(*) FROM observation"), 1);
    world.is_whole();
}

#[test]
fn a_harness_is_wired_in_by_one_command_and_out_again_to_the_byte() {
    let world = World::new();
    let project = world.path("shop");
    let settings = "{\n  \"model\": \"x\"\n}\n";
    let file = world.file("shop/.claude/settings.json", settings);
    let folder = project.display().to_string();
    let install = [
        "install",
        "--harness",
        "claude",
        "--layer",
        "acme/dev",
        "--project",
        &folder,
    ];
    let shown = world
        .any(&[&install as &[&str], &["--dry-run"]].concat(), None)
        .exits(0);
    assert!(
        shown.out.contains("+     \"SessionStart\": ["),
        "{}",
        shown.out
    );
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        settings,
        "a dry run writes nothing"
    );
    world
        .any(&install, Some(crate::world::Typed::Text("no")))
        .exits(3);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), settings);
    let done = world
        .any(&install, Some(crate::world::Typed::Code))
        .exits(0);
    assert!(
        done.out.contains("countersign-memory"),
        "the sentence for the agent: {}",
        done.out
    );
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let args = &kept["hooks"]["SessionStart"][0]["hooks"][0]["args"];
    assert!(
        args.as_array().unwrap().contains(&json!(world.store())),
        "{args}"
    );
    let server: Value =
        serde_json::from_str(&std::fs::read_to_string(project.join(".mcp.json")).unwrap()).unwrap();
    assert_eq!(server["mcpServers"]["countersign"]["args"][0], "mcp");
    let again = world
        .any(&[&install as &[&str], &["--yes"]].concat(), None)
        .exits(0);
    assert!(again.out.contains("nothing to change"), "{}", again.out);
    world
        .run([
            "install",
            "--harness",
            "claude",
            "--project",
            &folder,
            "--undo",
            "--yes",
        ])
        .exits(0);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), settings);
    let broken = world.file("shop/.claude/settings.json", "{ // mine\n}");
    world
        .any(&[&install as &[&str], &["--yes"]].concat(), None)
        .fails_clearly(3, "not plain JSON");
    assert_eq!(std::fs::read_to_string(broken).unwrap(), "{ // mine\n}");
}

#[test]
fn the_doctor_says_what_is_wrong_and_how_to_mend_it() {
    let world = World::new();
    let well = world.run(["doctor"]).exits(0);
    assert!(well.out.contains("nothing is wrong"), "{}", well.out);
    harmless(hook(
        &world,
        "claude",
        prompt("s-1", "Refunds take five days"),
        &[],
    ));
    world.later(3 * 3_600_000);
    world.database().execute_batch("UPDATE meta SET value = 'x' WHERE name = 'uuid'; UPDATE candidate SET claim = ''; UPDATE observation SET text = 'x'").unwrap();
    world.database().execute_batch("INSERT INTO observation (text, layer, user, session, trust, origin, at) VALUES ('x', 1, 'u', 's', 0, 0, 0)").unwrap();
    let ill = world.run(["doctor", "--json"]).exits(1).lines();
    let wrong: Vec<&str> = ill
        .iter()
        .filter(|check| check["ok"] == false)
        .map(|check| check["check"].as_str().unwrap())
        .collect();
    assert_eq!(wrong, ["spool", "ledger"], "{ill:?}");
    assert!(
        ill.iter()
            .all(|check| check["ok"] == true || check["mend"].is_string())
    );
    let bare = World::without_store();
    bare.run(["doctor"]).exits(1);
}
