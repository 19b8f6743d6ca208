//! The parts of a query, as data: what can be asked of one row, and how parts are put together.

use crate::domain::query::Facts;
use crate::domain::word::words;
use crate::domain::{Act, Influence, Kind, Layer, Time, Trust};

words! {
    /// What a row can be, yes or no.
    Is as "state" {
        /// Held for somebody else to look at.
        Held = 0 "held",
        /// Out of sight until later.
        Snoozed = 1 "snoozed",
        /// The gate, or the reviewer, is only half convinced of it.
        Advisory = 2 "advisory",
        /// The gate objects to nothing.
        Clear = 3 "clear",
        /// It comes from a pattern of observations.
        Repeated = 4 "repeated",
        /// It says what was turned down before.
        Linked = 5 "linked",
        /// It should be looked at again.
        Stale = 6 "stale",
        /// Enough people say otherwise.
        Contradicted = 7 "contradicted",
        /// It is served.
        Active = 8 "active",
        /// A person took it out.
        Demoted = 9 "demoted",
        /// A later version took its place.
        Superseded = 10 "superseded",
        /// Its time has passed.
        Expired = 11 "expired",
        /// Below the thresholds.
        Watching = 12 "watching",
        /// It was proposed as a candidate.
        Proposed = 13 "proposed",
        /// Only a person can do it.
        Decision = 14 "decision",
    }
}

words! {
    /// What can be counted of a row.
    Count as "count" {
        /// Distinct users behind it.
        Users = 0 "users",
        /// Distinct sessions behind it.
        Sessions = 1 "sessions",
        /// Distinct days behind it.
        Days = 2 "days",
        /// How often it was served.
        Served = 3 "served",
    }
}

/// How a value is held against another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// Nothing, or `=`.
    Equal,
    /// `>=`
    AtLeast,
    /// `>`
    More,
}

impl Compare {
    /// Whether it holds of this pair.
    #[must_use]
    pub fn holds<T: Ord + Copy>(self, found: T, wanted: T) -> bool {
        match self {
            Self::Less => found < wanted,
            Self::AtMost => found <= wanted,
            Self::Equal => found == wanted,
            Self::AtLeast => found >= wanted,
            Self::More => found > wanted,
        }
    }

    /// The sign, as it is written; empty for equal.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Equal => "",
            Self::AtLeast => ">=",
            Self::More => ">",
        }
    }
}

/// A reviewer that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    /// Whoever asks.
    Me,
    /// By name.
    Named(String),
}

/// One thing that must hold of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// It stands in this layer or below it.
    Layer(Layer),
    /// This sort of claim.
    Kind(Kind),
    /// Trust, compared.
    Trust(Compare, Trust),
    /// Influence, compared.
    Influence(Compare, Influence),
    /// An objection of this rule or class.
    Rule(String),
    /// How long ago it began, in milliseconds.
    Age(Compare, i64),
    /// How long until it ends, in milliseconds.
    Ends(Compare, i64),
    /// It began at this moment or later.
    After(Time),
    /// It began before this moment.
    Before(Time),
    /// A count, compared.
    Count(Count, Compare, u64),
    /// Who decided or acted.
    Reviewer(Who),
    /// Who proposed it.
    Proposer(String),
    /// A session it comes from or is narrowed to.
    Session(String),
    /// The project it is narrowed to.
    Project(String),
    /// These letters in one of its source references.
    Source(String),
    /// What was done.
    Act(Act),
    /// To what it was done.
    Item(String),
    /// What it is.
    Is(Is),
    /// These words, in any case.
    Text(String),
}

/// Terms put together. Built with `all`, `any` and `not`, so that one meaning has one shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// One thing.
    Term(Term),
    /// It must not hold.
    Not(Box<Self>),
    /// All of these, two at least, none of them an `All`.
    All(Vec<Self>),
    /// One of these, two at least, none of them an `Any`.
    Any(Vec<Self>),
}

impl Expr {
    /// All of these must hold.
    #[must_use]
    pub fn all(parts: Vec<Self>) -> Self {
        let parts = parts.into_iter().flat_map(|part| match part {
            Self::All(inner) => inner,
            other => vec![other],
        });
        Self::one_or(parts.collect(), Self::All)
    }

    /// One of these must hold.
    #[must_use]
    pub fn any(parts: Vec<Self>) -> Self {
        let parts = parts.into_iter().flat_map(|part| match part {
            Self::Any(inner) => inner,
            other => vec![other],
        });
        Self::one_or(parts.collect(), Self::Any)
    }

    /// It must not hold.
    #[must_use]
    pub fn negated(self) -> Self {
        Self::Not(Box::new(self))
    }

    fn one_or(mut parts: Vec<Self>, many: fn(Vec<Self>) -> Self) -> Self {
        match (parts.len(), parts.pop()) {
            (1, Some(only)) => only,
            (_, last) => {
                parts.extend(last);
                many(parts)
            }
        }
    }

    pub(super) fn matches(&self, facts: &Facts<'_>) -> bool {
        match self {
            Self::Term(term) => facts.has(term),
            Self::Not(inner) => !inner.matches(facts),
            Self::All(parts) => parts.iter().all(|part| part.matches(facts)),
            Self::Any(parts) => parts.iter().any(|part| part.matches(facts)),
        }
    }

    pub(super) fn any_term(&self, test: &dyn Fn(&Term) -> bool) -> bool {
        match self {
            Self::Term(term) => test(term),
            Self::Not(inner) => inner.any_term(test),
            Self::All(parts) | Self::Any(parts) => parts.iter().any(|part| part.any_term(test)),
        }
    }

    pub(super) fn asked_by(&self, me: &str) -> Self {
        let each = |parts: &[Self]| parts.iter().map(|part| part.asked_by(me)).collect();
        match self {
            Self::Term(Term::Reviewer(Who::Me)) => {
                Self::Term(Term::Reviewer(Who::Named(me.to_owned())))
            }
            Self::Term(term) => Self::Term(term.clone()),
            Self::Not(inner) => inner.asked_by(me).negated(),
            Self::All(parts) => Self::All(each(parts)),
            Self::Any(parts) => Self::Any(each(parts)),
        }
    }
}
