//! Acts: the only way anything changes, and the only way anything is read for people or agents.
//!
//! Each act is one function that takes data and returns data. It carries facts from the store to
//! the rooms that judge and back; it knows no screen, no terminal, no argument syntax.

mod agent;
mod audit;
mod authorize;
mod backtest;
mod backup;
mod case;
mod checkpoint;
mod clock;
mod decide;
mod demo;
mod demote;
mod detect;
mod document;
mod erase;
mod error;
mod event;
mod export;
mod ingest;
mod init;
mod known;
mod ledger_check;
mod ledger_export;
mod life;
mod lift;
mod mask;
mod measures;
mod memory;
mod metrics;
mod observe;
mod opinion;
mod pager;
mod patterns;
mod policy;
pub mod presence;
mod propose;
mod put;
mod queue;
mod recall;
mod regroup;
mod renew;
mod report;
mod reshape;
mod retention;
mod reveal;
mod reviewer;
mod short;
mod signing;
mod source;
pub mod spool;
mod staleness;
mod thresholds;
mod trace;
mod undo;
pub mod view;
mod weighed;
mod whereabouts;
mod why;
mod witness;

pub use agent::ProposalStanding;
pub use audit::{Anchor, ErasedItem, Verification};
pub use authorize::{Authorization, AuthorizeRequest};
pub use backtest::{Backtest, Flip, Score};
pub use backup::{CheckedStore, Restored};
pub use checkpoint::Agreement;
pub use clock::Clock;
pub use demo::build_demo;

pub use document::{DocumentAdded, DocumentDraft, read_document};
pub use erase::{Erasable, ErasureDone};
pub use error::{Conflict, DeskError};
pub use event::NewEventSource;
pub use export::{Export, ExportRequest};
pub use ingest::{IngestOptions, IngestReport, IngestRequest, Standing, SummaryReport};
pub use init::shipped_policy;
pub use ledger_check::{DecisionsChecked, check_decisions};
pub use measures::{DayCounts, Figure, PACE_BARS, PaceCounts, RuleCount, Share, Window};
pub use metrics::{Baseline, Measures, QueueNow, TimeToWhy};
pub use observe::{BadLine, ObserveReport};
pub use pager::ArtifactPart;
pub use patterns::{KinRow, LinkRow, PatternRow, PatternView, WordingRow};
pub use policy::{Readiness, ShadowFlip, ShadowReport};
pub use propose::{APPLICATION_ONLY, ProposalAnswer, ProposalStatus, read_proposal};
pub use put::put_whole;
pub use recall::{Recall, RecallFormat, RecallRequest, Served};
pub use regroup::Regrouped;
pub use renew::{RenewalTerms, Renewed};
pub use report::Report;
pub use retention::Swept;

pub use crate::store::decide::Reshaped;
pub use reviewer::{Adoptable, DecisionProof, ReviewerChange};
pub use thresholds::{BudgetProposal, WhatIfCell, WhatIfTable};
pub use trace::{Tracing, trace_of_caller, traced};
pub use whereabouts::Whereabouts;
pub use witness::Sight;

use crate::domain::{Digest, Salt, Time};
use crate::gate::Policy;
use crate::store::Store;
pub use crate::store::group::Groups as GroupCounts;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

/// The desk over one store. Cheap to share; every act may wait for the store.
#[derive(Debug)]
pub struct Desk {
    store: Store,
    /// The policy in force when it was last looked at, with the hash of its text.
    policy: RwLock<(Digest, Arc<Policy>)>,
    clock: Clock,
    holder: String,
    detecting: AtomicBool,
    grouping: Mutex<Option<detect::Grouping>>,
    believed: signing::Believed,
    /// Behind the store, which it outlives: closing the store ends it.
    tracer: OnceLock<trace::Tracer>,
}

impl Desk {
    /// Opens the store at `path` under the policy it holds.
    ///
    /// # Errors
    /// The store cannot be opened, or its policy cannot be read: then the gate stays closed.
    pub fn open(path: &Path, clock: Clock) -> Result<Self, DeskError> {
        let store = Store::open(path)?;
        let (text, entered) = store.policy()?;
        let policy = init::read_policy(&text, &entered)?;
        Ok(Self {
            store,
            policy: RwLock::new((entered, Arc::new(policy))),
            clock,
            detecting: AtomicBool::new(false),
            grouping: Mutex::new(None),
            believed: signing::Believed::default(),
            tracer: OnceLock::new(),
            holder: format!("{}-{}", std::process::id(), random_id()?),
        })
    }

    /// The moment it is.
    #[must_use]
    pub fn now(&self) -> Time {
        self.clock.now()
    }

    /// Where the store is.
    #[must_use]
    pub fn store_path(&self) -> &Path {
        self.store.path()
    }

    /// The policy in force; where it cannot be read any more, the one that was.
    #[must_use]
    pub fn policy(&self) -> Arc<Policy> {
        self.in_force().unwrap_or_else(|_| self.last_policy())
    }

    /// The policy in force, whichever process put it there. Nothing is judged under an older one.
    ///
    /// # Errors
    /// It cannot be read: then the gate stays closed.
    pub(in crate::desk) fn in_force(&self) -> Result<Arc<Policy>, DeskError> {
        let now = self.store.policy_hash()?;
        if let (known, policy) = &*self.policy.read().unwrap_or_else(PoisonError::into_inner)
            && *known == now
        {
            return Ok(Arc::clone(policy));
        }
        let (text, entered) = self.store.policy()?;
        let policy = Arc::new(init::read_policy(&text, &entered)?);
        let mut slot = self.policy.write().unwrap_or_else(PoisonError::into_inner);
        *slot = (entered, Arc::clone(&policy));
        Ok(policy)
    }

    /// The policy as it was last looked at: for what the policy cannot change, such as masking.
    pub(in crate::desk) fn last_policy(&self) -> Arc<Policy> {
        let slot = self.policy.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&slot.1)
    }

    /// A number that moves whenever any process has committed anything.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn changes(&self) -> Result<u64, DeskError> {
        Ok(self.store.changes()?)
    }
}

/// The version of the database engine that was built in.
#[must_use]
pub fn engine_version() -> &'static str {
    crate::store::engine_version()
}

/// Whether that engine keeps every commit when several processes write.
#[must_use]
pub fn engine_is_sound() -> bool {
    crate::store::engine_is_sound()
}

/// Thirty-two fresh random bytes.
fn fresh_salt() -> Result<Salt, DeskError> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| DeskError::NotPossible(format!("no random bytes to be had: {error}")))?;
    Ok(Salt(bytes))
}

/// A short random name.
fn random_id() -> Result<String, DeskError> {
    let Salt(bytes) = fresh_salt()?;
    Ok(bytes
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect())
}
