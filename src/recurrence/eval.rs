//! How well wordings are grouped, measured on texts whose groups are known: pairs joined rightly,
//! look-alikes joined wrongly, and letters alone beside it.
//!
//! Figures are over pairs of distinct wordings. A look-alike pair is of one family but not of one
//! group: the pairs that resemble each other most and must never meet.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::Layer;
use crate::recurrence::grouper::{Grouper, Lines};
use crate::recurrence::guard::objections;
use crate::recurrence::reading::Reading;
use crate::recurrence::score::Likeness;
use crate::recurrence::signature::{jaccard, triples};

/// A text whose group is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What was said.
    pub text: String,
    /// Where.
    pub layer: Layer,
    /// What it says: equal for texts that say the same, none for those that stand alone.
    pub group: Option<String>,
    /// The texts it looks like.
    pub family: Option<String>,
}

/// How two texts belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kin {
    /// They say the same.
    Same,
    /// They look alike and do not say the same.
    LookAlike,
    /// They have nothing to do with each other.
    Apart,
}

/// What a grouping did to the pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Pairs {
    /// Pairs that say the same.
    pub same: u64,
    /// Pairs that only look alike.
    pub look_alike: u64,
    /// Pairs joined that say the same.
    pub joined_same: u64,
    /// Pairs joined that only look alike.
    pub joined_look_alike: u64,
    /// Pairs joined that have nothing to do with each other.
    pub joined_apart: u64,
    /// Wordings in the largest group.
    pub largest: u64,
}

/// The best recall at or above a precision.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize)]
pub struct Point {
    /// The line at which it is reached.
    pub line: f32,
    /// Joined rightly over joined.
    pub precision: f64,
    /// Joined rightly over all that say the same.
    pub recall: f64,
}

/// One row for each text of each layer, in order.
#[must_use]
pub fn distinct(rows: Vec<Row>) -> Vec<Row> {
    let mut seen = BTreeSet::new();
    rows.into_iter()
        .filter(|row| seen.insert((row.layer.clone(), row.text.clone())))
        .collect()
}

impl Row {
    /// How this text and another belong together.
    #[must_use]
    pub fn kin(&self, other: &Self) -> Kin {
        let equal = |one: &Option<String>, two: &Option<String>| one.is_some() && one == two;
        if equal(&self.group, &other.group) {
            Kin::Same
        } else if equal(&self.family, &other.family) {
            Kin::LookAlike
        } else {
            Kin::Apart
        }
    }
}

impl Pairs {
    /// Counts the pairs of one layer each, by the group that every row was put in.
    #[must_use]
    pub fn of(rows: &[Row], groups: &[usize]) -> Self {
        let mut pairs = Self::default();
        let mut sizes: BTreeMap<usize, u64> = BTreeMap::new();
        let mut rest = rows.iter().zip(groups);
        while let Some((row, group)) = rest.next() {
            let size = sizes.entry(*group).or_default();
            *size += 1;
            pairs.largest = pairs.largest.max(*size);
            for (there, its) in rest.clone().filter(|(there, _)| there.layer == row.layer) {
                pairs.count(row.kin(there), group == its);
            }
        }
        pairs
    }

    fn count(&mut self, kin: Kin, joined: bool) {
        match kin {
            Kin::Same => self.same += 1,
            Kin::LookAlike => self.look_alike += 1,
            Kin::Apart => {}
        }
        let counter = match kin {
            Kin::Same => &mut self.joined_same,
            Kin::LookAlike => &mut self.joined_look_alike,
            Kin::Apart => &mut self.joined_apart,
        };
        *counter += u64::from(joined);
    }

    /// Joined rightly over joined.
    #[must_use]
    pub fn precision(&self) -> f64 {
        share(
            self.joined_same,
            self.joined_same + self.joined_look_alike + self.joined_apart,
        )
    }

    /// Joined rightly over all that say the same.
    #[must_use]
    pub fn recall(&self) -> f64 {
        share(self.joined_same, self.same)
    }

