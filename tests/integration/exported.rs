//! A ledger that left its store: whoever has the file and nothing else believes every decision in
//! it, or names the one that was forged; with this program and with plain OpenSSH.

use crate::signed::{decide, key_of, remember, sign, signed_world, sits};
use crate::world::World;
use serde_json::{Value, json};
use std::process::{Command, Stdio};

/// A signed ledger with decisions by two people, as lines; the admin's fingerprint; a signed decision.
fn exported() -> (Vec<Value>, String, i64) {
    let mut world = signed_world();
    let memory = remember(&world, "Refunds take five working days.");
    sits(&mut world, "bob");
    let answer = world.propose("Staging listens on port 8443.", "acme");
    decide(&world, "reject", answer["id"].as_str().unwrap()).exits(0);
    world
        .at_terminal(["demote", &memory, "--reason", "stale"])
        .exits(0);
    let file = world.path("ledger.jsonl").display().to_string();
    world.run(["audit", "export", &file]).exits(0);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(
        !text.contains("Refunds") && !text.contains("Staging"),
        "no text leaves"
    );
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let rejected = world.count("SELECT seq FROM entry WHERE act = 3");
    let fingerprint = key_of("alice").fingerprint(ssh_key::HashAlg::Sha256);
    (lines.collect(), fingerprint.to_string(), rejected)
}

/// What `import-check` says of these lines, their count put right.
fn check(lines: &[Value], admin: &str) -> Value {
    let elsewhere = World::without_store();
    let mut lines = lines.to_vec();
    let count = lines.len() - 1;
    lines[count] = json!({ "end": count });
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let file = elsewhere.file("ledger.jsonl", text);
    let ran = elsewhere.run(["audit", "import-check", &file, "--admin", admin, "--json"]);
    let found = ran.json();
    assert_eq!(ran.code, u8::from(found["ok"] != json!(true)), "{found}");
    found
}

fn signature_of(lines: &[Value], seq: i64) -> usize {
    let is = |line: &Value| line["seq"] == json!(seq) && line["signature"].is_string();
    lines.iter().position(is).unwrap()
}

#[test]
fn every_decision_of_an_export_is_believed_without_the_store() {
    let (lines, admin, _) = exported();
    let found = check(&lines, &admin);
    assert_eq!(found["ok"], json!(true), "{found}");
    let decisions = &found["decisions"];
    assert_eq!(decisions["all"], decisions["signed"], "{found}");
    assert!(
        decisions["all"].as_u64().unwrap() >= 7,
        "four people and three decisions: {found}"
    );
    assert_eq!(decisions["signing_began"]["by"], "alice");
    assert_eq!(decisions["signing_began"]["key"], json!(admin));
    let other = check(&lines, "SHA256:nobody");
    assert!(
        other["problems"]
            .to_string()
            .contains("is not the key you trust"),
        "{other}"
    );
}

#[test]
fn forged_stripped_and_moved_signatures_are_named() {
    let (lines, admin, seq) = exported();
    let at = signature_of(&lines, seq);
    let other = lines
        .iter()
        .position(|line| line["signature"].is_string() && line["seq"] != json!(seq))
        .unwrap();
    let found = |change: &dyn Fn(&mut Vec<Value>), said: &str| {
        let mut changed = lines.clone();
        change(&mut changed);
        let found = check(&changed, &admin);
        assert!(
            found["problems"].to_string().contains(said),
            "{said}: {found}"
        );
    };
    found(
        &|lines| drop(lines.remove(at)),
        &format!("the signature of E-{seq} is gone"),
    );
    found(
        &|lines| {
            let statement = lines[at]["statement"].as_str().unwrap().to_owned();
            let forged = sign(&key_of("mallory"), "countersign-decision", &statement);
            lines[at]["signature"] = json!(forged);
        },
        "it was made with another key",
    );
    found(
        &|lines| {
            let statement = lines[at]["statement"].as_str().unwrap().to_owned();
            let forged = sign(&key_of("bob"), "countersign-reviewers", &statement);
            lines[at]["signature"] = json!(forged);
        },
        "another purpose",
    );
    found(
        &|lines| lines[at]["signature"] = lines[other]["signature"].clone(),
        &format!("E-{seq}: "),
    );
    found(
        &|lines| {
            let statement = lines[at]["statement"]
                .as_str()
                .unwrap()
                .replace("reject", "approve");
            lines[at]["statement"] = json!(statement);
        },
        &format!("what was signed is not what E-{seq} names"),
    );
    found(
        &|lines| {
            let mut copy = lines[at].clone();
            copy["seq"] = json!(3);
            lines.insert(at, copy);
        },
        "E-3",
    );
    found(
        &|lines| lines.retain(|line| !line["allowed_signers"].is_string()),
        "the reviewers' list of the file is not the one that its entries add up to",
    );
    found(
        &|lines| lines.retain(|line| !line["signature"].is_string()),
        "reviewers' list: entry E-",
    );
}

/// OpenSSH, with the file and nothing of ours.
#[test]
fn plain_openssh_verifies_the_signatures_of_an_export() {
    let (lines, _, seq) = exported();
    let folder = World::without_store();
    let list = lines
        .iter()
        .find_map(|line| line["allowed_signers"].as_str())
        .unwrap();
    let allowed = folder.file("allowed", list);
    let verify = |line: &Value, statement: &str| {
        use std::io::Write as _;
        let text = |key: &str| line[key].as_str().unwrap().to_owned();
        let signature = folder.file("decision.sig", text("signature"));
        let mut child = Command::new("ssh-keygen")
            .args([
                "-q",
                "-Y",
                "verify",
                "-f",
                &allowed,
                "-I",
                &text("principal"),
            ])
            .args(["-n", &text("namespace"), "-s", &signature])
            .arg(format!("-Overify-time={}", text("verify_time")))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(statement.as_bytes()).unwrap();
        drop(input);
        child.wait().unwrap().success()
    };
    let mut verified = 0;
    for line in lines.iter().filter(|line| line["signature"].is_string()) {
        let statement = line["statement"].as_str().unwrap();
        assert!(verify(line, statement), "{line}");
        assert!(!verify(line, &format!("{statement} ")), "{line}");
        verified += 1;
    }
    assert!(verified >= 7, "{verified}");
    assert!(lines[signature_of(&lines, seq)]["principal"] == "bob");
}

#[test]
fn an_export_of_a_ledger_that_nobody_signs_says_so() {
    let world = World::new();
    world.remember("Refunds take five working days.", "acme");
    let file = world.path("ledger.jsonl").display().to_string();
    world.run(["audit", "export", &file]).exits(0);
    let said = world.run(["audit", "import-check", &file]).exits(0).out;
    assert!(
        said.contains("1 decisions, unsigned: names are asserted"),
        "{said}"
    );
    let ran = world
        .run(["audit", "import-check", &file, "--admin", "SHA256:x"])
        .exits(1);
    assert!(
        ran.out.contains("nobody signs in this ledger"),
        "{}",
        ran.out
    );
}
