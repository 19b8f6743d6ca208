//! `audit`: whether the ledger is whole, and what stands in it.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::table::table;
use crate::cli::{Answer, Command, json, witness};
use crate::desk::Desk;
use crate::domain::EntrySeq;
use clap::{Arg, ArgMatches, Command as Clap};
use serde_json::json;

/// How many entries are fetched at a time.
const PAGE: usize = 500;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "audit",
    about: "Verify the ledger, or read it",
    define: |command| {
        command
            .subcommand_required(true)
            .subcommand(Clap::new("verify").about("Re-hash and replay every entry and compare with the tables"))
            .subcommand(
                Clap::new("log")
                    .about("Read the entries, newest first")
                    .arg(Arg::new("of").help("Only this act, item or reviewer: approve, C-12, alice"))
                    .arg(Arg::new("limit").long("limit").value_parser(clap::value_parser!(usize)).help("At most so many")),
            )
            .after_help(
                "Examples:\n  countersign audit verify --json\n  countersign audit log approve --limit 20\n\n\
                 What verify finds: an entry that was changed, removed, inserted or moved; a table changed without an entry. \
                 Each reviewer's configuration remembers the last entry they saw, so that a store that was cut, rewritten or \
                 rolled back since is found too. What nobody saw before it was rewritten cannot be found.",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    match arguments.subcommand() {
        Some(("log", arguments)) => log(&desk, arguments, context),
        _ => verify(&desk, context),
    }
}

fn verify(desk: &Desk, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let mut found = desk.verify()?;
    if let Some(why) = witness::objection(desk, context)? {
        found.ok = false;
        found.problems.insert(0, why);
    }
    if found.ok {
        witness::remember(desk, context)?;
    }
    if context.json {
        context.say_json(&json!({ "ok": found.ok, "entries": found.entries, "head": found.head, "problems": found.problems, "assurance": desk.footing()? }))?;
    } else {
        for problem in &found.problems {
            context.say(&format!("problem: {}", crate::text::line(problem)))?;
        }
        let head = found.head.map(|head| head.to_string()).unwrap_or_default();
        let word = if found.ok {
            "whole: every entry and table agrees"
        } else {
            "BROKEN"
        };
        context.say(&format!(
            "{} entries, head {head}, decisions {}, {word}",
            found.entries,
            desk.footing()?
        ))?;
    }
    Ok(if found.ok { Answer::Yes } else { Answer::No })
}

fn log(desk: &Desk, arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let of = arguments.get_one::<String>("of").map(String::as_str);
    let mut left = arguments
        .get_one::<usize>("limit")
        .copied()
        .unwrap_or(usize::MAX);
    let mut before: Option<EntrySeq> = None;
    let mut rows = Vec::new();
    loop {
        let page = desk.entries(before, of, PAGE.min(left))?;
        before = page.rows.last().map(|row| row.seq);
        left -= page.rows.len();
        for row in &page.rows {
            if context.json {
                context.say_json(&json::entry(row))?;
                continue;
            }
            let what = row
                .text
                .clone()
                .or_else(|| row.reason.clone())
                .unwrap_or_default();
            let who = format!("{} ({})", row.actor, row.assurance);
            rows.push(vec![
                row.seq.to_string(),
                row.at.to_string(),
                row.act.to_string(),
                row.item.clone(),
                who,
                what,
            ]);
        }
        if !page.more || left == 0 {
            break;
        }
    }
    if !context.json {
        table(
            context,
            &["ENTRY", "AT", "ACT", "ITEM", "BY", "TEXT"],
            &rows,
        )?;
    }
    Ok(Answer::Yes)
}
