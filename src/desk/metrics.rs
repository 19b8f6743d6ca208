//! How things go: the measures of a window beside the window before it, the queue now, and how long
//! it takes to say why. Read from counts that are kept; no table is walked through.

use crate::desk::measures::{Figure, Window};
use crate::desk::{Desk, DeskError, put_whole};
use crate::domain::time::{DAY, HOUR};
use crate::domain::{Layer, Time};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// How many days a window has where nobody says.
const DAYS: i64 = 30;
/// How many days it may have.
const MOST_DAYS: i64 = 366;
/// How many memories are explained to see how long that takes.
const SAMPLE: u32 = 9;
/// The version of a baseline file.
const BASELINE: u32 = 1;

/// Everything that is measured.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Measures {
    /// Of this layer and those below it; of all where none is named.
    pub layer: Option<Layer>,
    /// From the first moment of this day, in UTC.
    pub since: Time,
    /// Until now.
    pub until: Time,
    /// How many days that is, today included.
    pub days: i64,
    /// What waits now.
    pub queue: QueueNow,
    /// How long it takes to reconstruct a decision.
    pub why: TimeToWhy,
    /// What happened in the window.
    pub window: Window,
    /// What happened in as many days before it.
    pub before: Window,
    /// Each measure as one number.
    pub figures: Vec<Figure>,
    /// The same of the window before, where a window has it.
    pub figures_before: Vec<Figure>,
}

/// What waits at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct QueueNow {
    /// How many wait.
    pub depth: u64,
    /// How many a team can keep up with, by the policy.
    pub budget: u64,
    /// Since when the oldest waits.
    pub oldest: Option<Time>,
}

/// How long it took to say why, measured while asking.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct TimeToWhy {
    /// How many memories were explained down to their evidence, spread over all.
    pub sampled: u64,
    /// The middle one, in milliseconds.
    pub median_ms: Option<f64>,
    /// The slowest.
    pub slowest_ms: Option<f64>,
}

/// Figures that somebody kept, to hold later ones against.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Baseline {
    version: u32,
    /// When they were kept.
    pub at: String,
    /// Of which layer.
    pub layer: Option<String>,
    /// Over how many days.
    pub days: i64,
    /// Each figure that had a value.
    pub figures: BTreeMap<String, f64>,
}

impl Desk {
    /// Measures a window of days that ends now.
    ///
    /// # Errors
    /// The window is empty or too long, or the store cannot be read.
    pub fn measures(
        &self,
        layer: Option<&Layer>,
        since: Option<Time>,
    ) -> Result<Measures, DeskError> {
        let now = self.now();
        let until = now.day() + 1;
        let from = since.map_or(until - DAYS, Time::day);
        let days = until - from;
        if !(1..=MOST_DAYS).contains(&days) {
            return Err(DeskError::BadInput {
                what: format!("a window of {days} days cannot be measured"),
                hint: format!("begin it today or up to {MOST_DAYS} days ago"),
            });
        }
        let counted = self.store.happenings(layer, from - days, until)?;
        let window = Window::of(&counted, from, until);
        let before = Window::of(&counted, from - days, from);
        let queue = self.queue_now(layer)?;
        let why = self.time_to_why()?;
        let mut figures = window.figures();
        figures.extend(now_figures(queue, why, now));
        Ok(Measures {
            layer: layer.cloned(),
            since: Time::from_millis(from.saturating_mul(DAY)),
            until: now,
            days,
            queue,
            why,
            figures_before: before.figures(),
            window,
            before,
            figures,
        })
    }

    fn queue_now(&self, layer: Option<&Layer>) -> Result<QueueNow, DeskError> {
        let now = self.now();
        let (depth, oldest) = match layer {
            Some(layer) => self.store.waiting_in(layer, now)?,
            None => {
                let (snoozed, oldest) = self.store.waiting(now)?;
                let pending = self.store.counts()?.pending;
                (pending.saturating_sub(snoozed), oldest)
            }
        };
        Ok(QueueNow {
            depth,
            budget: self.policy().queue_budget(),
            oldest,
        })
    }

    /// Explains a few memories and looks at the clock.
    fn time_to_why(&self) -> Result<TimeToWhy, DeskError> {
        let mut took = Vec::new();
        for memory in self.store.memory_sample(SAMPLE)? {
            let begun = Instant::now();
            self.why(&memory.to_string())?;
            took.push(begun.elapsed().as_secs_f64() * 1_000.0);
        }
        took.sort_by(f64::total_cmp);
        Ok(TimeToWhy {
            sampled: took.len() as u64,
            median_ms: took.get(took.len().saturating_sub(1) / 2).copied(),
            slowest_ms: took.last().copied(),
        })
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "ages and depths are far below 2^52"
)]
fn now_figures(queue: QueueNow, why: TimeToWhy, now: Time) -> Vec<Figure> {
    let plain = |name, says, unit, value| Figure {
        name,
        says,
        unit,
        value,
        share: None,
    };
    let age = |at: Time| now.since(at).max(0) as f64 / HOUR as f64;
    vec![
        plain(
            "queue_depth",
            "candidates that wait",
            "candidates",
            Some(queue.depth as f64),
        ),
        plain(
            "oldest_hours",
            "how long the oldest has waited",
            "h",
            queue.oldest.map(age),
        ),
        plain(
            "why_ms",
            "time to reconstruct a decision, median",
            "ms",
            why.median_ms,
        ),
    ]
}

impl Measures {
    /// What to keep, to hold later figures against.
    #[must_use]
    pub fn baseline(&self) -> Baseline {
        let valued = |one: &Figure| one.value.map(|value| (one.name.to_owned(), value));
        Baseline {
            version: BASELINE,
            at: self.until.to_string(),
            layer: self.layer.as_ref().map(ToString::to_string),
            days: self.days,
            figures: self.figures.iter().filter_map(valued).collect(),
        }
    }

    /// The same figure in the window before, where it is of a window.
    #[must_use]
    pub fn before(&self, name: &str) -> Option<f64> {
        let found = self.figures_before.iter().find(|one| one.name == name);
        found.and_then(|one| one.value)
    }
}

impl Baseline {
    /// Reads a file that was kept; none where there is none.
    ///
    /// # Errors
    /// It cannot be read, or is no baseline.
    pub fn read(path: &Path) -> Result<Option<Self>, DeskError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unusable(path, &error.to_string())),
        };
        let read: Self =
            serde_json::from_str(&text).map_err(|error| unusable(path, &error.to_string()))?;
        if read.version != BASELINE {
            return Err(unusable(path, "another version wrote it"));
        }
        Ok(Some(read))
    }

    /// Keeps it in a file, whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), DeskError> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| unusable(path, &error.to_string()))?;
        put_whole(path, &text, None, || true)
            .map(|_| ())
            .map_err(|error| unusable(path, &error.to_string()))
    }
}

fn unusable(path: &Path, why: &str) -> DeskError {
    DeskError::BadInput {
        what: format!(
            "the baseline `{}` cannot be used: {}",
            crate::text::line(&path.to_string_lossy()),
            crate::text::line(why)
        ),
        hint: "name another with --baseline FILE, or keep a new one with --save-baseline"
            .to_owned(),
    }
}
