//! No bytes make a format panic, and how they come changes nothing.

use proptest::prelude::*;

use super::read;
use crate::transcript::{Batch, FORMATS, sniff};

/// Pieces that look enough like records to reach deep into the readers.
const PIECES: &[&str] = &[
    "{\"type\":\"user\",\"uuid\":\"u\",\"message\":{\"content\":",
    "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"WebFetch\"}]}}\n",
    "[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"<bash-stdout>x</bash-stdout>\"}]}}\n",
    "\"<system-reminder>a</system-reminder> b <countersign-memory x>\"}}\n",
    "{\"loglines\":[",
    "{\n",
    "[\n",
    "]}",
    "},\n",
    "{\"text\":\"a\",\"layer\":\"acme\"}\n",
    "\"\\ud83d\\ude00\\udc00\"}}\n",
    "{\"timestamp\":\"2026-11-30T10:00:00Z\",\"type\":\"session_meta\",\"payload\":{\"id\":\"s\",\"forked_from_id\":\"r\"}}\n",
    "{\"type\":\"response_item\",\"payload\":{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"hi\"}]}}\n",
    "{\"type\":\"event_msg\",\"payload\":{\"type\":\"user_message\",\"message\":\"hi\"}}\n",
    "{\"type\":\"compacted\",\"payload\":{\"message\":\"\"}}\n",
    "{\"sessionId\":\"s\",\"projectHash\":\"p\",\"messages\":[",
    "{\"id\":\"m1\",\"type\":\"user\",\"content\":[{\"text\":\"hi\"}]}\n",
    "{\"$rewindTo\":\"m1\"}\n",
    "{\"$set\":{\"messages\":[{\"id\":\"m1\",\"type\":\"gemini\",\"content\":\"x\"}]}}\n",
    "{\"info\":{\"id\":\"ses_1\"},\"messages\":[{\"info\":{\"role\":\"user\"},\"parts\":[{\"type\":\"text\",\"text\":\"a\"}]},",
    "{\"role\":\"user\",\"content\":\"a\"},",
    "{\"object\":\"response\",\"input\":\"a\",\"output\":[",
    "{\"lc\":1,\"id\":[\"HumanMessage\"],\"kwargs\":{\"content\":\"a\",\"id\":\"i\"}},",
    "{\"type\":\"remove\",\"data\":{\"id\":\"i\"}},",
    "{\"conversations\":[{\"from\":\"human\",\"value\":\"a\"}]},",
    "# aider chat started at 2026-11-30 10:00:00\n",
    "#### do it  \n",
    "> said  \n",
    "```\n",
];

fn records() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => "[\\PC\n\"{}\\[\\],:\\\\<>/]{0,12}",
    ];
    let text = prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat().into_bytes());
    prop_oneof![4 => text, 1 => prop::collection::vec(any::<u8>(), 0..200)]
}

fn check(bytes: &[u8], sizes: &[usize]) {
    let _ = sniff(bytes);
    for format in FORMATS {
        let whole = read(format, &[bytes]);
        let mut chunks = Vec::new();
        let mut rest = bytes;
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (chunk, after) = rest.split_at((*size).min(rest.len()));
            chunks.push(chunk);
            rest = after;
        }
        let pieces: Batch = read(format, &chunks);
        assert_eq!(pieces, whole, "{}", format.name);
        for message in &whole.messages {
            assert!(!message.text.is_empty());
            assert!(
                message.offset + message.length <= bytes.len() as u64,
                "{}",
                format.name
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_a_format_panic_and_chunks_change_nothing(
        bytes in records(),
        sizes in prop::collection::vec(1_usize..9, 1..6),
    ) {
        check(&bytes, &sizes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200_000, ..ProptestConfig::default() })]

    /// `cargo test --release --lib transcript -- --ignored the_long_fuzz`
    #[test]
    #[ignore = "takes minutes"]
    fn the_long_fuzz_finds_no_panic_either(
        bytes in records(),
        sizes in prop::collection::vec(1_usize..40, 1..6),
    ) {
        check(&bytes, &sizes);
    }
}
