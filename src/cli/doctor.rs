//! `doctor`: what is wrong here and how to mend it. Looks, and changes nothing.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, places};
use crate::desk::{Desk, spool, traced};
use crate::domain::query::Query;
use crate::domain::time::{DAY, HOUR};
use crate::hook::HARNESSES;
use crate::hook::install::files;
use clap::ArgMatches;
use serde_json::json;
use std::path::{Path, PathBuf};

pub(in crate::cli) const COMMAND: Command = Command {
    name: "doctor",
    about: "Check the store, the spool, the hooks and this machine, and say how to mend what is wrong",
    define: |command| command.after_help("Example:\n  countersign doctor --store team.db"),
    run,
};

/// One thing looked at.
struct Check {
    what: &'static str,
    found: Result<String, (String, String)>,
}

fn fine(what: &'static str, found: impl Into<String>) -> Check {
    Check {
        what,
        found: Ok(found.into()),
    }
}

fn wrong(what: &'static str, found: impl Into<String>, mend: impl Into<String>) -> Check {
    Check {
        what,
        found: Err((found.into(), mend.into())),
    }
}

fn run(_: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let store = context.store_path()?;
    let mut checks = vec![engine(), permissions(&store), spool_check(&store, context)];
    checks.extend(of_store(&store, context));
    checks.extend(of_harnesses(&store, context));
    checks.extend(configuration(context));
    checks.extend(trace_check(&store, context));
    let bad = checks.iter().filter(|check| check.found.is_err()).count();
    for check in &checks {
        say(check, context)?;
    }
    if !context.json {
        context.say(&match bad {
            0 => "nothing is wrong".to_owned(),
            1 => "1 thing is wrong".to_owned(),
            many => format!("{many} things are wrong"),
        })?;
    }
    Ok(if bad == 0 { Answer::Yes } else { Answer::No })
}

fn say(check: &Check, context: &mut Context<'_>) -> Result<(), Failure> {
    let (ok, found, mend) = match &check.found {
        Ok(found) => (true, found, None),
        Err((found, mend)) => (false, found, Some(mend)),
    };
    let found = crate::text::line(found);
    let mend = mend.map(|mend| crate::text::line(mend));
    if context.json {
        return context
            .say_json(&json!({ "check": check.what, "ok": ok, "found": found, "mend": mend }));
    }
    context.say(&format!(
        "{} {:<12} {found}",
        if ok { "ok   " } else { "WRONG" },
        check.what
    ))?;
    match mend {
        Some(mend) => context.say(&format!("                   mend: {mend}")),
        None => Ok(()),
    }
}

/// Older engines can lose commits when several processes write.
fn engine() -> Check {
    let version = crate::desk::engine_version();
    let sound = crate::desk::engine_is_sound();
    if sound {
        fine("engine", format!("SQLite {version}, our own"))
    } else {
        wrong(
            "engine",
            format!("SQLite {version} can lose commits that several processes write at once"),
            "build with the bundled SQLite, 3.51.3 or newer",
        )
    }
}

fn permissions(store: &Path) -> Check {
    let shown = store.display().to_string();
    let Ok(found) = std::fs::metadata(store) else {
        return wrong(
            "store",
            format!("nothing stands at {shown}"),
            "countersign init --store PATH",
        );
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = found.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            return wrong(
                "store",
                format!("{shown} may be read by others ({mode:o})"),
                format!("chmod 600 {shown}"),
            );
        }
    }
    let _ = found;
    fine("store", shown)
}

fn spool_check(store: &Path, context: &Context<'_>) -> Check {
    let depth = spool::depth(store);
    let now = context.around.clock.now().millis();
    let age = depth.oldest.map_or(0, |oldest| now - oldest);
    let folder = spool::folder_of(store).display().to_string();
    if depth.failed > 0 {
        return wrong(
            "spool",
            format!("{} items could not be taken in", depth.failed),
            format!("look into {folder}/failed; remove what is of no use"),
        );
    }
    if age > HOUR {
        return wrong(
            "spool",
            format!(
                "{} items wait, the oldest since {} h",
                depth.waiting,
                age / HOUR
            ),
            "keep a console open, or run `countersign detect --watch`",
        );
    }
    fine("spool", format!("{} items wait", depth.waiting))
}

