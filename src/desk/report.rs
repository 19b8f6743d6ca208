//! Reports: an agent says that a memory it was handed was wrong, stale, unhelpful or of help.
//!
//! A report is an entry of the ledger and nothing else. It changes no state and nothing that is
//! served; a person sees it on the memory and decides.

use crate::desk::{Desk, DeskError, fresh_salt};
use crate::domain::entry::{Beside, EntryDraft, Facts};
use crate::domain::report::ReportVerdict;
use crate::domain::{Act, Assurance, Commitment, MemoryId, Scope, ServingId};

/// The longest note, in bytes.
const LONGEST_NOTE: usize = 4096;

/// What is reported.
#[derive(Debug, Clone)]
pub struct Report {
    /// The serving that the memory stood in.
    pub serving: ServingId,
    /// The memory.
    pub memory: MemoryId,
    /// What was found.
    pub verdict: ReportVerdict,
    /// What was seen instead, in the reporter's words.
    pub note: Option<String>,
    /// Who reports, in a word.
    pub actor: String,
}

impl Desk {
    /// From where a serving was asked.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn served_scope(&self, serving: ServingId) -> Result<Scope, DeskError> {
        Ok(self.store.serving(serving)?.scope)
    }

    /// Puts a report on record; the same again changes nothing.
    ///
    /// # Errors
    /// The memory did not stand in that serving, or the store cannot be written.
    pub fn report(&self, report: Report) -> Result<(), DeskError> {
        let serving = self.store.serving(report.serving)?;
        if !serving.memories.iter().any(|(id, _)| *id == report.memory) {
            return Err(DeskError::NotFound(format!(
                "there is no {} in {}",
                report.memory, report.serving
            )));
        }
        let note = report
            .note
            .as_deref()
            .map(str::trim)
            .filter(|note| !note.is_empty());
        if note.is_some_and(|note| note.len() > LONGEST_NOTE) {
            return Err(DeskError::BadInput {
                what: "`note` is longer than 4096 bytes".to_owned(),
                hint: "say it in one sentence".to_owned(),
            });
        }
        let mut facts: Facts = [
            ("serving", report.serving.to_string()),
            ("verdict", report.verdict.to_string()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into();
        let beside = match note {
            None => Vec::new(),
            Some(note) => {
                let salt = fresh_salt()?;
                let commitment = Commitment::to(&salt, note.as_bytes());
                facts.insert("reason_commitment".to_owned(), commitment.to_string());
                vec![Beside {
                    part: "reason".to_owned(),
                    salt,
                    body: note.to_owned(),
                }]
            }
        };
        let draft = EntryDraft {
            at: self.now(),
            actor: report.actor,
            assurance: Assurance::Asserted,
            act: Act::Report,
            item: report.memory.to_string(),
            facts,
        };
        Ok(self.store.report(draft, beside)?)
    }
}
