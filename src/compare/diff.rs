//! The comparison itself: pieces in, changes out.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::compare::{Change, ChangeKind, pieces};

/// What changed, word by word.
///
/// A claim of the greatest length takes milliseconds; two of them that share only scattered short
/// words, the worst case, well under a second.
#[must_use]
pub fn words(before: &str, after: &str) -> Vec<Change> {
    changes(&pieces::of_words(before), &pieces::of_words(after))
}

/// What changed, line by line.
#[must_use]
pub fn lines(before: &str, after: &str) -> Vec<Change> {
    changes(&pieces::of_lines(before), &pieces::of_lines(after))
}

// The heuristic Myers algorithm bounds its own work without looking at a clock.
fn changes(old: &[&str], new: &[&str]) -> Vec<Change> {
    let length = |pieces: &[&str], range: Range<usize>| -> usize {
        let pieces = pieces.get(range).unwrap_or_default();
        pieces.iter().map(|piece| piece.len()).sum()
    };
    let (mut at_old, mut at_new) = (0, 0);
    let mut out = Joined::default();
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        let removed = length(old, op.old_range());
        let added = length(new, op.new_range());
        if matches!(op, DiffOp::Equal { .. }) {
            out.push(ChangeKind::Same, (at_old, at_new), (removed, added));
        } else {
            out.push(ChangeKind::Removed, (at_old, at_new), (removed, 0));
            out.push(ChangeKind::Added, (at_old + removed, at_new), (0, added));
        }
        at_old += removed;
        at_new += added;
    }
    out.0
}

/// Changes in order, neighbours of one kind joined and empty ones left out.
#[derive(Default)]
struct Joined(Vec<Change>);

impl Joined {
    fn push(&mut self, kind: ChangeKind, places: (usize, usize), lengths: (usize, usize)) {
        let (before, after) = (
            places.0..places.0 + lengths.0,
            places.1..places.1 + lengths.1,
        );
        if before.is_empty() && after.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some(last) if last.kind == kind => {
                last.before.end = before.end;
                last.after.end = after.end;
            }
            _ => self.0.push(Change {
                kind,
                before,
                after,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Change, ChangeKind, lines, words};

    fn within<'a>(text: &'a str, range: &std::ops::Range<usize>) -> &'a str {
        text.get(range.clone()).unwrap()
    }

    /// The change as people write it: `[-removed-]{+added+}`.
    fn drawn(changes: &[Change], before: &str, after: &str) -> String {
        changes
            .iter()
            .map(|change| match change.kind {
                ChangeKind::Same => within(before, &change.before).to_owned(),
                ChangeKind::Removed => format!("[-{}-]", within(before, &change.before)),
                ChangeKind::Added => format!("{{+{}+}}", within(after, &change.after)),
            })
            .collect()
    }

    fn check(before: &str, after: &str, expected: &str) {
        assert_eq!(drawn(&words(before, after), before, after), expected);
    }

    #[test]
    fn words_that_changed_are_told_apart() {
        check("", "", "");
        check("same", "same", "same");
        check("", "new", "{+new+}");
        check("old", "", "[-old-]");
        check(
            "Refunds take 5 days.",
            "Refunds take 15 days.",
            "Refunds take [-5-]{+15+} days.",
        );
        check("not approved", "approved", "[-not -]approved");
        check("a  b", "a b", "a[-  -]{+ +}b");
        check("naïve café", "naïve cafe", "naïve [-café-]{+cafe+}");
    }

    #[test]
    fn lines_that_changed_are_told_apart() {
        let (before, after) = ("a\nb\nc", "a\nB\nc");
        let found = drawn(&lines(before, after), before, after);
        assert_eq!(found, "a\n[-b\n-]{+B\n+}c");
    }

    #[test]
    fn long_texts_are_compared_word_by_word_too() {
        let line = |n: usize| format!("line {n} says the same as ever, ");
        let before: String = (0..2_000).map(line).collect();
        let after = before.replace("line 1000 says", "line 1000 denied");
        let found = words(&before, &after);
        assert_eq!(found.len(), 4);
        assert!(drawn(&found, &before, &after).contains("[-says-]{+denied+}"));
        let other: String = (0..16_000).map(|n| format!("x{n} ")).collect();
        tiles(&words(&before, &other), &before, &other);
        tiles(&words(&other, ""), &other, "");
    }

    fn tiles(changes: &[Change], before: &str, after: &str) {
        let (mut at_before, mut at_after) = (0, 0);
        for change in changes {
            assert_eq!(
                (change.before.start, change.after.start),
                (at_before, at_after)
            );
            (at_before, at_after) = (change.before.end, change.after.end);
            match change.kind {
                ChangeKind::Same => {
                    assert_eq!(within(before, &change.before), within(after, &change.after));
                }
                ChangeKind::Removed => assert!(change.after.is_empty()),
                ChangeKind::Added => assert!(change.before.is_empty()),
            }
        }
        assert_eq!((at_before, at_after), (before.len(), after.len()));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_changes_give_both_texts_back(
            before in "([abc é\u{301}🎉\n]|\\PC){0,40}",
            after in "([abc é\u{301}🎉\n]|\\PC){0,40}",
        ) {
            tiles(&words(&before, &after), &before, &after);
            tiles(&lines(&before, &after), &before, &after);
            prop_assert_eq!(words(&before, &after), words(&before, &after));
        }
    }
}
