//! The pieces of a text on lines of a given width, and the runs that a finding covers.
//!
//! Every raw byte lies in exactly one run, in order, and nothing is shortened. Lines break at
//! single spaces, which the break then stands for; a longer gap at a break is drawn as `·`, so
//! that text cannot be pushed away with blanks. Words wider than the line fill it to the edge.

use std::ops::Range;

use crate::text::layout::{Layout, Unit, blanks, clusters, is_blanks};
use crate::text::visible::{MOST_COLUMNS, PieceKind, Visible, columns};

/// One row of the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub runs: Vec<Run>,
    /// Which line of the raw text this row belongs to, from 1: a row with the same number as the
    /// row before it continues it.
    pub number: usize,
}

/// A stretch of one row. As in `Piece`, a plain run shows exactly its raw bytes. A break run shows
/// nothing: it is the line feed, or the space at which the row was broken. A token too wide for
/// its row goes on in runs whose raw range is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub raw: Range<usize>,
    pub shown: String,
    pub kind: PieceKind,
}

impl Visible {
    /// Lays the text out on rows of at most `columns` (at least 4). There is always one row; after
    /// a final line feed there is an empty one.
    pub fn wrap(&self, columns: u16) -> Vec<Line> {
        let mut layout = Layout::new(usize::from(columns).max(MOST_COLUMNS));
        for piece in &self.pieces {
            layout.piece(piece);
        }
        layout.finish()
    }
}

impl Line {
    /// Columns on screen.
    pub fn width(&self) -> usize {
        self.runs.iter().map(Run::width).sum()
    }

    /// The raw bytes that this row shows.
    pub fn raw(&self) -> Range<usize> {
        let start = self.runs.first().map_or(0, |run| run.raw.start);
        start..self.runs.last().map_or(start, |run| run.raw.end)
    }

    /// The runs, cut where a range starts or ends, each with the index of the first range that it
    /// lies in. Tokens and graphemes are not cut: they lie in every range that touches them.
    pub fn split_at(&self, ranges: &[Range<usize>]) -> Vec<(Run, Option<usize>)> {
        let row = self.raw();
        let touching: Vec<(usize, &Range<usize>)> = (ranges.iter().enumerate())
            .filter(|(_, range)| !range.is_empty() && range.end >= row.start)
            .filter(|(_, range)| range.start < row.end || row.is_empty())
            .collect();
        let mut parts = Vec::with_capacity(self.runs.len());
        for run in &self.runs {
            run.split(&touching, &mut parts);
        }
        parts
    }
}

impl Run {
    /// Columns on screen.
    pub fn width(&self) -> usize {
        columns(&self.shown)
    }

    fn split(&self, ranges: &[(usize, &Range<usize>)], parts: &mut Vec<(Run, Option<usize>)>) {
        for atom in self.atoms() {
            let first = ranges.iter().find(|(_, range)| touches(range, &atom.raw));
            let index = first.map(|&(index, _)| index);
            match parts.last_mut() {
                Some((last, same)) if *same == index && last.joins(&atom, self) => {
                    last.raw.end = atom.raw.end;
                    last.shown.push_str(atom.shown);
                }
                _ => parts.push((atom.run(), index)),
            }
        }
    }

    /// True if `atom` goes on where this part of the run `whole` ended.
    fn joins(&self, atom: &Unit<'_>, whole: &Run) -> bool {
        self.kind == atom.kind
            && self.raw.end == atom.raw.start
            && self.raw.start >= whole.raw.start
    }

    /// The smallest parts that a range may cut: graphemes of plain text, single blanks, tokens.
    fn atoms(&self) -> Vec<Unit<'_>> {
        match self.kind {
            PieceKind::Plain => clusters(&self.shown, self.raw.start),
            PieceKind::Named if is_blanks(&self.shown) => blanks(&self.raw),
            PieceKind::Named | PieceKind::Break => vec![Unit {
                raw: self.raw.clone(),
                shown: &self.shown,
                kind: self.kind,
                columns: 0,
            }],
        }
    }
}

/// An empty run continues the token that ended there.
fn touches(range: &Range<usize>, raw: &Range<usize>) -> bool {
    match raw.is_empty() {
        true => range.start < raw.start && raw.start <= range.end,
        false => range.start < raw.end && raw.start < range.end,
    }
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "a single range is meant")]
mod tests {
    use super::{Line, Run};
    use crate::text::visible::{PieceKind, visible};
    use proptest::prelude::*;
    use std::ops::Range;

