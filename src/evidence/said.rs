//! Whether a claim puts something in somebody's mouth, and whose words can back it.

use std::ops::Range;
use std::sync::LazyLock;

use crate::evidence::reading::Reading;
use crate::evidence::window::{Found, Says};
use crate::features::{self, Features, Shape};

/// Who is said to have said, asked, wanted or decided something.
#[derive(Debug, Default)]
pub(crate) struct Attribution {
    /// Whether the claim is one.
    pub(crate) any: bool,
    /// Which items may back it; all of them where the claim is no attribution.
    allowed: Vec<bool>,
    /// Whether the person speaks anywhere in the evidence.
    present: bool,
    /// The bytes of the claim that attribute.
    pub(crate) span: Option<Range<usize>>,
    /// Places of words in the claim that the attribution itself accounts for.
    pub(crate) spent: Vec<usize>,
}

/// Verbs of saying, asking, wanting and deciding.
const SPEECH: &[&str] = &[
    "say",
    "ask",
    "want",
    "request",
    "approve",
    "agree",
    "tell",
    "report",
    "announce",
    "state",
    "claim",
    "complain",
    "doubt",
    "insist",
    "refuse",
    "promise",
    "decide",
    "confirm",
    "propose",
    "suggest",
    "demand",
    "think",
    "believe",
    "wish",
    "allow",
    "permit",
    "instruct",
    "warn",
    "admit",
    "deny",
    "accept",
    "reject",
    "prefer",
    "authorise",
    "authorize",
    "forbid",
    "recommend",
    "mention",
    "explain",
    "note",
    "declare",
];
/// Of these, the verbs that need not be said themselves: what they introduce has to be.
const FRAME: &[&str] = &[
    "say",
    "tell",
    "report",
    "announce",
    "state",
    "claim",
    "mention",
    "explain",
    "think",
    "believe",
    "confirm",
    "declare",
    "want",
    "ask",
    "request",
    "insist",
    "demand",
    "refuse",
    "agree",
    "propose",
    "suggest",
    "recommend",
    "know",
    "wonder",
    "suspect",
];
/// What a person may be called without a name.
const PEOPLE: &[&str] = &[
    "user", "customer", "client", "visitor", "guest", "someone", "somebody", "person", "caller",
    "reviewer",
];
/// What an assistant may be called.
const AGENTS: &[&str] = &["assistant", "agent", "model", "bot"];
/// Words between a subject and its verb.
const BETWEEN: &[&str] = &[
    "has",
    "had",
    "already",
    "never",
    "once",
    "also",
    "explicitly",
];

static STEMS: LazyLock<(Vec<String>, Vec<String>)> = LazyLock::new(|| {
    let stems = |words: &[&str]| words.iter().map(|word| features::stem(word)).collect();
    (stems(SPEECH), stems(FRAME))
});

impl Attribution {
    pub(crate) fn of(claim: &Features, readings: &[Reading]) -> Self {
        let framed = framed(claim).and_then(|(subject, verb)| {
            let name = Called::new(claim, subject, readings)?;
            Some((subject, verb, name))
        });
        let Some((subject, verb, name)) = framed else {
            return Self {
                present: true,
                ..Self::default()
            };
        };
        let allowed: Vec<bool> = readings
            .iter()
            .map(|reading| name.speaks(reading))
            .collect();
        let words = claim.words.iter().enumerate();
        let frames = words
            .filter(|(_, word)| STEMS.1.contains(&word.stem))
            .map(|(at, _)| at);
        let word = |at: usize| claim.words.get(at);
        let article = subject
            .checked_sub(1)
            .filter(|at| word(*at).is_some_and(|it| it.lower == "the"));
        let start = word(article.unwrap_or(subject)).map_or(0, |word| word.span.start);
        Self {
            any: true,
            present: allowed.contains(&true),
            allowed,
            span: word(verb).map(|word| start..word.span.end),
            spent: std::iter::once(subject).chain(frames).collect(),
        }
    }

    /// What an item is worth for the attribution: only the person's own words back it, and the
    /// right words in the mouth of another person who is present speak against it.
    pub(crate) fn heard(&self, at: usize, reading: &Reading, found: Found) -> Found {
        if self.allowed.get(at).copied().unwrap_or(true) {
            return found;
        }
        let told = matches!(found.says, Says::All | Says::Weaker);
        let other = told && self.present && reading.person && !reading.speaker.is_empty();
        let says = if other { Says::Denies } else { Says::Silent };
        let words = self.span.clone().into_iter().collect();
        found.turned(says, words, "these are not the words of the one it names")
    }
}

/// The one a claim speaks of, as it calls them.
enum Called<'a> {
    Person,
    Agent,
    Name(&'a str),
}

impl<'a> Called<'a> {
    fn new(claim: &'a Features, subject: usize, readings: &[Reading]) -> Option<Self> {
        let lower = claim
            .words
            .get(subject)
            .map_or("", |word| word.lower.as_str());
        let is = |table: &[&str]| {
            table
                .iter()
                .any(|name| *name == lower || lower.strip_suffix('s') == Some(name))
        };
        if is(PEOPLE) {
            return Some(Self::Person);
        }
        if is(AGENTS) {
            return Some(Self::Agent);
        }
        let known = readings
            .iter()
            .any(|reading| reading.speaker.iter().any(|word| word == lower));
        let sure = claim
            .names
            .iter()
            .any(|name| name.word == subject && name.sure);
        // At the start of a sentence every word has a capital: a name is what no table knows.
        let first = subject == 0
            && claim.words.get(subject).is_some_and(|word| {
                word.shape == Shape::Capital && word.root == word.stem && !lower.ends_with('s')
            });
        (known || sure || first).then_some(Self::Name(lower))
    }

    fn speaks(&self, reading: &Reading) -> bool {
        match self {
            Self::Person => reading.person,
            Self::Agent => reading.is_model() && !reading.person,
            Self::Name(name) => reading.person && reading.speaker.iter().any(|word| word == name),
        }
    }
}

/// The subject and the verb of an attribution that opens the claim.
fn framed(claim: &Features) -> Option<(usize, usize)> {
    let verb = claim
        .words
        .iter()
        .take(6)
        .position(|word| STEMS.0.contains(&word.stem))?;
    let subject = claim.words.iter().take(verb).rposition(|word| {
        !features::is_small(&word.lower) && !BETWEEN.contains(&word.lower.as_str())
    })?;
    let between = claim.words.get(subject + 1..verb)?;
    let passive = between.iter().any(|word| word.stem == "be");
    let relative = between
        .iter()
        .any(|word| matches!(word.lower.as_str(), "who" | "that" | "which" | "whose"));
    (!relative && !passive).then_some((subject, verb))
}
