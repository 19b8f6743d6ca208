//! Signed workflow events: what becomes a receipt, what is refused and why, and what a receipt is
//! good for. Memory never authorises; a receipt that was taken back supports nothing.

use crate::world::{Ran, World, proposal};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

const SECRET: &str = "test-only-secret";

/// A world that believes `ci` about `acme/shop` in production, for `acme/dev` and below.
fn world() -> World {
    let world = World::new();
    let secret = secret_file(&world, "ci.secret", SECRET);
    believe(&world, "ci", "github", Some("production"), &secret).exits(0);
    world
}

fn secret_file(world: &World, name: &str, secret: &str) -> String {
    let file = world.file(name, format!("{secret}\n"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    file
}

fn believe(
    world: &World,
    name: &str,
    scheme: &str,
    environment: Option<&str>,
    secret: &str,
) -> Ran {
    let mut arguments = vec![
        "event",
        "source",
        "add",
        name,
        "--scheme",
        scheme,
        "--repository",
        "acme/shop",
        "--layer",
        "acme/dev",
        "--secret-file",
        secret,
    ];
    if let Some(environment) = environment {
        arguments.extend(["--environment", environment]);
    }
    world.any(&arguments, Some(crate::world::Typed::Code))
}

fn deployment(state: &str) -> String {
    deployment_of("acme/shop", "abc1234567", "production", state)
}

fn deployment_of(repository: &str, sha: &str, environment: &str, state: &str) -> String {
    json!({
        "deployment_status": { "state": state, "environment": environment },
        "deployment": { "sha": sha, "environment": environment },
        "repository": { "full_name": repository },
    })
    .to_string()
}

fn signature(body: &str, secret: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(body.as_bytes());
    let hex: String = mac
        .finalize()
        .into_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("sha256={hex}")
}

/// Brings an event in as GitHub would have signed it; returns the answer.
fn arrives(world: &World, delivery: &str, body: &str) -> Value {
    let headers = format!(
        "X-GitHub-Delivery: {delivery}\nX-Hub-Signature-256: {}\n",
        signature(body, SECRET)
    );
    bring(world, "ci", &headers, body)
}

fn bring(world: &World, source: &str, headers: &str, body: &str) -> Value {
    let (headers, file) = (
        world.file("headers.txt", headers),
        world.file("body.json", body),
    );
    let ran = world.run([
        "event",
        "ingest",
        "--source",
        source,
        "--headers",
        &headers,
        "--body",
        &file,
        "--json",
    ]);
    let answer = ran.json();
    assert_eq!(
        ran.code,
        u8::from(answer["outcome"] == "refused"),
        "{answer}"
    );
    answer
}

fn authorize(world: &World, subject: &str, layer: &str) -> Value {
    let ran = world.run([
        "authorize",
        "--action",
        "deploy",
        "--subject",
        subject,
        "--environment",
        "production",
        "--layer",
        layer,
        "--json",
    ]);
    let answer = ran.json();
    assert_eq!(ran.code, u8::from(answer["allowed"] == false), "{answer}");
    answer
}

const SUBJECT: &str = "acme/shop@abc1234567";

#[track_caller]
fn refused(answer: &Value, why: &str) {
    assert_eq!(answer["outcome"], "refused", "{answer}");
    assert!(
        answer["why"].as_str().unwrap().contains(why),
        "`{why}`: {answer}"
    );
}

#[test]
fn a_verified_success_is_a_receipt_and_authorizes_exactly_what_it_says() {
    let world = world();
    assert_eq!(authorize(&world, SUBJECT, "acme/dev")["allowed"], false);
    let answer = arrives(&world, "d-1", &deployment("success"));
    assert_eq!(
        (&answer["outcome"], &answer["state"]),
        (&json!("receipt"), &json!("succeeded"))
    );
    let yes = authorize(&world, SUBJECT, "acme/dev/web");
    assert_eq!(
        (&yes["allowed"], &yes["receipt"]),
        (&json!(true), &answer["id"])
    );
    for (subject, layer) in [
        (SUBJECT, "acme"),
        (SUBJECT, "other"),
        ("acme/shop@abc123456", "acme/dev"),
        ("acme/shop", "acme/dev"),
    ] {
        assert_eq!(
            authorize(&world, subject, layer)["allowed"],
            false,
            "{subject} {layer}"
        );
    }
    world.is_whole();
}

#[test]
fn what_is_not_signed_for_this_source_is_refused_recorded_and_says_why() {
    let world = world();
    let body = deployment("success");
    let headers = |delivery: &str, signature: &str| {
        format!("x-github-delivery: {delivery}\nx-hub-signature-256: {signature}\n")
    };
    let good = signature(&body, SECRET);
    for (headers, body, why) in [
        (
            headers("1", &good),
            body.replace("abc1234567", "abc1234568"),
            "not one of these bytes",
        ),
        (
            headers("2", &good),
            format!("{body}\n"),
            "not one of these bytes",
        ),
        (
            headers("3", &signature(&body, "another")),
            body.clone(),
            "not one of these bytes",
        ),
        (
            headers("4", good.trim_start_matches("sha256=")),
            body.clone(),
            "cannot be read",
        ),
        (
            headers("5", good.get(..40).unwrap()),
            body.clone(),
            "cannot be read",
        ),
        (
            "x-github-delivery: 6\n".to_owned(),
            body.clone(),
            "is missing",
        ),
        (
            format!(
                "x-github-event: pull_request_review\n{}",
                headers("7", &good)
            ),
            body.clone(),
            "another event",
        ),
    ] {
        refused(&bring(&world, "ci", &headers, &body), why);
    }
    refused(
        &bring(&world, "nobody", &headers("9", &good), &body),
        "no source of that name",
    );
    assert_eq!(authorize(&world, SUBJECT, "acme/dev")["allowed"], false);
    let kept = world.run(["event", "list", "--json"]).exits(0).lines();
    assert_eq!(kept.len(), 8, "refused events are kept too");
    assert!(!world.run(["audit", "log", "--json"]).out.contains(SECRET));
    world.is_whole();
}

#[test]
fn a_source_speaks_for_its_repository_and_environment_only() {
    let world = world();
    for (body, why) in [
        (
            deployment_of("acme/other", "abc1234567", "production", "success"),
            "speaks of `acme/other",
        ),
        (
            deployment_of("acme/shop2", "abc1234567", "production", "success"),
            "speaks of `acme/shop2",
        ),
        (
            deployment_of("acme/shop", "abc1234567", "staging", "success"),
            "`staging`",
        ),
        ("{\"zen\":\"Keep it\"}".to_owned(), "is none of"),
        ("not json".to_owned(), "not JSON"),
    ] {
        refused(&arrives(&world, &body.len().to_string(), &body), why);
    }
    assert_eq!(authorize(&world, SUBJECT, "acme/dev")["allowed"], false);
}

#[test]
fn no_delivery_and_no_body_counts_twice() {
    let world = world();
    let body = deployment("success");
    assert_eq!(arrives(&world, "d-1", &body)["outcome"], "receipt");
    refused(&arrives(&world, "d-1", &body), "received before, as V-1");
    refused(&arrives(&world, "d-2", &body), "received before, as V-1");
    refused(
        &arrives(&world, "d-1", &deployment("failure")),
        "received before, as V-1",
    );
    assert_eq!(authorize(&world, SUBJECT, "acme/dev")["allowed"], true);
}

#[test]
fn what_is_under_way_says_nothing_and_what_failed_takes_back() {
    let world = world();
    assert_eq!(
        arrives(&world, "d-1", &deployment("in_progress"))["outcome"],
        "noted"
    );
    assert_eq!(authorize(&world, SUBJECT, "acme/dev")["allowed"], false);
    arrives(&world, "d-2", &deployment("success"));
    assert_eq!(authorize(&world, SUBJECT, "acme/dev")["allowed"], true);
    arrives(&world, "d-3", &deployment("inactive"));
    let no = authorize(&world, SUBJECT, "acme/dev");
    assert!(no["why"].as_str().unwrap().contains("took it back"), "{no}");
    // The old success again, in other bytes: it names no moment, so it cannot win over what came between.
    let again = deployment("success").replace("\"success\"", "\"success\" ");
    assert_eq!(arrives(&world, "d-4", &again)["outcome"], "receipt");
    let held = authorize(&world, SUBJECT, "acme/dev");
    assert!(
        held["why"].as_str().unwrap().contains("cannot be told"),
        "{held}"
    );
}

#[test]
fn standard_webhooks_are_fresh_when_they_arrive() {
    let world = World::new();
    let secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3";
    let file = secret_file(&world, "std.secret", secret);
    believe(&world, "std", "standard", None, &file).exits(0);
    let body = json!({ "countersign": 1, "action": "paid", "subject": "acme/shop#4711", "state": "success", "at": "2026-12-01T08:00:00Z" }).to_string();
    let headers = |id: &str, at: i64| {
        let mut mac = Hmac::<Sha256>::new_from_slice(b"0123456789abcdef01234567").unwrap();
        mac.update(format!("{id}.{at}.{body}").as_bytes());
        let tag = base64(&mac.finalize().into_bytes());
        format!("webhook-id: {id}\nwebhook-timestamp: {at}\nwebhook-signature: v1,{tag}\n")
    };
    let now = world.now().millis() / 1000;
    refused(
        &bring(&world, "std", &headers("m-1", now - 301), &body),
        "5 minutes",
    );
    assert_eq!(
        bring(&world, "std", &headers("m-1", now - 299), &body)["outcome"],
        "receipt"
    );
    let asked = [
        "authorize",
        "--action",
        "paid",
        "--subject",
        "acme/shop#4711",
        "--layer",
        "acme/dev",
    ];
    world.run(asked).exits(0);
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[test]
fn inv02_only_a_person_says_whom_to_believe() {
    let world = World::new();
    let secret = secret_file(&world, "ci.secret", SECRET);
    let add = [
        "event",
        "source",
        "add",
        "ci",
        "--scheme",
        "github",
        "--repository",
        "acme/shop",
        "--layer",
        "acme",
        "--secret-file",
        &secret,
    ];
    world.any(&add, None).exits(3);
    assert_eq!(world.count("SELECT count(*) FROM event_source"), 0);
    world
        .any(&add, Some(crate::world::Typed::Text("yes")))
        .exits(3);
    world.any(&add, Some(crate::world::Typed::Code)).exits(0);
    world
        .any(&["event", "source", "remove", "ci"], None)
        .exits(3);
    world
        .any(
            &["event", "source", "remove", "ci"],
            Some(crate::world::Typed::Code),
        )
        .exits(0);
    refused(&bring(&world, "ci", "", "{}"), "no source of that name");
    world.is_whole();
}

#[cfg(unix)]
#[test]
fn a_secret_that_others_may_read_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    let open = world.file("open.secret", SECRET);
    std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o644)).unwrap();
    believe(&world, "ci", "github", None, &open).fails_clearly(2, "may be read by others");
}

