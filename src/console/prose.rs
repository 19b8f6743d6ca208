//! Exact text on rows of a width: every byte on one row, what is objected to marked under the words.
//!
//! Knows wrapping and marks, no colours. Built once for a text, a width and its marks, then kept.

use crate::domain::{Finding, Severity, Span};
use crate::text::visible::{Piece, PieceKind, Visible, visible};
use crate::text::wrap::Line;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::rc::Rc;
use unicode_width::UnicodeWidthStr;

/// What a stretch of a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Paint {
    Plain,
    /// A character that is named instead of drawn.
    Token,
    Finding(Severity),
    Unsupported,
    Cited,
    Added,
    Removed,
}

/// A stretch of the text that is pointed at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Mark {
    pub(crate) range: Range<usize>,
    pub(crate) paint: Paint,
    /// What is said of it under the words; empty for nothing.
    pub(crate) label: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) parts: Vec<(String, Paint)>,
    /// The bytes this row shows; none for a row of marks.
    pub(crate) raw: Option<Range<usize>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Prose {
    pub(crate) rows: Vec<Row>,
    /// How many rows hold text.
    pub(crate) lines: usize,
    pub(crate) length: usize,
    pub(crate) hidden: usize,
}

/// The text as it is shown, line feeds kept: what may be copied.
pub(crate) fn shown(text: &str) -> String {
    let piece = |piece: Piece| match piece.kind {
        PieceKind::Break => "\n".to_owned(),
        PieceKind::Plain | PieceKind::Named => piece.shown,
    };
    visible(text).pieces.into_iter().map(piece).collect()
}

impl Prose {
    pub(crate) fn build(text: &str, columns: u16, escaped: bool, marks: &[Mark]) -> Self {
        let seen = visible(text);
        let hidden = seen.hidden;
        let seen = if escaped { by_number(text) } else { seen };
        let ranges: Vec<Range<usize>> = marks.iter().map(|mark| mark.range.clone()).collect();
        let lines = seen.wrap(columns);
        let mut rows = Vec::with_capacity(lines.len());
        for (at, line) in lines.iter().enumerate() {
            let next = lines
                .get(at + 1)
                .map_or(usize::MAX, |next| next.raw().start);
            let parts = line.split_at(&ranges);
            let mut drawn = Vec::with_capacity(parts.len());
            for (run, mark) in &parts {
                let marked = mark
                    .and_then(|index| marks.get(index))
                    .map(|mark| mark.paint);
                let paint = match (run.kind, marked) {
                    (PieceKind::Named, _) => Paint::Token,
                    (_, Some(paint)) => paint,
                    _ => Paint::Plain,
                };
                drawn.push((run.shown.clone(), paint));
            }
            rows.push(Row {
                parts: drawn,
                raw: Some(line.raw()),
            });
            rows.extend(mark_rows(line, &ranges, marks, next, usize::from(columns)));
        }
        Self {
            lines: lines.len(),
            rows,
            length: text.len(),
            hidden,
        }
    }

    /// How many of the first rows hold text.
    pub(crate) fn lines_before(&self, row: usize) -> usize {
        self.rows
            .iter()
            .take(row)
            .filter(|row| row.raw.is_some())
            .count()
    }

    /// The bytes that these rows show.
    pub(crate) fn bytes(&self, from: usize, rows: usize) -> Range<usize> {
        let mut shown = self
            .rows
            .iter()
            .skip(from)
            .take(rows)
            .filter_map(|row| row.raw.clone());
        let first = shown.next().unwrap_or(0..0);
        let end = shown.next_back().map_or(first.end, |last| last.end);
        first.start..end
    }
}

