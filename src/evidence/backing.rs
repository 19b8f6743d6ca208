//! What counts as saying a word of a claim: the word, a longer form, the speaker, the context.

use std::ops::Range;

use crate::domain::Trust;
use crate::evidence::matched::Ground;
use crate::evidence::reading::{Reading, Sentence};
use crate::evidence::said::Attribution;
use crate::evidence::slots;
use crate::features::{self, Amount, Features, MarkKind, Pole, Unit, Word};

/// The words of the claim that have to be backed: no number, date, idle word or part of a mark.
pub(crate) fn weighty<'a>(
    claim: &'a Features,
    attribution: &'a Attribution,
) -> impl Iterator<Item = (usize, &'a Word)> {
    let inside = |span: &Range<usize>, word: &Word| {
        span.start <= word.span.start && word.span.end <= span.end
    };
    // `On purpose` says something, though `on` alone does not.
    let phrase = |at: usize| {
        claim
            .words
            .get(at + 1)
            .is_some_and(|next| next.root.is_empty())
    };
    let content = claim.words.iter().enumerate().filter(move |(at, word)| {
        !word.root.is_empty() && (!features::is_small(&word.lower) || phrase(*at))
    });
    content.filter(move |(at, word)| {
        let counted = claim.amounts.iter().any(|it| it.words.contains(at));
        // What stands before a code only says what the code is of: `invoice INV-3309`.
        let labels = claim.codes.contains(&(at + 1)) && features::is_label(&word.lower);
        let dated = claim.moments.iter().any(|it| inside(&it.span, word));
        let marked = claim.marks.iter().any(|mark| {
            !matches!(mark.kind, MarkKind::Proposed | MarkKind::Cause) && inside(&mark.span, word)
        });
        // `Less than an hour`: the number says it.
        let compares = claim.words.get(at + 1).is_some_and(|it| it.lower == "than")
            && claim.amounts.iter().any(|it| it.words.start == at + 2);
        // `No longer` is a denial, not a length.
        let before = at.checked_sub(1).and_then(|at| claim.words.get(at));
        let ceased = word.lower == "longer"
            && before.is_some_and(|it| matches!(it.lower.as_str(), "no" | "any"));
        // `Above 500` is part of the number, `above its limit` is a word.
        let bound = matches!(word.lower.as_str(), "over" | "above" | "below")
            && claim
                .amounts
                .iter()
                .any(|it| it.words.start > *at && it.words.start <= at + 3);
        !counted
            && !bound
            && !ceased
            && !compares
            && !labels
            && !dated
            && !marked
            && !attribution.spent.contains(at)
            && !is_idle(word)
    })
}

pub(crate) fn is_tool(reading: &Reading) -> bool {
    matches!(reading.trust, Trust::Tool | Trust::System)
}

pub(crate) fn has(sentence: &Sentence, word: &Word, named: bool) -> bool {
    if named {
        return slots::named(word, |root| sentence.roots.iter().any(|it| it == root));
    }
    // A turn of phrase is not said by its first word.
    let phrase = word.root.contains('_') || features::is_small(&word.lower);
    sentence.roots.contains(&word.root)
        || !phrase
            && sentence
                .features
                .words
                .iter()
                .any(|other| is_form(word, other))
}

/// Whether one word is a longer form of the other: `sign`, `signing`, `signature`.
pub(crate) fn is_form(one: &Word, other: &Word) -> bool {
    let (a, b) = (one.stem.as_str(), other.stem.as_str());
    let begins = |long: &str, short: &str| {
        short.len() >= 4 && long.len() <= short.len() + 4 && long.starts_with(short)
    };
    a == b || begins(a, b) || begins(b, a)
}

/// Who speaks and where, and what the rest of a tool's output names, count as said.
pub(crate) fn in_context(
    word: &Word,
    named: bool,
    stretch: &[&Sentence],
    ground: Ground<'_>,
) -> bool {
    let reading = ground.reading;
    if reading
        .speaker
        .iter()
        .any(|it| *it == word.lower || *it == word.stem)
    {
        return true;
    }
    let refers = stretch.first().is_some_and(|first| first.refers);
    let said = reading.roots.contains(&word.root)
        || (named && slots::named(word, |root| reading.roots.contains(root)));
    let headed = !reading.person
        && reading
            .sentences
            .first()
            .is_some_and(|first| first.is_heading() && has(first, word, named));
    (said && ((reading.trust == Trust::Tool && !ground.row) || (refers && named))) || headed
}

