//! Filling rows with the parts of a text that are never cut: graphemes, blanks, tokens.
//!
//! Knows widths and where a row may break; not what a finding is, and not how pieces came about.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

use crate::text::class::{Class, class};
use crate::text::visible::{BLANK, MOST_COLUMNS, Piece, PieceKind, TAB, columns};
use crate::text::wrap::{Line, Run};

/// Fills rows in one pass: a word is held back only until it is known to fit or to be too wide
/// for any row, so the work is linear in what is shown.
pub(crate) struct Layout<'a> {
    most: usize,
    rows: Vec<Line>,
    row: Line,
    column: usize,
    /// The spaces before the word, not drawn yet.
    gap: Range<usize>,
    word: Vec<Unit<'a>>,
    word_columns: usize,
    /// The word is too wide for any row and is drawn as it comes.
    overlong: bool,
}

impl<'a> Layout<'a> {
    pub(crate) fn new(most: usize) -> Self {
        Layout {
            most,
            rows: Vec::new(),
            row: Line {
                runs: Vec::new(),
                number: 1,
            },
            column: 0,
            gap: 0..0,
            word: Vec::new(),
            word_columns: 0,
            overlong: false,
        }
    }

    pub(crate) fn piece(&mut self, piece: &'a Piece) {
        match piece.kind {
            PieceKind::Plain => clusters(&piece.shown, piece.raw.start)
                .into_iter()
                .for_each(|unit| self.unit(unit)),
            PieceKind::Named if is_blanks(&piece.shown) => {
                piece.raw.clone().for_each(|at| self.unit(blank(at)));
            }
            PieceKind::Named => self.token(piece),
            PieceKind::Break => self.line_feed(piece),
        }
    }

    fn unit(&mut self, unit: Unit<'a>) {
        if unit.kind == PieceKind::Plain && unit.shown == " " {
            self.space(&unit.raw);
        } else if self.overlong {
            self.place(&unit);
        } else {
            self.word_columns += unit.columns;
            self.word.push(unit);
            if self.word_columns > self.most {
                self.start_overlong();
            }
        }
    }

    /// A tab is a word of its own, any other token a part of the word that it stands in.
    fn token(&mut self, piece: &'a Piece) {
        let is_tab = piece.shown.starts_with(TAB);
        if is_tab {
            self.end_word();
        }
        self.unit(Unit {
            raw: piece.raw.clone(),
            shown: &piece.shown,
            kind: PieceKind::Named,
            columns: piece.width(),
        });
        if is_tab {
            self.end_word();
        }
    }

    fn space(&mut self, raw: &Range<usize>) {
        self.end_word();
        if self.gap.is_empty() {
            self.gap = raw.clone();
        } else {
            self.gap.end = raw.end;
        }
    }

    fn line_feed(&mut self, piece: &Piece) {
        self.end_word();
        self.draw_gap();
        self.row.runs.push(Run {
            raw: piece.raw.clone(),
            shown: String::new(),
            kind: PieceKind::Break,
        });
        self.next_row();
        self.row.number += 1;
    }

    pub(crate) fn finish(mut self) -> Vec<Line> {
        self.end_word();
        self.draw_gap();
        self.rows.push(self.row);
        self.rows
    }

    fn end_word(&mut self) {
        let columns = std::mem::take(&mut self.word_columns);
        if std::mem::take(&mut self.overlong) || self.word.is_empty() {
            return;
        }
        if self.column + self.gap.len() + columns <= self.most {
            self.draw_gap();
        } else {
            self.break_gap();
            if self.column + columns > self.most {
                self.next_row();
            }
        }
        self.place_word();
    }

    fn start_overlong(&mut self) {
        self.overlong = true;
        let first = self
            .word
            .first()
            .map_or(0, |unit| unit.columns.min(self.most));
        if self.column + self.gap.len() + first <= self.most {
            self.draw_gap();
        } else {
            self.break_gap();
        }
        self.place_word();
    }

    fn place_word(&mut self) {
        for unit in std::mem::take(&mut self.word) {
            self.place(&unit);
        }
    }

    /// The gap lies inside a row and is drawn as the spaces it is.
    fn draw_gap(&mut self) {
        for at in std::mem::take(&mut self.gap) {
            self.place(&plain(" ", at, 1));
        }
    }

