//! Signed workflow events, and what they may say: the only thing that can say "deployed".

use crate::domain::word::words;
use crate::domain::{Digest, EventId, Layer, Time};

words! {
    /// How a source signs.
    Scheme as "scheme" {
        /// `X-Hub-Signature-256` over the body.
        Github = 1 "github",
        /// Standard Webhooks: id, time and body.
        Standard = 2 "standard",
    }
}

words! {
    /// What an event can say was done.
    EventAction as "action" {
        /// A version runs in an environment.
        Deployed = 1 "deployed",
        /// Somebody with the right to approved it.
        Approved = 2 "approved",
        /// Money was moved.
        Paid = 3 "paid",
        /// Data or systems were moved.
        Migrated = 4 "migrated",
        /// A version was published.
        Released = 5 "released",
    }
}

words! {
    /// What an event says became of it.
    EventState as "state" {
        /// It was done.
        Succeeded = 1 "succeeded",
        /// It failed, or is no longer so.
        Withdrawn = 2 "withdrawn",
        /// It is under way: says nothing yet.
        Underway = 3 "underway",
    }
}

words! {
    /// What became of an event that arrived.
    EventOutcome as "outcome" {
        /// It is verified and says something: a receipt.
        Receipt = 0 "receipt",
        /// It is verified and says nothing that counts.
        Noted = 1 "noted",
        /// It was turned away.
        Refused = 2 "refused",
    }
}

/// Where signed events come from, and how far their word goes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct EventSource {
    /// Its name.
    pub name: String,
    /// How it signs.
    pub scheme: Scheme,
    /// The one repository it may speak for.
    pub repository: String,
    /// The one environment it may speak for; none for events that name none.
    pub environment: Option<String>,
    /// Its receipts hold in this layer and below.
    pub layer: Layer,
    /// The file with its secret. The secret itself is never kept here.
    pub secret_file: String,
    /// When it was added.
    pub added_at: Time,
    /// By whom.
    pub added_by: String,
}

/// What a verified event says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// What was done.
    pub action: EventAction,
    /// To what: `acme/shop@<sha>`, `acme/shop#312`.
    pub subject: String,
    /// In which environment, if in any.
    pub environment: Option<String>,
    /// What became of it.
    pub state: EventState,
    /// When, as the event itself says.
    pub said_at: Option<Time>,
    /// Its place among events of the same moment, as the event itself says.
    pub order: Option<i64>,
}

/// An event that arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its id.
    pub id: EventId,
    /// The source it was brought in for.
    pub source: String,
    /// The sender's own id of the delivery.
    pub delivery: String,
    /// The hash of its raw body.
    pub sha256: Digest,
    /// When it was received.
    pub received_at: Time,
    /// What became of it.
    pub outcome: EventOutcome,
    /// Why, where it is no receipt.
    pub why: String,
    /// What it says, where it is verified and says something.
    pub said: Option<Said>,
    /// The layer its source speaks for.
    pub layer: Layer,
}