fn of_store(path: &Path, context: &Context<'_>) -> Vec<Check> {
    if !path.exists() {
        return Vec::new();
    }
    let desk = match Desk::open(path, context.around.clock.clone()) {
        Ok(desk) => desk,
        Err(error) => {
            return vec![wrong(
                "opens",
                error.to_string(),
                "see what the message says; nothing is judged until it opens",
            )];
        }
    };
    let mut checks = vec![fine(
        "policy",
        format!("{} {}", desk.policy().name(), desk.policy().hash().short()),
    )];
    checks.push(match crate::gate::check_packs() {
        Ok(rules) => fine("rules", format!("{rules}, whose own examples hold")),
        Err(error) => wrong(
            "rules",
            error.to_string(),
            "everything is held until this program is put right: install it again",
        ),
    });
    checks.push(match desk.verify() {
        Ok(found) if found.ok => fine("ledger", format!("{} entries, whole", found.entries)),
        Ok(found) => wrong(
            "ledger",
            found.problems.first().cloned().unwrap_or_default(),
            "countersign audit verify lists them all",
        ),
        Err(error) => wrong(
            "ledger",
            error.to_string(),
            "keep the file with its -wal and -shm together, and restore a backup",
        ),
    });
    let newest = desk
        .entries(None, &Query::default(), 1)
        .ok()
        .and_then(|page| page.rows.into_iter().next());
    if let Some(entry) = newest {
        let ahead = entry.at.since(context.around.clock.now());
        checks.push(if ahead > 5 * 60 * 1000 {
            wrong(
                "clock",
                format!("the newest entry lies {} min in the future", ahead / 60_000),
                "set this machine's clock; entries keep their order meanwhile",
            )
        } else if ahead < -365 * DAY {
            wrong(
                "clock",
                "the newest entry is more than a year old",
                "check this machine's clock",
            )
        } else {
            fine("clock", "agrees with the ledger")
        });
    }
    checks
}

/// A configuration that cannot be read: who decides, the key and the trace stand in it.
fn configuration(context: &Context<'_>) -> Option<Check> {
    let failure = places::configuration(&context.around.environment).err()?;
    Some(wrong(
        "config",
        failure.in_short(),
        "mend that line; until then nothing in it holds",
    ))
}

/// Whether what is traced reaches its file: acts do not fail with it, so somebody must say.
fn trace_check(store: &Path, context: &Context<'_>) -> Option<Check> {
    let place = places::tracing(&context.around.environment)?;
    let shown = place.spans.display().to_string();
    let mend = "name a file in a folder that can be written; `countersign trace export` writes what is missing";
    for file in std::iter::once(&place.spans).chain(&place.events) {
        let folder = file.parent().and_then(|folder| folder.metadata().ok());
        let is_open = folder.is_some_and(|found| found.is_dir() && !found.permissions().readonly());
        if !is_open || file.is_dir() {
            let found = format!("{} cannot be written", file.display());
            return Some(wrong("trace", found, mend));
        }
    }
    Some(match traced(store, &place) {
        Some(seq) => fine("trace", format!("{shown}, up to {seq}")),
        None => fine("trace", format!("{shown}, from the next act on")),
    })
}

/// Whether each harness that has us in its settings calls this program with this store.
fn of_harnesses(store: &Path, context: &Context<'_>) -> Vec<Check> {
    let home = ["HOME", "USERPROFILE"]
        .iter()
        .find_map(|name| context.around.environment.get(*name))
        .map(PathBuf::from);
    let store = std::path::absolute(store).unwrap_or_else(|_| store.to_owned());
    let mut checks = Vec::new();
    for harness in HARNESSES {
        let places = files(harness.name).iter().flat_map(|file| {
            let at_home = home.as_ref().map(|home| home.join(file.at_home));
            [file.in_project.map(PathBuf::from), at_home]
                .into_iter()
                .flatten()
        });
        for place in places {
            let Ok(text) = std::fs::read_to_string(&place) else {
                continue;
            };
            if text.contains("countersign") {
                checks.push(harness_check(harness.name, &place, &text, &store));
            }
        }
    }
    if let Some(home) = home.filter(|home| home.join(".claude/projects").exists()) {
        checks.push(native_memory(&home));
    }
    if checks.is_empty() {
        checks.push(fine(
            "hooks",
            "no harness is wired in here; `countersign install` does it",
        ));
    }
    checks
}

fn harness_check(name: &str, place: &Path, text: &str, store: &Path) -> Check {
    let shown = place.display().to_string();
    let program = std::env::current_exe().unwrap_or_default();
    let quoted = |path: &Path| serde_json::Value::from(path.display().to_string()).to_string();
    let has = |path: &Path| text.contains(quoted(path).trim_matches('"'));
    if !has(store) {
        return wrong(
            "hooks",
            format!("{shown} names another store than {}", store.display()),
            format!("countersign install --harness {name} --store PATH --layer LAYER"),
        );
    }
    if !has(&program) {
        return wrong(
            "hooks",
            format!("{shown} calls another program than {}", program.display()),
            format!(
                "run `countersign install --harness {name}` with the program that is to be called"
            ),
        );
    }
    fine("hooks", format!("{name}: {shown}"))
}

/// A harness's own memory bypasses review.
fn native_memory(home: &Path) -> Check {
    let off = std::fs::read_to_string(home.join(".claude/settings.json"))
        .ok()
        .and_then(|text| crate::render::settings::value_at(&text, &["autoMemoryEnabled"]))
        == Some(serde_json::Value::Bool(false));
    if off {
        fine("native", "Claude Code's own memory is off")
    } else {
        wrong(
            "native",
            "Claude Code keeps a memory of its own that nobody reviews",
            "set \"autoMemoryEnabled\": false in ~/.claude/settings.json, or install with --guard",
        )
    }
}
