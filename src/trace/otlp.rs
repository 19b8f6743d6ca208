//! OTLP-JSON as the file exporter of the OpenTelemetry specification writes it.
//!
//! ```text
//! {"resourceSpans":[{"resource":..,"scopeSpans":[{"scope":..,"spans":[..],"schemaUrl":""}],"schemaUrl":""}]}
//! {"resourceLogs":[{"resource":..,"scopeLogs":[{"scope":..,"logRecords":[..],"schemaUrl":""}],"schemaUrl":""}]}
//! ```
//!
//! One object a line. Ids are hexadecimal, 64-bit numbers are strings, a status is always there.

use crate::domain::{Time, TraceParent};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Who a span is for, in OTLP's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::trace) enum Kind {
    /// An act of our own.
    Internal = 1,
    /// A call to a memory store.
    Client = 3,
}

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::trace) enum Said {
    Text(String),
    Number(u64),
    List(Vec<String>),
}

pub(in crate::trace) type Attribute = (&'static str, Said);

/// One span. It has no length: what the ledger knows is when it was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::trace) struct Span {
    pub(in crate::trace) trace: [u8; 16],
    pub(in crate::trace) id: [u8; 8],
    pub(in crate::trace) parent: Option<[u8; 8]>,
    /// The flags of the caller, where the parent is somebody else's span.
    pub(in crate::trace) remote: Option<u8>,
    pub(in crate::trace) name: String,
    pub(in crate::trace) kind: Kind,
    pub(in crate::trace) at: Time,
    pub(in crate::trace) attributes: Vec<Attribute>,
    pub(in crate::trace) links: Vec<TraceParent>,
}

/// One log event, which belongs to a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::trace) struct Event {
    pub(in crate::trace) trace: [u8; 16],
    pub(in crate::trace) span: [u8; 8],
    pub(in crate::trace) name: &'static str,
    pub(in crate::trace) at: Time,
    pub(in crate::trace) attributes: Vec<Attribute>,
}

/// The context's remoteness is known (bit 8) and it is remote (bit 9).
const REMOTE: u32 = 0x300;
/// `SEVERITY_NUMBER_INFO`.
const INFO: u32 = 9;

/// Spans as one line, without its end.
pub(in crate::trace) fn traces(store: &str, spans: &[Span]) -> String {
    let spans: Vec<Value> = spans.iter().map(span).collect();
    json!({ "resourceSpans": [{
        "resource": resource(store),
        "scopeSpans": [{ "scope": scope(), "spans": spans, "schemaUrl": "" }],
        "schemaUrl": "",
    }] })
    .to_string()
}

/// Events as one line, without its end.
pub(in crate::trace) fn logs(store: &str, events: &[Event]) -> String {
    let records: Vec<Value> = events.iter().map(event).collect();
    json!({ "resourceLogs": [{
        "resource": resource(store),
        "scopeLogs": [{ "scope": scope(), "logRecords": records, "schemaUrl": "" }],
        "schemaUrl": "",
    }] })
    .to_string()
}

fn resource(store: &str) -> Value {
    let said = [
        ("service.name", Said::Text("countersign".to_owned())),
        ("service.instance.id", Said::Text(store.to_owned())),
    ];
    json!({ "attributes": attributes(&said), "droppedAttributesCount": 0 })
}

fn scope() -> Value {
    json!({ "name": "countersign", "version": "", "attributes": [], "droppedAttributesCount": 0 })
}

fn span(span: &Span) -> Value {
    let links: Vec<Value> = span.links.iter().map(link).collect();
    json!({
        "traceId": hex(&span.trace),
        "spanId": hex(&span.id),
        "traceState": "",
        "parentSpanId": span.parent.map(|id| hex(&id)).unwrap_or_default(),
        "flags": span.remote.map_or(0, |flags| u32::from(flags) | REMOTE),
        "name": span.name,
        "kind": span.kind as u32,
        "startTimeUnixNano": nanos(span.at),
        "endTimeUnixNano": nanos(span.at),
        "attributes": attributes(&span.attributes),
        "droppedAttributesCount": 0,
        "events": [],
        "droppedEventsCount": 0,
        "links": links,
        "droppedLinksCount": 0,
        "status": {},
    })
}

fn link(to: &TraceParent) -> Value {
    json!({
        "traceId": hex(&to.trace),
        "spanId": hex(&to.span),
        "traceState": "",
        "attributes": [],
        "droppedAttributesCount": 0,
        "flags": u32::from(to.flags) | REMOTE,
    })
}

fn event(event: &Event) -> Value {
    json!({
        "timeUnixNano": nanos(event.at),
        "observedTimeUnixNano": nanos(event.at),
        "severityNumber": INFO,
        "severityText": "",
        "attributes": attributes(&event.attributes),
        "droppedAttributesCount": 0,
        "flags": 0,
        "traceId": hex(&event.trace),
        "spanId": hex(&event.span),
        "eventName": event.name,
    })
}

fn attributes(said: &[Attribute]) -> Vec<Value> {
    said.iter()
        .map(|(key, said)| json!({ "key": key, "value": value(said) }))
        .collect()
}

fn value(said: &Said) -> Value {
    match said {
        Said::Text(text) => json!({ "stringValue": text }),
        Said::Number(number) => json!({ "intValue": number.to_string() }),
        Said::List(texts) => {
            let values: Vec<Value> = texts
                .iter()
                .map(|text| json!({ "stringValue": text }))
                .collect();
            json!({ "arrayValue": { "values": values } })
        }
    }
}

fn nanos(at: Time) -> String {
    (i128::from(at.millis()).max(0) * 1_000_000).to_string()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        // Writing into a string cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}
