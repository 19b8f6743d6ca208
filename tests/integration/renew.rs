//! A memory lives on only by a person's own verification (invariant 10), which takes what approving took.

use crate::signed::{approve_as_action, decide, signed_world, sits, sits_without_key};
use crate::world::{World, memory_in, strings};
use serde_json::{Value, json};

const FACT: &str = "Refunds take five working days.";
const EXPORT: &str = "The weekly export goes to the archive bucket.";
const DAY: i64 = 86_400_000;

fn memory(world: &World, id: &str) -> Value {
    world.run(["memory", "show", id, "--json"]).exits(0).json()
}

fn end(world: &World, id: &str) -> String {
    memory(world, id)["expires_at"].as_str().unwrap().to_owned()
}

#[test]
fn inv10_reading_never_makes_a_memory_live_longer_and_a_persons_verification_does() {
    let world = World::new();
    let id = world.remember(FACT, "acme");
    let first = end(&world, &id);
    world.later(80 * DAY);
    for _ in 0..20 {
        assert_eq!(world.recalled("acme"), [FACT]);
    }
    assert_eq!(end(&world, &id), first);
    world.run(["renew", &id, "--reason", "still so"]).exits(3);
    assert_eq!(end(&world, &id), first, "a pipe renews nothing");

    let said = world
        .at_terminal(["renew", &id, "--reason", "asked finance", "--json"])
        .exits(0);
    let until = world.now().plus_days(90).to_string();
    assert!(said.out.contains(&until), "{}", said.out);
    assert_eq!(end(&world, &id), until);
    world.is_whole();
    world.later(80 * DAY);
    assert_eq!(world.recalled("acme"), [FACT], "past its first end");
    let why = world.run(["why", &id, "--json"]).exits(0).json();
    let renewed = why["renewed"].to_string();
    assert!(
        renewed.contains("asked finance") && renewed.contains("until 2"),
        "{why}"
    );
    world.later(11 * DAY);
    assert!(world.recalled("acme").is_empty(), "it ends all the same");

    // What has ended can be verified again too; its text, sources and decision are still there.
    world.at_terminal(["renew", &id, "--days", "7"]).exits(0);
    assert_eq!(end(&world, &id), world.now().plus_days(7).to_string());
    assert_eq!(world.recalled("acme"), [FACT]);
    world.is_whole();
}

#[test]
fn a_renewal_is_taken_back_to_the_end_that_it_found() {
    let world = World::new();
    let id = world.remember(FACT, "acme");
    world.later(DAY);
    world.at_terminal(["renew", &id, "--days", "39"]).exits(0);
    let before = end(&world, &id);
    world.later(DAY);
    world.at_terminal(["renew", &id, "--days", "60"]).exits(0);
    let desk = world.desk();
    let (olga, name) = (
        crate::world::presence("olga"),
        crate::world::reviewer("olga"),
    );
    let last = desk.undoable(&name).unwrap().unwrap();
    assert_eq!(last.item, id);
    desk.undo(&olga, last.entry).unwrap();
    assert_eq!(end(&world, &id), before, "the first renewal stands");
    assert_eq!(world.recalled("acme"), [FACT]);
    world.is_whole();
    let why = world.run(["why", &id, "--json"]).exits(0).json();
    assert!(why["renewed"].is_string(), "one renewal stands: {why}");
}

#[test]
fn nobody_makes_a_memory_live_longer_than_the_policy_allows_its_influence() {
    let world = World::new();
    let id = world.remember(FACT, "acme");
    let first = end(&world, &id);
    world.later(DAY);
    let refused = world.at_terminal(["renew", &id, "--days", "91"]).exits(3);
    assert!(refused.err.contains("may live until"), "{}", refused.err);
    world.at_terminal(["renew", &id, "--days", "0"]).exits(2);
    world
        .at_terminal(["demote", &id, "--reason", "stale"])
        .exits(0);
    let refused = world.at_terminal(["renew", &id]).exits(3);
    assert!(refused.err.contains("it is demoted"), "{}", refused.err);
    assert_eq!(end(&world, &id), first);
    world.is_whole();
}

#[test]
fn a_row_whose_end_was_moved_without_an_entry_is_withheld() {
    let world = World::new();
    let id = world.remember(FACT, "acme");
    world
        .database()
        .execute("UPDATE memory SET expires_at = expires_at + 1", [])
        .unwrap();
    assert!(world.recalled("acme").is_empty());
    world.is_broken(&format!("{id} was changed in its table"));
    let refused = world.at_terminal(["renew", &id]).exits(3);
    assert!(refused.err.contains("is not what"), "{}", refused.err);
}

#[test]
fn what_took_two_people_takes_two_to_live_on_and_the_first_cannot_be_the_second() {
    let mut world = signed_world();
    let id = world.propose(EXPORT, "acme")["id"]
        .as_str()
        .unwrap()
        .to_owned();
    approve_as_action(&world, &id).exits(0);
    sits(&mut world, "bob");
    let id = memory_in(&decide(&world, "approve", &id).exits(0).out);
    let first = end(&world, &id);
    world.later(3 * DAY);

    let renew = |world: &World| world.at_terminal(["renew", &id, "--reason", "asked the bank"]);
    sits_without_key(&mut world, "bob");
    renew(&world).exits(3);
    sits(&mut world, "bob");
    let one = renew(&world).exits(0);
    assert!(one.out.contains("needs another reviewer"), "{}", one.out);
    assert_eq!(end(&world, &id), first, "one is not enough");
    let so_far = memory(&world, &id)["renewal"]["approvals"].clone();
    assert_eq!(strings(&so_far, "reviewer"), ["bob"]);
    let again = renew(&world).exits(3);
    assert!(again.err.contains("you verified"), "{}", again.err);
    world.is_whole();

    world.later(DAY);
    let alone = world.fork();
    sits(&mut world, "carol");
    renew(&world).exits(0);
    let until = memory(&world, &id)["expires_at"].clone();
    let allowed = world.now().plus_days(7 - 1).to_string();
    assert_eq!(
        until,
        json!(allowed),
        "no longer than the first of them allowed"
    );
    assert_eq!(world.recalled("acme"), [EXPORT]);
    world.is_whole();
    world.later(4 * DAY);
    assert_eq!(world.recalled("acme"), [EXPORT], "past its first end");

    // A first verification that was taken back is none.
    let desk = alone.desk();
    let last = desk.undoable(&crate::world::reviewer("bob")).unwrap();
    assert_eq!(last.map(|one| one.item), Some(id.clone()));
    let mut alone = alone;
    sits(&mut alone, "carol");
    alone
        .at_terminal(["demote", &id, "--reason", "stale"])
        .exits(0);
    alone
        .at_terminal(["restore", &id, "--reason", "no"])
        .exits(3);
    alone.is_whole();
}
