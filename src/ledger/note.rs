//! Checkpoints: what a ledger was at a moment, signed, in a form that others can check.
//!
//! The text is a C2SP `tlog-checkpoint` in a C2SP signed note with an Ed25519 signature:
//!
//! ```text
//! ledger.0b5c…                                      the origin: which ledger
//! 4711                                              how many entries
//! base64 of the RFC 6962 root over them
//!                                                   one empty line
//! — ledger.0b5c… base64(key id || signature over the three lines above)
//!
//! key id       = first 4 bytes of SHA-256(name || 0x0A || 0x01 || public key)
//! verifier key = name+hex(key id)+base64(0x01 || public key)
//! ```
//!
//! A key comes in as bytes; where it is kept is not known here.

use crate::domain::Digest;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use std::fmt;

/// Marks an Ed25519 key in a key id.
const ED25519: u8 = 1;
/// How a signature line begins.
const DASH: &str = "\u{2014} ";
/// The longest note that is read: a checkpoint has a few hundred bytes.
const LONGEST: usize = 64 * 1024;

/// What a ledger was at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// Which ledger.
    pub origin: String,
    /// How many entries it had.
    pub size: u64,
    /// The root over them.
    pub root: Digest,
}

/// A checkpoint with the lines of those who signed it. None of them has been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedCheckpoint {
    /// What is signed.
    pub checkpoint: Checkpoint,
    signatures: Vec<(String, [u8; 4], Vec<u8>)>,
}

/// Signs checkpoints.
#[derive(Clone)]
pub struct NoteKey {
    name: String,
    key: SigningKey,
}

/// Checks who signed a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifierKey {
    name: String,
    id: [u8; 4],
    public: [u8; 32],
}

/// A text that is no checkpoint or no key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadNote(pub String);

impl fmt::Display for BadNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadNote {}

impl fmt::Debug for NoteKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NoteKey({}, ..)", self.name)
    }
}

impl Checkpoint {
    /// The three lines that are signed.
    #[must_use]
    pub fn body(&self) -> String {
        let root = STANDARD.encode(self.root.0);
        format!("{}\n{}\n{root}\n", self.origin, self.size)
    }

    /// The signed note.
    #[must_use]
    pub fn signed(&self, key: &NoteKey) -> String {
        let body = self.body();
        let mut bytes = key.verifier().id.to_vec();
        bytes.extend(key.key.sign(body.as_bytes()).to_bytes());
        format!("{body}\n{DASH}{} {}\n", key.name, STANDARD.encode(bytes))
    }

    fn parse(body: &str) -> Result<Self, BadNote> {
        let mut lines = body.split('\n');
        let mut next = |what: &str| {
            lines
                .next()
                .filter(|line| !line.is_empty())
                .ok_or_else(|| BadNote(format!("a checkpoint without {what}")))
        };
        let origin = next("an origin")?;
        let size = next("a size")?;
        let root = next("a root")?;
        let plain = size.bytes().all(|byte| byte.is_ascii_digit());
        let zeros = size.len() > 1 && size.starts_with('0');
        let number = size.parse().ok().filter(|_| plain && !zeros);
        let hash = STANDARD.decode(root).ok();
        Ok(Self {
            origin: origin.to_owned(),
            size: number.ok_or_else(|| BadNote("its size is no plain number".to_owned()))?,
            root: hash
                .and_then(|bytes| Digest::from_slice(&bytes))
                .ok_or_else(|| BadNote("its root is no SHA-256 in base64".to_owned()))?,
        })
    }
}

