//! `man`: the manual page, from the command table.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, definition};
use clap::ArgMatches;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "man",
    about: "Print the manual page",
    define: |command| command.after_help("Example:\n  countersign man | man -l -"),
    run,
};

fn run(_: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    clap_mangen::Man::new(definition())
        .render(&mut context.around.output)
        .map_err(|error| Failure::output(&error))?;
    Ok(Answer::Yes)
}
