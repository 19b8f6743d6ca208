//! Who does it: `we buy used devices` is not `customers buy used devices`.

use crate::features::{Features, Word};
use crate::recurrence::lexicon::lexicon;
use crate::recurrence::signature::Signature;
use crate::recurrence::stem::stem;

/// Who acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Party {
    /// Those who speak.
    Us,
    /// Those they speak of.
    Them,
}

/// Deeds that change sides with the one who does them.
const DEEDS: &[&str] = &[
    "~buy", "~sell", "~pay", "~refund", "~send", "~give", "~return", "~phone", "~email",
    "~contact", "~tell", "~ask", "~lend", "~loan",
];
/// Deeds of which one is the other seen from the other side.
const TRADES: &[&str] = &["~buy", "~sell"];
/// How far before the deed its doer may stand.
const REACH: usize = 4;

/// A deed, and who does it where the text says so.
pub(crate) type Deed = (&'static str, Option<Party>);

/// The deeds a text names.
pub(crate) fn deeds(features: &Features, signature: &Signature) -> Vec<Deed> {
    let known = |name: &str| DEEDS.iter().find(|deed| **deed == name).copied();
    let words = &features.words;
    let single = words.iter().enumerate().filter_map(|(at, word)| {
        let deed = known(lexicon().class(&stem(&word.lower))?)?;
        let near = words.iter().take(at).rev().take(REACH);
        let clause = near.take_while(|near| near.clause == word.clause);
        Some((deed, clause.filter_map(party).next()))
    });
    let phrases = signature
        .terms
        .iter()
        .filter(|term| term.said.contains(' '));
    single
        .chain(phrases.filter_map(|term| Some((known(&term.name)?, None))))
        .collect()
}

fn party(word: &Word) -> Option<Party> {
    match word.lower.as_str() {
        "we" => Some(Party::Us),
        "they" | "customers" | "clients" | "people" | "customer" | "users" | "callers" => {
            Some(Party::Them)
        }
        _ => None,
    }
}

/// Whether the same deed is done by different sides.
pub(crate) fn change_sides(one: &[Deed], other: &[Deed]) -> bool {
    one.iter().any(|(deed, doer)| {
        let same: Vec<_> = other.iter().filter(|(there, _)| there == deed).collect();
        let clash = |there: &Option<Party>| match (doer, there) {
            (Some(one), Some(two)) => one != two,
            (None, None) => false,
            _ => TRADES.contains(deed),
        };
        !same.is_empty() && same.iter().all(|(_, there)| clash(there))
    })
}
