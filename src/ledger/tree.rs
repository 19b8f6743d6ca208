//! The Merkle tree of RFC 6962 over the entries' leaf hashes: roots, and proofs about them.
//!
//! ```text
//! leaf      = SHA-256(0x00 || canonical bytes of the entry)
//! interior  = SHA-256(0x01 || left hash || right hash)
//! root of 7 = ((0 1)(2 3)) ((4 5) 6)          the largest power of two goes left
//! ```
//!
//! A complete subtree is named by its level and its place; everything here is computed from the
//! hashes of complete subtrees, which whoever asks supplies. Where they are kept is not known here.

use crate::domain::Digest;
use crate::domain::digest::Hasher;

/// A complete subtree: the `2^level` leaves from `index * 2^level` on. Leaves have level 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    /// How many levels above the leaves.
    pub level: u32,
    /// Which one on its level, from 0.
    pub index: u64,
}

impl Node {
    /// The two subtrees below, none below a leaf.
    #[must_use]
    pub const fn halves(self) -> Option<(Self, Self)> {
        let Some(level) = self.level.checked_sub(1) else {
            return None;
        };
        let index = self.index.wrapping_mul(2);
        let right = index.wrapping_add(1);
        Some((
            Self { level, index },
            Self {
                level,
                index: right,
            },
        ))
    }
}

/// Looks up the hash of a complete subtree.
pub type Fetch<'a, E> = &'a mut dyn FnMut(Node) -> Result<Digest, E>;

/// The hash above two hashes.
#[must_use]
pub fn above(left: &Digest, right: &Digest) -> Digest {
    let mut hasher = Hasher::default();
    hasher.bytes(&[1]);
    hasher.bytes(&left.0);
    hasher.bytes(&right.0);
    hasher.finish()
}

/// The hash of a tree without leaves.
#[must_use]
pub fn empty_root() -> Digest {
    Digest::of(b"")
}

/// The root over the first `size` leaves.
///
/// # Errors
/// A subtree cannot be looked up.
pub fn root<E>(size: u64, fetch: Fetch<'_, E>) -> Result<Digest, E> {
    subtree(0, size, fetch)
}

/// The proof that leaf `index` stands under the root over the first `size` leaves.
///
/// # Errors
/// A subtree cannot be looked up.
pub fn inclusion<E>(index: u64, size: u64, fetch: Fetch<'_, E>) -> Result<Vec<Digest>, E> {
    let (mut start, mut len, mut place) = (0, size, index);
    let mut proof = Vec::new();
    while len > 1 {
        let left = largest_power_below(len);
        if place < left {
            proof.push(subtree(start + left, len - left, fetch)?);
            len = left;
        } else {
            proof.push(subtree(start, left, fetch)?);
            start += left;
            place -= left;
            len -= left;
        }
    }
    proof.reverse();
    Ok(proof)
}

/// The proof that the tree of `new` leaves grew out of the tree of `old` leaves.
///
/// # Errors
/// A subtree cannot be looked up.
pub fn consistency<E>(old: u64, new: u64, fetch: Fetch<'_, E>) -> Result<Vec<Digest>, E> {
    let mut proof = Vec::new();
    if old == 0 || old >= new {
        return Ok(proof);
    }
    let (mut start, mut len, mut kept, mut whole) = (0, new, old, true);
    while kept < len {
        let left = largest_power_below(len);
        if kept <= left {
            proof.push(subtree(start + left, len - left, fetch)?);
            len = left;
        } else {
            proof.push(subtree(start, left, fetch)?);
            start += left;
            kept -= left;
            len -= left;
            whole = false;
        }
    }
    if !whole {
        proof.push(subtree(start, len, fetch)?);
    }
    proof.reverse();
    Ok(proof)
}

/// Whether `proof` shows that this leaf stands at `index` under this root (RFC 9162, 2.1.3.2).
#[must_use]
pub fn includes(root: &Digest, size: u64, index: u64, leaf: &Digest, proof: &[Digest]) -> bool {
    if index >= size {
        return false;
    }
    let (mut place, mut last) = (index, size - 1);
    let mut hash = *leaf;
    for step in proof {
        if last == 0 {
            return false;
        }
        if place & 1 == 1 || place == last {
            hash = above(step, &hash);
            while place & 1 == 0 && place != 0 {
                place >>= 1;
                last >>= 1;
            }
        } else {
            hash = above(&hash, step);
        }
        place >>= 1;
        last >>= 1;
    }
    last == 0 && hash == *root
}

