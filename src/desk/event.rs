//! Signed workflow events: whom we believe, what arrives, and what becomes a receipt.
//!
//! Whom we believe is decided by a person. What arrives is verified over its raw bytes and kept,
//! refused ones too. No memory, candidate or transcript can make a receipt, whatever it says.

use crate::desk::presence::Presence;
use crate::desk::{Desk, DeskError};
use crate::domain::receipt::{Event, EventOutcome, EventSource, EventState, Said, Scheme};
use crate::domain::{Act, Digest, EventId, Layer};
use crate::receipt::{Arrived, Raw, Refusal, Standing, check_source, read, standing, verify};
use crate::store::receipt::NewEvent;
use std::path::Path;

/// The largest body that is taken in.
const LARGEST: usize = 5 * 1024 * 1024;
/// The longest secret that is read.
const LONGEST_SECRET: u64 = 4096;

/// A source to be added.
#[derive(Debug, Clone)]
pub struct NewEventSource {
    /// Its name.
    pub name: String,
    /// How it signs.
    pub scheme: Scheme,
    /// The one repository it may speak for.
    pub repository: String,
    /// The one environment it may speak for.
    pub environment: Option<String>,
    /// Its receipts hold in this layer and below.
    pub layer: Layer,
    /// The file with its secret.
    pub secret_file: String,
}

impl Desk {
    /// Adds a source of events: from now on what it signs is believed.
    ///
    /// # Errors
    /// Its secret cannot be read, a name is taken, or the store cannot be written.
    pub fn add_event_source(
        &self,
        presence: &Presence,
        new: NewEventSource,
    ) -> Result<EventSource, DeskError> {
        for (what, text) in [("name", &new.name), ("repository", &new.repository)] {
            if text.trim().is_empty() || text.chars().any(|c| c.is_control() || c.is_whitespace()) {
                return Err(DeskError::BadInput {
                    what: format!("the {what} is empty or holds white space"),
                    hint: "for instance --repository acme/shop".to_owned(),
                });
            }
        }
        secret(Path::new(&new.secret_file))?;
        let hand = presence.hand().clone();
        let source = EventSource {
            name: new.name,
            scheme: new.scheme,
            repository: new.repository,
            environment: new.environment,
            layer: new.layer,
            secret_file: new.secret_file,
            added_at: self.now(),
            added_by: hand.reviewer.name.to_string(),
        };
        let draft = || Ok(self.store.draft_event_source(&source, &hand));
        let signed = self.sign(presence, draft, Act::EventSource)?;
        self.store.add_event_source(source.clone(), hand, signed)?;
        Ok(source)
    }

    /// Takes a source away: what it signs from now on is refused, what it said stays.
    ///
    /// # Errors
    /// There is none, or the store cannot be written.
    pub fn remove_event_source(&self, presence: &Presence, name: &str) -> Result<(), DeskError> {
        let (hand, now) = (presence.hand().clone(), self.now());
        let draft = || Ok(self.store.draft_event_source_removal(name, &hand, now));
        let signed = self.sign(presence, draft, Act::EventSource)?;
        Ok(self.store.remove_event_source(name, hand, now, signed)?)
    }

