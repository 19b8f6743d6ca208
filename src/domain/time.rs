//! A moment, in milliseconds of UTC. Reads and writes RFC 3339; never asks a clock.

use std::fmt;

/// A moment in UTC, to the millisecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

/// A text that is no moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadTime(pub String);

impl fmt::Display for BadTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a time such as 2026-12-01T09:00:00Z or 2026-12-01",
            self.0
        )
    }
}

impl std::error::Error for BadTime {}

/// Milliseconds in a day.
pub const DAY: i64 = 86_400_000;
/// Milliseconds in an hour.
pub const HOUR: i64 = 3_600_000;
/// Milliseconds in a minute.
pub const MINUTE: i64 = 60_000;
/// The latest moment that every offset of RFC 3339 can still write, a day before the year 9999 ends.
const LATEST: i64 = 253_402_207_200_000;
/// The first millisecond of the year 1.
const EARLIEST: i64 = -62_135_596_800_000;

impl Time {
    /// The moment so many milliseconds after 1970 began, held inside the years 1 to 9999.
    #[must_use]
    pub fn from_millis(millis: i64) -> Self {
        Self(millis.clamp(EARLIEST, LATEST))
    }

    /// Milliseconds since 1970 began.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// This moment moved by so many milliseconds.
    #[must_use]
    pub fn plus(self, millis: i64) -> Self {
        Self::from_millis(self.0.saturating_add(millis))
    }

    /// This moment moved by so many days.
    #[must_use]
    pub fn plus_days(self, days: i64) -> Self {
        self.plus(days.saturating_mul(DAY))
    }

    /// Milliseconds from `earlier` to this moment.
    #[must_use]
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// The number of the UTC day this moment falls in.
    #[must_use]
    pub const fn day(self) -> i64 {
        self.0.div_euclid(DAY)
    }

    /// The date alone, `2026-12-01`.
    #[must_use]
    pub fn date(self) -> String {
        self.to_string().chars().take(10).collect()
    }

    /// Reads RFC 3339 with any offset, or a bare date, which means its first moment in UTC.
    ///
    /// # Errors
    /// Anything else, words such as "soon" included.
    pub fn parse(text: &str) -> Result<Self, BadTime> {
        let bad = || BadTime(text.to_owned());
        if let Ok(moment) = text.parse::<jiff::Timestamp>() {
            return Ok(Self::from_millis(moment.as_millisecond()));
        }
        let looks_like_a_date = text.len() == 10
            && text.chars().enumerate().all(|(at, c)| match at {
                4 | 7 => c == '-',
                _ => c.is_ascii_digit(),
            });
        if !looks_like_a_date {
            return Err(bad());
        }
        let midnight = format!("{text}T00:00:00Z");
        let moment = midnight.parse::<jiff::Timestamp>().map_err(|_| bad())?;
        Ok(Self::from_millis(moment.as_millisecond()))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => write!(f, "{moment}"),
            Err(_) => write!(f, "{} ms", self.0),
        }
    }
}

impl serde::Serialize for Time {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{BadTime, Time};

    fn check(text: &str, expected: Result<&str, ()>) {
        let found = Time::parse(text).map(|time| time.to_string());
        assert_eq!(
            found.as_deref().map_err(|_: &BadTime| ()),
            expected,
            "{text}"
        );
    }

    #[test]
    fn times_are_read_once_and_written_in_utc() {
        check("2026-12-01T09:00:00Z", Ok("2026-12-01T09:00:00Z"));
        check(
            "2026-12-01T09:00:00.25+02:00",
            Ok("2026-12-01T07:00:00.25Z"),
        );
        check("2026-12-01", Ok("2026-12-01T00:00:00Z"));
        check("soon", Err(()));
        check("", Err(()));
        check("2026-13-01", Err(()));
        check("2026-12-01T09:00:00", Err(()));
        check("+1234567890", Err(()));
    }

    #[test]
    fn days_count_from_midnight_on_both_sides_of_1970() {
        assert_eq!(Time::from_millis(-1).day(), -1);
        assert_eq!(Time::from_millis(0).day(), 0);
        assert_eq!(
            Time::from_millis(i64::MAX).plus_days(5).date(),
            "9999-12-30"
        );
    }
}
