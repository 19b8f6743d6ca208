//! `hook`: what a harness calls at its events. Exit code 0 whatever happens; at most one object out.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command};
use crate::desk::Tracing;
use crate::domain::{Layer, Project};
use crate::hook::{HARNESSES, Setting};
use clap::{Arg, ArgAction, ArgMatches};
use std::time::Duration;

/// A harness waits for nothing but its memory: what is not traced by then the next act traces.
const TRACED_WITHIN: Duration = Duration::from_millis(10);

pub(in crate::cli) const COMMAND: Command = Command {
    name: "hook",
    about: "What an agent's harness calls at its events; `countersign install` sets it up",
    define: |command| {
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        let flag =
            |name: &'static str, help: &'static str| option(name, help).action(ArgAction::SetTrue);
        let names: Vec<&str> = HARNESSES.iter().map(|harness| harness.name).collect();
        command
            .arg(option("harness", "Which harness calls").required(true).value_parser(names))
            .arg(option("layer", "Where what is seen would hold, and from where memory is read").required(true))
            .arg(option("project", "The project, if the layer holds several"))
            .arg(option("user", "Whose sessions these are [default: the operating system's user]"))
            .arg(option("budget", "At most so many characters of memory at a session's start").value_parser(clap::value_parser!(usize)))
            .arg(option("within", "Wait at most so many milliseconds for memory at a session's start").value_parser(clap::value_parser!(u64)).default_value("80"))
            .arg(flag("guard", "Turn an agent's direct write to a memory file into a proposal"))
            .arg(flag("tools", "Keep what tools answer as evidence"))
            .after_help("Reads one JSON object from standard input. Whatever happens, the exit code is 0: an agent is never held up.\n\nExample:\n  countersign hook --harness claude --store /path/team.db --layer acme/dev < event.json")
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    // Nothing of what follows may reach the harness as a failure.
    if let Err(failure) = serve(arguments, context) {
        context.note(&format!("countersign: {}", failure.in_short()));
    }
    Ok(Answer::Yes)
}

fn serve(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<(), Failure> {
    let text = |name: &str| arguments.get_one::<String>(name).cloned();
    let name = text("harness").unwrap_or_default();
    let harness = HARNESSES
        .iter()
        .find(|harness| harness.name == name)
        .ok_or_else(|| Failure::usage("no such harness", ""))?;
    let user = ["USER", "LOGNAME", "USERNAME"]
        .iter()
        .find_map(|name| context.around.environment.get(*name).cloned());
    let setting = Setting {
        store: context.store_path()?,
        layer: Layer::parse(&text("layer").unwrap_or_default())?,
        project: text("project")
            .map(|name| Project::parse(&name))
            .transpose()?,
        user: text("user")
            .or(user)
            .unwrap_or_else(|| "unknown".to_owned()),
        guard: arguments.get_flag("guard"),
        tools: arguments.get_flag("tools"),
        patience: Duration::from_millis(arguments.get_one::<u64>("within").copied().unwrap_or(80)),
        budget: arguments.get_one::<usize>("budget").copied(),
        clock: context.around.clock.clone(),
        tracing: context.tracing().map(|tracing| Tracing {
            patience: TRACED_WITHIN,
            ..tracing
        }),
        trace: context.traceparent(None)?,
    };
    let mut notes = Vec::new();
    let answer = context.with_live_input(|input| {
        crate::hook::run(harness, &setting, input, &mut |note| {
            notes.push(note.to_owned());
        })
    });
    if let Some(note) = notes.first() {
        context.note(&format!(
            "countersign: {}",
            crate::text::line_within(note, 200)
        ));
    }
    match answer {
        Some(answer) => context.say_json(&answer),
        None => Ok(()),
    }
}
