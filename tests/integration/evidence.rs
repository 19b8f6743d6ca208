//! A proposal beside the sources it names: what they deny is held, what they lack is shown.

use crate::world::{World, candidate, proposal};
use countersign::domain::{Backing, Verdict};
use serde_json::{Value, json};

const RULE: &str = "unsupported_by_evidence";

/// Observes one text and proposes a claim that names it; returns what was answered.
fn proposed(world: &World, said: &str, claim: &str) -> Value {
    let line = json!({ "text": said, "layer": "acme", "user": "ada", "session": "s-1" });
    world
        .feed(format!("{line}\n"), ["observe", "--json"])
        .exits(0);
    let mut proposal = proposal(claim, "acme");
    proposal["source_refs"] = json!(["observation:O-1"]);
    world.propose_json(&proposal)
}

fn finding(answer: &Value) -> Option<Value> {
    let findings = answer["findings"].as_array().unwrap();
    findings.iter().find(|it| it["rule"] == RULE).cloned()
}

#[test]
fn what_the_source_says_is_not_objected_to_and_is_marked_in_it() {
    let world = World::new();
    let said = "Good morning. Refunds take five working days.";
    let answer = proposed(&world, said, "Refunds take 5 business days.");
    assert_eq!(finding(&answer), None, "{answer}");
    let view = world.desk().candidate(candidate(&answer["id"])).unwrap();
    assert_eq!(view.weighed.unwrap().backing, Backing::Supported);
    let source = &view.evidence[0];
    let quote = source.quote.as_deref().unwrap();
    assert_eq!(
        source.backs.and_then(|span| quote.get(span.range())),
        Some("Refunds take five working days.")
    );
}

#[test]
fn what_the_source_denies_is_quarantined() {
    let world = World::new();
    let said = "Refunds take five working days.";
    let answer = proposed(&world, said, "Refunds take nine working days.");
    assert_eq!(answer["status"], "quarantined", "{answer}");
    let finding = finding(&answer).unwrap();
    assert_eq!(finding["severity"], "quarantine");
    assert!(
        finding["message"].as_str().unwrap().contains(said),
        "{finding}"
    );
    let view = world.desk().candidate(candidate(&answer["id"])).unwrap();
    assert!(view.evidence[0].denies.is_some());
}

#[test]
fn what_says_more_than_its_source_is_shown_with_the_words_that_do() {
    let world = World::new();
    let said = "We are thinking about moving the depot to Gent.";
    let claim = "The depot is moved to Gent.";
    let answer = proposed(&world, said, claim);
    let finding = finding(&answer).unwrap();
    assert_eq!(finding["severity"], "advisory", "{finding}");
    assert_eq!(answer["status"], "pending", "{answer}");
    let view = world.desk().candidate(candidate(&answer["id"])).unwrap();
    let mut findings = view.candidate.findings.iter();
    let span = findings.find(|it| it.rule == RULE).unwrap().span.unwrap();
    assert_eq!(claim.get(span.range()), Some("moved"));
    assert_eq!(view.unsupported, [span]);
}

#[test]
fn an_edit_is_weighed_again() {
    let world = World::new();
    let said = "Refunds take five working days.";
    let answer = proposed(&world, said, said);
    let id = candidate(&answer["id"]);
    let judged = world
        .desk()
        .judge_edit(id, "Refunds take nine working days.")
        .unwrap();
    assert_eq!(judged.verdict, Verdict::Quarantine);
    assert!(judged.findings.iter().any(|it| it.rule == RULE));
}

#[test]
fn a_pattern_in_its_own_words_is_its_own_evidence() {
    let world = World::new();
    world.observe("Parcels over 20 kg go to the side entrance.", "acme", 4);
    world.detect();
    let all = [world.queue("pending"), world.queue("quarantined")].concat();
    assert_eq!(all.len(), 1, "{all:?}");
    let view = world.desk().candidate(candidate(&all[0]["id"])).unwrap();
    assert!(view.candidate.findings.iter().all(|it| it.rule != RULE));
    assert_eq!(view.weighed, None);
}

#[test]
fn a_long_source_says_that_it_was_read_in_part() {
    let world = World::new();
    let text = format!(
        "{}\nThe gate opens at seven.\n",
        "Nothing of note today.\n".repeat(2000)
    );
    let file = world.file("notes.txt", text);
    let report = world
        .run([
            "ingest", "--layer", "acme", "--user", "ada", "--json", &file,
        ])
        .exits(0)
        .json();
    let mut line = proposal("The depot has a roof terrace.", "acme");
    line["source_refs"] = json!([report["artifact"]]);
    let answer = world.propose_json(&line);
    let message = finding(&answer).unwrap()["message"].clone();
    assert!(
        message.as_str().unwrap().contains("read only in part"),
        "{message}"
    );
}
