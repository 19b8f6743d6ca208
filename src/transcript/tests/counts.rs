//! Every shared sample is read, and what is found is counted a second time by plain means that
//! share nothing with the readers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::read;
use crate::transcript::Speaker::Person;
use crate::transcript::{Speaker, named, sniff};

/// The folder of shared samples, beside the project's; said clearly when it is absent.
fn shared(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("COUNTERSIGN_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
        PathBuf::from,
    );
    let folder = folder.join("transcripts").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    let _ = std::io::Write::write_fmt(
        &mut std::io::stderr(),
        format_args!(
            "SKIPPED the count of {name}: {} is missing\n",
            folder.display()
        ),
    );
    None
}

type Tally = BTreeMap<&'static str, usize>;

fn word(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::Person => "person",
        Speaker::Tool => "tool",
        Speaker::Web => "web",
        Speaker::Model => "model",
        Speaker::Summary => "summary",
        Speaker::Harness => "harness",
        Speaker::Recall => "recall",
    }
}

/// What the reader finds in a file that it recognises.
fn found(path: &Path, format: &str) -> Tally {
    let bytes = std::fs::read(path).unwrap();
    assert_eq!(sniff(&bytes).name, format, "{}", path.display());
    let mut tally = Tally::new();
    for message in read(named(format).unwrap(), &[&bytes]).messages {
        *tally.entry(word(message.speaker)).or_default() += 1;
    }
    tally
}

/// Every value in the file: one, those of a list, or one a line.
fn values(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    match serde_json::from_str::<Value>(&text) {
        Ok(Value::Array(items)) => items,
        Ok(value) => vec![value],
        Err(_) => text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect(),
    }
}

fn add(tally: &mut Tally, word: &'static str, text: &str) {
    if !text.trim().is_empty() {
        *tally.entry(word).or_default() += 1;
    }
}

fn joined(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items
            .iter()
            .filter_map(|item| item["text"].as_str())
            .collect(),
        _ => String::new(),
    }
}

fn codex(path: &Path) -> Tally {
    let mut tally = Tally::new();
    let mut calls: BTreeMap<String, String> = BTreeMap::new();
    let mut sent: Vec<String> = Vec::new();
    let mut shown: Vec<(&'static str, String)> = Vec::new();
    for record in values(path) {
        let item = if record["payload"].is_object() {
            record["payload"].clone()
        } else {
            record.clone()
        };
        if record["type"] == "event_msg" {
            let text = item["message"].as_str().unwrap_or_default().to_owned();
            if item["type"] == "user_message" && text.starts_with("<user_shell_command") {
                add(&mut tally, "tool", &text);
            } else if item["type"] == "user_message" && text.starts_with('<') {
                add(&mut tally, "harness", &text);
            } else if item["type"] == "user_message" {
                shown.push(("person", text));
            } else if item["type"] == "agent_message" {
                shown.push(("model", text));
            }
        } else if item["role"].is_string() {
            let text = joined(&item["content"]);
            add(
                &mut tally,
                if item["role"] == "user" {
                    "person"
                } else {
                    "model"
                },
                &text,
            );
            sent.push(text);
        } else if item["type"] == "reasoning" {
            for part in item["summary"].as_array().unwrap() {
                add(&mut tally, "model", part["text"].as_str().unwrap());
            }
        } else if item["call_id"].is_string() {
            let call = item["call_id"].as_str().unwrap().to_owned();
            if item.get("output").is_none() {
                calls.insert(call, item.to_string());
                continue;
            }
            let made = calls.get(&call).cloned().unwrap_or_default();
            let word = if made.contains("web__run") {
                "web"
            } else if made.contains("\"spawn_agent\"") {
                "model"
            } else {
                "tool"
            };
            add(&mut tally, word, &joined(&item["output"]));
        }
    }
    for (word, text) in shown {
        if !sent.contains(&text) {
            add(&mut tally, word, &text);
        }
    }
    tally
}

#[test]
fn codex_every_shared_file_counts_the_same() {
    let Some(folder) = shared("codex") else {
        return;
    };
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    let prose =
        |path: &PathBuf| path.ends_with("manifest.json") || path.ends_with("flat-rollout.md");
    paths.retain(|path| !prose(path));
    assert!(paths.len() > 15, "{}", paths.len());
    let mut persons = 0;
    for path in paths {
        let expected = codex(&path);
        assert_eq!(found(&path, "codex"), expected, "{}", path.display());
        persons += expected.get("person").copied().unwrap_or(0);
    }
    assert!(persons >= 8, "{persons}");
}

#[test]
fn gemini_every_shared_file_counts_the_same() {
    let Some(folder) = shared("gemini") else {
        return;
    };
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    assert_eq!(paths.len(), 4);
    for path in paths {
        let mut expected = Tally::new();
        for message in values(&path)[0]["messages"].as_array().unwrap() {
            let word = match message["type"].as_str().unwrap() {
                "user" => "person",
                "gemini" => "model",
                _ => "harness",
            };
            add(&mut expected, word, message["content"].as_str().unwrap());
            for thought in message["thoughts"].as_array().into_iter().flatten() {
                add(&mut expected, "model", thought["subject"].as_str().unwrap());
                add(
                    &mut expected,
                    "model",
                    thought["description"].as_str().unwrap(),
                );
            }
        }
        assert_eq!(found(&path, "gemini"), expected, "{}", path.display());
    }
}

#[test]
fn aider_the_shared_history_counts_the_same() {
    let Some(folder) = shared("aider") else {
        return;
    };
    let path = folder.join("chat-history-head64k.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    let mut before = "";
    for line in text.lines() {
        if line.starts_with("####") && line.ends_with("  ") {
            if before.starts_with("####") {
                blocks.last_mut().unwrap().push(line);
            } else {
                blocks.push(vec![line]);
            }
        }
        before = line;
    }
    let own = |block: &&Vec<&str>| {
        block[0].starts_with("#### /") || block[0].starts_with("#### # Fix any")
    };
    let harness = blocks.iter().filter(own).count();
    let tally = found(&path, "aider");
    assert_eq!(tally["harness"], harness);
    assert_eq!(tally["person"], blocks.len() - harness);
    assert!(tally["person"] >= 4 && harness >= 5, "{tally:?}");
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, out);
        } else {
            out.push(path);
        }
    }
}

