//! `renew`: a memory is verified again and lives on, by a person at a terminal.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::memory::show;
use crate::cli::{Answer, Command, confirm, witness};
use crate::domain::Act;
use crate::domain::{Digest, MemoryId};
use clap::{Arg, ArgMatches};
use serde_json::json;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "renew",
    about: "Let a memory live on that is still true, at a terminal",
    define: |command| {
        command
            .arg(Arg::new("id").required(true).help("The memory, M-12"))
            .arg(
                Arg::new("reason")
                    .long("reason")
                    .help("How you know that it still holds, in your own words"),
            )
            .arg(
                Arg::new("days")
                    .long("days")
                    .value_parser(clap::value_parser!(i64).range(1..))
                    .help("For so many days [default: as long as the policy allows its influence]"),
            )
            .after_help(
                "Examples:\n  countersign renew M-12 --reason \"asked the finance team today\"\n  countersign renew M-12 --days 14\n\n\
                 It takes what approving took: two people where its influence demands two. What was said against the memory \
                 until now is answered by it. Reading or recalling a memory never makes it live longer.",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let id = MemoryId::parse(arguments.get_one::<String>("id").map_or("", String::as_str))?;
    let desk = context.desk()?;
    let presence = confirm::presence(context, &desk, Act::Renew, &id.to_string())?;
    let view = desk.memory(id)?;
    show(context, &view)?;
    if view.renewal.blocked.is_none() {
        let until = view.renewal.until.date();
        context.say(&format!("renewed, it may live until {until}"))?;
    }
    confirm::confirm(context, "renew")?;
    let shown = Digest::of(view.memory.text.as_bytes());
    let days = arguments.get_one::<i64>("days").copied();
    let note = arguments.get_one::<String>("reason").cloned();
    let renewed = desk.renew(&presence, id, shown, days, note)?;
    witness::remember(&desk, context)?;
    if context.json {
        context.say_json(&json!({
            "id": id,
            "act": if renewed.until.is_some() { "renew" } else { "endorse" },
            "entry": renewed.entry,
            "expires_at": renewed.until,
        }))?;
        return Ok(Answer::Yes);
    }
    match renewed.until {
        Some(until) => context.say(&format!(
            "{id} lives until {} ({})",
            until.date(),
            renewed.entry
        ))?,
        None => context.say(&format!(
            "noted that you verified {id} ({}); it needs another reviewer with another key",
            renewed.entry
        ))?,
    }
    Ok(Answer::Yes)
}
