//! `trace`: decisions and servings as OTLP-JSON lines, for those who read agents' traces.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command};
use crate::desk::{Desk, DeskError};
use crate::domain::EntrySeq;
use crate::trace::{Lines, Signal, append};
use clap::{Arg, ArgAction, ArgMatches, Command as Clap};
use serde_json::json;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

/// How often a follower asks whether anything is new.
const PAUSE: Duration = Duration::from_millis(200);

pub(in crate::cli) const COMMAND: Command = Command {
    name: "trace",
    about: "Decisions and servings as OpenTelemetry spans, linked to the agents' own traces",
    define: |command| {
        let flag = |name: &'static str, help: &'static str| {
            Arg::new(name)
                .long(name)
                .action(ArgAction::SetTrue)
                .help(help)
        };
        command
            .subcommand_required(true)
            .subcommand(
                Clap::new("export")
                    .about("Write OTLP-JSON lines that a collector reads; the same entries give the same bytes")
                    .arg(Arg::new("file").required(true).help("A new file, or `-` for standard output"))
                    .arg(Arg::new("since").long("since").value_name("ID|TIME").help("From this entry or moment on [default: the beginning]"))
                    .arg(flag("follow", "Go on with what is done from now on, until stopped; the file is appended to"))
                    .arg(flag("events", "The outcomes as `gen_ai.evaluation.result` log records, instead of the spans"))
                    .arg(flag("texts", "With the approved texts that were handed over or minted; secrets stay starred out"))
                    .after_help(
                        "Examples:\n  countersign trace export -\n  countersign trace export --since 2026-12-01T09:00:00Z --events -\n  \
                         countersign trace export --follow /var/log/countersign.jsonl",
                    ),
            )
            .after_help(
                "Ids, hashes and codes only, unless --texts: no claim, no query, no reviewer's words, nothing quarantined.\n\
                 `file` in a table [trace] of config.toml, or COUNTERSIGN_TRACE, makes every act append its own lines.\n\n\
                 Example:\n  countersign trace export -",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let Some(("export", arguments)) = arguments.subcommand() else {
        return Err(Failure::usage(
            "name what to do",
            "see `countersign trace --help`",
        ));
    };
    let desk = context.desk()?;
    let since = arguments.get_one::<String>("since");
    let wanted = Wanted {
        file: arguments
            .get_one::<String>("file")
            .cloned()
            .unwrap_or_default(),
        after: since
            .map(|since| desk.trace_since(since))
            .transpose()?
            .unwrap_or(EntrySeq(0)),
        signal: if arguments.get_flag("events") {
            Signal::Events
        } else {
            Signal::Spans
        },
        texts: arguments.get_flag("texts"),
    };
    if arguments.get_flag("follow") {
        return follow(&desk, context, &wanted);
    }
    if wanted.file == "-" {
        to_output(&desk, context, &wanted, wanted.after)?;
        return Ok(Answer::Yes);
    }
    to_new_file(&desk, context, &wanted)
}

struct Wanted {
    file: String,
    after: EntrySeq,
    signal: Signal,
    texts: bool,
}

/// Writes to standard output; a reader that has gone away is the end.
fn to_output(
    desk: &Desk,
    context: &mut Context<'_>,
    wanted: &Wanted,
    after: EntrySeq,
) -> Result<EntrySeq, Failure> {
    let output = &mut context.around.output;
    let done = desk.trace(after, wanted.texts, &mut |lines| {
        let line = lines.of(wanted.signal);
        let written = line.map_or(Ok(()), |line| writeln!(output, "{line}"));
        written.map_err(|error| {
            DeskError::NotPossible(format!("the output cannot be written: {error}"))
        })
    })?;
    output.flush().map_err(|error| Failure::output(&error))?;
    Ok(done)
}

fn to_new_file(desk: &Desk, context: &mut Context<'_>, wanted: &Wanted) -> Result<Answer, Failure> {
    let path = Path::new(&wanted.file);
    let failed = |error: std::io::Error| unwritable(&wanted.file, &error);
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let fresh = tempfile::NamedTempFile::new_in(folder.unwrap_or_else(|| Path::new(".")))
        .map_err(failed)?;
    let mut out = std::io::BufWriter::new(fresh);
    let mut count = 0_u64;
    desk.trace(wanted.after, wanted.texts, &mut |lines| {
        let Some(line) = lines.of(wanted.signal) else {
            return Ok(());
        };
        count += 1;
        writeln!(out, "{line}")
            .map_err(|error| DeskError::NotPossible(format!("the file cannot be written: {error}")))
    })?;
    let fresh = out
        .into_inner()
        .map_err(|error| failed(error.into_error()))?;
    fresh
        .persist_noclobber(path)
        .map_err(|error| failed(error.error))?;
    if context.json {
        context.say_json(&json!({ "file": wanted.file, "lines": count }))?;
    } else {
        context.say(&format!(
            "{count} lines in {}",
            crate::text::line(&wanted.file)
        ))?;
    }
    Ok(Answer::Yes)
}

fn follow(desk: &Desk, context: &mut Context<'_>, wanted: &Wanted) -> Result<Answer, Failure> {
    let mut after = wanted.after;
    loop {
        after = if wanted.file == "-" {
            to_output(desk, context, wanted, after)?
        } else {
            let mut text = String::new();
            let mut keep = |lines: &Lines| {
                let line = lines.of(wanted.signal).into_iter();
                text.extend(line.flat_map(|line| [line, "\n"]));
                Ok(())
            };
            let done = desk.trace(after, wanted.texts, &mut keep)?;
            append(Path::new(&wanted.file), &text)
                .map_err(|error| unwritable(&wanted.file, &error))?;
            done
        };
        let seen = desk.changes()?;
        while desk.changes()? == seen && after.0.unsigned_abs() >= seen {
            std::thread::sleep(PAUSE);
        }
    }
}

fn unwritable(file: &str, error: &std::io::Error) -> Failure {
    Failure::usage(
        &format!("`{}`: {error}", crate::text::line(file)),
        "name a new file in a folder that can be written",
    )
}
