//! What the counts of a window come to: shares, rates and medians, each with what it is out of.
//!
//! Pure: counts in, figures out. There is no score over all of them, on purpose.

use crate::domain::happening::Happening;
use crate::domain::time::DAY;
use crate::domain::{Act, Time, Trust, Verdict};
use crate::store::pulse::Counted;
use std::collections::BTreeMap;

/// How many seconds end each bar of the histogram of approvals; the last has no end.
pub const PACE_BARS: [u32; 7] = [2, 5, 10, 20, 40, 80, 160];

/// A part of a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Share {
    /// How many of them.
    pub n: u64,
    /// Of how many.
    pub of: u64,
}

impl Share {
    /// In percent; none of nothing.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "a percentage of counts far below 2^52"
    )]
    pub fn percent(self) -> Option<f64> {
        (self.of > 0).then(|| self.n as f64 * 100.0 / self.of as f64)
    }

    fn add(&mut self, counts: bool, n: u64) {
        self.of += n;
        self.n += if counts { n } else { 0 };
    }
}

/// How many candidates one rule held.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RuleCount {
    /// The rule.
    pub rule: String,
    /// How many.
    pub n: u64,
}

/// One day of a window.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct DayCounts {
    /// The day, in UTC.
    pub day: String,
    /// Candidates proposed.
    pub proposed: u64,
    /// Of those, held by the gate.
    pub quarantined: u64,
    /// Decisions that stand.
    pub decided: u64,
}

/// How fast texts were approved.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct PaceCounts {
    /// Approvals with less time on screen than reading takes, of those that were measured.
    pub faster_than_reading: Share,
    /// Approvals where nobody measured.
    pub unmeasured: u64,
    /// The middle one of the measured times on screen, in seconds.
    pub median_seconds: Option<u32>,
    /// How many took up to each of [`PACE_BARS`] seconds, and how many longer.
    pub histogram: [u64; PACE_BARS.len() + 1],
}

/// What happened in a window of days.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Window {
    /// Candidates that named a source, of all proposed.
    pub with_sources: Share,
    /// Candidates held by the gate, by where their text came from.
    pub quarantined_by_trust: BTreeMap<&'static str, Share>,
    /// Quarantined candidates that were released, of those that security reviewed.
    pub released: Share,
    /// Memories handed over while marked stale, of all handed over.
    pub served_stale: Share,
    /// Decisions that stand, by act.
    pub decided: BTreeMap<&'static str, u64>,
    /// In how many clock hours somebody decided.
    pub active_hours: u64,
    /// Decisions by hour of the day, in UTC.
    pub by_hour: [u64; 24],
    /// How fast texts were approved.
    pub pace: PaceCounts,
    /// Candidates held by each rule, the most frequent first.
    pub blocked_by: Vec<RuleCount>,
    /// Each day.
    pub by_day: Vec<DayCounts>,
}

impl Window {
    /// All decisions that stand.
    #[must_use]
    pub fn decisions(&self) -> u64 {
        self.decided.values().sum()
    }

