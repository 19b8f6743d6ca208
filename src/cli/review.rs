//! `review`: opens the console.

use crate::cli::chores::{self, Chores};
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, key, metrics, places, plain, witness};
use crate::console::{Options, Variables};
use crate::desk::Desk;
use clap::{Arg, ArgAction, ArgMatches};
use std::sync::Arc;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "review",
    about: "Open the console: queue, quarantine, memory, patterns, ledger and pulse",
    define: |command| {
        command
            .arg(Arg::new("readonly").long("readonly").action(ArgAction::SetTrue).help("Look, but decide nothing"))
            .arg(Arg::new("plain").long("plain").action(ArgAction::SetTrue).help("Line by line, without drawing: for dumb terminals and screen readers; over a pipe it only reads"))
            .arg(Arg::new("no-detect").long("no-detect").action(ArgAction::SetTrue).help("Leave the detector to another process"))
            .after_help("Example:\n  countersign review --store team.db --as alice\n\nInside, `?` lists every key.")
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    if arguments.get_flag("plain") {
        let desk = context.desk()?;
        return plain::run(&desk, context, arguments.get_flag("readonly"));
    }
    let caller = &context.around.caller;
    if !caller.input_is_terminal || !caller.output_is_terminal {
        return Err(Failure::refused(
            "the console needs a terminal on both ends",
            "without one, `countersign review --plain` reads the queue",
        ));
    }
    let desk = context.desk()?;
    open(
        desk,
        context,
        arguments.get_flag("readonly"),
        !arguments.get_flag("no-detect"),
    )
}

/// Opens the console over a desk.
pub(in crate::cli) fn open(
    desk: Desk,
    context: &mut Context<'_>,
    readonly: bool,
    detect: bool,
) -> Result<Answer, Failure> {
    if let Some(why) = witness::objection(&desk, context)? {
        return Err(Failure::not_the_same(&why));
    }
    witness::remember(&desk, context)?;
    let reviewer = desk.known(&context.reviewer()?)?;
    let signer = if readonly {
        None
    } else {
        key::for_store(context, &desk)?
    };
    let baseline_file = metrics::own_baseline(&desk, context)?;
    let desk = Arc::new(desk);
    let options = Options {
        caller: context.caller()?,
        reviewer,
        signer,
        baseline_file,
        keys_file: places::keys_file(&context.around.environment),
        views_file: places::config_folder(&context.around.environment)
            .map(|folder| folder.join("views.toml")),
        environment: Variables::from_map(&context.around.environment),
        readonly,
        detect,
    };
    let chores = (!readonly)
        .then(|| Chores::of(&desk, context))
        .transpose()?
        .map(|chores| chores::in_background(Arc::clone(&desk), chores));
    crate::console::run(Arc::clone(&desk), options)
        .map_err(|error| Failure::usage(&error.to_string(), ""))?;
    drop(chores);
    witness::remember(&desk, context)?;
    Ok(Answer::Yes)
}
