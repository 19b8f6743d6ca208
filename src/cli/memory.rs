//! `memory`: what was approved, as a list or one in full.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::table::table;
use crate::cli::{Answer, Command, confirm, json, narrowed};
use crate::desk::view::{MemoryPlace, MemorySort, MemoryView};
use crate::domain::MemoryId;
use crate::domain::query::Over;
use clap::{Arg, ArgMatches, Command as Clap};

/// How many rows are listed where no limit is given.
const LISTED: usize = 20_000;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "memory",
    about: "List memories, or show one in full",
    define: |command| {
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        command
            .subcommand_required(true)
            .subcommand(
                Clap::new("list")
                    .about("List memories, those that most need a look first")
                    .args(narrowed::options())
                    .after_help(narrowed::language(Over::Memories))
                    .arg(
                        option("sort", "What comes first [default: staleness]").value_parser(
                            MemorySort::ALL
                                .iter()
                                .map(|(_, word, _)| *word)
                                .collect::<Vec<_>>(),
                        ),
                    )
                    .arg(
                        option("limit", "At most so many").value_parser(clap::value_parser!(usize)),
                    ),
            )
            .subcommand(
                Clap::new("show")
                    .about("Show one memory in full")
                    .arg(Arg::new("id").required(true).help("M-12")),
            )
            .after_help(
                "Examples:\n  countersign memory list --layer acme\n  countersign memory show M-12",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    match arguments.subcommand() {
        Some(("show", arguments)) => {
            let id = MemoryId::parse(arguments.get_one::<String>("id").map_or("", String::as_str))?;
            let view = desk.memory(id)?;
            if context.json {
                context.say_json(&json::memory(&view))?;
            } else {
                show(context, &view)?;
            }
        }
        Some((_, arguments)) => {
            let query = narrowed::query(arguments, context, Over::Memories)?;
            let limit = arguments
                .get_one::<usize>("limit")
                .copied()
                .unwrap_or(LISTED);
            let sort = arguments
                .get_one::<String>("sort")
                .map_or("", String::as_str);
            let sort = MemorySort::ALL.iter().find(|(_, word, _)| *word == sort);
            let sort = sort.map_or(MemorySort::Staleness, |(sort, ..)| *sort);
            let page = desk.memories(sort, &query, MemoryPlace::Start, limit)?;
            if context.json {
                for row in &page.rows {
                    context.say_json(&json::memory_row(row))?;
                }
                return Ok(Answer::Yes);
            }
            let rows: Vec<Vec<String>> = page
                .rows
                .iter()
                .map(|row| {
                    vec![
                        row.id.to_string(),
                        row.layer.to_string(),
                        row.state.to_string(),
                        row.mode.to_string(),
                        row.expires_at.date(),
                        row.served.to_string(),
                        row.stale.first().cloned().unwrap_or_default(),
                        row.text.clone(),
                    ]
                })
                .collect();
            table(
                context,
                &[
                    "ID", "LAYER", "STATE", "MODE", "ENDS", "SERVED", "STALE", "TEXT",
                ],
                &rows,
            )?;
        }
        None => return Err(Failure::usage("name `list` or `show`", "")),
    }
    Ok(Answer::Yes)
}

/// Shows one memory with its reach.
pub(in crate::cli) fn show(context: &mut Context<'_>, view: &MemoryView) -> Result<(), Failure> {
    let memory = &view.memory;
    context.say(&format!(
        "{} · {} ({}) · {} · {} · {} · until {}",
        memory.id,
        view.state,
        memory.mode,
        memory.scope.layer,
        memory.kind,
        memory.influence,
        memory.expires_at.date()
    ))?;
    confirm::show_exactly(context, "text", &memory.text)?;
    match &view.verified {
        Ok(()) => context.say("its bytes are the ones that were approved")?,
        Err(why) => context.say(&format!("NOT SERVED: {}", crate::text::line(why)))?,
    }
    for reason in &view.stale {
        context.say(&format!("stale: {}", crate::text::line(reason)))?;
    }
    let by: Vec<String> = memory
        .approved_by
        .iter()
        .map(|name| crate::text::line(name))
        .collect();
    context.say(&format!(
        "approved by {} at {}",
        by.join(", "),
        memory.approved_at
    ))?;
    context.say(&format!(
        "reach: {} servings to {} sessions",
        memory.served, view.sessions_reached
    ))?;
    for one in &view.reach {
        context.say(&format!(
            "  {}: {} servings to {} sessions, last {} at {}",
            one.layer, one.servings, one.sessions, one.last, one.last_at
        ))?;
    }
    for evidence in &view.evidence {
        context.say(&format!(
            "source: {} ({}, {})",
            crate::text::line(&evidence.title),
            evidence.trust,
            evidence.standing
        ))?;
    }
    for entry in &view.history {
        context.say(&format!(
            "{} {} by {} at {}",
            entry.seq,
            entry.act,
            crate::text::line(&entry.actor),
            entry.at
        ))?;
    }
    Ok(())
}