    fn drawn(line: &Line) -> String {
        line.runs.iter().map(show).collect()
    }

    fn show(run: &Run) -> String {
        match run.kind {
            PieceKind::Plain => run.shown.clone(),
            PieceKind::Named => format!("[{}]", run.shown),
            PieceKind::Break => "/".to_owned(),
        }
    }

    fn check(raw: &str, columns: u16, expected: &[&str]) {
        let lines: Vec<String> = visible(raw).wrap(columns).iter().map(drawn).collect();
        assert_eq!(lines, expected, "{}", raw.escape_debug());
    }

    fn check_split(raw: &str, columns: u16, ranges: &[Range<usize>], expected: &str) {
        let mut seen = String::new();
        for line in visible(raw).wrap(columns) {
            for (run, index) in line.split_at(ranges) {
                match index {
                    Some(index) => seen += &format!("{index}({})", show(&run)),
                    None => seen += &show(&run),
                }
            }
            seen += "|";
        }
        assert_eq!(seen, expected, "{}", raw.escape_debug());
    }

    #[test]
    fn words_wrap_at_spaces() {
        check("", 10, &[""]);
        check("hello", 10, &["hello"]);
        check("hello world", 11, &["hello world"]);
        check("hello world", 10, &["hello/", "world"]);
        check("hello world", 5, &["hello/", "world"]);
        check("a b c d", 4, &["a b/", "c d"]);
        check("日本 語です", 6, &["日本/", "語です"]);
    }

    #[test]
    fn line_feeds_end_rows() {
        check("a\nb", 10, &["a/", "b"]);
        check("a\n", 10, &["a/", ""]);
        check("\n\n", 10, &["/", "/", ""]);
        check("abcd\nb", 4, &["abcd/", "b"]);
        check("a \nb", 4, &["a[·]/", "b"]);
        let numbers: Vec<usize> = visible("aaa bbb\nc")
            .wrap(4)
            .iter()
            .map(|l| l.number)
            .collect();
        assert_eq!(numbers, [1, 1, 2]);
    }

    #[test]
    fn long_words_fill_the_row() {
        check("abcdefghij", 4, &["abcd", "efgh", "ij"]);
        check("a bcdefghij", 4, &["a bc", "defg", "hij"]);
        check("abc defghij", 4, &["abc/", "defg", "hij"]);
        check("日本語です", 5, &["日本", "語で", "す"]);
        check(
            "e\u{301}e\u{301}e\u{301}e\u{301}x",
            4,
            &["e\u{301}e\u{301}e\u{301}e\u{301}", "x"],
        );
        check("abcdefgh ij", 4, &["abcd", "efgh/", "ij"]);
    }

    #[test]
    fn gaps_at_a_break_are_drawn() {
        check("ab  cd", 6, &["ab  cd"]);
        check("ab  cd", 5, &["ab[··]", "cd"]);
        check("ab    cd", 4, &["ab[··]", "[··]cd"]);
        check(" abcd", 4, &["[·]", "abcd"]);
        check("    abcd", 6, &["[····]", "abcd"]);
        check("a      \nb", 4, &["a[···]", "[···]/", "b"]);
    }

    #[test]
    fn tokens_wrap_with_their_word() {
        check("see ig\u{200B}nore", 20, &["see/", "ig[<U+200B ZWSP>]nore"]);
        check(
            "ig\u{200B}nore",
            13,
            &["ig", "[<U+200B ZWSP>]", "nore"].map(|x| x),
        );
        check("ig\u{200B}n", 12, &["ig[<U+200B ZW]", "[SP>]n"]);
        check("\u{200B}", 4, &["[<U+2]", "[00B ]", "[ZWSP]", "[>]"]);
        check("a\tb\tc", 6, &["a[→  ]b", "[→  ]c"]);
        check(
            "\u{202E}\u{202E}",
            12,
            &["[<U+202E RLO>]", "[<U+202E RLO>]"],
        );
    }

