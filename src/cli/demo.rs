//! `demo`: a throw-away store with a queue worth triaging, and the console on it.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, queue, review};
use crate::domain::candidate::CandidateState;
use crate::domain::query::Query;
use clap::ArgMatches;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "demo",
    about: "Try it: a throw-away store with a real queue, and the console on it",
    define: |command| {
        command.after_help(
            "Example:\n  countersign demo\n\nWithout a terminal it prints the queue and exits. --store PATH keeps the store there.",
        )
    },
    run,
};

fn run(_: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let folder = tempfile::Builder::new()
        .prefix("countersign-demo-")
        .tempdir()
        .map_err(|error| {
            Failure::usage(
                &format!("no folder for a throw-away store: {error}"),
                "name a place with --store PATH",
            )
        })?;
    let path = context
        .named_store()
        .unwrap_or_else(|| folder.path().join("demo.db"));
    let desk = crate::desk::build_demo(&path, context.around.clock.clone())?;
    let caller = &context.around.caller;
    if caller.input_is_terminal && caller.output_is_terminal {
        return review::open(desk, context, false, true);
    }
    for (state, title) in [
        (CandidateState::Pending, "QUEUE"),
        (CandidateState::Quarantined, "QUARANTINE"),
    ] {
        if !context.json {
            context.say(title)?;
        }
        queue::write_list(&desk, context, state, &Query::default(), usize::MAX)?;
    }
    if !context.json {
        context.say("run it at a terminal to decide: `countersign demo`")?;
    }
    Ok(Answer::Yes)
}
