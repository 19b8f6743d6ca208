//! From the name of a thing to the list it stands in, and what stands in several lists together.

use crate::desk::{Desk, DeskError};
use crate::domain::candidate::CandidateState;
use crate::domain::query::{Facet, Query};
use crate::domain::{CandidateId, MemoryId, PatternId};
use crate::store::group::Groups;

/// Where a thing stands now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whereabouts {
    /// Among candidates that wait, here.
    Candidate(CandidateId, CandidateState),
    /// Among memories.
    Memory(MemoryId),
    /// Among patterns.
    Pattern(PatternId),
    /// In no list, and why.
    Nowhere(String),
}

impl Desk {
    /// Where the thing that an entry is about stands now.
    ///
    /// # Errors
    /// There is none of that name, or the store cannot be read.
    pub fn whereabouts(&self, item: &str) -> Result<Whereabouts, DeskError> {
        if let Ok(id) = CandidateId::parse(item) {
            let candidate = self.store.candidate(id)?;
            return Ok(match (candidate.state, self.store.memory_of(id)?) {
                (CandidateState::Pending | CandidateState::Quarantined, _) => {
                    Whereabouts::Candidate(id, candidate.state)
                }
                (_, Some(memory)) => Whereabouts::Memory(memory),
                (state, None) => Whereabouts::Nowhere(format!("{id} was {state}")),
            });
        }
        if let Ok(id) = MemoryId::parse(item) {
            return Ok(Whereabouts::Memory(self.store.memory(id)?.id));
        }
        if let Ok(id) = PatternId::parse(item) {
            return Ok(Whereabouts::Pattern(self.store.pattern(id)?.id));
        }
        Ok(Whereabouts::Nowhere(format!("`{item}` stands in no list")))
    }

    /// How many of the candidates that a query asks for belong to each group.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn groups(
        &self,
        state: CandidateState,
        query: &Query,
        facet: Facet,
    ) -> Result<Groups, DeskError> {
        Ok(self
            .store
            .groups(state, query, facet, self.now(), &|text| {
                self.shown(text).text
            })?)
    }
}
