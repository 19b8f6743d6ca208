//! `event`: whom we believe about work that was done, and the signed events that say so.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::table::table;
use crate::cli::{Answer, Command, confirm};
use crate::desk::{Desk, NewEventSource};
use crate::domain::Act;
use crate::domain::Layer;
use crate::domain::receipt::{Event, EventOutcome, EventSource, Scheme};
use clap::{Arg, ArgMatches, Command as Clap};
use serde_json::{Value, json};

pub(in crate::cli) const COMMAND: Command = Command {
    name: "event",
    about: "Take in signed workflow events; a verified one is a receipt",
    define: |command| {
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        let name = || Arg::new("name").required(true).help("The source's name");
        let add = Clap::new("add")
            .about("Believe a source from now on, at a terminal")
            .arg(name())
            .arg(option("scheme", "github or standard").required(true))
            .arg(option("repository", "The one repository it may speak for").required(true))
            .arg(option(
                "environment",
                "The one environment it may speak for; none for reviews and the like",
            ))
            .arg(option("layer", "Its receipts hold in this layer and below").required(true))
            .arg(
                option(
                    "secret-file",
                    "The file with its secret, yours alone to read",
                )
                .required(true),
            );
        command
            .subcommand_required(true)
            .subcommand(
                Clap::new("source")
                    .about("Add, list or remove sources")
                    .subcommand_required(true)
                    .subcommand(add)
                    .subcommand(Clap::new("list").about("List the sources"))
                    .subcommand(Clap::new("remove").about("Believe a source no more, at a terminal").arg(name())),
            )
            .subcommand(
                Clap::new("ingest")
                    .about("Take one event in")
                    .arg(option("source", "The source it came from").required(true))
                    .arg(option("headers", "The file with its headers, one `Name: value` a line").required(true))
                    .arg(option("body", "The file with its body, byte for byte").required(true)),
            )
            .subcommand(
                Clap::new("list")
                    .about("List what arrived, refused ones too")
                    .arg(option("limit", "At most so many").value_parser(clap::value_parser!(usize)).default_value("50")),
            )
            .after_help("Examples:\n  countersign event source add ci --scheme github --repository acme/shop --environment production --layer acme/dev --secret-file ci.secret\n  countersign event ingest --source ci --headers headers.txt --body body.json")
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    match arguments.subcommand() {
        Some(("source", more)) => match more.subcommand() {
            Some(("add", more)) => add(&desk, more, context),
            Some(("remove", more)) => remove(&desk, more, context),
            _ => sources(&desk, context),
        },
        Some(("ingest", more)) => ingest(&desk, more, context),
        Some((_, more)) => list(&desk, more, context),
        None => Err(Failure::usage(
            "name what to do",
            "see `countersign event --help`",
        )),
    }
}

fn text(arguments: &ArgMatches, name: &str) -> String {
    arguments
        .get_one::<String>(name)
        .cloned()
        .unwrap_or_default()
}

fn add(desk: &Desk, arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let new = NewEventSource {
        name: text(arguments, "name"),
        scheme: Scheme::parse(&text(arguments, "scheme"))?,
        repository: text(arguments, "repository"),
        environment: arguments.get_one::<String>("environment").cloned(),
        layer: Layer::parse(&text(arguments, "layer"))?,
        secret_file: whole_path(&text(arguments, "secret-file")),
    };
    let presence = confirm::presence(context, desk, Act::EventSource, &new.name)?;
    context.say(&format!(
        "whoever holds the secret of `{}` can say what was done in {}{}, for {} and below",
        crate::text::line(&new.name),
        crate::text::line(&new.repository),
        new.environment
            .as_deref()
            .map(|name| format!(" ({})", crate::text::line(name)))
            .unwrap_or_default(),
        new.layer
    ))?;
    confirm::confirm(context, "believe it")?;
    let source = desk.add_event_source(&presence, new)?;
    say_source(context, &source)
}

fn remove(
    desk: &Desk,
    arguments: &ArgMatches,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let name = text(arguments, "name");
    let presence = confirm::presence(context, desk, Act::EventSource, &name)?;
    confirm::confirm(context, "believe it no more")?;
    desk.remove_event_source(&presence, &name)?;
    context.say(&format!(
        "`{}` is no longer believed",
        crate::text::line(&name)
    ))?;
    Ok(Answer::Yes)
}

fn say_source(context: &mut Context<'_>, source: &EventSource) -> Result<Answer, Failure> {
    if context.json {
        context.say_json(&json!(source))?;
    } else {
        context.say(&format!(
            "`{}` is believed from now on",
            crate::text::line(&source.name)
        ))?;
    }
    Ok(Answer::Yes)
}

fn sources(desk: &Desk, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let all = desk.event_sources()?;
    if context.json {
        for source in &all {
            context.say_json(&json!(source))?;
        }
        return Ok(Answer::Yes);
    }
    let row = |source: &EventSource| {
        vec![
            source.name.clone(),
            source.scheme.to_string(),
            source.repository.clone(),
            source.environment.clone().unwrap_or_else(|| "-".to_owned()),
            source.layer.to_string(),
            source.secret_file.clone(),
        ]
    };
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    table(
        context,
        &[
            "NAME",
            "SCHEME",
            "REPOSITORY",
            "ENVIRONMENT",
            "LAYER",
            "SECRET FILE",
        ],
        &rows,
    )?;
    Ok(Answer::Yes)
}

fn ingest(
    desk: &Desk,
    arguments: &ArgMatches,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let read = |name: &str| {
        let path = text(arguments, name);
        std::fs::read(&path).map_err(|error| {
            Failure::usage(
                &format!("`{}` cannot be read: {error}", crate::text::line(&path)),
                "",
            )
        })
    };
    let headers = String::from_utf8(read("headers")?)
        .map_err(|_| Failure::usage("the headers are not UTF-8", "one `Name: value` a line"))?;
    let event = desk.ingest_event(
        &text(arguments, "source"),
        headers_of(&headers)?,
        read("body")?,
    )?;
    if context.json {
        context.say_json(&shape(&event))?;
    } else {
        let what = match &event.said {
            Some(said) => format!(
                "{} {} {}",
                said.subject,
                said.action,
                said.environment.as_deref().unwrap_or_default()
            ),
            None => String::new(),
        };
        let why = if event.why.is_empty() {
            what
        } else {
            event.why.clone()
        };
        context.say(&format!(
            "{} {}: {}",
            event.id,
            event.outcome,
            crate::text::line(why.trim())
        ))?;
    }
    Ok(if event.outcome == EventOutcome::Refused {
        Answer::No
    } else {
        Answer::Yes
    })
}

/// Headers as lines or as one JSON object of texts.
fn headers_of(text: &str) -> Result<Vec<(String, String)>, Failure> {
    if let Ok(Value::Object(map)) = serde_json::from_str::<Value>(text) {
        let one = |(name, value): (String, Value)| match value {
            Value::String(value) => Ok((name, value)),
            _ => Err(Failure::usage("a header's value is not a text", "")),
        };
        return map.into_iter().map(one).collect();
    }
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let (name, value) = line.split_once(':').ok_or_else(|| {
                Failure::usage(
                    "a line of the headers has no colon",
                    "one `Name: value` a line",
                )
            })?;
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        })
        .collect()
}

