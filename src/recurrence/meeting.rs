//! Which terms of two wordings meet: the same word, words that stand for one another, a word
//! mistyped, two words written as one.

use crate::recurrence::signature::Signature;
use crate::recurrence::terms::Term;

/// For each term of either side, whether the other side says it too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Meeting {
    one: Vec<bool>,
    other: Vec<bool>,
}

/// Pairs up the terms of two wordings.
pub(crate) fn meeting(one: &Signature, other: &Signature) -> Meeting {
    let said = |ids: &[u64], there: &[u64]| ids.iter().map(|id| there.contains(id)).collect();
    let mut meeting = Meeting {
        one: said(&one.ids, &other.ids),
        other: said(&other.ids, &one.ids),
    };
    if meeting.one.contains(&false) && meeting.other.contains(&false) {
        slips(one, other, &mut meeting);
        joined(
            &one.terms,
            &other.terms,
            &mut meeting.one,
            &mut meeting.other,
        );
        joined(
            &other.terms,
            &one.terms,
            &mut meeting.other,
            &mut meeting.one,
        );
    }
    meeting
}

impl Meeting {
    /// What only one side says.
    pub(crate) fn lone<'a>(
        &self,
        one: &'a Signature,
        other: &'a Signature,
    ) -> (Vec<&'a Term>, Vec<&'a Term>) {
        (
            pick(&one.terms, &self.one, false),
            pick(&other.terms, &self.other, false),
        )
    }

    /// What both sides say, as each of them says it.
    pub(crate) fn common<'a>(
        &self,
        one: &'a Signature,
        other: &'a Signature,
    ) -> (Vec<&'a Term>, Vec<&'a Term>) {
        (
            pick(&one.terms, &self.one, true),
            pick(&other.terms, &self.other, true),
        )
    }

    /// What stands on one side where the other has something else, between the same neighbours:
    /// the heaviest term of either.
    pub(crate) fn replaced<'a>(
        &self,
        one: &'a Signature,
        other: &'a Signature,
    ) -> Option<(&'a Term, &'a Term)> {
        let theirs = places(other, &self.other);
        places(one, &self.one)
            .into_iter()
            .find_map(|(term, around)| {
                let same = theirs.iter().find(|(_, there)| *there == around)?;
                Some((term, same.0))
            })
    }

    /// How much of the first side both say, and how much it says alone, each term by its rarity.
    pub(crate) fn one_weights(&self, one: &Signature, rarity: &impl Fn(u64) -> f32) -> (f32, f32) {
        split_weight(one, &self.one, rarity)
    }

    /// The same of the second side.
    pub(crate) fn other_weights(
        &self,
        other: &Signature,
        rarity: &impl Fn(u64) -> f32,
    ) -> (f32, f32) {
        split_weight(other, &self.other, rarity)
    }

    /// How much what only one side says weighs.
    pub(crate) fn lone_weights(&self, one: &Signature, other: &Signature) -> (f32, f32) {
        (
            lone_weight(&one.terms, &self.one),
            lone_weight(&other.terms, &self.other),
        )
    }
}

/// The heaviest of a run of terms that only one side says, with what stands around the run.
type Place<'a> = (&'a Term, (Option<u64>, Option<u64>));

/// The runs of terms that only one side says; what makes up the whole text has no place in it.
fn places<'a>(signature: &'a Signature, met: &[bool]) -> Vec<Place<'a>> {
    let mut places = Vec::new();
    let (mut before, mut run): (Option<u64>, Option<&Term>) = (None, None);
    for ((id, term), met) in signature.ids.iter().zip(&signature.terms).zip(met) {
        if *met {
            places.extend(run.take().map(|term| (term, (before, Some(*id)))));
            before = Some(*id);
        } else {
            run = Some(run.filter(|run| run.weight >= term.weight).unwrap_or(term));
        }
    }
    places.extend(
        run.zip(before)
            .map(|(term, before)| (term, (Some(before), None))),
    );
    places
}

fn pick<'a>(terms: &'a [Term], met: &[bool], wanted: bool) -> Vec<&'a Term> {
    terms
        .iter()
        .zip(met)
        .filter(|(_, met)| **met == wanted)
        .map(|(term, _)| term)
        .collect()
}

