//! The arguments of a call, read one by one. What no schema names is refused, never ignored.

use crate::mcp::error::ToolError;
use serde_json::{Map, Value};

/// The longest text a call may carry, in bytes.
const LONGEST: usize = 1024 * 1024;

/// The arguments of one call.
#[derive(Debug)]
pub(in crate::mcp) struct Arguments(pub(in crate::mcp) Map<String, Value>);

impl Arguments {
    /// Insists that every argument stands in the tool's schema.
    pub(in crate::mcp) fn check_names(&self, schema: &Value) -> Result<(), ToolError> {
        let known = schema.get("properties").and_then(Value::as_object);
        let stray = self
            .0
            .keys()
            .find(|name| known.is_none_or(|known| !known.contains_key(*name)));
        let Some(name) = stray else {
            return Ok(());
        };
        Err(if crate::desk::APPLICATION_ONLY.contains(&name.as_str()) {
            ToolError::argument(
                name,
                "is set by the gate and by reviewers, never by a caller",
            )
        } else {
            ToolError::argument(name, "is not an argument of this tool")
        })
    }

    /// A text that must be there and say something.
    pub(in crate::mcp) fn needed(&mut self, name: &str) -> Result<String, ToolError> {
        let text = self
            .optional(name)?
            .ok_or_else(|| ToolError::argument(name, "is missing"))?;
        if text.trim().is_empty() {
            return Err(ToolError::argument(name, "is empty"));
        }
        Ok(text)
    }

    /// A text that may be there.
    pub(in crate::mcp) fn optional(&mut self, name: &str) -> Result<Option<String>, ToolError> {
        match self.0.remove(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.len() > LONGEST => {
                Err(ToolError::argument(name, "is longer than 1 MiB"))
            }
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(ToolError::argument(name, "is not a string")),
        }
    }

    /// A text that may be there and must then be one of a kind.
    pub(in crate::mcp) fn parsed<T, E: std::fmt::Display>(
        &mut self,
        name: &'static str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Option<T>, ToolError> {
        let text = self.optional(name)?;
        text.map(|text| parse(&text))
            .transpose()
            .map_err(|error| crate::mcp::error::unreadable(name)(&error))
    }

    /// A whole number that may be there.
    pub(in crate::mcp) fn number(&mut self, name: &str) -> Result<Option<usize>, ToolError> {
        let bad = || ToolError::argument(name, "is not a whole number, 0 or more");
        let value = self.0.remove(name);
        let number = value.map(|value| value.as_u64().ok_or_else(bad));
        number
            .transpose()?
            .map(|number| usize::try_from(number).map_err(|_| bad()))
            .transpose()
    }

    /// A number from 0 to 1 that may be there.
    pub(in crate::mcp) fn share(&mut self, name: &str) -> Result<Option<f64>, ToolError> {
        let Some(value) = self.0.remove(name) else {
            return Ok(None);
        };
        let share = value.as_f64().filter(|share| (0.0..=1.0).contains(share));
        share
            .map(Some)
            .ok_or_else(|| ToolError::argument(name, "is not a number from 0 to 1"))
    }

    /// A list of objects that may be there.
    pub(in crate::mcp) fn objects(&mut self, name: &str) -> Result<Vec<Self>, ToolError> {
        let bad = || ToolError::argument(name, "is not a list of objects");
        let Some(value) = self.0.remove(name) else {
            return Ok(Vec::new());
        };
        let Value::Array(list) = value else {
            return Err(bad());
        };
        let object = |value| match value {
            Value::Object(map) => Ok(Self(map)),
            _ => Err(bad()),
        };
        list.into_iter().map(object).collect()
    }

    /// Insists that nothing is left.
    pub(in crate::mcp) fn nothing_else(&self, of: &str) -> Result<(), ToolError> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => Err(ToolError::argument(
                &format!("{of}.{name}"),
                "is not an argument of this tool",
            )),
        }
    }
}
