//! A candidate approved in the place of a memory: one act, one entry, and the old one is served no more.

use crate::signed::{approve_as_action, signed_world, sits};
use crate::world::{Ran, World, asking, memory_in, presence, reviewer};
use countersign::desk::Report;
use countersign::domain::report::ReportVerdict;
use serde_json::{Value, json};

const FIVE: &str = "Refunds take five working days.";
const NINE: &str = "Refunds take nine working days.";
const TEN: &str = "Refunds take ten working days.";

fn replace(world: &World, claim: &str, layer: &str, old: &str) -> Ran {
    let id = world.propose(claim, layer)["id"]
        .as_str()
        .unwrap()
        .to_owned();
    world.at_terminal([
        "decide",
        "approve",
        &id,
        "--supersedes",
        old,
        "--reason",
        "the contract changed",
    ])
}

fn memory(world: &World, id: &str) -> Value {
    world.run(["memory", "show", id, "--json"]).exits(0).json()
}

/// A store in which M-2 stands in the place of M-1.
fn replaced() -> World {
    let world = World::new();
    world.remember(FIVE, "acme");
    world.later(1000);
    let ran = replace(&world, NINE, "acme", "M-1").exits(0);
    assert!(ran.out.contains("in the place of M-1"), "{}", ran.out);
    assert!(
        ran.out.contains("[-five-]") && ran.out.contains("{+nine+}"),
        "{}",
        ran.out
    );
    assert_eq!(memory_in(&ran.out), "M-2");
    world
}

#[test]
fn inv06_the_new_version_and_the_end_of_the_old_one_are_one_entry() {
    let world = replaced();
    assert_eq!(world.recalled("acme"), [NINE]);
    world.is_whole();
    let (old, new) = (memory(&world, "M-1"), memory(&world, "M-2"));
    assert_eq!(
        (&old["state"], &new["state"]),
        (&json!("superseded"), &json!("active"))
    );
    assert_eq!(new["lineage"], old["lineage"]);
    assert_eq!(
        crate::world::strings(&new["versions"], "text"),
        [FIVE, NINE]
    );
    let entry = world
        .run(["audit", "log", "approve", "--json"])
        .exits(0)
        .lines()[0]
        .clone();
    assert_eq!(entry["facts"]["supersedes"], "M-1", "{entry}");
    let why = world.run(["why", "M-2", "--json"]).exits(0).json();
    assert!(
        why["because"].to_string().contains("in the place of M-1"),
        "{why}"
    );
    let restored = world.at_terminal(["restore", "M-1"]).exits(4);
    assert!(restored.err.contains("M-1"), "{}", restored.err);
    // A third version goes on in the same line.
    world.later(1000);
    replace(&world, TEN, "acme", "M-2").exits(0);
    assert_eq!(world.recalled("acme"), [TEN]);
    assert_eq!(
        memory(&world, "M-3")["versions"].as_array().unwrap().len(),
        3
    );
    world.is_whole();
}

#[test]
fn taking_it_back_brings_the_old_version_back() {
    let world = replaced();
    let desk = world.desk();
    let last = desk.undoable(&reviewer("olga")).unwrap().unwrap();
    desk.undo(&presence("olga"), last.entry).unwrap();
    assert_eq!(world.recalled("acme"), [FIVE]);
    assert_eq!(memory(&world, "M-2")["state"], "demoted");
    assert_eq!(world.queue("pending").len(), 1);
    world.is_whole();
}

#[test]
fn a_version_that_was_replaced_itself_is_not_taken_back() {
    let world = replaced();
    let desk = world.desk();
    let first = desk.undoable(&reviewer("olga")).unwrap().unwrap();
    let id = world.propose(TEN, "acme")["id"]
        .as_str()
        .unwrap()
        .to_owned();
    world.later(1000);
    world
        .at_terminal([
            "decide",
            "approve",
            &id,
            "--supersedes",
            "M-2",
            "--as",
            "paul",
            "--reason",
            "newer",
        ])
        .exits(0);
    assert!(desk.undo(&presence("olga"), first.entry).is_err());
    assert_eq!(world.recalled("acme"), [TEN]);
    world.is_whole();
}

#[test]
fn what_holds_in_fewer_places_takes_the_place_of_nothing_wider_and_what_is_gone_cannot_be_replaced()
{
    let world = World::new();
    world.remember(FIVE, "acme");
    let refused = replace(&world, NINE, "acme/emea", "M-1").exits(3);
    assert!(refused.err.contains("acme/emea only"), "{}", refused.err);
    assert_eq!(world.recalled("acme/emea"), [FIVE]);
    world
        .at_terminal(["demote", "M-1", "--reason", "stale"])
        .exits(0);
    let refused = replace(&world, TEN, "acme", "M-1").exits(3);
    assert!(refused.err.contains("M-1 is demoted"), "{}", refused.err);
    let id = world.queue("pending")[0]["id"].as_str().unwrap().to_owned();
    world
        .at_terminal(["decide", "reject", &id, "--supersedes", "M-1"])
        .exits(3);
    world.is_whole();
}

