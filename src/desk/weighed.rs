//! A claim beside the sources it names: facts for the gate, marks for people.
//!
//! A claim in one of its pattern's real wordings is its own evidence and is not weighed, nor is one
//! that a verified receipt asserts. Where no
//! source can be read there is nothing to weigh it against: that is another rule's objection.

use crate::desk::source::Sources;
use crate::desk::view::Evidence;
use crate::desk::{Desk, DeskError};
use crate::domain::{Backing, SourceRef, Span, Trust, Weighed};
use crate::evidence::{Item, Weighing, weigh};
use crate::gate::{SourceFact, Standing};

/// How much text is weighed against one claim, in bytes, and from how many sources.
const MOST_TEXT: usize = 64 * 1024;
const MOST_SOURCES: usize = 32;
/// How much of a source an objection quotes, in bytes.
const QUOTED: usize = 160;

/// A claim weighed, with the sources that were read.
#[derive(Debug)]
pub(in crate::desk) struct Weight {
    pub(in crate::desk) weighed: Weighed,
    weighing: Weighing,
    /// Which source each item was.
    read: Vec<usize>,
}

impl Desk {
    /// What the sources make of a claim, in the words given.
    pub(in crate::desk) fn weigh(
        &self,
        claim: &str,
        sources: &Sources,
    ) -> Result<Option<Weight>, DeskError> {
        let too_long = claim.len() > self.policy().longest_bytes();
        if too_long || sources.receipt || self.is_wording(claim, sources)? {
            return Ok(None);
        }
        let readable = sources.facts.iter().enumerate().filter_map(|(at, fact)| {
            let held = fact.standing == Standing::Held;
            Some((at, fact, fact.text.as_deref().filter(|_| held)?))
        });
        let (mut items, mut read, mut left, mut cut) = (Vec::new(), Vec::new(), MOST_TEXT, false);
        for (at, fact, text) in readable {
            if items.len() == MOST_SOURCES || left == 0 {
                cut = true;
                break;
            }
            let part = text.get(..text.floor_char_boundary(left)).unwrap_or(text);
            cut |= part.len() < text.len() || sources.cut.contains(&at);
            left -= part.len();
            read.push(at);
            items.push(Item {
                text: part,
                trust: fact.trust,
                person: fact.trust == Trust::AuthenticatedUser,
                speaker: sources.speaker(at),
            });
        }
        if items.is_empty() {
            return Ok(None);
        }
        let weighing = weigh(claim, &items);
        let deciding = weighing
            .contradicting
            .first()
            .or(weighing.supporting.first());
        let said = deciding.and_then(|(item, range)| items.get(*item)?.text.get(range.clone()));
        let weighed = Weighed {
            backing: weighing.answer,
            words: weighing.unsupported_words.iter().map(spanned).collect(),
            said: said.map(|said| self.short(said)),
            because: weighing.because.clone(),
            cut,
            unread: sources.facts.iter().filter(|fact| is_gone(fact)).count(),
        };
        Ok(Some(Weight {
            weighed,
            weighing,
            read,
        }))
    }

    /// Whether people have said just this: then they are its evidence.
    fn is_wording(&self, claim: &str, sources: &Sources) -> Result<bool, DeskError> {
        let Some(pattern) = sources.pattern else {
            return Ok(false);
        };
        let key = crate::recurrence::fingerprint(claim);
        Ok(self.store.pattern_holds(pattern, &key)?)
    }

    fn short(&self, said: &str) -> String {
        let shown = self.shown(said).text;
        let one_line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        let end = one_line.floor_char_boundary(QUOTED);
        match one_line.get(..end) {
            Some(part) if end < one_line.len() => format!("{part} …"),
            _ => one_line,
        }
    }
}

impl Weight {
    /// Marks in the quotes of the sources what backs the claim and what denies it.
    pub(in crate::desk) fn mark(&self, facts: &[SourceFact], evidence: &mut [Evidence]) {
        let places = |all: &[(usize, std::ops::Range<usize>)]| -> Vec<(usize, String)> {
            all.iter()
                .filter_map(|(item, range)| {
                    let at = *self.read.get(*item)?;
                    let text = facts.get(at)?.text.as_deref()?.get(range.clone())?;
                    Some((at, text.to_owned()))
                })
                .collect()
        };
        let found = |(at, text): &(usize, String), evidence: &[Evidence]| {
            let quote = evidence.get(*at)?.quote.as_deref()?;
            let start = quote.find(text.as_str())?;
            Some((
                *at,
                Span {
                    start,
                    end: start + text.len(),
                },
            ))
        };
        let denies = self.weighed.backing == Backing::Contradicted;
        let all = if denies {
            places(&self.weighing.contradicting)
        } else {
            places(&self.weighing.supporting)
        };
        for place in &all {
            let Some((at, span)) = found(place, evidence) else {
                continue;
            };
            if let Some(source) = evidence.get_mut(at) {
                if denies {
                    source.denies = Some(span);
                } else {
                    source.backs = Some(span);
                }
            }
        }
    }
}

/// Whether a source that is named cannot be read; a session never could.
fn is_gone(fact: &SourceFact) -> bool {
    let held = fact.standing == Standing::Held;
    !held && !matches!(fact.reference, SourceRef::Session(_))
}

fn spanned(range: &std::ops::Range<usize>) -> Span {
    Span {
        start: range.start,
        end: range.end,
    }
}
