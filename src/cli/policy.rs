//! `policy`: read it, check one, compare two, try one on cases, on labelled data, on the past.
//!
//! Nothing in this file changes the policy in force; `policy_change` does, at a terminal.

use crate::cli::changes::say_changes;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{
    Answer, Command, policy_backtest, policy_case, policy_change, policy_ready, policy_test,
};
use crate::domain::Layer;
use crate::gate::Policy;
use clap::{Arg, ArgAction, ArgMatches, Command as Clap};
use serde_json::json;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "policy",
    about: "Read the policy, check another, and try it before anybody relies on it",
    define: |command| {
        let file =
            |name: &'static str, help: &'static str| Arg::new(name).required(true).help(help);
        let policy = || {
            Arg::new("policy")
                .long("policy")
                .value_name("FILE|PRESET")
                .help("The policy to try [default: the shipped one]")
        };
        let layer = |help: &'static str| {
            Arg::new("layer")
                .long("layer")
                .value_name("LAYER")
                .help(help)
        };
        command
            .subcommand_required(true)
            .subcommand(Clap::new("show").about("Print the store's policy, or a preset").arg(Arg::new("preset").help("observe, balanced, strict or a file")).arg(layer("Print every value that holds in this layer, and which layer says so")))
            .subcommand(Clap::new("check").about("Read a policy file and say what is wrong with it").arg(file("file", "The policy file")))
            .subcommand(Clap::new("explain").about("Explain a rule, or list them all").arg(Arg::new("rule").help("The rule's id")).arg(layer("Also say how the rule's class is weighed in this layer")))
            .subcommand(
                Clap::new("diff")
                    .about("Compare two policies line by line")
                    .arg(file("a", "A file or preset"))
                    .arg(file("b", "Another")),
            )
            .subcommand(
                Clap::new("test")
                    .about("Run case files, or score labelled rows; exits 1 on any surprise")
                    .arg(Arg::new("dir").help("A folder of case files [default: the shipped cases]"))
                    .arg(Arg::new("data").long("data").value_name("FILE").action(ArgAction::Append).help("Labelled rows, JSON lines, may be gzipped"))
                    .arg(Arg::new("text-only").long("text-only").action(ArgAction::SetTrue).help("Score the words alone: no kind, trust or receipt"))
                    .arg(Arg::new("junit").long("junit").value_name("FILE").help("Also write the outcome as JUnit XML"))
                    .arg(policy()),
            )
            .subcommand(Clap::new("case").about("Print a candidate as a case file").arg(file("id", "The candidate, C-12")))
            .subcommand(
                Clap::new("backtest")
                    .about("Judge every stored candidate under another policy; writes nothing")
                    .arg(file("file", "The policy file or preset")),
            )
            .subcommand(Clap::new("apply").about("Put a policy in force, at a terminal; shows the difference first").arg(file("file", "The policy file or preset")))
            .subcommand(
                Clap::new("shadow")
                    .about("Put a policy beside the one in force, take it away, or report what it said")
                    .arg(Arg::new("file").help("The policy file or preset"))
                    .arg(Arg::new("off").long("off").action(ArgAction::SetTrue).conflicts_with("file").help("Take the shadow away")),
            )
            .subcommand(Clap::new("ready").about("Say which classes that are only observed may be enforced"))
            .after_help(
                "Examples:\n  countersign policy apply mine.toml\n  countersign policy show --layer acme/emea\n  countersign policy test\n  countersign policy test cases/ --policy mine.toml --junit out.xml\n  \
                 countersign policy test --data rows.jsonl --json\n  countersign policy backtest strict --store team.db",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    match arguments.subcommand() {
        Some(("show", arguments)) => show(arguments, context),
        Some(("check", arguments)) => check(arguments, context),
        Some(("explain", arguments)) => explain(arguments, context),
        Some(("diff", arguments)) => diff(arguments, context),
        Some(("test", arguments)) => policy_test::run(arguments, context),
        Some(("case", arguments)) => policy_case::run(arguments, context),
        Some(("apply", arguments)) => policy_change::apply(arguments, context),
        Some(("shadow", arguments)) => policy_change::shadow(arguments, context),
        Some(("ready", _)) => policy_ready::run(context),
        Some((_, arguments)) => policy_backtest::run(arguments, context),
        None => Err(Failure::usage(
            "name what to do with the policy",
            "see `countersign policy --help`",
        )),
    }
}

/// A policy's text by the name of a preset or a file.
pub(in crate::cli) fn text_of(name: &str) -> Result<String, Failure> {
    if let Some((_, text)) = crate::gate::PRESETS
        .iter()
        .find(|(preset, _)| *preset == name)
    {
        return Ok((*text).to_owned());
    }
    let shown = crate::text::line(name);
    std::fs::read_to_string(name).map_err(|error| {
        Failure::usage(
            &format!("`{shown}` cannot be read: {error}"),
            "name a file, or observe, balanced or strict",
        )
    })
}

