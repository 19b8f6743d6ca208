//! What a claim could cause: the floor of its influence, with the reason.
//!
//! Words that grant, redirect or order are found by the packs; here are only the plain cases:
//! a wish about wording, a rule of work, and everything else, which is an answer.

use crate::domain::{Influence, Kind, Trust};
use crate::gate::matcher::{Hit, influence as of_hits};
use crate::gate::views::Reading;
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use std::sync::OnceLock;

/// Verbs that open a rule of work.
const ORDERS: &[&str] = &[
    "accept",
    "add",
    "allow",
    "always",
    "answer",
    "apply",
    "approve",
    "archive",
    "ask",
    "assign",
    "avoid",
    "back",
    "block",
    "book",
    "bump",
    "call",
    "cancel",
    "charge",
    "check",
    "claim",
    "clean",
    "close",
    "commit",
    "confirm",
    "contact",
    "copy",
    "create",
    "delete",
    "deny",
    "deploy",
    "disable",
    "do",
    "document",
    "don't",
    "email",
    "enable",
    "ensure",
    "escalate",
    "export",
    "file",
    "follow",
    "format",
    "forward",
    "get",
    "give",
    "go",
    "grant",
    "handle",
    "hide",
    "ignore",
    "include",
    "install",
    "issue",
    "keep",
    "label",
    "leave",
    "let",
    "lie",
    "link",
    "list",
    "log",
    "mail",
    "make",
    "mark",
    "merge",
    "migrate",
    "move",
    "never",
    "notify",
    "offer",
    "open",
    "order",
    "pay",
    "pin",
    "place",
    "please",
    "post",
    "praise",
    "prefer",
    "pretend",
    "publish",
    "push",
    "put",
    "quote",
    "raise",
    "rank",
    "rate",
    "read",
    "rebase",
    "recommend",
    "record",
    "refund",
    "refuse",
    "reject",
    "release",
    "remind",
    "remove",
    "rename",
    "replace",
    "reply",
    "report",
    "reset",
    "respond",
    "restart",
    "retry",
    "return",
    "review",
    "revoke",
    "roll",
    "rotate",
    "route",
    "run",
    "save",
    "say",
    "schedule",
    "send",
    "set",
    "ship",
    "show",
    "skip",
    "speak",
    "start",
    "state",
    "stop",
    "store",
    "submit",
    "switch",
    "tag",
    "take",
    "tell",
    "test",
    "transfer",
    "treat",
    "trust",
    "try",
    "turn",
    "update",
    "upgrade",
    "upload",
    "use",
    "verify",
    "wait",
    "waive",
    "warn",
    "watch",
    "write",
];

/// Words that make a rule of work out of any sentence.
const RULES: &[&str] = &[
    " must ",
    " should ",
    " always ",
    " never ",
    " has to ",
    " have to ",
    " shall ",
    " may only ",
    " do not ",
    " don't ",
    " needs to ",
    " need to be ",
    " are to be ",
    " is to be ",
    " make sure ",
    " before release",
    " before merging",
    " before deploy",
    " before you ",
    " goes through ",
    " required ",
    " requires ",
];

/// Verbs that show that what came before was a noun.
const FINITE: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "takes", "opens", "costs", "runs", "goes", "can",
    "will", "stay", "stays", "finished", "failed", "passed", "closes", "starts", "ends", "works",
    "contains", "does", "did", "say", "says", "live", "lives", "belongs", "needs", "asked",
];

/// Words about how an answer reads.
const STYLE: &[&str] = &[
    "prefer",
    "likes ",
    "like ",
    "wants ",
    "want ",
    "wish",
    "reply in",
    "replies in",
    "answer in",
    "answers in",
    "tone",
    "style",
    "format",
    "short",
    "concise",
    "bullet",
    "language",
    "spell",
    "written",
    "emoji",
    "brief",
    "verbose",
    "units",
    "date",
    "time zone",
    "timezone",
    "font",
    "theme",
    "greet",
    "address me",
    "call me",
    "favourite",
    "favorite",
];

/// Words of somebody who speaks of himself.
const PERSONAL: &[&str] = &[" my ", " me ", " me.", "i ", "i'm ", " mine", " for me"];

