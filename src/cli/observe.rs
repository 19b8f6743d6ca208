//! `observe`: records sightings, one from arguments or many from lines of JSON or text.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command};
use crate::desk::{BadLine, Desk, ObserveReport};
use crate::domain::observation::Sighting;
use crate::transcript::Declared;
use clap::{Arg, ArgMatches};
use serde_json::json;
use std::io::BufRead;

/// How many bad lines are named to a person; `--json` names them all.
const LISTED: usize = 20;
/// The longest line that is read; the rest of a longer one is skipped.
const LONGEST_LINE: usize = 4 * 1024 * 1024;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "observe",
    about: "Record what was seen: one sighting, or one a line from standard input",
    define: |command| {
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        command
            .arg(Arg::new("text").help("What was seen; without it, lines are read from standard input"))
            .arg(option("layer", "Where, for instance acme/emea/berlin"))
            .arg(option("user", "Who said it"))
            .arg(option("session", "In which conversation"))
            .arg(option("source", "What it was seen through, in a word"))
            .arg(option("trust", "authenticated_user, tool, web or model"))
            .arg(option("at", "When, RFC 3339 [default: now]"))
            .arg(option("origin", "direct, recall or derived"))
            .arg(option("key", "Makes a retry count nothing twice"))
            .after_help(
                "Examples:\n  countersign observe --layer acme/emea --user u-1 --session s-1 \"Refunds take five working days\"\n  \
                 countersign observe --json < observations.jsonl\n  \
                 countersign observe --layer acme --user u-1 --session s-1 < lines.txt\n\n\
                 A line is JSON with --json, or where no --layer is given: {\"text\",\"layer\",\"user\",\"session\"} and optionally source, trust, at, origin, key.",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    let given = declared(arguments);
    if let Some(text) = arguments.get_one::<String>("text") {
        let sighting = desk
            .sighting(text.clone(), &given)
            .map_err(|bad| Failure::usage(&bad.error, &bad.hint))?;
        let report = desk.observe([Ok(sighting)], "observe")?;
        return answer(context, &desk, &report);
    }
    // Without a layer a line of text could not be placed: such a line can only be meant as JSON.
    let json = context.json || given.layer.is_none();
    let mut number = 0;
    let input = &mut *context.around.input;
    let sightings = std::iter::from_fn(|| {
        loop {
            let line = next_line(input, &mut number)?;
            let read = line.and_then(|line| match line.trim() {
                "" => Ok(None),
                text if json => desk.read_sighting(text).map(Some),
                text => desk.sighting(text.to_owned(), &given).map(Some),
            });
            match read {
                Ok(None) => {}
                Ok(Some(sighting)) => return Some(Ok(sighting)),
                Err(bad) => {
                    return Some(Err(BadLine {
                        line: number,
                        ..bad
                    }));
                }
            }
        }
    });
    let report = observe_all(&desk, sightings)?;
    answer(context, &desk, &report)
}

/// From how many observations on a caller is told that the detector does not keep up.
const FAR_BEHIND: u64 = 50_000;

fn observe_all(
    desk: &Desk,
    sightings: impl Iterator<Item = Result<Sighting, BadLine>>,
) -> Result<ObserveReport, Failure> {
    Ok(desk.observe(sightings, "observe")?)
}

fn declared(arguments: &ArgMatches) -> Declared {
    let get = |name: &str| arguments.get_one::<String>(name).cloned();
    Declared {
        layer: get("layer"),
        user: get("user"),
        session: get("session"),
        source: get("source"),
        trust: get("trust"),
        at: get("at"),
        origin: get("origin"),
        key: get("key"),
    }
}

fn answer(
    context: &mut Context<'_>,
    desk: &Desk,
    report: &ObserveReport,
) -> Result<Answer, Failure> {
    let lag = desk.detector_progress()?.lag;
    if lag > FAR_BEHIND {
        context.note(&format!(
            "the detector is {lag} observations behind; `countersign detect --once` catches up"
        ));
    }
    let errors = report.problems.len();
    if context.json {
        let problems = &report.problems;
        context.say_json(&json!({
            "observed": report.observed, "duplicates": report.duplicates, "errors": errors, "problems": problems, "lag": lag,
        }))?;
    } else {
        context.say(&format!(
            "{} observed, {} known already",
            report.observed, report.duplicates
        ))?;
        for bad in report.problems.iter().take(LISTED) {
            say_bad(context, bad);
        }
        if errors > LISTED {
            context.note(&format!("and {} more", errors - LISTED));
        }
    }
    Ok(if errors == 0 {
        Answer::Yes
    } else {
        Answer::BadLines
    })
}

/// Names a bad line for a person.
pub(in crate::cli) fn say_bad(context: &mut Context<'_>, bad: &BadLine) {
    let hint = if bad.hint.is_empty() {
        String::new()
    } else {
        format!(" ({})", bad.hint)
    };
    context.note(&format!(
        "line {}: {}{}",
        bad.line,
        crate::text::line(&bad.error),
        crate::text::line(&hint)
    ));
}

/// The next line, counted in `number`, in bounded memory: a text, or what is wrong with it.
pub(in crate::cli) fn next_line(
    input: &mut dyn BufRead,
    number: &mut u64,
) -> Option<Result<String, BadLine>> {
    let mut bytes = Vec::new();
    let mut length = 0_usize;
    loop {
        let chunk = input.fill_buf().unwrap_or_default();
        if chunk.is_empty() {
            break;
        }
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(chunk.len(), |at| at + 1);
        let room = LONGEST_LINE.saturating_sub(bytes.len());
        bytes.extend(chunk.iter().take(used.min(room)));
        length = length.saturating_add(used);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    if length == 0 {
        return None;
    }
    *number += 1;
    Some(text_of(bytes, length))
}

fn text_of(bytes: Vec<u8>, length: usize) -> Result<String, BadLine> {
    let bad = |error: &str, hint: &str| BadLine {
        error: error.to_owned(),
        line: 0,
        hint: hint.to_owned(),
    };
    if length > LONGEST_LINE {
        return Err(bad(
            "the line is longer than 4 MiB",
            "bring long texts in with `countersign ingest`",
        ));
    }
    String::from_utf8(bytes).map_err(|_| bad("the line is not UTF-8", "convert the file to UTF-8"))
}
