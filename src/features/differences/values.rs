//! Amounts and moments: who gives which, and what cannot be one.

use crate::features::Features;
use crate::features::amount::Amount;
use crate::features::differences::{Difference, What, both};
use crate::features::unit::Unit;

/// Numbers that one text has and the other has not, where each has one of its own.
pub(crate) fn amounts(left: &Features, right: &Features) -> Vec<Difference> {
    let (ours, theirs) = unmatched(&left.amounts, &right.amounts, Amount::agrees);
    let clock = |amount: &Amount, other: &Features| {
        other
            .moments
            .iter()
            .any(|moment| amount.is_hour_of(moment.minute) || amount.is_day_of(moment.day))
    };
    let ours: Vec<_> = ours
        .into_iter()
        .filter(|amount| !clock(amount, right))
        .collect();
    let theirs: Vec<_> = theirs
        .into_iter()
        .filter(|amount| !clock(amount, left))
        .collect();
    let labelled = left
        .amounts
        .iter()
        .flat_map(|one| right.amounts.iter().map(move |other| (one, other)));
    let same_label = |one: &Amount, other: &Amount| one.label.is_some() && one.label == other.label;
    let elsewhere = |one: &Amount, others: &[Amount]| {
        others
            .iter()
            .any(|other| same_label(one, other) && one.agrees(other))
    };
    let mut relabelled = labelled.filter(|(one, other)| {
        same_label(one, other)
            && !elsewhere(one, &right.amounts)
            && !elsewhere(other, &left.amounts)
    });
    if let Some((one, other)) = relabelled.next() {
        return vec![both(one.differs_in(other), &one.span, &other.span)];
    }
    let strong = |amounts: &[&Amount]| amounts.iter().any(|amount| !amount.weak);
    if !strong(&ours) && !strong(&theirs) {
        let weak = ours
            .iter()
            .zip(&theirs)
            .filter(|(one, other)| one.unit != Unit::None && other.unit != Unit::None);
        return weak
            .map(|(one, other)| both(What::Number, &one.span, &other.span))
            .collect();
    }
    ours.iter()
        .zip(&theirs)
        .map(|(one, other)| both(one.differs_in(other), &one.span, &other.span))
        .collect()
}

/// A bare hour (`at 2`) beside another time of day.
pub(crate) fn hours(left: &Features, right: &Features) -> Vec<Difference> {
    let clash = |bare: &Features, timed: &Features| {
        let hour = bare
            .amounts
            .iter()
            .find(|it| it.label.as_deref() == Some("at") && it.unit == Unit::None)?;
        let mut times = timed
            .moments
            .iter()
            .filter(|it| it.minute.is_some())
            .peekable();
        let time = times.peek()?.span.clone();
        let differs = bare.moments.iter().all(|it| it.minute.is_none())
            && !times.any(|it| hour.is_hour_of(it.minute));
        differs.then(|| (hour.span.clone(), time))
    };
    let ours = clash(left, right);
    let theirs = clash(right, left).map(|(hour, time)| (time, hour));
    ours.or(theirs)
        .map(|(one, other)| both(What::Moment, &one, &other))
        .into_iter()
        .collect()
}

/// An amount or a moment that only one text gives, where the other gives none at all.
pub(crate) fn one_sided(left: &Features, right: &Features) -> Vec<Difference> {
    let amount = |features: &Features| {
        features
            .amounts
            .iter()
            .find(|it| {
                !it.weak
                    && matches!(
                        it.unit,
                        Unit::Seconds | Unit::Months | Unit::WorkDays | Unit::Money(_)
                    )
            })
            .map(|it| it.span.clone())
    };
    let moment = |features: &Features| {
        features
            .moments
            .iter()
            .find(|it| it.weekday.is_none())
            .map(|it| it.span.clone())
    };
    let bare = |features: &Features| features.amounts.is_empty() && features.moments.is_empty();
    let of = |features: &Features| {
        amount(features)
            .map(|span| (What::Number, span))
            .or_else(|| moment(features).map(|span| (What::Moment, span)))
    };
    match (of(left), of(right)) {
        (Some((what, span)), None) if bare(right) => vec![Difference {
            what,
            left: Some(span),
            right: None,
        }],
        (None, Some((what, span))) if bare(left) => vec![Difference {
            what,
            left: None,
            right: Some(span),
        }],
        _ => Vec::new(),
    }
}

