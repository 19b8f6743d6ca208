//! `review --plain`: the same acts line by line, for terminals that cannot draw and for those who
//! hear the screen. It writes text and line ends, no escape sequence, and moves no cursor.
//!
//! Over a pipe it reads; deciding takes a terminal, the whole text, and a code typed back, as every
//! decision by command does.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::plain_acts;
use crate::cli::plain_show;
use crate::cli::table::age;
use crate::cli::{Answer, definition, dispatch, witness};
use crate::desk::Desk;
use crate::desk::presence::Presence;
use crate::domain::candidate::CandidateState;
use crate::domain::query::{Over, Query};
use crate::domain::{CandidateId, Digest};
use std::collections::BTreeMap;
use std::time::Instant;

/// How many rows `list` writes.
const LISTED: usize = 20;
/// How many items are stepped over to find the one before.
const ONE: usize = 1;

/// Where the reviewer is, and what they were shown.
pub(in crate::cli) struct Reading {
    pub(in crate::cli) readonly: bool,
    pub(in crate::cli) state: CandidateState,
    filter: Query,
    pub(in crate::cli) current: Option<CandidateId>,
    /// The item of which not every line has been written yet, and how many have been.
    pub(in crate::cli) paused: Option<(CandidateId, usize)>,
    /// What was written in full.
    pub(in crate::cli) shown: BTreeMap<CandidateId, Shown>,
    /// The person with their key, once they have decided something.
    pub(in crate::cli) presence: Option<Presence>,
}

/// A text that was written whole: which version, which bytes, since when.
#[derive(Debug, Clone, Copy)]
pub(in crate::cli) struct Shown {
    pub(in crate::cli) version: u32,
    pub(in crate::cli) digest: Digest,
    pub(in crate::cli) since: Instant,
}

/// What a line asks for, as help lists it.
pub(in crate::cli) const WORDS: &[(&str, &str)] = &[
    ("next, n", "the next item"),
    ("previous, p", "the item before"),
    ("show, s [C-12]", "this item again, or that one"),
    ("more, m, or an empty line", "the next page of a long text"),
    ("list, l", "the items from here on, a line each"),
    ("queue, quarantine", "which of the two is read"),
    (
        "limit WORDS",
        "only what matches: kind:inference trust:web late fee; `limit` alone takes it away",
    ),
    ("why [ID]", "down to the evidence"),
    ("approve, a [REASON]", "let the text become a memory"),
    (
        "reject, x REASON",
        "turn it down: a reason's word such as out_of_date, or your own words",
    ),
    (
        "edit, e",
        "write other words, which the gate judges, and approve those",
    ),
    (
        "hold, unhold, snooze",
        "keep it for somebody else; let go of it; bring it back tomorrow morning",
    ),
    (
        "release, confirm",
        "in the quarantine: into the queue, or out for good",
    ),
    ("undo, u", "take your newest decision back"),
    ("quit, q", "leave"),
    (
        "anything else",
        "a command, as after `countersign`: memory list, demote M-1 --reason stale, metrics, ..",
    ),
];

/// Reads lines until the reviewer leaves.
pub(in crate::cli) fn run(
    desk: &Desk,
    context: &mut Context<'_>,
    readonly: bool,
) -> Result<Answer, Failure> {
    if let Some(why) = witness::objection(desk, context)? {
        return Err(Failure::not_the_same(&why));
    }
    witness::remember(desk, context)?;
    let mut reading = Reading {
        readonly,
        state: CandidateState::Pending,
        filter: Query::default(),
        current: None,
        paused: None,
        shown: BTreeMap::new(),
        presence: None,
    };
    greet(desk, context)?;
    step(desk, context, &mut reading, Step::First)?;
    while let Some(line) = ask(context, &reading)? {
        match obey(desk, context, &mut reading, &line) {
            Ok(true) => {}
            Ok(false) => break,
            // A refusal ends the command, not the sitting.
            Err(failure) => {
                let _code = failure.print(context);
            }
        }
    }
    witness::remember(desk, context)?;
    Ok(Answer::Yes)
}

fn greet(desk: &Desk, context: &mut Context<'_>) -> Result<(), Failure> {
    let overview = desk.overview()?;
    let oldest = overview.oldest.map_or_else(String::new, |at| {
        format!(", oldest {}", age(overview.now.since(at)))
    });
    let footing = desk.footing()?;
    context.say(&format!(
        "{} wait of budget {}{oldest}; {} in quarantine; decisions are {footing}",
        overview.pending, overview.budget, overview.quarantined
    ))?;
    context.say("one command a line; `help` lists them")
}

/// The next line; none at the end of the input.
fn ask(context: &mut Context<'_>, reading: &Reading) -> Result<Option<String>, Failure> {
    let at_terminal = context.around.caller.input_is_terminal;
    if at_terminal {
        let place = if reading.state == CandidateState::Quarantined {
            "quarantine"
        } else {
            "queue"
        };
        let item = reading
            .current
            .map_or_else(String::new, |id| format!(" {id}"));
        let more = if reading.paused.is_some() {
            " (more)"
        } else {
            ""
        };
        plain_show::prompt(context, &format!("{place}{item}{more}> "))?;
    }
    let mut line = String::new();
    let read = context.around.input.read_line(&mut line);
    let read =
        read.map_err(|error| Failure::usage(&format!("the line cannot be read: {error}"), ""))?;
    Ok((read > 0).then(|| line.trim().to_owned()))
}

