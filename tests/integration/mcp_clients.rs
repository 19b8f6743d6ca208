//! Two generations of somebody else's client drive the server. `.ci/run` installs them under
//! `target/clients`; where they are missing the tests say so and check nothing.

use crate::world::World;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many clients at once.
const CLIENTS: usize = 8;

/// The interpreter with this generation's client, if `.ci/run` could install it.
fn python(generation: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let built = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let folders = [built, Some(root.join("target"))];
    let found = folders
        .into_iter()
        .flatten()
        .map(|folder| folder.join("clients").join(generation).join("bin/python"));
    let found = found.into_iter().find(|path| path.exists());
    if found.is_none() {
        eprintln!(
            "SKIPPED: no {generation} MCP client under target/clients; run .ci/run with python3 and a network"
        );
    }
    found
}

/// Eight clients of one generation, each with so many recalls, on one store.
fn drive(generation: &str) {
    let Some(python) = python(generation) else {
        return;
    };
    let calls: usize = std::env::var("COUNTERSIGN_MCP_CALLS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(25);
    let world = World::new();
    world.remember("Refunds take five working days.", "acme/emea");
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/clients")
        .join(format!("{generation}.py"));
    let running: Vec<_> = (0..CLIENTS)
        .map(|_| {
            Command::new(&python)
                .arg(&script)
                .arg(calls.to_string())
                .arg(env!("CARGO_BIN_EXE_countersign"))
                .args(["mcp", "--layer", "acme/emea", "--store"])
                .arg(world.store())
                .stdout(std::process::Stdio::piped())
                .stderr(std::process::Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    for client in running {
        let done = client.wait_with_output().unwrap();
        let (out, err) = (
            String::from_utf8_lossy(&done.stdout),
            String::from_utf8_lossy(&done.stderr),
        );
        assert!(
            done.status.success() && out.starts_with("ok 7"),
            "{out}\n{err}"
        );
        assert!(!err.contains("Failed to parse"), "{err}");
    }
    let servings = world.count("SELECT count(*) FROM serving");
    assert_eq!(
        servings,
        i64::try_from(CLIENTS * calls).unwrap(),
        "nothing lost, nothing twice"
    );
    world.is_whole();
}

#[test]
fn the_client_of_the_handshake_era_is_served() {
    drive("legacy");
}

#[test]
fn the_client_of_the_stateless_era_is_served() {
    drive("modern");
}
