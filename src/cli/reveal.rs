//! `reveal`: somebody from security looks at a hidden secret, once, on record.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, confirm, queue, witness};
use crate::domain::Act;
use crate::domain::CandidateId;
use clap::{Arg, ArgMatches};

pub(in crate::cli) const COMMAND: Command = Command {
    name: "reveal",
    about: "Look at the secret a candidate hides, at a terminal, on record",
    define: |command| {
        command
            .arg(Arg::new("id").required(true).help("The candidate, C-12"))
            .after_help(
                "Example:\n  countersign reveal C-12\n\nIt takes the role `security`. The ledger holds who looked, when and at \
                 what, never the value.",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let id = arguments.get_one::<String>("id").map_or("", String::as_str);
    let id = CandidateId::parse(id)?;
    if context.json {
        return Err(Failure::usage(
            "a secret is shown to a person, not to a program",
            "leave --json out",
        ));
    }
    let desk = context.desk()?;
    let presence = confirm::presence(context, &desk, Act::Reveal, &id.to_string())?;
    queue::show(context, &desk.candidate(id)?)?;
    confirm::confirm(context, "reveal")?;
    let secrets = desk.reveal(&presence, id)?;
    witness::remember(&desk, context)?;
    for (at, secret) in secrets.iter().enumerate() {
        confirm::show_exactly(context, &format!("secret {}", at + 1), secret)?;
    }
    Ok(Answer::Yes)
}
