//! What time it is: the system's clock, or a moment that whoever made the desk holds still or moves.

use crate::domain::Time;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Where the desk takes the time from.
#[derive(Debug, Clone, Default)]
pub enum Clock {
    /// The system's clock.
    #[default]
    System,
    /// A moment set from outside, in milliseconds.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at this moment.
    #[must_use]
    pub fn standing_at(time: Time) -> Self {
        Self::Set(Arc::new(AtomicI64::new(time.millis())))
    }

    /// Moves a standing clock; the system's clock is not ours to move.
    pub fn set(&self, time: Time) {
        if let Self::Set(millis) = self {
            millis.store(time.millis(), Ordering::Relaxed);
        }
    }

    /// The moment it is.
    #[must_use]
    pub fn now(&self) -> Time {
        match self {
            Self::Set(millis) => Time::from_millis(millis.load(Ordering::Relaxed)),
            Self::System => {
                let since = SystemTime::now()
                    .duration_since(UNIX_EPOCH)
                    .unwrap_or_default();
                Time::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
            }
        }
    }
}