    /// The gap lies at a break: one space is the break, more are drawn.
    fn break_gap(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        if gap.len() == 1 && self.column > 0 {
            self.row.runs.push(Run {
                raw: gap,
                shown: String::new(),
                kind: PieceKind::Break,
            });
            self.next_row();
        } else {
            gap.for_each(|at| self.place(&blank(at)));
        }
    }

    fn place(&mut self, unit: &Unit<'_>) {
        if unit.columns > self.most {
            return self.place_parted(unit);
        }
        if self.column + unit.columns > self.most {
            self.next_row();
        }
        self.column += unit.columns;
        match self.row.runs.last_mut() {
            Some(last) if continues(last, unit) => {
                last.raw.end = unit.raw.end;
                last.shown.push_str(unit.shown);
            }
            _ => self.row.runs.push(unit.run()),
        }
    }

    /// A token wider than a row (they are ASCII): its first letter carries the raw bytes.
    fn place_parted(&mut self, unit: &Unit<'_>) {
        let mut raw = unit.raw.clone();
        let mut buffer = [0; 4];
        for c in unit.shown.chars() {
            self.place(&Unit {
                raw: raw.clone(),
                shown: c.encode_utf8(&mut buffer),
                kind: unit.kind,
                columns: c.width().unwrap_or(0),
            });
            raw.start = raw.end;
        }
    }

    fn next_row(&mut self) {
        let next = Line {
            runs: Vec::new(),
            number: self.row.number,
        };
        self.rows.push(std::mem::replace(&mut self.row, next));
        self.column = 0;
    }
}

/// Plain text runs on, and so do blanks and the letters of a parted token.
fn continues(last: &Run, unit: &Unit<'_>) -> bool {
    let same = last.kind == unit.kind && last.raw.end == unit.raw.start;
    let named = || unit.raw.is_empty() || (is_blanks(&last.shown) && unit.shown == DOT);
    same && (unit.kind == PieceKind::Plain || named())
}

/// What is never parted on a row: a grapheme, a blank, a token.
#[derive(Clone, Debug)]
pub(crate) struct Unit<'a> {
    pub(crate) raw: Range<usize>,
    pub(crate) shown: &'a str,
    pub(crate) kind: PieceKind,
    pub(crate) columns: usize,
}

impl Unit<'_> {
    pub(crate) fn run(&self) -> Run {
        Run {
            raw: self.raw.clone(),
            shown: self.shown.to_owned(),
            kind: self.kind,
        }
    }
}

const DOT: &str = "·";

pub(crate) fn is_blanks(shown: &str) -> bool {
    shown.starts_with(BLANK)
}

pub(crate) fn blanks(raw: &Range<usize>) -> Vec<Unit<'static>> {
    raw.clone().map(blank).collect()
}

fn blank(at: usize) -> Unit<'static> {
    Unit {
        raw: at..at + 1,
        shown: DOT,
        kind: PieceKind::Named,
        columns: 1,
    }
}

/// Graphemes, except that one too wide for any row is parted into bases with their marks.
pub(crate) fn clusters(shown: &str, start: usize) -> Vec<Unit<'_>> {
    let mut units = Vec::with_capacity(shown.len());
    if shown.is_ascii() {
        let letters = shown.split_inclusive(|_| true).enumerate();
        units.extend(letters.map(|(at, letter)| plain(letter, start + at, 1)));
        return units;
    }
    for (at, grapheme) in shown.grapheme_indices(true) {
        let columns = columns(grapheme);
        if columns <= MOST_COLUMNS {
            units.push(plain(grapheme, start + at, columns));
        } else {
            part(grapheme, start + at, &mut units);
        }
    }
    units
}

fn part<'a>(grapheme: &'a str, start: usize, units: &mut Vec<Unit<'a>>) {
    let is_base = |c: char| !matches!(class(c), Class::Mark | Class::Jamo);
    let mut rest = grapheme;
    let mut at = start;
    while !rest.is_empty() {
        let next = rest.char_indices().skip(1).find(|&(_, c)| is_base(c));
        let (unit, tail) = rest.split_at(next.map_or(rest.len(), |(at, _)| at));
        let columns = unit.chars().filter_map(UnicodeWidthChar::width).sum();
        units.push(plain(unit, at, columns));
        at += unit.len();
        rest = tail;
    }
}

fn plain(shown: &str, at: usize, columns: usize) -> Unit<'_> {
    Unit {
        raw: at..at + shown.len(),
        shown,
        kind: PieceKind::Plain,
        columns,
    }
}
