//! What stands in the agents' traces: decisions and servings as OTLP-JSON lines.
//!
//! A copy of the ledger for those who read traces: ids, hashes and codes, never a claim, a query or
//! a reviewer's own words unless somebody asked for the texts that were handed over. Ids derive from
//! the hash of the entry, so that the same entry gives the same bytes whenever it is written. This
//! room opens no store and decides nothing.
//!
//! `acts` says what an entry becomes, `otlp` how that is written, `file` where lines are kept.

mod acts;
mod file;
mod otlp;

pub use acts::{About, Handed, Told, lines};
pub use file::{Place, append};

/// Which signal a line carries; a file holds one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// `TracesData`: one span or two an entry.
    Spans,
    /// `LogsData`: the outcome of a promotion as `gen_ai.evaluation.result`.
    Events,
}

/// The lines of one entry; none where it is nothing to a trace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lines {
    /// One `TracesData`.
    pub spans: Option<String>,
    /// One `LogsData`.
    pub events: Option<String>,
}

impl Lines {
    /// The line of a signal.
    #[must_use]
    pub fn of(&self, signal: Signal) -> Option<&str> {
        match signal {
            Signal::Spans => self.spans.as_deref(),
            Signal::Events => self.events.as_deref(),
        }
    }
}
