//! Observations as JSON lines: `{"text","layer","user","session","source"?,"trust"?,"at"?,"origin"?,"key"?}`.
//!
//! Gives what a row claims, raw; what the claim is worth is decided elsewhere. A field it does not
//! know costs the row: a misspelt `origin` must not turn an echo into support.

use serde_json::Value;

use crate::domain::{Digest, Time};
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Declared, Message, Speaker};
use crate::transcript::record::{self, Fields};
use crate::transcript::{Format, Reader, Unfinished};

pub(crate) const FORMAT: Format = Format {
    name: "observations",
    about: "observations as JSON lines: text, layer, user, session, and source, trust, at, origin, key",
    sniff,
    reader: || Box::new(Observations::default()),
};

/// The fields of a row.
const FIELDS: &[&str] = &[
    "text", "layer", "user", "session", "source", "trust", "at", "origin", "key",
];

#[derive(Debug, Default)]
struct Observations {
    given: u64,
    last: Option<Unfinished>,
}

impl Reader for Observations {
    fn line(&mut self, line: &Line<'_>, out: &mut Batch) {
        if line.terminated {
            self.read(line, out);
        } else {
            self.last = Some(Unfinished::of(line));
        }
    }

    fn end(&mut self, out: &mut Batch) {
        if let Some(last) = self.last.take() {
            self.read(&last.line(), out);
        }
    }
}

impl Observations {
    fn read(&mut self, line: &Line<'_>, out: &mut Batch) {
        let Some(fields) = record::object(line, out) else {
            return;
        };
        match row(&fields) {
            Ok((text, declared, at)) => {
                out.messages
                    .push(self.message(line, fields, text, declared, at));
                self.given += 1;
            }
            Err(problem) => out.problem(line.number, line.offset, problem),
        }
    }

    fn message(
        &self,
        line: &Line<'_>,
        fields: Fields,
        text: String,
        declared: Declared,
        at: Option<Time>,
    ) -> Message {
        let content = record::content_hash(&Value::Object(fields));
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

fn sniff(head: &[u8]) -> bool {
    head.split(|byte| *byte == b'\n').take(20).any(|line| {
        let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        serde_json::from_slice::<Fields>(line).is_ok_and(|fields| {
            fields.contains_key("text")
                && ["layer", "user", "session"]
                    .iter()
                    .any(|name| fields.contains_key(*name))
        })
    })
}

/// Reads a row's fields, or says which is wrong.
fn row(fields: &Fields) -> Result<(String, Declared, Option<Time>), &'static str> {
    if fields.keys().any(|name| !FIELDS.contains(&name.as_str())) {
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
    fields: &Fields,
    name: &str,
    otherwise: &'static str,
) -> Result<Option<String>, &'static str> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
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
