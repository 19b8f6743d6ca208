//! What kind of tool answered: one's own, the web, a sub-agent, or our own memory.

use crate::transcript::json::Json;
use crate::transcript::message::Speaker;

/// A tool, as far as its trust goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    /// One's own: command output, file contents.
    Own,
    /// A page or a search.
    Web,
    /// A sub-agent: another model's words.
    SubAgent,
    /// A plan shown to a person: the plan is a model's, the answer a tool's.
    Plan,
    /// Our own recall.
    Memory,
}

/// Our tools that hand memories over.
const MEMORY: &[&str] = &["memory_context", "memory_search", "memory_get"];
/// What names of tools that speak to another agent hold.
const AGENTS: &[&str] = &[
    "spawn_agent",
    "wait_agent",
    "resume_agent",
    "close_agent",
    "send_input",
];
/// What names of tools that reach the web hold.
const WEB: &[&str] = &[
    "webfetch",
    "websearch",
    "web_",
    "web-",
    "fetch",
    "http",
    "browser",
    "crawl",
    "scrape",
];

/// The tool of this name.
pub(crate) fn named(name: &str) -> Tool {
    match name {
        "Task" | "task" | "Agent" | "TaskOutput" | "AgentOutputTool" => return Tool::SubAgent,
        "ExitPlanMode" | "exit_plan_mode" => return Tool::Plan,
        _ => {}
    }
    let last = name.rsplit("__").next().unwrap_or(name);
    if MEMORY.contains(&last) {
        return Tool::Memory;
    }
    if AGENTS.iter().any(|part| last.contains(part)) {
        return Tool::SubAgent;
    }
    let lower = name.to_ascii_lowercase();
    if WEB.iter().any(|part| lower.contains(part)) {
        return Tool::Web;
    }
    Tool::Own
}

/// The tool that gives results of this shape; its name may have scrolled by long ago.
fn shaped(result: Option<&Json<'_>>) -> Tool {
    let Some(fields) = result.and_then(Json::fields) else {
        return Tool::Own;
    };
    let has = |name: &str| fields.has(name);
    if (has("url") && (has("codeText") || has("bytes"))) || (has("query") && has("results")) {
        return Tool::Web;
    }
    if has("agentId") && (has("prompt") || has("totalDurationMs")) {
        return Tool::SubAgent;
    }
    if has("plan") { Tool::Plan } else { Tool::Own }
}

/// Whose words the answer of the tool of this name is, where no transcript says more. An answer
/// that was parsed before is read by its shape too.
#[must_use]
pub fn tool_speaker(name: &str, answer: &str) -> Speaker {
    let result = Json::parse(answer);
    speaker(Some(named(name)), result.as_ref(), answer)
}

/// Whose words a result is. The name can only be lowered by the shape.
pub(crate) fn speaker(named: Option<Tool>, result: Option<&Json<'_>>, text: &str) -> Speaker {
    let tool = named
        .filter(|tool| *tool != Tool::Own)
        .unwrap_or_else(|| shaped(result));
    match tool {
        Tool::Own => Speaker::Tool,
        Tool::Web => Speaker::Web,
        Tool::SubAgent => Speaker::Model,
        Tool::Plan if holds_plan(result, text) => Speaker::Model,
        Tool::Plan => Speaker::Tool,
        Tool::Memory => Speaker::Recall,
    }
}

fn holds_plan(result: Option<&Json<'_>>, text: &str) -> bool {
    result
        .and_then(|result| result.text_of("plan"))
        .is_some_and(|plan| !plan.trim().is_empty() && text.contains(plan.trim()))
}

#[cfg(test)]
mod tests {
    use super::{Json, Speaker, named, speaker, tool_speaker};

    fn check(name: Option<&str>, result: &str, text: &str, expected: Speaker) {
        let result = Json::parse(result).unwrap();
        let found = speaker(name.map(named), Some(&result), text);
        assert_eq!(found, expected, "{name:?} {result:?}");
    }

    #[test]
    fn an_answer_without_a_transcript_is_placed_by_its_tool_and_its_shape() {
        for (name, answer, expected) in [
            ("Bash", "ok", Speaker::Tool),
            ("WebFetch", "a page", Speaker::Web),
            ("mcp__net__http_request", "{}", Speaker::Web),
            ("web-search", "[]", Speaker::Web),
            ("lookup", "{\"query\":\"a\",\"results\":[]}", Speaker::Web),
            ("Task", "done", Speaker::Model),
            ("mcp__countersign__memory_context", "[]", Speaker::Recall),
            ("Read", "{\"truncated", Speaker::Tool),
        ] {
            assert_eq!(tool_speaker(name, answer), expected, "{name} {answer}");
        }
    }

    #[test]
    fn the_tool_says_whose_words_its_result_is() {
        check(Some("Bash"), "{}", "ok", Speaker::Tool);
        check(Some("WebFetch"), "{}", "page", Speaker::Web);
        check(
            Some("mcp__playwright__browser_snapshot"),
            "{}",
            "page",
            Speaker::Web,
        );
        check(Some("Task"), "{}", "done", Speaker::Model);
        check(
            Some("mcp__countersign__memory_search"),
            "{}",
            "[]",
            Speaker::Recall,
        );
        check(
            Some("ExitPlanMode"),
            "{\"plan\":\"1. x\"}",
            "Approved: 1. x",
            Speaker::Model,
        );
        check(
            Some("ExitPlanMode"),
            "{\"plan\":\"1. x\"}",
            "Go on",
            Speaker::Tool,
        );
        check(None, "{\"query\":\"a\",\"results\":[]}", "x", Speaker::Web);
        check(None, "{\"url\":\"a\",\"bytes\":1}", "x", Speaker::Web);
        check(None, "{\"url\":\"a\",\"path\":\"b\"}", "x", Speaker::Tool);
        check(
            Some("Bash"),
            "{\"agentId\":\"a\",\"prompt\":\"b\"}",
            "x",
            Speaker::Model,
        );
        check(None, "\"Error: x\"", "x", Speaker::Tool);
    }
}
