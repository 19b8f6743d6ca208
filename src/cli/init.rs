//! `init`: makes a store. Asks nothing; unsigned, under the shipped policy.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command};
use crate::desk::Desk;
use clap::ArgMatches;
use serde_json::json;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "init",
    about: "Make a new store",
    define: |command| {
        command.after_help("Example:\n  countersign init --store team.db\n\nThe store is unsigned: decisions record who was named, not who it was.")
    },
    run,
};

fn run(_: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let path = context.store_path()?;
    let actor = context.reviewer()?.name;
    let desk = Desk::init(&path, actor.as_str(), context.around.clock.clone())?;
    let shown = path.display().to_string();
    if context.json {
        context.say_json(
            &json!({ "store": shown, "policy": desk.policy().hash(), "signed": false }),
        )?;
        return Ok(Answer::Yes);
    }
    context.say(&format!(
        "made an unsigned store at {}",
        crate::text::line(&shown)
    ))?;
    context.say(&format!(
        "policy {} ({})",
        desk.policy().name(),
        desk.policy().hash().short()
    ))?;
    context.say("next: `countersign observe`, `propose` or `ingest` bring things in, `countersign review` decides")?;
    Ok(Answer::Yes)
}
