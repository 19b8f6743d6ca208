//! Hooks: what agents' harnesses tell us while they run. Spool first, answer at once, never block.
//!
//! Fails open for the agent: whatever happens, the harness sees success and at most one JSON object
//! of a shape it accepts. Nothing here decides, opens a transcript or waits for the store. The
//! harness is named by whoever installed the hook, never guessed from the payload.

mod claude;
mod codex;
mod cursor;
mod gemini;
pub mod install;
mod key;
mod lossy;
mod meaning;
mod native;
mod serve;

pub use serve::{Setting, run};

use crate::hook::meaning::Meaning;
use serde_json::Value;

/// One harness.
#[derive(Debug)]
pub struct Harness {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What an event means.
    meaning: fn(&Value) -> Meaning,
    /// The answer that puts a block into the context at the start of a session, where its form is
    /// confirmed.
    context: Option<fn(&str) -> Value>,
    /// The answer that denies a tool call, where its form is confirmed.
    deny: Option<fn(&str) -> Value>,
}

/// Every harness.
pub const HARNESSES: &[&Harness] = &[
    &claude::HARNESS,
    &codex::HARNESS,
    &gemini::HARNESS,
    &cursor::HARNESS,
];
