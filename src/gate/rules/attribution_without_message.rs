//! Words put into a person's mouth that the person's own message does not hold.

use crate::domain::{Class, Finding, Severity, Span, Trust};
use crate::gate::facts::Standing;
use crate::gate::rules::{Answer, Case, Rule};
use crate::text::folded::folded;

pub(crate) const RULE: Rule = Rule {
    id: "attribution_without_message",
    why: "what a person asked for or agreed to is told by that person's own message, word for word",
    check,
};

const WHO: &[&str] = &[
    "user",
    "the user",
    "customer",
    "the customer",
    "client",
    "the client",
    "operator",
    "the operator",
    "admin",
    "the admin",
    "owner",
    "the owner",
];
const SAID: &[&str] = &[
    "asked us to",
    "asked me to",
    "asked to",
    "asked that",
    "asked for",
    "asked:",
    "requested that",
    "requested to",
    "requested:",
    "requested",
    "instructed",
    "told me to",
    "told us to",
    "told the agent",
    "ordered",
    "wants the agent to",
    "wants me to",
    "wants us to",
    "said to",
    "said:",
    "authorised",
    "authorized",
    "agreed to",
    "consented",
    "permitted",
    "allowed",
    "has granted",
    "granted",
    "has consented",
    "has agreed",
    "has authorised",
    "has authorized",
    "has asked",
    "has requested",
    "confirmed that",
];

fn check(case: &Case<'_>) -> Answer {
    if case.trust >= Trust::Tool && !has_quote(case.facts.text) {
        return Ok(Vec::new());
    }
    let words = &case.reading.folded.text;
    let Some(at) = attributed(words) else {
        return Ok(Vec::new());
    };
    if case.trust >= Trust::AuthenticatedUser && holds_message(case) {
        return Ok(Vec::new());
    }
    if case.trust == Trust::Tool && (case.facts.receipt || holds_message(case)) {
        return Ok(Vec::new());
    }
    let raw = case
        .reading
        .folded
        .raw(case.reading.folded.on_characters(at));
    Ok(vec![Finding {
        rule: RULE.id.to_owned(),
        class: Class::Authority,
        severity: Severity::Quarantine,
        span: Some(Span { start: raw.start, end: raw.end }),
        view: "folded".to_owned(),
        field: None,
        decoded: None,
        message: "it reports what a person asked or agreed to, and no message of that person says so; name the message as its source".to_owned(),
    }])
}

/// Where a person is said to have asked for something.
fn attributed(words: &str) -> Option<std::ops::Range<usize>> {
    for who in WHO {
        for (start, _) in words.match_indices(who) {
            let whole = words
                .get(..start)
                .is_none_or(|head| !head.ends_with(char::is_alphanumeric));
            let rest = words.get(start + who.len()..).unwrap_or_default();
            let Some(rest) = rest.strip_prefix(' ').filter(|_| whole) else {
                continue;
            };
            if let Some(said) = SAID.iter().find(|said| rest.starts_with(*said)) {
                return Some(start..start + who.len() + 1 + said.len());
            }
        }
    }
    None
}

fn has_quote(text: &str) -> bool {
    text.matches('\'').count() >= 2 || text.contains(['"', '“', '«'])
}

/// Whether evidence that is held has what is quoted; without a quotation, whether there is any
/// message of a person at all.
fn holds_message(case: &Case<'_>) -> bool {
    let people = case
        .facts
        .sources
        .iter()
        .filter(|source| source.trust >= Trust::AuthenticatedUser);
    let mut texts = people
        .clone()
        .filter(|source| source.standing == Standing::Held)
        .filter_map(|source| source.text.as_deref());
    let Some(quoted) = quotation(case.facts.text) else {
        return people.clone().next().is_some();
    };
    let quoted = folded(quoted).text;
    let unread = people.clone().all(|source| source.text.is_none());
    (unread && people.clone().next().is_some())
        || texts.any(|text| folded(text).text.contains(&quoted))
}

/// The longest quoted stretch.
fn quotation(text: &str) -> Option<&str> {
    let between = |open: char, close: char| {
        let start = text.find(open)? + open.len_utf8();
        let end = text.rfind(close).filter(|end| *end > start)?;
        text.get(start..end)
    };
    let all = [
        between('\'', '\''),
        between('"', '"'),
        between('“', '”'),
        between('«', '»'),
    ];
    all.into_iter().flatten().max_by_key(|quote| quote.len())
}
