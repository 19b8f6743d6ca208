//! Numbers with their units, read off the words.

use crate::features::amount::{Amount, LABELS, Raw, Reader, is_small};
use crate::features::chunk::Shape;
use crate::features::number;
use crate::features::unit::{self, Unit};

impl Reader<'_> {
    /// `a week`, `per hour`, `every night`: one of the unit.
    pub(super) fn article(&mut self) -> Option<()> {
        if !matches!(
            self.lower(0),
            "a" | "an" | "per" | "each" | "every" | "within"
        ) {
            return None;
        }
        let unit_at = 1;
        let (unit, factor) = unit::spelled(self.lower(unit_at))
            .filter(|(unit, _)| matches!(unit, Unit::Seconds | Unit::Months))?;
        if self.lower(unit_at) == "second" && self.word(unit_at + 1).is_some_and(|next| !next.opens)
        {
            return None;
        }
        self.push(
            &Raw {
                value: 1.0,
                end: 2,
                ..Raw::default()
            },
            unit,
            factor,
            true,
        )
    }

    pub(super) fn frequency(&mut self) -> Option<()> {
        let (unit, factor) = unit::frequency(self.lower(0))?;
        self.push(
            &Raw {
                value: 1.0,
                end: 1,
                ..Raw::default()
            },
            unit,
            factor,
            true,
        )
    }

    pub(super) fn twice(&mut self) -> Option<()> {
        let value = match self.lower(0) {
            "twice" => 2.0,
            "thrice" => 3.0,
            _ => return None,
        };
        let raw = Raw {
            value,
            end: 1,
            ..Raw::default()
        };
        self.push(&raw, Unit::Times, 1.0, false)
    }

    pub(super) fn number(&mut self) -> Option<()> {
        let mut raw = self.digits().or_else(|| self.spelled_out())?;
        if let Some(scale) = number::scale(self.lower(raw.end)) {
            raw.value *= scale;
            raw.to = raw.to.map(|to| to * scale);
            raw.end += 1;
        }
        self.other_end(&mut raw);
        if self.day_of_month(&raw).is_some() || self.clock(&raw).is_some() {
            return Some(());
        }
        let (unit, factor) = self.unit(&mut raw);
        let weak = raw.spelled
            && raw.value == 1.0
            && unit == Unit::None
            && !LABELS.contains(&self.before());
        self.push(&raw, unit, factor, weak)
    }

    pub(super) fn digits(&self) -> Option<Raw> {
        let word = self.word(0).filter(|word| word.shape == Shape::Number)?;
        let found = number::attached(&word.lower)?;
        let ordinal = matches!(found.after.as_str(), "st" | "nd" | "rd" | "th");
        let scale = number::scale(&found.after).unwrap_or(1.0);
        let used = ordinal || number::scale(&found.after).is_some();
        Some(Raw {
            value: found.value * scale,
            to: found.to.map(|to| to * scale),
            ordinal,
            before: found.before,
            after: if used { String::new() } else { found.after },
            end: 1,
            spelled: false,
        })
    }

    /// `two hundred and forty-five thousand`, `a hundred`, `twenty-first`.
    pub(super) fn spelled_out(&self) -> Option<Raw> {
        let article = matches!(self.lower(0), "a" | "an")
            && number::scale(self.lower(1)).is_some_and(|it| it >= 100.0);
        let mut end = usize::from(article);
        let (mut total, mut current) = (0.0, if article { 1.0 } else { 0.0 });
        let mut any = article;
        let mut ordinal = false;
        loop {
            let word = self.lower(end);
            let linked = word == "and"
                && any
                && current >= 100.0
                && number::small(self.lower(end + 1)).is_some();
            if linked {
                end += 1;
                continue;
            }
            let joins = |value: f64| {
                !any || (value < 10.0 && current % 100.0 >= 20.0 && current % 10.0 == 0.0)
                    || (current >= 100.0 && current % 100.0 == 0.0)
            };
            if let Some(value) = number::small(word).filter(|value| joins(*value)) {
                current += value;
            } else if let Some(scale) = number::scale(word).filter(|_| any && word != "k") {
                if scale == 100.0 {
                    current *= scale;
                } else {
                    total += current * scale;
                    current = 0.0;
                }
            } else if let Some(value) = number::ordinal(word).filter(|value| joins(*value)) {
                // `a second headset` is another one; `second` is also a length of time.
                current += value;
                ordinal = true;
                end += 1;
                any = true;
                break;
            } else {
                break;
            }
            any = true;
            end += 1;
        }
        any.then_some(Raw {
            value: total + current,
            ordinal,
            spelled: true,
            end,
            ..Raw::default()
        })
    }

    /// `40 to 59`, `between 3 and 5`.
    pub(super) fn other_end(&self, raw: &mut Raw) {
        let link = self.lower(raw.end);
        let ranged = matches!(link, "to" | "until" | "through")
            || (link == "and" && self.before() == "between");
        if !ranged || raw.to.is_some() || raw.ordinal {
            return;
        }
        let there = Reader {
            words: self.words,
            at: self.at + raw.end + 1,
            amounts: Vec::new(),
            moments: Vec::new(),
        };
        let Some(other) = there
            .digits()
            .or_else(|| there.spelled_out())
            .filter(|other| !other.ordinal)
        else {
            return;
        };
        raw.to = Some(other.value);
        raw.after = other.after;
        raw.end += 1 + other.end;
    }

    pub(super) fn unit(&self, raw: &mut Raw) -> (Unit, f64) {
        if let Some(found) =
            unit::unit(&raw.after).or_else(|| unit::unit(&raw.before.to_lowercase()))
        {
            // `2.5 million €` and `€2.5` both end here.
            return found;
        }
        if let Some(found) =
            unit::unit(self.before()).filter(|(unit, _)| matches!(unit, Unit::Money(_)))
        {
            return found;
        }
        // `delay_ms = 2000`: the name of a setting says what it counts.
        let named = self
            .before()
            .rsplit_once('_')
            .and_then(|(_, unit)| unit::unit(unit));
        if let Some(found) = named.filter(|(unit, _)| matches!(unit, Unit::Seconds | Unit::Bytes)) {
            return found;
        }
        let next = self.lower(raw.end);
        if next == "per" && self.lower(raw.end + 1) == "cent" {
            raw.end += 2;
            return (Unit::Percent, 1.0);
        }
        if matches!(next, "working" | "business" | "work" | "week")
            && matches!(self.lower(raw.end + 1), "day" | "days")
        {
            raw.end += 2;
            return (Unit::WorkDays, 1.0);
        }
        let found = if raw.spelled {
            unit::spelled(next)
        } else {
            unit::unit(next)
        };
        match found.filter(|_| !raw.ordinal || next != "second") {
            Some(found) => {
                raw.end += 1;
                found
            }
            None => (Unit::None, 1.0),
        }
    }

    pub(super) fn push(&mut self, raw: &Raw, unit: Unit, factor: f64, weak: bool) -> Option<()> {
        let label = LABELS
            .contains(&self.before())
            .then(|| self.before().to_owned());
        let label = label.or_else(|| {
            let single = self.before().strip_suffix('s').unwrap_or_default();
            LABELS.contains(&single).then(|| single.to_owned())
        });
        let noun = self
            .word(raw.end)
            .filter(|next| !next.opens && !is_small(&next.lower) && !next.shape.is_whole());
        self.amounts.push(Amount {
            value: raw.value * factor,
            written: raw.value,
            to: raw.to.map(|to| to * factor),
            unit,
            ordinal: raw.ordinal,
            weak,
            label: label.map(|label| crate::features::stem::stem(&label)),
            noun: noun.map(|word| word.root.clone()),
            span: self.span(raw.end),
            words: self.at..self.at + raw.end,
        });
        self.at += raw.end;
        Some(())
    }
}
