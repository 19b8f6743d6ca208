//! Beginning a store: unsigned, under the shipped policy.

use crate::desk::clock::Clock;
use crate::desk::{Desk, DeskError, random_id};
use crate::domain::Digest;
use crate::gate::Policy;
use crate::store::{NewStore, Store};
use std::path::Path;

/// The policy that comes with this program.
///
/// # Errors
/// The shipped policy or a shipped pack is broken; then nothing starts.
pub fn shipped_policy() -> Result<Policy, DeskError> {
    Policy::shipped()
        .map_err(|error| DeskError::Policy(format!("the shipped policy is broken: {error}")))
}

/// Reads the policy a store holds: its text must be the one that was entered.
pub(in crate::desk) fn read_policy(text: &str, entered: &Digest) -> Result<Policy, DeskError> {
    if Digest::of(text.as_bytes()) != *entered {
        return Err(DeskError::Policy(
            "the store's policy is not the one that was entered, so the gate stays closed"
                .to_owned(),
        ));
    }
    Policy::parse(text).map_err(|error| {
        DeskError::Policy(format!(
            "the store's policy cannot be read, so the gate stays closed: {error}"
        ))
    })
}

impl Desk {
    /// Makes a new store at `path` and opens it.
    ///
    /// # Errors
    /// Something stands there already, or the place cannot be written.
    pub fn init(path: &Path, actor: &str, clock: Clock) -> Result<Self, DeskError> {
        Self::init_as(path, actor, clock, false)
    }

    pub(in crate::desk) fn init_as(
        path: &Path,
        actor: &str,
        clock: Clock,
        demo: bool,
    ) -> Result<Self, DeskError> {
        let policy = shipped_policy()?;
        let new = NewStore {
            at: clock.now(),
            actor: actor.to_owned(),
            uuid: random_id()?,
            policy: policy.source().to_owned(),
            policy_hash: policy.hash(),
            demo,
        };
        Store::create(path, new)?;
        Self::open(path, clock)
    }
}