impl SignedCheckpoint {
    /// Reads a signed note.
    ///
    /// # Errors
    /// It has another shape. Signatures are not checked here.
    pub fn parse(note: &str) -> Result<Self, BadNote> {
        let bad = |what: &str| BadNote(format!("not a signed checkpoint: {what}"));
        if note.len() > LONGEST {
            return Err(bad("it is too long"));
        }
        if note.chars().any(|c| c.is_control() && c != '\n') {
            return Err(bad("it holds control characters"));
        }
        let (body, lines) = note
            .rsplit_once("\n\n")
            .ok_or_else(|| bad("no empty line before its signatures"))?;
        let lines = lines
            .strip_suffix('\n')
            .ok_or_else(|| bad("its last line does not end"))?;
        let mut signatures = Vec::new();
        for line in lines.split('\n') {
            let rest = line
                .strip_prefix(DASH)
                .ok_or_else(|| bad("a line among its signatures is none"))?;
            let (name, bytes) = rest
                .split_once(' ')
                .filter(|(name, _)| is_name(name))
                .ok_or_else(|| bad("a signature without a name"))?;
            let bytes = STANDARD
                .decode(bytes)
                .map_err(|_| bad("a signature that is no base64"))?;
            let (id, signature) = bytes
                .split_first_chunk::<4>()
                .filter(|(_, rest)| !rest.is_empty())
                .ok_or_else(|| bad("a signature that is too short"))?;
            signatures.push((name.to_owned(), *id, signature.to_vec()));
        }
        Ok(Self {
            checkpoint: Checkpoint::parse(&format!("{body}\n"))?,
            signatures,
        })
    }

    /// Reads every signed note in a text: notes may stand behind one another.
    ///
    /// # Errors
    /// The first that is none, by its place.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, BadNote> {
        let mut notes = Vec::new();
        let mut note = String::new();
        let mut lines = text.split_inclusive('\n').peekable();
        while let Some(line) = lines.next() {
            if note.is_empty() && line.trim().is_empty() {
                continue;
            }
            note.push_str(line);
            let signed = line.starts_with(DASH);
            if signed && !lines.peek().is_some_and(|next| next.starts_with(DASH)) {
                notes.push(Self::parse(&note)?);
                note.clear();
            }
        }
        if !note.is_empty() || notes.is_empty() {
            let place = notes.len() + 1;
            return Err(BadNote(format!(
                "not a signed checkpoint: note {place} has no signature"
            )));
        }
        Ok(notes)
    }

    /// Whether this key signed it.
    #[must_use]
    pub fn is_signed_by(&self, key: &VerifierKey) -> bool {
        let body = self.checkpoint.body();
        let Ok(public) = VerifyingKey::from_bytes(&key.public) else {
            return false;
        };
        self.signatures.iter().any(|(name, id, bytes)| {
            *name == key.name
                && *id == key.id
                && Signature::from_slice(bytes).is_ok_and(|signature| {
                    public.verify_strict(body.as_bytes(), &signature).is_ok()
                })
        })
    }

    /// The ids of the keys that say they signed it.
    #[must_use]
    pub fn key_ids(&self) -> Vec<String> {
        self.signatures.iter().map(|(_, id, _)| hex(id)).collect()
    }
}

impl NoteKey {
    /// The key that these bytes are the secret of.
    ///
    /// # Errors
    /// A name that no note can carry.
    pub fn new(name: &str, secret: &[u8; 32]) -> Result<Self, BadNote> {
        if !is_name(name) {
            return Err(BadNote(format!("`{name}` cannot name a key")));
        }
        Ok(Self {
            name: name.to_owned(),
            key: SigningKey::from_bytes(secret),
        })
    }

    /// What others check its signatures with.
    #[must_use]
    pub fn verifier(&self) -> VerifierKey {
        VerifierKey::of(&self.name, self.key.verifying_key().to_bytes())
    }
}

impl VerifierKey {
    fn of(name: &str, public: [u8; 32]) -> Self {
        let mut named = name.as_bytes().to_vec();
        named.extend([b'\n', ED25519]);
        named.extend(public);
        let Digest([a, b, c, d, ..]) = Digest::of(&named);
        Self {
            name: name.to_owned(),
            id: [a, b, c, d],
            public,
        }
    }

    /// Reads `name+id+key`.
    ///
    /// # Errors
    /// Another shape, another kind of key, or an id that is not this key's.
    pub fn parse(text: &str) -> Result<Self, BadNote> {
        let bad = |what: &str| BadNote(format!("not a verifier key: {what}"));
        let mut parts = text.trim().splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(bad("it has no three parts joined by `+`"));
        };
        let bytes = STANDARD.decode(key).map_err(|_| bad("no base64"))?;
        let public = match bytes.split_first() {
            Some((&ED25519, key)) => <[u8; 32]>::try_from(key).ok(),
            _ => None,
        };
        let found = Self::of(name, public.ok_or_else(|| bad("no Ed25519 key"))?);
        if !is_name(name) || hex(&found.id) != id {
            return Err(bad("its id is another key's"));
        }
        Ok(found)
    }

    /// Its short name: eight hexadecimal digits.
    #[must_use]
    pub fn id(&self) -> String {
        hex(&self.id)
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut key = vec![ED25519];
        key.extend(self.public);
        write!(
            f,
            "{}+{}+{}",
            self.name,
            hex(&self.id),
            STANDARD.encode(key)
        )
    }
}

