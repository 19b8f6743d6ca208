//! Conversations as files: bytes in, messages and problems out, streaming, in constant memory.
//!
//! This room says where a text stood and whose words it was by the record's own account. It never
//! says that a person certainly typed it: no format here is signed. A broken line costs that line
//! only, and a problem never repeats what the line held.
//!
//! | module | knows |
//! |---|---|
//! | `glance` | the first bytes of a file, for recognising it |
//! | `feed` `lines` `document` `kept` | chunks into records: a line, a value of a JSON document, long ones cut |
//! | `record` `json` | one record, decoded as far as it will go |
//! | `stamp` `held` `message` | what messages are made of, and what a later record takes back |
//! | `wrappers` `tools` | what a harness wrapped around a person's words; whose words a tool's are |
//!
//! A new format is one file and its line in [`FORMATS`].

use std::fmt;

mod aider;
mod claude_code;
mod codex;
mod document;
mod feed;
mod gemini;
mod glance;
mod held;
mod json;
mod kept;
mod langchain;
mod lines;
mod message;
mod observations;
mod openai;
mod opencode;
mod plain;
mod record;
mod sharegpt;
mod stamp;
#[cfg(test)]
mod tests;
mod tools;
mod wrappers;

pub use document::{Layout, Of};
pub use feed::Feed;
pub use glance::Glance;
pub use kept::LINE_CAP;
pub use lines::{Line, Lines};
pub use message::{Batch, Declared, Message, Speaker, Truncated};
pub use tools::tool_speaker;
pub use wrappers::opens_summary;

/// Reads one file of one format, record by record.
pub trait Reader: fmt::Debug + Send {
    /// Takes the next line, or the next value of a document.
    fn take(&mut self, of: Of, line: &Line<'_>, out: &mut Batch);
    /// The file is closed for good: gives what was still waiting.
    fn end(&mut self, _out: &mut Batch) {}
}

/// How a file of a format stands.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// A record a line.
    Lines,
    /// One value over the whole file, or values spread over lines.
    Document(&'static Layout),
}

/// How a file that has grown is read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resume {
    /// From where it ended: every line says all about itself.
    There,
    /// From the start, for what later lines depend on; what was given before is not given again.
    Start,
}

/// One format: how it is called, how it is known, how it is read.
#[derive(Debug)]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a sentence for help.
    pub about: &'static str,
    /// Whether the first bytes of a file look like it.
    pub sniff: fn(&Glance<'_>) -> bool,
    /// How a file with these first bytes stands.
    pub shape: fn(&Glance<'_>) -> Shape,
    /// How it is read on when it has grown.
    pub resume: Resume,
    /// Whether it tells a person's words from others; where it cannot, they are worth a model's
    /// until the importer vouches for them.
    pub tells: bool,
    /// A reader that stands before the first line.
    pub reader: fn() -> Box<dyn Reader>,
}

/// Every format, most particular first. The last one takes anything.
pub const FORMATS: &[&Format] = &[
    &observations::FORMAT,
    &codex::FORMAT,
    &gemini::FORMAT,
    &opencode::FORMAT,
    &openai::RESPONSES,
    &langchain::FORMAT,
    &sharegpt::FORMAT,
    &claude_code::FORMAT,
    &openai::CHAT,
    &aider::FORMAT,
    &plain::FORMAT,
];

/// How many of the first bytes of a file are worth giving to `sniff`.
pub const HEAD: usize = 64 * 1024;

/// The format that the first bytes of a file look like.
#[must_use]
pub fn sniff(head: &[u8]) -> &'static Format {
    let glance = Glance::of(head);
    FORMATS
        .iter()
        .find(|format| (format.sniff)(&glance))
        .unwrap_or(&&plain::FORMAT)
}

/// The format of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.name == name)
}
