//! Deciding in `review --plain`: bound to the version and the bytes that were written whole, with a
//! code typed back, through the same functions of the desk as everywhere.

use crate::cli::context::Context;
use crate::cli::decide;
use crate::cli::failure::Failure;
use crate::cli::plain::Reading;
use crate::cli::{confirm, plain_show, witness};
use crate::desk::presence::Presence;
use crate::desk::{Conflict, Desk, DeskError};
use crate::domain::candidate::CandidateState;
use crate::domain::decision::{CandidateDecision, Ruling, Seen, next_morning};
use crate::domain::{Act, CandidateId};

/// Each word with what it does in the ledger, and what its code is typed for.
const ACTS: &[(&str, &str)] = &[
    ("approve", "approve"),
    ("a", "approve"),
    ("reject", "reject"),
    ("x", "reject"),
    ("edit", "edit"),
    ("e", "edit"),
    ("hold", "hold"),
    ("unhold", "hold"),
    ("snooze", "snooze"),
    ("release", "release"),
    ("confirm", "confirm"),
    ("undo", "undo"),
    ("u", "undo"),
];

pub(in crate::cli) fn is_act(word: &str) -> bool {
    ACTS.iter().any(|(known, _)| *known == word)
}

/// Decides; whether the item left the list that is read.
pub(in crate::cli) fn run(
    desk: &Desk,
    context: &mut Context<'_>,
    reading: &mut Reading,
    word: &str,
    rest: &str,
) -> Result<bool, Failure> {
    let act = ACTS.iter().find(|(known, _)| *known == word);
    let act = act.map_or("approve", |(_, act)| *act);
    if reading.readonly {
        return Err(Failure::refused(
            "this review only looks: nothing can be decided in it",
            "start it without --readonly",
        ));
    }
    if act == "undo" {
        return undo(desk, context, reading).map(|()| false);
    }
    let id = plain_show::named(reading, "")?;
    let presence = presence(desk, context, reading, act, &id.to_string())?;
    let seen = seen(desk, context, reading, id)?;
    if act == "reject" && rest.is_empty() {
        return Err(Failure::usage(
            "rejecting takes a reason",
            "not_true, out_of_date, too_vague, wrong_scope, personal_data, not_knowledge, duplicate, unsafe, or your own words",
        ));
    }
    let ruling = match act {
        "approve" => Ruling::Approve,
        "edit" => Ruling::Edit(written(desk, context, id)?),
        "reject" => Ruling::Reject,
        "release" => Ruling::Release,
        "confirm" => Ruling::Confirm,
        "snooze" => Ruling::Snooze(next_morning(desk.now())),
        _ => Ruling::Hold(word == "hold"),
    };
    let leaves = !matches!(ruling, Ruling::Hold(_));
    confirm::confirm(context, &format!("{word} {id}"))?;
    let decision = CandidateDecision {
        candidate: id,
        seen,
        ruling,
        reason: Some(rest.to_owned()).filter(|reason| !reason.is_empty()),
        influence: None,
        supersedes: None,
    };
    match desk.decide(&presence, decision) {
        Ok(decided) => {
            witness::remember(desk, context)?;
            decide::say(context, desk, id, act, &decided, None)?;
            Ok(leaves && reading.state != CandidateState::Approved)
        }
        Err(error) => {
            // What stands there now has to be read first, whoever changed it.
            if matches!(error, DeskError::Conflict(Conflict::Changed { .. })) {
                reading.shown.remove(&id);
            }
            Err(error.into())
        }
    }
}

/// What was written of the item: it must be the whole of what stands there now.
fn seen(
    desk: &Desk,
    context: &mut Context<'_>,
    reading: &mut Reading,
    id: CandidateId,
) -> Result<Seen, Failure> {
    let view = desk.candidate(id)?;
    let shown = reading.shown.get(&id).copied();
    let Some(shown) = shown.filter(|_| reading.paused.is_none_or(|(paused, _)| paused != id))
    else {
        return Err(Failure::refused(
            &format!("not all of the text of {id} has been shown"),
            "`more` goes on to its end; nothing was decided",
        ));
    };
    if shown.version != view.candidate.version || shown.digest != view.shown {
        context.say(&format!(
            "{id} changed since it was shown; this is what stands there now"
        ))?;
        plain_show::show(desk, context, reading, id)?;
        return Err(Failure::refused(
            "nothing was decided",
            "read it again, then decide",
        ));
    }
    Ok(Seen {
        version: shown.version,
        shown: shown.digest,
        frame: 0,
        whole: true,
        on_screen: u64::try_from(shown.since.elapsed().as_millis()).ok(),
    })
}

/// The right to decide: asked for at every act, the key unlocked once.
fn presence(
    desk: &Desk,
    context: &mut Context<'_>,
    reading: &mut Reading,
    act: &str,
    item: &str,
) -> Result<Presence, Failure> {
    if let Some(presence) = &reading.presence
        && Act::parse(act).is_ok_and(|act| desk.may(presence, act).is_ok())
    {
        return Ok(presence.clone());
    }
    let presence = confirm::presence(context, desk, decide::act_of(act), item)?;
    reading.presence = Some(presence.clone());
    Ok(presence)
}

/// Reads other words for the claim, up to a line with a dot alone, and shows what the gate says.
fn written(desk: &Desk, context: &mut Context<'_>, id: CandidateId) -> Result<String, Failure> {
    context
        .say("type the new text; a line with only a dot ends it, `.cancel` leaves it as it was")?;
    let mut lines: Vec<String> = Vec::new();
    loop {
        let mut line = String::new();
        let read = context.around.input.read_line(&mut line);
        let read =
            read.map_err(|error| Failure::usage(&format!("the text cannot be read: {error}"), ""))?;
        let line = line.strip_suffix('\n').unwrap_or(&line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        if read == 0 || line == ".cancel" {
            return Err(Failure::refused("the text stays as it was", ""));
        }
        if line == "." {
            break;
        }
        lines.push(line.to_owned());
    }
    let text = lines.join("\n");
    decide::show_edit(context, desk, &desk.candidate(id)?, &text)?;
    Ok(text)
}

fn undo(desk: &Desk, context: &mut Context<'_>, reading: &mut Reading) -> Result<(), Failure> {
    let presence = presence(desk, context, reading, "undo", "undo")?;
    let Some(found) = desk.undoable(&presence.hand().reviewer)? else {
        return context.say("there is no decision of yours to take back");
    };
    let served = match found.served {
        0 => "handed to nobody since".to_owned(),
        n => format!("handed out in {n} recalls since; they keep what they were given"),
    };
    context.say(&format!(
        "{} of {} at {}, {served}",
        found.act, found.item, found.at
    ))?;
    confirm::confirm(context, "undo it")?;
    let entry = desk.undo(&presence, found.entry)?;
    witness::remember(desk, context)?;
    context.say(&format!(
        "took back the decision on {} ({entry})",
        found.item
    ))
}
