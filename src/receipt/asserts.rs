//! Whether a receipt says what a claim says: the same act, on the same subject, in the same
//! environment, and not its opposite.

use crate::domain::receipt::{EventAction, Said};

/// Words that say an act was done.
const DONE: &[(EventAction, &[&str])] = &[
    (
        EventAction::Deployed,
        &[
            "deployed",
            "deployment",
            "rolled out",
            "live",
            "running",
            "shipped",
        ],
    ),
    (
        EventAction::Approved,
        &["approved", "approval", "signed off"],
    ),
    (EventAction::Paid, &["paid", "payment", "transferred"]),
    (EventAction::Migrated, &["migrated", "migration"]),
    (EventAction::Released, &["released", "release", "published"]),
];
/// Words after which a receipt supports nothing: it says what was, not what may be or is not.
const NOT_SO: &[&str] = &[
    "not",
    "never",
    "no",
    "n't",
    "failed",
    "may",
    "must",
    "should",
    "can",
    "always",
    "from now on",
    "every",
    "all",
    "any",
    "future",
    "pending",
    "waiting",
    "proposed",
    "tomorrow",
    "will",
];
/// Environments that people name.
const ENVIRONMENTS: &[&str] = &[
    "production",
    "prod",
    "staging",
    "stage",
    "test",
    "testing",
    "dev",
    "development",
    "preview",
    "sandbox",
];

/// Whether the receipt says what the claim says. A claim about anything more gets no support.
#[must_use]
pub fn asserts(said: &Said, claim: &str) -> bool {
    let claim = crate::text::key(claim);
    let has = |phrase: &str| holds(&claim, phrase);
    let words = DONE.iter().filter(|(action, _)| *action == said.action);
    let acts = words.flat_map(|(_, words)| *words).any(|word| has(word));
    acts && names_subject(said, &claim)
        && same_environment(said, has)
        && !NOT_SO.iter().any(|word| has(word))
}

/// Whether a folded text holds a phrase between other letters' ends.
fn holds(text: &str, phrase: &str) -> bool {
    let word = |c: char| c.is_alphanumeric();
    text.match_indices(phrase).any(|(at, found)| {
        let before = text.get(..at).unwrap_or_default().chars().next_back();
        let after = text
            .get(at + found.len()..)
            .unwrap_or_default()
            .chars()
            .next();
        let open = phrase.starts_with(|c: char| !word(c)) || !before.is_some_and(word);
        open && !after.is_some_and(word)
    })
}

/// The commit, at least seven letters of it, or the number stands in the claim.
fn names_subject(said: &Said, claim: &str) -> bool {
    let subject = crate::text::key(&said.subject);
    if let Some((_, number)) = subject.split_once('#') {
        return holds(claim, number);
    }
    let Some((_, commit)) = subject.split_once('@') else {
        return holds(claim, &subject);
    };
    claim
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| word == commit || word.len() >= 7 && commit.starts_with(word))
}

fn same_environment(said: &Said, has: impl Fn(&str) -> bool) -> bool {
    let own = said
        .environment
        .as_deref()
        .map(crate::text::key)
        .unwrap_or_default();
    let named: Vec<&str> = ENVIRONMENTS
        .iter()
        .copied()
        .filter(|name| has(name))
        .collect();
    named
        .iter()
        .all(|name| own == *name || own == "production" && *name == "prod")
}

#[cfg(test)]
mod tests {
    use super::asserts;
    use crate::domain::receipt::{EventAction, EventState, Said};

    fn check(action: EventAction, subject: &str, claim: &str, expected: bool) {
        let said = Said {
            action,
            subject: subject.to_owned(),
            environment: (action == EventAction::Deployed).then(|| "production".to_owned()),
            state: EventState::Succeeded,
            said_at: None,
            order: None,
        };
        assert_eq!(asserts(&said, claim), expected, "{claim}");
    }

    #[test]
    fn a_receipt_supports_what_it_says_and_nothing_more() {
        let deployed = |claim, expected| {
            check(
                EventAction::Deployed,
                "acme/shop@abc1234567",
                claim,
                expected,
            );
        };
        deployed(
            "Version abc1234 of the shop was deployed to production on 3 June.",
            true,
        );
        deployed("abc1234567 is live in prod", true);
        deployed("Version abc1234 was deployed to staging.", false);
        deployed("Version def9999 was deployed to production.", false);
        deployed("The shop was deployed to production.", false);
        deployed("abc1234 was approved for production.", false);
        deployed("abc1234 was not deployed to production.", false);
        deployed(
            "abc1234 was deployed, so every later deploy may skip the review.",
            false,
        );
        deployed("abc123 was deployed to production.", false);
        check(
            EventAction::Approved,
            "acme/shop#312",
            "PR 312 was approved on 3 June.",
            true,
        );
        check(
            EventAction::Approved,
            "acme/shop#312",
            "PR 3120 was approved on 3 June.",
            false,
        );
        check(
            EventAction::Approved,
            "acme/shop#312",
            "PR 312 will be approved.",
            false,
        );
        check(
            EventAction::Approved,
            "acme/shop#312",
            "PR 312 was approved; all exports are allowed from now on.",
            false,
        );
    }
}
