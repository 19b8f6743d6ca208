//! Immutable statements of a policy, written as plain sentences, and whether a claim contradicts
//! one: by doing what is forbidden, by leaving out what is required, by another actor, by another
//! number. Words are compared by their stems, and by groups of words that mean the same act.
//!
//! Deliberately narrow: it finds a contradiction only where most of the statement's own words
//! stand in the claim. What it cannot read is refused when the policy is loaded.

use std::ops::Range;

/// The share of a statement's words, in percent, that a claim must hold to speak of the same.
const SAME: usize = 70;

/// One statement, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statement {
    /// As it was written.
    pub(crate) text: String,
    form: Form,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Form {
    /// Something is not done: the act, and every word of the prohibition.
    Never { act: String, words: Vec<String> },
    /// Something needs something, from a number on where one is named.
    Needs {
        words: Vec<String>,
        needed: Vec<String>,
        above: Option<u64>,
    },
    /// Something is done by or with these only.
    Only { words: Vec<String>, by: Vec<String> },
    /// Something is so, with a number.
    Is {
        words: Vec<String>,
        numbers: Vec<u64>,
    },
}

/// One word of a text: its stem and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    stem: String,
    at: Range<usize>,
}

/// Words that carry no meaning of their own.
const EMPTY: &[&str] = &[
    "a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "and", "or", "but", "is", "are",
    "was", "be", "been", "may", "can", "will", "shall", "should", "must", "do", "does", "with",
    "from", "that", "this", "it", "its", "their", "our", "any", "all", "every", "as", "when", "if",
    "has", "have", "than", "more", "over", "above", "under", "up", "only", "never", "not", "no",
    "needs", "need", "requires", "require", "required", "out", "off", "into", "per", "so", "we",
    "they", "you", "who", "which", "then", "there", "ever", "always", "cannot", "least", "most",
    "without", "s", "via", "least", "until", "while", "other", "us", "after", "within", "away",
];

/// Groups of stems that stand for one act or thing; the first speaks for all.
const GROUPS: &[&[&str]] = &[
    &[
        "deploy", "rollout", "roll-out", "releas", "ship", "launch", "push",
    ],
    &[
        "chang", "switch", "edit", "modify", "updat", "alter", "reset", "turn", "adjust", "set",
    ],
    &[
        "contain", "show", "shown", "display", "hold", "keep", "kept", "stor", "includ", "writ",
        "retain", "record", "held", "sav",
    ],
    &["full", "whol", "complet", "entir"],
    &[
        "giv",
        "offer",
        "provid",
        "recommend",
        "advis",
        "suggest",
        "advic",
        "tell",
        "propos",
    ],
    &["delet", "remov", "eras", "wip", "purg", "drop"],
    &[
        "shar", "disclos", "send", "sent", "forward", "expos", "export", "pass", "hand", "leav",
    ],
    &["customer", "client", "caller"],
    &["agent", "assistant", "bot", "chatbot", "ai"],
    &[
        "approv",
        "authoris",
        "authoriz",
        "confirm",
        "consent",
        "sign-off",
        "signoff",
        "countersign",
        "approval",
        "permission",
    ],
    &["employe", "staff", "colleagu", "team"],
    &["view", "see", "read", "look"],
    &["medic", "health", "patient"],
    &["invoic", "bill"],
    &["vendor", "supplier"],
    &[
        "pay", "paid", "payment", "payout", "transfer", "wir", "settl",
    ],
    &["buy", "purchas", "order", "bought"],
    &["refund", "reimburs"],
    &["price", "pric", "cost", "fee"],
    &["encrypt", "encryption"],
    &["password", "credential"],
    &["trad", "trade"],
    &["call", "phon", "ring"],
    &["accept", "tak", "took"],
    &["contract", "agreement"],
    &["discount", "rebat"],
    &["hir", "recruit"],
    &["test", "check", "verify", "verification", "inspect"],
];

const NEGATORS: &[&str] = &[
    "not",
    "never",
    "no",
    "nothing",
    "nobody",
    "none",
    "cannot",
    "can't",
    "don't",
    "doesn't",
    "isn't",
    "aren't",
    "won't",
    "neither",
    "nor",
    "refuses",
    "refused",
    "blocked",
    "forbidden",
    "instead",
];

/// Words that leave something out.
const WITHOUT: &[&str] = &[
    "without",
    "no",
    "not",
    "skip",
    "skips",
    "waived",
    "waive",
    "unnecessary",
    "unneeded",
    "optional",
    "never",
    "don't",
    "doesn't",
    "needn't",
    "omit",
    "bypass",
    "before",
];

