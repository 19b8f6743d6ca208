//! Whether a ledger is whole: every entry re-hashed, in its place, naming the one before it.

use crate::domain::entry::Entry;
use crate::domain::{Commitment, Digest, Salt};
use crate::ledger::canonical::{decode, leaf_hash};
use crate::ledger::chain::Head;

/// Walks entries in order and collects what is wrong with them.
#[derive(Debug)]
pub struct Verifier {
    head: Head,
    problems: Vec<String>,
}

impl Default for Verifier {
    fn default() -> Self {
        Self {
            head: Head::empty(),
            problems: Vec::new(),
        }
    }
}

impl Verifier {
    /// Takes the next row as it is kept; returns the entry if it can be read at all.
    pub fn take(&mut self, seq: i64, bytes: &str, hash: &Digest) -> Option<Entry> {
        let expected = self.head.seq.0.saturating_add(1);
        if seq != expected {
            let what = if seq > expected {
                "is missing"
            } else {
                "stands out of order"
            };
            self.problems.push(format!(
                "entry E-{expected} {what}: found E-{seq} in its place"
            ));
        }
        let actual = leaf_hash(bytes);
        if actual != *hash {
            self.problems.push(format!(
                "entry E-{seq} was changed: its bytes do not have its hash"
            ));
        }
        let entry = self.read(seq, bytes);
        if let Some(entry) = &entry {
            self.check_place(seq, entry);
        }
        self.head.seq.0 = seq;
        self.head.hash = actual;
        entry
    }

    /// Checks that the ledger ends where the store says it ends.
    pub fn end(&mut self, seq: i64, hash: &Digest) {
        if self.head.seq.0 != seq || self.head.hash != *hash {
            self.problems.push(format!(
                "the ledger ends at E-{}, the store remembers E-{seq}: entries were cut off or added behind its back",
                self.head.seq.0
            ));
        }
    }

    /// Where the walk has come to.
    #[must_use]
    pub const fn head(&self) -> &Head {
        &self.head
    }

    /// Everything that was wrong.
    #[must_use]
    pub fn into_problems(self) -> Vec<String> {
        self.problems
    }

    fn read(&mut self, seq: i64, bytes: &str) -> Option<Entry> {
        match decode(bytes) {
            Ok(entry) => Some(entry),
            Err(error) => {
                self.problems
                    .push(format!("entry E-{seq} cannot be read: {error}"));
                None
            }
        }
    }

    fn check_place(&mut self, seq: i64, entry: &Entry) {
        if entry.seq.0 != seq {
            self.problems.push(format!(
                "entry E-{seq} says it is {}: entries were moved",
                entry.seq
            ));
        }
        if entry.prev != self.head.hash {
            self.problems.push(format!(
                "entry E-{seq} does not follow the one before it: an entry was changed, removed or inserted there"
            ));
        }
        if entry.draft.at < self.head.at {
            self.problems
                .push(format!("entry E-{seq} is older than the one before it"));
        }
        self.head.at = self.head.at.max(entry.draft.at);
    }
}

/// Whether a text kept beside the ledger is the one its entry commits to.
#[must_use]
pub fn beside_matches(entry: &Entry, part: &str, salt: &Salt, body: &str) -> bool {
    let committed = entry.draft.facts.get(&format!("{part}_commitment"));
    committed.is_some_and(|value| *value == Commitment::to(salt, body.as_bytes()).to_string())
}

#[cfg(test)]
mod tests {
    use super::Verifier;
    use crate::domain::entry::{EntryDraft, Facts};
    use crate::domain::{Act, Assurance, Digest, Time};
    use crate::ledger::canonical::leaf_hash;
    use crate::ledger::chain::{Head, append};
    use proptest::prelude::{Strategy, any, prop_assert, proptest};

    type Row = (i64, String, Digest);

    fn ledger(n: i64) -> Vec<Row> {
        let mut head = Head::empty();
        let mut rows = Vec::new();
        for i in 0..n {
            let draft = EntryDraft {
                at: Time::from_millis(1000 + i),
                actor: "alice".into(),
                assurance: Assurance::Terminal,
                act: Act::Reject,
                item: format!("C-{}", i + 1),
                facts: Facts::new(),
            };
            let sealed = append(&head, draft).unwrap();
            head = Head {
                seq: sealed.entry.seq,
                hash: sealed.hash,
                at: sealed.entry.draft.at,
            };
            rows.push((sealed.entry.seq.0, sealed.bytes, sealed.hash));
        }
        rows
    }

    fn problems(rows: &[Row], end: &Row) -> Vec<String> {
        let mut verifier = Verifier::default();
        for (seq, bytes, hash) in rows {
            verifier.take(*seq, bytes, hash);
        }
        verifier.end(end.0, &end.2);
        verifier.into_problems()
    }

    #[test]
    fn a_whole_ledger_has_no_problems() {
        let rows = ledger(20);
        assert_eq!(problems(&rows, rows.last().unwrap()), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn any_flipped_removed_or_reordered_entry_is_found(n in 3_usize..12, which in any::<proptest::sample::Index>(), how in (0_u8..5).boxed()) {
            let rows = ledger(n as i64);
            let end = rows.last().unwrap().clone();
            let at = which.index(n);
            let mut forged = rows;
            match how {
                0 => { // one byte changed
                    let swapped = forged[at].1.replace("alice", "alicf");
                    forged[at].1 = swapped;
                }
                1 => { // changed, with its hash made right again
                    forged[at].1 = forged[at].1.replace("alice", "mallory");
                    forged[at].2 = leaf_hash(&forged[at].1);
                }
                2 => { forged.remove(at); }
                3 => { let other = (at + 1) % n; forged.swap(at, other); }
                _ => { let copy = forged[at].clone(); forged.insert(at, copy); }
            }
            prop_assert!(!problems(&forged, &end).is_empty(), "{how} at {at}");
        }
    }
}
