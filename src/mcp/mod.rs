//! The server that agents talk to: seven tools over standard input and output, bound to one layer.
//!
//! One file per tool, one table of them all. A tool observes, proposes, recalls or reports; none
//! decides, and none can be added that does without standing in this table. Protocol types stay in
//! `serve`, arguments are read by our own hand: what is not in a schema is refused, never ignored.

mod arguments;
mod context;
mod error;
mod get;
mod observe;
mod proposal_status;
mod propose;
mod record;
mod report;
mod schema;
mod search;
mod serve;
mod session;

pub use serve::run;
pub use session::{Binding, OpenDesk};

use crate::mcp::arguments::Arguments;
use crate::mcp::error::ToolError;
use crate::mcp::session::Call;
use serde_json::Value;

/// One tool.
struct Tool {
    /// Its name on the wire.
    name: &'static str,
    /// Its name for people.
    title: &'static str,
    /// What it does; hosts cut this at 2 KB, so the sentence that matters comes first.
    about: &'static str,
    /// Whether it leaves what the tools expose as it is.
    reads_only: bool,
    /// Whether doing it again adds nothing.
    idempotent: bool,
    /// The shape of its arguments.
    input: fn() -> Value,
    /// The shape of its answer.
    output: fn() -> Value,
    /// Does it.
    call: fn(&Call<'_>, &mut Arguments) -> Result<Value, ToolError>,
}

/// Every tool, in the order they are listed.
const TOOLS: &[&Tool] = &[
    &observe::TOOL,
    &propose::TOOL,
    &context::TOOL,
    &search::TOOL,
    &get::TOOL,
    &proposal_status::TOOL,
    &report::TOOL,
];

/// Calls a tool with raw arguments; everything in them must have been meant.
fn call(tool: &Tool, call: &Call<'_>, arguments: Arguments) -> Result<Value, ToolError> {
    let mut arguments = arguments;
    arguments.check_names(&(tool.input)())?;
    (tool.call)(call, &mut arguments)
}

#[cfg(test)]
mod tests {
    use super::TOOLS;
    use serde_json::Value;

    #[test]
    fn there_are_seven_tools_and_none_decides() {
        let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        assert_eq!(
            names,
            [
                "memory_observe",
                "memory_propose",
                "memory_context",
                "memory_search",
                "memory_get",
                "memory_proposal_status",
                "memory_report",
            ]
        );
    }

    /// Every object of a schema, all the way down.
    fn objects<'a>(schema: &'a Value, found: &mut Vec<&'a Value>) {
        if schema["type"] == "object" {
            found.push(schema);
        }
        let children = schema.as_object().into_iter().flat_map(|map| map.values());
        for child in children {
            objects(child, found);
        }
        for child in schema.as_array().into_iter().flatten() {
            objects(child, found);
        }
    }

    #[test]
    fn schemas_are_strict_and_know_no_null() {
        for tool in TOOLS {
            for schema in [(tool.input)(), (tool.output)()] {
                assert_eq!(schema["type"], "object", "{}", tool.name);
                assert!(!schema.to_string().contains("null"), "{}", tool.name);
                let mut all = Vec::new();
                objects(&schema, &mut all);
                for object in all {
                    assert_eq!(
                        object["additionalProperties"], false,
                        "{}: {object}",
                        tool.name
                    );
                    let known = object["properties"].as_object().unwrap();
                    for name in object["required"].as_array().into_iter().flatten() {
                        assert!(known.contains_key(name.as_str().unwrap()), "{}", tool.name);
                    }
                }
            }
            assert!(tool.about.len() < 1024, "{}", tool.name);
        }
    }

    #[test]
    fn fields_that_only_this_application_sets_are_in_no_input() {
        for tool in TOOLS {
            let schema = (tool.input)();
            for name in crate::desk::APPLICATION_ONLY {
                // What they mean where they stand in a tool: a memory's id, and a report's own verdict.
                let allowed = [("id", "memory_get"), ("verdict", "memory_report")]
                    .contains(&(*name, tool.name));
                assert!(
                    allowed || schema["properties"].get(name).is_none(),
                    "{}: {name}",
                    tool.name
                );
            }
        }
    }
}
