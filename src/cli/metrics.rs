//! `metrics`: how things go, as numbers: each beside the window before and a kept baseline.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::table::{age, table};
use crate::cli::{Answer, Command, places};
use crate::desk::{Baseline, Desk, Figure, Measures, PACE_BARS};
use crate::domain::{Layer, Time};
use clap::{Arg, ArgAction, ArgMatches};
use serde_json::json;
use std::path::PathBuf;

/// How many rules are listed.
const RULES: usize = 10;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "metrics",
    about: "Measure how things go: sources, quarantine, pace, queue, time to say why",
    define: |command| {
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        command
            .arg(option("since", "From this day on: 2026-11-01, or 7d for the last seven days [default: 30d]"))
            .arg(option("layer", "Of this layer and those below it"))
            .arg(
                option("baseline", "Hold the figures against this file [default: your own for this store, where you kept one]")
                    .value_name("FILE")
                    .value_parser(clap::value_parser!(PathBuf)),
            )
            .arg(
                option("save-baseline", "Keep today's figures as the baseline, in that file")
                    .action(ArgAction::SetTrue),
            )
            .after_help(
                "Examples:\n  countersign metrics --since 7d\n  countersign metrics --save-baseline\n  \
                 countersign metrics --json --layer acme/emea --baseline before.json\n\n\
                 There is no score over all of them. Days are UTC days. `faster than reading` compares how long the exact text \
                 was on screen with 30 characters a second; what was decided before this was measured counts as unmeasured.",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    let layer = arguments.get_one::<String>("layer");
    let layer = layer.map(|layer| Layer::parse(layer)).transpose()?;
    let since = arguments.get_one::<String>("since");
    let since = since.map(|text| since_of(text, desk.now())).transpose()?;
    let measures = desk.measures(layer.as_ref(), since)?;
    let named = arguments.get_one::<PathBuf>("baseline").cloned();
    let is_named = named.is_some();
    let file = match named {
        Some(file) => Some(file),
        None => own_baseline(&desk, context)?,
    };
    let save = arguments.get_flag("save-baseline");
    let baseline = match &file {
        Some(file) => Baseline::read(file)?,
        None => None,
    };
    if is_named && !save && baseline.is_none() {
        let file = file.unwrap_or_default();
        let shown = crate::text::line(&file.to_string_lossy());
        return Err(Failure::usage(
            &format!("there is no baseline `{shown}`"),
            "add --save-baseline to keep today's figures there",
        ));
    }
    if context.json {
        context.say_json(&json!({ "measures": measures, "baseline": baseline }))?;
    } else {
        say(&measures, baseline.as_ref(), context)?;
    }
    if save {
        keep(&measures, file, context)?;
    }
    Ok(Answer::Yes)
}

/// A day, or how many days ago.
fn since_of(text: &str, now: Time) -> Result<Time, Failure> {
    if let Some(days) = text.strip_suffix('d').and_then(|n| n.parse::<i64>().ok()) {
        return Ok(now.plus_days(1_i64.saturating_sub(days)));
    }
    Time::parse(text)
        .map_err(|error| Failure::usage(&error.to_string(), "or name a number of days: 7d"))
}

/// Where a person's own baseline of this store is kept, if there is a folder for it.
pub(in crate::cli) fn own_baseline(
    desk: &Desk,
    context: &Context<'_>,
) -> Result<Option<PathBuf>, Failure> {
    let Some(sight) = desk.sight()? else {
        return Ok(None);
    };
    let plain = sight
        .store
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '-');
    Ok(places::config_folder(&context.around.environment)
        .filter(|_| plain)
        .map(|folder| {
            folder
                .join("baseline")
                .join(format!("{}.json", sight.store))
        }))
}

fn keep(
    measures: &Measures,
    file: Option<PathBuf>,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let file = file.ok_or_else(|| {
        Failure::usage(
            "there is no home folder to keep a baseline in",
            "name a file with --baseline FILE",
        )
    })?;
    measures.baseline().write(&file)?;
    let shown = crate::text::line(&file.to_string_lossy());
    context.note(&format!("kept as the baseline in `{shown}`"));
    Ok(())
}

fn say(
    measures: &Measures,
    baseline: Option<&Baseline>,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let layer = measures.layer.as_ref();
    let layer = layer.map_or_else(|| "all layers".to_owned(), ToString::to_string);
    context.say(&format!(
        "{} days since {}, {layer}; before: the {} days before that",
        measures.days,
        measures.since.date(),
        measures.days
    ))?;
    let queue = &measures.queue;
    let oldest = queue.oldest.map_or_else(String::new, |at| {
        format!(", oldest {}", age(measures.until.since(at)))
    });
    context.say(&format!(
        "queue: {} of budget {}{oldest}",
        queue.depth, queue.budget
    ))?;
    if let Some(kept) = baseline {
        let of = kept.layer.as_deref().map(crate::text::line);
        context.say(&format!(
            "baseline: kept {}, {} days, {}",
            crate::text::line(&kept.at),
            kept.days,
            of.as_deref().unwrap_or("all layers")
        ))?;
    }
    context.say("")?;
    figures(measures, baseline, context)?;
    let window = &measures.window;
    let acts: Vec<String> = window
        .decided
        .iter()
        .map(|(act, n)| format!("{act} {n}"))
        .collect();
    if !acts.is_empty() {
        context.say(&format!("\ndecided: {}", acts.join(", ")))?;
    }
    if window.pace.faster_than_reading.of > 0 {
        context.say(&format!(
            "approved after: {}",
            pace_line(&window.pace.histogram)
        ))?;
    }
    if !window.blocked_by.is_empty() {
        context.say("")?;
        let listed = window.blocked_by.iter().take(RULES);
        let rows: Vec<Vec<String>> = listed
            .map(|one| vec![one.n.to_string(), one.rule.clone()])
            .collect();
        table(context, &["HELD", "BY RULE"], &rows)?;
    }
    Ok(())
}

fn figures(
    measures: &Measures,
    baseline: Option<&Baseline>,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let mut heading = vec!["NOW", "BEFORE", "OF", "MEASURE"];
    if baseline.is_some() {
        heading.insert(2, "BASELINE");
    }
    let row = |one: &Figure| {
        let share = one.share.filter(|share| share.of > 0);
        let of = share.map_or_else(String::new, |share| format!("{} of {}", share.n, share.of));
        let mut row = vec![
            value(one.value, one.unit),
            value(measures.before(one.name), one.unit),
            of,
            format!("{} ({})", one.says, one.name),
        ];
        if let Some(kept) = baseline {
            row.insert(2, value(kept.figures.get(one.name).copied(), one.unit));
        }
        row
    };
    let rows: Vec<Vec<String>> = measures.figures.iter().map(row).collect();
    table(context, &heading, &rows)
}

fn value(value: Option<f64>, unit: &str) -> String {
    match (value, unit) {
        (None, _) => "-".to_owned(),
        (Some(n), "candidates") => format!("{n:.0}"),
        (Some(n), _) => format!("{n:.1} {unit}"),
    }
}

fn pace_line(histogram: &[u64]) -> String {
    let ends = PACE_BARS.iter().map(|end| format!("under {end} s"));
    let last = PACE_BARS.last().map(|end| format!("{end} s or more"));
    let bars = ends.chain(last).zip(histogram);
    let words: Vec<String> = bars
        .filter(|(_, n)| **n > 0)
        .map(|(end, n)| format!("{n} {end}"))
        .collect();
    words.join(", ")
}
