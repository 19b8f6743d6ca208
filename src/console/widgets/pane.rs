//! Titles and rules: the calm lines between things.

use crate::console::theme::{Ink, Theme};
use crate::console::widgets::row::Row;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// A rule with something on its left and something on its right; returns the room below it.
pub(crate) fn titled(
    area: Rect,
    buffer: &mut Buffer,
    theme: &Theme,
    left: impl FnOnce(&mut Row<'_>),
    right: &[(&str, Ink)],
) -> Rect {
    let mut row = Row::new(theme, area.width);
    row.repeat('─', 1, Ink::Rule).gap(1);
    let before = row.used();
    left(&mut row);
    if row.used() > before {
        row.gap(1);
    } else {
        row = Row::new(theme, area.width);
    }
    let words: usize = right
        .iter()
        .map(|(word, _)| crate::text::line(word).chars().count())
        .sum();
    let needed = if words == 0 { 0 } else { words + 4 };
    if row.left() >= needed && words > 0 {
        let fill = row.left() - needed;
        row.repeat('─', fill + 1, Ink::Rule).gap(1);
        for (word, ink) in right {
            row.put(word, *ink);
        }
        row.gap(1).repeat('─', 1, Ink::Rule);
    } else {
        let fill = row.left();
        row.repeat('─', fill, Ink::Rule);
    }
    row.draw(area, buffer);
    below(area, 1)
}

/// A line down the left edge; returns the room beside it.
pub(crate) fn beside(area: Rect, buffer: &mut Buffer, theme: &Theme) -> Rect {
    for y in area.y..area.bottom() {
        let glyph = if y == area.y { "┬" } else { "│" };
        buffer.set_string(area.x, y, glyph, theme.of(Ink::Rule));
    }
    Rect {
        x: area.x + 1,
        width: area.width.saturating_sub(1),
        ..area
    }
}

/// The area without its first rows.
pub(crate) fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect {
        y: area.y + rows,
        height: area.height - rows,
        ..area
    }
}

/// The area with a margin on both sides.
pub(crate) fn inset(area: Rect, columns: u16) -> Rect {
    let columns = columns.min(area.width / 4);
    Rect {
        x: area.x + columns,
        width: area.width - 2 * columns,
        ..area
    }
}

/// One row of an area.
pub(crate) fn row_of(area: Rect, at: u16) -> Rect {
    Rect {
        y: area.y + at.min(area.height),
        height: u16::from(at < area.height),
        ..area
    }
}
