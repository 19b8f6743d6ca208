//! Which words of two texts differ, as byte ranges of each, to be marked in both.

use crate::compare::ChangeKind;
use std::ops::Range;

/// What is only in the old text, and what is only in the new one.
pub(crate) fn words(old: &str, new: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    for change in crate::compare::words(old, new) {
        match change.kind {
            ChangeKind::Same => {}
            ChangeKind::Removed => removed.push(change.before),
            ChangeKind::Added => added.push(change.after),
        }
    }
    (removed, added)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn changed_words_are_found_in_both_texts() {
        let (old, new) = ("the old form is accepted", "the new form will be accepted");
        let (removed, added) = words(old, new);
        let cut = |text: &str, ranges: &[std::ops::Range<usize>]| -> Vec<String> {
            ranges
                .iter()
                .filter_map(|range| text.get(range.clone()))
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(cut(old, &removed), ["old", "is"]);
        assert_eq!(cut(new, &added), ["new", "will be"]);
    }
}
