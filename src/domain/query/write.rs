//! Writing: the shortest text that reads as the same query again.

use crate::domain::query::keys::UNITS;
use crate::domain::query::{Compare, Expr, Term, Who};
use std::fmt;

pub(super) fn top(f: &mut fmt::Formatter<'_>, root: &Expr) -> fmt::Result {
    match root {
        Expr::Any(parts) => joined(f, parts, " or "),
        Expr::All(parts) => joined(f, parts, " "),
        one => part(f, one),
    }
}

fn joined(f: &mut fmt::Formatter<'_>, parts: &[Expr], between: &str) -> fmt::Result {
    for (at, one) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(between)?;
        }
        match one {
            // An `and` binds closer than an `or`: it needs no parentheses inside one.
            Expr::All(inner) if between == " or " => joined(f, inner, " ")?,
            one => part(f, one)?,
        }
    }
    Ok(())
}

fn part(f: &mut fmt::Formatter<'_>, one: &Expr) -> fmt::Result {
    match one {
        Expr::Term(it) => term(f, it),
        Expr::Not(inner) => {
            f.write_str("-")?;
            part(f, inner)
        }
        Expr::All(_) | Expr::Any(_) => {
            f.write_str("(")?;
            top(f, one)?;
            f.write_str(")")
        }
    }
}

fn term(f: &mut fmt::Formatter<'_>, term: &Term) -> fmt::Result {
    match term {
        Term::Layer(layer) => write!(f, "layer:{layer}"),
        Term::Kind(kind) => write!(f, "kind:{kind}"),
        Term::Trust(how, trust) => write!(f, "trust:{}{trust}", how.sign()),
        Term::Influence(how, influence) => write!(f, "influence:{}{influence}", how.sign()),
        Term::Rule(name) => keyed(f, "rule", name, false),
        Term::Age(how, millis) => duration(f, "age", *how, *millis),
        Term::Ends(how, millis) => duration(f, "ends", *how, *millis),
        Term::After(moment) => write!(f, "after:{moment}"),
        Term::Before(moment) => write!(f, "before:{moment}"),
        Term::Count(what, how, n) => write!(f, "{what}:{}{n}", how.sign()),
        Term::Reviewer(Who::Me) => f.write_str("reviewer:me"),
        Term::Reviewer(Who::Named(name)) => keyed(f, "reviewer", name, name == "me"),
        Term::Proposer(name) => keyed(f, "proposer", name, false),
        Term::Session(name) => keyed(f, "session", name, false),
        Term::Project(name) => keyed(f, "project", name, false),
        Term::Source(part) => keyed(f, "source", part, false),
        Term::Act(act) => write!(f, "act:{act}"),
        Term::Item(item) => keyed(f, "item", item, false),
        Term::Is(is) => write!(f, "is:{is}"),
        Term::Text(words) => {
            let alone = matches!(
                words.as_str(),
                "and" | "or" | "not" | "AND" | "OR" | "NOT" | ""
            );
            let read_otherwise = words.starts_with('-') || words.contains(':');
            value(f, words, alone || read_otherwise)
        }
    }
}

fn keyed(f: &mut fmt::Formatter<'_>, key: &str, text: &str, must_quote: bool) -> fmt::Result {
    write!(f, "{key}:")?;
    value(f, text, must_quote)
}

fn value(f: &mut fmt::Formatter<'_>, text: &str, must_quote: bool) -> fmt::Result {
    let plain = |c: char| !c.is_whitespace() && !matches!(c, '(' | ')' | '"' | '\\');
    if !must_quote && text.chars().all(plain) {
        return f.write_str(text);
    }
    f.write_str("\"")?;
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            f.write_str("\\")?;
        }
        write!(f, "{c}")?;
    }
    f.write_str("\"")
}

fn duration(f: &mut fmt::Formatter<'_>, key: &str, how: Compare, millis: i64) -> fmt::Result {
    let unit = UNITS.iter().find(|(_, each)| millis % each == 0);
    let (sign, each) = unit.copied().unwrap_or(('s', 1000));
    write!(f, "{key}:{}{}{sign}", how.sign(), millis / each)
}
