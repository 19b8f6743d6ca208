//! Editing in place: the typed bytes, each drawn or named, above or beside the proposal.

use crate::console::draw::Canvas;
use crate::console::input::Input;
use crate::console::layer::Layer;
use crate::console::prose::Paint;
use crate::console::theme::Ink;
use crate::console::views::page::Page;
use crate::console::views::parts::ink_of;
use crate::console::widgets::pane::{self, row_of};
use crate::text::visible::{PieceKind, visible};
use crate::text::wrap::Line;
use ratatui::layout::{Position, Rect};

pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Rect, wide: bool) {
    let model = canvas.model;
    let Some(Layer::Writer {
        candidate, input, ..
    }) = model.layers.last()
    else {
        return;
    };
    let (here, there) = halves(area, wide);
    let title = format!("Edit {candidate}");
    let room = pane::titled(
        here,
        canvas.buffer,
        canvas.theme,
        |row| {
            row.put(&title, Ink::Title);
        },
        &[("Esc: done, nothing is approved yet", Ink::Key)],
    );
    text(canvas, pane::inset(room, 2), input);
    let there = if wide {
        pane::beside(there, canvas.buffer, canvas.theme)
    } else {
        there
    };
    let room = pane::titled(
        there,
        canvas.buffer,
        canvas.theme,
        |row| {
            row.put("The proposal", Ink::Dim);
        },
        &[],
    );
    let room = pane::inset(room, 2);
    let mut page = Page::new(room.width);
    if let Some(view) = model.candidate() {
        page.quote(&view.candidate.claim, &[], "");
    }
    page.draw(canvas, room, 0);
}

fn halves(area: Rect, wide: bool) -> (Rect, Rect) {
    if wide {
        let width = area.width / 2;
        let there = Rect {
            x: area.x + width,
            width: area.width - width,
            ..area
        };
        return (Rect { width, ..area }, there);
    }
    let height = area.height * 3 / 5;
    (Rect { height, ..area }, pane::below(area, height))
}

fn text(canvas: &mut Canvas<'_>, area: Rect, input: &Input) {
    let lines = visible(input.text()).wrap(area.width.saturating_sub(1));
    let (row, column) = cursor(&lines, input.cursor());
    let room = usize::from(area.height).max(1);
    let top = row.saturating_sub(room - 1);
    for (at, line) in lines.iter().skip(top).take(room).enumerate() {
        let place = row_of(area, u16::try_from(at).unwrap_or(u16::MAX));
        let mut drawn = canvas.row(place.width);
        for run in &line.runs {
            let paint = if run.kind == PieceKind::Named {
                Paint::Token
            } else {
                Paint::Plain
            };
            drawn.ready(&run.shown, ink_of(paint));
        }
        drawn.draw(place, canvas.buffer);
    }
    let x = area.x
        + u16::try_from(column)
            .unwrap_or(0)
            .min(area.width.saturating_sub(1));
    let y = area.y + u16::try_from(row - top).unwrap_or(0);
    canvas.cursor = Some(Position::new(x, y));
}

/// The row and the column before which the next byte would go.
fn cursor(lines: &[Line], at: usize) -> (usize, usize) {
    let row = lines
        .iter()
        .rposition(|line| line.raw().start <= at)
        .unwrap_or(0);
    let Some(line) = lines.get(row) else {
        return (0, 0);
    };
    let mut column = 0;
    for run in &line.runs {
        if run.raw.end <= at {
            column += run.width();
        } else if run.raw.start < at && run.kind == PieceKind::Plain {
            let inside = run.shown.get(..at - run.raw.start).unwrap_or_default();
            column += unicode_width::UnicodeWidthStr::width(inside);
        } else if run.raw.start < at {
            column += at - run.raw.start;
        }
    }
    (row, column)
}

#[cfg(test)]
mod tests {
    use super::cursor;
    use crate::text::visible::visible;

    #[test]
    fn the_cursor_stands_where_the_next_byte_goes() {
        let check = |text: &str, at, expected| {
            assert_eq!(
                cursor(&visible(text).wrap(20), at),
                expected,
                "{text:?} {at}"
            );
        };
        check("abc", 1, (0, 1));
        check("abc\n", 4, (1, 0));
        check("a\u{202e}b", 1, (0, 1));
        check("a\u{202e}b", 4, (0, 13));
        check("日本", 3, (0, 2));
        check("ab  ", 3, (0, 3));
    }
}
