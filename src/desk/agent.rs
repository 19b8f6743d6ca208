//! What agents ask beside recall and proposing: one memory by its id, a few by their words, where
//! a proposal stands, one sighting in. Nothing here decides.

use crate::desk::recall::{holds_here, record};
use crate::desk::{Desk, DeskError, Served, fresh_salt};
use crate::domain::candidate::CandidateState;
use crate::domain::observation::Sighting;
use crate::domain::{
    CandidateId, Digest, Layer, MemoryId, ObservationId, Salt, Scope, ServingId, TraceParent,
};
use crate::store::recall::NewServing;

/// Where a candidate stands, as far as its proposer may know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalStanding {
    /// Where it stands.
    pub state: CandidateState,
    /// Where it would hold.
    pub layer: Layer,
    /// The memory it became.
    pub memory: Option<MemoryId>,
}

impl Desk {
    /// Where a candidate stands: the state alone, not what the gate objects to.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn proposal_standing(&self, id: CandidateId) -> Result<ProposalStanding, DeskError> {
        let candidate = self.store.candidate(id)?;
        Ok(ProposalStanding {
            state: candidate.state,
            layer: candidate.scope.layer,
            memory: candidate.memory,
        })
    }

    /// Takes in one sighting and says which it became.
    ///
    /// # Errors
    /// A text that is empty or too long, or a store that cannot be written.
    pub fn observe_one(&self, sighting: Sighting, actor: &str) -> Result<ObservationId, DeskError> {
        let Salt(bytes) = fresh_salt()?;
        let key = Digest(bytes);
        self.store.observe(
            vec![Sighting {
                key: Some(key),
                ..sighting
            }],
            self.now(),
            actor,
        )?;
        Ok(self.store.observation_with_key(&key)?)
    }

    /// Hands over one memory, if it holds for the viewer and verifies; logged first. One that holds
    /// here and does not verify is withheld, which is logged too.
    ///
    /// # Errors
    /// The store cannot be read, or the serving cannot be logged: then nothing is handed over.
    pub fn recall_one(
        &self,
        id: MemoryId,
        viewer: &Scope,
        actor: &str,
        trace: Option<TraceParent>,
    ) -> Result<Option<(ServingId, Served)>, DeskError> {
        let recalled = match self.store.recalled(id) {
            Ok(recalled) => recalled,
            Err(crate::store::StoreError::NotFound(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let now = self.now();
        let grounds = self.grounds()?;
        if holds_here(&recalled.memory, viewer, now).is_err() {
            return Ok(None);
        }
        let objection = self.check(&grounds, &recalled, viewer, now).err();
        let mut served = Served {
            sha256: recalled.memory.sha256(),
            stale: Vec::new(),
            memory: recalled.memory,
        };
        self.mark_contradicted(std::slice::from_mut(&mut served), now)?;
        let bytes = match &objection {
            None => record(&served).text,
            Some(_) => String::new(),
        };
        let (handed_over, withheld) = match objection {
            None => (vec![(id, served.sha256)], Vec::new()),
            Some(why) => (Vec::new(), vec![(id, why)]),
        };
        let is_served = withheld.is_empty();
        let serving = self.store.serve(NewServing {
            at: now,
            actor: actor.to_owned(),
            scope: viewer.clone(),
            format: "one".to_owned(),
            block: Digest::of(bytes.as_bytes()),
            bytes: bytes.len() as u64,
            memories: handed_over,
            withheld,
            trace,
        })?;
        Ok(is_served.then_some((serving, served)))
    }
}
