//! Ready rows that may be longer than the screen: headings, facts, quotes, trees.

use crate::console::draw::Canvas;
use crate::console::prose::{Mark, Prose};
use crate::console::theme::Ink;
use crate::console::views::parts::ink_of;
use crate::console::widgets::pane::row_of;
use crate::console::words;
use crate::text::visible::{PieceKind, visible};
use ratatui::layout::Rect;

/// How wide the labels of facts are.
const LABEL: u16 = 10;

/// Ready rows that may be longer than the screen.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) rows: Vec<Vec<(String, Ink)>>,
    width: u16,
    label: u16,
}

impl Page {
    pub(crate) const fn new(width: u16) -> Self {
        Self {
            rows: Vec::new(),
            width,
            label: LABEL,
        }
    }

    /// The same with room for longer labels.
    pub(crate) const fn with_labels(width: u16, label: u16) -> Self {
        Self {
            rows: Vec::new(),
            width,
            label,
        }
    }

    pub(crate) fn blank(&mut self) {
        if !self.rows.is_empty() {
            self.rows.push(Vec::new());
        }
    }

    pub(crate) fn heading(&mut self, words: &str) {
        self.blank();
        self.wrapped(words, Ink::Title, 0, Vec::new());
    }

    /// A label and a text that goes on under itself.
    pub(crate) fn fact(&mut self, label: &str, text: &str, ink: Ink) {
        let shown = crate::text::line_within(label, usize::from(self.label) - 1);
        let pad = usize::from(self.label).saturating_sub(shown.chars().count());
        let head = vec![(shown, Ink::Dim), (" ".repeat(pad), Ink::Dim)];
        self.wrapped(text, ink, self.label, head);
    }

    pub(crate) fn text(&mut self, text: &str, ink: Ink, indent: u16) {
        self.wrapped(
            text,
            ink,
            indent,
            vec![(" ".repeat(usize::from(indent)), Ink::Dim)],
        );
    }

    /// A text under the labels, with a sign before it.
    pub(crate) fn item(&mut self, sign: &str, sign_ink: Ink, text: &str, ink: Ink) {
        let indent = self.label + 2;
        let margin = " ".repeat(usize::from(self.label));
        let head = vec![
            (margin, Ink::Dim),
            (sign.to_owned(), sign_ink),
            (" ".to_owned(), Ink::Dim),
        ];
        self.wrapped(text, ink, indent, head);
    }

    /// A quoted text with marks under its words.
    pub(crate) fn quote(&mut self, text: &str, marks: &[Mark], gutter: &str) {
        let indent = gutter.chars().count();
        let columns = self
            .width
            .saturating_sub(u16::try_from(indent).unwrap_or(4));
        let prose = Prose::build(text, columns, false, marks);
        for row in prose.rows {
            let mut parts = vec![(gutter.to_owned(), Ink::Rule)];
            parts.extend(
                row.parts
                    .into_iter()
                    .map(|(shown, paint)| (shown, ink_of(paint))),
            );
            self.rows.push(parts);
        }
    }

    fn wrapped(&mut self, text: &str, ink: Ink, indent: u16, head: Vec<(String, Ink)>) {
        let columns = self.width.saturating_sub(indent).max(8);
        let mut head = Some(head);
        for line in visible(text).wrap(columns) {
            let blank = || vec![(" ".repeat(usize::from(indent)), Ink::Dim)];
            let mut parts = head.take().unwrap_or_else(blank);
            parts.extend(line.runs.into_iter().map(|run| match run.kind {
                PieceKind::Named => (run.shown, Ink::Token),
                PieceKind::Plain | PieceKind::Break => (run.shown, ink),
            }));
            self.rows.push(parts);
        }
    }

    /// Draws as much as there is room for, from this row on.
    pub(crate) fn draw(&self, canvas: &mut Canvas<'_>, area: Rect, from: usize) {
        for (at, parts) in self
            .rows
            .iter()
            .skip(from)
            .take(usize::from(area.height))
            .enumerate()
        {
            let place = row_of(area, u16::try_from(at).unwrap_or(u16::MAX));
            let mut row = canvas.row(place.width);
            for (shown, ink) in parts {
                row.ready(shown, *ink);
            }
            row.draw(place, canvas.buffer);
        }
    }

    /// Draws the page as the detail's content: it scrolls, and says where it is.
    pub(crate) fn draw_scrolled(&self, canvas: &mut Canvas<'_>, area: Rect, scroll: usize) {
        let room = usize::from(area.height);
        let most = self.rows.len().saturating_sub(room);
        canvas.drawn.most_scroll = most;
        canvas.drawn.text_rows = room;
        self.draw(canvas, area, scroll.min(most));
        if most > scroll {
            more(canvas, area, self.rows.len() - room - scroll.min(most));
        }
    }
}

/// Says that a page goes on below.
fn more(canvas: &mut Canvas<'_>, area: Rect, rows: usize) {
    let key = canvas.model.keymap.hint(canvas.model.place(), "read_down");
    let text = if key.is_empty() {
        format!(" ↓ {rows} more ")
    } else {
        format!(" ↓ {rows} more · {key} ")
    };
    let width = u16::try_from(text.chars().count())
        .unwrap_or(0)
        .min(area.width);
    let place = Rect {
        x: area.right().saturating_sub(width),
        y: area.bottom().saturating_sub(1),
        width,
        height: 1,
    };
    canvas.say(place, &text, Ink::Advisory);
}

impl Page {
    /// One node of a tree: its branch, its name, and what it says under itself; `guide` goes on
    /// down beside it.
    pub(crate) fn branch(&mut self, branch: &str, guide: &str, name: &str, says: &str) {
        let head = |text: &str| vec![(text.to_owned(), Ink::Rule)];
        self.rows_under(name, Ink::Title, branch, guide, head(branch));
        if !says.is_empty() {
            self.rows_under(says, Ink::Text, guide, guide, head(guide));
        }
    }

    /// A fact of a node.
    pub(crate) fn branch_fact(&mut self, guide: &str, name: &str, value: &str) {
        let name = crate::text::line_within(&words::spaced(name), 14);
        let pad = 14_usize.saturating_sub(name.chars().count());
        let head = format!("{guide}{name}{}", " ".repeat(pad));
        let under = format!("{guide}{}", " ".repeat(14));
        self.rows_under(
            value,
            Ink::Dim,
            &head.clone(),
            &under,
            vec![(head, Ink::Rule)],
        );
    }

    fn rows_under(
        &mut self,
        text: &str,
        ink: Ink,
        head: &str,
        guide: &str,
        first: Vec<(String, Ink)>,
    ) {
        let before = self.rows.len();
        let columns = u16::try_from(head.chars().count()).unwrap_or(0);
        self.wrapped(text, ink, columns, first);
        for row in self.rows.iter_mut().skip(before + 1) {
            if let Some((lead, _)) = row.first_mut() {
                guide.clone_into(lead);
            }
        }
    }
}
