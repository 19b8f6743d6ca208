//! Days, months and times of day, in whatever spelling.

use std::ops::Range;

use crate::features::chunk::Shape;
use crate::features::words::Word;

/// A point in time as far as the text names it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Moment {
    pub year: Option<i32>,
    /// From 1.
    pub month: Option<u8>,
    /// Of the month, from 1.
    pub day: Option<u8>,
    /// From Monday, 0.
    pub weekday: Option<u8>,
    /// Minutes after midnight.
    pub minute: Option<u16>,
    /// Whether the hour may be meant before or after noon.
    pub vague: bool,
    /// Whether it is the end of a month.
    pub month_end: bool,
    /// Its bytes in the raw text.
    pub span: Range<usize>,
}

const WEEKDAYS: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];
const SHORT_DAYS: &[&str] = &["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const SHORT_MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

impl Moment {
    /// Whether the two can be the same moment: nothing that both name differs.
    #[must_use]
    pub fn agrees(&self, other: &Self) -> bool {
        fn same<T: PartialEq + Copy>(left: Option<T>, right: Option<T>) -> bool {
            left.is_none() || right.is_none() || left == right
        }
        same(self.year, other.year)
            && same(self.month, other.month)
            && same(self.day, other.day)
            && same(self.weekday, other.weekday)
            && (same(self.minute, other.minute) || self.is_half_a_day_off(other))
            && !(self.month_end && other.day.is_some_and(|day| day < 28))
            && !(other.month_end && self.day.is_some_and(|day| day < 28))
    }

    /// Whether both name something of the same sort, so that they can disagree.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        (self.year.is_some() && other.year.is_some())
            || (self.month.is_some() && other.month.is_some())
            || (self.is_day() && other.is_day())
            || (self.weekday.is_some() && other.weekday.is_some())
            || (self.minute.is_some() && other.minute.is_some())
    }

    fn is_half_a_day_off(&self, other: &Self) -> bool {
        let apart = self
            .minute
            .zip(other.minute)
            .map(|(one, two)| one.abs_diff(two));
        (self.vague || other.vague) && apart == Some(720)
    }

    fn is_day(&self) -> bool {
        self.day.is_some() || self.month_end
    }
}

fn index(table: &[&str], word: &str) -> Option<u8> {
    table
        .iter()
        .position(|name| *name == word)
        .and_then(|at| u8::try_from(at).ok())
}

/// The month a word names, from 1.
pub(crate) fn month(word: &Word) -> Option<u8> {
    // `may` and `march` are verbs too.
    let verb = matches!(word.lower.as_str(), "may" | "march") && word.shape == Shape::Lower;
    if verb {
        return None;
    }
    index(MONTHS, &word.lower)
        .or_else(|| index(SHORT_MONTHS, &word.lower).filter(|_| word.shape != Shape::Lower))
        .map(|at| at + 1)
}

/// The day of the week a word names, from Monday.
pub(crate) fn weekday(word: &Word) -> Option<u8> {
    let single = word.lower.strip_suffix('s').unwrap_or(&word.lower);
    index(WEEKDAYS, single).or_else(|| {
        index(SHORT_DAYS, &word.lower).filter(|_| word.shape == Shape::Capital && !word.first)
    })
}

fn date(year: &str, month: &str, day: &str) -> Option<Moment> {
    let month: u8 = month.parse().ok().filter(|it| (1..=12).contains(it))?;
    let day: u8 = day.parse().ok().filter(|it| (1..=31).contains(it))?;
    Some(Moment {
        year: Some(year.parse().ok()?),
        month: Some(month),
        day: Some(day),
        ..Moment::default()
    })
}

/// `2031-07-15`, perhaps with a time behind it.
pub(crate) fn iso(core: &str) -> Option<Moment> {
    let (day, time) = core.split_once(['T', 't']).unwrap_or((core, ""));
    let parts: Vec<&str> = day.split('-').collect();
    let &[year, month, day] = parts.as_slice() else {
        return None;
    };
    let mut found = date(year, month, day).filter(|_| year.len() == 4 && month.len() == 2)?;
    found.minute = time.get(..5).and_then(clock);
    Some(found)
}

/// `15.07.2031` and `15/07/2031`; where day and month cannot be told apart, the day comes first.
pub(crate) fn dotted(core: &str) -> Option<Moment> {
    let mark = if core.contains('/') { '/' } else { '.' };
    let parts: Vec<&str> = core.split(mark).collect();
    let &[one, two, year] = parts.as_slice() else {
        return None;
    };
    if year.len() != 4 || one.len() > 2 || two.len() > 2 {
        return None;
    }
    date(year, two, one).or_else(|| date(year, one, two))
}

/// `02:00`, `4:30pm`.
pub(crate) fn clock(core: &str) -> Option<u16> {
    let lower = core.to_lowercase();
    let digits = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '.');
    let half = lower.get(digits.len()..).unwrap_or_default();
    let mut parts = digits.split(':');
    let hour: u16 = parts.next()?.parse().ok()?;
    let minute: u16 = parts.next()?.parse().ok()?;
    Some(of_day(hour, half) + minute)
}

/// The minute of the day of an hour, with what is written behind it: `am`, `p.m.`, nothing.
pub(crate) fn of_day(hour: u16, half: &str) -> u16 {
    let hour = match half.bytes().next() {
        Some(b'p') if hour < 12 => hour + 12,
        Some(b'a') if hour == 12 => 0,
        _ => hour,
    };
    hour % 24 * 60
}
