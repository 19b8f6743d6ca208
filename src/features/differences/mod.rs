//! In what two texts cannot say the same, however alike they look.

mod denials;
mod naming;
mod values;
mod wording;

use std::ops::Range;

use crate::features::Features;

/// What differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum What {
    /// Numbers without a common unit, or of one unit.
    Number,
    /// The same number of something else.
    Unit,
    /// Amounts of money, or their currencies.
    Money,
    /// Dates, weekdays, times of day.
    Moment,
    /// People, places, products.
    Name,
    /// Versions, paths, flags, identifiers.
    Code,
    /// One denies what the other says.
    Negation,
    /// First and then, from and to, the other way round.
    Order,
    /// One asks, or only proposes, what the other states.
    Modality,
    /// They take different sides of a known pair of opposites.
    Opposite,
    /// One word stands where the other has another one, in otherwise equal wording.
    Word,
}

/// One difference, with the bytes on each side that show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub what: What,
    pub left: Option<Range<usize>>,
    pub right: Option<Range<usize>>,
}

/// Every difference found; none means that nothing known speaks against the two being one.
#[must_use]
pub fn differences(left: &Features, right: &Features) -> Vec<Difference> {
    if left == right {
        return Vec::new();
    }
    GUARDS.iter().flat_map(|guard| guard(left, right)).collect()
}

/// How many content words of a text are compared one by one.
const MOST_WORDS: usize = 160;

type Guard = fn(&Features, &Features) -> Vec<Difference>;

const GUARDS: &[Guard] = &[
    questions,
    values::amounts,
    values::hours,
    values::one_sided,
    values::moments,
    naming::codes,
    naming::names,
    wording::opposites,
    wording::turned,
    denials::denied,
    denials::conditions,
    denials::refused,
    wording::replaced,
];

fn both(what: What, left: &Range<usize>, right: &Range<usize>) -> Difference {
    Difference {
        what,
        left: Some(left.clone()),
        right: Some(right.clone()),
    }
}

fn questions(left: &Features, right: &Features) -> Vec<Difference> {
    if left.question.is_some() == right.question.is_some() {
        return Vec::new();
    }
    vec![Difference {
        what: What::Modality,
        left: left.question.clone(),
        right: right.question.clone(),
    }]
}