    /// Look-alikes joined over all look-alikes.
    #[must_use]
    pub fn look_alikes_joined(&self) -> f64 {
        share(self.joined_look_alike, self.look_alike)
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// The number of the pattern that each row is put in, in order of arrival.
#[must_use]
pub fn grouped(rows: &[Row], lines: Lines) -> Vec<usize> {
    let mut grouper = Grouper::new(lines, []);
    let mut numbers = BTreeMap::new();
    rows.iter()
        .map(|row| {
            let pattern = grouper.place(&row.layer, &row.text).pattern;
            let next = numbers.len();
            *numbers.entry((row.layer.clone(), pattern)).or_insert(next)
        })
        .collect()
}

/// The baseline: each text goes to the founder whose letter triples it shares most, from a line on.
#[must_use]
pub fn grouped_by_letters(rows: &[Row], line: f32) -> Vec<usize> {
    let mut founders: Vec<(usize, Vec<u32>)> = Vec::new();
    let mut groups = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        let own = triples(&crate::text::folded::key(&row.text));
        let near = |(founder, theirs): &(usize, Vec<u32>)| {
            let there = rows.get(*founder)?;
            let alike = jaccard(&own, theirs);
            (there.layer == row.layer && alike >= line).then_some((alike, *founder))
        };
        let best = founders
            .iter()
            .filter_map(near)
            .max_by(|one, other| one.0.total_cmp(&other.0));
        groups.push(best.map_or(at, |(_, founder)| founder));
        if best.is_none() {
            founders.push((at, own));
        }
    }
    groups
}

/// Pairs by their score, with whether joining them is right.
pub type Scored = Vec<(f32, bool)>;

/// The score of every pair of one layer whose score reaches a floor, with whether it is right:
/// letters alone, and what this room makes of the pair (0 where the guard keeps it apart).
#[must_use]
pub fn scored(rows: &[Row], floor: f32) -> (Scored, Scored) {
    let readings: Vec<Reading> = rows.iter().map(|row| Reading::of(&row.text)).collect();
    let (mut letters, mut ours) = (Vec::new(), Vec::new());
    let mut rest = rows.iter().zip(&readings);
    while let Some((row, reading)) = rest.next() {
        for (there, other) in rest.clone().filter(|(there, _)| there.layer == row.layer) {
            let right = row.kin(there) == Kin::Same;
            let likeness = Likeness::of(reading, other);
            if likeness.letters >= floor {
                letters.push((likeness.letters, right));
            }
            if likeness.score() >= floor && objections(reading, other).is_empty() {
                ours.push((likeness.score(), right));
            }
        }
    }
    (letters, ours)
}

/// The best recall at or above a precision, over all lines.
#[must_use]
pub fn best_at(mut scored: Scored, same: u64, precision: f64) -> Point {
    scored.sort_by(|one, other| other.0.total_cmp(&one.0));
    let (mut right, mut all) = (0_u64, 0_u64);
    let mut best = Point::default();
    let mut rest = scored.iter().peekable();
    while let Some((score, is_right)) = rest.next() {
        right += u64::from(*is_right);
        all += 1;
        let ends = rest.peek().is_none_or(|next| next.0 < *score);
        if ends && share(right, all) >= precision {
            best = Point {
                line: *score,
                precision: share(right, all),
                recall: share(right, same),
            };
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::{Pairs, Row, best_at, distinct, grouped, grouped_by_letters, scored};
    use crate::domain::Layer;
    use crate::recurrence::Lines;

    fn row(text: &str, group: &str, family: &str) -> Row {
        Row {
            text: text.to_owned(),
            layer: Layer::parse("acme").unwrap(),
            group: Some(group.to_owned()),
            family: Some(family.to_owned()),
        }
    }

    fn rows() -> Vec<Row> {
        distinct(vec![
            row("we buy used devices", "buy", "used"),
            row("used devices: we purchase them", "buy", "used"),
            row("we don't buy used devices", "not", "used"),
            row("the lift is broken", "lift", "lift"),
            row("the lift is broken", "lift", "lift"),
        ])
    }

    #[test]
    fn pairs_are_counted_by_kin() {
        let rows = rows();
        assert_eq!(rows.len(), 4);
        let pairs = Pairs::of(&rows, &[0, 0, 0, 0]);
        assert_eq!((pairs.same, pairs.look_alike, pairs.largest), (1, 2, 4));
        assert_eq!(
            (
                pairs.joined_same,
                pairs.joined_look_alike,
                pairs.joined_apart
            ),
            (1, 2, 3)
        );
        assert!((pairs.precision() - 1.0 / 6.0).abs() < 1e-9);
        let pairs = Pairs::of(&rows, &grouped(&rows, Lines::SHIPPED));
        assert!((pairs.precision() - 1.0).abs() < 1e-9, "{pairs:?}");
        assert!((pairs.recall() - 1.0).abs() < 1e-9, "{pairs:?}");
    }

    #[test]
    fn letters_alone_join_what_contradicts() {
        let rows = rows();
        let pairs = Pairs::of(&rows, &grouped_by_letters(&rows, 0.5));
        assert_eq!(pairs.joined_look_alike, 1);
    }

    #[test]
    fn the_best_recall_ends_where_precision_breaks() {
        let point = best_at(
            vec![(0.9, true), (0.8, true), (0.7, false), (0.6, true)],
            4,
            0.9,
        );
        assert_eq!((point.line, point.recall), (0.8, 0.5));
        let (letters, ours) = scored(&rows(), 0.1);
        assert!(letters.len() > ours.len());
    }
}
