//! A signed world: keys made from seeds, people who sit down with theirs, and what is asked of them.

use crate::world::{Ran, Typed, World, memory_in};
use ssh_key::private::Ed25519Keypair;
use ssh_key::{HashAlg, LineEnding, PrivateKey};

/// A key that is the same in every run.
pub(crate) fn key_of(name: &str) -> PrivateKey {
    let seed = countersign::domain::Digest::of(name.as_bytes()).0;
    PrivateKey::from(Ed25519Keypair::from_seed(&seed))
}

/// Someone's public key as one line.
pub(crate) fn public_of(name: &str) -> String {
    let line = key_of(name).public_key().to_openssh().unwrap();
    line.trim().to_owned()
}

/// A signature by this key over these bytes, for this purpose.
pub(crate) fn sign(key: &PrivateKey, namespace: &str, bytes: &str) -> String {
    let signature = key
        .sign(namespace, HashAlg::Sha512, bytes.as_bytes())
        .unwrap();
    signature.to_pem(LineEnding::LF).unwrap()
}

/// Writes both halves of someone's key; returns where the private one is.
pub(crate) fn write_key(world: &World, name: &str) -> String {
    let text = key_of(name).to_openssh(LineEnding::LF).unwrap();
    world.file(&format!("{name}.pub"), public_of(name));
    world.file(name, text.as_bytes())
}

/// Lets this person sit down, with their key.
pub(crate) fn sits(world: &mut World, name: &str) {
    let key = write_key(world, name);
    world.environment.insert("USER".to_owned(), name.to_owned());
    world.environment.insert("COUNTERSIGN_KEY".to_owned(), key);
}

/// Lets this person sit down without any key.
pub(crate) fn sits_without_key(world: &mut World, name: &str) {
    world.environment.insert("USER".to_owned(), name.to_owned());
    world.environment.remove("COUNTERSIGN_KEY");
}

/// Adds a reviewer, as whoever sits there.
pub(crate) fn add(world: &World, name: &str, role: &str) -> Ran {
    write_key(world, name);
    let file = world.path(&format!("{name}.pub")).display().to_string();
    world.at_terminal(["reviewer", "add", name, "--role", role, "--key", &file])
}

/// A signed store with alice as admin, bob and carol as reviewers and sam for security; alice sits there.
pub(crate) fn signed_world() -> World {
    let mut world = World::without_store();
    sits(&mut world, "alice");
    let key = world.path("alice").display().to_string();
    let made = world
        .at_terminal(["init", "--key", &key, "--json"])
        .exits(0)
        .json();
    assert_eq!(made["assurance"], "signed", "{made}");
    for (name, role) in [
        ("bob", "reviewer"),
        ("carol", "reviewer"),
        ("sam", "security"),
    ] {
        add(&world, name, role).exits(0);
    }
    world
}

/// Decides at a terminal.
pub(crate) fn decide(world: &World, act: &str, id: &str) -> Ran {
    world.any(
        &["decide", act, id, "--reason", "checked with the team"],
        Some(Typed::Code),
    )
}

/// Approves as something an agent would act on: that takes two people.
pub(crate) fn approve_as_action(world: &World, id: &str) -> Ran {
    let arguments = [
        "decide",
        "approve",
        id,
        "--influence",
        "action",
        "--reason",
        "checked with the bank",
    ];
    world.at_terminal(arguments)
}

/// Proposes and approves; returns the memory's id.
pub(crate) fn remember(world: &World, claim: &str) -> String {
    let answer = world.propose(claim, "acme");
    let id = answer["id"].as_str().unwrap().to_owned();
    memory_in(&decide(world, "approve", &id).exits(0).out)
}
