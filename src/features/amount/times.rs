//! Dates, days and times of day, read off the words.

use crate::features::amount::{Raw, Reader, is_small};
use crate::features::calendar::{self, Moment};
use crate::features::chunk::Shape;
use crate::features::number;

impl Reader<'_> {
    pub(super) fn written_date(&mut self) -> Option<()> {
        let word = self.word(0)?;
        let moment = match word.shape {
            Shape::Date => calendar::iso(&word.lower).or_else(|| calendar::dotted(&word.lower))?,
            Shape::Clock => {
                let half = matches!(self.lower(1), "am" | "pm" | "a.m." | "p.m.");
                let joined = format!("{}{}", word.lower, if half { self.lower(1) } else { "" });
                let minute = calendar::clock(&joined)?;
                return self.moment(
                    Moment {
                        minute: Some(minute),
                        ..Moment::default()
                    },
                    1 + usize::from(half),
                );
            }
            _ => return None,
        };
        self.moment(moment, 1)
    }

    pub(super) fn month_first(&mut self) -> Option<()> {
        let month = calendar::month(self.word(0)?)?;
        let mut moment = Moment {
            month: Some(month),
            ..Moment::default()
        };
        let mut count = 1;
        if let Some(day) = self.day_number(count) {
            moment.day = Some(day);
            count += 1;
        }
        if let Some(year) = self.year(count) {
            moment.year = Some(year);
            count += 1;
        }
        self.moment(moment, count)
    }

    pub(super) fn day_number(&self, ahead: usize) -> Option<u8> {
        let word = self
            .word(ahead)
            .filter(|word| word.shape == Shape::Number)?;
        let found = number::attached(&word.lower)?;
        let plain = found.before.is_empty()
            && matches!(found.after.as_str(), "" | "st" | "nd" | "rd" | "th");
        ((1.0..=31.0).contains(&found.value) && found.value.fract() == 0.0 && plain)
            .then_some(found.value as u8)
    }

    pub(super) fn year(&self, ahead: usize) -> Option<i32> {
        let lower = self.lower(ahead);
        let year: i32 = if lower.len() == 4 {
            lower.parse().ok()?
        } else {
            return None;
        };
        (1900..2100).contains(&year).then_some(year)
    }

    pub(super) fn weekday(&mut self) -> Option<()> {
        let weekday = calendar::weekday(self.word(0)?)?;
        self.moment(
            Moment {
                weekday: Some(weekday),
                ..Moment::default()
            },
            1,
        )
    }

    pub(super) fn month_end(&mut self) -> Option<()> {
        let phrases: [&[&str]; 8] = [
            &["month", "end"],
            &["end", "of", "month"],
            &["end", "of", "the", "month"],
            &["last", "of", "the", "month"],
            &["last", "day", "of", "the", "month"],
            &["last", "day", "of", "month"],
            &["end", "of", "each", "month"],
            &["eom"],
        ];
        let length = phrases
            .iter()
            .find(|phrase| {
                phrase
                    .iter()
                    .enumerate()
                    .all(|(at, word)| self.lower(at) == *word)
            })?
            .len();
        self.moment(
            Moment {
                month_end: true,
                ..Moment::default()
            },
            length,
        )
    }

    pub(super) fn named_clock(&mut self) -> Option<()> {
        let minute = match self.lower(0) {
            "noon" | "midday" => 720,
            "midnight" => 0,
            _ => return None,
        };
        self.moment(
            Moment {
                minute: Some(minute),
                ..Moment::default()
            },
            1,
        )
    }

    /// `half past two`, `a quarter to nine`.
    pub(super) fn half_past(&mut self) -> Option<()> {
        let minutes: i32 = match (self.lower(0), self.lower(1)) {
            ("half", "past") => 30,
            ("quarter", "past") => 15,
            ("quarter", "to") => -15,
            _ => return None,
        };
        let there = Reader {
            words: self.words,
            at: self.at + 2,
            amounts: Vec::new(),
            moments: Vec::new(),
        };
        let hour = there.digits().or_else(|| there.spelled_out())?;
        let minute = (hour.value as i32 * 60 + minutes).rem_euclid(1440);
        let moment = Moment {
            minute: u16::try_from(minute).ok(),
            vague: hour.value <= 12.0,
            ..Moment::default()
        };
        self.moment(moment, 2 + hour.end)
    }

    /// `the 15th`, `15 July 2031`, `1st of May`.
    pub(super) fn day_of_month(&mut self, raw: &Raw) -> Option<()> {
        let day = u8::try_from(raw.value as i64)
            .ok()
            .filter(|day| (1..=31).contains(day) && raw.value.fract() == 0.0)?;
        if raw.to.is_some() || !raw.before.is_empty() || !raw.after.is_empty() {
            return None;
        }
        let month_at = raw.end + usize::from(self.lower(raw.end) == "of");
        if let Some(month) = self.word(month_at).and_then(calendar::month) {
            let year = self.year(month_at + 1);
            let moment = Moment {
                day: Some(day),
                month: Some(month),
                year,
                ..Moment::default()
            };
            return self.moment(moment, month_at + 1 + usize::from(year.is_some()));
        }
        let alone = self
            .word(raw.end)
            .is_none_or(|next| next.opens || is_small(&next.lower));
        let the = self.before() == "the" && raw.ordinal && alone && (!raw.spelled || day > 3);
        if !the {
            return None;
        }
        self.moment(
            Moment {
                day: Some(day),
                ..Moment::default()
            },
            raw.end,
        )
    }

    /// `2 a.m.`, `four in the morning`, `at 2 at night`.
    pub(super) fn clock(&mut self, raw: &Raw) -> Option<()> {
        if raw.value > 24.0 || raw.value.fract() != 0.0 || raw.to.is_some() || raw.ordinal {
            return None;
        }
        let hour = raw.value as u16;
        let next = self.lower(raw.end);
        let stuck = matches!(
            raw.after.as_str(),
            "am" | "pm" | "a.m" | "p.m" | "a.m." | "p.m."
        );
        let (half, count) = match next {
            _ if stuck => (raw.after.as_str(), raw.end),
            "am" | "pm" | "a.m." | "p.m." => (next, raw.end + 1),
            "o'clock" | "oclock" => ("", raw.end + 1),
            _ => self.day_part(raw.end, hour)?,
        };
        let minute = calendar::of_day(hour, half);
        self.moment(
            Moment {
                minute: Some(minute),
                vague: half.is_empty() && hour <= 12,
                ..Moment::default()
            },
            count,
        )
    }

    pub(super) fn day_part(&self, end: usize, hour: u16) -> Option<(&'static str, usize)> {
        let timed = matches!(
            self.before(),
            "at" | "around" | "by" | "from" | "until" | "before" | "after"
        );
        match (self.lower(end), self.lower(end + 1), self.lower(end + 2)) {
            ("in", "the", "morning") => Some(("am", end + 3)),
            ("in", "the", "afternoon" | "evening") => Some(("pm", end + 3)),
            ("at", "night", _) if timed => Some((if hour > 5 { "pm" } else { "am" }, end + 2)),
            _ => None,
        }
    }
}
