//! One thread: which session it is, what it was forked from, record by record.

use super::item::{self, Calls};
use super::pairs::{Pairs, Side};
use crate::domain::{Digest, Time};
use crate::transcript::json::{Fields, Json};
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Speaker};
use crate::transcript::record::{self, Recent};
use crate::transcript::stamp::{Stamp, Teller};
use crate::transcript::wrappers::{self, Piece};

/// How many different words are counted, so that the second `yes` is another one.
const MAX_WORDS: usize = 128 * 1024;

/// Record types that hold no words of the conversation, or repeat them.
const QUIET: &[&str] = &[
    "turn_context",
    "world_state",
    "inter_agent_communication",
    "inter_agent_communication_metadata",
    "security_risk_score",
    "realtime_item",
    "ghost_snapshot",
];

/// What is remembered from record to record.
#[derive(Debug)]
pub(super) struct Thread {
    teller: Teller,
    calls: Calls,
    pairs: Pairs,
    /// The first ancestor: a fork goes on with the same conversation.
    session: Option<String>,
    parent: Option<String>,
    cwd: Option<String>,
    /// Begun by an agent: what is prompted there is that agent's words.
    spawned: bool,
    said: Recent<u64>,
}

impl Default for Thread {
    fn default() -> Self {
        Self {
            teller: Teller::default(),
            calls: Calls::default(),
            pairs: Pairs::default(),
            session: None,
            parent: None,
            cwd: None,
            spawned: false,
            said: Recent::new(MAX_WORDS),
        }
    }
}

/// Where a record stands: its line and its time.
type Place<'a> = (&'a Line<'a>, Option<Time>);

impl Thread {
    pub(super) fn record(&mut self, line: &Line<'_>, fields: &Fields<'_>, out: &mut Batch) {
        let kind = match fields.get("type") {
            Some(Json::Text(kind)) => kind.as_ref(),
            Some(_) => return out.problem(line.number, line.offset, "`type` is not a string"),
            None if fields.has("record_type") => return,
            None if fields.has("id") && fields.has("timestamp") => return self.meta(fields),
            None => "(no type)",
        };
        let place = (line, record::time(fields.text("timestamp"), line, out));
        let inner = match fields.get("payload") {
            Some(payload) => payload.fields(),
            // The older form: items without an envelope.
            None if super::ITEMS.contains(&kind) => return self.item(fields, place, out),
            None => return out.unknown(kind),
        };
        let Some(inner) = inner else {
            return out.problem(line.number, line.offset, "`payload` is not an object");
        };
        match kind {
            "session_meta" => self.meta(inner),
            "response_item" => self.item(inner, place, out),
            "event_msg" => self.event(inner, place, out),
            "compacted" => self.compacted(inner, place, out),
            quiet if QUIET.contains(&quiet) => {}
            unknown => out.unknown(unknown),
        }
    }

    /// The first of its kind owns the identity; a copied history brings its parent's, which may
    /// name a still earlier one.
    fn meta(&mut self, meta: &Fields<'_>) {
        let spawn = meta
            .get("source")
            .and_then(|source| source.get("subagent"))
            .and_then(|subagent| subagent.get("thread_spawn"));
        let id = meta.text("session_id").or_else(|| meta.text("id"));
        let forked = meta.text("forked_from_id").filter(|id| !id.is_empty());
        if self.session.is_none() {
            let is_begun = spawn.is_some() || meta.text("parent_thread_id").is_some();
            self.spawned = is_begun && forked.is_none();
            self.session = forked.or(id).map(str::to_owned);
            self.parent = forked.map(str::to_owned);
            self.cwd = meta.text("cwd").map(str::to_owned);
        } else if self.parent.is_some() && id == self.parent.as_deref() && forked.is_some() {
            self.session = forked.map(str::to_owned);
            self.parent = forked.map(str::to_owned);
        }
    }

