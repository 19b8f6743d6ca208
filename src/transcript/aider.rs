//! Aider's chat history: Markdown, in which `#### ` begins what it calls the user's lines, `> ` what
//! tools and aider itself said, and everything else is the assistant's.
//!
//! The format cannot tell a person's words from aider's own prompts, from `--msg`, or from what a
//! model forged: what looks like a person's is worth a model's until the importer vouches for it.

use crate::domain::{Digest, Time};
use crate::transcript::document::Of;
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Speaker};
use crate::transcript::stamp::{Stamp, Teller};
use crate::transcript::{Format, Reader, Resume, Shape, record, wrappers};

pub(crate) const FORMAT: Format = Format {
    name: "aider",
    about: "Aider's chat history (.aider.chat.history.md)",
    sniff: |glance| {
        glance.text.lines().any(|line| line.starts_with(HEADER))
            || glance
                .text
                .lines()
                .any(|line| line.starts_with("#### ") && line.ends_with("  "))
    },
    shape: |_| Shape::Lines,
    resume: Resume::Start,
    tells: false,
    reader: || Box::new(Aider::default()),
};

/// How a session begins.
const HEADER: &str = "# aider chat started at ";
/// How prompts begin that aider writes itself.
const OWN: &[&str] = &[
    "# Fix any errors below, if possible",
    "I ran this command:",
    "I ran and tested the code",
    "## Running:",
];
/// The most bytes of one block.
const LONGEST: usize = 256 * 1024;

/// Who a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    User,
    Tool,
    Assistant,
}

/// Lines of one kind that follow each other.
#[derive(Debug)]
struct Block {
    kind: Kind,
    text: String,
    number: u64,
    offset: u64,
    end: u64,
}

#[derive(Debug, Default)]
struct Aider {
    teller: Teller,
    session: Option<String>,
    at: Option<Time>,
    ordinal: u64,
    block: Option<Block>,
    /// What closes the code or the edit that the assistant is writing.
    closes: Option<String>,
}

impl Reader for Aider {
    fn take(&mut self, _of: Of, line: &Line<'_>, out: &mut Batch) {
        if record::is_truncated(line, out) {
            return;
        }
        let decoded = String::from_utf8_lossy(record::without_mark(line));
        let text = decoded.strip_suffix('\r').unwrap_or(&decoded);
        if let Some(started) = text.strip_prefix(HEADER) {
            self.give(out);
            self.begin(started.trim());
            return;
        }
        let kind = self.kind(text);
        if text.trim().is_empty() && kind == Kind::Assistant {
            // A blank line ends a prompt and goes on with an answer.
            match &mut self.block {
                Some(block) if block.kind == Kind::Assistant => block.text.push('\n'),
                _ => self.give(out),
            }
            return;
        }
        self.add(kind, bare(kind, text), line, out);
    }

    fn end(&mut self, out: &mut Batch) {
        self.give(out);
    }
}

impl Aider {
    fn begin(&mut self, started: &str) {
        self.session = Some(format!("aider {started}"));
        // Local time without a zone: read as it stands.
        self.at = Time::parse(&format!("{}Z", started.replacen(' ', "T", 1))).ok();
        self.ordinal = 0;
        self.closes = None;
    }

    /// Whose line this is. Inside code and edits nothing but the assistant speaks.
    fn kind(&mut self, text: &str) -> Kind {
        if let Some(closes) = &self.closes {
            if text.trim_end() == closes
                || (closes.starts_with('>') && text.starts_with(closes.as_str()))
            {
                self.closes = None;
            }
            return Kind::Assistant;
        }
        let ended = text.ends_with("  ");
        if ended && (text.starts_with("#### ") || text.trim_end() == "####") {
            return Kind::User;
        }
        if ended && text.starts_with('>') {
            return Kind::Tool;
        }
        let ticks: String = text.chars().take_while(|c| *c == '`').collect();
        if ticks.len() >= 3 {
            self.closes = Some(ticks);
        } else if text.starts_with("<<<<<<< ") {
            self.closes = Some(">>>>>>> ".to_owned());
        }
        Kind::Assistant
    }

    fn add(&mut self, kind: Kind, text: &str, line: &Line<'_>, out: &mut Batch) {
        let end = line.offset.saturating_add(line.length());
        match &mut self.block {
            Some(block) if block.kind == kind && block.text.len() + text.len() < LONGEST => {
                block.text.push('\n');
                block.text.push_str(text);
                block.end = end;
            }
            _ => {
                self.give(out);
                self.block = Some(Block {
                    kind,
                    text: text.to_owned(),
                    number: line.number,
                    offset: line.offset,
                    end,
                });
            }
        }
    }

    fn give(&mut self, out: &mut Batch) {
        let Some(block) = self.block.take() else {
            return;
        };
        out.records += 1;
        let text = block.text.trim();
        let base = match block.kind {
            Kind::User if text.starts_with('/') => Speaker::Harness,
            Kind::User if OWN.iter().any(|own| text.starts_with(own)) => Speaker::Harness,
            Kind::User => Speaker::Person,
            Kind::Tool => Speaker::Tool,
            Kind::Assistant => Speaker::Model,
        };
        let line = Line {
            number: block.number,
            offset: block.offset,
            bytes: &[],
            cut: None,
            whole: true,
            terminated: true,
        };
        let content = Digest::of(text.as_bytes());
        let mut stamp = Stamp::new(FORMAT.name, &line, content).until(block.end);
        let started = self.session.as_deref();
        stamp.record = started.map(|started| format!("{started}/{}", self.ordinal));
        stamp.session.clone_from(&self.session);
        stamp.at = self.at;
        self.ordinal += 1;
        let pieces = match base {
            Speaker::Model | Speaker::Harness => wrappers::unwrapped(text, base),
            _ => wrappers::pieces(text, base),
        };
        self.teller.say(pieces, &mut stamp, out);
    }
}

/// A line without the marks of its kind.
fn bare(kind: Kind, text: &str) -> &str {
    let inner = match kind {
        Kind::User => text.strip_prefix("####"),
        Kind::Tool => text.strip_prefix('>'),
        Kind::Assistant => return text,
    };
    let inner = inner.unwrap_or(text);
    let inner = inner.strip_prefix(' ').unwrap_or(inner);
    inner.strip_suffix("  ").unwrap_or(inner)
}