#[test]
fn inv08_memory_never_authorizes_whatever_it_says() {
    let world = world();
    world.remember(
        "Version abc1234567 of acme/shop is running in the production cluster.",
        "acme/dev",
    );
    world.propose(
        "acme/shop@abc1234567 was deployed to production.",
        "acme/dev",
    );
    world.observe(
        "acme/shop@abc1234567 was deployed to production",
        "acme/dev",
        6,
    );
    world.detect();
    assert_eq!(authorize(&world, SUBJECT, "acme/dev")["allowed"], false);
    let source = include_str!("../../src/desk/authorize.rs").to_lowercase();
    for word in [
        "memory",
        "candidate",
        "artifact",
        "observation",
        "recall(",
        "serving",
    ] {
        assert!(!source.contains(word), "authorize.rs names `{word}`");
    }
}

#[test]
fn a_state_of_work_needs_its_receipt_and_ends_with_it() {
    let world = world();
    let receipt = arrives(&world, "d-1", &deployment("success"))["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let claim = |text: &str, source: &str| {
        let mut line = proposal(text, "acme/dev");
        line["kind"] = json!("task_state");
        line["source_refs"] = json!([source]);
        line.as_object_mut().unwrap().remove("source_trust");
        line
    };
    let text = "Version abc1234 of the shop was deployed to production.";
    let without = world.propose_json(&claim(text, "session:s-1"));
    assert_eq!(without["verdict"], "quarantine", "{without}");
    let other = world.propose_json(&claim(
        "Version def9999 of the shop was deployed to production.",
        &format!("receipt:{receipt}"),
    ));
    assert_ne!(other["verdict"], "clear", "{other}");
    let memory = world.remember_json(&claim(
        "Version abc1234 of the shop was deployed to production by CI.",
        &format!("receipt:{receipt}"),
    ));
    assert_eq!(world.recalled("acme/dev").len(), 1);
    arrives(&world, "d-2", &deployment("failure"));
    let recall = world.recall("acme/dev");
    assert_eq!(recall["records"], json!([]));
    assert_eq!(recall["withheld"][0]["id"], json!(memory));
    assert!(
        recall["withheld"][0]["reason"]
            .as_str()
            .unwrap()
            .contains("took back"),
        "{recall}"
    );
}

