//! `detect explain`: why a pattern is what it is, and why it is proposed or not.

use crate::cli::Answer;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::desk::{Desk, PatternView};
use crate::domain::PatternId;
use crate::domain::pattern::LinkKind;
use clap::{Arg, ArgMatches, Command as Clap};
use serde_json::json;

pub(in crate::cli) fn definition() -> Clap {
    Clap::new("explain")
        .about("Say why a pattern is what it is, and why it is proposed or not")
        .arg(Arg::new("id").required(true).help("The pattern, P-12"))
}

pub(in crate::cli) fn run(
    desk: &Desk,
    arguments: &ArgMatches,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let id = PatternId::parse(arguments.get_one::<String>("id").map_or("", String::as_str))?;
    let view = desk.pattern(id)?;
    if context.json {
        context.say_json(&json!(view))?;
    } else {
        show(context, &view)?;
    }
    Ok(Answer::Yes)
}

fn show(context: &mut Context<'_>, view: &PatternView) -> Result<(), Failure> {
    let line = crate::text::line;
    let row = &view.row;
    let (support, least) = (row.support, row.asked.least);
    context.say(&format!("{} · {} · {}", row.id, row.layer, row.state))?;
    context.say(&format!("claim: {}", line(&row.claim)))?;
    context.say(&format!(
        "support: users {}/{}, sessions {}/{}, days {}/{} ({} observations, trust {})",
        support.users,
        least.users,
        support.sessions,
        least.sessions,
        support.days,
        least.days,
        row.observations,
        row.trust
    ))?;
    context.say(&format!("why: {}", line(&view.why)))?;
    for flag in &row.flags {
        context.say(&format!("suspicious: {}", line(flag)))?;
    }
    for (memory, why) in &view.against {
        context.say(&format!("against {memory}: {}", line(why)))?;
    }
    for wording in &view.wordings {
        let who = if wording.who.is_empty() {
            String::new()
        } else {
            format!(" by {}", line(&wording.who.join(", ")))
        };
        let when = wording.first_at.zip(wording.last_at);
        let when = when.map(|(first, last)| format!(", {} to {}", first.date(), last.date()));
        context.say(&format!(
            "said {}x{who}{}: {}",
            wording.count,
            when.unwrap_or_default(),
            line(&wording.text)
        ))?;
    }
    for link in &view.links {
        let other = link.other.map(|id| format!(" {id}")).unwrap_or_default();
        context.say(&format!(
            "{}{other}: {} / {}: {}",
            link_words(link.kind),
            line(&link.text),
            line(&link.with),
            line(&link.why)
        ))?;
    }
    for id in &view.counts {
        context.say(&format!("counts the people of {id}, in a layer below"))?;
    }
    for kin in &view.kin {
        let decided = kin.decided.as_deref().unwrap_or("not decided");
        context.say(&format!(
            "kin {} {}, {}: {}",
            kin.candidate,
            kin.state,
            line(decided),
            line(&kin.claim)
        ))?;
    }
    for known in &view.known {
        context.say(&format!(
            "near {} {}: {}",
            known.item,
            known.relation,
            line(&known.why)
        ))?;
    }
    Ok(())
}

const fn link_words(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Joined => "joined",
        LinkKind::Maybe => "may be the same as",
        LinkKind::Apart => "kept apart from",
        LinkKind::Merge => "today's detector would join it with",
        LinkKind::Split => "today's detector would part",
    }
}
