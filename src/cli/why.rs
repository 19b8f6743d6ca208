//! `why`: from a serving, a session or a memory back to the words it rests on, as a tree or a report.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, json};
use crate::desk::Desk;
use crate::desk::view::Why;
use crate::domain::{MemoryId, Time};
use clap::{Arg, ArgAction, ArgMatches};
use serde_json::json as value;
use std::io::Write as _;
use std::path::Path;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "why",
    about: "Explain a serving, session, memory, claim or artifact down to its evidence",
    define: |command| {
        let time = |name: &'static str, help: &'static str| {
            Arg::new(name).long(name).value_name("TIME").help(help)
        };
        command
            .arg(Arg::new("id").required(true).value_name("SUBJECT").help(
                "S-12, M-12, C-12, P-12, E-12, session:<id>, artifact:<sha256>, or words of a claim",
            ))
            .arg(time("at", "What the session believed at this moment").conflicts_with("served"))
            .arg(
                Arg::new("served")
                    .long("served")
                    .action(ArgAction::SetTrue)
                    .help("List the servings that held the memory, newest first"),
            )
            .arg(time("from", "Only servings from this moment on").requires("served"))
            .arg(time("to", "Only servings up to this moment").requires("served"))
            .arg(
                Arg::new("limit")
                    .long("limit")
                    .value_name("N")
                    .default_value("50")
                    .value_parser(clap::value_parser!(u32).range(1..=10_000))
                    .help("How many servings are listed"),
            )
            .arg(
                Arg::new("report")
                    .long("report")
                    .value_name("FILE")
                    .help("Write a Markdown report to a new file; - for standard output"),
            )
            .after_help(
                "Examples:\n  countersign why S-12\n  countersign why session:s-7 --at 2026-12-01T09:00:00Z\n  \
                 countersign why M-3 --served --from 2026-11-01 --to 2026-12-01\n  \
                 countersign why \"refunds take five days\" --report why.md",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let subject = arguments.get_one::<String>("id").map_or("", String::as_str);
    let desk = context.desk()?;
    let why = answer(&desk, subject, arguments)?;
    if let Some(file) = arguments.get_one::<String>("report") {
        return report(&desk, subject, &why, file, context);
    }
    if context.json {
        context.say_json(&json::why(&why))?;
        return Ok(Answer::Yes);
    }
    let mut lines = Vec::new();
    draw(&why, "", "", &mut lines);
    for line in lines {
        context.say(&line)?;
    }
    Ok(Answer::Yes)
}

fn answer(desk: &Desk, subject: &str, arguments: &ArgMatches) -> Result<Why, Failure> {
    let time = |name: &str| -> Result<Option<Time>, Failure> {
        let given = arguments.get_one::<String>(name);
        let read = |text: &String| {
            let bad = |error: crate::domain::time::BadTime| {
                Failure::usage(&error.to_string(), "times are in UTC")
            };
            Time::parse(text).map_err(bad)
        };
        given.map(read).transpose()
    };
    if arguments.get_flag("served") {
        let limit = arguments.get_one::<u32>("limit").copied().unwrap_or(50);
        let id = MemoryId::parse(subject)?;
        return Ok(desk.why_served(id, time("from")?, time("to")?, limit as usize)?);
    }
    Ok(match time("at")? {
        Some(at) => desk.why_at(subject, at)?,
        None => desk.why(subject)?,
    })
}

fn report(
    desk: &Desk,
    subject: &str,
    why: &Why,
    file: &str,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let text = desk.why_report(subject, why)?;
    if file == "-" {
        context.say(text.trim_end_matches('\n'))?;
        return Ok(Answer::Yes);
    }
    let failed = |error: std::io::Error| {
        Failure::usage(
            &format!("`{}`: {error}", crate::text::line(file)),
            "name a new file in a folder that can be written",
        )
    };
    let mut fresh = std::fs::File::create_new(Path::new(file)).map_err(failed)?;
    fresh.write_all(text.as_bytes()).map_err(failed)?;
    fresh.sync_all().map_err(failed)?;
    if context.json {
        context.say_json(&value!({ "file": file, "bytes": text.len() }))?;
    } else {
        let shown = crate::text::line(file);
        context.say(&format!("{} bytes in {shown}", text.len()))?;
    }
    Ok(Answer::Yes)
}

fn draw(why: &Why, first: &str, rest: &str, lines: &mut Vec<String>) {
    lines.push(format!(
        "{first}{} {} · {}",
        why.kind,
        crate::text::line(&why.id),
        crate::text::line(&why.says)
    ));
    let below = if why.because.is_empty() { "  " } else { "│ " };
    for (key, value) in &why.facts {
        lines.push(format!(
            "{rest}{below}  {key}: {}",
            crate::text::line(value)
        ));
    }
    let last = why.because.len().saturating_sub(1);
    for (at, below) in why.because.iter().enumerate() {
        let (fork, stem) = if at == last {
            ("└ ", "  ")
        } else {
            ("├ ", "│ ")
        };
        draw(
            below,
            &format!("{rest}{fork}"),
            &format!("{rest}{stem}"),
            lines,
        );
    }
}
