//! What is counted as it happens, so that how things go can be said without counting again.
//! Knows how a count is spelled in a store; adds nothing up.

use crate::domain::{Act, Time, Trust, Verdict};

/// Times on screen are kept to the second, up to this.
pub const LONGEST: u32 = 600;

/// One sort of happening.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Happening {
    /// A candidate was proposed and judged.
    Proposed {
        /// Where its text came from.
        trust: Trust,
        /// What the gate said.
        verdict: Verdict,
        /// Whether it named a source.
        sourced: bool,
    },
    /// A rule held a candidate back.
    Blocked {
        /// The rule.
        rule: String,
    },
    /// A person decided, and did not take it back.
    Decided {
        /// What.
        act: Act,
        /// In which hour of the day, in UTC.
        hour: u8,
    },
    /// A person approved a text as it stood, taken back or not.
    Approved {
        /// How long it had been on screen; none where nobody measured.
        pace: Option<Pace>,
    },
    /// A memory was handed over.
    Served {
        /// Whether it was marked stale then, and no person had answered.
        stale: bool,
    },
}

/// How fast one text was approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pace {
    /// Whole seconds on screen, [`LONGEST`] at most.
    pub seconds: u32,
    /// Whether that is less than reading takes.
    pub faster: bool,
}

impl Happening {
    /// A decision at a moment.
    #[must_use]
    pub fn decided(act: Act, at: Time) -> Self {
        let hour = at
            .millis()
            .div_euclid(crate::domain::time::HOUR)
            .rem_euclid(24);
        Self::Decided {
            act,
            hour: u8::try_from(hour).unwrap_or(0),
        }
    }

    /// The number of its sort, and the rest of it in words of a store.
    #[must_use]
    pub fn write(&self) -> (i64, String) {
        match self {
            Self::Proposed {
                trust,
                verdict,
                sourced,
            } => {
                let sourced = i64::from(*sourced);
                (0, format!("{} {} {sourced}", trust.code(), verdict.code()))
            }
            Self::Blocked { rule } => (1, rule.clone()),
            Self::Decided { act, hour } => (2, format!("{} {hour}", act.code())),
            Self::Approved { pace: None } => (3, "?".to_owned()),
            Self::Approved { pace: Some(pace) } => {
                let mark = if pace.faster { 'f' } else { 'r' };
                (3, format!("{} {mark}", pace.seconds))
            }
            Self::Served { stale } => (4, i64::from(*stale).to_string()),
        }
    }

    /// Reads what was written; none for what no version of this wrote.
    #[must_use]
    pub fn read(what: i64, detail: &str) -> Option<Self> {
        let mut parts = detail.split(' ');
        let mut number = || parts.next()?.parse::<i64>().ok();
        Some(match what {
            0 => Self::Proposed {
                trust: Trust::from_code(number()?)?,
                verdict: Verdict::from_code(number()?)?,
                sourced: number()? == 1,
            },
            1 => Self::Blocked {
                rule: detail.to_owned(),
            },
            2 => Self::Decided {
                act: Act::from_code(number()?)?,
                hour: u8::try_from(number()?).ok()?,
            },
            3 if detail == "?" => Self::Approved { pace: None },
            3 => Self::Approved {
                pace: Some(Pace {
                    seconds: u32::try_from(number()?).ok()?,
                    faster: parts.next()? == "f",
                }),
            },
            4 => Self::Served {
                stale: number()? == 1,
            },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Happening, Pace};
    use crate::domain::{Act, Time, Trust, Verdict};

    #[test]
    fn what_is_written_is_read_again() {
        let pace = |seconds, faster| Happening::Approved {
            pace: Some(Pace { seconds, faster }),
        };
        let all = [
            Happening::Proposed {
                trust: Trust::Web,
                verdict: Verdict::Quarantine,
                sourced: true,
            },
            Happening::Blocked {
                rule: "missing_source_ref".to_owned(),
            },
            Happening::decided(Act::Endorse, Time::from_millis(86_399_999)),
            Happening::decided(Act::Reject, Time::from_millis(-1)),
            Happening::Approved { pace: None },
            pace(9, false),
            pace(0, true),
            Happening::Served { stale: true },
            Happening::Served { stale: false },
        ];
        for one in all {
            let (what, detail) = one.write();
            assert_eq!(Happening::read(what, &detail).as_ref(), Some(&one));
        }
        assert_eq!(Happening::read(2, "900 3"), None);
        assert_eq!(Happening::read(3, "9"), None);
        assert_eq!(Happening::read(77, "1"), None);
    }
}
