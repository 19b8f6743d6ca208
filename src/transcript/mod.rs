//! Conversations as files: bytes in, messages and problems out, streaming, in constant memory.
//!
//! This room says where a text stood and whose words it was by the record's own account. It never
//! says that a person certainly typed it: no format here is signed. A broken line costs that line
//! only, and a problem never repeats what the line held.
//!
//! A new format is one file and its line in [`FORMATS`].

use std::fmt;

mod claude_code;
mod lines;
mod message;
mod observations;
mod plain;
mod record;

pub use claude_code::opens_summary;
pub use lines::{DOCUMENT_CAP, LINE_CAP, Line, Lines};
pub use message::{Batch, Declared, Message, Speaker, Truncated};

/// Reads one file of one format, line by line.
pub trait Reader: fmt::Debug + Send {
    /// Takes the next line. One that is not terminated is kept until the end.
    fn line(&mut self, line: &Line<'_>, out: &mut Batch);
    /// The file is closed for good: reads what was still waiting, or says what is missing.
    fn end(&mut self, out: &mut Batch);
}

/// One format: how it is called, how it is known, how it is read.
#[derive(Debug)]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a sentence for help.
    pub about: &'static str,
    /// Whether the first bytes of a file look like it.
    pub sniff: fn(&[u8]) -> bool,
    /// A reader that stands before the first line.
    pub reader: fn() -> Box<dyn Reader>,
}

/// Every format, most particular first. The last one takes anything.
pub const FORMATS: &[&Format] = &[&claude_code::FORMAT, &observations::FORMAT, &plain::FORMAT];

/// How many of the first bytes of a file are worth giving to `sniff`.
pub const HEAD: usize = 64 * 1024;

/// The format that the first bytes of a file look like.
#[must_use]
pub fn sniff(head: &[u8]) -> &'static Format {
    FORMATS
        .iter()
        .find(|format| (format.sniff)(head))
        .unwrap_or(&&plain::FORMAT)
}

/// The format of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.name == name)
}

/// A splitter and a reader, joined: chunks in, a batch out.
#[derive(Debug)]
pub struct Feed {
    lines: Lines,
    reader: Box<dyn Reader>,
}

impl Feed {
    /// Stands before the first byte of a file of this format.
    #[must_use]
    pub fn new(format: &Format) -> Self {
        Self {
            lines: Lines::new(),
            reader: (format.reader)(),
        }
    }

    /// Stands at the start of a later line of a file of lines, as `consumed` and `next_line` of
    /// an earlier feed said. Tool calls before it are forgotten: their results are judged by shape.
    #[must_use]
    pub fn resumed(format: &Format, line: u64, offset: u64) -> Self {
        Self {
            lines: Lines::resumed(line, offset),
            reader: (format.reader)(),
        }
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, chunk: &[u8], out: &mut Batch) {
        let reader = &mut self.reader;
        self.lines.feed(chunk, &mut |line| reader.line(&line, out));
    }

    /// The file is closed for good.
    pub fn finish(&mut self, out: &mut Batch) {
        let reader = &mut self.reader;
        self.lines.finish(&mut |line| reader.line(&line, out));
        reader.end(out);
    }

    /// The byte after the last whole line.
    #[must_use]
    pub const fn consumed(&self) -> u64 {
        self.lines.consumed()
    }

    /// The number of the line that starts there.
    #[must_use]
    pub const fn next_line(&self) -> u64 {
        self.lines.next_number()
    }
}

/// The last line of a file while it has no line end: not there yet.
#[derive(Debug, Clone)]
pub(crate) struct Unfinished {
    number: u64,
    offset: u64,
    bytes: Vec<u8>,
    cut: Option<(u64, crate::domain::Digest)>,
}

impl Unfinished {
    pub(crate) fn of(line: &Line<'_>) -> Self {
        Self {
            number: line.number,
            offset: line.offset,
            bytes: line.bytes.to_vec(),
            cut: line.cut,
        }
    }

    pub(crate) fn line(&self) -> Line<'_> {
        Line {
            number: self.number,
            offset: self.offset,
            bytes: &self.bytes,
            cut: self.cut,
            terminated: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Batch, FORMATS, Feed, Format, Lines, Speaker, named, sniff};
    use crate::domain::Trust;

