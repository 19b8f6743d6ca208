//! `decide`: one decision on one candidate, by a person at a terminal who reads the exact text.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{Answer, Command, confirm, queue, witness};
use crate::desk::Desk;
use crate::desk::view::CandidateView;
use crate::domain::decision::{CandidateDecision, Decided, Ruling, Seen};
use crate::domain::{Act, CandidateId, Influence, MemoryId};
use clap::{Arg, ArgMatches};
use serde_json::json;

/// What can be decided, with the word for it.
const ACTS: &[&str] = &[
    "approve", "reject", "edit", "release", "confirm", "hold", "unhold",
];

pub(in crate::cli) const COMMAND: Command = Command {
    name: "decide",
    about: "Decide on one candidate, at a terminal",
    define: |command| {
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        command
            .arg(Arg::new("act").required(true).value_parser(ACTS.to_vec()).help("What is to be done"))
            .arg(Arg::new("id").required(true).help("The candidate, C-12"))
            .arg(option("reason", "Why: a reason's word such as out_of_date, or your own words"))
            .arg(option("text-file", "The edited text, for `edit`").value_name("FILE"))
            .arg(option("influence", "Raise the influence to this").value_parser(Influence::WORDS.to_vec()))
            .arg(option("supersedes", "For `approve` and `edit`: the memory that it takes the place of").value_name("M-12"))
            .after_help(
                "Examples:\n  countersign decide approve C-12\n  countersign decide reject C-13 --reason out_of_date\n  \
                 countersign decide edit C-14 --text-file better.txt\n\n\
                 The exact text is shown and a code asked for; there is no way to answer in advance. Many items are decided \
                 faster in `countersign review`.",
            )
    },
    run,
};

fn run(arguments: &ArgMatches, context: &mut Context<'_>) -> Result<Answer, Failure> {
    let text = |name: &str| arguments.get_one::<String>(name).cloned();
    let id = CandidateId::parse(&text("id").unwrap_or_default())?;
    let act = text("act").unwrap_or_default();
    let desk = context.desk()?;
    let presence = confirm::presence(context, &desk, act_of(&act), &id.to_string())?;
    let ruling = ruling(&act, text("text-file").as_deref())?;
    let supersedes = text("supersedes");
    let supersedes = supersedes.map(|old| MemoryId::parse(&old)).transpose()?;
    let view = desk.candidate(id)?;
    let shown = std::time::Instant::now();
    queue::show(context, &view)?;
    if let Some(old) = supersedes {
        let after = match &ruling {
            Ruling::Edit(edited) => &desk.as_shown(edited),
            _ => &view.candidate.claim,
        };
        show_replaced(context, &desk, old, after)?;
    }
    if let Ruling::Edit(edited) = &ruling {
        show_edit(context, &desk, &view, edited)?;
    }
    confirm::confirm(context, &act)?;
    let on_screen = u64::try_from(shown.elapsed().as_millis()).ok();
    let decision = CandidateDecision {
        candidate: id,
        seen: Seen {
            version: view.candidate.version,
            shown: view.shown,
            frame: 0,
            whole: true,
            on_screen,
        },
        ruling,
        reason: text("reason"),
        influence: text("influence")
            .map(|word| Influence::parse(&word))
            .transpose()?,
        supersedes,
    };
    let decided = desk.decide(&presence, decision)?;
    witness::remember(&desk, context)?;
    say(context, &desk, id, &act, &decided, supersedes)
}

/// The act that a word of this command is; letting go is the other side of holding.
pub(in crate::cli) fn act_of(word: &str) -> Act {
    Act::parse(word).unwrap_or(Act::Hold)
}

fn ruling(act: &str, text_file: Option<&str>) -> Result<Ruling, Failure> {
    Ok(match (act, text_file) {
        ("approve", None) => Ruling::Approve,
        ("reject", None) => Ruling::Reject,
        ("release", None) => Ruling::Release,
        ("confirm", None) => Ruling::Confirm,
        ("hold", None) => Ruling::Hold(true),
        ("unhold", None) => Ruling::Hold(false),
        ("edit", Some(file)) => Ruling::Edit(read_edit(file)?),
        ("edit", None) => {
            return Err(Failure::usage(
                "`edit` needs the edited text",
                "name its file with --text-file FILE",
            ));
        }
        _ => return Err(Failure::usage("only `edit` takes --text-file", "")),
    })
}