/// Marks under the words of one row, and what they say where they end.
fn mark_rows(
    line: &Line,
    ranges: &[Range<usize>],
    marks: &[Mark],
    next: usize,
    columns: usize,
) -> Vec<Row> {
    let mut under: Vec<(usize, usize, usize)> = Vec::new();
    let mut column = 0;
    for (run, mark) in line.split_at(ranges) {
        let width = run.width();
        let labelled = mark.filter(|at| marks.get(*at).is_some_and(|mark| !mark.label.is_empty()));
        if let Some(index) = labelled.filter(|_| width > 0) {
            match under.last_mut() {
                Some((_, end, last)) if *last == index && *end == column => *end += width,
                _ => under.push((column, column + width, index)),
            }
        }
        column += width;
    }
    if under.is_empty() {
        return Vec::new();
    }
    let mut rows = vec![Row {
        parts: Vec::new(),
        raw: None,
    }];
    let mut at = 0;
    for (place, (start, end, index)) in under.iter().enumerate() {
        let Some(mark) = marks.get(*index) else {
            continue;
        };
        let glyph = if mark.paint == Paint::Unsupported {
            "~"
        } else {
            "▔"
        };
        push(&mut rows, 0, &" ".repeat(start - at), Paint::Plain);
        push(&mut rows, 0, &glyph.repeat(end - start), mark.paint);
        at = *end;
        let later = under
            .get(place + 1)
            .is_some_and(|(_, _, later)| said_later(marks, *index, *later));
        if mark.range.end >= next || later {
            continue;
        }
        let room = under
            .get(place + 1)
            .map_or(columns, |(next, _, _)| *next)
            .saturating_sub(at);
        let width = mark.label.width();
        if width + 2 <= room {
            push(&mut rows, 0, " ", Paint::Plain);
            push(&mut rows, 0, &mark.label, mark.paint);
            at += width + 1;
        } else {
            let indent = (*start).min(columns.saturating_sub(width + 2));
            rows.push(Row {
                parts: vec![(" ".repeat(indent), Paint::Plain)],
                raw: None,
            });
            let last = rows.len() - 1;
            push(&mut rows, last, "└ ", mark.paint);
            push(
                &mut rows,
                last,
                &crate::text::line_within(&mark.label, columns - 2),
                mark.paint,
            );
        }
    }
    rows
}

/// Whether the next mark on the row says the same, so that saying it once is enough.
fn said_later(marks: &[Mark], this: usize, later: usize) -> bool {
    let label = |at: usize| marks.get(at).map(|mark| mark.label.as_str());
    this == later || label(this) == label(later)
}

fn push(rows: &mut [Row], at: usize, text: &str, paint: Paint) {
    if let Some(row) = rows.get_mut(at)
        && !text.is_empty()
    {
        row.parts.push((text.to_owned(), paint));
    }
}

/// Every character outside plain ASCII by its number, line feeds named and broken at.
fn by_number(text: &str) -> Visible {
    let mut pieces = Vec::new();
    for (at, c) in text.char_indices() {
        let raw = at..at + c.len_utf8();
        match c {
            ' '..='~' => pieces.push(Piece {
                raw,
                shown: c.to_string(),
                kind: PieceKind::Plain,
            }),
            _ => {
                let name = format!("<{}>", crate::text::names::name(c));
                let end = raw.end;
                pieces.push(Piece {
                    raw,
                    shown: name,
                    kind: PieceKind::Named,
                });
                if c == '\n' {
                    pieces.push(Piece {
                        raw: end..end,
                        shown: String::new(),
                        kind: PieceKind::Break,
                    });
                }
            }
        }
    }
    Visible { pieces, hidden: 0 }
}

/// Marks for what the gate objects to and for words that no source holds.
pub(crate) fn marks(findings: &[Finding], unsupported: &[Span]) -> Vec<Mark> {
    let mut marks: Vec<Mark> = findings
        .iter()
        .filter_map(|finding| {
            Some(Mark {
                range: finding.span?.range(),
                paint: Paint::Finding(finding.severity),
                label: crate::console::words::spaced(finding.class.as_str()),
            })
        })
        .collect();
    marks.sort_by_key(|mark| match mark.paint {
        Paint::Finding(severity) => std::cmp::Reverse(severity),
        _ => std::cmp::Reverse(Severity::Info),
    });
    marks.extend(unsupported.iter().map(|span| Mark {
        range: span.range(),
        paint: Paint::Unsupported,
        label: "in no source".to_owned(),
    }));
    marks
}

