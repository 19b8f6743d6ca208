//! `ingest`: transcripts and observation files become evidence, observations and candidates.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command};
use crate::desk::{Desk, IngestReport, IngestRequest};
use crate::domain::{Layer, Project, SessionId, UserId};
use crate::transcript::Format;
use clap::{Arg, ArgAction, ArgMatches};
use serde_json::json;
use std::path::Path;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "ingest",
    about: "Bring in transcripts and observation files; the same file again adds nothing",
    define: |command| {
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        let formats: Vec<&str> = crate::transcript::FORMATS
            .iter()
            .map(|format| format.name)
            .collect();
        command
            .arg(Arg::new("files").value_name("FILE").action(ArgAction::Append).required(true).help("The files"))
            .arg(option("layer", "The layer they belong to").required(true))
            .arg(option("user", "Whose conversations they are").required(true))
            .arg(option("project", "The project, where it matters"))
            .arg(option("session", "The session, where the file does not say [default: the file's name]"))
            .arg(option("format", "The format, where it is not to be recognised").value_parser(formats))
            .after_help("Example:\n  countersign ingest --layer acme/emea --user u-17 ~/.claude/projects/*/*.jsonl")
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    let text = |name: &str| arguments.get_one::<String>(name).cloned();
    let common = Common {
        layer: Layer::parse(&text("layer").unwrap_or_default())?,
        user: UserId::parse(&text("user").unwrap_or_default())?,
        project: text("project")
            .map(|name| Project::parse(&name))
            .transpose()?,
        session: text("session")
            .map(|name| SessionId::parse(&name))
            .transpose()?,
        format: text("format").and_then(|name| crate::transcript::named(&name)),
    };
    let mut failed = false;
    for file in arguments.get_many::<String>("files").unwrap_or_default() {
        match ingest(&desk, context, &common, Path::new(file)) {
            Ok(report) => say(context, file, &report)?,
            Err(Unreadable::Act(failure)) => return Err(failure),
            Err(Unreadable::File(why)) => {
                failed = true;
                say_unreadable(context, file, &why);
            }
        }
    }
    Ok(if failed {
        Answer::BadLines
    } else {
        Answer::Yes
    })
}

struct Common {
    layer: Layer,
    user: UserId,
    project: Option<Project>,
    session: Option<SessionId>,
    format: Option<&'static Format>,
}

enum Unreadable {
    File(String),
    Act(Failure),
}

fn ingest(
    desk: &Desk,
    context: &Context<'_>,
    common: &Common,
    path: &Path,
) -> Result<IngestReport, Unreadable> {
    let unreadable = |error: std::io::Error| Unreadable::File(error.to_string());
    let mut file = std::fs::File::open(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let stem = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let session = common
        .session
        .clone()
        .map_or_else(|| SessionId::parse(&stem), Ok);
    let bar = progress_bar(context, length, &name);
    let mut progress = |read: u64| bar.set_position(read);
    let request = IngestRequest {
        title: name,
        layer: common.layer.clone(),
        project: common.project.clone(),
        user: common.user.clone(),
        session: session.map_err(|error| Unreadable::Act(error.into()))?,
        format: common.format,
        progress: Some(&mut progress),
    };
    let report = desk
        .ingest(&mut file, request)
        .map_err(|error| Unreadable::Act(error.into()));
    bar.finish_and_clear();
    report
}

/// A bar where a terminal watches, nothing where none does.
fn progress_bar(context: &Context<'_>, length: u64, name: &str) -> indicatif::ProgressBar {
    if context.json || !context.around.caller.output_is_terminal {
        return indicatif::ProgressBar::hidden();
    }
    let style = indicatif::ProgressStyle::with_template(
        "{msg} {bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
    );
    let bar = indicatif::ProgressBar::new(length).with_message(crate::text::line_within(name, 30));
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn say(context: &mut Context<'_>, file: &str, report: &IngestReport) -> Result<(), Failure> {
    if context.json {
        let mut object = json!(report);
        if let Some(map) = object.as_object_mut() {
            map.insert("file".to_owned(), json!(file));
        }
        return context.say_json(&object);
    }
    let known = if report.known {
        ", ingested before"
    } else {
        ""
    };
    let messages: Vec<String> = report
        .messages
        .iter()
        .map(|(speaker, count)| format!("{count} {speaker}"))
        .collect();
    context.say(&format!(
        "{}: {} ({} records; {}){known}",
        crate::text::line(file),
        report.format,
        report.records,
        messages.join(", ")
    ))?;
    context.say(&format!(
        "  {} observed, {} known already, {} candidates",
        report.observed, report.duplicates, report.candidates
    ))?;
    for (kind, count) in &report.unknown {
        context.say(&format!(
            "  {count} records of unknown type `{}`: kept as evidence",
            crate::text::line(kind)
        ))?;
    }
    for problem in &report.problems {
        context.note(&format!(
            "  line {} (byte {}): {}",
            problem.line,
            problem.offset,
            crate::text::line(&problem.what)
        ));
    }
    let unlisted = report
        .problem_count
        .saturating_sub(report.problems.len() as u64);
    if unlisted > 0 {
        context.note(&format!("  and {unlisted} more"));
    }
    Ok(())
}

fn say_unreadable(context: &mut Context<'_>, file: &str, why: &str) {
    let what = format!("`{}` cannot be read: {why}", crate::text::line(file));
    Failure::usage(
        &what,
        "name a file that you may read; the others were ingested",
    )
    .print(context);
}
