//! What of a query the tables can answer. SQL only leaves out rows that certainly do not match; the
//! rows that come out are held against the query itself, so that there is one meaning.
//!
//! Layers are compared in Rust; what a person types is always a bound value, never part of a statement.

use crate::domain::Time;
use crate::domain::query::{Compare, Count, Expr, Is, Query, Term, Who};
use crate::store::error::StoreError;
use crate::store::search;
use rusqlite::Connection;
use rusqlite::types::Value;

/// Conditions for a list, and the values they bind.
#[derive(Debug, Default)]
pub(in crate::store) struct Narrowed {
    /// Begins with ` AND ` where it is not empty.
    pub(in crate::store) sql: String,
    /// Bound in order, from the place the caller named.
    pub(in crate::store) values: Vec<Value>,
    /// Whether nothing else has to be looked at: the rows are those asked for.
    pub(in crate::store) exact: bool,
}

/// What rows are narrowed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum Table {
    /// `candidate c`, with `pattern p` beside it.
    Candidates,
    /// `memory m`, with `memory_served s` beside it.
    Memories,
    /// `pattern p`
    Patterns,
    /// `entry e`
    Entries,
}

/// Turns a query into conditions; the first value they bind has this number.
pub(in crate::store) fn narrow(
    db: &Connection,
    table: Table,
    query: &Query,
    first: usize,
    now: Time,
) -> Result<Narrowed, StoreError> {
    let mut terms = Terms {
        db,
        table,
        first,
        now,
        values: Vec::new(),
    };
    let half = match query.root() {
        None => return Ok(exact()),
        Some(root) => terms.expr(root)?,
    };
    Ok(match half {
        Half::Any => Narrowed::default(),
        Half::Wider(sql) => Narrowed {
            sql: format!(" AND {sql}"),
            values: terms.values,
            exact: false,
        },
        Half::Exact(sql) => Narrowed {
            sql: format!(" AND {sql}"),
            values: terms.values,
            exact: true,
        },
    })
}

fn exact() -> Narrowed {
    Narrowed {
        exact: true,
        ..Narrowed::default()
    }
}

/// What SQL knows of one part.
enum Half {
    /// It holds exactly where this does.
    Exact(String),
    /// It holds nowhere but where this does.
    Wider(String),
    /// SQL knows nothing of it.
    Any,
}

struct Terms<'a> {
    db: &'a Connection,
    table: Table,
    first: usize,
    now: Time,
    values: Vec<Value>,
}

