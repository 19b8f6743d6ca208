//! What `review --plain` writes of one item: its text to the last line, a page at a time where it is
//! long, then what it rests on. Only what was written whole can be approved.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::plain::{Reading, Shown};
use crate::cli::queue;
use crate::desk::Desk;
use crate::desk::view::CandidateView;
use crate::domain::CandidateId;
use std::time::Instant;

/// How many lines of a text are written at a time.
const PAGE: usize = 20;

/// The item that is named, or the one that is read.
pub(in crate::cli) fn named(reading: &Reading, text: &str) -> Result<CandidateId, Failure> {
    if text.is_empty() {
        return reading.current.ok_or_else(|| {
            Failure::usage(
                "no item is read",
                "`next` goes to one, `show C-12` names one",
            )
        });
    }
    Ok(CandidateId::parse(text)?)
}

/// Shows one item from its beginning.
pub(in crate::cli) fn show(
    desk: &Desk,
    context: &mut Context<'_>,
    reading: &mut Reading,
    id: CandidateId,
) -> Result<(), Failure> {
    let view = desk.candidate(id)?;
    reading.current = Some(id);
    reading.state = view.candidate.state;
    reading.shown.remove(&id);
    context.say("")?;
    queue::show_head(context, &view)?;
    page(context, reading, &view, 0)
}

/// Goes on where a long text was left.
pub(in crate::cli) fn more(
    desk: &Desk,
    context: &mut Context<'_>,
    reading: &mut Reading,
) -> Result<(), Failure> {
    let Some((id, from)) = reading.paused else {
        return context.say("all of it was shown");
    };
    let view = desk.candidate(id)?;
    page(context, reading, &view, from)
}

/// Writes the next lines of the text; after the last one, what the item rests on.
fn page(
    context: &mut Context<'_>,
    reading: &mut Reading,
    view: &CandidateView,
    from: usize,
) -> Result<(), Failure> {
    let candidate = &view.candidate;
    let visible = crate::text::visible(&candidate.claim);
    let columns = context.around.columns.saturating_sub(2);
    let lines = visible.wrap(u16::try_from(columns).unwrap_or(78).max(20));
    if from == 0 {
        let hidden = match visible.hidden {
            0 => String::new(),
            n => format!(", {n} hidden characters named in < >"),
        };
        let bytes = candidate.claim.len();
        context.say(&format!(
            "text, {bytes} bytes, {} lines{hidden}:",
            lines.len()
        ))?;
    }
    for line in lines.iter().skip(from).take(PAGE) {
        let shown: String = line.runs.iter().map(|run| run.shown.as_str()).collect();
        context.say(&format!("  {shown}"))?;
    }
    let so_far = from.saturating_add(PAGE);
    if so_far < lines.len() {
        reading.paused = Some((candidate.id, so_far));
        return context.say(&format!(
            "line {so_far} of {}; `more` or an empty line goes on",
            lines.len()
        ));
    }
    reading.paused = None;
    let shown = Shown {
        version: candidate.version,
        digest: view.shown,
        since: Instant::now(),
    };
    reading.shown.insert(candidate.id, shown);
    context.say("end of the text")?;
    queue::show_grounds(context, view)
}

/// Writes the beginning of a line that will be typed on.
pub(in crate::cli) fn prompt(context: &mut Context<'_>, text: &str) -> Result<(), Failure> {
    let output = &mut context.around.output;
    write!(output, "{text}")
        .and_then(|()| output.flush())
        .map_err(|error| Failure::output(&error))
}
