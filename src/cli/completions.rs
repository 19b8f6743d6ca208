//! `completions`: a completion script for a shell, from the command table.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, definition};
use clap::{Arg, ArgMatches};

pub(in crate::cli) const COMMAND: Command = Command {
    name: "completions",
    about: "Print a completion script for a shell",
    define: |command| {
        command
            .arg(Arg::new("shell").required(true).value_parser(clap::value_parser!(clap_complete::Shell)).help("The shell"))
            .after_help("Example:\n  countersign completions bash > ~/.local/share/bash-completion/completions/countersign")
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    if let Some(shell) = arguments.get_one::<clap_complete::Shell>("shell") {
        let mut script = Vec::new();
        clap_complete::generate(*shell, &mut definition(), "countersign", &mut script);
        context
            .around
            .output
            .write_all(&script)
            .map_err(|error| Failure::output(&error))?;
    }
    Ok(Answer::Yes)
}
