//! `authorize`: whether something was done, by verified receipts and by nothing else.
//!
//! INVARIANT: (8) what people approved as knowledge, what agents proposed and what anybody said is
//! not read here. A test holds that this file names none of it.

use crate::desk::{Desk, DeskError};
use crate::domain::receipt::{EventAction, EventState, Said};
use crate::domain::{EventId, Layer};
use crate::receipt::Standing;

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizeRequest {
    /// What was to be done.
    pub action: EventAction,
    /// To what.
    pub subject: String,
    /// In which environment, if in any.
    pub environment: Option<String>,
    /// From which layer it is asked.
    pub layer: Layer,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authorization {
    /// Whether a receipt that stands says so.
    pub allowed: bool,
    /// The receipt that decides it, either way.
    pub receipt: Option<EventId>,
    /// Why, in a sentence.
    pub why: String,
}

impl Desk {
    /// Answers from receipts only.
    ///
    /// # Errors
    /// The store cannot be read: then nothing is allowed.
    pub fn authorize(&self, request: &AuthorizeRequest) -> Result<Authorization, DeskError> {
        if let Some(id) = self.store.changed_event()? {
            return Ok(Authorization {
                allowed: false,
                receipt: None,
                why: format!(
                    "{id} is not what the ledger says arrived; run `countersign audit verify`"
                ),
            });
        }
        let asked = Said {
            action: request.action,
            subject: request.subject.clone(),
            environment: request.environment.clone(),
            state: EventState::Succeeded,
            said_at: None,
            order: None,
        };
        let what = match &request.environment {
            Some(environment) => format!("{} {} in {environment}", request.subject, request.action),
            None => format!("{} {}", request.subject, request.action),
        };
        let (allowed, receipt, why) = match self.standing_of(&asked, &request.layer)? {
            Standing::Unsaid => (false, None, format!("no receipt says: {what}")),
            Standing::Stands(id) => (true, Some(id), format!("{id} says: {what}")),
            Standing::Withdrawn(id) => (false, Some(id), format!("{id} took it back: {what}")),
            Standing::Held(id) => (
                false,
                Some(id),
                format!(
                    "{id} says so, but whether before or after it was taken back cannot be told: {what}"
                ),
            ),
        };
        Ok(Authorization {
            allowed,
            receipt,
            why,
        })
    }
}