    fn read(format: &Format, chunks: &[&[u8]]) -> Batch {
        let mut out = Batch::default();
        let mut feed = Feed::new(format);
        for chunk in chunks {
            let mut part = Batch::default();
            feed.feed(chunk, &mut part);
            out.absorb(part);
        }
        feed.finish(&mut out);
        out
    }

    fn check(head: &str, expected: &str) {
        assert_eq!(sniff(head.as_bytes()).name, expected, "{head}");
    }

    #[test]
    fn formats_are_known_by_their_first_bytes() {
        check("", "plain");
        check("Refunds take five days.\n", "plain");
        check("{\"type\":\"user\",\"message\":{}}\n", "claude_code");
        check(
            "\u{feff}{\"type\":\"user\",\"message\":{}}\n",
            "claude_code",
        );
        check(
            "{\"sessionId\":\"s\",\"message\":{\"role\":\"assis",
            "claude_code",
        );
        check("{\n  \"loglines\": [", "claude_code");
        check(
            "broken\n{\"type\":\"summary\",\"summary\":\"x\"}\n",
            "claude_code",
        );
        check(
            "{\"text\":\"a\",\"layer\":\"acme\",\"user\":\"u\",\"session\":\"s\"}",
            "observations",
        );
        check(
            "{\"timestamp\":\"x\",\"type\":\"session_meta\",\"payload\":{}}\n",
            "plain",
        );
        for format in FORMATS {
            assert_eq!(
                named(format.name).map(|found| found.name),
                Some(format.name)
            );
        }
        assert!(named("x").is_none());
    }

    #[test]
    fn no_file_yields_the_systems_trust() {
        let every = [
            Speaker::Person,
            Speaker::Tool,
            Speaker::Web,
            Speaker::Model,
            Speaker::Summary,
            Speaker::Harness,
            Speaker::Recall,
        ];
        assert!(
            every
                .iter()
                .all(|speaker| speaker.trust() != Some(Trust::System))
        );
        assert_eq!(Speaker::Summary.trust(), Some(Trust::Model));
    }

    #[test]
    fn plain_text_is_a_models_word_a_line() {
        let plain = named("plain").unwrap();
        let batch = read(
            plain,
            &["\u{feff}one\r\n\r\n two \nthr\0ee\n{\"a\":1}\n{not json".as_bytes()],
        );
        let found: Vec<_> = batch.messages.iter().map(|m| m.text.as_str()).collect();
        assert_eq!(found, ["one", "two", "thr\0ee", "{not json"]);
        assert!(batch.messages.iter().all(|m| m.speaker == Speaker::Model));
        assert_eq!(batch.problems.len(), 1);
        assert_eq!(batch.messages[1].offset, 10);
        assert_eq!(read(plain, &[b"a\xffb"]).messages[0].text, "a\u{fffd}b");
    }

    #[test]
    fn rows_are_given_as_they_claim_and_bad_ones_say_why() {
        let observations = named("observations").unwrap();
        let row = |rest: &str| {
            format!(
                "{{\"text\":\"a\",\"layer\":\"acme\",\"user\":\"u\",\"session\":\"s\"{rest}}}\n"
            )
        };
        let good = read(
            observations,
            &[row(",\"trust\":\"system\",\"key\":\"k\",\"at\":\"2026-11-30\"").as_bytes()],
        );
        let message = &good.messages[0];
        assert_eq!(message.speaker, Speaker::Tool);
        assert_eq!(message.record.as_deref(), Some("k"));
        assert_eq!(
            message.at.map(crate::domain::Time::date).as_deref(),
            Some("2026-11-30")
        );
        assert_eq!(
            message.declared.as_ref().unwrap().user.as_deref(),
            Some("u")
        );
        for (rest, what) in [
            (",\"orgin\":\"recall\"", "unknown field"),
            (",\"at\":\"soon\"", "`at` is not a time"),
            (",\"trust\":5", "`trust` is not a string"),
            (",\"text\":\" \"", "`text` is missing or empty"),
        ] {
            let batch = read(observations, &[row(rest).as_bytes()]);
            assert!(batch.messages.is_empty());
            assert!(
                batch.problems[0].what.starts_with(what),
                "{:?}",
                batch.problems
            );
        }
        let echo = read(
            observations,
            &[row(",\"origin\":\"recall\",\"trust\":null").as_bytes()],
        );
        assert_eq!(echo.messages[0].speaker, Speaker::Recall);
    }

