//! Whose words stand in the samples of each format, and that each is known by its content.

use super::read;
use crate::transcript::Speaker::{Harness, Model, Person, Summary, Tool, Web};
use crate::transcript::{Batch, Speaker, named, sniff};

macro_rules! sample {
    ($path:literal) => {
        include_bytes!(concat!("../../../tests/cases/transcript/", $path))
    };
}

#[track_caller]
fn check(format: &str, bytes: &[u8], expected: &[(Speaker, &str)]) -> Batch {
    assert_eq!(sniff(bytes).name, format);
    let batch = read(named(format).unwrap(), &[bytes]);
    let found: Vec<_> = batch
        .messages
        .iter()
        .map(|message| (message.speaker, message.text.as_str()))
        .collect();
    assert_eq!(found, expected, "{:?}", batch.problems);
    batch
}

#[test]
fn codex_copies_side_by_side_are_one_and_the_same_words_later_are_another() {
    let parent = check(
        "codex",
        sample!("codex/fork_parent.jsonl"),
        &[
            (
                Harness,
                "# AGENTS.md instructions for /home/sam/shop\n\n<INSTRUCTIONS>\nAlways be brief.\n</INSTRUCTIONS>",
            ),
            (
                Harness,
                "<environment_context><cwd>/home/sam/shop</cwd></environment_context>",
            ),
            (Person, "Staging listens on 8443."),
            (Model, "Noted."),
            (Person, "yes"),
            (Tool, "a.txt"),
            (Person, "yes"),
            (Harness, "Stay in the sandbox."),
        ],
    );
    assert_eq!(parent.messages[2].session.as_deref(), Some("parent-1"));
    assert_ne!(parent.messages[4].identity, parent.messages[6].identity);
    let child = read(
        named("codex").unwrap(),
        &[sample!("codex/fork_child.jsonl")],
    );
    let persons = |batch: &Batch| {
        batch
            .messages
            .iter()
            .filter(|message| message.speaker == Person)
            .map(|message| (message.identity, message.session.clone()))
            .collect::<Vec<_>>()
    };
    let (before, after) = (persons(&parent), persons(&child));
    assert_eq!(after[..3], before[..]);
    assert_eq!((after.len(), after[3].1.as_deref()), (4, Some("parent-1")));
}

#[test]
fn codex_a_thread_that_an_agent_began_holds_no_persons_words() {
    check(
        "codex",
        sample!("codex/spawned.jsonl"),
        &[(Model, "Remember that the tests may be skipped.")],
    );
}

#[test]
fn codex_a_summary_is_a_models_and_an_encrypted_one_is_said_to_be() {
    let batch = check(
        "codex",
        sample!("codex/codex_compacted.jsonl"),
        &[
            (Person, "Staging listens on 8443."),
            (Summary, "User said staging listens on 8443."),
        ],
    );
    assert_eq!(batch.problems.len(), 1);
    assert!(batch.problems[0].what.contains("not readable (encrypted)"));
}

#[test]
fn gemini_only_what_is_left_at_the_end_is_given() {
    let batch = check(
        "gemini",
        sample!("gemini/gemini_session.jsonl"),
        &[
            (Person, "Which port does staging use?"),
            (Model, "8443 (TLS)"),
        ],
    );
    assert!(
        batch
            .messages
            .iter()
            .all(|message| message.session.as_deref() == Some("3f2c"))
    );
    let document = b"{\"messages\":[{\"id\":\"u\",\"type\":\"user\",\"content\":\"hi\\n--- Content from referenced files ---\\nx\"},\
        {\"id\":\"a\",\"type\":\"gemini\",\"content\":\"\",\"toolCalls\":[{\"name\":\"web_fetch\",\"result\":[{\"functionResponse\":{\"response\":{\"output\":\"page\"}}}]}]}],\
        \"projectHash\":\"p\",\"sessionId\":\"s\"}";
    let batch = check(
        "gemini",
        document,
        &[
            (Person, "hi"),
            (Tool, "--- Content from referenced files ---\nx"),
            (Web, "page"),
        ],
    );
    assert_eq!(batch.messages[0].session.as_deref(), Some("s"));
    let rewound = b"{\"sessionId\":\"s\",\"projectHash\":\"p\"}\n{\"id\":\"m1\",\"type\":\"user\",\"content\":\"a\"}\n\
        {\"$rewindTo\":\"unknown\"}\n{\"$set\":{\"messages\":[{\"id\":\"m9\",\"type\":\"user\",\"content\":\"b\"}]}}\n";
    check("gemini", rewound, &[(Person, "b")]);
}

#[test]
fn opencode_synthetic_text_is_the_harnesss_and_a_summary_a_models() {
    let batch = check(
        "opencode",
        sample!("opencode/opencode_export.json"),
        &[
            (Person, "Which port?"),
            (Harness, "injected file content"),
            (Tool, "port = 8443"),
            (Model, "8443"),
            (Summary, "Summary: staging is on 8443."),
        ],
    );
    assert_eq!(batch.messages[0].record.as_deref(), Some("prt_1"));
    assert_eq!(batch.messages[0].session.as_deref(), Some("ses_01"));
    assert_eq!(
        batch.messages[0].at.map(crate::domain::Time::millis),
        Some(1_796_000_000_001)
    );
    assert_eq!(batch.records, 4);
}

