//! What is kept of a wording for comparing it: its terms in order and its letter triples.

use crate::recurrence::terms::{Term, terms, words};

/// A wording, ready to be compared.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Signature {
    pub(crate) terms: Vec<Term>,
    /// The hash of each term, in the same order.
    pub(crate) ids: Vec<u64>,
    /// Hashes of the letter triples, ascending, each once.
    pub(crate) triples: Vec<u32>,
}

/// How many bands of letter triples find a wording again, and of how many rows each.
const BANDS: u64 = 10;
const ROWS: u64 = 3;

impl Signature {
    /// The signature of a text.
    pub(crate) fn of(text: &str) -> Self {
        Self::of_folded(&crate::text::folded::key(text))
    }

    /// The signature of a text that is folded already.
    pub(crate) fn of_folded(folded: &str) -> Self {
        let plain = crate::recurrence::double::undoubled(folded);
        let terms = terms(&words(plain.as_deref().unwrap_or(folded)));
        Self {
            ids: terms.iter().map(|term| hash(&term.name)).collect(),
            triples: triples(folded),
            terms,
        }
    }
}

impl Signature {
    /// Under which keys a wording is looked up: its terms, and bands over the least hashes of its
    /// letter triples, which also find what is mistyped or written without blanks.
    pub(crate) fn handles(&self) -> Vec<u64> {
        let mut handles: Vec<u64> = self
            .ids
            .iter()
            .copied()
            .chain((0..BANDS).filter_map(|band| self.band(band)))
            .collect();
        handles.sort_unstable();
        handles.dedup();
        handles
    }

    fn band(&self, band: u64) -> Option<u64> {
        (0..ROWS).try_fold(mix(band ^ 0x5bd1_e995), |sum, row| {
            let seed = mix(band * ROWS + row + 1);
            let least = self
                .triples
                .iter()
                .map(|triple| mix(u64::from(*triple) ^ seed))
                .min()?;
            Some(mix(sum ^ least))
        })
    }
}

/// Spreads the bits of a number: the finisher of SplitMix64.
pub(crate) const fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// FNV-1a: stable across builds and machines.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Hashes of all runs of three letters, blanks at the ends included.
pub(crate) fn triples(folded: &str) -> Vec<u32> {
    let chars: Vec<u32> = std::iter::once(' ')
        .chain(folded.chars())
        .chain(std::iter::once(' '))
        .map(u32::from)
        .collect();
    let mut triples: Vec<u32> = chars
        .windows(3)
        .map(|three| {
            three.iter().fold(0x811c_9dc5, |hash: u32, c| {
                (hash ^ c).wrapping_mul(0x0100_0193).rotate_left(5)
            })
        })
        .collect();
    triples.sort_unstable();
    triples.dedup();
    triples
}

/// The share of common members of two ascending lists.
pub(crate) fn jaccard(one: &[u32], other: &[u32]) -> f32 {
    let shared = shared(one, other);
    let all = one.len() + other.len() - shared;
    if all == 0 {
        0.0
    } else {
        shared as f32 / all as f32
    }
}

/// How many members two ascending lists have in common.
pub(crate) fn shared<T: Ord + Copy>(one: &[T], other: &[T]) -> usize {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    let mut shared = 0;
    while let (Some(a), Some(b)) = (one.peek(), other.peek()) {
        match a.cmp(b) {
            std::cmp::Ordering::Less => drop(one.next()),
            std::cmp::Ordering::Greater => drop(other.next()),
            std::cmp::Ordering::Equal => {
                shared += 1;
                one.next();
                other.next();
            }
        }
    }
    shared
}