/// The file's text; one final line end, which editors add, is not part of it.
fn read_edit(file: &str) -> Result<String, Failure> {
    let unreadable = |why: String| {
        Failure::usage(
            &format!("`{}` cannot be read: {why}", crate::text::line(file)),
            "",
        )
    };
    let bytes = std::fs::read(file).map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    Ok(text.strip_suffix('\r').unwrap_or(text).to_owned())
}

pub(in crate::cli) fn show_edit(
    context: &mut Context<'_>,
    desk: &Desk,
    view: &CandidateView,
    raw: &str,
) -> Result<(), Failure> {
    let edited = &desk.as_shown(raw);
    confirm::show_exactly(context, "edited text", edited)?;
    show_difference(context, &view.candidate.claim, edited)?;
    let judgement = desk.judge_edit(view.candidate.id, raw)?;
    context.say(&format!(
        "gate on the edited text: {} (influence {})",
        judgement.verdict, judgement.influence
    ))?;
    for finding in &judgement.findings {
        context.say(&format!(
            "  {} {}: {}",
            finding.severity,
            finding.rule,
            crate::text::line(&finding.message)
        ))?;
    }
    Ok(())
}

/// The memory that is about to be replaced, and what becomes different.
fn show_replaced(
    context: &mut Context<'_>,
    desk: &Desk,
    old: MemoryId,
    after: &str,
) -> Result<(), Failure> {
    let view = desk.memory(old)?;
    context.say(&format!(
        "takes the place of {old} ({}, {}), served {} times",
        view.state, view.memory.scope.layer, view.memory.served
    ))?;
    confirm::show_exactly(context, "text until now", &view.memory.text)?;
    show_difference(context, &view.memory.text, after)
}

/// Two texts in one line, with what left and what came marked by signs.
fn show_difference(context: &mut Context<'_>, before: &str, after: &str) -> Result<(), Failure> {
    let mut diff = String::new();
    for change in crate::compare::words(before, after) {
        let (mark, part) = match change.kind {
            crate::compare::ChangeKind::Same => (None, after.get(change.after.clone())),
            crate::compare::ChangeKind::Removed => {
                (Some(("[-", "-]")), before.get(change.before.clone()))
            }
            crate::compare::ChangeKind::Added => {
                (Some(("{+", "+}")), after.get(change.after.clone()))
            }
        };
        let shown = crate::text::line(part.unwrap_or_default());
        match mark {
            Some((open, close)) => diff.push_str(&format!("{open}{shown}{close}")),
            None => diff.push_str(&shown),
        }
    }
    context.say(&format!("diff: {diff}"))
}

/// Says what came of it.
pub(in crate::cli) fn say(
    context: &mut Context<'_>,
    desk: &Desk,
    id: CandidateId,
    act: &str,
    decided: &Decided,
    supersedes: Option<MemoryId>,
) -> Result<Answer, Failure> {
    let assurance = desk.footing()?;
    let memory = match decided {
        Decided::Minted(memory) => Some(*memory),
        Decided::Moved | Decided::Endorsed => None,
    };
    let endorsed = *decided == Decided::Endorsed;
    if context.json {
        context.say_json(&json!({ "id": id, "act": if endorsed { "endorse" } else { act }, "memory": memory, "supersedes": supersedes, "assurance": assurance }))?;
        return Ok(Answer::Yes);
    }
    match memory {
        Some(memory) if supersedes.is_some() => {
            let old = supersedes.map(|old| old.to_string()).unwrap_or_default();
            context.say(&format!(
                "{act} ({assurance}), in the place of {old}: {id} is now {memory}"
            ))?;
        }
        Some(memory) => context.say(&format!("{act} ({assurance}): {id} is now {memory}"))?,
        None if endorsed => {
            let view = desk.candidate(id)?;
            context.say(&format!(
                "{act}: {id} has {} of {} approvals; it needs another reviewer with another key",
                view.approvals.len(),
                view.reviewers_needed
            ))?;
        }
        None => context.say(&format!("{act} ({assurance}): {id}"))?,
    }
    Ok(Answer::Yes)
}
