//! Which wording stands for a pattern: one that somebody really used, never one made up.

use std::cmp::Reverse;

use crate::domain::pattern::Wording;

/// The place of the wording that stands for all: the most frequent, then the shortest in
/// characters, then the first in order of its bytes. `None` of nothing.
#[must_use]
pub fn central(wordings: &[Wording]) -> Option<usize> {
    wordings
        .iter()
        .enumerate()
        .min_by_key(|(_, wording)| {
            let length = wording.text.chars().count();
            (Reverse(wording.count), length, &wording.text)
        })
        .map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::{Wording, central};

    fn check(wordings: &[(&str, u64)], expected: Option<&str>) {
        let mut all: Vec<_> = wordings
            .iter()
            .map(|(text, count)| Wording {
                text: (*text).to_owned(),
                count: *count,
            })
            .collect();
        for _ in 0..all.len().max(1) {
            let found = central(&all).map(|place| all[place].text.as_str());
            assert_eq!(found, expected);
            let step = usize::from(!all.is_empty());
            all.rotate_left(step);
        }
    }

    #[test]
    fn the_most_frequent_then_the_shortest_then_the_first() {
        check(&[], None);
        check(&[("a", 1)], Some("a"));
        check(&[("long one", 3), ("b", 2)], Some("long one"));
        check(&[("long one", 2), ("b", 2), ("c", 1)], Some("b"));
        check(&[("b", 2), ("a", 2)], Some("a"));
    }
}