fn lone_weight(terms: &[Term], met: &[bool]) -> f32 {
    terms
        .iter()
        .zip(met)
        .filter(|(_, met)| !**met)
        .map(|(term, _)| term.weight)
        .sum()
}

fn split_weight(side: &Signature, met: &[bool], rarity: &impl Fn(u64) -> f32) -> (f32, f32) {
    let terms = side.ids.iter().zip(&side.terms).zip(met);
    terms.fold((0.0, 0.0), |(both, lone), ((id, term), met)| {
        let weight = term.weight * rarity(*id);
        if *met {
            (both + weight, lone)
        } else {
            (both, lone + weight)
        }
    })
}

fn slips(one: &Signature, other: &Signature, meeting: &mut Meeting) {
    for (term, met) in one.terms.iter().zip(&mut meeting.one) {
        if *met {
            continue;
        }
        let twin = other
            .terms
            .iter()
            .zip(&mut meeting.other)
            .find(|(there, met)| !**met && is_slip(&term.said, &there.said));
        if let Some((_, there)) = twin {
            *there = true;
            *met = true;
        }
    }
}

/// Two neighbours on one side that the other writes as one word.
fn joined(apart: &[Term], whole: &[Term], apart_met: &mut [bool], whole_met: &mut [bool]) {
    for (term, met) in whole.iter().zip(whole_met) {
        if *met || term.said.len() < 4 {
            continue;
        }
        let halves = |(first, second): (&Term, &Term)| {
            let head = |tail: &str| tail.starts_with(second.name.as_str()) || tail == second.said;
            term.said
                .strip_prefix(first.said.as_str())
                .is_some_and(head)
        };
        if let Some(at) = apart.iter().zip(apart.iter().skip(1)).position(halves) {
            *met = true;
            apart_met
                .iter_mut()
                .skip(at)
                .take(2)
                .for_each(|met| *met = true);
        }
    }
}

/// Whether one word is most likely the other, mistyped: five letters or more, the same first one,
/// and one letter added, left out, changed or two that changed places.
pub(crate) fn is_slip(one: &str, other: &str) -> bool {
    let plain = |word: &str| word.len() >= 5 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let (a, b) = (short.as_bytes(), long.as_bytes());
    if a.first() != b.first() || b.len() > a.len() + 1 || !plain(short) || !plain(long) {
        return false;
    }
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (
        a.get(start..).unwrap_or_default(),
        b.get(start..).unwrap_or_default(),
    );
    let end = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let middle = |bytes: &[u8]| bytes.get(..bytes.len() - end).unwrap_or_default().to_vec();
    match (middle(a).as_slice(), middle(b).as_slice()) {
        ([], [_]) | ([_], [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_slip, meeting};
    use crate::recurrence::signature::Signature;

    fn check(one: &str, other: &str, one_only: &[&str], other_only: &[&str]) {
        let (one, other) = (Signature::of(one), Signature::of(other));
        let (left, right) = meeting(&one, &other).lone(&one, &other);
        let said = |terms: Vec<&crate::recurrence::terms::Term>| {
            terms
                .iter()
                .map(|term| term.said.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            (said(left), said(right)),
            (
                one_only.iter().map(|s| (*s).to_owned()).collect(),
                other_only.iter().map(|s| (*s).to_owned()).collect()
            )
        );
    }

    #[test]
    fn words_meet_by_stem_by_class_by_slip_and_joined() {
        check(
            "refunds take days",
            "a refund took several days",
            &[],
            &["several"],
        );
        check("give the money back", "they are refunded", &[], &[]);
        check(
            "the wharehouse is closed",
            "the warehouse is shut",
            &[],
            &[],
        );
        check("a giftcard expires", "the gift card expires", &[], &[]);
        check(
            "wide labels jam in the tarn",
            "wide labels jam in the zolo",
            &["tarn"],
            &["zolo"],
        );
    }

    #[test]
    fn a_slip_is_one_letter_of_a_long_word() {
        assert!(is_slip("warehouse", "wharehouse"));
        assert!(is_slip("commit", "comit"));
        assert!(is_slip("receive", "recieve"));
        assert!(!is_slip("form", "from"));
        assert!(!is_slip("unlock", "block"));
        assert!(!is_slip("8080", "8081"));
        assert!(!is_slip("staging", "staging"));
    }
}