    /// Decisions in an hour in which anybody decided.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "a rate of counts far below 2^52"
    )]
    pub fn decisions_per_hour(&self) -> Option<f64> {
        (self.active_hours > 0).then(|| self.decisions() as f64 / self.active_hours as f64)
    }

    /// Candidates held by the gate, of all proposed.
    #[must_use]
    pub fn quarantined(&self) -> Share {
        let all = self.quarantined_by_trust.values();
        all.fold(Share::default(), |sum, one| Share {
            n: sum.n + one.n,
            of: sum.of + one.of,
        })
    }

    /// Adds up what was counted from one day until before another.
    pub(in crate::desk) fn of(counted: &[Counted], from: i64, until: i64) -> Self {
        let mut window = Self {
            by_day: (from..until).map(DayCounts::of).collect(),
            ..Self::default()
        };
        let mut rules = BTreeMap::<&str, u64>::new();
        let mut hours = BTreeMap::<(i64, u8), u64>::new();
        let mut seconds = BTreeMap::<u32, u64>::new();
        for one in counted
            .iter()
            .filter(|one| (from..until).contains(&one.day))
        {
            let at = usize::try_from(one.day - from).unwrap_or(usize::MAX);
            window.add(one, at);
            match &one.what {
                Happening::Blocked { rule } => *rules.entry(rule).or_default() += one.n,
                Happening::Decided { hour, .. } => {
                    *hours.entry((one.day, *hour)).or_default() += one.n;
                }
                Happening::Approved { pace: Some(pace) } => {
                    *seconds.entry(pace.seconds).or_default() += one.n;
                }
                _ => {}
            }
        }
        window.active_hours = hours.values().filter(|n| **n > 0).count() as u64;
        window.pace.median_seconds = median(&seconds);
        let held = |(rule, n): (&str, u64)| RuleCount {
            rule: rule.to_owned(),
            n,
        };
        window.blocked_by = rules.into_iter().map(held).collect();
        window
            .blocked_by
            .sort_by(|one, other| other.n.cmp(&one.n).then(one.rule.cmp(&other.rule)));
        window
    }

    fn add(&mut self, one: &Counted, at: usize) {
        let n = one.n;
        let mut nowhere = DayCounts::of(one.day);
        let day = self.by_day.get_mut(at).unwrap_or(&mut nowhere);
        match &one.what {
            Happening::Proposed {
                trust,
                verdict,
                sourced,
            } => {
                let held = *verdict == Verdict::Quarantine;
                day.proposed += n;
                day.quarantined += if held { n } else { 0 };
                self.with_sources.add(*sourced, n);
                self.quarantined_by_trust
                    .entry(trust.as_str())
                    .or_default()
                    .add(held, n);
            }
            Happening::Blocked { .. } => {}
            Happening::Decided { act, hour } => {
                day.decided += n;
                *self.decided.entry(act.as_str()).or_default() += n;
                if let Some(bar) = self.by_hour.get_mut(usize::from(*hour)) {
                    *bar += n;
                }
                if matches!(act, Act::Release | Act::Confirm) {
                    self.released.add(*act == Act::Release, n);
                }
            }
            Happening::Approved { pace: None } => self.pace.unmeasured += n,
            Happening::Approved { pace: Some(pace) } => {
                self.pace.faster_than_reading.add(pace.faster, n);
                let bar = PACE_BARS.iter().position(|end| pace.seconds < *end);
                if let Some(bar) = self.pace.histogram.get_mut(bar.unwrap_or(PACE_BARS.len())) {
                    *bar += n;
                }
            }
            Happening::Served { stale } => self.served_stale.add(*stale, n),
        }
    }
}

impl DayCounts {
    fn of(day: i64) -> Self {
        Self {
            day: Time::from_millis(day.saturating_mul(DAY)).date(),
            proposed: 0,
            quarantined: 0,
            decided: 0,
        }
    }
}

/// The middle of what was counted, the lower one of two.
fn median(counted: &BTreeMap<u32, u64>) -> Option<u32> {
    let all: u64 = counted.values().sum();
    let mut passed = 0;
    counted.iter().find_map(|(value, n)| {
        passed += n;
        (all > 0 && passed * 2 >= all).then_some(*value)
    })
}

/// One number with its name, for comparing and for machines.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Figure {
    /// Its name; never changes its meaning.
    pub name: &'static str,
    /// What it says, in words.
    pub says: &'static str,
    /// What it is counted in.
    pub unit: &'static str,
    /// The number; none where there was nothing to measure.
    pub value: Option<f64>,
    /// What the number is out of, where it is a share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<Share>,
}

/// The share of candidates held, by trust: its name as a figure.
const BY_TRUST: [(Trust, &str, &str); 5] = [
    (
        Trust::Model,
        "quarantine_rate_model",
        "held by the gate, said by a model",
    ),
    (
        Trust::Web,
        "quarantine_rate_web",
        "held by the gate, from the web",
    ),
    (
        Trust::Tool,
        "quarantine_rate_tool",
        "held by the gate, from a tool",
    ),
    (
        Trust::AuthenticatedUser,
        "quarantine_rate_person",
        "held by the gate, said by a person",
    ),
    (
        Trust::System,
        "quarantine_rate_system",
        "held by the gate, from the system",
    ),
];

