//! One event from its payload to its answer: understand, spool, answer. Nothing here fails outward.

use crate::desk::spool::{Accepted, Spooled, spool};
use crate::desk::{Clock, Desk, RecallFormat, RecallRequest, Tracing, trace_of_caller};
use crate::domain::{Layer, Project, Scope, SessionId, TraceParent};
use crate::hook::lossy::Lossy;
use crate::hook::meaning::{Meaning, text};
use crate::hook::{Harness, key};
use serde_json::Value;
use std::io::{BufRead, Read as _};
use std::path::PathBuf;
use std::time::Duration;

/// The largest payload that is read.
const LARGEST: u64 = 8 * 1024 * 1024;
/// How many characters a block may have: harnesses cut at ten thousand.
const BUDGET: usize = 9000;

/// What the hook was installed with.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The store.
    pub store: PathBuf,
    /// Where what is seen would hold, and from where memory is read.
    pub layer: Layer,
    /// The project, if the layer holds several.
    pub project: Option<Project>,
    /// Whose sessions these are.
    pub user: String,
    /// Whether direct writes to memory files become proposals.
    pub guard: bool,
    /// Whether tools' answers are kept.
    pub tools: bool,
    /// How many characters a block may have.
    pub budget: Option<usize>,
    /// How long a session's start waits for its memory.
    pub patience: Duration,
    /// Where the time comes from.
    pub clock: Clock,
    /// Where acts are traced to, if they are.
    pub tracing: Option<Tracing>,
    /// The trace the harness is in, where it said so.
    pub trace: Option<TraceParent>,
}

/// Reads one event and gives the one object to be printed, if any. Notes for a log go to `note`.
pub fn run(
    harness: &Harness,
    setting: &Setting,
    input: &mut dyn BufRead,
    note: &mut dyn FnMut(&str),
) -> Option<Value> {
    let payload = match read(input) {
        Ok(payload) => payload,
        Err(why) => {
            note(&format!("the event could not be read: {why}"));
            return None;
        }
    };
    match (harness.meaning)(&payload) {
        Meaning::Nothing => None,
        Meaning::Start => {
            let trace = trace_of_caller(text(&payload, "traceparent")).or(setting.trace);
            let setting = Setting {
                trace,
                ..setting.clone()
            };
            let block = recall_in_time(&setting, session(&payload))?;
            harness.context.map(|context| context(&block))
        }
        Meaning::Keep(Accepted::Tool { .. }) if !setting.tools => None,
        Meaning::Keep(what) => {
            keep(harness, setting, &payload, what, note);
            None
        }
        Meaning::NativeWrite { text, file } => {
            let deny = harness.deny.filter(|_| setting.guard)?;
            let what = Accepted::Claim { text, file };
            // What could not be kept is not denied: the agent's words would be lost.
            keep(harness, setting, &payload, what, note).then(|| {
                deny("Shared memory is reviewed by people. This text was proposed instead of written; propose memories with the memory_propose tool.")
            })
        }
    }
}

/// One JSON value, then no more: some harnesses never close the pipe.
fn read(input: &mut dyn BufRead) -> Result<Value, String> {
    let input = Lossy::new(input).take(LARGEST);
    let mut values = serde_json::Deserializer::from_reader(input).into_iter::<Value>();
    match values.next() {
        Some(Ok(value @ Value::Object(_))) => Ok(value),
        Some(Ok(_)) => Err("it is no JSON object".to_owned()),
        Some(Err(error)) => Err(format!(
            "it is not one JSON object of at most 8 MiB ({error})"
        )),
        None => Err("there was none".to_owned()),
    }
}

fn session(payload: &Value) -> Option<String> {
    text(payload, "session_id")
        .or_else(|| text(payload, "conversation_id"))
        .map(str::to_owned)
}

/// Whether the event is durable in the spool.
fn keep(
    harness: &Harness,
    setting: &Setting,
    payload: &Value,
    what: Accepted,
    note: &mut dyn FnMut(&str),
) -> bool {
    let item = Spooled {
        key: key::key(harness.name, payload),
        at: setting.clock.now().millis(),
        layer: setting.layer.to_string(),
        project: setting.project.as_ref().map(ToString::to_string),
        user: setting.user.clone(),
        session: session(payload).unwrap_or_else(|| "unknown".to_owned()),
        what,
        raw: payload.clone(),
    };
    match spool(&setting.store, &item) {
        Ok(()) => true,
        Err(error) => {
            note(&format!("the event could not be kept: {error}"));
            false
        }
    }
}

/// The block for a session, if it can be had without waiting. The serving is durable before this
/// returns; where time runs out nothing is handed over.
fn recall_in_time(setting: &Setting, session: Option<String>) -> Option<String> {
    let patience = setting.patience;
    let setting = setting.clone();
    let (done, wait) = std::sync::mpsc::channel();
    let work = move || {
        // Nobody is left to hear of it where time ran out.
        let _ = done.send(recall(&setting, session));
    };
    std::thread::Builder::new()
        .name("hook-recall".to_owned())
        .spawn(work)
        .ok()?;
    wait.recv_timeout(patience).ok().flatten()
}

fn recall(setting: &Setting, session: Option<String>) -> Option<String> {
    let desk = Desk::open(&setting.store, setting.clock.clone()).ok()?;
    if let Some(tracing) = setting.tracing.clone() {
        // Memory is handed over whether that can be traced or not.
        let _ = desk.trace_to(tracing);
    }
    let recall = desk
        .recall(&RecallRequest {
            viewer: Scope {
                layer: setting.layer.clone(),
                project: setting.project.clone(),
                session: session.and_then(|session| SessionId::parse(&session).ok()),
            },
            query: None,
            budget: Some(setting.budget.unwrap_or(BUDGET).min(BUDGET)),
            format: RecallFormat::Block,
            actor: "hook".to_owned(),
            trace: setting.trace,
        })
        .ok()?;
    (!recall.rendered.is_empty()).then_some(recall.rendered)
}
