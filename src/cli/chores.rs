//! What a console or a watching detector does beside its work: evidence goes when its time has
//! passed, checkpoints go where the configuration says. A chore that fails says so and is tried
//! again; it never stops the work.

use crate::cli::anchor::{self, Destination};
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::places;
use crate::desk::Desk;
use crate::domain::Reviewer;
use crate::ledger::note::NoteKey;
use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often evidence is swept.
const SWEEP: Duration = Duration::from_mins(60);
/// How long the first sweep waits: a short look at a store changes nothing in it.
const FIRST_SWEEP: Duration = Duration::from_mins(1);
/// How often the chores are looked at in the background.
const LOOK: Duration = Duration::from_secs(1);

/// Chores with the moments they are due.
#[derive(Debug)]
pub(in crate::cli) struct Chores {
    reviewer: Reviewer,
    key: Option<NoteKey>,
    places: Vec<Destination>,
    every: Duration,
    sweep_due: Instant,
    checkpoint_due: Instant,
}

impl Chores {
    /// What the configuration asks for.
    pub(in crate::cli) fn of(desk: &Desk, context: &Context<'_>) -> Result<Self, Failure> {
        let plan = places::configuration(&context.around.environment)?
            .checkpoint
            .unwrap_or_default();
        let places = anchor::configured(context)?;
        let key = (!places.is_empty())
            .then(|| anchor::key(desk, context))
            .transpose()?;
        let now = Instant::now();
        Ok(Self {
            reviewer: context.reviewer()?,
            key,
            places,
            every: Duration::from_mins(plan.every_minutes.unwrap_or(60).max(1)),
            sweep_due: now + FIRST_SWEEP,
            checkpoint_due: now,
        })
    }

    /// Does what is due. Returns what a person should know of it.
    pub(in crate::cli) fn when_due(&mut self, desk: &Desk) -> Vec<String> {
        let now = Instant::now();
        let mut notes = Vec::new();
        if now >= self.sweep_due {
            self.sweep_due = now + SWEEP;
            match desk.sweep(self.reviewer.name.as_str()) {
                Ok(swept) if swept.expired.is_empty() => {}
                Ok(swept) => notes.push(format!(
                    "{} artifacts passed their retention and went",
                    swept.expired.len()
                )),
                Err(error) => notes.push(format!(
                    "evidence cannot be swept: {}",
                    crate::text::line(&error.to_string())
                )),
            }
        }
        if let Some(key) = self.key.as_ref().filter(|_| now >= self.checkpoint_due) {
            self.checkpoint_due = now + self.every;
            if let Err(failure) = anchor::publish(desk, key, &self.reviewer, &self.places) {
                notes.push(format!("no checkpoint was written: {}", failure.what()));
            }
        }
        notes
    }
}

/// Dropping it ends the chores once the one at work is done.
#[derive(Debug)]
pub(in crate::cli) struct Background {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Does the chores on a thread of their own, in silence: the screen belongs to the console.
/// `audit verify` shows how far the ledger is anchored.
pub(in crate::cli) fn in_background(desk: Arc<Desk>, mut chores: Chores) -> Background {
    let (stop, stopped) = bounded::<()>(0);
    let thread = std::thread::spawn(move || {
        while stopped.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            chores.when_due(&desk);
        }
    });
    Background {
        stop: Some(stop),
        thread: Some(thread),
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // A chore that panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}
