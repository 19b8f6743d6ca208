//! `recall`: hands over what was approved for a layer and its ancestors, and logs it.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, json};
use crate::desk::{RecallFormat, RecallRequest};
use crate::domain::{Layer, Project, Scope, SessionId};
use clap::{Arg, ArgMatches};

pub(in crate::cli) const COMMAND: Command = Command {
    name: "recall",
    about: "Hand over approved memories of a layer and its ancestors; logged",
    define: |command| {
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        let formats: Vec<&str> = RecallFormat::ALL
            .iter()
            .map(|format| format.as_str())
            .collect();
        command
            .arg(option("layer", "From where").required(true))
            .arg(option("project", "In which project"))
            .arg(option("session", "For which session"))
            .arg(option("query", "Those that have any of these words"))
            .arg(option("budget", "At most so many characters").value_parser(clap::value_parser!(usize)))
            .arg(option("traceparent", "The trace this recall is part of [default: TRACEPARENT]"))
            .arg(option("format", "json, text, or block: a context block for an agent").value_parser(formats))
            .after_help("Examples:\n  countersign recall --layer acme/emea/berlin --query \"late fee\" --json\n  countersign recall --layer acme --format block --session 5d0e")
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let text = |name: &str| arguments.get_one::<String>(name).cloned();
    let viewer = Scope {
        layer: Layer::parse(&text("layer").unwrap_or_default())?,
        project: text("project")
            .map(|name| Project::parse(&name))
            .transpose()?,
        session: text("session")
            .map(|name| SessionId::parse(&name))
            .transpose()?,
    };
    let asked = text("format");
    let format = RecallFormat::ALL
        .iter()
        .copied()
        .find(|format| Some(format.as_str()) == asked.as_deref());
    let format = format.unwrap_or(if context.json {
        RecallFormat::Json
    } else {
        RecallFormat::Text
    });
    let desk = context.desk()?;
    let request = RecallRequest {
        viewer,
        query: text("query"),
        budget: arguments.get_one::<usize>("budget").copied(),
        format,
        actor: "recall".to_owned(),
        trace: context.traceparent(arguments.get_one("traceparent"))?,
    };
    let recall = desk.recall(&request)?;
    if context.json || format == RecallFormat::Json {
        context.say_json(&json::recall(&recall))?;
        return Ok(Answer::Yes);
    }
    context.say(recall.rendered.trim_end_matches('\n'))?;
    for (id, why) in &recall.withheld {
        context.note(&format!("withheld {id}: {}", crate::text::line(why)));
    }
    context.note(&format!(
        "{} ({} memories)",
        recall.serving,
        recall.records.len()
    ));
    Ok(Answer::Yes)
}
