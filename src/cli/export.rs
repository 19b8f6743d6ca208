//! `export`: puts approved memory into a file that agents read, and keeps its hands off the rest.
//!
//! The file is read and written here; what may stand in it and where the block is comes from the
//! desk and `render`. A file is replaced whole, by rename, or not at all.

use crate::cli::changes::say_changes;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command};
use crate::desk::put_whole;
use crate::desk::{Desk, Export, ExportRequest};
use crate::domain::{Layer, Project, Scope};
use crate::render::managed::{Refusal, TARGETS, Target, find, put, remove};
use clap::{Arg, ArgAction, ArgMatches};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(in crate::cli) const COMMAND: Command = Command {
    name: "export",
    about: "Write approved memory into a file that agents read: a rules file or one managed block",
    define: |command| {
        let names = TARGETS.iter().map(|target| target.name);
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        let flag =
            |name: &'static str, help: &'static str| option(name, help).action(ArgAction::SetTrue);
        command
            .arg(
                Arg::new("target")
                    .required(true)
                    .value_parser(names.collect::<Vec<_>>())
                    .help("Which kind of file"),
            )
            .arg(option("layer", "Whose memory: this layer and those above it").required(true))
            .arg(option("project", "In which project"))
            .arg(option("file", "Another file than the target's own"))
            .arg(option("dir", "The project's folder [default: here]"))
            .arg(option("budget", "At most so many bytes").value_parser(clap::value_parser!(usize)))
            .arg(flag("check", "Write nothing; exit 1 where the file is not up to date"))
            .arg(flag("dry-run", "Write nothing; print what would change"))
            .arg(flag("remove", "Take the block out and nothing else"))
            .arg(flag("adopt", "Propose what was edited inside the block, then write the block"))
            .arg(flag("force", "Write over what was edited inside the block; a copy is kept beside it"))
            .after_help(targets() + "\nExamples:\n  countersign export claude-rules --layer acme/dev\n  countersign export agents --layer acme/dev --check\n  countersign export agents --layer acme/dev --remove")
    },
    run,
};

fn targets() -> String {
    let line =
        |target: &Target| format!("\n  {:<13} {} ({})", target.name, target.about, target.file);
    let list: String = TARGETS.iter().map(line).collect();
    format!("Targets:{list}\n")
}

/// A file, its bytes as they were read.
struct Place {
    path: PathBuf,
    text: Option<String>,
}

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let text = |name: &str| arguments.get_one::<String>(name).cloned();
    let name = text("target").unwrap_or_default();
    let target = TARGETS
        .iter()
        .find(|target| target.name == name)
        .ok_or_else(|| Failure::usage("no such target", "see `countersign export --help`"))?;
    let place = read(target, text("file"), text("dir"))?;
    let force = arguments.get_flag("force");
    if arguments.get_flag("remove") {
        return take_out(&place, force, arguments.get_flag("dry-run"), context);
    }
    let viewer = Scope {
        layer: Layer::parse(&text("layer").unwrap_or_default())?,
        project: text("project")
            .map(|name| Project::parse(&name))
            .transpose()?,
        session: None,
    };
    let desk = context.desk()?;
    let budget = arguments.get_one::<usize>("budget").copied();
    let request = ExportRequest {
        viewer,
        budget: budget.unwrap_or(target.budget),
    };
    let export = desk.export(&request)?;
    if arguments.get_flag("adopt") {
        adopt(&desk, &place, &export, context)?;
    }
    let overwrite = force || arguments.get_flag("adopt");
    let changed = put(
        place.text.as_deref(),
        target,
        &export.scope,
        &export.body.text,
        overwrite,
    )
    .map_err(|refusal| refused(&place.path, &refusal, Some(&export.body.text), context))?;
    let write = !arguments.get_flag("check") && !arguments.get_flag("dry-run");
    if let Some(new) = &changed {
        if write {
            desk.exported(&export, target.name)?;
            if force {
                keep_copy(&place)?;
            }
            replace(&place, new)?;
        } else if !context.json {
            say_changes(context, place.text.as_deref().unwrap_or_default(), new)?;
        }
    }
    report(&place.path, &export, changed.is_some(), write, context)?;
    let stale = changed.is_some() && arguments.get_flag("check");
    Ok(if stale { Answer::No } else { Answer::Yes })
}

