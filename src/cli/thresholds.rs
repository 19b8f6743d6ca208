//! `detect thresholds`: what is asked of a pattern, what other numbers would do, and setting them.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::table::table;
use crate::cli::{Answer, confirm, witness};
use crate::desk::{Desk, WhatIfTable};
use crate::domain::Act;
use crate::domain::Layer;
use crate::domain::threshold::ThresholdSet;
use clap::{Arg, ArgAction, ArgMatches, Command as Clap};
use serde_json::json;

pub(in crate::cli) fn definition() -> Clap {
    Clap::new("thresholds")
        .about("What is asked of a pattern; what other numbers would do; set them, at a terminal")
        .arg(Arg::new("layer").long("layer").value_name("LAYER").help("Of this layer and those below it"))
        .arg(
            Arg::new("what-if")
                .long("what-if")
                .action(ArgAction::SetTrue)
                .help("How many candidates each pair of users and sessions would give, now and in the last weeks"),
        )
        .arg(
            Arg::new("budget")
                .long("budget")
                .value_name("N")
                .value_parser(clap::value_parser!(u64))
                .conflicts_with_all(["what-if", "set"])
                .help("Propose thresholds that keep the candidates within N"),
        )
        .arg(
            Arg::new("set")
                .long("set")
                .value_name("users=4,sessions=7")
                .conflicts_with("what-if")
                .help("Set users, sessions, days, window (days; 0 for all time)"),
        )
}

pub(in crate::cli) fn run(
    desk: &Desk,
    arguments: &ArgMatches,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let layer = arguments.get_one::<String>("layer");
    let layer = layer.map(|layer| Layer::parse(layer)).transpose()?;
    if let Some(text) = arguments.get_one::<String>("set") {
        return set(desk, layer, text, context);
    }
    if let Some(most) = arguments.get_one::<u64>("budget") {
        return propose(desk, layer.as_ref(), *most, context);
    }
    if arguments.get_flag("what-if") {
        let found = desk.what_if(layer.as_ref())?;
        if context.json {
            context.say_json(&json!(found))?;
        } else {
            grid(&found, context)?;
        }
        return Ok(Answer::Yes);
    }
    let (now, set) = desk.thresholds(layer.as_ref())?;
    if context.json {
        context.say_json(&json!({ "now": now, "set": set }))?;
        return Ok(Answer::Yes);
    }
    context.say(&format!("in force: {now}"))?;
    for one in &set {
        let layer = one.layer_text();
        let layer = if layer.is_empty() {
            "all layers"
        } else {
            &layer
        };
        context.say(&format!("set for {layer}: {one}"))?;
    }
    Ok(Answer::Yes)
}

fn set(
    desk: &Desk,
    layer: Option<Layer>,
    text: &str,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let (now, _) = desk.thresholds(layer.as_ref())?;
    let new = read(text, &now, layer)?;
    let presence = confirm::presence(context, desk, Act::Thresholds, "thresholds")?;
    let least = new.least;
    let would = desk.what_if_at(&new)?;
    context.say(&format!("now:  {now}"))?;
    context.say(&format!("then: {new}"))?;
    context.say(&format!(
        "{} patterns pass {} users, {} sessions and {} days",
        would, least.users, least.sessions, least.days
    ))?;
    confirm::confirm(context, "set them")?;
    let entry = desk.set_thresholds(&presence, new.clone())?;
    witness::remember(desk, context)?;
    if context.json {
        context.say_json(&json!({ "act": "thresholds", "set": new, "entry": entry }))?;
    } else {
        context.say(&format!("{new} is asked from now on ({entry})"))?;
    }
    Ok(Answer::Yes)
}

/// `users=4,sessions=7`; what is not named stays as it is.
fn read(text: &str, now: &ThresholdSet, layer: Option<Layer>) -> Result<ThresholdSet, Failure> {
    let bad = |what: String| Failure::usage(&what, "write for instance users=4,sessions=7");
    let mut new = ThresholdSet {
        layer,
        ..now.clone()
    };
    for part in text.split(',') {
        let shown = crate::text::line(part);
        let (name, value) = part
            .split_once('=')
            .ok_or_else(|| bad(format!("`{shown}` is not name=number")))?;
        let number: u32 = value
            .trim()
            .parse()
            .map_err(|_| bad(format!("`{shown}` has no number")))?;
        let slot = match name.trim() {
            "users" => &mut new.least.users,
            "sessions" => &mut new.least.sessions,
            "days" => &mut new.least.days,
            "window" => &mut new.window,
            _ => {
                return Err(bad(format!(
                    "`{shown}` is none of users, sessions, days, window"
                )));
            }
        };
        *slot = number;
    }
    Ok(new)
}

fn propose(
    desk: &Desk,
    layer: Option<&Layer>,
    most: u64,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let found = desk.budget(layer, most)?;
    if context.json {
        context.say_json(&json!(found))?;
    } else {
        match &found.proposed {
            None => context.say(&format!(
                "no thresholds keep {} candidates within {most}",
                found.instead_of
            ))?,
            Some(new) => {
                let least = new.least;
                context.say(&format!(
                    "users {}, sessions {}, days {}: {} instead of {}",
                    least.users, least.sessions, least.days, found.candidates, found.instead_of
                ))?;
                context.say(&format!(
                    "nothing was set; `countersign detect thresholds --set users={},sessions={}` sets them",
                    least.users, least.sessions
                ))?;
            }
        }
    }
    Ok(if found.proposed.is_some() {
        Answer::Yes
    } else {
        Answer::No
    })
}

/// The table as a person reads it: users down, sessions across; `[ ]` is now, `+` fits the budget.
fn grid(found: &WhatIfTable, context: &mut Context<'_>) -> Result<(), Failure> {
    let least = found.now.least;
    let mut columns: Vec<u32> = found.table.iter().map(|cell| cell.sessions).collect();
    columns.sort_unstable();
    columns.dedup();
    let mut head = vec!["USERS \\ SESSIONS".to_owned()];
    head.extend(columns.iter().map(|n| format!(">= {n}")));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for cells in found.table.chunk_by(|one, other| one.users == other.users) {
        let users = cells.first().map_or(0, |cell| cell.users);
        let mut row = vec![format!(">= {users}")];
        row.extend(cells.iter().map(|cell| {
            let fits = if cell.fits { "+" } else { "" };
            if (cell.users, cell.sessions) == (least.users, least.sessions) {
                format!("[{}]{fits}", cell.candidates)
            } else {
                format!("{}{fits}", cell.candidates)
            }
        }));
        rows.push(row);
    }
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    table(context, &head, &rows)?;
    let now = found
        .table
        .iter()
        .find(|cell| (cell.users, cell.sessions) == (least.users, least.sessions));
    let weeks = now.map(|cell| cell.last_weeks.iter().map(ToString::to_string).collect());
    let weeks: Vec<String> = weeks.unwrap_or_default();
    context.say(&format!(
        "now users {}, sessions {}, days {}: {} candidates, budget {}; new in the last weeks: {}",
        least.users,
        least.sessions,
        least.days,
        found.candidates,
        found.budget,
        weeks.join(", ")
    ))
}