/// Wrapped texts of the last frames; may be thrown away at any time.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    proses: Vec<(u64, Rc<Prose>)>,
}

const MOST_KEPT: usize = 12;

impl Kept {
    pub(crate) fn prose(
        &mut self,
        text: &str,
        columns: u16,
        escaped: bool,
        marks: &[Mark],
    ) -> Rc<Prose> {
        let mut hasher = DefaultHasher::new();
        (text, columns, escaped, marks).hash(&mut hasher);
        let key = hasher.finish();
        if let Some((_, prose)) = self.proses.iter().find(|(kept, _)| *kept == key) {
            return Rc::clone(prose);
        }
        let prose = Rc::new(Prose::build(text, columns, escaped, marks));
        if self.proses.len() >= MOST_KEPT {
            self.proses.remove(0);
        }
        self.proses.push((key, Rc::clone(&prose)));
        prose
    }
}

#[cfg(test)]
mod tests {
    use super::{Mark, Paint, Prose, shown};
    use crate::domain::Severity;

    fn rows(text: &str, columns: u16, escaped: bool, marks: &[Mark]) -> Vec<String> {
        let prose = Prose::build(text, columns, escaped, marks);
        prose
            .rows
            .iter()
            .map(|row| row.parts.iter().map(|(s, _)| s.as_str()).collect())
            .collect()
    }

    fn mark(range: std::ops::Range<usize>, label: &str) -> Mark {
        Mark {
            range,
            paint: Paint::Finding(Severity::Quarantine),
            label: label.to_owned(),
        }
    }

    #[test]
    fn t13_a_tab_under_a_finding_is_an_arrow_padded_to_its_stop_and_marked_as_wide() {
        let found = rows("a\tb", 40, false, &[mark(1..2, "tab")]);
        assert_eq!(found, ["a→  b", " ▔▔▔ tab"]);
    }

    #[test]
    fn t7_marks_stand_under_the_named_character_not_beside_it() {
        let found = rows(
            "pay\u{202e}x now",
            40,
            false,
            &[mark(3..6, "invisible text")],
        );
        assert_eq!(
            found,
            ["pay<U+202E RLO>x now", "   ▔▔▔▔▔▔▔▔▔▔▔▔ invisible text"]
        );
    }

    #[test]
    fn labels_without_room_stand_on_a_row_of_their_own() {
        let found = rows(
            "one two three",
            14,
            false,
            &[mark(0..3, "authority"), mark(4..7, "bypass")],
        );
        assert_eq!(
            found,
            ["one two three", "▔▔▔ ▔▔▔", "└ authority", "    └ bypass"]
        );
    }

    #[test]
    fn t1_every_byte_lies_on_exactly_one_row_also_when_escaped() {
        let text = "a\u{e9}\u{200b} b\n\n  c\u{1f600}".repeat(40);
        for escaped in [false, true] {
            let prose = Prose::build(&text, 20, escaped, &[mark(3..9, "x")]);
            let mut at = 0;
            for row in prose.rows.iter().filter_map(|row| row.raw.clone()) {
                assert_eq!(row.start, at);
                at = row.end;
            }
            assert_eq!(at, text.len());
            assert_eq!(prose.bytes(0, usize::MAX), 0..text.len());
        }
    }

    #[test]
    fn t15_what_is_copied_is_the_visible_form() {
        assert_eq!(
            shown("a\u{1b}[31m\nb\u{202e}"),
            "a<U+1B ESC>[31m\nb<U+202E RLO>"
        );
    }
}