    fn item(&mut self, item: &Fields<'_>, place: Place<'_>, out: &mut Batch) {
        let message = item.has("role").then_some("message");
        match item.text("type").or(message).unwrap_or("(no type)") {
            "message" => self.message(item, place, out),
            "reasoning" => self.say(&item::reasoning(item), None, place, out),
            "function_call" | "custom_tool_call" | "local_shell_call" => self.calls.remember(item),
            "function_call_output" | "custom_tool_call_output" => {
                self.pairs.apart();
                if self.calls.is_first_answer(item) {
                    self.say(&self.calls.result(item), None, place, out);
                }
            }
            "web_search_call" => self.say(&item::found(item), None, place, out),
            "compaction" | "compaction_summary" => unreadable(place, out),
            "ghost_snapshot" | "image_generation_call" => {}
            other => out.unknown(&format!("item:{other}")),
        }
    }

    fn message(&mut self, item: &Fields<'_>, place: Place<'_>, out: &mut Batch) {
        let base = match item.text("role").unwrap_or_default() {
            "user" => self.prompt(),
            "assistant" => Speaker::Model,
            _ => Speaker::Harness,
        };
        let texts = item.get("content").map(record::texts).unwrap_or_default();
        let pieces: Vec<_> = texts.iter().flat_map(|text| spoken(text, base)).collect();
        let pieces = self.pairs.first(Side::Sent, pieces);
        self.say(&pieces, item.text("id"), place, out);
    }

    fn event(&mut self, event: &Fields<'_>, place: Place<'_>, out: &mut Batch) {
        let base = match event.text("type").unwrap_or("(no type)") {
            "user_message" => self.prompt(),
            "agent_message" => Speaker::Model,
            "exec_command_end" => {
                if self.calls.is_first_answer(event) {
                    self.say(&item::printed(event), None, place, out);
                }
                return;
            }
            quiet if item::is_quiet(quiet) => return,
            unknown => return out.unknown(&format!("event_msg:{unknown}")),
        };
        let pieces = spoken(event.text("message").unwrap_or_default(), base);
        let pieces = self.pairs.first(Side::Shown, pieces);
        self.say(&pieces, None, place, out);
    }

    fn compacted(&mut self, item: &Fields<'_>, place: Place<'_>, out: &mut Batch) {
        self.pairs.apart();
        let text = item.text("message").unwrap_or_default();
        if text.trim().is_empty() {
            return unreadable(place, out);
        }
        self.say(
            &wrappers::unwrapped(text, Speaker::Summary),
            None,
            place,
            out,
        );
    }

    const fn prompt(&self) -> Speaker {
        if self.spawned {
            Speaker::Model
        } else {
            Speaker::Person
        }
    }

    fn say(&mut self, pieces: &[Piece<'_>], id: Option<&str>, place: Place<'_>, out: &mut Batch) {
        for (speaker, text) in pieces {
            let mut stamp = Stamp::new(super::FORMAT.name, place.0, Digest::of(text.as_bytes()));
            stamp.at = place.1;
            stamp.session.clone_from(&self.session);
            stamp.project_dir.clone_from(&self.cwd);
            stamp.record = id.map(str::to_owned).or_else(|| self.turn(*speaker, text));
            let message = self.teller.message(*speaker, text, &mut stamp);
            out.messages.push(message);
        }
    }

    /// An id for words that have none: how often they were said before in this conversation.
    fn turn(&mut self, speaker: Speaker, text: &str) -> Option<String> {
        let session = self.session.as_deref()?;
        if matches!(speaker, Speaker::Tool | Speaker::Web | Speaker::Harness) {
            return None;
        }
        let before = self.said.get(text).copied().unwrap_or(0);
        self.said.put(text, before + 1);
        Some(format!("{session}/{before}"))
    }
}

/// The pieces of what was said; a model's own words hold no wrappers.
fn spoken(text: &str, base: Speaker) -> Vec<Piece<'_>> {
    if base == Speaker::Model {
        wrappers::unwrapped(text, base)
    } else {
        wrappers::pieces(text, base)
    }
}

fn unreadable(place: Place<'_>, out: &mut Batch) {
    let what = "compaction summary is not readable (encrypted)";
    out.problem(place.0.number, place.0.offset, what);
}
