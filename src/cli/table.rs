//! Lists for people: aligned columns, every cell drawn safely, the last one cut to the terminal.

use crate::cli::context::Context;
use crate::cli::failure::Failure;

/// How many columns a cell may take that is not the last of its row.
const WIDEST: usize = 28;

/// Writes rows under a heading; the last column takes what is left of the line.
pub(in crate::cli) fn table(
    context: &mut Context<'_>,
    heading: &[&str],
    rows: &[Vec<String>],
) -> Result<(), Failure> {
    let last = heading.len().saturating_sub(1);
    let safe: Vec<Vec<String>> = rows.iter().map(|row| cells(row, last)).collect();
    let width = |at: usize| {
        let cells = safe
            .iter()
            .filter_map(|row| row.get(at))
            .map(|cell| columns_of(cell));
        cells
            .chain(heading.get(at).map(|title| columns_of(title)))
            .max()
            .unwrap_or(0)
    };
    let fixed: usize = (0..last).map(|at| width(at) + 2).sum();
    let left = context.around.columns.saturating_sub(fixed).max(20);
    let head: Vec<String> = heading.iter().map(|title| (*title).to_owned()).collect();
    for row in std::iter::once(&head).chain(&safe) {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            if at < last {
                line.push_str(cell);
                line.extend(std::iter::repeat_n(
                    ' ',
                    (width(at) + 2).saturating_sub(columns_of(cell)),
                ));
            } else {
                line.push_str(&crate::text::line_within(cell, left));
            }
        }
        context.say(line.trim_end())?;
    }
    Ok(())
}

/// Each cell on one line; all but the last are kept narrow, so that the last has room.
fn cells(row: &[String], last: usize) -> Vec<String> {
    let cell = |(at, text): (usize, &String)| {
        if at < last {
            crate::text::line_within(text, WIDEST)
        } else {
            crate::text::line(text)
        }
    };
    row.iter().enumerate().map(cell).collect()
}

fn columns_of(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// How long ago, in one unit.
pub(in crate::cli) fn age(millis: i64) -> String {
    const UNITS: &[(i64, &str)] = &[
        (86_400_000, "d"),
        (3_600_000, "h"),
        (60_000, "m"),
        (1000, "s"),
    ];
    let found = UNITS.iter().find(|(size, _)| millis >= *size);
    found.map_or_else(
        || "now".to_owned(),
        |(size, unit)| format!("{} {unit}", millis / size),
    )
}