fn list(desk: &Desk, arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let limit = arguments.get_one::<usize>("limit").copied().unwrap_or(50);
    let events = desk.events(limit)?;
    if context.json {
        for event in &events {
            context.say_json(&shape(event))?;
        }
        return Ok(Answer::Yes);
    }
    let row = |event: &Event| {
        let said = event.said.as_ref();
        vec![
            event.id.to_string(),
            event.outcome.to_string(),
            event.source.clone(),
            said.map(|said| said.action.to_string()).unwrap_or_default(),
            said.map(|said| said.state.to_string()).unwrap_or_default(),
            event.received_at.to_string(),
            said.map_or_else(|| event.why.clone(), |said| said.subject.clone()),
        ]
    };
    let rows: Vec<Vec<String>> = events.iter().map(row).collect();
    table(
        context,
        &[
            "ID",
            "OUTCOME",
            "SOURCE",
            "ACTION",
            "STATE",
            "RECEIVED",
            "SUBJECT OR WHY",
        ],
        &rows,
    )?;
    Ok(Answer::Yes)
}

fn shape(event: &Event) -> Value {
    let said = event.said.as_ref();
    json!({
        "id": event.id,
        "outcome": event.outcome,
        "why": Some(&event.why).filter(|why| !why.is_empty()),
        "source": event.source,
        "delivery": event.delivery,
        "sha256": event.sha256,
        "received_at": event.received_at,
        "action": said.map(|said| said.action),
        "subject": said.map(|said| &said.subject),
        "environment": said.and_then(|said| said.environment.as_ref()),
        "state": said.map(|said| said.state),
        "said_at": said.and_then(|said| said.said_at),
    })
}

/// The secret's file is read by whatever process takes events in: its whole path is kept.
fn whole_path(path: &str) -> String {
    std::path::absolute(path).map_or_else(|_| path.to_owned(), |path| path.display().to_string())
}