/// A policy by the name of a preset or a file.
pub(in crate::cli) fn policy_of(name: &str) -> Result<Policy, Failure> {
    let text = text_of(name)?;
    Policy::parse(&text)
        .map_err(|error| Failure::usage(&format!("`{}`: {error}", crate::text::line(name)), ""))
}

fn show(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let policy = match arguments.get_one::<String>("preset") {
        Some(name) => policy_of(name)?,
        None => policy_in_force(context)?,
    };
    if let Some(layer) = arguments.get_one::<String>("layer") {
        return show_layer(&policy, &Layer::parse(layer)?, context);
    }
    if context.json {
        context.say_json(
            &json!({ "name": policy.name(), "hash": policy.hash(), "source": policy.source() }),
        )?;
    } else {
        context.say(&format!(
            "# {} {}",
            crate::text::line(policy.name()),
            policy.hash()
        ))?;
        for line in policy.source().lines() {
            context.say(&crate::text::line(line))?;
        }
    }
    Ok(Answer::Yes)
}

fn show_layer(
    policy: &Policy,
    layer: &Layer,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let settings = policy.settings(layer);
    let from = |setting: &crate::gate::Setting| {
        setting
            .from
            .as_ref()
            .map_or_else(|| "policy".to_owned(), ToString::to_string)
    };
    if context.json {
        for setting in &settings {
            context.say_json(
                &json!({ "key": setting.key, "value": setting.value, "from": from(setting) }),
            )?;
        }
        return Ok(Answer::Yes);
    }
    let rows: Vec<Vec<String>> = settings
        .iter()
        .map(|setting| vec![setting.key.clone(), setting.value.clone(), from(setting)])
        .collect();
    crate::cli::table::table(context, &["KEY", "VALUE", "SAID BY"], &rows)?;
    Ok(Answer::Yes)
}

/// The store's policy; the shipped one where no store was made yet.
fn policy_in_force(context: &Context<'_>) -> Result<Policy, Failure> {
    if !context.store_path()?.exists() {
        return Ok(crate::desk::shipped_policy()?);
    }
    let desk = context.desk()?;
    policy_of_source(desk.policy().source())
}

fn policy_of_source(source: &str) -> Result<Policy, Failure> {
    Policy::parse(source).map_err(|error| Failure::usage(&error.to_string(), ""))
}

fn check(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let file = arguments
        .get_one::<String>("file")
        .map_or("", String::as_str);
    let rules = crate::gate::check_packs()
        .map_err(|error| Failure::usage(&error.to_string(), "a shipped pack is broken"))?;
    let policy = policy_of(file)?;
    if context.json {
        context.say_json(
            &json!({ "ok": true, "name": policy.name(), "hash": policy.hash(), "rules": rules }),
        )?;
    } else {
        let name = crate::text::line(policy.name());
        context.say(&format!(
            "{name} is sound ({}), with {rules} rules whose own examples hold",
            policy.hash().short()
        ))?;
    }
    Ok(Answer::Yes)
}

fn explain(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let wanted = arguments.get_one::<String>("rule");
    let all = crate::gate::rule_list()
        .map_err(|error| Failure::usage(&error.to_string(), "a shipped pack is broken"))?;
    let mut rows = Vec::new();
    for rule in all
        .iter()
        .filter(|rule| wanted.is_none_or(|wanted| *wanted == rule.id))
    {
        if context.json {
            context.say_json(&json!({ "rule": rule.id, "class": rule.class, "why": rule.why }))?;
        }
        rows.push(vec![
            rule.id.clone(),
            rule.class.to_string(),
            rule.why.clone(),
        ]);
    }
    if rows.is_empty() {
        let what = crate::text::line(wanted.map_or("", String::as_str));
        return Err(Failure::usage(
            &format!("there is no rule `{what}`"),
            "list them with `countersign policy explain`",
        ));
    }
    if !context.json {
        crate::cli::table::table(context, &["RULE", "CLASS", "OBJECTS"], &rows)?;
    }
    let layer = arguments
        .get_one::<String>("layer")
        .filter(|_| !context.json);
    if let (Some(layer), Some(class)) = (layer, rows.first().and_then(|row| row.get(1))) {
        let policy = policy_in_force(context)?;
        let (mode, row) = (format!("modes.{class}"), format!(".{class}."));
        for setting in policy.settings(&Layer::parse(layer)?) {
            let weighs = setting.key.starts_with("decision") && setting.key.contains(&row);
            if setting.key == mode || weighs {
                let from = setting
                    .from
                    .map_or_else(|| "policy".to_owned(), |at| at.to_string());
                context.say(&format!("{} = {} ({from})", setting.key, setting.value))?;
            }
        }
    }
    Ok(Answer::Yes)
}

fn diff(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let side = |name: &str| text_of(arguments.get_one::<String>(name).map_or("", String::as_str));
    let (before, after) = (side("a")?, side("b")?);
    let changed = say_changes(context, &before, &after)?;
    Ok(if changed { Answer::No } else { Answer::Yes })
}