/// The state that a setting named by the claim is in: `offsite copy: off`, side 0 for on.
pub(crate) fn state(claim: &Features, said: &Features) -> Option<usize> {
    let clause = |pole: &Pole| {
        let word = said
            .words
            .iter()
            .find(|word| word.span.start >= pole.span.start);
        word.and_then(|word| word.clause.checked_sub(1))
    };
    let names = |at: usize| {
        said.content().any(|(_, word)| {
            word.clause == at && claim.words.iter().any(|ours| ours.root == word.root)
        })
    };
    let switches = said.poles.iter().filter(|pole| pole.about() == "switch");
    let mut named = switches.filter(|pole| clause(pole).is_some_and(names));
    named.next().map(|pole| pole.side)
}

/// What general English says with other means: a price costs, a percentage off is a discount.
pub(crate) fn implied(
    word: &Word,
    claim: &Features,
    stretch: &[&Sentence],
    reading: &Reading,
) -> bool {
    let said = || stretch.iter().map(|sentence| &sentence.features);
    let money = |amount: &Amount| matches!(amount.unit, Unit::Money(_) | Unit::Percent);
    let priced = claim.amounts.iter().any(money)
        && said().any(|features| features.amounts.iter().any(money));
    match word.root.as_str() {
        "price" | "cost" => priced,
        "discount" => {
            priced
                && said().any(|features| {
                    features
                        .words
                        .iter()
                        .any(|it| matches!(it.lower.as_str(), "off" | "less"))
                })
        }
        "whole" => claim.amounts.iter().any(|it| it.unit == Unit::Percent),
        "enable" | "disable" => {
            let side = usize::from(word.root == "disable");
            said().any(|features| state(claim, features) == Some(side))
        }
        "depend" => said().any(|features| features.has(MarkKind::Condition)),
        "unpaid" => said().any(|features| {
            features
                .words
                .iter()
                .any(|it| matches!(it.lower.as_str(), "open" | "due"))
        }),
        "doubt" => said().any(|features| {
            features.has(MarkKind::Doubted)
                || features.words.iter().any(|it| {
                    matches!(
                        it.lower.as_str(),
                        "looks" | "seems" | "sure" | "wrong" | "odd"
                    )
                })
        }),
        // `We` of a person is that person's team.
        "crew" => {
            reading.person
                && said().any(|features| {
                    features
                        .words
                        .iter()
                        .any(|it| matches!(it.lower.as_str(), "we" | "our" | "us"))
                })
        }
        "double" => said().any(|features| features.words.iter().any(|it| it.lower == "twice")),
        _ => false,
    }
}

/// Words of a claim that need no backing of their own.
pub(crate) fn is_idle(word: &Word) -> bool {
    // A phrase that starts with a light verb (`go up`) is not idle.
    const LIGHT: &[&str] = &["go", "come", "take", "make", "get"];
    let named = |word: &str| IDLE.contains(&word);
    if LIGHT.contains(&word.stem.as_str()) {
        return word.root == features::root(&word.stem);
    }
    named(&word.lower) || named(&word.stem) || named(&word.root)
}

pub(crate) const IDLE: &[&str] = &[
    "always",
    "several",
    "many",
    "most",
    "currently",
    "now",
    "only",
    "both",
    "again",
    "still",
    "already",
    "also",
    "thing",
    "user",
    "assistant",
    "extra",
    "someone",
    "somebody",
    "number",
    "find",
    "among",
    "time",
    "happen",
    "something",
    "wear",
    "carry",
    "have",
    "hold",
    "%",
    "€",
    "$",
    "£",
    "between",
    "since",
    "before",
    "after",
    "within",
    "during",
    "through",
    "per",
    "size",
    "without",
    "another",
    "total",
    "moment",
    "use",
    "bring",
    "along",
    "deal",
    "raise",
    "even",
    "serve",
    "reach",
    "kind",
    "involve",
    "concern",
    "apply",
    "exist",
    "become",
    "actual",
    "quite",
    "yet",
    "together",
    "round",
    "around",
    "everything",
    "anything",
    "nothing",
    "nobody",
    "everybody",
    "everyone",
    "back",
    "far",
    "own",
    "themselves",
    "himself",
    "herself",
    "yourself",
    "place",
    "way",
    "case",
    "stead",
    "instead",
    "present",
    "however",
    "long",
    "soon",
];
