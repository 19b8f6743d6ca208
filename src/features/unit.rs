//! What a number counts: time, money, sizes, with the factor to one base of each kind.

use std::sync::LazyLock;

use crate::features::table::Table;

/// The kind of thing a number measures, in its base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unit {
    /// A bare number.
    None,
    /// Time that has an exact length.
    Seconds,
    /// Months and years.
    Months,
    /// Working or business days.
    WorkDays,
    /// Hundredths of nothing: a share.
    Percent,
    /// An amount of the currency with this code.
    Money(&'static str),
    Bytes,
    Metres,
    Grams,
    Litres,
    Degrees,
    /// How often: once, twice, `3 times`.
    Times,
}

/// Names of units: what is written, the kind, the factor.
const UNITS: &[(&str, Unit, f64)] = &[
    ("millisecond ms", Unit::Seconds, 0.001),
    ("microsecond us µs μs", Unit::Seconds, 0.000_001),
    ("second sec s", Unit::Seconds, 1.0),
    ("minute min", Unit::Seconds, 60.0),
    ("hour hr h", Unit::Seconds, 3600.0),
    ("day d", Unit::Seconds, 86_400.0),
    ("night", Unit::Seconds, 86_400.0),
    ("week wk", Unit::Seconds, 604_800.0),
    ("fortnight", Unit::Seconds, 1_209_600.0),
    ("month", Unit::Months, 1.0),
    ("quarter", Unit::Months, 3.0),
    ("year yr", Unit::Months, 12.0),
    ("decade", Unit::Months, 120.0),
    ("% percent pct", Unit::Percent, 1.0),
    ("€ euro eur", Unit::Money("EUR"), 1.0),
    ("$ dollar usd us$ buck", Unit::Money("USD"), 1.0),
    ("£ pound gbp quid", Unit::Money("GBP"), 1.0),
    ("chf franc", Unit::Money("CHF"), 1.0),
    ("¥ yen jpy", Unit::Money("JPY"), 1.0),
    (
        "crown krona krone kr sek nok dkk",
        Unit::Money("crown"),
        1.0,
    ),
    ("zloty pln", Unit::Money("PLN"), 1.0),
    ("₹ rupee inr", Unit::Money("INR"), 1.0),
    ("cent", Unit::Money("cent"), 1.0),
    ("byte b", Unit::Bytes, 1.0),
    ("kb kilobyte kib", Unit::Bytes, 1e3),
    ("mb megabyte mib", Unit::Bytes, 1e6),
    ("gb gigabyte gib", Unit::Bytes, 1e9),
    ("tb terabyte tib", Unit::Bytes, 1e12),
    ("mm millimetre millimeter", Unit::Metres, 0.001),
    ("cm centimetre centimeter", Unit::Metres, 0.01),
    ("m metre meter", Unit::Metres, 1.0),
    ("km kilometre kilometer", Unit::Metres, 1e3),
    ("mile", Unit::Metres, 1609.344),
    ("µg μg microgram", Unit::Grams, 1e-6),
    ("mg milligram", Unit::Grams, 0.001),
    ("g gram", Unit::Grams, 1.0),
    ("kg kilo kilogram", Unit::Grams, 1e3),
    ("tonne ton", Unit::Grams, 1e6),
    ("ml millilitre milliliter", Unit::Litres, 0.001),
    ("l litre liter", Unit::Litres, 1.0),
    ("° °c degree", Unit::Degrees, 1.0),
    ("time times x ×", Unit::Times, 1.0),
];

/// How often something comes back, in one word.
const FREQUENCIES: &[(&str, Unit, f64)] = &[
    ("hourly", Unit::Seconds, 3600.0),
    ("daily nightly", Unit::Seconds, 86_400.0),
    ("weekly", Unit::Seconds, 604_800.0),
    ("fortnightly biweekly", Unit::Seconds, 1_209_600.0),
    ("monthly", Unit::Months, 1.0),
    ("quarterly", Unit::Months, 3.0),
    ("yearly annually annual", Unit::Months, 12.0),
];

/// Units that are too short to stand apart from their number.
const ONLY_ATTACHED: &[&str] = &["s", "h", "d", "m", "g", "l", "b", "us", "x", "k"];
/// What may stick to a number without being a unit.
const SUFFIXES: &[&str] = &[
    "st", "nd", "rd", "th", "am", "pm", "a.m", "p.m", "a.m.", "p.m.", "k", "bn", "x", "+",
];

type Found = (Unit, f64);

fn table(rows: &'static [(&'static str, Unit, f64)]) -> Table<&'static str, Found> {
    let all = rows
        .iter()
        .flat_map(|(names, unit, factor)| names.split(' ').map(|name| (name, (*unit, *factor))));
    all.collect()
}

static BY_NAME: LazyLock<Table<&'static str, Found>> = LazyLock::new(|| table(UNITS));
static BY_FREQUENCY: LazyLock<Table<&'static str, Found>> = LazyLock::new(|| table(FREQUENCIES));

fn named(word: &str) -> Option<Found> {
    let find = |name: &str| BY_NAME.get(name).copied();
    find(word).or_else(|| {
        let single = word.strip_suffix('s').filter(|it| it.len() > 1)?;
        find(single).or_else(|| find(single.strip_suffix('e')?))
    })
}

/// The unit that a word behind a number names, with its factor.
pub(crate) fn unit(word: &str) -> Option<(Unit, f64)> {
    named(word)
}

/// The same for a word that stands alone, where a single letter means nothing.
pub(crate) fn spelled(word: &str) -> Option<(Unit, f64)> {
    if ONLY_ATTACHED.contains(&word) {
        None
    } else {
        unit(word)
    }
}

/// How often a word says that something comes back.
pub(crate) fn frequency(word: &str) -> Option<(Unit, f64)> {
    BY_FREQUENCY.get(word).copied()
}

/// Whether a word names a stretch of time, or the times that something happens.
#[must_use]
pub fn is_period(word: &str) -> bool {
    matches!(word, "time" | "occasion")
        || spelled(word).is_some_and(|(unit, _)| matches!(unit, Unit::Seconds | Unit::Months))
}

/// Whether this may stand right before a number.
pub(crate) fn is_prefix(text: &str) -> bool {
    let lower = text.to_lowercase();
    unit(&lower).is_some_and(|(unit, _)| matches!(unit, Unit::Money(_)))
}

/// Whether this may stand right behind a number.
pub(crate) fn is_suffix(text: &str) -> bool {
    let lower = text.to_lowercase();
    SUFFIXES.contains(&lower.as_str()) || unit(&lower).is_some()
}
