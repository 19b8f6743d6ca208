//! One long record in bounded memory: its first bytes are kept, long blobs are replaced by their
//! size and hash, and what is over the cap is hashed and dropped.

use crate::domain::Digest;
use crate::domain::digest::Hasher;

/// The most bytes kept of one record.
pub const LINE_CAP: usize = 4 * 1024 * 1024;
/// How many letters of base64 in a row are a blob.
const BLOB: usize = 16 * 1024;

/// The bytes of a record that came in pieces.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    cap: usize,
    bytes: Vec<u8>,
    length: u64,
    long: Option<Long>,
}

/// A record that is over the cap.
#[derive(Debug, Clone)]
struct Long {
    all: Hasher,
    /// Letters of base64 at the end of what is kept.
    run: usize,
    /// A blob that is being passed over.
    blob: Option<(Hasher, u64)>,
    full: bool,
}

/// What is left of a record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rest<'a> {
    pub(crate) bytes: &'a [u8],
    /// Its true length and the hash of all of it, where `bytes` is not all of it.
    pub(crate) cut: Option<(u64, Digest)>,
    /// Whether nothing but blobs is missing.
    pub(crate) whole: bool,
}

impl Kept {
    pub(crate) fn new(cap: usize) -> Self {
        Self {
            cap: cap.max(1),
            bytes: Vec::new(),
            length: 0,
            long: None,
        }
    }

    pub(crate) const fn length(&self) -> u64 {
        self.length
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        match &mut self.long {
            Some(long) => {
                long.all.bytes(bytes);
                long.add(bytes, &mut self.bytes, self.cap);
            }
            None if self.bytes.len() + bytes.len() <= self.cap => {
                self.bytes.extend_from_slice(bytes);
            }
            None => {
                let before = std::mem::take(&mut self.bytes);
                let mut long = Long {
                    all: Hasher::default(),
                    run: 0,
                    blob: None,
                    full: false,
                };
                for part in [&before[..], bytes] {
                    long.all.bytes(part);
                    long.add(part, &mut self.bytes, self.cap);
                }
                self.long = Some(long);
            }
        }
    }

    /// Hands over what was kept, and stands empty.
    pub(crate) fn give(&mut self, take: impl FnOnce(Rest<'_>)) {
        let length = std::mem::take(&mut self.length);
        match self.long.take() {
            None => take(Rest {
                bytes: &self.bytes,
                cut: None,
                whole: true,
            }),
            Some(mut long) => {
                long.end_blob(&mut self.bytes);
                if self.bytes.len() > self.cap {
                    long.full = true;
                    self.bytes.truncate(self.cap);
                }
                take(Rest {
                    bytes: &self.bytes,
                    cut: Some((length, long.all.finish())),
                    whole: !long.full,
                });
            }
        }
        self.bytes.clear();
        if self.bytes.capacity() > 2 * LINE_CAP {
            self.bytes = Vec::new();
        }
    }
}

impl Long {
    fn add(&mut self, bytes: &[u8], out: &mut Vec<u8>, cap: usize) {
        let mut rest = bytes;
        while !rest.is_empty() && !self.full {
            let letters = rest.iter().position(|byte| !is_base64(*byte));
            let (run, after) = rest.split_at(letters.unwrap_or(rest.len()));
            self.run_of(run, out);
            rest = after;
            if let Some((sign, after)) = rest.split_first() {
                self.end_blob(out);
                self.run = 0;
                out.push(*sign);
                rest = after;
            }
            // A run may still turn out to be a blob and be taken back.
            if out.len().saturating_sub(self.run) > cap || out.len() > cap + 2 * BLOB {
                self.full = true;
                out.truncate(cap);
            }
        }
    }

    fn run_of(&mut self, run: &[u8], out: &mut Vec<u8>) {
        if let Some((hasher, length)) = &mut self.blob {
            hasher.bytes(run);
            *length += run.len() as u64;
            return;
        }
        if self.run + run.len() < BLOB {
            out.extend_from_slice(run);
            self.run += run.len();
            return;
        }
        let start = out.len().saturating_sub(self.run);
        let mut hasher = Hasher::default();
        hasher.bytes(out.get(start..).unwrap_or_default());
        hasher.bytes(run);
        self.blob = Some((hasher, (self.run + run.len()) as u64));
        out.truncate(start);
        self.run = 0;
    }

    fn end_blob(&mut self, out: &mut Vec<u8>) {
        if let Some((hasher, length)) = self.blob.take() {
            let note = format!("[{length} bytes, SHA-256 {}]", hasher.finish());
            out.extend_from_slice(note.as_bytes());
        }
    }
}

const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
}

#[cfg(test)]
mod tests {
    use super::{Digest, Kept, LINE_CAP};

    fn kept(cap: usize, pieces: &[&[u8]]) -> (Vec<u8>, Option<(u64, Digest)>, bool) {
        let mut kept = Kept::new(cap);
        pieces.iter().for_each(|piece| kept.add(piece));
        let mut found = None;
        kept.give(|rest| found = Some((rest.bytes.to_vec(), rest.cut, rest.whole)));
        found.unwrap()
    }

    #[test]
    fn a_blob_is_replaced_by_its_size_and_hash_whatever_the_pieces() {
        let blob = "QUJD".repeat(LINE_CAP / 2);
        let line = format!("{{\"data\":\"{blob}\",\"text\":\"what is this? \"}}");
        let note = format!(
            "[{} bytes, SHA-256 {}]",
            blob.len(),
            Digest::of(blob.as_bytes())
        );
        let expected = format!("{{\"data\":\"{note}\",\"text\":\"what is this? \"}}");
        for size in [line.len(), 1000, 65_537] {
            let pieces: Vec<&[u8]> = line.as_bytes().chunks(size).collect();
            let (bytes, cut, whole) = kept(LINE_CAP, &pieces);
            assert_eq!(String::from_utf8(bytes).unwrap(), expected);
            assert_eq!(cut, Some((line.len() as u64, Digest::of(line.as_bytes()))));
            assert!(whole);
        }
    }

    #[test]
    fn words_over_the_cap_are_cut_and_hashed() {
        let line = "some words ".repeat(LINE_CAP / 8);
        let (bytes, cut, whole) = kept(LINE_CAP, &[line.as_bytes()]);
        assert_eq!(bytes.len(), LINE_CAP);
        assert_eq!(cut, Some((line.len() as u64, Digest::of(line.as_bytes()))));
        assert!(!whole);
        assert_eq!(kept(4, &[b"ab", b"cd"]), (b"abcd".to_vec(), None, true));
        assert_eq!(kept(4, &[b"ab", b"c.e"]).0, b"abc.");
    }
}
