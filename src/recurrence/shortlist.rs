//! Which wordings are worth comparing with a new one: those that share rare words or letters.
//!
//! An inverted index in memory. Handles that very many wordings have find nothing: who shares only
//! those is not the same anyway.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::recurrence::signature::mix;

/// How many comparisons a new wording costs at most.
const MOST_COMPARED: usize = 96;
/// How many entries are looked at for one new wording at most, shortest lists first.
const MOST_LOOKED_AT: usize = 6_000;

/// Handles and numbers are spread already or need no more than one step: the standard hash, made
/// against hostile keys, takes most of the time here.
type Spread = BuildHasherDefault<Mixed>;

#[derive(Debug, Clone, Copy, Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = mix(self.0 ^ number);
    }
}

/// From handles to the wordings that have them, by number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    lists: HashMap<u64, Vec<u32>, Spread>,
}

impl Index {
    /// Enters a wording.
    pub(crate) fn enter(&mut self, handles: &[u64], number: u32) {
        for handle in handles {
            self.lists.entry(*handle).or_default().push(number);
        }
    }

    /// How many wordings have this handle.
    pub(crate) fn count(&self, handle: u64) -> usize {
        self.lists.get(&handle).map_or(0, Vec::len)
    }

    /// The wordings that share most with these handles, best first.
    ///
    /// INVARIANT: depends on the handles and on what was entered, not on how a map is laid out.
    pub(crate) fn nearest(&self, handles: &[u64]) -> Vec<u32> {
        let mut lists: Vec<&Vec<u32>> = handles
            .iter()
            .filter_map(|handle| self.lists.get(handle))
            .collect();
        lists.sort_by_key(|list| (list.len(), list.first().copied()));
        let mut shares: HashMap<u32, f32, Spread> = HashMap::default();
        let mut looked_at = 0;
        for list in lists {
            looked_at += list.len();
            if looked_at > MOST_LOOKED_AT && !shares.is_empty() {
                break;
            }
            // What few have in common says more.
            let says = 1.0 / (1.0 + list.len() as f32).ln().max(0.7);
            for number in list.iter().take(MOST_LOOKED_AT) {
                *shares.entry(*number).or_default() += says;
            }
        }
        let mut nearest: Vec<(u32, f32)> = shares.into_iter().collect();
        let order = |one: &(u32, f32), other: &(u32, f32)| {
            other.1.total_cmp(&one.1).then(one.0.cmp(&other.0))
        };
        if nearest.len() > MOST_COMPARED {
            nearest.select_nth_unstable_by(MOST_COMPARED, order);
            nearest.truncate(MOST_COMPARED);
        }
        nearest.sort_unstable_by(order);
        nearest.into_iter().map(|(number, _)| number).collect()
    }
}
