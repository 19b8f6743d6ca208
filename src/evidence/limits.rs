//! What a claim left out: conditions, limits, and that one is not all.

use crate::evidence::strength::{Loss, is_open, predicate};
use crate::features::{Features, Mark, MarkKind, is_small};

pub(crate) fn condition(claim: &Features, said: &[&Features]) -> Option<Loss> {
    const KEPT: &[&str] = &["depend", "however", "above", "below", "before", "after"];
    if claim.has(MarkKind::Condition)
        || is_open(claim)
        || claim
            .words
            .iter()
            .any(|word| KEPT.contains(&word.root.as_str()))
    {
        return None;
    }
    let drops = |features: &&Features| {
        features
            .marks
            .iter()
            .any(|mark| mark.kind == MarkKind::Condition && is_dropped(claim, features, mark))
    };
    said.iter().any(drops).then(|| Loss {
        words: predicate(claim),
        because: "the source says so on a condition only",
        any_verb: false,
    })
}

/// A limit that the claim leaves out: `payments above 500 EUR`, `.. or the cheese is lost`.
pub(crate) fn bounded(claim: &Features, core: &[&Features]) -> Option<Loss> {
    let drops = |features: &&Features| {
        let limit = |it: &crate::features::Amount| {
            let before = it
                .words
                .start
                .checked_sub(1)
                .and_then(|at| features.words.get(at));
            let bound = before.is_some_and(|word| {
                matches!(
                    word.lower.as_str(),
                    "above" | "over" | "below" | "under" | "than" | "to"
                )
            });
            let known = claim.amounts.iter().any(|ours| ours.unit == it.unit);
            let clause = features
                .words
                .get(it.words.start)
                .map_or(0, |word| word.clause);
            let near = features.content().any(|(_, word)| {
                word.clause == clause && claim.words.iter().any(|ours| ours.root == word.root)
            });
            let opens = it.words.start == 1;
            bound
                && near
                && it.to.is_none()
                && (it.unit != crate::features::Unit::None || opens)
                && !known
        };
        features.amounts.iter().any(limit) || is_threat(claim, features) || is_only(claim, features)
    };
    core.iter().any(drops).then(|| Loss {
        words: predicate(claim),
        because: "the source says so within a limit only",
        any_verb: false,
    })
}

/// Whether the source says `only after`, `only for`, and the claim leaves that out.
fn is_only(claim: &Features, said: &Features) -> bool {
    const LIMITS: &[&str] = &[
        "after", "before", "for", "on", "in", "within", "with", "until", "at", "when", "if",
    ];
    let lower = |at: usize| said.words.get(at).map_or("", |word| word.lower.as_str());
    let mut only = said.marks.iter().filter(|mark| mark.kind == MarkKind::Only);
    !claim.has(MarkKind::Only)
        && only.any(|mark| {
            let clause = said.words.get(mark.word).map_or(0, |word| word.clause);
            let shares = said.content().any(|(at, word)| {
                at < mark.word
                    && word.clause == clause
                    && claim.words.iter().any(|ours| ours.root == word.root)
            });
            let limited = (1..3).any(|ahead| LIMITS.contains(&lower(mark.word + ahead)));
            limited && shares
        })
}

/// Whether all that the claim says stands behind an `or` that only warns.
fn is_threat(claim: &Features, said: &Features) -> bool {
    let warned = said.has(MarkKind::Must) || !said.negations.is_empty();
    let or = said
        .words
        .iter()
        .position(|word| matches!(word.lower.as_str(), "or" | "otherwise" | "else"));
    let Some(or) = or.filter(|_| warned) else {
        return false;
    };
    let mut ours = claim
        .content()
        .filter(|(_, word)| said.words.iter().any(|it| it.root == word.root))
        .peekable();
    ours.peek().is_some()
        && ours.all(|(_, word)| said.words.iter().take(or).all(|it| it.root != word.root))
}

/// Whether little of what the condition says stands in the claim.
fn is_dropped(claim: &Features, said: &Features, mark: &Mark) -> bool {
    let Some(word) = said.words.get(mark.word) else {
        return false;
    };
    let inside = |at: usize| {
        at > mark.word
            && said
                .words
                .get(at)
                .is_some_and(|it| it.clause == word.clause)
    };
    let mut amounts = said.amounts.iter().filter(|it| inside(it.words.start));
    // `When` and `until` only tell the time, unless a limit stands behind them.
    let timed = matches!(
        word.lower.as_str(),
        "when" | "once" | "while" | "whenever" | "otherwise" | "who"
    );
    if matches!(word.lower.as_str(), "until" | "till") {
        return false;
    }
    if timed && amounts.clone().next().is_none() {
        return false;
    }
    if amounts.any(|it| claim.amounts.iter().any(|ours| ours.unit == it.unit)) {
        return false;
    }
    let words: Vec<_> = said.content().filter(|(at, _)| inside(*at)).collect();
    let kept = words
        .iter()
        .filter(|(_, it)| claim.words.iter().any(|ours| ours.root == it.root))
        .count();
    !words.is_empty() && kept * 2 <= words.len()
}

/// All, every, always, several: only where the source says so too.
pub(crate) fn widened(claim: &Features, said: &[&Features]) -> Option<Loss> {
    let wide = claim.marks.iter().find(|mark| {
        let kind = matches!(mark.kind, MarkKind::All | MarkKind::Always | MarkKind::Some);
        let word = claim
            .words
            .get(mark.word)
            .map_or("", |word| word.lower.as_str());
        let counted = claim
            .amounts
            .iter()
            .any(|it| it.words.start == mark.word + 1);
        kind && !counted
            && !IDLE.contains(&word)
            && !said
                .iter()
                .any(|features| covers(claim, mark, word, features))
    })?;
    Some(Loss {
        words: vec![wide.span.clone()],
        because: "the source speaks of fewer",
        any_verb: wide.kind == MarkKind::All,
    })
}

/// Quantifiers that deny, or that say little.
const IDLE: &[&str] = &["any", "no", "none", "some", "certain", "part"];

/// Whether a text is as wide as a quantifier of the claim, about the same thing.
fn covers(claim: &Features, mark: &Mark, word: &str, said: &Features) -> bool {
    let noun = |features: &Features, mark: &Mark| {
        let next = features
            .words
            .get(mark.word + 1)
            .filter(|it| !is_small(&it.lower));
        next.map(|it| it.root.clone())
    };
    let ours = noun(claim, mark);
    let as_wide =
        said.marks.iter().any(|other| {
            let denies = said.words.get(other.word).is_some_and(|it| {
                matches!(it.lower.as_str(), "nobody" | "nothing" | "none" | "no")
            });
            if denies {
                return false;
            }
            let theirs = noun(said, other);
            match (mark.kind, other.kind) {
                (MarkKind::Always, MarkKind::Always) => true,
                (MarkKind::Always, MarkKind::All) => {
                    theirs.is_none_or(|noun| crate::features::is_period(&noun))
                }
                (MarkKind::All | MarkKind::Some, MarkKind::All)
                | (MarkKind::Some, MarkKind::Some) => theirs.is_none() || theirs == ours,
                _ => false,
            }
        });
    // `Every Thursday` is what `Thursdays` says.
    let next = claim
        .words
        .get(mark.word + 1)
        .map_or(0, |word| word.span.start);
    let weekly = claim
        .moments
        .iter()
        .any(|it| it.weekday.is_some() && it.span.start == next);
    let same_word = ours.is_none() && said.words.iter().any(|it| it.lower == word);
    same_word || as_wide || (weekly && said.moments.iter().any(|it| it.weekday.is_some()))
}