/// Does what one line asks for; whether to go on.
fn obey(
    desk: &Desk,
    context: &mut Context<'_>,
    reading: &mut Reading,
    line: &str,
) -> Result<bool, Failure> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rest = rest.trim();
    match word {
        "" if reading.paused.is_some() => plain_show::more(desk, context, reading)?,
        "" => {}
        "quit" | "q" => return Ok(false),
        "help" | "h" | "?" => help(context)?,
        "more" | "m" => plain_show::more(desk, context, reading)?,
        "next" | "n" => step(desk, context, reading, Step::Next)?,
        "previous" | "p" => step(desk, context, reading, Step::Previous)?,
        "show" | "s" => {
            let id = plain_show::named(reading, rest)?;
            plain_show::show(desk, context, reading, id)?;
        }
        "list" | "l" => list(desk, context, reading)?,
        "queue" | "quarantine" => {
            reading.state = match word {
                "queue" => CandidateState::Pending,
                _ => CandidateState::Quarantined,
            };
            step(desk, context, reading, Step::First)?;
        }
        "limit" => {
            let me = context.reviewer()?.name;
            reading.filter = Query::parse(rest, Over::Candidates)?.asked_by(&me);
            step(desk, context, reading, Step::First)?;
        }
        "why" | "w" if rest.is_empty() => {
            let id = plain_show::named(reading, rest)?;
            command(context, &format!("why {id}"))?;
        }
        _ if plain_acts::is_act(word) => {
            if plain_acts::run(desk, context, reading, word, rest)? {
                step(desk, context, reading, Step::Next)?;
            }
        }
        _ => command(context, line)?,
    }
    Ok(true)
}

fn help(context: &mut Context<'_>) -> Result<(), Failure> {
    for (word, does) in WORDS {
        context.say(&format!("{word}: {does}"))?;
    }
    Ok(())
}

/// Runs a line as a command of its own, with every rule that it has there.
fn command(context: &mut Context<'_>, line: &str) -> Result<(), Failure> {
    let unreadable = || Failure::usage("a quote is not closed", "`help` lists what can be typed");
    let words = shell_words::split(line).map_err(|_| unreadable())?;
    let first = words.first().cloned();
    if matches!(first.as_deref(), Some("review" | "demo" | "mcp" | "hook")) {
        return Err(Failure::usage(
            "that does not run inside a review",
            "leave with `quit` first",
        ));
    }
    let arguments = std::iter::once("countersign".to_owned()).chain(words);
    let matches = match definition().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => {
            let first = crate::text::line(&first.unwrap_or_default());
            return Err(Failure::usage(
                &format!(
                    "`{first}` cannot be done so: {}",
                    first_line(&error.to_string())
                ),
                "`help` lists what can be typed here, `COMMAND --help` a command's own words",
            ));
        }
        Err(help) => {
            for line in help.to_string().lines() {
                context.say(&crate::text::line(line))?;
            }
            return Ok(());
        }
    };
    dispatch(&matches, context).map(|_| ())
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    crate::text::line(line.strip_prefix("error: ").unwrap_or(line))
}

#[derive(Clone, Copy)]
enum Step {
    First,
    Next,
    Previous,
}

/// Goes to another item and shows it.
fn step(
    desk: &Desk,
    context: &mut Context<'_>,
    reading: &mut Reading,
    step: Step,
) -> Result<(), Failure> {
    let page = match (step, reading.current) {
        (Step::Next, after) => desk.queue(reading.state, &reading.filter, after, ONE)?,
        (Step::Previous, Some(id)) => desk.queue_before(reading.state, &reading.filter, id, ONE)?,
        (Step::First | Step::Previous, _) => {
            desk.queue(reading.state, &reading.filter, None, ONE)?
        }
    };
    let Some(row) = page.rows.first() else {
        let words = match step {
            Step::First => {
                reading.current = None;
                "nothing is here"
            }
            Step::Next => "that was the last; `previous` goes back, `queue` begins again",
            Step::Previous => "that is the first",
        };
        return context.say(words);
    };
    let id = row.id;
    plain_show::show(desk, context, reading, id)
}

fn list(desk: &Desk, context: &mut Context<'_>, reading: &Reading) -> Result<(), Failure> {
    let after = reading.current.map(|id| CandidateId(id.0 - 1));
    let page = desk.queue(reading.state, &reading.filter, after, LISTED)?;
    for row in &page.rows {
        let held = if row.held { ", held" } else { "" };
        context.say(&format!(
            "{}, {}, {}, {}{held}, {} old: {}",
            row.id,
            row.layer,
            row.verdict,
            row.influence,
            age(desk.now().since(row.proposed_at)),
            crate::text::line_within(&row.claim, 100)
        ))?;
    }
    match (page.rows.is_empty(), page.more) {
        (true, _) => context.say("nothing is here"),
        (false, true) => context.say("and more"),
        (false, false) => Ok(()),
    }
}
