//! What `ingest` says of a file: what was new, what compaction summaries claim, what was wrong.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::ingest_files::Chosen;
use crate::desk::{IngestReport, Standing, SummaryReport};
use serde_json::json;

/// How long a file is before its progress is shown.
const LONG: u64 = 4 * 1024 * 1024;
/// How many claims of summaries are shown to a person; `--json` lists more.
const SHOWN: usize = 12;

/// What all files together gave.
#[derive(Debug, Default)]
pub(in crate::cli) struct Totals {
    files: u64,
    known: u64,
    observed: u64,
    duplicates: u64,
    candidates: u64,
    problems: u64,
    dry_run: bool,
}

impl Totals {
    pub(in crate::cli) fn add(&mut self, report: &IngestReport) {
        self.files += 1;
        self.known += u64::from(report.known);
        self.observed += report.observed;
        self.duplicates += report.duplicates;
        self.candidates += report.candidates;
        self.problems += report.problem_count;
        self.dry_run |= report.dry_run;
    }
}

/// A bar where a terminal watches a long file, nothing where none does.
pub(in crate::cli) fn bar(
    context: &Context<'_>,
    length: u64,
    name: &str,
) -> indicatif::ProgressBar {
    if context.json || !context.around.caller.output_is_terminal || length < LONG {
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

/// Whether there is anything to say of a file that is being watched.
pub(in crate::cli) fn is_news(report: &IngestReport) -> bool {
    report.records > 0 || report.problem_count > 0
}

/// What became of one file.
pub(in crate::cli) fn report(
    context: &mut Context<'_>,
    file: &str,
    report: &IngestReport,
) -> Result<(), Failure> {
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
    let from = if report.from > 0 && !report.known {
        format!(", from byte {}", report.from)
    } else {
        String::new()
    };
    let messages: Vec<String> = report
        .messages
        .iter()
        .map(|(speaker, count)| format!("{count} {speaker}"))
        .collect();
    let messages = if messages.is_empty() {
        "no messages".to_owned()
    } else {
        messages.join(", ")
    };
    context.say(&format!(
        "{}: {} ({} records; {messages}){from}{known}",
        crate::text::line(file),
        report.format,
        report.records,
    ))?;
    let would = if report.dry_run { "would be " } else { "" };
    context.say(&format!(
        "  {} {would}observed, {} known already, {} candidates",
        report.observed, report.duplicates, report.candidates
    ))?;
    for summary in &report.summaries {
        say_summary(context, summary)?;
    }
    for (kind, count) in &report.unknown {
        context.say(&format!(
            "  {count} records of unknown type `{}`: kept as evidence",
            crate::text::line(kind)
        ))?;
    }
    problems(context, report);
    Ok(())
}

fn say_summary(context: &mut Context<'_>, summary: &SummaryReport) -> Result<(), Failure> {
    context.say(&format!(
        "  compaction summary at byte {} ({}): a model's words",
        summary.offset,
        summary.artifact.get(..17).unwrap_or(&summary.artifact)
    ))?;
    for claim in summary.claims.iter().take(SHOWN) {
        let standing = match claim.standing {
            Standing::Supported => "supported",
            Standing::Overstated => "overstated",
            Standing::Contradicted => "contradicted",
            Standing::Unsupported => "nobody said",
        };
        let said: Vec<String> = claim
            .sources
            .iter()
            .map(|source| format!("{} at byte {}", source.speaker, source.offset))
            .collect();
        let said = if said.is_empty() {
            String::new()
        } else {
            format!(" ({})", said.join(", "))
        };
        let text = crate::text::line(&claim.text);
        context.say(&format!("    {standing:<12} {text}{said}"))?;
    }
    let more = summary.claims.len().saturating_sub(SHOWN);
    if more > 0 {
        context.say(&format!("    and {more} more; --json lists them"))?;
    }
    Ok(())
}

fn problems(context: &mut Context<'_>, report: &IngestReport) {
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
}

/// What all files together gave, where there was more than one.
pub(in crate::cli) fn totals(context: &mut Context<'_>, totals: &Totals) -> Result<(), Failure> {
    if context.json || totals.files < 2 {
        return Ok(());
    }
    let would = if totals.dry_run { "would be " } else { "" };
    context.say(&format!(
        "{} files, {} of them ingested before: {} {would}observed, {} known already, {} candidates, {} problems",
        totals.files,
        totals.known,
        totals.observed,
        totals.duplicates,
        totals.candidates,
        totals.problems
    ))
}

/// What of a folder was left out.
pub(in crate::cli) fn left_out(context: &mut Context<'_>, chosen: &Chosen) {
    if chosen.left_out > 0 {
        context.note(&format!(
            "{} files of no known format are left out; name them, or give --format",
            chosen.left_out
        ));
    }
}

/// Names a file that cannot be read; the others go on.
pub(in crate::cli) fn unreadable(context: &mut Context<'_>, file: &str, why: &str) {
    let what = format!("`{}` cannot be read: {why}", crate::text::line(file));
    Failure::usage(
        &what,
        "name a file that you may read; the others were ingested",
    )
    .print(context);
}
