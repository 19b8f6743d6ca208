//! What a list is narrowed to. Parsed once; only `store` turns it into SQL.

use crate::domain::{Influence, Kind, Layer, Trust};
use std::fmt;

/// Narrows a list of candidates or memories. Every part given must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// This layer and those below it.
    pub layer: Option<Layer>,
    /// This sort of claim.
    pub kind: Option<Kind>,
    /// This trust.
    pub trust: Option<Trust>,
    /// This influence.
    pub influence: Option<Influence>,
    /// An objection of this rule or class.
    pub rule: Option<String>,
    /// These words in the claim, in any case.
    pub text: Option<String>,
    /// Only what is held.
    pub held: bool,
}

/// A query that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadQuery {
    /// The word that cannot be read.
    pub word: String,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for BadQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` in the query: {}", self.word, self.why)
    }
}

impl std::error::Error for BadQuery {}

impl Filter {
    /// Reads `layer:acme/emea kind:inference trust:web influence:action rule:credential is:held late fee`.
    ///
    /// # Errors
    /// A key or a value that is not known.
    pub fn parse(query: &str) -> Result<Self, BadQuery> {
        let mut filter = Self::default();
        let mut words: Vec<&str> = Vec::new();
        for word in query.split_whitespace() {
            match word.split_once(':') {
                Some((key, value)) => filter.set(key, value).map_err(|why| BadQuery {
                    word: word.to_owned(),
                    why,
                })?,
                None => words.push(word),
            }
        }
        if !words.is_empty() {
            filter.text = Some(words.join(" "));
        }
        Ok(filter)
    }

    /// Whether it narrows nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "layer" => self.layer = Some(Layer::parse(value).map_err(|e| e.to_string())?),
            "kind" => self.kind = Some(Kind::parse(value).map_err(|e| e.to_string())?),
            "trust" => self.trust = Some(Trust::parse(value).map_err(|e| e.to_string())?),
            "influence" => {
                self.influence = Some(Influence::parse(value).map_err(|e| e.to_string())?);
            }
            "rule" => self.rule = Some(value.to_owned()),
            "text" => self.text = Some(value.to_owned()),
            "is" if value == "held" => self.held = true,
            "is" => return Err("only is:held is known".to_owned()),
            _ => return Err("known are layer: kind: trust: influence: rule: text: is:".to_owned()),
        }
        Ok(())
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.layer.as_ref().map(|value| format!("layer:{value}")),
            self.kind.map(|value| format!("kind:{value}")),
            self.trust.map(|value| format!("trust:{value}")),
            self.influence.map(|value| format!("influence:{value}")),
            self.rule.as_ref().map(|value| format!("rule:{value}")),
            self.held.then(|| "is:held".to_owned()),
            self.text.clone(),
        ];
        let words: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::Filter;

    #[test]
    fn a_query_is_read_and_written_alike() {
        for query in [
            "",
            "late fee",
            "layer:acme/emea kind:inference trust:web is:held late",
            "rule:credential",
        ] {
            assert_eq!(Filter::parse(query).unwrap().to_string(), query);
        }
        for bad in ["layer:../x", "kind:lie", "colour:red", "is:blue"] {
            assert!(Filter::parse(bad).is_err(), "{bad}");
        }
    }
}
