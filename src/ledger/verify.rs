//! Whether a ledger is whole: every entry re-hashed, in its place, naming the one before it.

use crate::domain::entry::Beside;
use crate::domain::{Act, Commitment, Digest};
use crate::ledger::canonical::{decode, leaf_hash};
use crate::ledger::chain::Head;
use crate::ledger::scan::{Scanned, scan};
use crate::ledger::tree::{Frontier, Node};
use std::collections::BTreeMap;

/// Walks entries in order and collects what is wrong with them.
#[derive(Debug)]
pub struct Verifier {
    head: Head,
    tree: Frontier,
    nodes: BTreeMap<Node, Digest>,
    roots: BTreeMap<u64, Digest>,
    problems: Vec<String>,
}

impl Default for Verifier {
    fn default() -> Self {
        Self::remembering(&[])
    }
}

impl Verifier {
    /// Remembers the roots at these sizes on its way.
    #[must_use]
    pub fn remembering(sizes: &[u64]) -> Self {
        let mut roots: BTreeMap<u64, Digest> =
            sizes.iter().map(|size| (*size, Digest::ZERO)).collect();
        if let Some(root) = roots.get_mut(&0) {
            *root = crate::ledger::tree::empty_root();
        }
        Self {
            head: Head::empty(),
            tree: Frontier::default(),
            nodes: BTreeMap::new(),
            roots,
            problems: Vec::new(),
        }
    }

    /// Takes the next row as it is kept; returns what it says if it can be read at all.
    pub fn take<'a>(
        &mut self,
        seq: i64,
        bytes: &'a str,
        hash: Option<Digest>,
    ) -> Option<Scanned<'a>> {
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
        if Some(actual) != hash {
            self.problems.push(format!(
                "entry E-{seq} was changed: its bytes do not have its hash"
            ));
        }
        let found = self.read(seq, bytes);
        if let Some(entry) = &found {
            self.check_place(seq, entry);
            if entry.act == Act::Checkpoint {
                self.check_checkpoint(entry);
            }
        }
        self.head.seq.0 = seq;
        self.head.hash = actual;
        let nodes = &mut self.nodes;
        self.tree.push(actual, &mut |node, hash| {
            if node.level.is_multiple_of(8) {
                nodes.insert(node, *hash);
            }
        });
        if let Some(root) = self.roots.get_mut(&self.tree.size()) {
            *root = self.tree.root();
        }
        found
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

    /// Checks an interior node of the tree as it is kept.
    pub fn node(&mut self, node: Node, hash: &Digest) {
        if self.nodes.get(&node) != Some(hash) {
            // A row that names no place in any tree is named as it stands.
            let width = 1_u64.checked_shl(node.level);
            let last = width.and_then(|width| node.index.checked_add(1)?.checked_mul(width));
            let over = match (width, last) {
                (Some(width), Some(last)) => format!("over E-{} to E-{last}", last - width + 1),
                _ => format!("at level {}, index {}", node.level, node.index),
            };
            self.problems.push(format!(
                "the tree {over} is kept with a hash that is not theirs"
            ));
        }
    }

    /// Where the walk has come to.
    #[must_use]
    pub const fn head(&self) -> &Head {
        &self.head
    }

    /// The root over everything so far.
    #[must_use]
    pub fn root(&self) -> Digest {
        self.tree.root()
    }

    /// The root at a size that was to be remembered; none if the walk never came so far.
    #[must_use]
    pub fn root_at(&self, size: u64) -> Option<Digest> {
        self.roots
            .get(&size)
            .filter(|root| **root != Digest::ZERO)
            .copied()
    }

    /// Everything that was wrong.
    #[must_use]
    pub fn into_problems(self) -> Vec<String> {
        self.problems
    }

    fn read<'a>(&mut self, seq: i64, bytes: &'a str) -> Option<Scanned<'a>> {
        let found = scan(bytes);
        if found.is_none() {
            // The slow reader says what is wrong.
            let why = decode(bytes).map_or_else(|error| error.to_string(), |_| String::new());
            self.problems
                .push(format!("entry E-{seq} cannot be read: {why}"));
        }
        found
    }

    fn check_place(&mut self, seq: i64, entry: &Scanned<'_>) {
        if entry.seq != seq {
            self.problems.push(format!(
                "entry E-{seq} says it is E-{}: entries were moved",
                entry.seq
            ));
        }
        if entry.prev != self.head.hash {
            self.problems.push(format!(
                "entry E-{seq} does not follow the one before it: an entry was changed, removed or inserted there"
            ));
        }
        if entry.at < self.head.at {
            self.problems
                .push(format!("entry E-{seq} is older than the one before it"));
        }
        self.head.at = self.head.at.max(entry.at);
    }

    /// A checkpoint's entry speaks of everything before it.
    fn check_checkpoint(&mut self, entry: &Scanned<'_>) {
        let size = entry.number("size").map(i64::unsigned_abs);
        let root = entry.digest("root");
        if size != Some(self.tree.size()) || root != Some(self.tree.root()) {
            self.problems.push(format!(
                "entry E-{} holds a checkpoint of other entries than those before it",
                entry.seq
            ));
        }
    }
}

/// Whether a text kept beside the ledger is the one its entry commits to.
#[must_use]
pub fn beside_matches(entry: &Scanned<'_>, text: &Beside) -> bool {
    let committed = entry.digest(&format!("{}_commitment", text.part));
    committed == Some(Commitment::to(&text.salt, text.body.as_bytes()).0)
}

#[cfg(test)]
mod tests {
    use super::{Node, Verifier};
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
            verifier.take(*seq, bytes, Some(*hash));
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

    #[test]
    fn a_node_that_no_tree_has_is_named_as_it_stands() {
        for (level, index) in [(70, 1), (63, u64::MAX), (1, u64::MAX)] {
            let mut verifier = Verifier::default();
            verifier.node(Node { level, index }, &Digest::ZERO);
            let problem = verifier.problems.first().cloned().unwrap_or_default();
            assert!(
                problem.contains(&format!("at level {level}, index {index}")),
                "{problem}"
            );
        }
    }
}
