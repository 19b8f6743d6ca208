//! What a new claim has to do with one that stands already: the same, another value, the contrary.
//!
//! The same guard that keeps wordings apart answers here; nothing is joined or counted by it.

use crate::domain::known::Relation;
use crate::features::What;
use crate::recurrence::explain::explain;
use crate::recurrence::grouper::Lines;
use crate::recurrence::guard::{Objection, objections};
use crate::recurrence::reading::Reading;
use crate::recurrence::score::Likeness;

/// From here on two texts that object to each other speak of the same thing.
const SAME_SUBJECT: f32 = 0.35;

/// How a claim bears on what stands, and why; nothing where the two have little in common.
#[must_use]
pub fn bearing(claim: &Reading, stands: &Reading) -> Option<(Relation, String)> {
    let lines = Lines::SHIPPED;
    let likeness = Likeness::of(claim, stands);
    let (score, words) = (likeness.score(), likeness.words);
    if score < lines.same || words < SAME_SUBJECT {
        return None;
    }
    let against = objections(claim, stands);
    let relation = if against.is_empty() {
        (words >= lines.words).then_some(Relation::Duplicate)?
    } else if score < SAME_SUBJECT || !against.iter().any(Objection::contradicts) {
        return None;
    } else if against.iter().all(is_value) {
        Relation::Supersedes
    } else {
        Relation::Contradicts
    };
    Some((relation, explain(claim.text(), stands.text()).to_string()))
}

/// Whether it is only that a value is another one.
const fn is_value(objection: &Objection) -> bool {
    match objection {
        Objection::Figure(..)
        | Objection::Words(..)
        | Objection::Surplus
        | Objection::Thin
        | Objection::Asked => true,
        Objection::Feature(difference) => matches!(
            difference.what,
            What::Number | What::Unit | What::Money | What::Moment | What::Code
        ),
        Objection::Denial
        | Objection::Sequence
        | Objection::Party
        | Objection::Extent
        | Objection::Opposed(..)
        | Objection::Force
        | Objection::Undone(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::bearing;
    use crate::domain::known::Relation;
    use crate::recurrence::Reading;

    fn check(claim: &str, stands: &str, expected: Option<Relation>) {
        let found = bearing(&Reading::of(claim), &Reading::of(stands));
        assert_eq!(
            found.as_ref().map(|(relation, _)| *relation),
            expected,
            "{claim} / {stands}: {found:?}"
        );
    }

    #[test]
    fn the_same_another_value_the_contrary_and_something_else_are_told_apart() {
        let stands = "Refunds are paid within 5 working days";
        check(
            "refunds are paid within 5 working days.",
            stands,
            Some(Relation::Duplicate),
        );
        check(
            "Refunds are paid within 9 working days",
            stands,
            Some(Relation::Supersedes),
        );
        check(
            "Refunds are not paid within 5 working days",
            stands,
            Some(Relation::Contradicts),
        );
        check("The lift in the Berlin office is broken", stands, None);
        check(
            "Run the tests before you push",
            "Never run the tests before you push",
            Some(Relation::Contradicts),
        );
    }

    #[test]
    fn the_reason_quotes_both_sides() {
        let (_, why) = bearing(
            &Reading::of("gift cards run out after 12 months"),
            &Reading::of("gift cards run out after 3 years"),
        )
        .unwrap();
        assert!(
            why.contains("12 months") && why.contains("3 years"),
            "{why}"
        );
    }
}
