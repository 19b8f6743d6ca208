//! One row of the screen, put together from left to right. Every text passes `text` on its way in.
// INVARIANT: (3, nothing hidden) no other code of the console makes a `Span` of a text that came
// from outside; what `Row` takes is drawn or named, and named characters are reversed.

use crate::console::theme::{Ink, Theme};
use crate::text::visible::{PieceKind, Scanner};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// A row that is being filled, and how much room is left.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    theme: &'a Theme,
    spans: Vec<Span<'static>>,
    used: usize,
    most: usize,
}

impl<'a> Row<'a> {
    pub(crate) const fn new(theme: &'a Theme, most: u16) -> Self {
        Self {
            theme,
            spans: Vec::new(),
            used: 0,
            most: most as usize,
        }
    }

    pub(crate) const fn left(&self) -> usize {
        self.most.saturating_sub(self.used)
    }

    pub(crate) const fn used(&self) -> usize {
        self.used
    }

    /// Adds any text, as much of it as there is room for.
    pub(crate) fn put(&mut self, raw: &str, ink: Ink) -> &mut Self {
        let room = self.left();
        self.put_within(raw, ink, room)
    }

    /// Adds any text in at most so many columns, `…` at its end where some is left out.
    pub(crate) fn put_within(&mut self, raw: &str, ink: Ink, columns: usize) -> &mut Self {
        let before = self.used;
        let headless = raw.trim_start_matches(' ');
        self.lead((raw.len() - headless.len()).min(columns), ink);
        let raw = headless;
        let trimmed = raw.trim_end_matches(' ');
        self.scan(trimmed, ink, columns.saturating_sub(self.used - before));
        let room = columns.saturating_sub(self.used - before);
        self.repeat(' ', (raw.len() - trimmed.len()).min(room), ink)
    }

    /// Adds what `text` has made visible already.
    pub(crate) fn ready(&mut self, shown: &str, ink: Ink) -> &mut Self {
        let style = self.theme.of(ink);
        let text = shown.trim_start_matches(' ');
        if style.bg.is_none() && style.add_modifier.is_empty() && text.len() < shown.len() {
            self.gap(shown.len() - text.len());
            return self.ready(text, ink);
        }
        let width: usize = shown.graphemes(true).map(UnicodeWidthStr::width).sum();
        if width <= self.left() && width > 0 {
            self.used += width;
            self.spans.push(Span::styled(shown.to_owned(), style));
        }
        self
    }

    /// Blanks before a text: part of it where it has a ground of its own.
    fn lead(&mut self, columns: usize, ink: Ink) {
        let style = self.theme.of(ink);
        let ground = style.bg.is_some() || style.add_modifier.contains(Modifier::REVERSED);
        let columns = columns.min(self.left());
        if ground && columns > 0 {
            self.spans.push(Span::styled(
                " ".repeat(columns),
                style.remove_modifier(Modifier::BOLD),
            ));
            self.used += columns;
        } else {
            self.gap(columns);
        }
    }

    fn scan(&mut self, raw: &str, ink: Ink, columns: usize) {
        let columns = columns.min(self.left());
        let style = self.theme.of(ink);
        let token = style.patch(self.theme.of(Ink::Token));
        let start = self.spans.len();
        let mut fitted = Fitted {
            parts: Vec::new(),
            used: 0,
            most: columns,
        };
        for piece in Scanner::new(raw) {
            let fits = match piece.kind {
                PieceKind::Plain => piece.shown.graphemes(true).all(|g| fitted.add(g, false)),
                PieceKind::Named => fitted.add(&piece.shown, true),
                PieceKind::Break => fitted.add("⏎", true),
            };
            if !fits {
                fitted.shorten();
                break;
            }
        }
        self.used += fitted.used;
        for (shown, named) in fitted.parts {
            self.span(shown, if named { token } else { style }, start);
        }
    }

    /// Adds text that fills exactly so many columns.
    pub(crate) fn cell(&mut self, raw: &str, ink: Ink, columns: usize) -> &mut Self {
        let end = (self.used + columns).min(self.most);
        self.put_within(raw, ink, columns);
        self.to(end)
    }

    /// The same, at the right end of its columns.
    pub(crate) fn cell_right(&mut self, raw: &str, ink: Ink, columns: usize) -> &mut Self {
        let width = crate::text::line_within(raw, columns).width();
        let pad = columns.saturating_sub(width);
        self.gap(pad);
        self.put_within(raw, ink, columns - pad)
    }

