//! SHA-256 digests and salted commitments.
//!
//! A commitment is `SHA-256(salt || content)`: without the salt a short text cannot be guessed
//! from it, so that erasing text and salt leaves a ledger that still verifies.

use sha2::{Digest as _, Sha256};
use std::fmt;

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

/// Thirty-two random bytes, kept beside the text they protect and erased with it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Salt(pub [u8; 32]);

/// A salted commitment to exact bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Commitment(pub Digest);

/// A text that is no digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadDigest(pub String);

impl fmt::Display for BadDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a SHA-256 digest of 64 hexadecimal digits",
            self.0
        )
    }
}

impl std::error::Error for BadDigest {}

impl Digest {
    /// The digest that stands before the first entry.
    pub const ZERO: Self = Self([0; 32]);

    /// The digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest of several parts, each preceded by its length, so that parts cannot run together.
    #[must_use]
    pub fn of_parts(parts: &[&[u8]]) -> Self {
        let mut hasher = Hasher::default();
        for part in parts {
            hasher.part(part);
        }
        hasher.finish()
    }

    /// Reads 64 hexadecimal digits.
    ///
    /// # Errors
    /// Anything else.
    pub fn parse(text: &str) -> Result<Self, BadDigest> {
        from_hex(text)
            .map(Self)
            .ok_or_else(|| BadDigest(text.to_owned()))
    }

    /// Reads the digest back from stored bytes.
    #[must_use]
    pub fn from_slice(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The first eight digits, for people.
    #[must_use]
    pub fn short(&self) -> String {
        self.to_string().chars().take(8).collect()
    }
}

/// Hashes parts one after another without holding them.
#[derive(Debug, Clone, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Adds bytes as they stand.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Adds a part preceded by its length.
    pub fn part(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_be_bytes());
        self.0.update(part);
    }

    /// The digest of everything added.
    #[must_use]
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

impl Salt {
    /// Reads the salt back from stored bytes.
    #[must_use]
    pub fn from_slice(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }
}

impl Commitment {
    /// Commits to these exact bytes under this salt.
    #[must_use]
    pub fn to(salt: &Salt, content: &[u8]) -> Self {
        let mut hasher = Hasher::default();
        hasher.bytes(&salt.0);
        hasher.bytes(content);
        Self(hasher.finish())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Salt(..)")
    }
}

impl serde::Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

fn write_hex(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

fn from_hex(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let mut out = [0_u8; 32];
    for (slot, pair) in out.iter_mut().zip(text.as_bytes().chunks(2)) {
        *slot = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{Commitment, Digest, Salt};

    #[test]
    fn sha256_of_abc_is_the_published_value() {
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of(b"abc").to_string(), known);
        assert_eq!(Digest::parse(known), Ok(Digest::of(b"abc")));
        for bad in [
            "",
            "ba78",
            known.trim_start_matches('b'),
            &known.replace('b', "g"),
        ] {
            assert!(Digest::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn parts_cannot_run_together() {
        assert_ne!(
            Digest::of_parts(&[b"ab", b"c"]),
            Digest::of_parts(&[b"a", b"bc"])
        );
    }

    #[test]
    fn a_commitment_depends_on_its_salt() {
        let (one, two) = (Salt([1; 32]), Salt([2; 32]));
        assert_ne!(Commitment::to(&one, b"text"), Commitment::to(&two, b"text"));
        assert_eq!(Commitment::to(&one, b"text"), Commitment::to(&one, b"text"));
    }
}
