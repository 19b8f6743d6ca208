//! `demote`: takes a memory out of service, by a person at a terminal.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::memory::show;
use crate::cli::{Answer, Command, confirm, witness};
use crate::domain::Act;
use crate::domain::reason::DemoteReason;
use crate::domain::{Digest, MemoryId};
use clap::{Arg, ArgMatches};
use serde_json::json;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "demote",
    about: "Stop serving a memory, at a terminal",
    define: |command| {
        command
            .arg(Arg::new("id").required(true).help("The memory, M-12"))
            .arg(
                Arg::new("reason")
                    .long("reason")
                    .required(true)
                    .help("Why: stale, source_wrong, ..., or your own words"),
            )
            .after_help("Example:\n  countersign demote M-12 --reason stale")
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let text = |name: &str| {
        arguments
            .get_one::<String>(name)
            .cloned()
            .unwrap_or_default()
    };
    let id = MemoryId::parse(&text("id"))?;
    let desk = context.desk()?;
    let presence = confirm::presence(context, &desk, Act::Demote, &id.to_string())?;
    let (reason, note) = reason_of(&text("reason"));
    let view = desk.memory(id)?;
    show(context, &view)?;
    confirm::confirm(context, "demote")?;
    let shown = Digest::of(view.memory.text.as_bytes());
    let entry = desk.demote(&presence, id, shown, reason, note)?;
    witness::remember(&desk, context)?;
    if context.json {
        context
            .say_json(&json!({ "id": id, "act": "demote", "reason": reason, "entry": entry }))?;
    } else {
        context.say(&format!("{id} is no longer served ({entry})"))?;
    }
    Ok(Answer::Yes)
}

/// A reason's word stands for itself; anything else is told in full.
fn reason_of(text: &str) -> (DemoteReason, Option<String>) {
    match DemoteReason::parse(text) {
        Ok(reason) => (reason, None),
        Err(_) => (DemoteReason::Other, Some(text.to_owned())),
    }
}