impl Window {
    /// What the window comes to, one number at a time.
    #[must_use]
    pub fn figures(&self) -> Vec<Figure> {
        let share = |name, says, share: Share| Figure {
            name,
            says,
            unit: "%",
            value: share.percent(),
            share: Some(share),
        };
        let mut all = vec![
            share(
                "with_sources",
                "candidates that name a source",
                self.with_sources,
            ),
            share(
                "quarantine_rate",
                "candidates held by the gate",
                self.quarantined(),
            ),
        ];
        for (trust, name, says) in BY_TRUST {
            let of = self.quarantined_by_trust.get(trust.as_str());
            all.push(share(name, says, of.copied().unwrap_or_default()));
        }
        all.push(share(
            "false_positives",
            "released of what security reviewed",
            self.released,
        ));
        all.push(share(
            "stale_servings",
            "memories served while marked stale",
            self.served_stale,
        ));
        let fast = self.pace.faster_than_reading;
        all.push(share(
            "faster_than_reading",
            "approvals faster than reading",
            fast,
        ));
        all.push(Figure {
            name: "approval_seconds",
            says: "median time on screen before approval",
            unit: "s",
            value: self.pace.median_seconds.map(f64::from),
            share: None,
        });
        all.push(Figure {
            name: "decisions_per_hour",
            says: "decisions in an hour of deciding",
            unit: "per hour",
            value: self.decisions_per_hour(),
            share: None,
        });
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{Share, Window, median};
    use crate::domain::happening::{Happening, Pace};
    use crate::domain::{Act, Trust, Verdict};
    use crate::store::pulse::Counted;

    fn counted(day: i64, what: Happening, n: u64) -> Counted {
        Counted { day, what, n }
    }

    fn proposed(trust: Trust, verdict: Verdict, sourced: bool) -> Happening {
        Happening::Proposed {
            trust,
            verdict,
            sourced,
        }
    }

    fn pace(seconds: u32, faster: bool) -> Happening {
        Happening::Approved {
            pace: Some(Pace { seconds, faster }),
        }
    }

    #[test]
    fn shares_say_what_they_are_out_of_and_nothing_of_nothing() {
        let all = [
            counted(10, proposed(Trust::Web, Verdict::Quarantine, true), 3),
            counted(10, proposed(Trust::Web, Verdict::Clear, true), 6),
            counted(11, proposed(Trust::Tool, Verdict::Advisory, false), 1),
            counted(12, proposed(Trust::Tool, Verdict::Clear, false), 100),
            counted(
                11,
                Happening::Decided {
                    act: Act::Release,
                    hour: 9,
                },
                1,
            ),
            counted(
                11,
                Happening::Decided {
                    act: Act::Confirm,
                    hour: 9,
                },
                3,
            ),
            counted(
                11,
                Happening::Decided {
                    act: Act::Undo,
                    hour: 10,
                },
                0,
            ),
        ];
        let window = Window::of(&all, 10, 12);
        assert_eq!(window.with_sources, Share { n: 9, of: 10 });
        assert_eq!(window.quarantined(), Share { n: 3, of: 10 });
        assert_eq!(window.released, Share { n: 1, of: 4 });
        assert_eq!(window.served_stale.percent(), None);
        assert_eq!(
            window.active_hours, 1,
            "an hour whose decisions were all taken back is none"
        );
        assert_eq!(window.decisions_per_hour(), Some(4.0));
        let days: Vec<u64> = window.by_day.iter().map(|day| day.proposed).collect();
        assert_eq!(days, [9, 1]);
        let figure = |name: &str| {
            let all = window.figures();
            all.into_iter().find(|one| one.name == name).unwrap().value
        };
        assert_eq!(figure("with_sources"), Some(90.0));
        assert_eq!(figure("quarantine_rate_model"), None);
        assert_eq!(figure("approval_seconds"), None);
    }

    #[test]
    fn the_pace_is_a_histogram_with_its_middle() {
        let all = [
            counted(1, pace(0, true), 2),
            counted(1, pace(9, false), 1),
            counted(2, pace(10, false), 1),
            counted(2, pace(600, false), 1),
            counted(2, Happening::Approved { pace: None }, 4),
        ];
        let pace = Window::of(&all, 1, 3).pace;
        assert_eq!(pace.histogram, [2, 0, 1, 1, 0, 0, 0, 1]);
        assert_eq!(pace.median_seconds, Some(9));
        assert_eq!(pace.faster_than_reading, Share { n: 2, of: 5 });
        assert_eq!(pace.unmeasured, 4);
        assert_eq!(median(&std::collections::BTreeMap::new()), None);
    }
}
