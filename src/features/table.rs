//! Tables that are looked up word by word: a hash map with a quick hash for short keys.
//!
//! The keys are ours, never the text's, so that no text can make them collide.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A table by word.
pub(crate) type Table<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

/// FNV-1a.
#[derive(Debug, Clone)]
pub(crate) struct Quick(u64);

impl Default for Quick {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}