pub(crate) fn unmatched<'a, T>(
    left: &'a [T],
    right: &'a [T],
    agree: fn(&T, &T) -> bool,
) -> (Vec<&'a T>, Vec<&'a T>) {
    let ours = left
        .iter()
        .filter(|one| !right.iter().any(|other| agree(one, other)));
    let theirs = right
        .iter()
        .filter(|one| !left.iter().any(|other| agree(other, one)));
    (ours.collect(), theirs.collect())
}

impl Amount {
    /// Whether the two can be the same amount: equal values, and no unit that differs.
    #[must_use]
    pub fn agrees(&self, other: &Self) -> bool {
        let near =
            |one: f64, two: f64| (one - two).abs() <= 1e-6 * one.abs().max(two.abs()).max(1e-3);
        let ends = match (self.to, other.to) {
            (Some(one), Some(two)) => near(one, two),
            (None, None) => true,
            _ => false,
        };
        match (self.unit, other.unit) {
            (Unit::Months, Unit::Seconds) => self.months_are(other),
            (Unit::Seconds, Unit::Months) => other.months_are(self),
            (one, two) if one == two => near(self.value, other.value) && ends,
            (Unit::None, _) => near(self.value, other.written) && ends,
            (_, Unit::None) => near(self.written, other.value) && ends,
            _ => false,
        }
    }

    /// A month has 28 to 31 days.
    fn months_are(&self, seconds: &Self) -> bool {
        let days = seconds.value / 86_400.0;
        (28.0 * self.value..=31.0 * self.value).contains(&days) && (days >= 28.0)
    }

    fn is_hour_of(&self, minute: Option<u16>) -> bool {
        let hour = minute.map(|minute| f64::from(minute) / 60.0);
        self.unit == Unit::None
            && hour.is_some_and(|hour| hour == self.value || hour == self.value + 12.0)
    }

    fn is_day_of(&self, day: Option<u8>) -> bool {
        self.unit == Unit::None && day.is_some_and(|day| f64::from(day) == self.value)
    }

    fn differs_in(&self, other: &Self) -> What {
        match (self.unit, other.unit) {
            (Unit::Money(_), _) | (_, Unit::Money(_)) => What::Money,
            (one, two) if one != two && self.value == other.value => What::Unit,
            _ => What::Number,
        }
    }
}

pub(crate) fn moments(left: &Features, right: &Features) -> Vec<Difference> {
    let (ours, theirs) = unmatched(
        &left.moments,
        &right.moments,
        crate::features::Moment::agrees,
    );
    let mut out = Vec::new();
    for one in &ours {
        out.extend(
            theirs
                .iter()
                .find(|other| one.meets(other))
                .map(|other| both(What::Moment, &one.span, &other.span)),
        );
    }
    // A date here and a length of time there (`end of the month`, `14 days`) answer one question.
    let length = |features: &Features| {
        features
            .amounts
            .iter()
            .find(|amount| matches!(amount.unit, Unit::Seconds | Unit::Months | Unit::WorkDays))
            .map(|amount| amount.span.clone())
    };
    let ends = |features: &Features| {
        features
            .moments
            .iter()
            .find(|moment| moment.month_end)
            .map(|moment| moment.span.clone())
    };
    for (one, other) in [(ends(left), length(right)), (length(left), ends(right))] {
        if let (Some(one), Some(other)) = (one, other) {
            out.push(both(What::Moment, &one, &other));
        }
    }
    out
}
