//! Which wording stands for a pattern: one that somebody really used, never one made up.

use std::cmp::Reverse;

use crate::domain::pattern::Wording;
use crate::recurrence::reading::Reading;
use crate::recurrence::score::Likeness;

/// The place of the most central wording: the one that is most like all others, each counted as
/// often as it was said. Ties go to the most frequent, then the shortest in characters, then the
/// first in order of its bytes. Reads at most the first `MOST_READ`. `None` of nothing.
#[must_use]
pub fn central(wordings: &[Wording]) -> Option<usize> {
    let readings: Vec<Reading> = wordings
        .iter()
        .take(MOST_READ)
        .map(|wording| Reading::of(&wording.text))
        .collect();
    let counted = || readings.iter().zip(wordings);
    let nearness = |reading: &Reading| -> f64 {
        let near = |(there, wording): (&Reading, &Wording)| {
            f64::from(Likeness::of(reading, there).score()) * wording.count as f64
        };
        counted().map(near).sum()
    };
    let order = |wording: &Wording| {
        (
            Reverse(wording.count),
            wording.text.chars().count(),
            wording.text.clone(),
        )
    };
    let measured: Vec<(usize, f64, &Wording)> = counted()
        .enumerate()
        .map(|(place, (reading, wording))| (place, nearness(reading), wording))
        .collect();
    measured
        .into_iter()
        .min_by(|one, other| {
            other
                .1
                .total_cmp(&one.1)
                .then_with(|| order(one.2).cmp(&order(other.2)))
        })
        .map(|(place, ..)| place)
}

/// Comparing all with all costs the square.
const MOST_READ: usize = 100;

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

    #[test]
    fn the_wording_most_like_the_others_stands_for_them() {
        check(
            &[
                ("lint b4 commit", 1),
                ("run the linter before you commit", 1),
                ("always run the linter before you commit", 1),
                ("please run the linter before you commit it", 1),
            ],
            Some("run the linter before you commit"),
        );
    }
}
