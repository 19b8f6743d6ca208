//! What leaves every format: messages with one speaker each, and what was wrong with the rest.

use std::collections::BTreeMap;

use crate::domain::{Digest, Problem, Time, Trust};

/// Whose words a text is. Role `user` in a file is no proof of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speaker {
    /// Typed by a person as a prompt.
    Person,
    /// Said by a tool of one's own.
    Tool,
    /// Fetched from a page or a search.
    Web,
    /// Said by an assistant or a sub-agent; titles and plans too.
    Model,
    /// A compaction summary: a model's words, whoever it quotes.
    Summary,
    /// Reminders, wrappers, markup, notices. Evidence bytes, never an observation.
    Harness,
    /// A context block of ours coming back. Recorded, never support.
    Recall,
}

impl Speaker {
    /// The trust of such words; none for those that can never be an observation of their own.
    /// Never `system`: whoever wrote the file wrote the role.
    #[must_use]
    pub const fn trust(self) -> Option<Trust> {
        match self {
            Self::Person => Some(Trust::AuthenticatedUser),
            Self::Tool => Some(Trust::Tool),
            Self::Web => Some(Trust::Web),
            Self::Model | Self::Summary => Some(Trust::Model),
            Self::Harness | Self::Recall => None,
        }
    }
}

/// One piece of text with one speaker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its place among the messages this reader gave, from 0.
    pub ordinal: u64,
    /// The record's own id, where the format has one.
    pub record: Option<String>,
    /// Whose words they are.
    pub speaker: Speaker,
    /// The words, exactly as they stood after decoding, outer white space removed.
    pub text: String,
    /// When, where the record says so.
    pub at: Option<Time>,
    /// The conversation, where the record says so.
    pub session: Option<String>,
    /// The working directory, where the record says so.
    pub project_dir: Option<String>,
    /// The byte of the file at which the record starts.
    pub offset: u64,
    /// How many bytes the record has, its line end not counted.
    pub length: u64,
    /// The same for every copy of this message in any file, where the record has an id.
    /// Without one it speaks of this file alone (content and offset): whoever compares across
    /// files must add the artifact's hash.
    pub identity: Digest,
    /// What the row itself claimed; only for formats that can claim something.
    pub declared: Option<Declared>,
}

/// The fields of an observation row, raw, as given.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Declared {
    /// The layer.
    pub layer: Option<String>,
    /// The user.
    pub user: Option<String>,
    /// The session.
    pub session: Option<String>,
    /// What it was seen through.
    pub source: Option<String>,
    /// The trust it claims.
    pub trust: Option<String>,
    /// When.
    pub at: Option<String>,
    /// How it came to be seen.
    pub origin: Option<String>,
    /// Makes a retry count nothing twice.
    pub key: Option<String>,
}

/// A line that was longer than a reader keeps: what is left of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truncated {
    /// The line, from 1.
    pub line: u64,
    /// The byte it starts at.
    pub offset: u64,
    /// How many bytes it has.
    pub length: u64,
    /// The hash of all of them.
    pub sha256: Digest,
}

/// What reading gave so far. Take it away between chunks and memory stays constant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Batch {
    /// The messages, in file order.
    pub messages: Vec<Message>,
    /// What was wrong.
    pub problems: Vec<Problem>,
    /// Record types this reader does not know, with how many there were.
    pub unknown: BTreeMap<String, u64>,
    /// Lines that were over the cap.
    pub truncated: Vec<Truncated>,
    /// How many records were read, known or not.
    pub records: u64,
    /// Records from which blobs were taken, of which size and hash are left.
    pub blobs: u64,
}

/// The most different unknown types told apart in one batch.
const MAX_UNKNOWN: usize = 256;
/// The most characters kept of an unknown type's name.
const MAX_UNKNOWN_NAME: usize = 64;

impl Batch {
    /// Says what is wrong with a line, in words that many lines can share.
    pub fn problem(&mut self, line: u64, offset: u64, what: &str) {
        self.problems.push(Problem {
            line,
            offset,
            what: what.to_owned(),
        });
    }

    /// Counts a record type that this reader does not know.
    pub fn unknown(&mut self, kind: &str) {
        let mut name: String = kind.chars().take(MAX_UNKNOWN_NAME).collect();
        if self.unknown.len() >= MAX_UNKNOWN && !self.unknown.contains_key(&name) {
            "(other)".clone_into(&mut name);
        }
        *self.unknown.entry(name).or_default() += 1;
    }

    /// Adds what another batch holds.
    pub fn absorb(&mut self, other: Self) {
        self.messages.extend(other.messages);
        self.problems.extend(other.problems);
        self.truncated.extend(other.truncated);
        self.records += other.records;
        self.blobs += other.blobs;
        for (kind, count) in other.unknown {
            *self.unknown.entry(kind).or_default() += count;
        }
    }
}
