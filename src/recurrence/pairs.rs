//! Plain opposites: words of which one text says the one where the other says the other.
//!
//! General English, whatever the trade. `features` knows the opposites that denials turn into each
//! other; these are only held apart.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::features::{Features, Word};
use crate::recurrence::stem::stem;

/// One pair a line, both sides with all their words.
const PAIRS: &[(&[&str], &[&str])] = &[
    (&["first", "given"], &["last", "family"]),
    (
        &["left", "remaining", "remain"],
        &["taken", "used", "spent", "gone"],
    ),
    (
        &["grow", "rise", "climb", "increase"],
        &["drain", "shrink", "fall", "drop", "decrease"],
    ),
    (&["find", "found"], &["lose", "lost", "misplace", "missing"]),
    (&["remember", "recall"], &["forget"]),
    (&["earn", "income"], &["spend", "expense", "spending"]),
    (&["win"], &["lose"]),
    (&["arrive", "arrival"], &["depart", "departure"]),
    (&["top"], &["bottom"]),
    (&["front"], &["rear", "behind"]),
    (
        &["additional", "extra", "another"],
        &["replacement", "replace"],
    ),
    (&["join"], &["leave", "quit"]),
    (&["enter", "entrance"], &["exit"]),
    (
        &["lock", "freeze", "block"],
        &["unlock", "unfreeze", "unblock"],
    ),
    (&["easy", "simple"], &["hard", "difficult"]),
    (&["safe"], &["dangerous", "unsafe"]),
    (&["near", "nearby", "nearest"], &["far", "distant"]),
    (&["oldest"], &["newest", "latest"]),
    (
        &["long", "longer", "longest"],
        &["short", "shorter", "shortest"],
    ),
    (&["high", "higher", "highest"], &["low", "lower", "lowest"]),
    (
        &["big", "bigger", "large", "larger", "largest"],
        &["small", "smaller", "smallest", "tiny"],
    ),
    (
        &["alone", "separately", "separate"],
        &["together", "jointly", "single"],
    ),
    (&["day", "daytime"], &["night", "nighttime"]),
    (&["sender"], &["recipient", "receiver"]),
    (&["buyer"], &["seller"]),
    (&["lender"], &["borrower"]),
    (&["deposit"], &["withdraw", "withdrawal"]),
    (&["physical", "plastic"], &["virtual"]),
    (&["domestic"], &["international", "abroad"]),
    (&["estimate", "estimated", "planned"], &["actual"]),
    (&["draft"], &["final"]),
    (&["temporary"], &["permanent"]),
    (&["input"], &["output"]),
    (&["client", "frontend"], &["server", "backend"]),
    (&["read", "reader"], &["write", "writer"]),
    (&["local"], &["remote", "global"]),
    (&["row"], &["column"]),
    (&["upper", "uppercase"], &["lower", "lowercase"]),
    (&["prefix"], &["suffix"]),
    (&["leading"], &["trailing"]),
    (&["horizontal"], &["vertical"]),
    (&["primary", "main"], &["secondary"]),
    (&["parent"], &["child"]),
    (&["source"], &["target", "destination"]),
    (&["even"], &["odd"]),
    (&["strong"], &["weak"]),
    (&["thick"], &["thin"]),
    (&["ask"], &["answer"]),
    (&["teach"], &["learn"]),
    (&["weekday"], &["weekend"]),
    (&["sunrise"], &["sunset"]),
];

/// From a stem to its pairs and sides.
static BY_STEM: LazyLock<HashMap<String, Vec<(usize, bool)>>> = LazyLock::new(|| {
    let mut table: HashMap<String, Vec<(usize, bool)>> = HashMap::new();
    for (at, (one, other)) in PAIRS.iter().enumerate() {
        for (list, side) in [(one, true), (other, false)] {
            for word in *list {
                table.entry(stem(word)).or_default().push((at, side));
            }
        }
    }
    table
});

/// The sides a text takes: the place of the pair, and which side; none where it says both.
pub(crate) fn sides(features: &Features) -> Vec<(usize, bool)> {
    let said = features.words.iter().filter(|word: &&Word| !word.denied);
    let mut sides: Vec<(usize, bool)> = said
        .filter_map(|word| BY_STEM.get(&stem(&word.lower)))
        .flatten()
        .copied()
        .collect();
    sides.sort_unstable();
    sides.dedup();
    let both: Vec<usize> = sides
        .iter()
        .filter(|(at, side)| *side && sides.contains(&(*at, false)))
        .map(|(at, _)| *at)
        .collect();
    sides.retain(|(at, _)| !both.contains(at));
    sides
}

/// Whether one text takes the one side where the other takes the other.
pub(crate) fn opposed(one: &[(usize, bool)], other: &[(usize, bool)]) -> Option<(String, String)> {
    let (at, side) = one
        .iter()
        .find(|(at, side)| other.contains(&(*at, !*side)))?;
    let (left, right) = PAIRS.get(*at)?;
    let named = |list: &[&str]| list.first().copied().unwrap_or_default().to_owned();
    let (left, right) = (named(left), named(right));
    Some(if *side { (left, right) } else { (right, left) })
}

#[cfg(test)]
mod tests {
    use super::{opposed, sides};

    fn check(one: &str, other: &str, apart: bool) {
        let of = |text| sides(&crate::features::of(text));
        assert_eq!(
            opposed(&of(one), &of(other)).is_some(),
            apart,
            "{one} / {other}"
        );
        assert_eq!(
            opposed(&of(other), &of(one)).is_some(),
            apart,
            "{other} / {one}"
        );
    }

    #[test]
    fn one_side_is_not_the_other() {
        check("use the first name", "use the last name", true);
        check("the days I have left", "the days I have taken", true);
        check("from the first to the last", "the first", false);
        check("the queue grows", "the queue is long", false);
    }
}