/// The floor of the influence, and why, in one sentence.
pub(crate) fn floor(
    kind: Kind,
    trust: Trust,
    reading: &Reading,
    hits: &[Hit<'_>],
) -> (Influence, String) {
    let plain = plain_floor(kind, trust, &reading.folded.text);
    match of_hits(hits).filter(|(influence, _)| *influence > plain.0) {
        Some((influence, hit)) => (influence, why_of(influence, hit)),
        None => (plain.0, plain.1.to_owned()),
    }
}

fn plain_floor(kind: Kind, trust: Trust, text: &str) -> (Influence, &'static str) {
    let rule = kind != Kind::TaskState && is_rule(text);
    let own = || trust >= Trust::AuthenticatedUser && has_any(text, PERSONAL);
    if kind == Kind::UserPreference && (own() || has_any(text, STYLE)) {
        return (
            Influence::Style,
            "it says how somebody likes to be answered",
        );
    }
    if rule {
        return (
            Influence::Plan,
            "it is a rule of work that an agent would follow",
        );
    }
    match kind {
        Kind::UserPreference => (Influence::Style, "it is a wish of one person"),
        Kind::TaskState => (Influence::Answer, "it says where a piece of work stands"),
        Kind::ObservedFact | Kind::Inference => (
            Influence::Answer,
            "it states something an answer would repeat",
        ),
    }
}

fn is_rule(text: &str) -> bool {
    let begins = |sentence: &str| {
        let words = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
        let first = words
            .split(|c: char| !(c.is_alphanumeric() || c == '\''))
            .next();
        first.is_some_and(|word| ORDERS.binary_search(&word).is_ok()) && !reads_as_noun(words)
    };
    let follows = |sentence: &str| {
        let conditional = [
            "when ",
            "whenever ",
            "if ",
            "for ",
            "before ",
            "after ",
            "once ",
        ];
        let words = sentence.trim_start();
        let rest = words.split_once(',').map(|(_, rest)| rest);
        conditional.iter().any(|start| words.starts_with(start)) && rest.is_some_and(begins)
    };
    let any_demand = is_demand(text);
    let demands =
        |sentence: &str| any_demand && has_any(sentence, RULES) && !is_of_oneself(sentence);
    let mut sentences = text.split_inclusive(['.', '!', '?', ';', '\n']);
    sentences.any(|sentence| {
        let asked = sentence.ends_with('?');
        !asked && (begins(sentence) || follows(sentence) || demands(sentence))
    })
}

/// Whether one of the words stands in a text that make a rule of it: one pass for all of them.
fn is_demand(text: &str) -> bool {
    static FINDER: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let finder = FINDER.get_or_init(|| {
        let mut builder = AhoCorasick::builder();
        builder.kind(Some(AhoCorasickKind::DFA)).build(RULES).ok()
    });
    finder.as_ref().is_none_or(|finder| finder.is_match(text))
}

/// `I have to wait` is no rule for anybody else.
fn is_of_oneself(sentence: &str) -> bool {
    let words = sentence.trim_start();
    words.starts_with("i ") || words.starts_with("my ") || has_any(words, &[" i ", " i'm ", " my "])
}

/// `Order 12 is late`, `Check-in opens at two`, `Test results are in`: a noun comes first.
fn reads_as_noun(words: &str) -> bool {
    let mut tokens = words.split_whitespace();
    let first = tokens.next().unwrap_or_default();
    let mut rest = tokens.take(4);
    let numbered = words
        .split_whitespace()
        .nth(1)
        .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    first.contains('-')
        || first.ends_with(':')
        || numbered
        || rest.any(|word| FINITE.contains(&word))
}

fn has_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

fn why_of(influence: Influence, hit: &Hit<'_>) -> String {
    let what = match influence {
        Influence::Authority => "it would stand for a permission",
        Influence::Action => "it names a target that an agent would act on",
        Influence::Plan => "an agent would set out to follow it",
        Influence::Answer | Influence::Style => "it states something an answer would repeat",
    };
    format!("{what} (rule `{}`)", hit.rule.id)
}

#[cfg(test)]
mod tests {
    use super::{ORDERS, plain_floor};
    use crate::domain::{Influence, Kind, Trust};

    fn check(kind: Kind, text: &str, expected: Influence) {
        assert_eq!(
            plain_floor(kind, Trust::Tool, &text.to_lowercase()).0,
            expected,
            "{text}"
        );
    }

    #[test]
    fn a_rule_of_work_is_a_plan_and_a_fact_an_answer() {
        assert!(ORDERS.is_sorted());
        let fact = Kind::ObservedFact;
        check(
            fact,
            "Run the integration tests before release",
            Influence::Plan,
        );
        check(fact, "Waive late fees under 20 euro", Influence::Plan);
        check(fact, "Reviewers must sign every change.", Influence::Plan);
        check(fact, "Refunds take five working days", Influence::Answer);
        check(fact, "Order 12 is late", Influence::Answer);
        check(fact, "Check-in opens at two", Influence::Answer);
        check(
            Kind::TaskState,
            "Add rust-version attribute",
            Influence::Answer,
        );
        check(
            Kind::UserPreference,
            "Prefers short answers",
            Influence::Style,
        );
        check(
            Kind::UserPreference,
            "Likes the window seat",
            Influence::Style,
        );
    }
}
