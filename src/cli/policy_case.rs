//! `policy case`: prints a candidate that people looked at as a case file of one's own.

use crate::cli::Answer;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::domain::CandidateId;
use clap::ArgMatches;

pub(in crate::cli) fn run(
    arguments: &ArgMatches,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let id = CandidateId::parse(arguments.get_one::<String>("id").map_or("", String::as_str))?;
    let case = context.desk()?.policy_case(id)?;
    context.say(&case)?;
    Ok(Answer::Yes)
}