    /// Blank columns up to a column.
    pub(crate) fn to(&mut self, column: usize) -> &mut Self {
        self.gap(column.saturating_sub(self.used))
    }

    /// Blank columns, in the weight of what stands before them.
    pub(crate) fn gap(&mut self, columns: usize) -> &mut Self {
        let columns = columns.min(self.left());
        if columns > 0 {
            let before = self
                .spans
                .last()
                .map_or(self.theme.of(Ink::Dim), |span| span.style);
            let loud = Modifier::REVERSED | Modifier::UNDERLINED;
            let quiet = before.add_modifier.difference(loud);
            let style = Style {
                bg: None,
                add_modifier: quiet,
                ..before
            };
            self.spans.push(Span::styled(" ".repeat(columns), style));
            self.used += columns;
        }
        self
    }

    /// A drawing character, so many times.
    pub(crate) fn repeat(&mut self, glyph: char, columns: usize, ink: Ink) -> &mut Self {
        let columns = columns.min(self.left());
        if columns > 0 {
            let style = self.theme.of(ink);
            self.spans
                .push(Span::styled(glyph.to_string().repeat(columns), style));
            self.used += columns;
        }
        self
    }

    /// The row, its margin told apart from what follows: programs that copy screens keep it then.
    fn line(mut self) -> Line<'static> {
        let blank = |span: &Span<'_>| span.content.trim_matches(' ').is_empty();
        let margin = self.spans.iter().take_while(|span| blank(span)).count();
        let first = self.spans.get(margin).map(|span| span.style);
        let plain = first == Some(Style::default());
        let style = if plain {
            self.theme.of(Ink::Dim)
        } else {
            Style::default()
        };
        for span in self.spans.iter_mut().take(margin) {
            if span.style.bg.is_none() && !span.style.add_modifier.contains(Modifier::REVERSED) {
                span.style = style;
            }
        }
        Line::from(self.spans)
    }

    /// Draws the row at the top of the area.
    pub(crate) fn draw(self, area: Rect, buffer: &mut Buffer) {
        if area.height > 0 {
            buffer.set_line(area.x, area.y, &self.line(), area.width);
        }
    }

    /// Draws the row as the selected one: filled, and with named characters the other way round.
    pub(crate) fn draw_selected(mut self, area: Rect, buffer: &mut Buffer, ink: Ink) {
        self.most = usize::from(area.width);
        self.to(self.most);
        let over = self.theme.of(ink);
        let reversed = over.add_modifier.contains(Modifier::REVERSED);
        let token = self.theme.of(Ink::Token);
        let spans = self.spans.into_iter().map(|span| {
            let blank = span.content.trim_matches(' ').is_empty();
            let named = !token.add_modifier.is_empty()
                && span.style.add_modifier.contains(token.add_modifier);
            let style = match (reversed, named) {
                (true, true) => Style::new()
                    .remove_modifier(Modifier::REVERSED)
                    .add_modifier(Modifier::BOLD),
                (true, false) if blank => Style::new().add_modifier(over.add_modifier),
                (true, false) => Style::new().add_modifier(over.add_modifier | Modifier::BOLD),
                (false, _) => span.style.patch(over),
            };
            Span::styled(span.content, style)
        });
        buffer.set_line(
            area.x,
            area.y,
            &Line::from(spans.collect::<Vec<_>>()),
            area.width,
        );
    }

    /// Joins runs of one style, so that a row is a few spans and not a span a letter.
    fn span(&mut self, shown: String, style: Style, start: usize) {
        let joins = self.spans.len() > start;
        match self.spans.last_mut() {
            Some(last) if joins && last.style == style => last.content.to_mut().push_str(&shown),
            _ => self.spans.push(Span::styled(shown, style)),
        }
    }
}

/// Shown text that grows up to a width.
struct Fitted {
    parts: Vec<(String, bool)>,
    used: usize,
    most: usize,
}

impl Fitted {
    fn add(&mut self, shown: &str, named: bool) -> bool {
        let width = shown.width();
        if self.used + width > self.most {
            return false;
        }
        self.used += width;
        self.parts.push((shown.to_owned(), named));
        true
    }

    fn shorten(&mut self) {
        while self.used + 1 > self.most {
            let Some((gone, _)) = self.parts.pop() else {
                return;
            };
            self.used -= gone.width();
        }
        self.parts.push(("…".to_owned(), false));
        self.used += 1;
    }
}