/// Every text that somebody or something said, found by another road: whatever stands under
/// `content`, `text`, `thinking` or `summary` of a record that speaks.
fn said(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => out.push_str(text),
        Value::Array(items) => items
            .iter()
            .filter(|item| item.is_object())
            .for_each(|item| said(item, out)),
        Value::Object(fields) => {
            for name in ["content", "text", "thinking"] {
                if fields.get("type").and_then(Value::as_str) != Some("tool_use") {
                    said(fields.get(name).unwrap_or(&Value::Null), out);
                }
            }
        }
        _ => {}
    }
}

/// Whether a person typed into this record, judged by looking at the samples: no flag, and a
/// text that does not open with markup or a notice.
fn is_typed(record: &Value) -> bool {
    let flagged = ["isMeta", "isSidechain", "isCompactSummary"]
        .iter()
        .any(|name| record.get(name) == Some(&Value::Bool(true)));
    let content = &record["message"]["content"];
    let texts = match content {
        Value::String(text) => vec![text.as_str()],
        Value::Array(items) => items.iter().filter_map(|i| i["text"].as_str()).collect(),
        _ => Vec::new(),
    };
    let typed = |text: &&str| {
        !text.starts_with('<')
            && !text.starts_with("Caveat")
            && !text.starts_with("This session is")
    };
    record["type"] == "user" && !flagged && texts.iter().any(typed)
}

fn claude_records(bytes: &[u8]) -> Vec<Value> {
    if let Ok(Value::Object(whole)) = serde_json::from_slice(bytes)
        && let Some(Value::Array(items)) = whole.get("loglines")
    {
        return items.clone();
    }
    let text = std::str::from_utf8(bytes).unwrap();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

#[test]
fn claude_code_every_shared_file_is_read_whole() {
    let Some(folder) = shared("claude-code") else {
        return;
    };
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    assert!(paths.len() > 60, "{}", paths.len());
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(sniff(&bytes).name, "claude_code", "{}", path.display());
        let batch = read(named("claude_code").unwrap(), &[&bytes]);
        let records = claude_records(&bytes);
        assert_eq!(batch.records, records.len() as u64, "{}", path.display());
        let mut all = String::new();
        for record in &records {
            match record.get("type").and_then(Value::as_str) {
                Some("user" | "assistant") => {
                    said(record.get("message").unwrap_or(&Value::Null), &mut all);
                }
                Some("system") => said(record.get("content").unwrap(), &mut all),
                Some("summary") => said(record.get("summary").unwrap(), &mut all),
                _ => {}
            }
        }
        let bare = |text: &str| {
            text.chars()
                .filter(|c| !c.is_whitespace())
                .collect::<String>()
        };
        let found: String = batch.messages.iter().map(|m| m.text.as_str()).collect();
        let lost = bare(&all.replace("error", "")) != bare(&found.replace("error", ""));
        assert!(!lost, "{}\n{all}\n---\n{found}", path.display());
        let persons: std::collections::BTreeSet<_> = batch
            .messages
            .iter()
            .filter(|m| m.speaker == Person)
            .map(|m| m.offset)
            .collect();
        let expected = records.iter().filter(|r| is_typed(r)).count();
        assert_eq!(persons.len(), expected, "{}", path.display());
        let odd =
            path.ends_with("ccl_edge_cases.jsonl") || path.ends_with("ccusage_transcript.jsonl");
        assert!(
            odd || batch.problems.is_empty(),
            "{}: {:?}",
            path.display(),
            batch.problems
        );
    }
}
