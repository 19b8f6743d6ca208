//! `propose`: writes candidates for people to decide on, from arguments or lines of JSON.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::observe::{next_line, say_bad};
use crate::cli::{Answer, Command, json};
use crate::desk::{BadLine, Desk, DeskError, ProposalAnswer, read_proposal};
use crate::domain::TraceParent;
use clap::{Arg, ArgAction, ArgMatches};
use serde_json::{Map, Value, json};

pub(in crate::cli) const COMMAND: Command = Command {
    name: "propose",
    about: "Propose a memory: one claim, or one JSON object a line from standard input",
    define: |command| {
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        command
            .arg(Arg::new("claim").help("The claim; without it, JSON lines are read from standard input"))
            .arg(option("layer", "Where it would hold"))
            .arg(option("project", "The project it holds in only"))
            .arg(option("session", "The session it holds in only"))
            .arg(option("kind", "observed_fact, user_preference, inference or task_state"))
            .arg(option("source", "artifact:<sha256>[#start-end] or session:<id>; may be given again").action(ArgAction::Append))
            .arg(option("source-trust", "Lowers the trust that the sources give"))
            .arg(option("expires-at", "When it ends [default: the longest its influence allows]"))
            .arg(option("confidence", "How sure, from 0 to 1"))
            .arg(option("proposer", "Who proposes it"))
            .arg(option("traceparent", "The trace this proposal is part of [default: TRACEPARENT]"))
            .arg(option("key", "Makes a retry count nothing twice"))
            .after_help(
                "Examples:\n  countersign propose --layer acme/emea --kind observed_fact --source session:5d0e \"Refunds take five working days\"\n  \
                 countersign propose --json < candidates.jsonl\n\n\
                 Each line: {\"claim\",\"kind\",\"source_refs\":[..],\"source_trust\"?,\"scope\":{\"layer\",\"project\"?,\"session\"?},\
                 \"expires_at\"?,\"confidence\"?,\"proposer\"?,\"key\"?}",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    let trace = context.traceparent(arguments.get_one("traceparent"))?;
    if arguments.get_one::<String>("claim").is_some() {
        let line = line_of(arguments)?.to_string();
        let answer =
            propose(&desk, &line, trace)?.map_err(|bad| Failure::usage(&bad.error, &bad.hint))?;
        say(context, &answer)?;
        return Ok(Answer::Yes);
    }
    let mut number = 0;
    let mut bad_lines = false;
    while let Some(line) = next_line(context.around.input, &mut number) {
        let answer = match line {
            Ok(line) if line.trim().is_empty() => continue,
            Ok(line) => propose(&desk, line.trim(), trace)?,
            Err(bad) => Err(bad),
        };
        match answer {
            Ok(answer) => say(context, &answer)?,
            Err(bad) => {
                bad_lines = true;
                refuse(
                    context,
                    &BadLine {
                        line: number,
                        ..bad
                    },
                )?;
            }
        }
    }
    Ok(if bad_lines {
        Answer::BadLines
    } else {
        Answer::Yes
    })
}

/// One line; what is wrong with the line is an answer, what is wrong with the store a failure.
fn propose(
    desk: &Desk,
    line: &str,
    trace: Option<TraceParent>,
) -> Result<Result<ProposalAnswer, BadLine>, Failure> {
    let proposal = match read_proposal(line) {
        Ok(proposal) => proposal,
        Err(bad) => return Ok(Err(bad)),
    };
    match desk.propose_in(proposal, trace) {
        Ok(answer) => Ok(Ok(answer)),
        Err(DeskError::BadInput { what, hint }) => Ok(Err(BadLine {
            error: what,
            line: 0,
            hint,
        })),
        Err(error) => Err(error.into()),
    }
}

fn say(context: &mut Context<'_>, answer: &ProposalAnswer) -> Result<(), Failure> {
    if context.json {
        return context.say_json(&json::proposal(answer));
    }
    context.say(&format!(
        "{} {} ({}, influence {})",
        answer.id,
        answer.status.as_str(),
        answer.verdict,
        answer.influence
    ))?;
    for finding in &answer.findings {
        context.say(&format!(
            "  {} {}: {}",
            finding.severity,
            finding.rule,
            crate::text::line(&finding.message)
        ))?;
    }
    Ok(())
}

fn refuse(context: &mut Context<'_>, bad: &BadLine) -> Result<(), Failure> {
    if context.json {
        return context.say_json(&json!(bad));
    }
    say_bad(context, bad);
    Ok(())
}

/// The arguments as the JSON line that would say the same, so that both ways are read alike.
fn line_of(arguments: &ArgMatches) -> Result<Value, Failure> {
    let get = |name: &str| arguments.get_one::<String>(name).cloned();
    let mut line = Map::new();
    let plain = [
        ("claim", "claim"),
        ("kind", "kind"),
        ("source-trust", "source_trust"),
        ("expires-at", "expires_at"),
        ("proposer", "proposer"),
        ("key", "key"),
    ];
    for (argument, field) in plain {
        if let Some(value) = get(argument) {
            line.insert(field.to_owned(), json!(value));
        }
    }
    if let Some(text) = get("confidence") {
        let number: f64 = text
            .parse()
            .map_err(|_| Failure::usage("`--confidence` is not a number", "for instance 0.8"))?;
        line.insert("confidence".to_owned(), json!(number));
    }
    let sources: Vec<&String> = arguments
        .get_many::<String>("source")
        .unwrap_or_default()
        .collect();
    line.insert("source_refs".to_owned(), json!(sources));
    let mut scope = Map::new();
    for name in ["layer", "project", "session"] {
        if let Some(value) = get(name) {
            scope.insert(name.to_owned(), json!(value));
        }
    }
    line.insert("scope".to_owned(), Value::Object(scope));
    Ok(Value::Object(line))
}
