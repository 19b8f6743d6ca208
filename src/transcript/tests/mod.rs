//! What holds for every format.

mod counts;
mod formats;
mod fuzz;

use crate::domain::Trust;
use crate::transcript::{Batch, FORMATS, Feed, Format, Line, Lines, Speaker, named, sniff};

pub(super) fn read(format: &'static Format, chunks: &[&[u8]]) -> Batch {
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
        "codex",
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
    for unknown in [
        "{\n \"hook\": \"x\",\n \"n\": [\n1\n]\n}\n",
        "[\n 1,\n 2\n]",
        "{\"a\": 1,\n\"b\": 2}",
    ] {
        let batch = read(plain, &[unknown.as_bytes()]);
        assert!(batch.messages.is_empty(), "{unknown}: no sentences");
        assert!(batch.problems[0].what.contains("no known format") || unknown.starts_with("["));
    }
    assert_eq!(read(plain, &[b"[note] one\n{ two\n"]).messages.len(), 2);
}

#[test]
fn rows_are_given_as_they_claim_and_bad_ones_say_why() {
    let observations = named("observations").unwrap();
    let row = |rest: &str| {
        format!("{{\"text\":\"a\",\"layer\":\"acme\",\"user\":\"u\",\"session\":\"s\"{rest}}}\n")
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
    let lines = "{\"type\":\"user\",\"uuid\":\"u\",\"message\":{\"content\":\"hi\"}}\n".repeat(3);
    let half = lines.len() / 2;
    let mut out = Batch::default();
    let mut first = Feed::new(named("claude_code").unwrap());
    first.feed(&lines.as_bytes()[..half], &mut out);
    let (line, offset) = (first.next_line(), first.consumed());
    assert_eq!((line, out.messages.len()), (2, 1));
    let mut second = Feed::resumed(named("claude_code").unwrap(), line, offset);
    second.feed(&lines.as_bytes()[offset as usize..], &mut out);
    second.finish(&mut out);
    let whole = read(named("claude_code").unwrap(), &[lines.as_bytes()]);
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
    let mut each = |line: Line<'_>| {
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
