//! What a list can be grouped by. A group is a term of the language, so that what is counted and
//! what the list shows when it is narrowed to the group are the same rows.

use crate::domain::query::{Facts, Term};
use crate::domain::word::words;
use crate::domain::{Layer, SourceRef};
use std::collections::BTreeSet;

words! {
    /// What a list is grouped by.
    Facet as "group" {
        /// What objects.
        Rule = 0 "rule",
        /// What is cited.
        Source = 1 "source",
        /// The session it comes from.
        Session = 2 "session",
        /// Who proposed it.
        Harness = 3 "harness",
        /// Where it stands, every layer with those below it.
        Layer = 4 "layer",
    }
}

impl Facet {
    /// The one after this; the first after the last.
    #[must_use]
    pub fn next(self) -> Self {
        let after = Self::ALL.iter().skip_while(|one| **one != self).nth(1);
        after.copied().unwrap_or(Self::Rule)
    }

    /// The groups that a row belongs to, each once.
    #[must_use]
    pub fn groups(self, facts: &Facts<'_>) -> BTreeSet<String> {
        match self {
            Self::Rule => facts
                .rules
                .iter()
                .map(|(rule, _)| (*rule).to_owned())
                .collect(),
            Self::Source => facts.sources.iter().map(whole).collect(),
            Self::Session => facts.sessions.iter().map(|it| (*it).to_owned()).collect(),
            Self::Harness => facts.proposer.map(str::to_owned).into_iter().collect(),
            Self::Layer => facts
                .layer
                .iter()
                .flat_map(|layer| layer.lineage())
                .map(|layer| layer.to_string())
                .collect(),
        }
    }

    /// What asks for the rows of a group.
    #[must_use]
    pub fn term(self, group: &str) -> Option<Term> {
        Some(match self {
            Self::Rule => Term::Rule(group.to_owned()),
            Self::Source => Term::Source(group.to_owned()),
            Self::Session => Term::Session(group.to_owned()),
            Self::Harness => Term::Proposer(group.to_owned()),
            Self::Layer => Term::Layer(Layer::parse(group).ok()?),
        })
    }
}

/// A source as a whole, without the range that is cited of it.
fn whole(source: &SourceRef) -> String {
    match source {
        SourceRef::Artifact { sha256, .. } => format!("artifact:{sha256}"),
        other => other.to_string(),
    }
}
