//! Proofs as others receive them: checked with nothing but the file and, to know whose it is, a
//! key.
//!
//! ```text
//! {"format":"countersign-proof-1","checkpoint":"<signed note>","key":"<verifier key>",
//!  "entries":[{"index":11,"bytes":"<canonical bytes>","proof":["<hash>", ...]}]}
//! ```
//!
//! `index` counts from 0, hashes are hexadecimal, nearest to the leaf first.

use crate::domain::Digest;
use crate::ledger::canonical::{decode, leaf_hash};
use crate::ledger::note::{Checkpoint, SignedCheckpoint, VerifierKey};
use crate::ledger::tree;
use serde::{Deserialize, Serialize};

/// The name of this form.
const FORMAT: &str = "countersign-proof-1";

/// Entries with the proof that they stand in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The signed note under whose root they stand.
    pub checkpoint: String,
    /// The key that signed it.
    pub key: String,
    /// The entries.
    pub entries: Vec<ProvenEntry>,
}

/// An entry with its way to the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvenEntry {
    /// Its place, from 0.
    pub index: u64,
    /// Its canonical bytes.
    pub bytes: String,
    /// The hashes beside its way, nearest first.
    pub proof: Vec<Digest>,
}

/// The proof that a ledger grew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Growth {
    /// The older size.
    pub old: u64,
    /// The newer size.
    pub new: u64,
    /// The hashes of RFC 6962, section 2.1.2.
    pub proof: Vec<Digest>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    format: String,
    checkpoint: String,
    key: String,
    entries: Vec<WireEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireEntry {
    index: u64,
    bytes: String,
    proof: Vec<String>,
}

impl Proof {
    /// As a file holds it.
    ///
    /// # Errors
    /// None that this shape can produce; the encoder's own error is passed on.
    pub fn to_json(&self) -> Result<String, String> {
        let entries = self.entries.iter().map(|one| WireEntry {
            index: one.index,
            bytes: one.bytes.clone(),
            proof: one.proof.iter().map(ToString::to_string).collect(),
        });
        let wire = Wire {
            format: FORMAT.to_owned(),
            checkpoint: self.checkpoint.clone(),
            key: self.key.clone(),
            entries: entries.collect(),
        };
        serde_json::to_string(&wire).map_err(|error| error.to_string())
    }

    /// Reads what a file holds.
    ///
    /// # Errors
    /// It has another shape.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wire: Wire =
            serde_json::from_str(text).map_err(|error| format!("not a proof: {error}"))?;
        if wire.format != FORMAT {
            return Err(format!("not a proof of the form {FORMAT}"));
        }
        let entries = wire.entries.into_iter().map(|one| {
            let proof = one.proof.iter().map(|hash| Digest::parse(hash));
            Ok(ProvenEntry {
                index: one.index,
                bytes: one.bytes,
                proof: proof
                    .collect::<Result<_, _>>()
                    .map_err(|error| error.to_string())?,
            })
        });
        Ok(Self {
            checkpoint: wire.checkpoint,
            key: wire.key,
            entries: entries.collect::<Result<_, String>>()?,
        })
    }

    /// Checks every entry against the checkpoint, and the checkpoint against a key: the one
    /// given, else the one in the proof, which shows that it is of a piece and not whose it is.
    ///
    /// # Errors
    /// The first thing that does not hold, named.
    pub fn check(&self, trusted: Option<&VerifierKey>) -> Result<Checkpoint, String> {
        let note = SignedCheckpoint::parse(&self.checkpoint).map_err(|error| error.to_string())?;
        let own = VerifierKey::parse(&self.key).map_err(|error| error.to_string())?;
        if !note.is_signed_by(trusted.unwrap_or(&own)) {
            return Err("the checkpoint is not signed by that key".to_owned());
        }
        let checkpoint = note.checkpoint;
        if self.entries.is_empty() {
            return Err("the proof holds no entry".to_owned());
        }
        for one in &self.entries {
            let seq = one.index.checked_add(1).ok_or("there is no such entry")?;
            let entry = decode(&one.bytes).map_err(|error| format!("entry E-{seq}: {error}"))?;
            let leaf = leaf_hash(&one.bytes);
            let stands = entry.seq.0.unsigned_abs() == seq
                && tree::includes(
                    &checkpoint.root,
                    checkpoint.size,
                    one.index,
                    &leaf,
                    &one.proof,
                );
            if !stands {
                return Err(format!("entry E-{seq} does not stand in this ledger"));
            }
        }
        Ok(checkpoint)
    }
}
