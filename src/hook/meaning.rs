//! What an event means to us, whatever its harness calls it.

use crate::desk::spool::Accepted;
use serde_json::Value;

/// What an event means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::hook) enum Meaning {
    /// A session begins: hand its memory over.
    Start,
    /// Something to be kept.
    Keep(Accepted),
    /// An agent is about to write this text into a memory file of its harness.
    NativeWrite {
        /// The text.
        text: String,
        /// The file.
        file: String,
    },
    /// Known, and nothing to us.
    Nothing,
}

/// A text somewhere in a payload.
pub(in crate::hook) fn text<'a>(payload: &'a Value, name: &str) -> Option<&'a str> {
    payload.get(name)?.as_str().filter(|text| !text.is_empty())
}

/// The transcript as far as it has been written. It is not opened: only its length is asked for.
pub(in crate::hook) fn transcript(payload: &Value) -> Meaning {
    let Some(path) = text(payload, "transcript_path") else {
        return Meaning::Nothing;
    };
    let length = std::fs::metadata(path).map_or(0, |found| found.len());
    if length == 0 {
        return Meaning::Keep(Accepted::Other {
            event: "transcript missing".to_owned(),
        });
    }
    Meaning::Keep(Accepted::Transcript {
        path: path.to_owned(),
        length,
    })
}

/// A person's prompt.
pub(in crate::hook) fn prompt(payload: &Value) -> Meaning {
    match text(payload, "prompt") {
        Some(words) => Meaning::Keep(Accepted::Prompt {
            text: words.to_owned(),
        }),
        None => Meaning::Nothing,
    }
}

/// A tool's answer. Whose words it is, is asked where it is taken in.
pub(in crate::hook) fn tool(payload: &Value, answer: &str) -> Meaning {
    let name = text(payload, "tool_name").unwrap_or("tool");
    let said = match payload.get(answer) {
        None | Some(Value::Null) => return Meaning::Nothing,
        Some(Value::String(said)) => said.clone(),
        Some(other) => other.to_string(),
    };
    Meaning::Keep(Accepted::Tool {
        name: name.to_owned(),
        text: said,
    })
}

/// An event that is not known: kept and counted.
pub(in crate::hook) fn unknown(name: &str) -> Meaning {
    Meaning::Keep(Accepted::Other {
        event: name.chars().take(80).collect(),
    })
}
