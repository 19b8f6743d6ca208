//! `policy backtest`: another policy on the past, beside the one in force.

use crate::cli::Answer;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::policy::policy_of;
use crate::cli::table::table;
use crate::desk::{Backtest, Score};
use clap::ArgMatches;
use serde_json::{Value, json};

pub(in crate::cli) fn run(
    arguments: &ArgMatches,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    let challenger = policy_of(
        arguments
            .get_one::<String>("file")
            .map_or("", String::as_str),
    )?;
    let report = desk.backtest(&challenger)?;
    if context.json {
        context.say_json(&whole(&report))?;
        return Ok(Answer::Yes);
    }
    let rows: Vec<Vec<String>> = report
        .flips
        .iter()
        .map(|flip| {
            let decided = flip
                .decided
                .map_or_else(|| "not yet".to_owned(), |act| act.to_string());
            let rule = flip.rule.clone().unwrap_or_default();
            vec![
                flip.candidate.to_string(),
                flip.incumbent.to_string(),
                flip.challenger.to_string(),
                decided,
                rule,
                flip.claim.clone(),
            ]
        })
        .collect();
    if !rows.is_empty() {
        table(
            context,
            &["ID", "IN FORCE", "OTHER", "PEOPLE", "RULE", "CLAIM"],
            &rows,
        )?;
    }
    context.say(&format!(
        "{} candidates judged again, {} flips, nothing written",
        report.replayed,
        report.flips.len()
    ))?;
    for (name, score) in [
        ("in force", &report.incumbent),
        ("other", &report.challenger),
    ] {
        say_score(context, name, score)?;
    }
    for (id, why) in &report.not_replayed {
        context.say(&format!("not judged again: {id}: {why}"))?;
    }
    Ok(Answer::Yes)
}

/// How a policy stands against what people decided.
pub(in crate::cli) fn say_score(
    context: &mut Context<'_>,
    name: &str,
    score: &Score,
) -> Result<(), Failure> {
    context.say(&format!(
        "{name}: caught {}, wrongly held {}, missed {}, rightly passed {}{}",
        score.caught,
        score.wrongly_held,
        score.missed,
        score.rightly_passed,
        shares(score)
    ))
}

fn shares(score: &Score) -> String {
    let share = |name: &str, value: Option<u64>| {
        value.map_or_else(String::new, |value| format!(", {name} {value} %"))
    };
    share("precision", score.precision()) + &share("recall", score.recall())
}

fn whole(report: &Backtest) -> Value {
    let flips: Vec<Value> = report
        .flips
        .iter()
        .map(|flip| {
            json!({
                "id": flip.candidate, "claim": flip.claim, "incumbent": flip.incumbent, "challenger": flip.challenger,
                "decided": flip.decided, "rule": flip.rule,
            })
        })
        .collect();
    let left: Vec<Value> = report
        .not_replayed
        .iter()
        .map(|(id, why)| json!({ "id": id, "why": why }))
        .collect();
    json!({
        "replayed": report.replayed, "flips": flips, "not_replayed": left,
        "incumbent": report.incumbent, "challenger": report.challenger, "written": 0,
    })
}
