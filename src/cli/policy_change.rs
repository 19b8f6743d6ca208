//! `policy apply` and `policy shadow`: a person puts a policy in force, or beside the one in force.

use crate::cli::changes::say_changes;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::policy::{policy_of, text_of};
use crate::cli::policy_backtest::say_score;
use crate::cli::table::table;
use crate::cli::{Answer, confirm, witness};
use crate::desk::ShadowReport;
use crate::domain::Act;
use clap::ArgMatches;
use serde_json::{Value, json};

pub(in crate::cli) fn apply(
    arguments: &ArgMatches,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let file = name(arguments);
    let (text, policy) = (text_of(&file)?, policy_of(&file)?);
    let desk = context.desk()?;
    let presence = confirm::presence(context, &desk, Act::Policy, "policy")?;
    let before = desk.policy();
    if !say_changes(context, before.source(), &text)? {
        context.say("nothing differs")?;
    }
    context.say(&format!(
        "from {} {} to {} {}",
        crate::text::line(before.name()),
        before.hash().short(),
        crate::text::line(policy.name()),
        policy.hash().short()
    ))?;
    if let Some(opinion) = policy.second_opinion() {
        let command = crate::text::line(&opinion.command.join(" "));
        context.say(&format!(
            "every process that proposes to this store will run: {command}"
        ))?;
    }
    confirm::confirm(context, "apply")?;
    let entry = desk.apply_policy(&presence, &text, &before.text_hash())?;
    witness::remember(&desk, context)?;
    let hash = policy.hash();
    if context.json {
        context.say_json(&json!({ "applied": hash, "before": before.hash(), "entry": entry }))?;
    } else {
        context.say(&format!(
            "{} is in force ({}, entry {entry}); what waits keeps its verdict and is judged again when it is approved",
            crate::text::line(policy.name()),
            hash.short()
        ))?;
    }
    Ok(Answer::Yes)
}

pub(in crate::cli) fn shadow(
    arguments: &ArgMatches,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let file = arguments.get_one::<String>("file").cloned();
    if file.is_none() && !arguments.get_flag("off") {
        return report(context);
    }
    let text = file.as_deref().map(text_of).transpose()?;
    let policy = file.as_deref().map(policy_of).transpose()?;
    let desk = context.desk()?;
    let presence = confirm::presence(context, &desk, Act::Policy, "shadow")?;
    let in_force = desk.policy();
    if let Some(text) = &text {
        say_changes(context, in_force.source(), text)?;
    }
    confirm::confirm(context, "shadow")?;
    let entry = desk.set_shadow(&presence, text.as_deref())?;
    witness::remember(&desk, context)?;
    let hash = policy.as_ref().map(crate::gate::Policy::hash);
    if context.json {
        context.say_json(&json!({ "shadow": hash, "entry": entry }))?;
        return Ok(Answer::Yes);
    }
    match policy {
        Some(policy) => context.say(&format!(
            "{} watches every new candidate from now on and changes none ({}, entry {entry})",
            crate::text::line(policy.name()),
            policy.hash().short()
        ))?,
        None => context.say(&format!("the shadow is gone (entry {entry})"))?,
    }
    Ok(Answer::Yes)
}

fn report(context: &mut Context<'_>) -> Result<Answer, Failure> {
    let Some(report) = context.desk()?.shadow_report()? else {
        if context.json {
            context.say_json(&json!({ "shadow": null }))?;
        } else {
            context.say("no policy stands beside the one in force")?;
        }
        return Ok(Answer::No);
    };
    if context.json {
        context.say_json(&whole(&report))?;
        return Ok(Answer::Yes);
    }
    match &report.name {
        Ok(name) => context.say(&format!("shadow {}", crate::text::line(name)))?,
        Err(why) => context.say(&format!(
            "the shadow cannot be read, and changes nothing: {}",
            crate::text::line(why)
        ))?,
    }
    let rows: Vec<Vec<String>> = report
        .flips
        .iter()
        .map(|flip| {
            let decided = flip
                .decided
                .map_or_else(|| "not yet".to_owned(), |act| act.to_string());
            vec![
                flip.candidate.to_string(),
                flip.incumbent.to_string(),
                flip.shadow.to_string(),
                decided,
                flip.rule.clone(),
                flip.claim.clone(),
            ]
        })
        .collect();
    if !rows.is_empty() {
        table(
            context,
            &["ID", "IN FORCE", "SHADOW", "PEOPLE", "RULE", "CLAIM"],
            &rows,
        )?;
    }
    context.say(&format!(
        "{} candidates judged by both, {} flips, no effect on any",
        report.judged,
        report.flips.len()
    ))?;
    say_score(context, "in force", &report.incumbent)?;
    say_score(context, "shadow", &report.challenger)?;
    for (id, why) in &report.failed {
        context.say(&format!(
            "the shadow could not answer on {id}: {}",
            crate::text::line(why)
        ))?;
    }
    Ok(Answer::Yes)
}

fn whole(report: &ShadowReport) -> Value {
    let flips = crate::cli::json::list(&report.flips, |flip| {
        json!({
            "id": flip.candidate, "claim": flip.claim, "incumbent": flip.incumbent, "shadow": flip.shadow,
            "decided": flip.decided, "rule": flip.rule,
        })
    });
    let failed =
        crate::cli::json::list(&report.failed, |(id, why)| json!({ "id": id, "why": why }));
    json!({
        "shadow": report.shadow, "name": report.name.as_ref().ok(), "error": report.name.as_ref().err(),
        "judged": report.judged, "flips": flips, "failed": failed,
        "incumbent": report.incumbent, "challenger": report.challenger,
    })
}

fn name(arguments: &ArgMatches) -> String {
    arguments
        .get_one::<String>("file")
        .cloned()
        .unwrap_or_default()
}
