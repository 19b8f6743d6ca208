//! What a trace asks of the store, and the bell that says that something was written.

use crate::domain::{Act, CandidateId, TraceParent};
use crate::ledger::canonical::decode;
use crate::store::Store;
use crate::store::error::StoreError;
use crossbeam_channel::Sender;

/// How many proposals of one claim are looked at.
const PROPOSALS: usize = 64;
/// How many traces one claim is linked to.
const TRACES: usize = 8;

impl Store {
    /// Rings after every change that this process has made durable. The bell is never waited for.
    pub fn ring(&self, bell: Sender<()>) {
        // A store has one bell, the first.
        let _ = self.bell.set(bell);
    }

    /// The traces that a claim was proposed in, oldest first, each once.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn proposed_in(&self, id: CandidateId) -> Result<Vec<TraceParent>, StoreError> {
        self.read(|db| {
            let mut find = db.prepare_cached(
                "SELECT bytes FROM entry WHERE item = ?1 AND act <> 21 AND act = ?2 ORDER BY seq LIMIT ?3",
            )?;
            let limit = i64::try_from(PROPOSALS).unwrap_or(i64::MAX);
            let mut found = find.query((id.to_string(), Act::Propose.code(), limit))?;
            let mut traces = Vec::new();
            while let Some(row) = found.next()? {
                let bytes: String = row.get(0)?;
                let trace = decode(&bytes).ok().and_then(|entry| {
                    let text = entry.draft.facts.get("traceparent")?;
                    TraceParent::parse(text).ok()
                });
                traces.extend(trace.filter(|trace| !traces.contains(trace)));
            }
            traces.truncate(TRACES);
            Ok(traces)
        })
    }
}
