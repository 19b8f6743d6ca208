//! The decisions of an exported ledger, believed or not, without any store: the same list, the same
//! signatures, the same place in the ledger as where the store is at hand.

use crate::domain::reviewer::Footing;
use crate::domain::{Act, Commitment, Digest, EntrySeq};
use crate::keys::{Listed, Reviewers};
use crate::ledger::canonical::encode;
use crate::ledger::export::Decided;
use crate::ledger::statement::{STATEMENT, Statement};
use std::collections::{BTreeMap, HashSet};

/// How many problems are listed; the first says where to look.
const LISTED: usize = 100;

/// What came of the decisions of an export.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DecisionsChecked {
    /// How many decisions there are.
    pub decisions: u64,
    /// How many of them a listed reviewer signed, each for just what it says.
    pub signed: u64,
    /// How many were made before signing began.
    pub early: u64,
    /// How many of these an admin adopted.
    pub adopted: u64,
    /// Where signing began: the entry, the admin who began it, and the fingerprint of their key.
    pub began: Option<(EntrySeq, String, String)>,
    /// What is wrong.
    pub problems: Vec<String>,
}

/// Checks every decision. Whoever began signing is believed only as far as they are known: `admin`
/// is the fingerprint that they should have, if the caller knows it.
#[must_use]
pub fn check_decisions(decided: &Decided, admin: Option<&str>) -> DecisionsChecked {
    let list = list_of(decided);
    let mut found = DecisionsChecked {
        decisions: decided.decisions.len() as u64,
        ..DecisionsChecked::default()
    };
    found.began = list.signing_since().and_then(|since| {
        let first = list.members().iter().find(|one| one.since == since)?;
        Some((since, first.name.clone(), first.fingerprint.clone()?))
    });
    found.problems.extend(list.broken().map(str::to_owned));
    for (seq, why) in list.problems() {
        let problem = format!("reviewers' list: entry {seq} {why}: it changes nothing");
        found.problems.push(problem);
    }
    let exported = decided.allowed_signers.as_deref().unwrap_or_default();
    if exported != crate::keys::allowed_signers(list.members()) {
        found.problems.push(
            "the reviewers' list of the file is not the one that its entries add up to".to_owned(),
        );
    }
    match (admin, &found.began) {
        (Some(admin), Some((seq, name, key))) if admin != key => found.problems.push(format!(
            "`{}` began signing in {seq} with {key}, which is not the key you trust",
            crate::text::line(name)
        )),
        (Some(_), None) => found
            .problems
            .push("nobody signs in this ledger, and you trust a key".to_owned()),
        _ => {}
    }
    each(decided, &list, &mut found);
    found.problems.truncate(LISTED);
    found
}

fn each(decided: &Decided, list: &Reviewers, found: &mut DecisionsChecked) {
    let listed: HashSet<EntrySeq> = list.problems().iter().map(|(seq, _)| *seq).collect();
    let places = places(decided);
    for entry in &decided.decisions {
        let names = entry.draft.facts.contains_key(STATEMENT);
        let early = list.signing_since().is_none_or(|since| entry.seq < since);
        if early && !names {
            found.early += 1;
            let hash = hash_at(decided, entry.seq);
            found.adopted += u64::from(hash.is_some_and(|hash| list.adopted(&hash)));
            continue;
        }
        if listed.contains(&entry.seq) {
            continue;
        }
        let signature = decided.signatures.get(&entry.seq.0);
        // Whoever began signing is listed by the very entry, which the list has checked.
        let began = list.signing_since() == Some(entry.seq);
        let checked = if began {
            Ok(None)
        } else if list.footing() == Footing::Signed {
            list.check(entry, signature).map(Some)
        } else {
            Err(format!(
                "{} was signed, and no list of reviewers is left to believe it by",
                entry.seq
            ))
        };
        let placed = checked.and_then(|statement| match statement {
            None => Ok(()),
            Some(statement) => in_place(decided, &places, &statement, entry.seq),
        });
        match placed {
            Ok(()) => found.signed += 1,
            Err(why) => found.problems.push(why),
        }
    }
    let known: HashSet<i64> = decided.decisions.iter().map(|entry| entry.seq.0).collect();
    for seq in decided.signatures.keys().filter(|seq| !known.contains(seq)) {
        let problem = format!("a signature is there for E-{seq}, which is no decision");
        found.problems.push(problem);
    }
}

fn list_of(decided: &Decided) -> Reviewers {
    let mut listing = Vec::new();
    for entry in &decided.decisions {
        if !matches!(entry.draft.act, Act::Reviewer | Act::Adopt) {
            continue;
        }
        let committed = entry.draft.facts.get("list_commitment");
        let adopts = decided
            .adopted
            .get(&entry.seq.0)
            .filter(|(salt, text)| {
                let commitment = Commitment::to(salt, text.as_bytes()).to_string();
                committed == Some(&commitment)
            })
            .map(|(_, text)| text.clone());
        listing.push(Listed {
            seq: entry.seq,
            // The entry was read from its canonical bytes: they are the same again.
            bytes: encode(entry).unwrap_or_default(),
            hash: hash_at(decided, entry.seq).unwrap_or(Digest::ZERO),
            signature: decided.signatures.get(&entry.seq.0).cloned(),
            adopts,
        });
    }
    if listing.is_empty() && !decided.signatures.is_empty() {
        return Reviewers::lost();
    }
    Reviewers::read(&listing)
}

/// Where each item was decided on, in order.
fn places(decided: &Decided) -> BTreeMap<&str, Vec<EntrySeq>> {
    let mut places: BTreeMap<&str, Vec<EntrySeq>> = BTreeMap::new();
    for entry in &decided.decisions {
        let item = entry.draft.item.as_str();
        places.entry(item).or_default().push(entry.seq);
    }
    places
}

/// The head that was seen must stand in this ledger, and nobody may have decided on the item since.
fn in_place(
    decided: &Decided,
    places: &BTreeMap<&str, Vec<EntrySeq>>,
    statement: &Statement,
    seq: EntrySeq,
) -> Result<(), String> {
    let stands = match statement.head.0 {
        0 => statement.head_hash == Digest::ZERO,
        _ => hash_at(decided, statement.head) == Some(statement.head_hash),
    };
    if !stands {
        return Err(format!(
            "{seq}: {}, which its reviewer had seen, is not the entry that stands there",
            statement.head
        ));
    }
    let on_item = places.get(statement.item.as_str());
    let between = |other: &&EntrySeq| **other > statement.head && **other < seq;
    match on_item.and_then(|all| all.iter().find(between)) {
        Some(other) => Err(format!(
            "{seq}: {} was decided on in {other}, after its reviewer had looked: it may be an old signature used twice",
            crate::text::line(&statement.item)
        )),
        None => Ok(()),
    }
}

fn hash_at(decided: &Decided, seq: EntrySeq) -> Option<Digest> {
    let at = usize::try_from(seq.0).ok()?.checked_sub(1)?;
    decided.hashes.get(at).copied()
}
