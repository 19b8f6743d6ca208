//! Patterns held against the groups that the detector of today would make of the same wordings.
//!
//! What it would join or part is shown and entered. Nothing is moved: what a person approved keeps
//! its words and the people behind it, whatever a later detector thinks of them.

use crate::desk::{Desk, DeskError};
use crate::domain::pattern::LinkKind;
use crate::domain::{EntrySeq, PatternId};
use crate::recurrence::Lines;
use crate::store::regroup::{Difference, NewRegroup, Standing};
use std::collections::{BTreeMap, BTreeSet};

/// How many wordings are compared at most.
const COMPARED: usize = 200_000;
/// How many differences are kept at most.
const KEPT: usize = 2_000;

/// What comparing came to.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Regrouped {
    /// Wordings compared.
    pub wordings: u64,
    /// Pairs of patterns that would be one.
    pub merges: u64,
    /// Wordings that would leave their pattern.
    pub splits: u64,
    /// The entry that says so.
    pub entry: EntrySeq,
}

impl Desk {
    /// Holds every pattern against the groups of today, and enters what differs.
    ///
    /// # Errors
    /// The store cannot be read or written.
    pub fn compare_groups(&self) -> Result<Regrouped, DeskError> {
        let standing = self.store.standing_wordings(COMPARED)?;
        let mut differences = Vec::new();
        for layer in standing.chunk_by(|one, other| one.layer == other.layer) {
            differences.extend(differing(layer));
        }
        differences.truncate(KEPT);
        let count = |kind| {
            let all = differences.iter();
            all.filter(|one| one.kind == kind).count() as u64
        };
        let (merges, splits) = (count(LinkKind::Merge), count(LinkKind::Split));
        let wordings = standing.len() as u64;
        let entry = self.store.keep_regroup(NewRegroup {
            from: self.store.detector_version()?,
            to: crate::recurrence::detector_version(),
            wordings,
            differences,
            at: self.now(),
        })?;
        Ok(Regrouped {
            wordings,
            merges,
            splits,
            entry,
        })
    }

    /// Whether another detector than this one worked here last.
    pub(in crate::desk) fn is_of_another_version(&self) -> Result<bool, DeskError> {
        let now = crate::recurrence::detector_version().to_string();
        let known = self.store.detector_version()?;
        Ok(known.is_some_and(|known| known != now))
    }
}

/// What the groups of today do to the patterns of one layer.
fn differing(standing: &[Standing]) -> Vec<Difference> {
    let Some(first) = standing.first() else {
        return Vec::new();
    };
    let wordings: Vec<(&str, u64)> = standing
        .iter()
        .map(|one| (one.text.as_str(), one.count))
        .collect();
    let groups = crate::recurrence::regroup(Lines::SHIPPED, &first.layer, &wordings);
    let mut inside: BTreeMap<usize, BTreeMap<PatternId, &Standing>> = BTreeMap::new();
    let mut of: BTreeMap<PatternId, BTreeMap<usize, (u64, &Standing)>> = BTreeMap::new();
    for (one, group) in standing.iter().zip(&groups) {
        inside
            .entry(*group)
            .or_default()
            .entry(one.pattern)
            .or_insert(one);
        let part = of.entry(one.pattern).or_default();
        part.entry(*group).or_insert((0, one)).0 += one.count;
    }
    let mut found = Vec::new();
    let mut paired = BTreeSet::new();
    for patterns in inside.values() {
        let mut all = patterns.values();
        let Some(least) = all.next() else { continue };
        for other in all {
            if paired.insert((least.pattern, other.pattern)) {
                found.push(link(LinkKind::Merge, least, other, Some(other.pattern)));
                found.push(link(LinkKind::Merge, other, least, Some(least.pattern)));
            }
        }
    }
    for parts in of.values() {
        let most = parts.values().max_by_key(|(count, _)| *count);
        let Some((_, stays)) = most else { continue };
        for (_, leaves) in parts.values().filter(|(_, one)| one.text != stays.text) {
            found.push(link(LinkKind::Split, leaves, stays, None));
        }
    }
    found
}

fn link(kind: LinkKind, one: &Standing, with: &Standing, other: Option<PatternId>) -> Difference {
    Difference {
        kind,
        pattern: one.pattern,
        other,
        text: one.text.clone(),
        with: with.text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::differing;
    use crate::domain::pattern::LinkKind;
    use crate::domain::{Layer, PatternId};
    use crate::store::regroup::Standing;

    fn standing(pattern: i64, text: &str) -> Standing {
        Standing {
            layer: Layer::parse("acme").unwrap(),
            pattern: PatternId(pattern),
            text: text.to_owned(),
            count: 1,
        }
    }

    fn check(list: &[(i64, &str)], expected: &[(LinkKind, i64)]) {
        let list: Vec<Standing> = list.iter().map(|(id, text)| standing(*id, text)).collect();
        let found: Vec<(LinkKind, i64)> = differing(&list)
            .into_iter()
            .map(|one| (one.kind, one.pattern.0))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_would_be_joined_and_what_would_leave_is_named() {
        let refund = "refunds are paid within 5 working days";
        let other = "the lift in the berlin office is broken";
        check(&[(1, refund), (2, other)], &[]);
        check(
            &[(1, refund), (2, "Refunds are paid within 5 working days!")],
            &[(LinkKind::Merge, 1), (LinkKind::Merge, 2)],
        );
        check(&[(1, refund), (1, other)], &[(LinkKind::Split, 1)]);
    }
}
