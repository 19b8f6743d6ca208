//! `split` and `merge`: candidates in another shape, by a person at a terminal.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, confirm, queue, witness};
use crate::desk::Reshaped;
use crate::desk::view::CandidateView;
use crate::domain::Act;
use crate::domain::CandidateId;
use crate::domain::decision::Seen;
use clap::{Arg, ArgAction, ArgMatches};
use serde_json::json;

pub(in crate::cli) const SPLIT: Command = Command {
    name: "split",
    about: "Split a candidate with several claims, at a terminal",
    define: |command| {
        command
            .arg(Arg::new("id").required(true).help("The candidate, C-12"))
            .arg(reason())
            .after_help(
                "Example:\n  countersign split C-12\n\n\
                 Each claim becomes a candidate of its own, from the same sources, judged by the gate; what was turned \
                 down before stays so. The parts are shown before anything is asked.",
            )
    },
    run: split,
};

pub(in crate::cli) const MERGE: Command = Command {
    name: "merge",
    about: "Join candidates that say the same, at a terminal",
    define: |command| {
        command
            .arg(
                Arg::new("ids")
                    .required(true)
                    .action(ArgAction::Append)
                    .num_args(2..)
                    .help("The candidates; the words of the first are kept"),
            )
            .arg(reason())
            .after_help(
                "Example:\n  countersign merge C-12 C-15 C-19\n\n\
                 The sources of all stand behind the one that they become; the others are closed.",
            )
    },
    run: merge,
};

fn reason() -> Arg {
    Arg::new("reason")
        .long("reason")
        .help("Why, in your own words")
}

fn split(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let id = CandidateId::parse(arguments.get_one::<String>("id").map_or("", String::as_str))?;
    let desk = context.desk()?;
    let presence = confirm::presence(context, &desk, Act::Split, &id.to_string())?;
    let view = desk.candidate(id)?;
    queue::show(context, &view)?;
    for (at, part) in view.parts.iter().enumerate() {
        confirm::show_exactly(context, &format!("part {}", at + 1), part)?;
    }
    confirm::confirm(context, "split")?;
    let note = arguments.get_one::<String>("reason").cloned();
    let done = desk.split(&presence, id, &seen(&view), &view.parts, note)?;
    witness::remember(&desk, context)?;
    say(context, "split", &[id], &done)
}

fn merge(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let named = arguments.get_many::<String>("ids").into_iter().flatten();
    let ids = named
        .map(|id| CandidateId::parse(id))
        .collect::<Result<Vec<_>, _>>()?;
    let desk = context.desk()?;
    let first = ids.first().map(ToString::to_string).unwrap_or_default();
    let presence = confirm::presence(context, &desk, Act::Merge, &first)?;
    let mut marked = Vec::new();
    for id in &ids {
        let view = desk.candidate(*id)?;
        queue::show(context, &view)?;
        marked.push((*id, seen(&view)));
    }
    confirm::confirm(context, "merge")?;
    let note = arguments.get_one::<String>("reason").cloned();
    let done = desk.merge(&presence, &marked, note)?;
    witness::remember(&desk, context)?;
    say(context, "merge", &ids, &done)
}

/// What a command shows, it shows wholly.
fn seen(view: &CandidateView) -> Seen {
    Seen {
        version: view.candidate.version,
        shown: view.shown,
        frame: 0,
        whole: true,
        on_screen: None,
    }
}

fn say(
    context: &mut Context<'_>,
    act: &str,
    closed: &[CandidateId],
    done: &Reshaped,
) -> Result<Answer, Failure> {
    if context.json {
        context.say_json(&json!({
            "act": act,
            "entry": done.entry,
            "closed": closed,
            "opened": done.opened.iter().map(|(id, state)| json!({ "id": id, "status": state })).collect::<Vec<_>>(),
            "stands": done.stands,
        }))?;
        return Ok(Answer::Yes);
    }
    let opened: Vec<String> = done
        .opened
        .iter()
        .map(|(id, state)| format!("{id} ({state})"))
        .collect();
    let closed: Vec<String> = closed.iter().map(ToString::to_string).collect();
    context.say(&format!(
        "{} is now {} ({})",
        closed.join(", "),
        opened.join(", "),
        done.entry
    ))?;
    for id in &done.stands {
        context.say(&format!(
            "one part is {id} already: it stays as it was decided"
        ))?;
    }
    Ok(Answer::Yes)
}
