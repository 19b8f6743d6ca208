//! What other thresholds would give: users down, sessions across, in each cell how many patterns
//! pass. What fits the budget carries a mark, what is in force brackets, what is picked is reversed.

use crate::console::draw::Canvas;
use crate::console::theme::Ink;
use crate::console::widgets::pane::row_of;
use crate::console::widgets::row::Row;
use crate::console::words;
use crate::desk::{WhatIfCell, WhatIfTable};
use ratatui::layout::{Position, Rect};

/// The room for the words beside the rows.
const LABEL: usize = 13;
/// Rows beside those of the table: the heading, what is in force, what is picked.
const AROUND: u16 = 3;

/// How many rows it takes.
pub(crate) fn rows(table: &WhatIfTable) -> u16 {
    let users = table.table.iter().map(|cell| cell.users);
    let (least, most) = (users.clone().min(), users.max());
    let rows = least.zip(most).map_or(0, |(least, most)| most - least + 1);
    u16::try_from(rows).unwrap_or(0) + AROUND
}

pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Rect, table: &WhatIfTable) {
    let wide = cell_width(table);
    heading(canvas, row_of(area, 0), table, wide);
    let mut at = 1;
    for cells in table.table.chunk_by(|one, other| one.users == other.users) {
        line(canvas, row_of(area, at), table, (cells, at == 1), wide);
        at += 1;
    }
    in_force(canvas, row_of(area, at), table);
    picked(canvas, row_of(area, at + 1), table);
}

fn cell_width(table: &WhatIfTable) -> usize {
    let widest = table
        .table
        .iter()
        .map(|cell| short(cell.candidates).chars().count());
    widest.max().unwrap_or(1).max(3) + 3
}

fn heading(canvas: &mut Canvas<'_>, area: Rect, table: &WhatIfTable, wide: usize) {
    let mut row = canvas.row(area.width);
    row.gap(1).cell("sessions ≥", Ink::Dim, LABEL);
    for sessions in first_row(table).map(|cell| cell.sessions) {
        row.cell_right(&sessions.to_string(), Ink::Dim, wide - 1)
            .gap(1);
    }
    row.draw(area, canvas.buffer);
}

fn first_row(table: &WhatIfTable) -> impl Iterator<Item = &WhatIfCell> {
    let users = table.table.first().map(|cell| cell.users);
    table
        .table
        .iter()
        .take_while(move |cell| Some(cell.users) == users)
}

fn line(
    canvas: &mut Canvas<'_>,
    area: Rect,
    table: &WhatIfTable,
    (cells, is_first): (&[WhatIfCell], bool),
    wide: usize,
) {
    let Some(users) = cells.first().map(|cell| cell.users) else {
        return;
    };
    let model = canvas.model;
    let mut row = canvas.row(area.width);
    let label = if is_first {
        "users    ≥"
    } else {
        "         ≥"
    };
    row.gap(1)
        .put(label, Ink::Dim)
        .cell_right(&users.to_string(), Ink::Dim, LABEL - 10);
    for cell in cells {
        let here = model.pulse.place() == Some((cell.users, cell.sessions));
        if here && canvas.cursor.is_none() {
            let column = u16::try_from(row.used() + wide - 2).unwrap_or(0);
            canvas.cursor = Some(Position::new(area.x + column.min(area.width), area.y));
        }
        one(&mut row, table, cell, here, wide);
    }
    row.draw(area, canvas.buffer);
}

fn one(row: &mut Row<'_>, table: &WhatIfTable, cell: &WhatIfCell, here: bool, wide: usize) {
    let least = table.now.least;
    let now = (least.users, least.sessions) == (cell.users, cell.sessions);
    let number = short(cell.candidates);
    let ink = if here {
        Ink::Selected
    } else {
        heat(cell, table.budget)
    };
    let (open, close) = match (now, cell.fits) {
        (true, _) => ("[", "]"),
        (false, true) => (" ", "◂"),
        (false, false) => (" ", " "),
    };
    let pad = wide.saturating_sub(number.chars().count() + 2);
    let around = if here { Ink::Selected } else { Ink::Title };
    // Blanks stand outside of what is reversed, and beside nothing they could be joined with.
    match open {
        " " => row.gap(pad + 1),
        bracket => row.gap(pad).put(bracket, around),
    };
    row.put(&number, ink);
    match close {
        " " => row.gap(1),
        mark => row.put(mark, around),
    };
}

/// Warmer the further it is past the budget. The mark and the number say the same.
const fn heat(cell: &WhatIfCell, budget: u64) -> Ink {
    match cell.candidates {
        _ if cell.fits => Ink::Good,
        n if n > budget.saturating_mul(4) => Ink::Bad,
        _ => Ink::Held,
    }
}

fn in_force(canvas: &mut Canvas<'_>, area: Rect, table: &WhatIfTable) {
    let least = table.now.least;
    let against = match table.candidates.checked_sub(table.budget) {
        None | Some(0) => "fits budget".to_owned(),
        Some(over) => format!("{} over budget", words::count(over)),
    };
    let text = format!(
        "{} users × {} sessions × {} days → {}, {against} {}",
        least.users,
        least.sessions,
        least.days,
        words::count(table.candidates),
        words::count(table.budget)
    );
    let mut row = canvas.row(area.width);
    row.gap(1)
        .cell("[ ] in force", Ink::Dim, LABEL)
        .put(&text, Ink::Text);
    row.draw(area, canvas.buffer);
}

fn picked(canvas: &mut Canvas<'_>, area: Rect, table: &WhatIfTable) {
    let mut row = canvas.row(area.width);
    let least = table.now.least;
    match canvas.model.pulse.picked() {
        Some(cell) if (cell.users, cell.sessions) != (least.users, least.sessions) => {
            let change = match table.candidates.checked_sub(cell.candidates) {
                Some(fewer) => format!("{} fewer", words::count(fewer)),
                None => format!("{} more", words::count(cell.candidates - table.candidates)),
            };
            let fits = if cell.fits { ", fits" } else { "" };
            let weeks: Vec<String> = cell.last_weeks.iter().map(|n| format!("+{n}")).collect();
            let text = format!(
                "{} × {} → {}, {change}{fits} · by week {}",
                cell.users,
                cell.sessions,
                words::count(cell.candidates),
                weeks.join(" ")
            );
            row.gap(1)
                .cell("picked", Ink::Dim, LABEL)
                .put(&text, Ink::Title);
        }
        _ => {
            row.gap(1).cell("◂ fits", Ink::Dim, LABEL);
            row.put(
                "arrows pick other thresholds; nothing is set by looking",
                Ink::Dim,
            );
        }
    }
    row.draw(area, canvas.buffer);
}

/// A number in at most five columns.
fn short(n: u64) -> String {
    match n {
        0..100_000 => n.to_string(),
        100_000..10_000_000 => format!("{}k", n / 1_000),
        _ => format!("{}M", n / 1_000_000),
    }
}