impl Statement {
    /// Reads one sentence.
    ///
    /// # Errors
    /// A sentence that forbids, requires, reserves and counts nothing.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let lower = text.to_lowercase();
        let form = never(&lower)
            .or_else(|| only(&lower))
            .or_else(|| needs(&lower))
            .or_else(|| fact(&lower));
        match form {
            Some(form) => Ok(Self {
                text: text.to_owned(),
                form,
            }),
            None => Err(format!(
                "the statement `{}` forbids, requires, reserves and counts nothing; write it as subject, action, modality (`never`, `must`, `only`, `is`) and value",
                crate::text::line::line(text)
            )),
        }
    }

    /// Where the claim contradicts this statement, and how.
    pub(crate) fn contradicted(&self, claim: &str) -> Option<(Range<usize>, String)> {
        let words = words_of(claim);
        let negated = tokens(claim).any(|(_, token)| NEGATORS.contains(&token));
        let why = match &self.form {
            Form::Never { act, words: own } => {
                let same = speaks_of(&words, own) && has(&words, act);
                (same && !negated).then(|| "it does what the policy forbids".to_owned())
            }
            Form::Needs {
                words: own,
                needed,
                above,
            } => leaves_out(claim, &words, own, needed, *above),
            Form::Only { words: own, by } => {
                let same = speaks_of(&words, own);
                let others = by.iter().all(|word| !has(&words, word));
                let actor = has(&words, "agent") || tokens(claim).any(|(_, t)| is_anybody(t));
                (same && others && actor && !negated)
                    .then(|| "it lets others do what the policy reserves".to_owned())
            }
            Form::Is {
                words: own,
                numbers,
            } => {
                let found = numbers_of(claim);
                let other = !found.is_empty() && found.iter().all(|n| !numbers.contains(n));
                (speaks_of(&words, own) && other)
                    .then(|| "it gives another number than the policy".to_owned())
            }
        }?;
        Some((span_of(&words, &self.own_words()), why))
    }

    fn own_words(&self) -> Vec<String> {
        match &self.form {
            Form::Never { words, .. } | Form::Only { words, .. } | Form::Is { words, .. } => {
                words.clone()
            }
            Form::Needs { words, needed, .. } => words.iter().chain(needed).cloned().collect(),
        }
    }
}

/// `Agents never give tax advice`, `No deployments from Friday to Monday`.
fn never(lower: &str) -> Option<Form> {
    const MARKS: &[&str] = &[
        " never ",
        " must not ",
        " may not ",
        " but not ",
        " cannot ",
        " do not ",
        " does not ",
        " are not allowed to ",
        " is not allowed to ",
        " are not to ",
        " is not to ",
        " will not ",
        " can't ",
        " don't ",
        " shall not ",
        " are never ",
        " is never ",
        " are forbidden to ",
        " must never ",
        " are not ",
        " is not ",
        " should not ",
    ];
    if let Some(rest) = lower
        .strip_prefix("no ")
        .or_else(|| lower.strip_prefix("never "))
    {
        let words = stems(before_end(rest));
        let act = words.first()?.clone();
        return Some(Form::Never { act, words });
    }
    let forbidden = [
        " is forbidden",
        " are forbidden",
        " is prohibited",
        " are prohibited",
        " is not allowed",
        " are not allowed",
        " is banned",
        " are banned",
    ];
    if let Some((subject, _)) = forbidden.iter().find_map(|mark| lower.split_once(mark)) {
        let words = stems(subject);
        let act = words.last()?.clone();
        return Some(Form::Never { act, words });
    }
    let mark = MARKS
        .iter()
        .filter_map(|mark| lower.find(mark).map(|at| (at, *mark)));
    let (at, mark) = mark.min()?;
    let subject = lower.get(..at)?;
    let subject = subject.split(" may ").next().unwrap_or(subject);
    let rest = before_end(lower.get(at + mark.len()..)?);
    let after = stems(rest);
    let act = after.first()?.clone();
    let mut words = stems(subject);
    words.extend(after);
    words.dedup();
    Some(Form::Never { act, words })
}

/// `from Friday 14:00 to Monday 08:00` means what begins on Friday.
fn before_end(text: &str) -> &str {
    let ranged = text.find(" from ").and_then(|from| {
        let to = text.get(from..)?.find(" to ")?;
        text.get(..from + to)
    });
    let text = ranged.unwrap_or(text);
    text.split(" unless ").next().unwrap_or(text)
}