impl Terms<'_> {
    fn expr(&mut self, expr: &Expr) -> Result<Half, StoreError> {
        match expr {
            Expr::Term(term) => self.term(term),
            Expr::Not(inner) => {
                let bound = self.values.len();
                Ok(match self.expr(inner)? {
                    Half::Exact(sql) => Half::Exact(format!("NOT COALESCE({sql}, 0)")),
                    Half::Wider(_) | Half::Any => {
                        self.values.truncate(bound);
                        Half::Any
                    }
                })
            }
            Expr::All(parts) => self.all(parts),
            Expr::Any(parts) => self.any(parts),
        }
    }

    fn all(&mut self, parts: &[Expr]) -> Result<Half, StoreError> {
        let (mut list, mut whole) = (Vec::new(), true);
        for part in parts {
            match self.expr(part)? {
                Half::Exact(sql) => list.push(sql),
                Half::Wider(sql) => {
                    whole = false;
                    list.push(sql);
                }
                Half::Any => whole = false,
            }
        }
        Ok(match (list.is_empty(), whole) {
            (true, _) => Half::Any,
            (false, true) => Half::Exact(format!("({})", list.join(" AND "))),
            (false, false) => Half::Wider(format!("({})", list.join(" AND "))),
        })
    }

    fn any(&mut self, parts: &[Expr]) -> Result<Half, StoreError> {
        let bound = self.values.len();
        let (mut list, mut whole) = (Vec::new(), true);
        for part in parts {
            match self.expr(part)? {
                Half::Exact(sql) => list.push(sql),
                Half::Wider(sql) => {
                    whole = false;
                    list.push(sql);
                }
                Half::Any => {
                    self.values.truncate(bound);
                    return Ok(Half::Any);
                }
            }
        }
        let sql = format!("({})", list.join(" OR "));
        Ok(if whole {
            Half::Exact(sql)
        } else {
            Half::Wider(sql)
        })
    }

    fn term(&mut self, term: &Term) -> Result<Half, StoreError> {
        match self.table {
            Table::Candidates => self.of_candidate(term),
            Table::Memories => self.of_memory(term),
            Table::Patterns => self.of_pattern(term),
            Table::Entries => Ok(self.of_entry(term)),
        }
    }

    fn of_candidate(&mut self, term: &Term) -> Result<Half, StoreError> {
        Ok(match term {
            Term::Layer(layer) => {
                let ids = search::id_list(&search::descendants(self.db, layer)?);
                Half::Exact(format!("c.layer IN ({ids})"))
            }
            Term::Kind(kind) => Half::Exact(format!("c.kind = {}", kind.code())),
            Term::Trust(how, trust) => compare("c.trust", *how, trust.code()),
            Term::Influence(how, influence) => compare("c.influence", *how, influence.code()),
            Term::Age(how, age) => self.age("c.proposed_at", *how, *age),
            Term::After(at) => Half::Exact(format!("c.proposed_at >= {}", at.millis())),
            Term::Before(at) => Half::Exact(format!("c.proposed_at < {}", at.millis())),
            Term::Ends(how, left) => self.ends("c.expires_at", *how, *left),
            Term::Count(what, how, n) => {
                let column = match what {
                    Count::Users => "COALESCE(p.users, c.users)",
                    Count::Sessions => "COALESCE(p.sessions, c.sessions)",
                    Count::Days => "COALESCE(p.days, c.days)",
                    Count::Served => return Ok(Half::Any),
                };
                compare(column, *how, i64::try_from(*n).unwrap_or(i64::MAX))
            }
            Term::Rule(name) => {
                let quoted = serde_json::to_string(name).unwrap_or_default();
                let rule = self.bind(format!("\"rule\":{quoted}"));
                let class = self.bind(format!("\"class\":{quoted}"));
                Half::Exact(format!(
                    "(instr(c.findings, {rule}) > 0 OR instr(c.findings, {class}) > 0)"
                ))
            }
            Term::Reviewer(Who::Named(name)) => {
                let name = self.bind(name.clone());
                Half::Exact(format!("c.decided_by = {name}"))
            }
            Term::Proposer(name) => {
                let name = self.bind(name.clone());
                Half::Exact(format!("c.proposer = {name}"))
            }
            Term::Project(name) => {
                let name = self.bind(name.clone());
                Half::Exact(format!("c.project = {name}"))
            }
            Term::Session(name) => {
                let own = self.bind(name.clone());
                let cited = self.bind(format!("session:{name}"));
                Half::Wider(format!(
                    "(c.session = {own} OR instr(c.sources, {cited}) > 0)"
                ))
            }
            Term::Source(part) => self.holds("c.sources", part),
            Term::Text(words) => self.holds("c.claim", words),
            Term::Is(is) => match is {
                Is::Held => Half::Exact("c.held = 1".to_owned()),
                Is::Snoozed => Half::Exact(format!("c.snoozed_until > {}", self.now.millis())),
                Is::Advisory => Half::Exact("c.verdict = 1".to_owned()),
                Is::Clear => Half::Exact("c.verdict = 0".to_owned()),
                Is::Repeated => Half::Exact("c.pattern IS NOT NULL".to_owned()),
                Is::Linked => Half::Exact("c.linked_to IS NOT NULL".to_owned()),
                _ => Half::Any,
            },
            Term::Reviewer(Who::Me) | Term::Act(_) | Term::Item(_) => Half::Any,
        })
    }

    fn of_memory(&mut self, term: &Term) -> Result<Half, StoreError> {
        Ok(match term {
            Term::Layer(layer) => {
                let ids = search::id_list(&search::descendants(self.db, layer)?);
                Half::Exact(format!("m.layer IN ({ids})"))
            }
            Term::Kind(kind) => Half::Exact(format!("m.kind = {}", kind.code())),
            Term::Trust(how, trust) => compare("m.trust", *how, trust.code()),
            Term::Influence(how, influence) => compare("m.influence", *how, influence.code()),
            Term::Age(how, age) => self.age("m.approved_at", *how, *age),
            Term::After(at) => Half::Exact(format!("m.approved_at >= {}", at.millis())),
            Term::Before(at) => Half::Exact(format!("m.approved_at < {}", at.millis())),
            Term::Ends(how, left) => self.ends("m.expires_at", *how, *left),
            Term::Count(Count::Served, how, n) => compare(
                "COALESCE(s.count, 0)",
                *how,
                i64::try_from(*n).unwrap_or(i64::MAX),
            ),
            Term::Project(name) => {
                let name = self.bind(name.clone());
                Half::Exact(format!("m.project = {name}"))
            }
            Term::Source(part) => self.holds("m.sources", part),
            Term::Text(words) => self.holds("m.text", words),
            Term::Is(is) => match is {
                Is::Demoted => Half::Exact("m.state = 1".to_owned()),
                Is::Superseded => Half::Exact("m.state = 2".to_owned()),
                Is::Advisory => Half::Exact("m.mode = 1".to_owned()),
                // Expiry is computed, and so is what makes a memory stale.
                Is::Active | Is::Expired | Is::Stale | Is::Contradicted => {
                    Half::Wider("m.state = 0".to_owned())
                }
                _ => Half::Any,
            },
            Term::Rule(_)
            | Term::Reviewer(_)
            | Term::Proposer(_)
            | Term::Session(_)
            | Term::Count(..)
            | Term::Act(_)
            | Term::Item(_) => Half::Any,
        })
    }

    fn of_pattern(&mut self, term: &Term) -> Result<Half, StoreError> {
        Ok(match term {
            Term::Layer(layer) => {
                let ids = search::id_list(&search::descendants(self.db, layer)?);
                Half::Exact(format!("p.layer IN ({ids})"))
            }
            Term::Trust(how, trust) => compare("p.trust", *how, trust.code()),
            Term::Age(how, age) => self.age("p.last_at", *how, *age),
            Term::After(at) => Half::Exact(format!("p.last_at >= {}", at.millis())),
            Term::Before(at) => Half::Exact(format!("p.last_at < {}", at.millis())),
            Term::Count(what, how, n) => {
                let column = match what {
                    Count::Users => "p.users",
                    Count::Sessions => "p.sessions",
                    Count::Days => "p.days",
                    Count::Served => return Ok(Half::Any),
                };
                compare(column, *how, i64::try_from(*n).unwrap_or(i64::MAX))
            }
            Term::Text(words) => match self.holds("w.text", words) {
                Half::Wider(sql) => Half::Wider(format!(
                    "EXISTS (SELECT 1 FROM pattern_wording w WHERE w.pattern = p.id AND {sql})"
                )),
                other => other,
            },
            Term::Is(Is::Watching) => Half::Exact("p.state = 0".to_owned()),
            Term::Is(Is::Proposed) => Half::Exact("p.state = 1".to_owned()),
            _ => Half::Any,
        })
    }

    fn of_entry(&mut self, term: &Term) -> Half {
        match term {
            Term::Act(act) => Half::Exact(format!("e.act = {}", act.code())),
            Term::Item(item) if is_id(item) => {
                // Only so is the index used; a batch of observations is never one thing.
                let item = self.bind(item.clone());
                Half::Exact(format!("(e.item = {item} AND e.act <> 21)"))
            }
            Term::Item(item) => {
                let item = self.bind(item.clone());
                Half::Exact(format!("e.item = {item}"))
            }
            Term::Reviewer(Who::Named(name)) => {
                let name = self.bind(name.clone());
                Half::Exact(format!("e.actor = {name}"))
            }
            Term::Age(how, age) => self.age("e.at", *how, *age),
            Term::After(at) => Half::Exact(format!("e.at >= {}", at.millis())),
            Term::Before(at) => Half::Exact(format!("e.at < {}", at.millis())),
            Term::Is(Is::Decision) => Half::Exact("(e.act < 20 OR e.act >= 40)".to_owned()),
            // The bytes are JSON: what is escaped there cannot be looked for as it stands.
            Term::Text(words) if words.chars().any(|c| c.is_control() || "\"\\".contains(c)) => {
                Half::Any
            }
            Term::Text(words) => {
                let parts = [
                    self.holds("e.item", words),
                    self.holds("e.actor", words),
                    self.holds("e.bytes", words),
                    self.holds("b.body", words),
                ];
                let [item, actor, bytes, body] = parts.map(|part| match part {
                    Half::Exact(sql) | Half::Wider(sql) => sql,
                    Half::Any => "1".to_owned(),
                });
                Half::Wider(format!(
                    "({item} OR {actor} OR {bytes} OR EXISTS (SELECT 1 FROM beside b WHERE b.seq = e.seq AND {body}))"
                ))
            }
            _ => Half::Any,
        }
    }

    /// Rust lowers letters that SQLite leaves alone: a text of more than ASCII is always looked at.
    fn holds(&mut self, column: &str, words: &str) -> Half {
        if !words.is_ascii() {
            return Half::Wider(format!(
                "length(CAST({column} AS BLOB)) <> length({column})"
            ));
        }
        let words = self.bind(words.to_ascii_lowercase());
        Half::Wider(format!(
            "(instr(lower({column}), {words}) > 0 OR length(CAST({column} AS BLOB)) <> length({column}))"
        ))
    }

    fn age(&self, column: &str, how: Compare, age: i64) -> Half {
        compare(&format!("{} - {column}", self.now.millis()), how, age)
    }

    fn ends(&self, column: &str, how: Compare, left: i64) -> Half {
        compare(&format!("{column} - {}", self.now.millis()), how, left)
    }

    fn bind(&mut self, value: String) -> String {
        self.values.push(Value::Text(value));
        format!("?{}", self.first + self.values.len() - 1)
    }
}

fn compare(left: &str, how: Compare, right: i64) -> Half {
    let sign = match how {
        Compare::Equal => "=",
        other => other.sign(),
    };
    Half::Exact(format!("({left}) {sign} {right}"))
}

fn is_id(item: &str) -> bool {
    item.split_once('-')
        .is_some_and(|(letter, _)| letter.len() == 1)
}
