//! `evidence check`: whether texts support a claim, for one case or for labelled rows.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command};
use crate::domain::Trust;
use crate::evidence::eval::{Row, answer, summary};
use crate::evidence::{Item, Weighing, weigh};
use clap::{Arg, ArgAction, ArgMatches, Command as Clap};
use serde_json::json;

/// The longest file that is read as one source.
const LONGEST: u64 = 1024 * 1024;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "evidence",
    about: "Ask whether texts support a claim, and which words of it nothing backs",
    define: |command| {
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        let check = Clap::new("check")
            .about("Explain one case, or answer every row of a file")
            .arg(option("claim", "The claim").required_unless_present("data"))
            .arg(
                option("source", "A file with what was said; in order of time")
                    .value_name("FILE")
                    .action(ArgAction::Append),
            )
            .arg(
                option("trust", "Where the sources came from")
                    .default_value("tool")
                    .value_parser(Trust::WORDS.to_vec()),
            )
            .arg(
                option("data", "Labelled rows, JSON lines")
                    .value_name("FILE")
                    .conflicts_with("claim"),
            );
        command
            .subcommand_required(true)
            .subcommand(check)
            .after_help(
                "Examples:\n  countersign evidence check --claim \"Refunds take five days\" --source chat.txt --trust authenticated_user\n  \
                 countersign evidence check --data rows.jsonl --json",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let Some((_, arguments)) = arguments.subcommand() else {
        return Err(Failure::usage(
            "name `check`",
            "see `countersign evidence --help`",
        ));
    };
    let text = |name: &str| arguments.get_one::<String>(name).cloned();
    if let Some(file) = text("data") {
        return rows(&file, context);
    }
    let claim = text("claim").unwrap_or_default();
    let trust = Trust::parse(&text("trust").unwrap_or_default())?;
    let files: Vec<String> = arguments
        .get_many::<String>("source")
        .unwrap_or_default()
        .cloned()
        .collect();
    let texts = files
        .iter()
        .map(|file| read(file))
        .collect::<Result<Vec<String>, Failure>>()?;
    let person = trust == Trust::AuthenticatedUser;
    let items: Vec<Item<'_>> = texts
        .iter()
        .map(|text| Item {
            text,
            trust,
            person,
            speaker: None,
        })
        .collect();
    let weighing = weigh(&claim, &items);
    say(context, &claim, &files, &texts, &weighing)?;
    let supported = weighing.answer == crate::evidence::Answer::Supported;
    Ok(if supported { Answer::Yes } else { Answer::No })
}

fn say(
    context: &mut Context<'_>,
    claim: &str,
    files: &[String],
    texts: &[String],
    weighing: &Weighing,
) -> Result<(), Failure> {
    let words: Vec<&str> = weighing
        .unsupported_words
        .iter()
        .filter_map(|range| claim.get(range.clone()))
        .collect();
    let quote = |(item, range): &(usize, std::ops::Range<usize>)| {
        let text = texts
            .get(*item)
            .and_then(|text| text.get(range.clone()))
            .unwrap_or_default();
        (
            files.get(*item).cloned().unwrap_or_default(),
            text.to_owned(),
        )
    };
    let supporting: Vec<_> = weighing.supporting.iter().map(quote).collect();
    let contradicting: Vec<_> = weighing.contradicting.iter().map(quote).collect();
    if context.json {
        let list = |quotes: &[(String, String)]| -> Vec<serde_json::Value> {
            quotes
                .iter()
                .map(|(file, text)| json!({ "source": file, "text": text }))
                .collect()
        };
        return context.say_json(&json!({
            "answer": weighing.answer.word(), "because": weighing.because, "unsupported_words": words,
            "supporting": list(&supporting), "contradicting": list(&contradicting),
        }));
    }
    context.say(&format!(
        "{}: {}",
        weighing.answer.word(),
        crate::text::line(&weighing.because)
    ))?;
    for word in words {
        context.say(&format!("  nothing backs \"{}\"", crate::text::line(word)))?;
    }
    for (mark, quotes) in [("backs", supporting), ("denies", contradicting)] {
        for (file, text) in quotes {
            context.say(&format!(
                "  {mark} it: {} \"{}\"",
                crate::text::line(&file),
                crate::text::line(&text)
            ))?;
        }
    }
    Ok(())
}

fn rows(file: &str, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
    let mut answered = Vec::new();
    for (number, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let row: Row = serde_json::from_str(line).map_err(|error| {
            let shown = crate::text::line(file);
            Failure::usage(
                &format!("`{shown}` line {}: {error}", number + 1),
                "a row holds claim and evidence",
            )
        })?;
        let found = answer(&row);
        if context.json {
            context.say_json(&json!(found))?;
        }
        answered.push((row, found));
    }
    let sum = summary(answered.iter().map(|(row, found)| (row, found)));
    if context.json {
        context.say_json(&json!(sum))?;
    } else {
        context.say(&format!(
            "{} labelled rows, accuracy {:.2}",
            sum.n, sum.accuracy
        ))?;
        for (label, answers) in &sum.confusion {
            let counts: Vec<String> = answers
                .iter()
                .map(|(answer, n)| format!("{n} {answer}"))
                .collect();
            context.say(&format!(
                "  {}: {}",
                crate::text::line(label),
                counts.join(", ")
            ))?;
        }
    }
    Ok(Answer::Yes)
}

fn read(file: &str) -> Result<String, Failure> {
    let length = std::fs::metadata(file)
        .map_err(|error| unreadable(file, &error))?
        .len();
    if length > LONGEST {
        let shown = crate::text::line(file);
        return Err(Failure::usage(
            &format!("`{shown}` is longer than 1 MiB"),
            "name the part that speaks of the claim",
        ));
    }
    std::fs::read_to_string(file).map_err(|error| unreadable(file, &error))
}

fn unreadable(file: &str, error: &std::io::Error) -> Failure {
    Failure::usage(
        &format!("`{}` cannot be read: {error}", crate::text::line(file)),
        "name a file of text",
    )
}
