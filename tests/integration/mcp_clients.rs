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
        crate::world::skipped(
            &format!("the {generation} MCP client"),
            "it is not under target/clients; run .ci/run with python3 and a network",
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

/// The protocol's own inspector, with its lint of schemas, in both eras.
#[test]
fn the_official_inspector_finds_nothing_to_complain_about() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("target");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root, PathBuf::from);
    let modules = target.join("clients/inspector/node_modules");
    let launcher = modules.join("@modelcontextprotocol/inspector/clients/launcher/build/index.js");
    let node = modules.join(".bin/node");
    if !launcher.exists() || !node.exists() {
        crate::world::skipped(
            "the MCP inspector",
            "it is not under target/clients; run .ci/run with npm and a network",
        );
        return;
    }
    // It starts itself once more, by name.
    let path = std::env::join_paths(std::iter::once(modules.join(".bin")).chain(
        std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()),
    ))
    .unwrap();
    let world = World::new();
    world.remember("Refunds take five working days.", "acme/emea");
    let server = world.file(
        "server.sh",
        format!(
            "#!/bin/sh\nexec '{}' mcp --layer acme/emea --store '{}'\n",
            env!("CARGO_BIN_EXE_countersign"),
            world.store().display()
        ),
    );
    for era in ["legacy", "modern"] {
        let inspect = |more: &[&str]| {
            let done = Command::new(&node)
                .arg(&launcher)
                .args(["--cli", "/bin/sh", &server, "--protocol-era", era])
                .args(["--format", "json", "-q"])
                .args(more)
                .env("HOME", world.path("home"))
                .env("PATH", &path)
                .output()
                .unwrap();
            let out = String::from_utf8_lossy(&done.stdout).into_owned();
            let err = String::from_utf8_lossy(&done.stderr).into_owned();
            assert!(done.status.success(), "{era}: {out}{err}");
            assert_eq!(err, "", "{era}");
            out
        };
        let listed = inspect(&["--method", "tools/list", "--strict"]);
        assert!(listed.contains("memory_report"), "{listed}");
        let called = inspect(&["--method", "tools/call", "--tool-name", "memory_context"]);
        assert!(called.contains("five working days"), "{called}");
    }
    assert_eq!(world.count("SELECT count(*) FROM serving"), 2);
}
