//! Where a rule of a pack looks: which kinds, which trust, which layers, and what must stand near.

use crate::domain::{Kind, Layer, Trust};
use crate::gate::facts::Facts;
use regex::bytes::Regex;
use std::ops::Range;

/// The widest a rule may look around itself, in words.
const WIDEST: usize = 40;

/// To which candidates a rule applies; what is not named is everything.
#[derive(Debug, Clone, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Applies {
    #[serde(default)]
    kind: Vec<Kind>,
    #[serde(default)]
    trust: Vec<Trust>,
    scope: Option<String>,
    #[serde(skip)]
    layer: Option<Layer>,
}

/// What must also stand near a match.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Near {
    pub(crate) pattern: String,
    pub(crate) within_words: usize,
}

impl Applies {
    /// Checks what was written.
    ///
    /// INVARIANT: (5) lower trust never loosens, so a rule that names a trust names every lower
    /// one besides.
    pub(crate) fn checked(mut self) -> Result<Self, String> {
        let highest = self.trust.iter().max().copied();
        if let Some(highest) = highest {
            let lower = Trust::ALL.iter().filter(|trust| **trust <= highest);
            if let Some(left_out) = lower.into_iter().find(|trust| !self.trust.contains(trust)) {
                return Err(format!(
                    "`applies` names trust `{highest}` but not `{left_out}` below it: lower trust never loosens"
                ));
            }
        }
        let layer = self.scope.as_deref().map(Layer::parse).transpose();
        self.layer = layer.map_err(|error| format!("`applies` names no layer: {error}"))?;
        Ok(self)
    }

    /// Whether the rule looks at this candidate.
    pub(crate) fn covers(&self, facts: &Facts<'_>, trust: Trust) -> bool {
        let kind = self.kind.is_empty() || self.kind.contains(&facts.kind);
        let trust = self.trust.is_empty() || self.trust.contains(&trust);
        let layer = self.layer.as_ref();
        kind && trust && layer.is_none_or(|layer| layer.is_visible_from(&facts.scope.layer))
    }
}

impl Near {
    /// Checks what was written.
    pub(crate) fn checked(self) -> Result<Self, String> {
        match self.within_words {
            1..=WIDEST => Ok(self),
            _ => Err(format!(
                "`near` looks 1 to {WIDEST} words around, not {}",
                self.within_words
            )),
        }
    }
}

/// Whether `pattern` stands within so many words of these bytes, in their sentence.
pub(crate) fn stands_near(
    pattern: &Regex,
    words: usize,
    text: &str,
    at: &Range<usize>,
    sentence: &Range<usize>,
) -> bool {
    let before = text.get(sentence.start..at.start).unwrap_or_default();
    let after = text.get(at.end..sentence.end).unwrap_or_default();
    let head = before.trim_end();
    let head = match head
        .rmatch_indices(char::is_whitespace)
        .nth(words.saturating_sub(1))
    {
        Some((place, _)) => head.get(place..).unwrap_or_default(),
        None => head,
    };
    let tail = after.trim_start();
    let tail = match tail
        .match_indices(char::is_whitespace)
        .nth(words.saturating_sub(1))
    {
        Some((place, _)) => tail.get(..place).unwrap_or_default(),
        None => tail,
    };
    pattern.is_match(head.as_bytes()) || pattern.is_match(tail.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::{Applies, stands_near};
    use crate::domain::Trust;
    use crate::gate::clause::Clauses;

    #[test]
    fn near_counts_words_inside_the_sentence() {
        let pattern = regex::bytes::Regex::new("token").unwrap();
        let check = |text: &str, words, expected| {
            let at = text.find("abc").unwrap();
            assert_eq!(
                stands_near(
                    &pattern,
                    words,
                    text,
                    &(at..at + 3),
                    &Clauses::of(text).sentence(&(at..at + 3))
                ),
                expected,
                "{text}"
            );
        };
        check("the token is abc", 2, true);
        check("the token of today is abc", 2, false);
        check("abc is the token", 3, true);
        check("a token. abc is it", 9, false);
    }

    #[test]
    fn lower_trust_never_loosens_what_a_rule_applies_to() {
        let only = |trust: Vec<Trust>| {
            Applies {
                trust,
                ..Applies::default()
            }
            .checked()
        };
        assert!(only(vec![Trust::Model, Trust::Web]).is_ok());
        assert!(only(vec![Trust::Web]).is_err_and(|e| e.contains("model")));
        assert!(only(Vec::new()).is_ok());
    }
}