    /// Every source of events.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn event_sources(&self) -> Result<Vec<EventSource>, DeskError> {
        Ok(self.store.event_sources()?)
    }

    /// The newest events, refused ones too.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn events(&self, limit: usize) -> Result<Vec<Event>, DeskError> {
        Ok(self.store.events(limit)?)
    }

    /// Takes an event in for a source. Refusing it is an answer, not an error, and is recorded.
    ///
    /// # Errors
    /// The source's secret cannot be read, or the store cannot be written.
    pub fn ingest_event(
        &self,
        source: &str,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
    ) -> Result<Event, DeskError> {
        if body.len() > LARGEST {
            return Err(DeskError::BadInput {
                what: "the body is larger than 5 MiB".to_owned(),
                hint: "an event is small: check which file this is".to_owned(),
            });
        }
        let raw = Raw {
            headers,
            body,
            received_at: self.now(),
        };
        let sources = self.store.event_sources()?;
        let known = sources.into_iter().find(|known| known.name == source);
        let mut event = Event {
            id: EventId(0),
            source: source.to_owned(),
            delivery: String::new(),
            sha256: Digest::of(&raw.body),
            received_at: raw.received_at,
            outcome: EventOutcome::Refused,
            why: "there is no source of that name".to_owned(),
            said: None,
            layer: crate::domain::Layer::parse("unknown")
                .map_err(|error| DeskError::NotPossible(error.to_string()))?,
        };
        let objection = match &known {
            Some(known) => self.source_objection(known)?,
            None => None,
        };
        if let Some(why) = objection {
            event.why = why;
        } else if let Some(known) = known {
            event.layer.clone_from(&known.layer);
            let secret = secret(Path::new(&known.secret_file))?;
            match accept(&raw, &known, &secret) {
                Ok((delivery, said)) => {
                    let says = said.state != EventState::Underway;
                    event.delivery = delivery;
                    event.outcome = if says {
                        EventOutcome::Receipt
                    } else {
                        EventOutcome::Noted
                    };
                    event.why = if says {
                        String::new()
                    } else {
                        "it says that something is under way, not that it was done".to_owned()
                    };
                    event.said = Some(said);
                }
                Err(refusal) => event.why = refusal.to_string(),
            }
        }
        Ok(self.store.keep_event(NewEvent {
            event,
            headers: raw.headers,
            body: raw.body,
        })?)
    }

    /// A receipt and where what it says stands now, if it is there and speaks for this layer.
    pub(in crate::desk) fn receipt(
        &self,
        id: EventId,
        layer: &Layer,
    ) -> Result<Option<(Said, Standing)>, DeskError> {
        let Some(event) = self.store.event(id)? else {
            return Ok(None);
        };
        let said = event
            .said
            .filter(|_| event.outcome == EventOutcome::Receipt);
        let Some(said) = said.filter(|_| event.layer.is_visible_from(layer)) else {
            return Ok(None);
        };
        let standing = self.standing_of(&said, layer)?;
        Ok(Some((said, standing)))
    }

    /// Why a receipt supports nothing here, if it does not.
    pub(in crate::desk) fn receipt_objection(
        &self,
        id: EventId,
        layer: &Layer,
    ) -> Result<Option<String>, DeskError> {
        Ok(match self.receipt(id, layer)? {
            None => Some(format!("{id} is no receipt that speaks for {layer}")),
            Some((_, Standing::Stands(_))) => None,
            Some((_, Standing::Withdrawn(by))) => Some(format!("{by} took back what {id} says")),
            Some((_, _)) => Some(format!("whether {id} still holds cannot be told")),
        })
    }

    /// Where one thing stands, by every receipt about it that speaks for this layer.
    pub(in crate::desk) fn standing_of(
        &self,
        said: &Said,
        layer: &Layer,
    ) -> Result<Standing, DeskError> {
        let all = self.store.receipts(said.action, &said.subject)?;
        let arrived: Vec<Arrived<'_>> = all
            .iter()
            .filter(|event| event.layer.is_visible_from(layer))
            .filter_map(|event| {
                Some(Arrived {
                    id: event.id,
                    said: event.said.as_ref()?,
                })
            })
            .filter(|one| one.said.environment == said.environment)
            .collect();
        Ok(standing(&arrived))
    }
}

/// Verifies, then reads, then holds what is said against what the source may say.
fn accept(raw: &Raw, source: &EventSource, secret: &[u8]) -> Result<(String, Said), Refusal> {
    let delivery = verify(source.scheme, raw, secret)?;
    let said = read(raw)?;
    check_source(&said, source)?;
    Ok((delivery, said))
}

/// Reads a source's secret. A file that others may read keeps no secret and is refused.
fn secret(file: &Path) -> Result<Vec<u8>, DeskError> {
    let bad = |what: String, hint: &str| DeskError::BadInput {
        what: format!(
            "the secret in `{}` {what}",
            crate::text::line(&file.display().to_string())
        ),
        hint: hint.to_owned(),
    };
    let found = std::fs::metadata(file).map_err(|error| {
        bad(
            format!("cannot be read: {error}"),
            "name a file with --secret-file",
        )
    })?;
    if found.len() > LONGEST_SECRET {
        return Err(bad(
            "is longer than 4 KiB".to_owned(),
            "check which file this is",
        ));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        if found.permissions().mode() & 0o077 != 0 {
            return Err(bad(
                "may be read by others".to_owned(),
                "chmod 600 it; whoever can read it can sign events",
            ));
        }
    }
    let bytes = std::fs::read(file).map_err(|error| {
        bad(
            format!("cannot be read: {error}"),
            "name a file with --secret-file",
        )
    })?;
    let end = bytes
        .iter()
        .rposition(|byte| !byte.is_ascii_whitespace())
        .map_or(0, |at| at + 1);
    let secret = bytes.get(..end).unwrap_or_default().to_vec();
    if secret.is_empty() {
        return Err(bad(
            "is empty".to_owned(),
            "put the source's secret into it",
        ));
    }
    Ok(secret)
}
