//! Candidates in another shape: split into their claims, or joined; judged, recorded, taken back.

use crate::world::{World, presence, reviewer, strings};
use serde_json::{Value, json};

const TWO: &str = "Refunds take five working days. Escalations go to the duty manager.";
const ONE: &str = "Refunds take five working days.";
const OTHER: &str = "Escalations go to the duty manager.";

fn shown(world: &World, id: &str) -> Value {
    world.run(["queue", "show", id, "--json"]).exits(0).json()
}

fn claims(world: &World) -> Vec<String> {
    strings(&json!(world.queue("pending")), "claim")
}

#[test]
fn a_candidate_with_two_claims_becomes_two_that_are_judged_and_recorded() {
    let world = World::new();
    let id = world.propose(TWO, "acme")["id"]
        .as_str()
        .unwrap()
        .to_owned();
    world.run(["split", &id]).exits(3);
    assert_eq!(claims(&world), [TWO], "a pipe splits nothing");
    let done = world
        .at_terminal(["split", &id, "--reason", "two things"])
        .exits(0);
    assert!(
        done.out.contains("part 2"),
        "the parts are shown: {}",
        done.out
    );
    assert_eq!(claims(&world), [ONE, OTHER]);
    let parent = shown(&world, &id);
    assert_eq!(parent["status"], "closed", "{parent}");
    assert_eq!(parent["decided"]["act"], "split");
    let part = shown(&world, "C-2");
    assert_eq!(part["sources"][0]["ref"], parent["sources"][0]["ref"]);
    world.is_whole();
    // What was split is not approved, and proposing it again brings nothing back.
    world
        .at_terminal(["decide", "approve", &id, "--reason", "x"])
        .exits(4);
    world.propose(TWO, "acme");
    assert_eq!(claims(&world).len(), 2);
    world.is_whole();
}

#[test]
fn a_split_is_taken_back_as_long_as_nothing_happened_to_its_parts() {
    let world = World::new();
    let id = world.propose(TWO, "acme")["id"]
        .as_str()
        .unwrap()
        .to_owned();
    world.at_terminal(["split", &id]).exits(0);
    let later = world.fork();
    let desk = world.desk();
    let last = desk.undoable(&reviewer("olga")).unwrap().unwrap();
    desk.undo(&presence("olga"), last.entry).unwrap();
    assert_eq!(claims(&world), [TWO]);
    assert_eq!(shown(&world, "C-2")["status"], "closed");
    world.is_whole();

    let desk = later.desk();
    later
        .at_terminal(["decide", "reject", "C-2", "--as", "paul"])
        .exits(0);
    assert!(desk.undo(&presence("olga"), last.entry).is_err());
    assert_eq!(claims(&later), [OTHER]);
    later.is_whole();
}

#[test]
fn inv09_a_part_that_was_turned_down_before_does_not_come_back() {
    let world = World::new();
    let rejected = world.propose(ONE, "acme")["id"]
        .as_str()
        .unwrap()
        .to_owned();
    world.at_terminal(["decide", "reject", &rejected]).exits(0);
    let id = world.propose(TWO, "acme")["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let done = world.at_terminal(["split", &id, "--json"]).exits(0);
    assert!(
        done.out.contains(&format!("\"stands\":[\"{rejected}\"]")),
        "{}",
        done.out
    );
    assert_eq!(claims(&world), [OTHER]);
    world.is_whole();
}

#[test]
fn candidates_that_say_the_same_become_one_with_the_sources_of_all() {
    let world = World::new();
    let propose = |claim: &str, session: &str, layer: &str| {
        let mut line = crate::world::proposal(claim, layer);
        line["source_refs"] = json!([format!("session:{session}")]);
        world.propose_json(&line)["id"].as_str().unwrap().to_owned()
    };
    let first = propose(ONE, "s-1", "acme");
    let same = propose("Refunds take five working days, always.", "s-2", "acme");
    let against = propose("Refunds take nine working days.", "s-3", "acme");
    let elsewhere = propose("Refunds take 5 working days.", "s-4", "acme/emea");
    let refused = world.at_terminal(["merge", &first, &against]).exits(3);
    assert!(refused.err.contains("says otherwise"), "{}", refused.err);
    let refused = world.at_terminal(["merge", &first, &elsewhere]).exits(3);
    assert!(refused.err.contains("stay apart"), "{}", refused.err);
    world.at_terminal(["merge", &first, &same]).exits(0);
    let joined = shown(&world, "C-5");
    assert_eq!(joined["claim"], ONE);
    assert_eq!(
        strings(&joined["sources"], "ref"),
        ["session:s-1", "session:s-2"]
    );
    assert_eq!(shown(&world, &same)["status"], "closed");
    world.is_whole();
    let desk = world.desk();
    let last = desk.undoable(&reviewer("olga")).unwrap().unwrap();
    desk.undo(&presence("olga"), last.entry).unwrap();
    assert_eq!(world.queue("pending").len(), 4);
    world.is_whole();
    // What shares no words is joined for a reason or not at all.
    let unlike = propose(
        "Customers get their money back within a week.",
        "s-5",
        "acme",
    );
    let refused = world.at_terminal(["merge", &first, &unlike]).exits(3);
    assert!(refused.err.contains("--reason"), "{}", refused.err);
    let why = ["merge", &first, &unlike, "--reason", "the desk says it so"];
    world.at_terminal(why).exits(0);
    let last = desk.undoable(&reviewer("olga")).unwrap().unwrap();
    desk.undo(&presence("olga"), last.entry).unwrap();
    world.is_whole();
    // A candidate put back in its table behind the ledger is found.
    world.at_terminal(["merge", &first, &same]).exits(0);
    world
        .database()
        .execute("UPDATE candidate SET state = 0 WHERE id = 2", [])
        .unwrap();
    world.is_broken("C-2 was changed in its table");
}

#[test]
fn a_signed_split_commits_to_its_parts() {
    let world = crate::signed::signed_world();
    let id = world.propose(TWO, "acme")["id"]
        .as_str()
        .unwrap()
        .to_owned();
    world.at_terminal(["split", &id]).exits(0);
    world.is_whole();
    let entry = world
        .run(["audit", "log", "split", "--json"])
        .exits(0)
        .json();
    assert_eq!(entry["assurance"], "key", "{entry}");
    assert!(entry["facts"]["part_2"].is_string() && entry["facts"]["signed_by"].is_string());
    // A part in other words than those that were signed for is found.
    world
        .database()
        .execute(
            "UPDATE candidate SET claim = 'Refunds are paid at once.' WHERE id = 2",
            [],
        )
        .unwrap();
    world.is_broken("C-2 was changed in its table");
}
