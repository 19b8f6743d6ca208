//! Memory files that harnesses let a model write without review, and a tool call that would.

use crate::hook::meaning::{Meaning, text};
use serde_json::Value;

/// Tools that write files.
const WRITERS: &[&str] = &["Write", "Edit", "MultiEdit", "NotebookEdit"];
/// Names of files that are read into every session.
const NAMES: &[&str] = &[
    "CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    "AGENTS.override.md",
    "GEMINI.md",
    "MEMORY.md",
    "copilot-instructions.md",
];
/// Folders whose files are.
const FOLDERS: &[&str] = &["/.claude/rules/", "/.cursor/rules/", "/.codex/memories/"];

/// What a tool call that is about to be made means: a write to such a file, or nothing.
pub(in crate::hook) fn write(payload: &Value) -> Meaning {
    let writes = text(payload, "tool_name").is_some_and(|name| WRITERS.contains(&name));
    let Some(input) = payload.get("tool_input").filter(|_| writes) else {
        return Meaning::Nothing;
    };
    let Some(file) = text(input, "file_path").filter(|file| is_native(file)) else {
        return Meaning::Nothing;
    };
    let edits = input
        .get("edits")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let parts = [text(input, "content"), text(input, "new_string")]
        .into_iter()
        .flatten();
    let written: Vec<&str> = parts
        .chain(edits.filter_map(|edit| text(edit, "new_string")))
        .collect();
    if written.is_empty() {
        return Meaning::Nothing;
    }
    Meaning::NativeWrite {
        text: written.join("\n"),
        file: file.to_owned(),
    }
}

/// Whether a file is read into sessions as memory.
fn is_native(file: &str) -> bool {
    let file = file.replace('\\', "/");
    let name = file.rsplit('/').next().unwrap_or_default();
    let in_projects = file.contains("/.claude/projects/") && file.contains("/memory/");
    NAMES.contains(&name) || in_projects || FOLDERS.iter().any(|folder| file.contains(folder))
}

#[cfg(test)]
mod tests {
    use super::write;
    use crate::hook::meaning::Meaning;
    use serde_json::json;

    fn check(tool: &str, file: &str, expected: bool) {
        let payload =
            json!({ "tool_name": tool, "tool_input": { "file_path": file, "content": "x" } });
        assert_eq!(
            write(&payload) != Meaning::Nothing,
            expected,
            "{tool} {file}"
        );
    }

    #[test]
    fn writes_to_memory_files_are_known_by_tool_and_place() {
        check("Write", "/home/sam/shop/CLAUDE.md", true);
        check("Edit", "C:\\Users\\sam\\shop\\AGENTS.md", true);
        check(
            "Write",
            "/home/sam/.claude/projects/-home-sam/memory/notes.md",
            true,
        );
        check("Write", "/home/sam/shop/.claude/rules/x.md", true);
        check("Read", "/home/sam/shop/CLAUDE.md", false);
        check("Write", "/home/sam/shop/README.md", false);
        check("Write", "/home/sam/shop/NOTCLAUDE.md", false);
        check("Bash", "/home/sam/shop/CLAUDE.md", false);
    }
}