/// Whether `proof` shows that the newer tree grew out of the older one (RFC 9162, 2.1.4.2).
#[must_use]
pub fn grew(old: (u64, &Digest), new: (u64, &Digest), proof: &[Digest]) -> bool {
    let ((old_size, old_root), (new_size, new_root)) = (old, new);
    if old_size == 0 {
        return proof.is_empty() && *old_root == empty_root();
    }
    if old_size >= new_size {
        return old_size == new_size && proof.is_empty() && old_root == new_root;
    }
    let mut steps = proof.iter();
    let first = if old_size.is_power_of_two() {
        Some(old_root)
    } else {
        steps.next()
    };
    let Some(first) = first else { return false };
    let (mut place, mut last) = (old_size - 1, new_size - 1);
    while place & 1 == 1 {
        place >>= 1;
        last >>= 1;
    }
    let (mut older, mut newer) = (*first, *first);
    for step in steps {
        if last == 0 {
            return false;
        }
        if place & 1 == 1 || place == last {
            older = above(step, &older);
            newer = above(step, &newer);
            while place & 1 == 0 && place != 0 {
                place >>= 1;
                last >>= 1;
            }
        } else {
            newer = above(&newer, step);
        }
        place >>= 1;
        last >>= 1;
    }
    last == 0 && older == *old_root && newer == *new_root
}

/// The right edge of a tree that grows leaf by leaf: one hash for each bit that is set in its size.
#[derive(Debug, Clone, Default)]
pub struct Frontier {
    size: u64,
    peaks: Vec<Digest>,
}

impl Frontier {
    /// Adds a leaf. `done` hears of every subtree that this leaf completes.
    pub fn push(&mut self, leaf: Digest, done: &mut dyn FnMut(Node, &Digest)) {
        let mut hash = leaf;
        let mut node = Node {
            level: 0,
            index: self.size,
        };
        while node.index & 1 == 1 {
            let Some(left) = self.peaks.pop() else { break };
            hash = above(&left, &hash);
            node.level += 1;
            node.index >>= 1;
            done(node, &hash);
        }
        self.peaks.push(hash);
        self.size += 1;
    }

    /// How many leaves there are.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The root over all of them.
    #[must_use]
    pub fn root(&self) -> Digest {
        folded(&self.peaks)
    }
}

/// The hash over `len` leaves from `start` on, where `start` is where RFC 6962 splits.
fn subtree<E>(start: u64, len: u64, fetch: Fetch<'_, E>) -> Result<Digest, E> {
    let mut peaks = Vec::new();
    let (mut from, mut left) = (start, len);
    while left > 0 {
        let level = left.ilog2();
        peaks.push(fetch(Node {
            level,
            index: from >> level,
        })?);
        from += 1 << level;
        left -= 1 << level;
    }
    Ok(folded(&peaks))
}

fn folded(peaks: &[Digest]) -> Digest {
    let mut rest = peaks.iter().rev();
    let Some(last) = rest.next() else {
        return empty_root();
    };
    rest.fold(*last, |hash, left| above(left, &hash))
}

/// The largest power of two below `n`, which is 2 or more.
const fn largest_power_below(n: u64) -> u64 {
    1 << (n - 1).ilog2()
}

#[cfg(test)]
mod tests {
    use super::{Frontier, Node, above, consistency, empty_root, grew, includes, inclusion, root};
    use crate::domain::Digest;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
    use std::convert::Infallible;

    fn leaf(bytes: &[u8]) -> Digest {
        Digest::of(&[&[0], bytes].concat())
    }

    /// The leaves of the test vectors that Certificate Transparency's implementations share.
    fn known_leaves() -> Vec<Digest> {
        let leaves: [&[u8]; 8] = [
            b"",
            b"\x00",
            b"\x10",
            b"\x20\x21",
            b"\x30\x31",
            b"\x40\x41\x42\x43",
            b"\x50\x51\x52\x53\x54\x55\x56\x57",
            b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
        ];
        leaves.map(leaf).to_vec()
    }

