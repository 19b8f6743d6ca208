//! Which words of two texts differ, as byte ranges of each.

use similar::{ChangeTag, TextDiff};
use std::ops::Range;
use std::time::Duration;

/// What is only in the old text, and what is only in the new one.
pub(crate) fn words(old: &str, new: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let diff = TextDiff::configure()
        .timeout(Duration::from_millis(50))
        .diff_words(old, new);
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    let (mut old_at, mut new_at) = (0, 0);
    for change in diff.iter_all_changes() {
        let length = change.value().len();
        match change.tag() {
            ChangeTag::Delete => {
                grow(&mut removed, old_at..old_at + length);
                old_at += length;
            }
            ChangeTag::Insert => {
                grow(&mut added, new_at..new_at + length);
                new_at += length;
            }
            ChangeTag::Equal => {
                old_at += length;
                new_at += length;
            }
        }
    }
    (removed, added)
}

fn grow(ranges: &mut Vec<Range<usize>>, next: Range<usize>) {
    match ranges.last_mut() {
        Some(last) if last.end == next.start => last.end = next.end,
        _ => ranges.push(next),
    }
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