/// No white space and no plus, as the signed note asks.
fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains('+') && !name.chars().any(char::is_whitespace)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{Checkpoint, NoteKey, SignedCheckpoint, VerifierKey};
    use crate::domain::Digest;
    use proptest::prelude::{any, prop_assert, proptest};

    /// The example key of the signed-note specification's own Go implementation.
    const KNOWN: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

    fn checkpoint() -> Checkpoint {
        Checkpoint {
            origin: "ledger.0123".into(),
            size: 7,
            root: Digest::of(b"root"),
        }
    }

    fn key(seed: u8) -> NoteKey {
        NoteKey::new("ledger.0123", &[seed; 32]).unwrap()
    }

    #[test]
    fn a_verifier_key_of_another_implementation_is_read_and_written_alike() {
        let read = VerifierKey::parse(KNOWN).unwrap();
        assert_eq!(read.id(), "c74f20a3");
        assert_eq!(read.to_string(), KNOWN);
        for bad in [
            "",
            "a+b",
            "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        ] {
            assert!(VerifierKey::parse(bad).is_err(), "{bad}");
        }
    }

    /// A note that the same implementation publishes as its example.
    #[test]
    fn a_signature_of_another_implementation_is_believed() {
        let body = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
        let line = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=";
        let known = VerifierKey::parse(KNOWN).unwrap();
        let bytes = base64::Engine::decode(&super::STANDARD, line).unwrap();
        let (id, signature) = bytes.split_at(4);
        assert_eq!(id, known.id);
        let public = ed25519_dalek::VerifyingKey::from_bytes(&known.public).unwrap();
        let signature = ed25519_dalek::Signature::from_slice(signature).unwrap();
        assert!(public.verify_strict(body.as_bytes(), &signature).is_ok());
    }

    #[test]
    fn what_is_signed_is_read_back_and_known_by_its_signer() {
        let note = checkpoint().signed(&key(1));
        let read = SignedCheckpoint::parse(&note).unwrap();
        assert_eq!(read.checkpoint, checkpoint());
        assert!(read.is_signed_by(&key(1).verifier()));
        assert!(!read.is_signed_by(&key(2).verifier()));
        assert!(!read.is_signed_by(&NoteKey::new("other", &[1; 32]).unwrap().verifier()));
        let two = format!("{note}\n{note}");
        assert_eq!(SignedCheckpoint::parse_all(&two).unwrap().len(), 2);
        assert_eq!(SignedCheckpoint::parse_all(&note).unwrap().len(), 1);
        for bad in [
            "",
            "x",
            "a\n1\nb\n",
            &note.replace("\n7\n", "\n07\n"),
            note.trim_end(),
        ] {
            assert!(SignedCheckpoint::parse(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn a_checkpoint_with_one_byte_changed_is_signed_by_nobody(at in any::<proptest::sample::Index>(), bit in 0_u8..7) {
            let mut note = checkpoint().signed(&key(1)).into_bytes();
            let at = at.index(note.len());
            note[at] ^= 1 << bit;
            let read = String::from_utf8(note).ok().and_then(|note| SignedCheckpoint::parse(&note).ok());
            // The name before the signature may be changed into another reader's: never into ours.
            prop_assert!(!read.is_some_and(|read| read.is_signed_by(&key(1).verifier())));
        }

        #[test]
        fn no_text_makes_the_reader_fail_in_another_way(text in "\\PC*\n{0,3}(— )?[a-z+/= \n]*") {
            let _ = SignedCheckpoint::parse(&text);
            let _ = SignedCheckpoint::parse_all(&text);
            let _ = VerifierKey::parse(&text);
        }
    }
}
