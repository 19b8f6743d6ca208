//! `queue`: what waits for people, as a list or one in full.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::table::{age, table};
use crate::cli::{Answer, Command, confirm, json, narrowed, queue_groups};
use crate::desk::Desk;
use crate::desk::view::CandidateView;
use crate::domain::CandidateId;
use crate::domain::candidate::{Approval, CandidateRow, CandidateState};
use crate::domain::query::{Over, Query};
use clap::{Arg, ArgMatches, Command as Clap};

/// How many rows are fetched at a time.
const PAGE: usize = 500;

pub(in crate::cli) const COMMAND: Command = Command {
    name: "queue",
    about: "List or count what waits for a reviewer, or show one item in full",
    define: |command| {
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        let statuses: Vec<&str> = CandidateState::WORDS.to_vec();
        command
            .subcommand_required(true)
            .subcommand(
                Clap::new("list")
                    .about("List candidates, oldest first")
                    .arg(option("status", "Which of them").value_parser(statuses).default_value("pending"))
                    .args(narrowed::options())
                    .after_help(narrowed::language(Over::Candidates))
                    .arg(option("limit", "At most so many").value_parser(clap::value_parser!(usize))),
            )
            .subcommand(Clap::new("show").about("Show one candidate in full").arg(Arg::new("id").required(true).help("C-12")))
            .subcommand(queue_groups::command(CandidateState::WORDS.to_vec()))
            .after_help("Examples:\n  countersign queue list --status quarantined --layer acme/emea\n  \
                countersign queue list --query 'trust:web age:>7d -is:held'\n  countersign queue show C-12")
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let desk = context.desk()?;
    match arguments.subcommand() {
        Some(("groups", arguments)) => queue_groups::run(arguments, context),
        Some(("show", arguments)) => {
            let id =
                CandidateId::parse(arguments.get_one::<String>("id").map_or("", String::as_str))?;
            let view = desk.candidate(id)?;
            if context.json {
                context.say_json(&json::candidate(&view, desk.now()))?;
            } else {
                show(context, &view)?;
            }
            Ok(Answer::Yes)
        }
        Some((_, arguments)) => list(&desk, arguments, context),
        None => Err(Failure::usage("name `list` or `show`", "")),
    }
}

fn list(desk: &Desk, arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let text = |name: &str| arguments.get_one::<String>(name).map(String::as_str);
    let state = CandidateState::parse(text("status").unwrap_or("pending"))?;
    let query = narrowed::query(arguments, context, Over::Candidates)?;
    let limit = arguments
        .get_one::<usize>("limit")
        .copied()
        .unwrap_or(usize::MAX);
    write_list(desk, context, state, &query, limit)?;
    Ok(Answer::Yes)
}

/// Writes the rows of one state, a page at a time.
pub(in crate::cli) fn write_list(
    desk: &Desk,
    context: &mut Context<'_>,
    state: CandidateState,
    query: &Query,
    limit: usize,
) -> Result<(), Failure> {
    let mut after = None;
    let mut left = limit;
    let mut rows = Vec::new();
    loop {
        let page = desk.queue(state, query, after, PAGE.min(left))?;
        after = page.left_at.or(page.rows.last().map(|row| row.id));
        left -= page.rows.len();
        for row in &page.rows {
            if context.json {
                let so_far = so_far(desk, row)?;
                context.say_json(&json::candidate_row(row, &so_far, desk.now()))?;
            } else {
                rows.push(cells(row, &so_far(desk, row)?, desk));
            }
        }
        if !page.more || left == 0 {
            break;
        }
    }
    if context.json {
        return Ok(());
    }
    if rows.is_empty() {
        return context.say(&format!("nothing is {state}"));
    }
    table(
        context,
        &["ID", "LAYER", "GATE", "INFLUENCE", "USERS", "AGE", "CLAIM"],
        &rows,
    )
}

/// Who has approved a row so far: a row nobody decided on yet has its first version.
fn so_far(desk: &Desk, row: &CandidateRow) -> Result<Vec<Approval>, Failure> {
    if row.version < 2 {
        return Ok(Vec::new());
    }
    Ok(desk.approvals(row.id)?)
}

fn cells(row: &CandidateRow, so_far: &[Approval], desk: &Desk) -> Vec<String> {
    let influence = match so_far.len() {
        0 => row.influence.to_string(),
        n => format!("{} ({n} of 2)", row.influence),
    };
    vec![
        row.id.to_string(),
        row.layer.to_string(),
        row.verdict.to_string(),
        influence,
        row.support.users.to_string(),
        age(desk.now().since(row.proposed_at)),
        row.claim.clone(),
    ]
}

/// Shows one candidate with everything a reviewer needs to decide.
pub(in crate::cli) fn show(context: &mut Context<'_>, view: &CandidateView) -> Result<(), Failure> {
    show_head(context, view)?;
    confirm::show_exactly(context, "claim", &view.candidate.claim)?;
    show_grounds(context, view)
}

/// What it is, in a line.
pub(in crate::cli) fn show_head(
    context: &mut Context<'_>,
    view: &CandidateView,
) -> Result<(), Failure> {
    let candidate = &view.candidate;
    context.say(&format!(
        "{} version {} · {} · {} · {} · {} · until {}",
        candidate.id,
        candidate.version,
        candidate.state,
        candidate.scope.layer,
        candidate.kind,
        candidate.influence,
        candidate.expires_at.date()
    ))
}

/// What the gate objects to, what it rests on, and what was decided so far.
pub(in crate::cli) fn show_grounds(
    context: &mut Context<'_>,
    view: &CandidateView,
) -> Result<(), Failure> {
    let candidate = &view.candidate;
    if !view.masked.is_empty() {
        context.say("a secret in it is starred out")?;
    }
    context.say(&format!("gate: {}", candidate.verdict))?;
    for finding in &candidate.findings {
        let place = finding
            .span
            .map(|span| format!(" bytes {}-{}", span.start, span.end))
            .unwrap_or_default();
        context.say(&format!(
            "  {} {}{place}: {}",
            finding.severity,
            finding.rule,
            crate::text::line(&finding.message)
        ))?;
    }
    context.say(&format!(
        "trust: {} · {} people · {} sessions · {} days",
        candidate.trust,
        candidate.support.users,
        candidate.support.sessions,
        candidate.support.days
    ))?;
    if let Some(weighed) = &view.weighed {
        let because = crate::text::line(&weighed.because);
        context.say(&format!("evidence: {} ({because})", weighed.backing.word()))?;
        if let Some(limits) = weighed.limits() {
            context.say(&format!("  {limits}"))?;
        }
    }
    show_evidence(context, view)?;
    if view.reviewers_needed > 1 {
        for one in &view.approvals {
            let by = crate::text::line(&one.reviewer);
            let key = one.key.as_deref().unwrap_or("no key");
            context.say(&format!("approved by {by} at {} ({key})", one.at))?;
        }
        let (have, needed) = (view.approvals.len(), view.reviewers_needed);
        context.say(&format!(
            "{have} of {needed} approvals; it takes different reviewers with different keys"
        ))?;
    }
    if let Some(blocked) = &view.blocked {
        context.say(&format!("cannot be approved: {blocked}"))?;
    }
    for entry in &view.history {
        context.say(&format!(
            "{} {} by {} at {}",
            entry.seq,
            entry.act,
            crate::text::line(&entry.actor),
            entry.at
        ))?;
    }
    Ok(())
}

fn show_evidence(context: &mut Context<'_>, view: &CandidateView) -> Result<(), Failure> {
    for evidence in &view.evidence {
        let title = crate::text::line(&evidence.title);
        context.say(&format!(
            "source: {title} ({}, {})",
            evidence.trust, evidence.standing
        ))?;
        if let Some(quote) = &evidence.quote {
            context.say(&format!("  \"{}\"", crate::text::line(quote)))?;
        }
    }
    for wording in &view.wordings {
        context.say(&format!(
            "wording: {} × \"{}\"",
            wording.count,
            crate::text::line(&wording.text)
        ))?;
    }
    for near in &view.near {
        let text = crate::text::line(&near.text);
        context.say(&format!(
            "near: {} \"{text}\" ({} % of words shared)",
            near.memory, near.overlap
        ))?;
    }
    Ok(())
}
