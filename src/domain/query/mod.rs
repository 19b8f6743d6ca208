//! The one query language: what a list is narrowed to, in the console, in saved views and in commands.
//!
//! ```text
//! any   = all { "or" all }
//! all   = one { ["and"] one }
//! one   = ("-" | "not") one | "(" any ")" | word
//! word  = key ":" value | value          a value alone is text; "…" holds spaces
//! ```
//!
//! It knows keys, values and how they are held against the facts of one row. It knows no store:
//! what is looked at, and how far a search goes, is decided there.

mod complete;
mod facet;
mod facts;
mod keys;
mod read;
mod term;
mod write;

#[cfg(test)]
mod tests;

pub use complete::{Completion, complete};
pub use facet::Facet;
pub use facts::Facts;
pub use keys::{ALL as KEYS, Key, Over};
pub use term::{Compare, Count, Expr, Is, Term, Who};

use crate::domain::{Layer, ReviewerName};
use std::borrow::Cow;
use std::fmt;

/// The longest query that is read, in bytes.
pub const MAX_QUERY: usize = 4096;

/// What must hold of a row. Empty narrows nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    root: Option<Expr>,
}

/// A query that cannot be read: which bytes of it, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadQuery {
    /// The query.
    pub query: String,
    /// The first byte that cannot be read.
    pub at: usize,
    /// The byte behind the last; `at` where something is missing.
    pub end: usize,
    /// What is wrong there, and what is known.
    pub why: String,
}

impl fmt::Display for BadQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = self.before().chars().count() + 1;
        match self.query.get(self.at..self.end) {
            Some(word) if !word.is_empty() => {
                write!(f, "`{word}` at column {column}: {}", self.why)
            }
            _ => write!(f, "at column {column}: {}", self.why),
        }
    }
}

impl std::error::Error for BadQuery {}

impl BadQuery {
    /// What stands before the place.
    #[must_use]
    pub fn before(&self) -> &str {
        self.query.get(..self.at).unwrap_or(&self.query)
    }

    /// What stands at the place.
    #[must_use]
    pub fn word(&self) -> &str {
        self.query.get(self.at..self.end).unwrap_or_default()
    }
}

impl Query {
    /// Reads a query over one sort of rows.
    ///
    /// # Errors
    /// A key or a value that is not known there, or a parenthesis or quote that is left open; with
    /// its place.
    pub fn parse(text: &str, over: Over) -> Result<Self, BadQuery> {
        read::query(text, over).map(|root| Self { root })
    }

    /// A query of one part.
    #[must_use]
    pub const fn of(term: Term) -> Self {
        Self {
            root: Some(Expr::Term(term)),
        }
    }

    /// Whether it narrows nothing.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// What must hold, if anything must.
    #[must_use]
    pub const fn root(&self) -> Option<&Expr> {
        self.root.as_ref()
    }

    /// The same, where this must hold too.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            root: match (self.root, other.root) {
                (Some(one), Some(other)) => Some(Expr::all(vec![one, other])),
                (one, other) => one.or(other),
            },
        }
    }

    /// The same, with the reviewer's name in place of `me`.
    #[must_use]
    pub fn asked_by(&self, me: &ReviewerName) -> Self {
        Self {
            root: self.root.as_ref().map(|root| root.asked_by(me.as_str())),
        }
    }

    /// Whether a row with these facts is one of those asked for.
    #[must_use]
    pub fn matches(&self, facts: &Facts<'_>) -> bool {
        self.root.as_ref().is_none_or(|root| root.matches(facts))
    }

    /// The same where only what people may read counts: words are looked for in the texts as they
    /// are shown, so that nobody guesses at a hidden secret by searching for it.
    #[must_use]
    pub fn picks(&self, facts: Facts<'_>, shown: &dyn Fn(&str) -> String) -> bool {
        let Some(root) = &self.root else { return true };
        if !root.any_term(&|term| matches!(term, Term::Text(_))) {
            return root.matches(&facts);
        }
        let texts = facts.texts.iter();
        let texts: Vec<Cow<'_, str>> = texts.map(|text| Cow::Owned(shown(text))).collect();
        root.matches(&Facts { texts, ..facts })
    }

    /// Whether any part of it asks for this, so that it must not be left out beforehand.
    #[must_use]
    pub fn mentions(&self, wanted: &Term) -> bool {
        self.root
            .as_ref()
            .is_some_and(|root| root.any_term(&|term| term == wanted))
    }

    /// The layer that every row asked for stands in or below, where the query names one.
    #[must_use]
    pub fn layer(&self) -> Option<&Layer> {
        self.certain().find_map(|term| match term {
            Term::Layer(layer) => Some(layer),
            _ => None,
        })
    }

    /// The one thing that every row asked for is about, where the query names one.
    #[must_use]
    pub fn item(&self) -> Option<&str> {
        self.certain().find_map(|term| match term {
            Term::Item(item) => Some(item.as_str()),
            _ => None,
        })
    }

    /// The terms that hold of every row asked for.
    fn certain(&self) -> impl Iterator<Item = &Term> {
        let parts = match &self.root {
            Some(Expr::All(parts)) => parts.as_slice(),
            one => one.as_slice(),
        };
        parts.iter().filter_map(|part| match part {
            Expr::Term(term) => Some(term),
            _ => None,
        })
    }
}

/// Rows that were asked for, and how far was looked for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Searched<R, Id> {
    /// The rows.
    pub rows: Vec<R>,
    /// Whether more may follow in the direction asked for.
    pub more: bool,
    /// Where looking stopped although there was more to look at: the search goes on from here.
    pub left_at: Option<Id>,
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.root {
            None => Ok(()),
            Some(root) => write::top(f, root),
        }
    }
}
