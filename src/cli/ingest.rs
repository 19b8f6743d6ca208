//! `ingest`: transcripts and observation files become evidence, observations and candidates.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::ingest_files::{self, Chosen};
use crate::cli::ingest_say::{self, Totals};
use crate::cli::{Answer, Command};
use crate::desk::{Desk, IngestOptions, IngestReport, IngestRequest};
use crate::domain::{Layer, Project, SessionId, Time, UserId};
use crate::transcript::Format;
use clap::{Arg, ArgAction, ArgMatches};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often a stop is looked for while nothing happens.
const BLINK: Duration = Duration::from_millis(50);

pub(in crate::cli) const COMMAND: Command = Command {
    name: "ingest",
    about: "Bring in transcripts and observation files; the same file again adds nothing",
    define: |command| {
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        let flag =
            |name: &'static str, help: &'static str| option(name, help).action(ArgAction::SetTrue);
        let formats: Vec<&str> = crate::transcript::FORMATS
            .iter()
            .map(|format| format.name)
            .collect();
        let known: Vec<String> = crate::transcript::FORMATS
            .iter()
            .map(|format| format!("  {:<17} {}", format.name, format.about))
            .collect();
        command
            .arg(Arg::new("files").value_name("FILE").action(ArgAction::Append).required(true).help("Files, or folders of them: of a folder, what is recognised by its content"))
            .arg(option("layer", "The layer they belong to").required(true))
            .arg(option("user", "Whose conversations they are").required(true))
            .arg(option("project", "The project, where it matters"))
            .arg(option("session", "The session, where the file does not say [default: the file's name]"))
            .arg(option("at", "When it was said, where the file does not say [default: now]"))
            .arg(option("format", "The format, where it is not to be recognised").value_parser(formats))
            .arg(flag("dry-run", "Say what would be new; write nothing"))
            .arg(flag("watch", "Go on with what is added to the files, until stopped").conflicts_with("dry-run"))
            .arg(option("every", "With --watch, look every so many seconds").default_value("2").value_parser(clap::value_parser!(u64).range(1..=3600)))
            .arg(flag("propose-summaries", "Propose what compaction summaries claim; each claim goes through the gate"))
            .arg(flag("typed", "Vouch that the user typed what the format calls the user's, where the format cannot tell (aider)"))
            .after_help(format!(
                "Formats, known by their content:\n{}\n\n\
                 Of a conversation only a person's own words are observed; the rest is kept as evidence.\n\
                 A file that has grown is read on from where it was left.\n\n\
                 Examples:\n  countersign ingest --layer acme/emea --user u-17 ~/.claude/projects\n  \
                 countersign ingest --layer acme/emea --user u-17 --watch ~/.codex/sessions\n  \
                 countersign ingest --layer acme/emea --user u-17 --dry-run .aider.chat.history.md",
                known.join("\n")
            ))
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let job = Job::read(arguments)?;
    let desk = context.desk()?;
    let paths: Vec<&String> = arguments.get_many("files").unwrap_or_default().collect();
    if job.watch {
        return watch(&desk, context, &job, &paths, arguments);
    }
    let mut totals = Totals::default();
    let mut failed = false;
    for path in paths {
        let chosen = match ingest_files::choose(Path::new(path), job.format.is_some()) {
            Ok(chosen) => chosen,
            Err(why) => {
                failed = true;
                ingest_say::unreadable(context, path, &why);
                continue;
            }
        };
        ingest_say::left_out(context, &chosen);
        for file in &chosen.files {
            match ingest(&desk, context, &job, file) {
                Ok(report) => {
                    totals.add(&report);
                    ingest_say::report(context, &file.display().to_string(), &report)?;
                }
                Err(Unreadable::Act(failure)) => return Err(failure),
                Err(Unreadable::File(why)) => {
                    failed = true;
                    ingest_say::unreadable(context, &file.display().to_string(), &why);
                }
            }
        }
    }
    ingest_say::totals(context, &totals)?;
    Ok(if failed {
        Answer::BadLines
    } else {
        Answer::Yes
    })
}

/// What was asked for, parsed.
struct Job {
    layer: Layer,
    user: UserId,
    project: Option<Project>,
    session: Option<SessionId>,
    format: Option<&'static Format>,
    watch: bool,
    options: IngestOptions,
}

impl Job {
    fn read(arguments: &ArgMatches) -> Result<Self, Failure> {
        let text = |name: &str| arguments.get_one::<String>(name).cloned();
        let at = text("at").map(|at| Time::parse(&at)).transpose();
        let at = at.map_err(|error| {
            Failure::usage(
                &error.to_string(),
                "write a time such as 2026-12-01T09:00:00Z, or a day",
            )
        })?;
        let watch = arguments.get_flag("watch");
        Ok(Self {
            layer: Layer::parse(&text("layer").unwrap_or_default())?,
            user: UserId::parse(&text("user").unwrap_or_default())?,
            project: text("project")
                .map(|name| Project::parse(&name))
                .transpose()?,
            session: text("session")
                .map(|name| SessionId::parse(&name))
                .transpose()?,
            format: text("format").and_then(|name| crate::transcript::named(&name)),
            watch,
            options: IngestOptions {
                path: None,
                dry_run: arguments.get_flag("dry-run"),
                growing: watch,
                propose_summaries: arguments.get_flag("propose-summaries"),
                vouched: arguments.get_flag("typed"),
                at,
            },
        })
    }
}

enum Unreadable {
    File(String),
    Act(Failure),
}

fn ingest(
    desk: &Desk,
    context: &Context<'_>,
    job: &Job,
    path: &Path,
) -> Result<IngestReport, Unreadable> {
    let unreadable = |error: std::io::Error| Unreadable::File(error.to_string());
    let (mut file, is_named) = ingest_files::open(path).map_err(unreadable)?;
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
    let session = job
        .session
        .clone()
        .map_or_else(|| SessionId::parse(&stem), Ok);
    let bar = ingest_say::bar(context, length, &name);
    let mut progress = |read: u64| bar.set_position(read);
    let request = IngestRequest {
        title: name,
        layer: job.layer.clone(),
        project: job.project.clone(),
        user: job.user.clone(),
        session: session.map_err(|error| Unreadable::Act(error.into()))?,
        format: job.format,
        progress: Some(&mut progress),
    };
    let mut options = job.options.clone();
    options.path = is_named.then(|| ingest_files::whole_name(path));
    let report = desk
        .ingest_with(&mut file, request, &options)
        .map_err(|error| Unreadable::Act(error.into()));
    bar.finish_and_clear();
    report
}

/// Goes on with what is added, until a signal says to stop; what was said by then is in the store.
fn watch(
    desk: &Desk,
    context: &mut Context<'_>,
    job: &Job,
    paths: &[&String],
    arguments: &ArgMatches,
) -> Result<Answer, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in signal_hook::consts::TERM_SIGNALS {
        // Where a signal cannot be listened to, it ends the process: every batch is whole.
        let _ = signal_hook::flag::register(*signal, Arc::clone(&stop));
    }
    let every = Duration::from_secs(*arguments.get_one::<u64>("every").unwrap_or(&2));
    let mut seen = ingest_files::Seen::default();
    let mut totals = Totals::default();
    context.note("watching; stop with Ctrl-C");
    while !stop.load(Ordering::Relaxed) {
        for path in paths {
            let chosen = ingest_files::choose(Path::new(path), job.format.is_some());
            let chosen: Chosen = chosen.unwrap_or_default();
            for file in chosen.files {
                if stop.load(Ordering::Relaxed) || !seen.has_changed(&file) {
                    continue;
                }
                let name = file.display().to_string();
                match ingest(desk, context, job, &file) {
                    Ok(report) if ingest_say::is_news(&report) => {
                        totals.add(&report);
                        ingest_say::report(context, &name, &report)?;
                    }
                    Ok(_) => {}
                    Err(Unreadable::Act(failure)) => return Err(failure),
                    Err(Unreadable::File(why)) => ingest_say::unreadable(context, &name, &why),
                }
            }
        }
        let mut waited = Duration::ZERO;
        while waited < every && !stop.load(Ordering::Relaxed) {
            std::thread::sleep(BLINK);
            waited += BLINK;
        }
    }
    ingest_say::totals(context, &totals)?;
    context.note("stopped");
    Ok(Answer::Yes)
}