    #[test]
    fn reading_goes_on_where_it_stopped() {
        let lines =
            "{\"type\":\"user\",\"uuid\":\"u\",\"message\":{\"content\":\"hi\"}}\n".repeat(3);
        let half = lines.len() / 2;
        let mut out = Batch::default();
        let mut first = Feed::new(FORMATS[0]);
        first.feed(&lines.as_bytes()[..half], &mut out);
        let (line, offset) = (first.next_line(), first.consumed());
        assert_eq!((line, out.messages.len()), (2, 1));
        let mut second = Feed::resumed(FORMATS[0], line, offset);
        second.feed(&lines.as_bytes()[offset as usize..], &mut out);
        second.finish(&mut out);
        let whole = read(FORMATS[0], &[lines.as_bytes()]);
        let places = |batch: &Batch| {
            batch
                .messages
                .iter()
                .map(|m| (m.offset, m.identity))
                .collect::<Vec<_>>()
        };
        assert_eq!(places(&out), places(&whole));
    }

    #[test]
    fn a_long_line_is_split_in_constant_memory() {
        let mut lines = Lines::with_cap(4);
        let mut found = Vec::new();
        let mut each = |line: super::Line<'_>| {
            found.push((
                line.number,
                line.offset,
                line.bytes.to_vec(),
                line.length(),
                line.terminated,
            ));
        };
        for chunk in [&b"ab"[..], b"cdef\n", b"\nabcd\nx"] {
            lines.feed(chunk, &mut each);
        }
        lines.finish(&mut each);
        assert_eq!(
            found,
            [
                (1, 0, b"abcd".to_vec(), 6, true),
                (2, 7, b"".to_vec(), 0, true),
                (3, 8, b"abcd".to_vec(), 4, true),
                (4, 13, b"x".to_vec(), 1, false),
            ]
        );
        assert_eq!(lines.consumed(), 13);
    }

    /// Bytes that look enough like records to reach deep into the readers.
    fn records() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just("{\"type\":\"user\",\"uuid\":\"u\",\"message\":{\"content\":".to_owned()),
            Just("{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"WebFetch\"}]}}\n".to_owned()),
            Just("[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"<bash-stdout>x</bash-stdout>\"}]}}\n".to_owned()),
            Just("\"<system-reminder>a</system-reminder> b <countersign-memory x>\"}}\n".to_owned()),
            Just("{\"loglines\":[".to_owned()),
            Just("{\n".to_owned()),
            Just("{\"text\":\"a\",\"layer\":\"acme\"}\n".to_owned()),
            Just("\"\\ud83d\\ude00\\udc00\"}}\n".to_owned()),
            "[\\PC\n\"{}\\[\\],:\\\\<>/]{0,12}",
        ];
        let text =
            prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat().into_bytes());
        prop_oneof![text, prop::collection::vec(any::<u8>(), 0..200)]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_bytes_make_a_format_panic_and_chunks_change_nothing(
            bytes in records(),
            sizes in prop::collection::vec(1_usize..9, 1..6),
        ) {
            let _ = sniff(&bytes);
            for format in FORMATS {
                let whole = read(format, &[&bytes]);
                let mut chunks = Vec::new();
                let mut rest = &bytes[..];
                for size in sizes.iter().cycle() {
                    if rest.is_empty() {
                        break;
                    }
                    let (chunk, after) = rest.split_at((*size).min(rest.len()));
                    chunks.push(chunk);
                    rest = after;
                }
                prop_assert_eq!(&read(format, &chunks), &whole);
                for message in &whole.messages {
                    prop_assert!(!message.text.is_empty());
                    prop_assert!(message.offset + message.length <= bytes.len() as u64);
                }
            }
        }
    }
}
