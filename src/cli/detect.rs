//! `detect`: runs the detector without a console, once or for as long as it is left alone.

use crate::cli::chores::Chores;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, explain, patterns, thresholds};
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
            .arg(Arg::new("status").long("status").action(ArgAction::SetTrue).conflicts_with_all(["once", "watch"]).help("Say how far the detector is, and stop"))
            .subcommand(Clap::new("patterns").about("List the groups, best supported first"))
            .subcommand(explain::definition())
            .subcommand(thresholds::definition())
            .subcommand(Clap::new("regroup").about("Hold the groups against those that would be made today; nothing is moved"))
            .after_help("Examples:\n  countersign detect --once --json\n  countersign detect --watch\n  countersign detect --status\n  countersign detect patterns --json\n  countersign detect explain P-12\n  countersign detect thresholds --what-if\n  countersign detect thresholds --budget 40\n  countersign detect thresholds --set users=4,sessions=7 --layer acme/emea")
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    match arguments.subcommand() {
        Some(("patterns", _)) => return patterns::run(&desk, context),
        Some(("explain", more)) => return explain::run(&desk, more, context),
        Some(("thresholds", more)) => return thresholds::run(&desk, more, context),
        Some(("regroup", _)) => return regroup(&desk, context),
        _ => {}
    }
    if arguments.get_flag("status") {
        return status(&desk, context);
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

fn status(desk: &Desk, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let progress = desk.detector_progress()?;
    if context.json {
        context.say_json(&json!(progress))?;
        return Ok(Answer::Yes);
    }
    context.say(&format!(
        "{} observations done, {} to go{}",
        progress.done,
        progress.lag,
        progress
            .rate
            .map(|rate| format!(", {rate} a second in the last round"))
            .unwrap_or_default()
    ))?;
    match (&progress.holder, progress.lease_until) {
        (Some(holder), Some(until)) => context.say(&format!(
            "held by {} until {until}",
            crate::text::line(holder)
        ))?,
        _ => context.say("no detector is at work")?,
    }
    if let Some(error) = &progress.error {
        context.say(&format!("last error: {}", crate::text::line(error)))?;
    }
    Ok(Answer::Yes)
}

fn regroup(desk: &Desk, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let found = desk.compare_groups()?;
    if context.json {
        context.say_json(&json!(found))?;
    } else {
        context.say(&format!(
            "{} wordings compared: {} pairs of patterns would be one, {} wordings would leave their pattern; nothing was moved ({})",
            found.wordings, found.merges, found.splits, found.entry
        ))?;
    }
    Ok(Answer::Yes)
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
