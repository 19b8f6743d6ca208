//! `detect`: runs the detector without a console, once or for as long as it is left alone.

use crate::cli::chores::Chores;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, patterns};
use crate::desk::Desk;
use clap::{Arg, ArgAction, ArgMatches, Command as Clap};
use serde_json::json;
use std::time::{Duration, Instant};

/// How many observations one round looks at.
const ROUND: usize = 5000;
/// How often a watching detector asks whether anything is new.
const PAUSE: Duration = Duration::from_millis(500);

pub(in crate::cli) const COMMAND: Command = Command {
    name: "detect",
    about: "Group what was observed and propose what recurs across enough people",
    define: |command| {
        command
            .arg(Arg::new("once").long("once").action(ArgAction::SetTrue).help("Catch up and stop [default]"))
            .arg(Arg::new("watch").long("watch").action(ArgAction::SetTrue).conflicts_with("once").help("Go on until stopped"))
            .subcommand(Clap::new("patterns").about("List the groups, best supported first"))
            .after_help("Examples:\n  countersign detect --once --json\n  countersign detect --watch\n  countersign detect patterns --json")
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    if arguments.subcommand_matches("patterns").is_some() {
        return patterns::run(&desk, context);
    }
    catch_up(&desk, context)?;
    let mut seen = desk.changes()?;
    if !arguments.get_flag("watch") {
        return Ok(Answer::Yes);
    }
    let mut chores = Chores::of(&desk, context)?;
    loop {
        std::thread::sleep(PAUSE);
        for note in chores.when_due(&desk) {
            context.note(&note);
        }
        let now = desk.changes()?;
        if now != seen || desk.spool_depth().waiting > 0 {
            catch_up(&desk, context)?;
            seen = desk.changes()?;
        }
    }
}

fn catch_up(desk: &Desk, context: &mut Context<'_>) -> Result<(), Failure> {
    let begun = Instant::now();
    let (mut observations, mut patterns, mut proposed) = (0, 0, Vec::new());
    loop {
        let round = desk.detect(ROUND)?;
        observations += round.observations;
        patterns += round.patterns;
        proposed.extend(round.proposed);
        if round.busy {
            context.note("another detector is at work on this store; it does the same");
            break;
        }
        if round.lag == 0 {
            break;
        }
    }
    let millis = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    if context.json {
        return context.say_json(&json!({
            "observations": observations, "patterns": patterns, "proposed": proposed.len(), "millis": millis, "candidates": proposed,
        }));
    }
    context.say(&format!(
        "{observations} observations, {patterns} patterns grew, {} proposed, {millis} ms",
        proposed.len()
    ))
}