#[test]
fn a_replaced_memory_whose_row_is_put_back_is_withheld() {
    let world = replaced();
    let database = world.database();
    database
        .execute_batch(
            "UPDATE memory SET state = 0, changed_by = NULL, changed_at = NULL, changed_act = NULL WHERE id = 1;
             UPDATE tally SET n = n + 1 WHERE name = 'memories';",
        )
        .unwrap();
    drop(database);
    let answer = world.recall("acme");
    assert_eq!(crate::world::strings(&answer["records"], "text"), [NINE]);
    assert!(
        answer["withheld"]
            .to_string()
            .contains("put another memory in its place"),
        "{answer}"
    );
    world.is_broken("M-1 was changed in its table");
}

#[test]
fn where_it_takes_two_people_both_must_mean_the_same_memory() {
    let mut world = signed_world();
    let first = world.propose("The weekly export goes to the archive bucket.", "acme")["id"]
        .as_str()
        .unwrap()
        .to_owned();
    approve_as_action(&world, &first).exits(0);
    sits(&mut world, "bob");
    let approve = |world: &World, id: &str, old: &str| {
        world.at_terminal([
            "decide",
            "approve",
            id,
            "--supersedes",
            old,
            "--influence",
            "action",
            "--reason",
            "asked",
        ])
    };
    world
        .at_terminal(["decide", "approve", &first, "--reason", "asked the bank"])
        .exits(0);
    let next = world.propose("The weekly export goes to the cold bucket.", "acme")["id"]
        .as_str()
        .unwrap()
        .to_owned();
    approve(&world, &next, "M-1").exits(0);
    assert_eq!(world.recalled("acme").len(), 1, "one is not enough");
    sits(&mut world, "carol");
    let beside = approve_as_action(&world, &next).exits(3);
    assert!(
        beside.err.contains("as a new version of M-1"),
        "{}",
        beside.err
    );
    approve(&world, &next, "M-1").exits(0);
    assert_eq!(
        world.recalled("acme"),
        ["The weekly export goes to the cold bucket."]
    );
    world.is_whole();
}

/// Whoever replaced a memory did so under another item's name: that is an act that followed, too.
#[test]
fn what_was_done_to_a_memory_before_it_was_replaced_is_not_taken_back() {
    for again in ["restore", "renew"] {
        let world = World::new();
        world.remember(FIVE, "acme");
        world.later(1000);
        if again == "restore" {
            world
                .at_terminal(["demote", "M-1", "--reason", "stale"])
                .exits(0);
        }
        world.later(1000);
        let ran = world.at_terminal([again, "M-1", "--reason", "asked the desk"]);
        ran.exits(0);
        let desk = world.desk();
        let last = desk.undoable(&reviewer("olga")).unwrap().unwrap();
        world.later(1000);
        let id = world.propose(NINE, "acme")["id"]
            .as_str()
            .unwrap()
            .to_owned();
        let replaced = [
            "decide",
            "approve",
            &id,
            "--supersedes",
            "M-1",
            "--as",
            "paul",
            "--reason",
            "newer",
        ];
        world.at_terminal(replaced).exits(0);
        let refused = desk.undo(&presence("olga"), last.entry).unwrap_err();
        assert!(
            refused.to_string().contains("another act followed"),
            "{refused}"
        );
        assert_eq!(memory(&world, "M-1")["state"], "superseded");
        assert_eq!(world.recalled("acme"), [NINE]);
        world.is_whole();
    }
}

#[test]
fn letting_go_of_an_item_is_taken_back_by_holding_it_again() {
    let world = World::new();
    let id = world.propose(FIVE, "acme")["id"]
        .as_str()
        .unwrap()
        .to_owned();
    world.at_terminal(["decide", "hold", &id]).exits(0);
    world.at_terminal(["decide", "unhold", &id]).exits(0);
    let desk = world.desk();
    let held = |world: &World| world.count("SELECT held FROM candidate WHERE id = 1");
    assert_eq!(held(&world), 0);
    let last = desk.undoable(&reviewer("olga")).unwrap().unwrap();
    desk.undo(&presence("olga"), last.entry).unwrap();
    assert_eq!(held(&world), 1);
    world.is_whole();
}

#[test]
fn what_an_agent_reports_does_not_keep_a_decision_from_being_taken_back() {
    let world = World::new();
    world.remember(FIVE, "acme");
    let desk = world.desk();
    let recall = desk.recall(&asking("acme")).unwrap();
    let last = desk.undoable(&reviewer("olga")).unwrap().unwrap();
    desk.report(Report {
        serving: recall.serving,
        memory: recall.records[0].memory.id,
        verdict: ReportVerdict::Wrong,
        note: None,
        actor: "mcp test".to_owned(),
    })
    .unwrap();
    desk.undo(&presence("olga"), last.entry).unwrap();
    assert!(world.recalled("acme").is_empty());
    world.is_whole();
}

#[test]
fn what_was_erased_since_does_not_come_back() {
    let world = World::new();
    world.file("home/.config/countersign/config.toml", "role = \"admin\"\n");
    world.remember(FIVE, "acme");
    world
        .at_terminal(["demote", "M-1", "--reason", "stale"])
        .exits(0);
    world
        .at_terminal(["erase", "C-1", "--reason", "asked for"])
        .exits(0);
    let desk = world.desk();
    let last = desk.undoable(&reviewer("olga")).unwrap().unwrap();
    assert!(desk.undo(&presence("olga"), last.entry).is_err());
    assert_eq!(memory(&world, "M-1")["state"], "demoted");
    world.is_whole();
}