/// `Trades are placed by licensed staff only`, `Only the owner may sign`.
fn only(lower: &str) -> Option<Form> {
    if let Some(rest) = lower.strip_prefix("only ") {
        let (by, act) = [
            " may ",
            " can ",
            " must ",
            " are allowed to ",
            " is allowed to ",
        ]
        .iter()
        .find_map(|mark| rest.split_once(mark))?;
        let (words, by) = (stems(act), stems(by));
        return (!words.is_empty() && !by.is_empty()).then_some(Form::Only { words, by });
    }
    let reserved = lower.contains(" only");
    let plain = lower.replace(" only", "");
    let (what, by) = [" by ", " to ", " with ", " through ", " from ", " in "]
        .iter()
        .find_map(|mark| plain.split_once(mark))
        .filter(|_| reserved || plain.contains(" go to ") || plain.contains(" goes to "))?;
    let (words, by) = (
        stems(what.trim_end_matches(" go").trim_end_matches(" goes")),
        stems(by),
    );
    (!words.is_empty() && !by.is_empty()).then_some(Form::Only { words, by })
}

/// `Refunds over 500 need a manager's approval`, `medical data needs consent`.
fn needs(lower: &str) -> Option<Form> {
    const MARKS: &[&str] = &[
        " needs ",
        " need ",
        " requires ",
        " require ",
        " must have ",
        " must be ",
        " must go through ",
        " must ",
        " has to be ",
        " have to be ",
        " has to ",
        " have to ",
        " are always ",
        " is always ",
    ];
    let mark = MARKS
        .iter()
        .filter_map(|mark| lower.find(mark).map(|at| (at, mark.len())));
    let (at, len) = mark.min_by_key(|(at, len)| (*at, std::cmp::Reverse(*len)))?;
    let (what, needed) = (lower.get(..at)?, lower.get(at + len..)?);
    let (words, needed) = (stems(what), stems(needed));
    let above = numbers_of(what).first().copied();
    (!words.is_empty() && !needed.is_empty()).then_some(Form::Needs {
        words,
        needed,
        above,
    })
}

fn fact(lower: &str) -> Option<Form> {
    let numbers = numbers_of(lower);
    let words = stems(lower);
    (!numbers.is_empty() && words.len() >= 2).then_some(Form::Is { words, numbers })
}

fn leaves_out(
    claim: &str,
    words: &[Word],
    own: &[String],
    needed: &[String],
    above: Option<u64>,
) -> Option<String> {
    if !speaks_of(words, own) {
        return None;
    }
    let mentions = needed.iter().any(|word| has(words, word));
    let without = tokens(claim).any(|(_, token)| WITHOUT.contains(&token));
    if mentions && without {
        return Some("it leaves out what the policy requires".to_owned());
    }
    let limit = above?;
    let beyond = ["over", "above", "past", "beyond", "exceeding"]
        .iter()
        .any(|word| tokens(claim).any(|(_, token)| token == *word));
    let passes = |number| number > limit || (number == limit && beyond);
    let passed = numbers_of(claim).into_iter().any(passes);
    (passed && !mentions).then(|| format!("it goes past {limit} without what the policy requires"))
}

/// Whether the claim holds most of these words.
fn speaks_of(words: &[Word], own: &[String]) -> bool {
    let shared = own.iter().filter(|word| has(words, word)).count();
    !own.is_empty() && shared * 100 >= own.len() * SAME
}

fn has(words: &[Word], stem: &str) -> bool {
    words.iter().any(|word| word.stem == stem)
}

fn is_anybody(token: &str) -> bool {
    matches!(
        token,
        "anyone"
            | "anybody"
            | "everyone"
            | "everybody"
            | "interns"
            | "guests"
            | "contractors"
            | "staff"
            | "support"
    )
}

/// From the first to the last word of the claim that the statement has too.
fn span_of(words: &[Word], own: &[String]) -> Range<usize> {
    let mut shared = words.iter().filter(|word| own.contains(&word.stem));
    let first = shared.next();
    let last = shared.next_back().or(first);
    let start = first.map_or(0, |word| word.at.start);
    start..last.map_or(start, |word| word.at.end)
}

fn stems(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for word in words_of(text) {
        if !out.contains(&word.stem) {
            out.push(word.stem);
        }
    }
    out
}

/// The words of a folded text that carry meaning.
fn words_of(text: &str) -> Vec<Word> {
    let meaning = |(at, token): (usize, &str)| {
        let number = token.starts_with(|c: char| c.is_ascii_digit()) || written(token).is_some();
        (!number && !EMPTY.contains(&token)).then(|| Word {
            stem: stem(token),
            at: at..at + token.len(),
        })
    };
    tokens(text).filter_map(meaning).collect()
}

/// Words and numbers with their places; `two-factor` is one word, `customer's` is `customer`.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '-' | '\'' | '.' | ',' | ':');
    let mut at = 0;
    text.split_inclusive(move |c: char| !inside(c))
        .filter_map(move |piece| {
            let start = at;
            at += piece.len();
            let token = piece.trim_end_matches(|c: char| !inside(c));
            let token = token.trim_end_matches(['.', ',', ':', '-', '\'']);
            let token = token.strip_suffix("'s").unwrap_or(token);
            let trimmed = token.trim_start_matches(['.', ',', ':', '-', '\'']);
            let start = start + token.len() - trimmed.len();
            (!trimmed.is_empty()).then_some((start, trimmed))
        })
}

