//! `erase`: takes a text out of everything the store holds, by an admin at a terminal.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, confirm, witness};
use crate::domain::Act;
use clap::{Arg, ArgMatches};
use serde_json::json;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "erase",
    about: "Erase evidence, an observation or a claim for good, by an admin at a terminal",
    define: |command| {
        command
            .arg(
                Arg::new("what")
                    .required(true)
                    .num_args(1..=2)
                    .help("artifact:<sha256>, `observation 3` or O-3, C-12 with every memory it became"),
            )
            .arg(Arg::new("reason").long("reason").required(true).help("Why; kept beside the entry, so name nobody"))
            .after_help(
                "Examples:\n  countersign erase C-12 --reason 'asked for on 3 June'\n  countersign erase observation 3 --reason 'asked for'\n\n\
                 The ledger stays whole: it holds salted commitments, and the salt goes with the text. Not undone by this: what was \
                 already served, exported or backed up. An artifact's address is the plain hash of its bytes and stays.",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let words: Vec<&String> = arguments.get_many("what").into_iter().flatten().collect();
    let subject = match words.as_slice() {
        [one] => (*one).clone(),
        [kind, number] if *kind == "observation" => {
            format!("O-{}", number.trim_start_matches("O-"))
        }
        _ => {
            return Err(Failure::usage(
                "two words that name nothing together",
                "for instance `observation 3`",
            ));
        }
    };
    let reason = arguments
        .get_one::<String>("reason")
        .cloned()
        .unwrap_or_default();
    let desk = context.desk()?;
    let presence = confirm::presence(context, &desk, Act::Erase, &subject)?;
    let what = desk.erasable(&subject)?;
    match &what.text {
        Some(text) => confirm::show_exactly(context, &what.item, text)?,
        None => context.say(&crate::text::line(&what.item))?,
    }
    for also in &what.also {
        context.say(&format!("  also: {}", crate::text::line(also)))?;
    }
    let item = what.item.clone();
    confirm::confirm(context, "erase")?;
    let done = desk.erase(&presence, what, &reason)?;
    witness::remember(&desk, context)?;
    if context.json {
        context.say_json(&json!({
            "id": item, "act": "erase", "entry": done.entry, "memories": done.memories, "alike": done.alike,
            "log_emptied": done.log_emptied,
        }))?;
        return Ok(Answer::Yes);
    }
    context.say(&format!(
        "{} is erased ({})",
        crate::text::line(&item),
        done.entry
    ))?;
    for memory in &done.memories {
        context.say(&format!("{memory} is no longer served and has no text"))?;
    }
    if !done.alike.is_empty() {
        context.say(&format!(
            "still here, with the same words or drawn from it: {}",
            done.alike.join(", ")
        ))?;
    }
    if !done.log_emptied {
        context
            .say("a reader holds an old state: run `countersign store sweep` when it is done")?;
    }
    Ok(Answer::Yes)
}
