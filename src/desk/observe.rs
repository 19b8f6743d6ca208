//! Observing: sightings in, in batches; what cannot be read costs its own line only.

use crate::desk::propose::Fields;
use crate::desk::{Desk, DeskError};
use crate::domain::observation::{Origin, Sighting};
use crate::domain::time::MINUTE;
use crate::domain::{Digest, Layer, SessionId, Time, Trust, UserId};
use crate::transcript::Declared;

/// How many sightings go into one transaction.
pub(in crate::desk) const BATCH: usize = 1000;
/// The longest text that is one sighting.
const LONGEST: usize = 1024 * 1024;

/// A line that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct BadLine {
    /// What is wrong with it.
    pub error: String,
    /// Its number, from 1.
    pub line: u64,
    /// How to mend it.
    pub hint: String,
}

/// What became of a stream of observations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ObserveReport {
    /// Taken in.
    pub observed: u64,
    /// Taken in before.
    pub duplicates: u64,
    /// Lines that could not be read.
    pub problems: Vec<BadLine>,
}

impl Desk {
    /// Takes in sightings, in transactions of a bounded size. Bad lines are listed, the rest goes through.
    ///
    /// # Errors
    /// The store cannot be written; sightings of earlier batches stay.
    pub fn observe(
        &self,
        sightings: impl IntoIterator<Item = Result<Sighting, BadLine>>,
        actor: &str,
    ) -> Result<ObserveReport, DeskError> {
        let mut report = ObserveReport::default();
        let mut batch = Vec::with_capacity(BATCH);
        for sighting in sightings {
            match sighting {
                Ok(sighting) => batch.push(sighting),
                Err(bad) => report.problems.push(bad),
            }
            if batch.len() >= BATCH {
                self.take_in(std::mem::take(&mut batch), actor, &mut report)?;
            }
        }
        self.take_in(batch, actor, &mut report)?;
        Ok(report)
    }

    /// Reads one line of JSON as a sighting.
    ///
    /// # Errors
    /// What is wrong with it and how to mend it; the line's number is the caller's to add.
    pub fn read_sighting(&self, line: &str) -> Result<Sighting, BadLine> {
        let bad = |error: String| BadLine {
            error,
            line: 0,
            hint: "one JSON object a line".to_owned(),
        };
        let value: serde_json::Value =
            serde_json::from_str(line).map_err(|error| bad(format!("not JSON: {error}")))?;
        let serde_json::Value::Object(map) = value else {
            return Err(bad("not a JSON object".to_owned()));
        };
        let mut fields = Fields(map);
        let text = fields.needed("text")?;
        let declared = Declared {
            layer: fields.optional("layer")?,
            user: fields.optional("user")?,
            session: fields.optional("session")?,
            source: fields.optional("source")?,
            trust: fields.optional("trust")?,
            at: fields.optional("at")?,
            origin: fields.optional("origin")?,
            key: fields.optional("key")?,
        };
        fields.no_others("known are text, layer, user, session, source, trust, at, origin, key")?;
        self.sighting(text, &declared)
    }

    /// Puts a text and what was declared of it together.
    ///
    /// # Errors
    /// A field that is missing or cannot be read.
    pub fn sighting(&self, text: String, declared: &Declared) -> Result<Sighting, BadLine> {
        check_text(&text)?;
        let layer = needed("layer", declared.layer.as_deref())?;
        let layer = Layer::parse(layer).map_err(|e| field("layer", &e))?;
        let user = needed("user", declared.user.as_deref())?;
        let session = needed("session", declared.session.as_deref())?;
        let trust = declared
            .trust
            .as_deref()
            .map(Trust::parse)
            .transpose()
            .map_err(|e| field("trust", &e))?;
        let origin = declared
            .origin
            .as_deref()
            .map(Origin::parse)
            .transpose()
            .map_err(|e| field("origin", &e))?;
        let key = declared.key.as_deref().map(|key| tenant_key(&layer, key));
        Ok(Sighting {
            text,
            layer,
            user: UserId::parse(user).map_err(|e| field("user", &e))?,
            session: SessionId::parse(session).map_err(|e| field("session", &e))?,
            source: declared.source.clone(),
            // Whoever hands text over cannot raise it above a person's own words.
            trust: trust
                .unwrap_or(Trust::AuthenticatedUser)
                .min(Trust::AuthenticatedUser),
            at: self.moment(declared.at.as_deref())?,
            origin: origin.unwrap_or(Origin::Direct),
            key,
            artifact: None,
        })
    }

    fn moment(&self, given: Option<&str>) -> Result<Time, BadLine> {
        let Some(text) = given else {
            return Ok(self.now());
        };
        let at = Time::parse(text).map_err(|e| field("at", &e))?;
        if at > self.now().plus(5 * MINUTE) {
            return Err(BadLine {
                error: "`at` lies in the future".to_owned(),
                line: 0,
                hint: "leave it out for now".to_owned(),
            });
        }
        Ok(at)
    }

    pub(in crate::desk) fn take_in(
        &self,
        batch: Vec<Sighting>,
        actor: &str,
        report: &mut ObserveReport,
    ) -> Result<(), DeskError> {
        if batch.is_empty() {
            return Ok(());
        }
        let outcome = self.store.observe(batch, self.now(), actor)?;
        report.observed += outcome.observed;
        report.duplicates += outcome.duplicates;
        Ok(())
    }
}

/// Keys of one tenant say nothing about another's.
fn tenant_key(layer: &Layer, key: &str) -> Digest {
    Digest::of_parts(&[b"key", layer.tenant().as_bytes(), key.as_bytes()])
}

fn check_text(text: &str) -> Result<(), BadLine> {
    let bad = |error: &str, hint: &str| {
        Err(BadLine {
            error: error.to_owned(),
            line: 0,
            hint: hint.to_owned(),
        })
    };
    if text.trim().is_empty() {
        return bad("`text` is empty", "say what was seen");
    }
    if text.len() > LONGEST {
        return bad(
            "`text` is longer than 1 MiB",
            "bring long texts in with `countersign ingest`",
        );
    }
    Ok(())
}

fn needed<'a>(name: &str, value: Option<&'a str>) -> Result<&'a str, BadLine> {
    value.ok_or_else(|| BadLine {
        error: format!("`{name}` is missing"),
        line: 0,
        hint: "every observation needs text, layer, user and session".to_owned(),
    })
}

/// What a field looks like when it is right.
pub(in crate::desk) fn hint_for(name: &str) -> &'static str {
    const HINTS: &[(&str, &str)] = &[
        ("at", "write a time such as 2026-12-01T09:00:00Z"),
        ("confidence", "write a number from 0 to 1"),
        (
            "expires_at",
            "write a time such as 2027-01-31, or leave it out",
        ),
        (
            "kind",
            "one of observed_fact, user_preference, inference, task_state",
        ),
        ("layer", "write a path such as acme/emea/berlin"),
        ("origin", "one of direct, recall, derived"),
        (
            "source_trust",
            "one of model, web, tool, authenticated_user, system",
        ),
        (
            "trust",
            "one of model, web, tool, authenticated_user, system",
        ),
    ];
    let found = HINTS.iter().find(|(field, _)| *field == name);
    found.map_or("write a short text without a NUL", |(_, hint)| hint)
}

fn field(name: &str, error: &dyn std::fmt::Display) -> BadLine {
    BadLine {
        error: format!("`{name}` cannot be read: {error}"),
        line: 0,
        hint: hint_for(name).to_owned(),
    }
}
