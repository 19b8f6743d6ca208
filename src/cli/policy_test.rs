//! `policy test`: case files that must hold, and labelled rows that are scored.

use crate::cli::Answer;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::policy::policy_of;
use crate::gate::Policy;
use crate::gate::case_file::{Case, SHIPPED, read};
use crate::gate::eval::{Row, Summary};
use clap::ArgMatches;
use serde_json::json;
use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;

/// The longest line of labelled data that is read.
const LONGEST_LINE: u64 = 4 * 1024 * 1024;

/// One case with its outcome.
struct Outcome {
    file: String,
    id: String,
    surprise: Option<String>,
}

pub(in crate::cli) fn run(
    arguments: &ArgMatches,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let policy = match arguments.get_one::<String>("policy") {
        Some(name) => policy_of(name)?,
        None => crate::desk::shipped_policy()?,
    };
    if let Some(files) = arguments.get_many::<String>("data") {
        for file in files {
            score(
                Path::new(file),
                &policy,
                arguments.get_flag("text-only"),
                context,
            )?;
        }
        return Ok(Answer::Yes);
    }
    let outcomes = outcomes(arguments.get_one::<String>("dir"), &policy)?;
    let surprises = outcomes.iter().filter(|one| one.surprise.is_some()).count();
    for one in &outcomes {
        say(one, context)?;
    }
    if let Some(file) = arguments.get_one::<String>("junit") {
        std::fs::write(file, junit(&outcomes)).map_err(|error| {
            Failure::usage(
                &format!("`{}` cannot be written: {error}", crate::text::line(file)),
                "",
            )
        })?;
    }
    if context.json {
        context.say_json(
            &json!({ "cases": outcomes.len(), "surprises": surprises, "policy": policy.hash() }),
        )?;
    } else {
        context.say(&format!(
            "{} cases, {surprises} surprises, policy {}",
            outcomes.len(),
            policy.hash().short()
        ))?;
    }
    Ok(if surprises == 0 {
        Answer::Yes
    } else {
        Answer::No
    })
}

fn outcomes(folder: Option<&String>, policy: &Policy) -> Result<Vec<Outcome>, Failure> {
    let mut files: Vec<(String, String)> = Vec::new();
    match folder {
        None => files.extend(
            SHIPPED
                .iter()
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned())),
        ),
        Some(folder) => collect(Path::new(folder), &mut files)?,
    }
    let mut outcomes = Vec::new();
    for (file, text) in files {
        let cases = read(&text)
            .map_err(|why| Failure::usage(&format!("`{}`: {why}", crate::text::line(&file)), ""))?;
        let outcome = |case: &Case| Outcome {
            file: file.clone(),
            id: case.id.clone(),
            surprise: case.surprise(policy),
        };
        outcomes.extend(cases.iter().map(outcome));
    }
    if outcomes.is_empty() {
        return Err(Failure::usage(
            "there are no cases there",
            "a case file is TOML with [[case]] id, text, verdict",
        ));
    }
    Ok(outcomes)
}

/// Every `.toml` below a folder, in a fixed order.
fn collect(folder: &Path, files: &mut Vec<(String, String)>) -> Result<(), Failure> {
    let unreadable = |path: &Path, error: std::io::Error| {
        Failure::usage(
            &format!(
                "`{}` cannot be read: {error}",
                crate::text::line(&path.display().to_string())
            ),
            "",
        )
    };
    let listed = std::fs::read_dir(folder).map_err(|error| unreadable(folder, error))?;
    let mut paths: Vec<_> = listed
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            let text = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
            files.push((path.display().to_string(), text));
        }
    }
    Ok(())
}

fn say(one: &Outcome, context: &mut Context<'_>) -> Result<(), Failure> {
    if context.json {
        return context.say_json(&json!({ "file": one.file, "case": one.id, "ok": one.surprise.is_none(), "surprise": one.surprise }));
    }
    match &one.surprise {
        None => Ok(()),
        Some(why) => context.say(&format!(
            "{} {}: {}",
            crate::text::line(&one.file),
            crate::text::line(&one.id),
            crate::text::line(why)
        )),
    }
}

fn junit(outcomes: &[Outcome]) -> String {
    let failures = outcomes.iter().filter(|one| one.surprise.is_some()).count();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"policy\" tests=\"{}\" failures=\"{failures}\">\n",
        outcomes.len()
    );
    for one in outcomes {
        let (file, id) = (xml(&one.file), xml(&one.id));
        match &one.surprise {
            None => out.push_str(&format!("  <testcase classname=\"{file}\" name=\"{id}\"/>\n")),
            Some(why) => out.push_str(&format!(
                "  <testcase classname=\"{file}\" name=\"{id}\"><failure message=\"{}\"/></testcase>\n",
                xml(why)
            )),
        }
    }
    out.push_str("</testsuite>\n");
    out
}

fn xml(text: &str) -> String {
    let safe = crate::text::line(text);
    safe.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Answers every row, then sums up. A row that cannot be read is an answer of its own.
fn score(
    path: &Path,
    policy: &Policy,
    text_only: bool,
    context: &mut Context<'_>,
) -> Result<(), Failure> {
    let shown = crate::text::line(&path.display().to_string());
    let unreadable =
        |error: std::io::Error| Failure::usage(&format!("`{shown}` cannot be read: {error}"), "");
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let gzipped = path.extension().is_some_and(|extension| extension == "gz");
    let stream: Box<dyn Read> = if gzipped {
        Box::new(flate2::read::GzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let mut lines = BufReader::new(stream);
    let mut summary = Summary::default();
    let mut number = 0;
    loop {
        let mut line = String::new();
        let read = lines.by_ref().take(LONGEST_LINE).read_line(&mut line);
        if read.map_err(unreadable)? == 0 {
            break;
        }
        number += 1;
        let row = Row::parse(&line).map(|row| if text_only { row.text_only() } else { row });
        let answer = row.and_then(|row| Ok((row.answer(number, policy)?, row)));
        match answer {
            Ok((answer, row)) => {
                summary.add(&row, answer.verdict);
                if context.json {
                    context.say_json(&json!(answer))?;
                }
            }
            Err(why) => context.say_json(&json!({ "row": number, "error": why }))?,
        }
    }
    let sum = json!({ "file": shown, "text_only": text_only, "policy": policy.hash(), "rows": number, "summary": summary });
    if context.json {
        return context.say_json(&sum);
    }
    let all = summary.all;
    context.say(&format!(
        "{shown}: caught {} of {} attacks, {} of {} benign quarantined, {} advisory",
        all.caught, all.attacks, all.benign_quarantined, all.benign, all.benign_advisory
    ))?;
    for (category, tally) in &summary.categories {
        context.say(&format!(
            "  {}: caught {} of {}, {} of {} benign quarantined",
            crate::text::line(category),
            tally.caught,
            tally.attacks,
            tally.benign_quarantined,
            tally.benign
        ))?;
    }
    Ok(())
}
