//! `authorize`: asks whether a receipt says that something was done. Memory is never read.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command};
use crate::desk::AuthorizeRequest;
use crate::domain::Layer;
use crate::domain::receipt::EventAction;
use clap::{Arg, ArgMatches};
use serde_json::json;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "authorize",
    about: "Ask whether a verified receipt says that something was done; memory is never read",
    define: |command| {
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        command
            .arg(option("action", "deployed, approved, paid, migrated or released").required(true))
            .arg(option("subject", "acme/shop@<commit>, acme/shop#<number>").required(true))
            .arg(option("environment", "In which environment"))
            .arg(option("layer", "From which layer it is asked").required(true))
            .after_help("Exit code 0: yes, and the receipt is named. 1: no, and why.\n\nExample:\n  countersign authorize --action deployed --subject acme/shop@abc123 --environment production --layer acme/dev")
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let text = |name: &str| arguments.get_one::<String>(name).cloned();
    // What people write for an act: `deploy` means `deployed`.
    let action = text("action").unwrap_or_default();
    let done = match action.as_str() {
        "deploy" => "deployed",
        "approve" => "approved",
        "pay" => "paid",
        "migrate" => "migrated",
        "release" => "released",
        other => other,
    };
    let request = AuthorizeRequest {
        action: EventAction::parse(done)?,
        subject: text("subject").unwrap_or_default(),
        environment: text("environment"),
        layer: Layer::parse(&text("layer").unwrap_or_default())?,
    };
    let answer = context.desk()?.authorize(&request)?;
    let why = crate::text::line(&answer.why);
    if context.json {
        context.say_json(
            &json!({ "allowed": answer.allowed, "receipt": answer.receipt, "why": why }),
        )?;
    } else {
        context.say(&format!(
            "{}: {why}",
            if answer.allowed { "yes" } else { "no" }
        ))?;
    }
    Ok(if answer.allowed {
        Answer::Yes
    } else {
        Answer::No
    })
}
