//! Observations as JSON lines: `{"text","layer","user","session","source"?,"trust"?,"at"?,"origin"?,"key"?}`.
//!
//! Gives what a row claims, raw; what the claim is worth is decided elsewhere. A field it does not
//! know costs the row: a misspelt `origin` must not turn an echo into support.

use crate::domain::{Digest, Time};
use crate::transcript::document::{Layout, Of};
use crate::transcript::glance::Glance;
use crate::transcript::json::{Fields, Json};
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Declared, Message, Speaker};
use crate::transcript::{Format, Reader, Resume, Shape, record};

pub(crate) const FORMAT: Format = Format {
    name: "observations",
    about: "observations as JSON lines: text, layer, user, session, and source, trust, at, origin, key",
    sniff,
    shape: |glance| {
        if glance.is_spread() {
            Shape::Document(&LAYOUT)
        } else {
            Shape::Lines
        }
    },
    resume: Resume::There,
    tells: true,
    reader: || Box::new(Observations::default()),
};

const LAYOUT: Layout = Layout {
    items: &[],
    fields: &[],
    whole: true,
};

/// The fields of a row.
const FIELDS: &[&str] = &[
    "text", "layer", "user", "session", "source", "trust", "at", "origin", "key",
];

#[derive(Debug, Default)]
struct Observations {
    given: u64,
}

impl Reader for Observations {
    fn take(&mut self, _of: Of, line: &Line<'_>, out: &mut Batch) {
        record::object(line, out, |fields, out| match row(fields) {
            Ok((text, declared, at)) => {
                let message = self.message(line, fields, text, declared, at);
                out.messages.push(message);
                self.given += 1;
            }
            Err(problem) => out.problem(line.number, line.offset, problem),
        });
    }
}

impl Observations {
    fn message(
        &self,
        line: &Line<'_>,
        fields: &Fields<'_>,
        text: String,
        declared: Declared,
        at: Option<Time>,
    ) -> Message {
        let content = Json::Object(fields.clone()).hash();
        let place = match &declared.key {
            Some(key) => key.as_bytes().to_vec(),
            None => line.offset.to_be_bytes().to_vec(),
        };
        Message {
            ordinal: self.given,
            record: declared.key.clone(),
            speaker: speaker(&declared),
            text,
            at,
            session: declared.session.clone(),
            project_dir: None,
            offset: line.offset,
            length: line.length(),
            identity: Digest::of_parts(&[b"observations", &place, &content.0]),
            declared: Some(declared),
        }
    }
}

fn sniff(glance: &Glance<'_>) -> bool {
    let opening = &glance.opening;
    let spread = glance.is_spread() && opening.has("text") && opening.has("layer");
    spread
        || glance.any_line(|fields| {
            fields.has("text")
                && ["layer", "user", "session"]
                    .iter()
                    .any(|name| fields.has(name))
        })
}

/// Reads a row's fields, or says which is wrong.
fn row(fields: &Fields<'_>) -> Result<(String, Declared, Option<Time>), &'static str> {
    if fields.names().any(|name| !FIELDS.contains(&name)) {
        return Err(
            "unknown field; a row has text, layer, user, session, source, trust, at, origin, key",
        );
    }
    let text = field(fields, "text", "`text` is not a string")?
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
        .ok_or("`text` is missing or empty")?;
    let declared = Declared {
        layer: field(fields, "layer", "`layer` is not a string")?,
        user: field(fields, "user", "`user` is not a string")?,
        session: field(fields, "session", "`session` is not a string")?,
        source: field(fields, "source", "`source` is not a string")?,
        trust: field(fields, "trust", "`trust` is not a string")?,
        at: field(fields, "at", "`at` is not a string")?,
        origin: field(fields, "origin", "`origin` is not a string")?,
        key: field(fields, "key", "`key` is not a string")?,
    };
    let at = match &declared.at {
        Some(at) => Some(Time::parse(at).map_err(|_| "`at` is not a time")?),
        None => None,
    };
    Ok((text, declared, at))
}

/// A field that is text or absent; `null` is absent.
fn field(
    fields: &Fields<'_>,
    name: &str,
    otherwise: &'static str,
) -> Result<Option<String>, &'static str> {
    match fields.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Text(text)) => Ok(Some(text.clone().into_owned())),
        Some(_) => Err(otherwise),
    }
}

/// Whose words the row says they are; a model's where it does not say, never the system's.
fn speaker(declared: &Declared) -> Speaker {
    if declared.origin.as_deref() == Some("recall") {
        return Speaker::Recall;
    }
    match declared.trust.as_deref() {
        Some("authenticated_user") => Speaker::Person,
        Some("tool" | "system") => Speaker::Tool,
        Some("web") => Speaker::Web,
        _ => Speaker::Model,
    }
}
