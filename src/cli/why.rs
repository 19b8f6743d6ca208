//! `why`: from a serving or a memory back to the words it rests on, as a tree.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, json};
use crate::desk::view::Why;
use clap::{Arg, ArgMatches};

pub(in crate::cli) const COMMAND: Command = Command {
    name: "why",
    about: "Explain a serving, memory, candidate, pattern or artifact down to its evidence",
    define: |command| {
        command
            .arg(
                Arg::new("id")
                    .required(true)
                    .help("S-12, M-12, C-12, P-12 or artifact:<sha256>"),
            )
            .after_help("Example:\n  countersign why S-12")
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let subject = arguments.get_one::<String>("id").map_or("", String::as_str);
    let desk = context.desk()?;
    let why = desk.why(subject)?;
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

fn draw(why: &Why, first: &str, rest: &str, lines: &mut Vec<String>) {
    lines.push(format!(
        "{first}{} {} · {}",
        why.kind,
        crate::text::line(&why.id),
        crate::text::line(&why.says)
    ));
    for (key, value) in &why.facts {
        lines.push(format!("{rest}    {key}: {}", crate::text::line(value)));
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