    const KNOWN_ROOTS: [&str; 8] = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];

    /// RFC 6962 section 2.1, word for word: slow, and nothing to get wrong.
    fn naive_root(leaves: &[Digest]) -> Digest {
        match leaves {
            [] => Digest::of(b""),
            [one] => *one,
            many => {
                let (left, right) = many.split_at(split(many.len()));
                above(&naive_root(left), &naive_root(right))
            }
        }
    }

    fn naive_path(m: usize, leaves: &[Digest]) -> Vec<Digest> {
        if leaves.len() == 1 {
            return Vec::new();
        }
        let (left, right) = leaves.split_at(split(leaves.len()));
        let (mut path, other) = if m < left.len() {
            (naive_path(m, left), naive_root(right))
        } else {
            (naive_path(m - left.len(), right), naive_root(left))
        };
        path.push(other);
        path
    }

    fn naive_growth(m: usize, leaves: &[Digest], whole: bool) -> Vec<Digest> {
        if m == leaves.len() {
            return if whole {
                Vec::new()
            } else {
                vec![naive_root(leaves)]
            };
        }
        let (left, right) = leaves.split_at(split(leaves.len()));
        let (mut proof, other) = if m <= left.len() {
            (naive_growth(m, left, whole), naive_root(right))
        } else {
            (naive_growth(m - left.len(), right, false), naive_root(left))
        };
        proof.push(other);
        proof
    }

    fn split(n: usize) -> usize {
        let mut k = 1;
        while k * 2 < n {
            k *= 2;
        }
        k
    }

    fn fetch(leaves: &[Digest]) -> impl FnMut(Node) -> Result<Digest, Infallible> + '_ {
        |node| {
            let span = 1_usize << node.level;
            let from = node.index as usize * span;
            Ok(naive_root(&leaves[from..from + span]))
        }
    }

    fn made_up(n: usize) -> Vec<Digest> {
        (0..n).map(|i| leaf(&(i as u64).to_be_bytes())).collect()
    }

    #[test]
    fn the_roots_are_those_of_certificate_transparency() {
        let leaves = known_leaves();
        assert_eq!(
            empty_root().to_string(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        let mut frontier = Frontier::default();
        for (at, known) in KNOWN_ROOTS.iter().enumerate() {
            frontier.push(leaves[at], &mut |_, _| {});
            let size = at + 1;
            assert_eq!(
                root(size as u64, &mut fetch(&leaves)).unwrap().to_string(),
                *known
            );
            assert_eq!(frontier.root().to_string(), *known);
        }
    }

    #[test]
    fn every_proof_of_every_small_tree_holds_and_is_the_one_the_rfc_describes() {
        for size in 1..=70_usize {
            let leaves = made_up(size);
            let whole = naive_root(&leaves);
            for at in 0..size {
                let proof = inclusion(at as u64, size as u64, &mut fetch(&leaves)).unwrap();
                assert_eq!(proof, naive_path(at, &leaves), "{at} of {size}");
                assert!(includes(
                    &whole,
                    size as u64,
                    at as u64,
                    &leaves[at],
                    &proof
                ));
            }
            for old in 1..=size {
                let proof = consistency(old as u64, size as u64, &mut fetch(&leaves)).unwrap();
                assert_eq!(proof, naive_growth(old, &leaves, true), "{old} of {size}");
                let before = naive_root(&leaves[..old]);
                assert!(
                    grew((old as u64, &before), (size as u64, &whole), &proof),
                    "{old} of {size}"
                );
            }
        }
    }

    proptest! {
        #[test]
        fn a_tree_that_grows_leaf_by_leaf_is_the_tree_of_all_its_leaves(size in 0_usize..300) {
            let leaves = made_up(size);
            let mut frontier = Frontier::default();
            let mut complete = Vec::new();
            for one in &leaves {
                frontier.push(*one, &mut |node, hash| complete.push((node, *hash)));
            }
            prop_assert_eq!(frontier.size(), size as u64);
            prop_assert_eq!(frontier.root(), naive_root(&leaves));
            for (node, hash) in complete {
                prop_assert_eq!(fetch(&leaves)(node).unwrap(), hash);
            }
        }

        #[test]
        fn a_proof_with_anything_changed_proves_nothing(
            size in 2_usize..200, at in any::<proptest::sample::Index>(), which in any::<proptest::sample::Index>(), how in 0_u8..6,
        ) {
            let leaves = made_up(size);
            let (at, whole) = (at.index(size), naive_root(&leaves));
            let mut proof = naive_path(at, &leaves);
            let (mut place, mut n, mut one) = (at as u64, size as u64, leaves[at]);
            let step = which.index(proof.len());
            match how {
                0 => proof[step].0[7] ^= 1,
                1 => { proof.remove(step); }
                2 => proof.push(whole),
                3 => place = (place + 1) % n,
                4 => one.0[0] ^= 1,
                _ => n = place,
            }
            prop_assert!(!includes(&whole, n, place, &one, &proof));
        }

        #[test]
        fn two_histories_cannot_be_passed_off_as_one(
            old in 1_usize..120, more in 1_usize..80, changed in any::<proptest::sample::Index>(),
        ) {
            let leaves = made_up(old + more);
            let mut other = leaves.clone();
            other[changed.index(old)].0[3] ^= 1;
            let (old, new) = (old as u64, (old + more) as u64);
            let before = naive_root(&leaves[..old as usize]);
            let rewritten = naive_root(&other);
            let honest = consistency(old, new, &mut fetch(&leaves)).unwrap();
            let forged = consistency(old, new, &mut fetch(&other)).unwrap();
            prop_assert!(!grew((old, &before), (new, &rewritten), &honest));
            prop_assert!(!grew((old, &before), (new, &rewritten), &forged));
        }
    }
}
