//! `store`: backup, check, restore, retention. Never the distribution's own `sqlite3`: old versions
//! can lose commits that several processes write at once.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, confirm, witness};
use crate::desk::Desk;
use crate::desk::presence::Presence;
use crate::domain::Assurance;
use clap::{Arg, ArgAction, ArgMatches, Command as Clap};
use serde_json::json;
use std::path::PathBuf;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "store",
    about: "Back a store up, check it, restore it, let evidence go",
    define: |command| {
        let path = |help: &'static str| {
            Arg::new("path")
                .required(true)
                .value_name("PATH")
                .help(help)
        };
        command
            .subcommand_required(true)
            .subcommand(Clap::new("backup").about("Write one snapshot while others go on writing").arg(path("A new file; evidence goes to PATH.artifacts")))
            .subcommand(Clap::new("check").about("Check the engine, the indexes, the counts and the ledger"))
            .subcommand(
                Clap::new("restore")
                    .about("Put a backup in the place of the store")
                    .arg(path("What `store backup` wrote"))
                    .arg(Arg::new("older").long("older").action(ArgAction::SetTrue).help("Even if it is older than what is known: asks at a terminal")),
            )
            .subcommand(Clap::new("sweep").about("Let evidence go whose retention has passed"))
            .after_help(
                "Examples:\n  countersign store backup /mnt/backup/team.db\n  countersign store check --json\n  countersign store restore /mnt/backup/team.db",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    match arguments.subcommand() {
        Some(("backup", arguments)) => backup(arguments, context),
        Some(("restore", arguments)) => restore(arguments, context),
        Some(("sweep", _)) => sweep(context),
        _ => check(context),
    }
}

fn backup(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let path = path_of(arguments);
    let made = context.desk()?.backup(&path)?;
    let shown = path.display().to_string();
    if context.json {
        context.say_json(&json!({ "backup": shown, "entries": made.size, "root": made.root }))?;
    } else {
        context.say(&format!(
            "{} entries in {}, verified; root {}",
            made.size,
            crate::text::line(&shown),
            made.root
        ))?;
    }
    Ok(Answer::Yes)
}

fn check(context: &mut Context<'_>) -> Result<Answer, Failure> {
    let found = context.desk()?.check_store()?;
    if context.json {
        context.say_json(
            &json!({ "ok": found.ok, "entries": found.entries, "problems": found.problems }),
        )?;
    } else {
        for problem in &found.problems {
            context.say(&format!("problem: {}", crate::text::line(problem)))?;
        }
        let word = if found.ok { "sound" } else { "BROKEN" };
        context.say(&format!("{} entries: {word}", found.entries))?;
    }
    Ok(if found.ok { Answer::Yes } else { Answer::No })
}

fn sweep(context: &mut Context<'_>) -> Result<Answer, Failure> {
    let actor = context.reviewer()?.name;
    let swept = context.desk()?.sweep(actor.as_str())?;
    if context.json {
        context.say_json(&json!({ "expired": swept.expired, "leftovers": swept.leftovers, "log_emptied": swept.log_emptied }))?;
    } else {
        for sha256 in &swept.expired {
            context.say(&format!("artifact:{sha256} has gone"))?;
        }
        context.say(&format!(
            "{} artifacts went, {} leftovers",
            swept.expired.len(),
            swept.leftovers
        ))?;
    }
    Ok(Answer::Yes)
}

fn restore(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let target = context.store_path()?;
    let desk = Desk::open(&path_of(arguments), context.around.clock.clone())?;
    let lost = match desk.would_lose(&target)? {
        Some(why) => Some(why),
        None => witness::objection(&desk, context)?,
    };
    let reviewer = context.reviewer()?;
    let mut assurance = Assurance::Asserted;
    if let Some(why) = &lost {
        if !arguments.get_flag("older") {
            return Err(Failure::refused(
                &format!("this backup is older than what is known: {why}"),
                "a newer backup may be there; if it must be this one, say --older at a terminal",
            ));
        }
        let presence = Presence::at_terminal(&context.caller()?, reviewer.clone())
            .map_err(crate::desk::DeskError::from)?;
        assurance = presence.hand().assurance;
        context.say(&format!("going back in time: {}", crate::text::line(why)))?;
        confirm::confirm(context, "restore the older store")?;
    }
    let clock = context.around.clock.clone();
    let done = desk.restore_to(&target, &reviewer, assurance, lost.as_deref(), &clock)?;
    let restored = Desk::open(&target, clock)?;
    witness::remember(&restored, context)?;
    let kept = done.kept.map(|path| path.display().to_string());
    if context.json {
        context.say_json(&json!({ "entries": done.entries, "root": done.root, "older": lost.is_some(), "kept": kept }))?;
    } else {
        context.say(&format!("{} entries restored", done.entries))?;
        if let Some(kept) = kept {
            context.say(&format!(
                "what stood there is kept in {}",
                crate::text::line(&kept)
            ))?;
        }
    }
    Ok(Answer::Yes)
}

fn path_of(arguments: &ArgMatches) -> PathBuf {
    arguments
        .get_one::<String>("path")
        .map(PathBuf::from)
        .unwrap_or_default()
}
