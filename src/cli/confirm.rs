//! The last barrier before a decision by command: a person at a terminal reads the exact text and
//! types a code back. There is no way to say yes in advance.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::{key, witness};
use crate::desk::presence::Presence;
use crate::desk::{Desk, DeskError};
use crate::domain::Act;
use std::io::Write as _;

/// Letters and digits that cannot be mistaken for one another.
const ALPHABET: &[u8] = b"abcdefghkmnpqrstuvwxyz23456789";

/// Grants the right to decide, or refuses and records the attempt.
pub(in crate::cli) fn presence(
    context: &mut Context<'_>,
    desk: &Desk,
    act: Act,
    item: &str,
) -> Result<Presence, Failure> {
    let reviewer = context.reviewer()?;
    let presence = match Presence::at_terminal(&context.caller()?, reviewer) {
        Ok(presence) => presence,
        Err(refusal) => return Err(refused(context, desk, act.as_str(), item, refusal.into())),
    };
    if let Some(why) = witness::objection(desk, context)? {
        return Err(Failure::not_the_same(&why));
    }
    let presence = key::at_hand(context, desk, presence)?;
    match desk.may(&presence, act) {
        Err(error) => Err(refused(context, desk, act.as_str(), item, error)),
        Ok(()) => Ok(presence),
    }
}

/// Records an attempt by somebody who may not decide, and says why they may not.
fn refused(
    context: &mut Context<'_>,
    desk: &Desk,
    act: &str,
    item: &str,
    error: DeskError,
) -> Failure {
    let recorded = context
        .reviewer()
        .map(|reviewer| desk.note_refusal(reviewer.name.as_str(), act, item, &error.to_string()));
    if let Ok(Err(why)) = recorded {
        context.note(&format!(
            "the attempt could not be recorded: {}",
            crate::text::line(&why.to_string())
        ));
    }
    error.into()
}

/// Asks for the code. Anything but the code changes nothing.
pub(in crate::cli) fn confirm(context: &mut Context<'_>, act: &str) -> Result<(), Failure> {
    let code = code()?;
    let output = &mut context.around.output;
    write!(output, "type {code} to {act}: ")
        .and_then(|()| output.flush())
        .map_err(|error| Failure::output(&error))?;
    let mut typed = String::new();
    let read = context.around.input.read_line(&mut typed);
    read.map_err(|error| Failure::usage(&format!("the answer cannot be read: {error}"), ""))?;
    if typed.trim() == code {
        return Ok(());
    }
    Err(Failure::refused(
        "the code was not typed; nothing was changed",
        "",
    ))
}

/// Shows a text exactly, line by line, with everything hidden named.
pub(in crate::cli) fn show_exactly(
    context: &mut Context<'_>,
    title: &str,
    text: &str,
) -> Result<(), Failure> {
    let visible = crate::text::visible(text);
    let columns = u16::try_from(context.around.columns.saturating_sub(4))
        .unwrap_or(76)
        .max(20);
    let bytes = text.len();
    let hidden = match visible.hidden {
        0 => String::new(),
        n => format!(", {n} hidden characters named in < >"),
    };
    context.say(&format!("{title} ({bytes} bytes{hidden}):"))?;
    for line in visible.wrap(columns) {
        let shown: String = line.runs.iter().map(|run| run.shown.as_str()).collect();
        context.say(&format!("  | {shown}"))?;
    }
    Ok(())
}

fn code() -> Result<String, Failure> {
    let mut bytes = [0_u8; 4];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::refused(&format!("no random bytes to be had: {error}"), ""))?;
    let letter = |byte: &u8| {
        ALPHABET
            .get(usize::from(*byte) % ALPHABET.len())
            .copied()
            .unwrap_or(b'x')
    };
    Ok(bytes.iter().map(letter).map(char::from).collect())
}
