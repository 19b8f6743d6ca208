//! Puts each new wording with the pattern that says the same, one at a time.
//!
//! A wording is compared with the few wordings a pattern keeps, never along a chain: that A is like
//! B and B like C joins nobody. What is placed stays where it is; a person moves it, or `regroup`
//! shows what would move. The order of arrival matters in one way: which wording founds a pattern
//! and which is kept beside it. Layers never meet.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::{Digest, Layer};
use crate::recurrence::fingerprint;
use crate::recurrence::guard::Objection;
use crate::recurrence::reading::Reading;
use crate::recurrence::score::Likeness;
use crate::recurrence::shelf::Shelf;
use crate::recurrence::vectors::Vectors;

/// Where the lines are drawn.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lines {
    /// From here on two wordings are one pattern, where nothing speaks against it.
    pub same: f32,
    /// The least share of common words, whatever the letters say.
    pub words: f32,
    /// From here on a person is shown the two side by side; never counted.
    pub maybe: f32,
    /// How alike all kept wordings must be on average, so that a pattern does not drift.
    pub drift: f32,
    /// How many wordings of a pattern are kept for comparing.
    pub kept: u32,
    /// How much each doubling of a pattern speaks for it, among those that say the same.
    pub grown: f32,
}

impl Lines {
    /// The lines as shipped: measured on half of the development sets, see `eval`.
    pub const SHIPPED: Self = Self {
        same: 0.25,
        words: 0.45,
        maybe: 0.2,
        drift: 0.22,
        kept: 1,
        grown: 0.2,
    };
}

impl Default for Lines {
    fn default() -> Self {
        Self::SHIPPED
    }
}

/// One distinct wording as a store keeps it: all that is needed to go on after a restart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its layer.
    pub layer: Layer,
    /// The fingerprint of the wording.
    pub key: Digest,
    /// The fingerprint of the wording that founded its pattern: the pattern's name in its layer.
    pub pattern: Digest,
    /// The text, where it is one of those the pattern is compared by.
    pub compared_by: Option<String>,
}

/// What a wording has to do with a pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The pattern.
    pub pattern: Digest,
    /// Its wording that was compared.
    pub with: String,
    /// How alike the two are.
    pub likeness: Likeness,
    /// What speaks against the two being one.
    pub objections: Vec<Objection>,
}

/// How a wording came to its pattern.
#[derive(Debug, Clone, PartialEq)]
pub enum How {
    /// This wording was placed before.
    Known,
    /// It says the same as a pattern.
    Joined(Link),
    /// It founds a pattern of its own.
    Founded,
}

/// The answer to one observation.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The fingerprint of the wording.
    pub key: Digest,
    /// The pattern it belongs to, by the fingerprint of its founder.
    pub pattern: Digest,
    /// How it came there.
    pub how: How,
    /// What the store must keep; nothing where the wording is known.
    pub keep: Option<Kept>,
    /// Patterns that may say the same; for a person to join, never counted.
    pub maybe: Vec<Link>,
    /// Patterns that look alike and say something else.
    pub possibly_contradicting: Vec<Link>,
}

impl Placed {
    pub(crate) fn new(key: Digest, pattern: Digest, how: How) -> Self {
        Self {
            key,
            pattern,
            how,
            keep: None,
            maybe: Vec::new(),
            possibly_contradicting: Vec::new(),
        }
    }
}

/// All patterns, ready for the next wording.
#[derive(Debug, Clone, Default)]
pub struct Grouper {
    lines: Lines,
    vectors: Option<Arc<Vectors>>,
    shelves: BTreeMap<Layer, Shelf>,
}

impl Grouper {
    /// Goes on from what was kept, in the order in which it was kept.
    #[must_use]
    pub fn new(lines: Lines, kept: impl IntoIterator<Item = Kept>) -> Self {
        Self::with(lines, kept, None)
    }

    /// The same, with a table of vectors that also says what is alike. The guard stays as it is.
    #[must_use]
    pub fn with(
        lines: Lines,
        kept: impl IntoIterator<Item = Kept>,
        vectors: Option<Arc<Vectors>>,
    ) -> Self {
        let mut grouper = Self {
            lines,
            vectors,
            shelves: BTreeMap::new(),
        };
        for one in kept {
            grouper.keep(&one);
        }
        grouper
    }

    /// Enters a wording as a store keeps it, unless it is placed already.
    pub fn keep(&mut self, one: &Kept) {
        let vectors = self.vectors.clone();
        let reading = one
            .compared_by
            .as_deref()
            .map(|text| Reading::with(text, vectors.as_ref()));
        let shelf = self.shelf(&one.layer);
        if one.key == one.pattern || shelf.pattern_of(&one.key).is_none() {
            shelf.enter(one.key, one.pattern, reading);
        }
    }

    /// Places one observation of a layer.
    pub fn place(&mut self, layer: &Layer, text: &str) -> Placed {
        let key = fingerprint(text);
        let (lines, vectors) = (self.lines, self.vectors.clone());
        let shelf = self.shelf(layer);
        if let Some(pattern) = shelf.pattern_of(&key) {
            return Placed::new(key, pattern, How::Known);
        }
        let reading = Reading::with(text, vectors.as_ref());
        let mut placed = shelf.find(&lines, key, &reading);
        let compared = shelf.has_room(&lines, &placed.pattern);
        placed.keep = Some(Kept {
            layer: layer.clone(),
            key,
            pattern: placed.pattern,
            compared_by: compared.then(|| text.to_owned()),
        });
        shelf.enter(key, placed.pattern, compared.then_some(reading));
        placed
    }

    /// Whether and where this wording was placed, without placing it.
    #[must_use]
    pub fn pattern_of(&self, layer: &Layer, key: &Digest) -> Option<Digest> {
        self.shelves.get(layer)?.pattern_of(key)
    }

    /// How many distinct wordings and how many patterns there are.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        let sizes = self.shelves.values().map(Shelf::size);
        sizes.fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1))
    }

    fn shelf(&mut self, layer: &Layer) -> &mut Shelf {
        // The layer is copied once, not for every observation.
        if !self.shelves.contains_key(layer) {
            self.shelves.insert(layer.clone(), Shelf::default());
        }
        self.shelves.entry(layer.clone()).or_default()
    }
}

/// Groups the wordings of one layer anew, whatever order they came in: the most frequent first,
/// then the shortest, then in order of their bytes. The number of its group for each.
///
/// Deterministic in the set of wordings. It changes nothing: what differs from the groups at hand
/// is for a person to see, as merges and splits.
#[must_use]
pub fn regroup(lines: Lines, layer: &Layer, wordings: &[(&str, u64)]) -> Vec<usize> {
    let mut order: Vec<(usize, &(&str, u64))> = wordings.iter().enumerate().collect();
    order.sort_by_key(|(_, (text, count))| (std::cmp::Reverse(*count), text.len(), *text));
    let mut grouper = Grouper::new(lines, []);
    let mut numbers: BTreeMap<Digest, usize> = BTreeMap::new();
    let mut placed: Vec<(usize, usize)> = Vec::with_capacity(order.len());
    for (at, (text, _)) in order {
        let pattern = grouper.place(layer, text).pattern;
        let next = numbers.len();
        placed.push((at, *numbers.entry(pattern).or_insert(next)));
    }
    placed.sort_unstable();
    placed.into_iter().map(|(_, number)| number).collect()
}