#[test]
fn openai_roles_are_read_and_tools_by_the_call_they_answer() {
    check(
        "openai_chat",
        sample!("openai_chat/chat.json"),
        &[
            (Harness, "Be terse."),
            (Person, "Which port does staging use?"),
            (Web, "A page says 8443."),
            (Tool, "port = 8443"),
            (Model, "8443"),
        ],
    );
    let batch = check(
        "openai_chat",
        sample!("openai_chat/conversations.jsonl"),
        &[
            (Person, "Question 1?"),
            (Model, "Answer 1."),
            (Person, "Question 2?"),
            (Model, "Answer 2."),
        ],
    );
    assert_eq!(batch.messages[2].session.as_deref(), Some("c-2"));
    let expected = [(Harness, "Be terse."), (Person, "Port?"), (Model, "8443")];
    let sample = sample!("openai_responses/openai_response.json");
    check("openai_responses", sample, &expected);
    let value: serde_json::Value = serde_json::from_slice(sample).unwrap();
    let line = format!("{value}\n");
    check("openai_responses", line.as_bytes(), &expected);
}

#[test]
fn langchain_what_is_removed_is_no_message() {
    check(
        "langchain",
        sample!("langchain/messages_to_dict.json"),
        &[
            (Harness, "Be terse."),
            (Person, "Port?"),
            (Model, "Looking."),
            (Tool, "port = 8443"),
            (Model, "8443"),
        ],
    );
    check(
        "langchain",
        sample!("langchain/dumpd.json"),
        &[(Person, "Port?"), (Model, "8443"), (Tool, "ok")],
    );
}

#[test]
fn sharegpt_turns_are_read_whatever_the_file_looks_like() {
    let expected = [
        (Harness, "Be terse."),
        (Person, "Port?"),
        (Model, "8443"),
        (Model, "{\"name\":\"read\",\"arguments\":{}}"),
        (Tool, "ok"),
    ];
    let sample = sample!("sharegpt/sharegpt.json");
    let batch = check("sharegpt", sample, &expected);
    assert_eq!(batch.messages[1].record.as_deref(), Some("conv-1/1"));
    let value: serde_json::Value = serde_json::from_slice(sample).unwrap();
    check("sharegpt", format!("{}\n", value[0]).as_bytes(), &expected);
    check("sharegpt", value.to_string().as_bytes(), &expected);
}

#[test]
fn aider_its_own_prompts_commands_and_what_stands_in_code_are_no_persons() {
    let batch = read(named("aider").unwrap(), &[sample!("aider/history.md")]);
    assert_eq!(sniff(sample!("aider/history.md")).name, "aider");
    let of = |speaker: Speaker| {
        let messages = batch
            .messages
            .iter()
            .filter(|message| message.speaker == speaker);
        messages
            .map(|message| message.text.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        of(Person),
        [
            "Staging listens on 8443.\nUse that in the test.",
            "Staging listens on 8443."
        ]
    );
    assert_eq!(
        of(Harness),
        [
            "/add src/port.rs",
            "# Fix any errors below, if possible.\n\n## Running: cargo test"
        ]
    );
    assert_eq!(of(Tool).len(), 3);
    let heading = of(Model)
        .into_iter()
        .find(|text| text.contains("a heading in code"));
    assert!(heading.is_some_and(|text| text.contains("> port") && text.contains("`Port` Class")));
    let sessions: std::collections::BTreeSet<_> =
        batch.messages.iter().map(|m| &m.session).collect();
    assert_eq!(sessions.len(), 2);
    assert!(!named("aider").unwrap().tells);
}

#[test]
fn a_picture_of_sixty_megabytes_on_one_line_costs_no_words() {
    let blob = "QUJD".repeat(15 * 1024 * 1024);
    let line = format!(
        "{{\"type\":\"user\",\"uuid\":\"u\",\"message\":{{\"content\":[{{\"type\":\"image\",\"source\":{{\"data\":\"{blob}\"}}}},{{\"type\":\"text\",\"text\":\"What is this?\"}}]}}}}\n"
    );
    let format = named("claude_code").unwrap();
    let chunks: Vec<&[u8]> = line.as_bytes().chunks(64 * 1024).collect();
    let batch = read(format, &chunks);
    assert_eq!(batch.messages.len(), 1);
    assert_eq!(batch.messages[0].text, "What is this?");
    assert_eq!(batch.messages[0].length, line.len() as u64 - 1);
    assert_eq!((batch.blobs, batch.problems.len()), (1, 0));
}

#[test]
fn a_list_over_a_whole_file_is_read_item_by_item_with_the_line_of_each() {
    let items = "{\"role\":\"user\",\"content\":\"hi\"},\n".repeat(50_000);
    let text = format!("[\n{items}{{\"role\":\"user\",\"content\":7}}\n]\n");
    let chunks: Vec<&[u8]> = text.as_bytes().chunks(10_000).collect();
    let batch = read(named("openai_chat").unwrap(), &chunks);
    assert_eq!((batch.messages.len(), batch.records), (50_000, 50_001));
    let last = batch.messages.last().unwrap();
    let bytes = &text.as_bytes()[last.offset as usize..][..last.length as usize];
    assert_eq!(bytes, b"{\"role\":\"user\",\"content\":\"hi\"}");
    let cut = text.get(..text.len() - 10).unwrap();
    let batch = read(named("openai_chat").unwrap(), &[cut.as_bytes()]);
    assert_eq!(batch.messages.len(), 50_000);
    assert_eq!(batch.problems.len(), 1);
    assert!(batch.problems[0].what.contains("ends early"));
}
