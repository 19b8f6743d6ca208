//! `restore`: brings a demoted memory back, by a person at a terminal.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::memory::show;
use crate::cli::{Answer, Command, confirm, witness};
use crate::domain::Act;
use crate::domain::{Digest, MemoryId};
use clap::{Arg, ArgMatches};
use serde_json::json;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "restore",
    about: "Serve a demoted memory again, at a terminal",
    define: |command| {
        command
            .arg(Arg::new("id").required(true).help("The memory, M-12"))
            .arg(
                Arg::new("reason")
                    .long("reason")
                    .help("Why, in your own words"),
            )
            .after_help("Example:\n  countersign restore M-12 --reason \"demoted by mistake\"")
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let id = MemoryId::parse(arguments.get_one::<String>("id").map_or("", String::as_str))?;
    let desk = context.desk()?;
    let presence = confirm::presence(context, &desk, Act::Restore, &id.to_string())?;
    let view = desk.memory(id)?;
    show(context, &view)?;
    confirm::confirm(context, "restore")?;
    let shown = Digest::of(view.memory.text.as_bytes());
    let entry = desk.restore(
        &presence,
        id,
        shown,
        arguments.get_one::<String>("reason").cloned(),
    )?;
    witness::remember(&desk, context)?;
    if context.json {
        context.say_json(&json!({ "id": id, "act": "restore", "entry": entry }))?;
    } else {
        context.say(&format!("{id} is served again ({entry})"))?;
    }
    Ok(Answer::Yes)
}