/// The value of a number that is written out. `one` counts nothing where it stands for somebody or
/// something, and `zero` is a denial.
fn written(token: &str) -> Option<u64> {
    let value = crate::features::small_number(token)?;
    (value > 1).then_some(value)
}

fn numbers_of(text: &str) -> Vec<u64> {
    let plain = |token: &str| token.replace([',', '.'], "");
    tokens(text)
        .filter(|(_, token)| !token.contains(':'))
        .filter_map(|(_, token)| plain(token).parse().ok().or_else(|| written(token)))
        .collect()
}

/// The word without its ending, then the group it belongs to.
fn stem(token: &str) -> String {
    let grouped = |stem: &str| {
        let group = GROUPS.iter().find(|group| group.contains(&stem));
        group
            .and_then(|group| group.first())
            .map(|first| (*first).to_owned())
    };
    if let Some(found) = grouped(token) {
        return found;
    }
    let mut base = token.to_owned();
    for (ending, instead) in [
        ("ments", ""),
        ("ment", ""),
        ("ies", "y"),
        ("ied", "y"),
        ("ings", ""),
        ("ing", ""),
        ("sses", "ss"),
        ("ed", ""),
        ("es", ""),
        ("s", ""),
        ("e", ""),
    ] {
        let Some(head) = base.strip_suffix(ending) else {
            continue;
        };
        if head.len() >= 3 && !(ending == "s" && head.ends_with('s')) {
            base = format!("{head}{instead}");
            break;
        }
    }
    let doubled = base.chars().rev().take(2).collect::<Vec<_>>();
    if let [a, b] = doubled.as_slice()
        && a == b
        && base.len() > 3
        && !"ls".contains(*a)
    {
        base.pop();
    }
    grouped(&base).unwrap_or(base)
}

#[cfg(test)]
mod tests {
    use super::Statement;

    fn check(statement: &str, claim: &str, expected: bool) {
        let read = Statement::parse(statement).unwrap();
        let found = read.contradicted(&claim.to_lowercase());
        assert_eq!(
            found.is_some(),
            expected,
            "{statement} / {claim}: {read:?} {found:?}"
        );
    }

    #[test]
    fn doing_what_is_forbidden_is_a_conflict() {
        let logs = "Logs must not contain full card numbers.";
        check(
            logs,
            "The debug log holds on to the whole card number for a day.",
            true,
        );
        check(
            logs,
            "The debug log holds on to the last four digits of the card.",
            false,
        );
        check(logs, "The log never holds the full card number.", false);
        let friday = "No deployments from Friday 14:00 to Monday 08:00.";
        check(
            friday,
            "Friday evenings are the calm moment for rollouts.",
            true,
        );
        check(
            friday,
            "Thursday evenings are the calm moment for rollouts.",
            false,
        );
        let view = "Support staff may view but not change a customer's two-factor settings.";
        check(
            view,
            "Support staff switch a customer's two-factor off when the phone is broken.",
            true,
        );
        check(
            view,
            "Support staff can see whether two-factor is on.",
            false,
        );
        check(
            "Agents never give tax advice.",
            "The assistant recommends the cheapest tax scheme.",
            true,
        );
    }

    #[test]
    fn leaving_out_what_is_required_is_a_conflict() {
        check(
            "medical data needs consent",
            "Agents may act without consent on medical data.",
            true,
        );
        check(
            "medical data needs consent",
            "Medical data is read after consent.",
            false,
        );
        let refunds = "Refunds over 500 need a manager's approval.";
        check(refunds, "Refunds of 700 go out the same day.", true);
        check(refunds, "Refunds of 300 go out the same day.", false);
        check(refunds, "Refunds of 700 wait for the manager.", false);
        check(refunds, "Refunds over 500 go out the same day.", true);
        check(
            refunds,
            "Refunds of exactly 500 go out the same day.",
            false,
        );
    }

    #[test]
    fn another_actor_or_number_is_a_conflict() {
        let trades = "Trades are placed by licensed staff only.";
        check(
            trades,
            "The agent places trades while the desk is at lunch.",
            true,
        );
        check(trades, "Licensed staff place the trades.", false);
        check(
            "Backups are kept for 30 days.",
            "Backups are kept for 7 days.",
            true,
        );
        check(
            "Backups are kept for 30 days.",
            "Backups are kept for 30 days.",
            false,
        );
        let tokens = "Tokens expire after 8 hours.";
        check(tokens, "Tokens expire after twenty hours.", true);
        check(tokens, "Tokens expire within eight hours.", false);
        assert!(Statement::parse("Be nice.").is_err());
    }
}
