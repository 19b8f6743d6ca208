//! Numbers that follow from what is said: sums, rests, halves, sides of a limit.

use crate::evidence::quantity::Pair;
use crate::features::{Amount, Features, Unit};

/// Whether the number follows from what is said: a sum, a half, a limit, a part of a date.
pub(crate) fn follows(
    claim: &Features,
    wanted: &Amount,
    said: &[&Features],
    pairs: &[Pair<'_>],
) -> bool {
    let moments = || said.iter().flat_map(|features| &features.moments);
    let bare = wanted.unit == Unit::None;
    let dated = moments().any(|it| {
        it.day.map(f64::from) == Some(wanted.value) || it.year.map(f64::from) == Some(wanted.value)
    });
    let within = pairs
        .iter()
        .any(|(features, it)| it.unit == wanted.unit && is_within(features, it, wanted.value));
    let half = said
        .iter()
        .any(|features| features.words.iter().any(|word| word.lower == "half"));
    let whole = pairs
        .iter()
        .any(|(_, it)| it.unit == wanted.unit && (it.value - wanted.value * 2.0).abs() < 1e-9);
    // Mondays come once a week.
    let weekly = wanted.weak
        && wanted.unit == Unit::Seconds
        && wanted.value == 604_800.0
        && moments().any(|it| it.weekday.is_some());
    (bare && (dated || wanted.weak))
        || within
        || (half && whole)
        || weekly
        || is_sum(wanted, said)
        || is_difference(claim, wanted, said)
        || is_share(wanted, said)
}

/// The simple sum of two or three numbers that stand side by side, of one kind.
fn is_sum(wanted: &Amount, said: &[&Features]) -> bool {
    said.iter().any(|features| {
        let values: Vec<f64> = features
            .amounts
            .iter()
            .filter(|it| it.unit == wanted.unit && !it.ordinal && it.value > 0.0)
            .map(|it| it.value)
            .take(8)
            .collect();
        let doubled = features
            .words
            .iter()
            .any(|word| matches!(word.root.as_str(), "double") || word.lower == "twice");
        values
            .windows(2)
            .any(|pair| (pair.iter().sum::<f64>() - wanted.value).abs() < 1e-9)
            || values
                .windows(3)
                .any(|three| (three.iter().sum::<f64>() - wanted.value).abs() < 1e-9)
            || (doubled
                && values
                    .iter()
                    .any(|value| (value * 2.0 - wanted.value).abs() < 1e-9))
    }) || {
        let doubled = said.iter().any(|features| {
            features
                .words
                .iter()
                .any(|word| word.lower == "double" || word.lower == "twice")
        });
        doubled
            && said
                .iter()
                .flat_map(|features| &features.amounts)
                .any(|it| it.unit == wanted.unit && (it.value * 2.0 - wanted.value).abs() < 1e-9)
    }
}

/// What is left of a number when others are taken from it, where the claim speaks of a rest or a
/// change: `28 children, 25 forms are back`, so that three have yet to come.
fn is_difference(claim: &Features, wanted: &Amount, said: &[&Features]) -> bool {
    const REST: &[&str] = &[
        "yet",
        "left",
        "remaining",
        "rest",
        "remain",
        "missing",
        "lack",
        "fewer",
        "less",
        "more",
        "short",
        "fell",
        "fallen",
        "rose",
        "risen",
        "dropped",
        "grew",
        "by",
        "other",
        "others",
        "still",
        "difference",
        "than",
    ];
    let speaks = !claim.negations.is_empty()
        || claim
            .words
            .iter()
            .any(|word| REST.contains(&word.lower.as_str()));
    let values: Vec<f64> = said
        .iter()
        .flat_map(|features| &features.amounts)
        .filter(|it| it.unit == wanted.unit && !it.ordinal && it.label.is_none() && it.value > 0.0)
        .map(|it| it.value)
        .take(6)
        .collect();
    let is = |value: f64| (value - wanted.value).abs() < 1e-9;
    speaks
        && wanted.value > 0.0
        && (values.windows(2).any(|pair| matches!(pair, [one, two] if is((one - two).abs())))
            || values.windows(3).any(|three| {
                matches!(three, [one, two, three] if is(one - two - three) || is(two - one - three))
            }))
}

/// Half of something, by the number it is half of.
fn is_share(wanted: &Amount, said: &[&Features]) -> bool {
    wanted.unit == Unit::Percent
        && said.iter().any(|features| {
            features.words.iter().any(|word| {
                (word.lower == "half" && wanted.value == 50.0)
                    || (word.lower == "quarter" && wanted.value == 25.0)
            })
        })
}

/// Whether a value lies on the side of a limit that the evidence speaks of: 500 is more than 350.
pub(crate) fn is_within(features: &Features, limit: &Amount, value: f64) -> bool {
    let before = |back: usize| {
        limit
            .words
            .start
            .checked_sub(back)
            .and_then(|at| features.words.get(at))
            .map_or("", |word| word.lower.as_str())
    };
    match (before(2), before(1)) {
        ("more" | "higher" | "greater" | "longer" | "older", "than") | (_, "above" | "over") => {
            value > limit.value
        }
        ("at", "least") => value >= limit.value,
        ("less" | "fewer" | "lower" | "shorter" | "younger", "than") | (_, "below" | "under") => {
            value < limit.value
        }
        ("at", "most") | ("up", "to") => value <= limit.value,
        _ => false,
    }
}