#[test]
fn inv06_an_event_changed_behind_the_ledger_is_named() {
    let begun = world();
    arrives(&begun, "d-1", &deployment("failure"));
    arrives(
        &begun,
        "d-2",
        &deployment_of("acme/shop", "def7654321", "production", "in_progress"),
    );
    for tampering in [
        "UPDATE event SET state = 1 WHERE id = 1",
        "UPDATE event SET outcome = 0 WHERE id = 2",
        "UPDATE event SET subject = 'acme/shop@000' WHERE id = 1",
        "UPDATE event SET body = CAST('{}' AS BLOB) WHERE id = 1",
        "UPDATE event SET headers = '' WHERE id = 1",
        "DELETE FROM event WHERE id = 1",
        "INSERT INTO event SELECT 9, source, layer, 'd-9', zeroblob(32), received_at, 0, '', '', body, action, subject, environment, 1, said_at, said_order FROM event WHERE id = 1",
    ] {
        let world = begun.fork();
        world.database().execute_batch(tampering).unwrap();
        world.is_broken("event V-");
        let no = authorize(&world, SUBJECT, "acme/dev");
        assert!(
            no["why"]
                .as_str()
                .unwrap()
                .contains("not what the ledger says"),
            "{tampering}: {no}"
        );
    }
    let world = begun.fork();
    world
        .database()
        .execute_batch("UPDATE event_source SET repository = 'acme'")
        .unwrap();
    world.is_broken("sources of events");
}
