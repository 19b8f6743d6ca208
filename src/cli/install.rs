//! `install`: tells a harness to call us. Shows the exact change, asks, writes it; and takes it out.

use crate::cli::changes::say_changes;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, confirm};
use crate::desk::put_whole;
use crate::domain::Layer;
use crate::hook::HARNESSES;
use crate::hook::install::{File, SENTENCE, Wanted, files};
use clap::{Arg, ArgAction, ArgMatches};
use std::path::{Path, PathBuf};

pub(in crate::cli) const COMMAND: Command = Command {
    name: "install",
    about: "Wire an agent's harness in: hooks and the MCP server, shown as a diff first",
    define: |command| {
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        let flag =
            |name: &'static str, help: &'static str| option(name, help).action(ArgAction::SetTrue);
        let names: Vec<&str> = HARNESSES.iter().map(|harness| harness.name).collect();
        command
            .arg(option("harness", "Which harness").required(true).value_parser(names))
            .arg(option("layer", "The layer its agents work in").required_unless_present("undo"))
            .arg(option("project", "The project's folder").value_name("DIR").default_value("."))
            .arg(flag("home", "For every project of this person, not for one").conflicts_with("project"))
            .arg(flag("guard", "Turn agents' direct writes to memory files into proposals"))
            .arg(flag("tools", "Keep what tools answer as evidence"))
            .arg(flag("undo", "Take out what was put in"))
            .arg(flag("dry-run", "Show the change and write nothing"))
            .arg(flag("yes", "Do not ask"))
            .after_help("Examples:\n  countersign install --harness claude --store /path/team.db --layer acme/dev\n  countersign install --harness claude --undo")
    },
    run,
};

/// A file that changes.
struct Change {
    path: PathBuf,
    before: Option<String>,
    after: String,
}

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let name = arguments
        .get_one::<String>("harness")
        .cloned()
        .unwrap_or_default();
    let title = HARNESSES
        .iter()
        .find(|harness| harness.name == name)
        .map_or("", |harness| harness.title);
    let wanted = match arguments.get_flag("undo") {
        true => None,
        false => Some(wanted(arguments, context)?),
    };
    let mut changes = Vec::new();
    for file in files(&name) {
        changes.extend(change(file, arguments, wanted.as_ref(), context)?);
    }
    if changes.is_empty() {
        context.say(&format!("{title} is set up as asked; nothing to change"))?;
        return Ok(Answer::Yes);
    }
    for change in &changes {
        show(change, context)?;
    }
    if arguments.get_flag("dry-run") {
        return Ok(Answer::Yes);
    }
    if !arguments.get_flag("yes") {
        confirm::confirm(context, "write it")?;
    }
    for change in &changes {
        write(change)?;
    }
    match &wanted {
        None => context.say(&format!("{title} no longer calls countersign"))?,
        Some(_) => {
            context.say(&format!(
                "{title} is wired in. Put this into the agent's instructions:"
            ))?;
            context.say(&format!("  {SENTENCE}"))?;
            if name == "codex" {
                context
                    .note("Codex runs hooks only after you trust them: start it once and say yes");
            }
        }
    }
    Ok(Answer::Yes)
}

fn wanted(arguments: &ArgMatches, context: &Context<'_>) -> Result<Wanted, Failure> {
    let store = context.store_path()?;
    let store = std::path::absolute(&store).unwrap_or(store);
    if !store.exists() {
        return Err(Failure::usage(
            &format!(
                "there is no store at `{}`",
                crate::text::line(&store.display().to_string())
            ),
            "make one with `countersign init --store PATH`, and name it here",
        ));
    }
    let program = std::env::current_exe().map_err(|error| {
        Failure::usage(
            &format!("this program's own path is not known: {error}"),
            "",
        )
    })?;
    let text = |path: &Path| {
        path.to_str().map(str::to_owned).ok_or_else(|| {
            Failure::usage(
                "a path is not UTF-8, and settings cannot hold it",
                "move it",
            )
        })
    };
    let layer = arguments
        .get_one::<String>("layer")
        .map_or("", String::as_str);
    Ok(Wanted {
        program: text(&program)?,
        store: text(&store)?,
        layer: Layer::parse(layer)?.to_string(),
        guard: arguments.get_flag("guard"),
        tools: arguments.get_flag("tools"),
    })
}

fn change(
    file: &File,
    arguments: &ArgMatches,
    wanted: Option<&Wanted>,
    context: &Context<'_>,
) -> Result<Option<Change>, Failure> {
    let home = || {
        let home = ["HOME", "USERPROFILE"]
            .iter()
            .find_map(|name| context.around.environment.get(*name));
        home.map(PathBuf::from)
            .ok_or_else(|| Failure::usage("there is no home folder", "set HOME, or name a project"))
    };
    let project = arguments
        .get_one::<String>("project")
        .map_or(".", String::as_str);
    let path = match file.in_project.filter(|_| !arguments.get_flag("home")) {
        Some(place) => Path::new(project).join(place),
        None => home()?.join(file.at_home),
    };
    let shown = crate::text::line(&path.display().to_string());
    let before = match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => {
            return Err(Failure::usage(
                &format!("`{shown}` cannot be read: {error}"),
                "",
            ));
        }
    };
    let old = before.as_deref().unwrap_or_default();
    let after = match wanted {
        Some(wanted) => (file.put)(old, wanted),
        None => (file.take)(old),
    };
    let after = after.map_err(|error| {
        Failure::refused(
            &format!("`{shown}` was left as it is: {error}"),
            "mend the file, or set it up by hand as the README says",
        )
    })?;
    Ok((after != old).then_some(Change {
        path,
        before,
        after,
    }))
}

fn show(change: &Change, context: &mut Context<'_>) -> Result<(), Failure> {
    context.say(&crate::text::line(&change.path.display().to_string()))?;
    let before = change.before.as_deref().unwrap_or_default();
    say_changes(context, before, &change.after).map(|_| ())
}

/// Replaces a file whole, its mode kept; through a link, the file it names.
fn write(change: &Change) -> Result<(), Failure> {
    let path = std::fs::canonicalize(&change.path).unwrap_or_else(|_| change.path.clone());
    let shown = crate::text::line(&path.display().to_string());
    put_whole(&path, &change.after, None, || true)
        .map(|_| ())
        .map_err(|error| {
            Failure::usage(
                &format!("`{shown}` cannot be written: {error}"),
                "it was left as it is",
            )
        })
}
