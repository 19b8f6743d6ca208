//! `mcp`: the server that agents talk to, over standard input and output.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command};
use crate::desk::Desk;
use crate::domain::{Layer, SessionId, UserId};
use crate::mcp::Binding;
use clap::{Arg, ArgMatches};

pub(in crate::cli) const COMMAND: Command = Command {
    name: "mcp",
    about: "Serve agents over MCP: observe, propose, recall, report; nothing here decides",
    define: |command| {
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        command
            .arg(option("layer", "The layer the agent works in; it sees this one and those above it").required(true))
            .arg(option("user", "The person the agent works for"))
            .arg(option("session", "The session [default: CLAUDE_CODE_SESSION_ID]"))
            .after_help(
                "Hosts start it; give them the whole path of the store, since they clear the environment:\n  \
                 claude mcp add countersign -- countersign mcp --store /path/team.db --layer acme/dev\n  \
                 codex mcp add countersign -- countersign mcp --store /path/team.db --layer acme/dev",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let text = |name: &str| arguments.get_one::<String>(name).cloned();
    let session = text("session").or_else(|| {
        context
            .around
            .environment
            .get("CLAUDE_CODE_SESSION_ID")
            .cloned()
    });
    let binding = Binding {
        layer: Layer::parse(&text("layer").unwrap_or_default())?,
        user: text("user").map(|user| UserId::parse(&user)).transpose()?,
        session: session
            .map(|session| SessionId::parse(&session))
            .transpose()?,
    };
    let (path, clock) = (context.store_path()?, context.around.clock.clone());
    let tracing = context.tracing();
    let open = Box::new(move || {
        let desk = Desk::open(&path, clock.clone())?;
        if let Some(tracing) = tracing.clone() {
            // An act is done whether it can be traced or not.
            let _ = desk.trace_to(tracing);
        }
        Ok(desk)
    });
    crate::mcp::run(binding, open)
        .map_err(|error| Failure::usage(&format!("the server stopped: {error}"), ""))?;
    Ok(Answer::Yes)
}