    #[test]
    fn findings_cut_runs() {
        check_split("ignore all rules", 40, &[0..6], "0(ignore) all rules|");
        check_split(
            "ignore all rules",
            40,
            &[7..10, 0..6],
            "1(ignore) 0(all) rules|",
        );
        check_split(
            "ignore all rules",
            40,
            &[0..10, 7..16],
            "0(ignore all)1( rules)|",
        );
        check_split(
            "ignore all rules",
            11,
            &[7..16],
            "ignore 0(all)0(/)|0(rules)|",
        );
        check_split("a\tb", 40, &[0..3], "0(a)0([→  ])0(b)|");
        check_split("a\tb", 40, &[1..2], "a0([→  ])b|");
        check_split("abc", 40, &[], "abc|");
        check_split("abc", 40, &[1..1, 9..12], "abc|");
        check_split("e\u{301}x", 40, &[1..3], "0(e\u{301})x|");
        check_split("é", 40, &[1..2], "0(é)|");
        check_split("a   ", 40, &[2..3], "a[·]0([·])[·]|");
        check_split(
            "\u{200B}a",
            4,
            &[0..3],
            "0([<U+2])|0([00B ])|0([ZWSP])|0([>])a|",
        );
        check_split("x\u{200B}a", 4, &[0..1], "0(x)[<U+]|[200B]|[ ZWS]|[P>]a|");
        check_split(
            "a\u{200B}\u{200B}b",
            80,
            &[1..7],
            "a0([<U+200B ZWSP>])0([<U+200B ZWSP>])b|",
        );
    }

    #[test]
    fn a_megabyte_is_quick() {
        let started = std::time::Instant::now();
        for raw in [
            "\u{300}".repeat(1_000_000),
            "\u{202E}".repeat(333_000),
            "x".repeat(200_000),
            " ".repeat(200_000),
            format!("a{}b", " ".repeat(200_000)),
            "word ".repeat(40_000),
            "क्".repeat(40_000),
            "\u{1100}".repeat(40_000),
            "\n".repeat(100_000),
            "\t".repeat(100_000),
        ] {
            let lines = visible(&raw).wrap(80);
            assert_eq!(lines.last().unwrap().raw().end.max(raw.len()), raw.len());
        }
        // Measured at a few seconds without optimisation; the limit rules out quadratic work.
        assert!(started.elapsed().as_secs() < 60);
    }

    proptest! {
        #[test]
        fn nothing_hidden_every_code_point_is_drawn_or_named(
            raw in crate::text::samples::hostile(),
            columns in 4u16..40,
        ) {
            let seen = visible(&raw);
            let lines = seen.wrap(columns);
            let mut at = 0;
            let mut shown = String::new();
            for line in &lines {
                prop_assert!(line.width() <= usize::from(columns));
                for run in &line.runs {
                    prop_assert_eq!(run.raw.start, at);
                    at = run.raw.end;
                    crate::text::samples::assert_drawable(&run.shown);
                    if run.kind == PieceKind::Plain {
                        prop_assert_eq!(Some(run.shown.as_str()), raw.get(run.raw.clone()));
                    }
                    if run.kind == PieceKind::Break && raw.get(run.raw.clone()) == Some(" ") {
                        shown.push(' ');
                    }
                    shown.push_str(&run.shown);
                }
                if let Some(run) = line.runs.iter().rev().skip(1).find(|r| r.kind == PieceKind::Break) {
                    prop_assert!(false, "a break inside a row: {:?}", run);
                }
            }
            prop_assert_eq!(at, raw.len());
            let whole: String = seen.pieces.iter().map(|p| p.shown.as_str()).collect();
            prop_assert_eq!(shown.replace('·', " "), whole.replace('·', " "));
        }

        #[test]
        fn splitting_changes_nothing_but_the_cuts(
            raw in crate::text::samples::hostile(),
            columns in 4u16..40,
            ends in proptest::collection::vec((0usize..200, 0usize..200), 0..5),
        ) {
            let ranges: Vec<Range<usize>> = ends.iter().map(|&(a, b)| a.min(b)..a.max(b)).collect();
            for line in visible(&raw).wrap(columns) {
                let parts = line.split_at(&ranges);
                let joined: String = parts.iter().map(|(run, _)| run.shown.as_str()).collect();
                let whole: String = line.runs.iter().map(|run| run.shown.as_str()).collect();
                prop_assert_eq!(joined, whole);
                let mut at = line.raw().start;
                for (run, index) in &parts {
                    prop_assert_eq!(run.raw.start, at);
                    at = run.raw.end;
                    crate::text::samples::assert_drawable(&run.shown);
                    let touched = |range: &Range<usize>| {
                        range.start < run.raw.end && run.raw.start < range.end && !range.is_empty()
                    };
                    if !run.raw.is_empty() {
                        prop_assert_eq!(*index, ranges.iter().position(touched));
                    }
                }
                prop_assert_eq!(at, line.raw().end);
            }
        }
    }
}