fn report(
    path: &Path,
    export: &Export,
    changed: bool,
    wrote: bool,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let body = &export.body;
    let withheld: Vec<String> = export
        .withheld
        .iter()
        .map(|(id, _)| id.to_string())
        .collect();
    let shown = crate::text::line(&path.display().to_string());
    if context.json {
        return context.say_json(&json!({
            "file": shown, "changed": changed, "written": changed && wrote,
            "memories": export.records.len(), "altered": body.altered,
            "left_out": body.left_out, "withheld": withheld,
        }));
    }
    let what = match (changed, wrote) {
        (false, _) => "is up to date",
        (true, true) => "was written",
        (true, false) => "is not up to date",
    };
    context.say(&format!(
        "{shown} {what} ({} memories)",
        export.records.len()
    ))?;
    for (ids, why) in [
        (
            &body.altered,
            "altered for the format, as the file must hold one plain line each",
        ),
        (
            &body.left_out,
            "left out: the budget is full; raise it with --budget or export a lower layer",
        ),
        (
            &withheld,
            "withheld: not what a person approved; run `countersign audit verify`",
        ),
    ] {
        if !ids.is_empty() {
            context.note(&format!("{}: {why}", ids.join(", ")));
        }
    }
    Ok(())
}

/// The file of a target: as named, or the target's own under the project's folder.
fn read(target: &Target, file: Option<String>, dir: Option<String>) -> Result<Place, Failure> {
    let path = file.map_or_else(
        || dir.map(PathBuf::from).unwrap_or_default().join(target.file),
        PathBuf::from,
    );
    // A link stays a link: what it points to is replaced.
    let path = std::fs::canonicalize(&path).unwrap_or(path);
    let unreadable = |why: &str| {
        Failure::usage(
            &format!("`{}` {why}", crate::text::line(&path.display().to_string())),
            "name another file with --file PATH",
        )
    };
    let text = match std::fs::read(&path) {
        Ok(bytes) => Some(String::from_utf8(bytes).map_err(|_| unreadable("is not UTF-8"))?),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(unreadable(&format!("cannot be read: {error}"))),
    };
    Ok(Place { path, text })
}

fn take_out(
    place: &Place,
    force: bool,
    dry: bool,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let shown = crate::text::line(&place.path.display().to_string());
    let old = place.text.as_deref().unwrap_or_default();
    let new =
        remove(old, force).map_err(|refusal| refused(&place.path, &refusal, None, context))?;
    let Some(new) = new else {
        context.say(&format!("{shown} holds no block"))?;
        return Ok(Answer::Yes);
    };
    if dry {
        say_changes(context, old, &new)?;
        return Ok(Answer::Yes);
    }
    if force {
        keep_copy(place)?;
    }
    replace(place, &new)?;
    context.say(&format!("the block was taken out of {shown}"))?;
    Ok(Answer::Yes)
}

/// What people wrote inside the block becomes candidates, one a line, for a reviewer to see.
fn adopt(
    desk: &Desk,
    place: &Place,
    export: &Export,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let file = place.text.as_deref().unwrap_or_default();
    find(file).map_err(|damage| refused(&place.path, &Refusal::Damaged(damage), None, context))?;
    let title = place.path.file_name().unwrap_or_default().to_string_lossy();
    for answer in desk.adopt(export, file, &title)? {
        context.note(&format!(
            "proposed {}: {}",
            answer.id,
            answer.status.as_str()
        ));
    }
    Ok(())
}

/// Says why a file stays as it is, and for an edited block what stands there.
fn refused(
    path: &Path,
    refusal: &Refusal,
    body: Option<&str>,
    context: &mut Context<'_>,
) -> Failure {
    let shown = crate::text::line(&path.display().to_string());
    let hint = match refusal {
        Refusal::Damaged(_) => {
            "mend the markers by hand: none at all, or one `countersign:begin` and one `countersign:end`, each a line of its own"
        }
        Refusal::NotOurs => "move it away, or name another file with --file PATH",
        Refusal::Edited { inside, .. } => {
            if let Some(body) = body {
                // The refusal itself is what counts; the difference is a help.
                let _ = say_changes(context, inside, body);
            }
            "--adopt proposes what was written there, --force writes over it"
        }
    };
    Failure::refused(&format!("{shown} was left as it is: {refusal}"), hint)
}

/// What somebody wrote by hand is never lost: a copy stands beside the file.
fn keep_copy(place: &Place) -> Result<(), Failure> {
    let Some(text) = &place.text else {
        return Ok(());
    };
    let mut name = place.path.clone().into_os_string();
    name.push(".before-export");
    std::fs::write(&name, text).map_err(|error| unwritable(Path::new(&name), &error))
}

/// Replaces a file by rename, its mode kept, if it is still the one that was read.
fn replace(place: &Place, text: &str) -> Result<(), Failure> {
    let path = &place.path;
    let unchanged =
        || std::fs::read(path).ok().as_deref() == place.text.as_deref().map(str::as_bytes);
    // A project's file is not its writer's alone.
    if put_whole(path, text, Some(0o644), unchanged).map_err(|error| unwritable(path, &error))? {
        return Ok(());
    }
    let shown = crate::text::line(&path.display().to_string());
    Err(Failure::refused(
        &format!("{shown} was left as it is: it changed while it was being written"),
        "run it again",
    ))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::usage(
        &format!(
            "`{}` cannot be written: {error}",
            crate::text::line(&path.display().to_string())
        ),
        "nothing was changed",
    )
}
