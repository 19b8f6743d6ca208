//! A whole ledger in one file, checked without the store.
//!
//! One JSON object a line:
//!
//! ```text
//! {"export":"countersign-ledger-1","origin":"ledger.0b5c…","entries":4711,"root":"<hash>"}
//! {"entry":"<canonical bytes of entry 1>"}
//! …
//! {"allowed_signers":"<the reviewers' list as OpenSSH reads it>"}
//! {"adopts":"<list>","salt":"<hex>","seq":17}    what the admin's entry 17 took over
//! {"seq":12,"statement":"<what was signed>","signature":"<SSHSIG>","principal":"alice",
//!  "namespace":"countersign-decision","verify_time":"20261201090000Z"}
//! {"checkpoint":"<signed note>","key":"<verifier key>"}
//! {"end":4713}                                  how many lines came before this one
//! ```
//!
//! Whether a signature holds is judged by whoever knows keys; [`Decided`] is what they are handed.
//! Lines of other kinds are passed over. Texts are not exported: entries hold salted commitments,
//! and evidence is not context.

use crate::domain::entry::Entry;
use crate::domain::{Digest, Salt};
use crate::ledger::canonical::leaf_hash;
use crate::ledger::note::{SignedCheckpoint, VerifierKey};
use crate::ledger::replay::State;
use crate::ledger::verify::Verifier;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name of this form.
pub const FORMAT: &str = "countersign-ledger-1";

/// One line of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Line {
    /// The first.
    Head {
        /// The name of the form.
        export: String,
        /// Which ledger.
        origin: String,
        /// How many entries.
        entries: u64,
        /// The root over them, in hexadecimal.
        root: String,
    },
    /// An entry.
    Entry {
        /// Its canonical bytes.
        entry: String,
    },
    /// A signed checkpoint.
    Checkpoint {
        /// The signed note.
        checkpoint: String,
        /// The key that signed it.
        key: String,
    },
    /// Whose signatures to believe, in the form that OpenSSH reads.
    AllowedSigners {
        /// One line a key.
        allowed_signers: String,
    },
    /// The decisions from before signing that an admin's entry took over.
    Adopted {
        /// One line a decision.
        adopts: String,
        /// The salt of the commitment to it, in hexadecimal.
        salt: String,
        /// The entry.
        seq: i64,
    },
    /// What was signed for an entry, and the signature; the rest is for checking with OpenSSH.
    Signature {
        /// The entry.
        seq: i64,
        /// What was signed, byte for byte.
        statement: String,
        /// The signature.
        signature: String,
        /// Who signed, as the list names them.
        principal: String,
        /// What the signature is for.
        namespace: String,
        /// When it was signed, as OpenSSH wants to be told.
        verify_time: String,
    },
    /// The last.
    End {
        /// How many lines came before.
        end: u64,
    },
    /// What another part of the program exports.
    Other(serde_json::Map<String, serde_json::Value>),
}

/// What is found in an export.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checked {
    /// Which ledger.
    pub origin: String,
    /// How many entries.
    pub entries: u64,
    /// The root over them.
    pub root: Option<Digest>,
    /// The keys whose checkpoints hold, and the size each covers.
    pub anchored: Vec<(String, u64)>,
    /// What is wrong.
    pub problems: Vec<String>,
}

/// The decisions of an export, with all that it takes to believe them or not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decided {
    /// The leaf hash of every entry, in order.
    pub hashes: Vec<Digest>,
    /// The decisions, in order.
    pub decisions: Vec<Entry>,
    /// What was signed for an entry, and the signature.
    pub signatures: BTreeMap<i64, (String, String)>,
    /// What an entry adopts, where it is what the entry commits to.
    pub adopted: BTreeMap<i64, (Salt, String)>,
    /// The reviewers' list as the file gives it.
    pub allowed_signers: Option<String>,
}

/// Takes an export line by line.
#[derive(Debug, Default)]
pub struct Reader {
    verifier: Verifier,
    state: State,
    lines: u64,
    ended: bool,
    claimed: Option<(u64, String)>,
    notes: Vec<(SignedCheckpoint, String)>,
    found: Checked,
    decided: Decided,
}

impl Reader {
    /// Takes the next line.
    pub fn take(&mut self, text: &str) {
        let number = self.lines + 1;
        if self.ended {
            self.problem(format!("line {number} stands behind the end"));
        }
        match serde_json::from_str::<Line>(text) {
            Err(error) => self.problem(format!("line {number} cannot be read: {error}")),
            Ok(Line::Head {
                export,
                origin,
                entries,
                root,
            }) => {
                if self.lines > 0 || export != FORMAT {
                    self.problem(format!("line {number} is no beginning of a {FORMAT}"));
                }
                self.found.origin = origin;
                self.claimed = Some((entries, root));
            }
            Ok(Line::Entry { entry }) => self.entry(&entry),
            Ok(Line::Checkpoint { checkpoint, key }) => {
                match SignedCheckpoint::parse(&checkpoint) {
                    Ok(note) => self.notes.push((note, key)),
                    Err(error) => self.problem(format!("line {number}: {error}")),
                }
            }
            Ok(Line::AllowedSigners { allowed_signers }) => {
                self.decided.allowed_signers = Some(allowed_signers);
            }
            Ok(Line::Adopted { adopts, salt, seq }) => match Digest::parse(&salt) {
                Ok(Digest(salt)) => {
                    self.decided.adopted.insert(seq, (Salt(salt), adopts));
                }
                Err(error) => self.problem(format!("line {number}: {error}")),
            },
            Ok(Line::Signature {
                seq,
                statement,
                signature,
                ..
            }) => {
                let known = self.decided.signatures.insert(seq, (statement, signature));
                if known.is_some() {
                    self.problem(format!("line {number}: E-{seq} has two signatures"));
                }
            }
            Ok(Line::End { end }) => {
                self.ended = true;
                if end != self.lines {
                    self.problem(format!("{end} lines were written, {} are here", self.lines));
                }
            }
            Ok(Line::Other(_)) => {}
        }
        self.lines += 1;
    }

    /// What came of it, and the decisions that have yet to be believed. Checkpoints are held against
    /// `trusted` keys, else against the key they bring.
    #[must_use]
    pub fn finish(mut self, trusted: &[VerifierKey]) -> (Checked, Decided) {
        if !self.ended {
            self.problem("the file does not end: lines were cut off".to_owned());
        }
        let (size, root) = (self.found.entries, self.verifier.root());
        match self.claimed.take() {
            Some((entries, claimed)) if entries == size && claimed == root.to_string() => {}
            Some((entries, _)) => self.problem(format!(
                "it says that it holds {entries} entries under one root, it holds {size} under another"
            )),
            None => self.problem("it does not begin like an export".to_owned()),
        }
        for (note, key) in std::mem::take(&mut self.notes) {
            let brought = VerifierKey::parse(&key).ok();
            let keys = if trusted.is_empty() {
                brought.as_slice()
            } else {
                trusted
            };
            let signer = keys.iter().find(|key| note.is_signed_by(key));
            let covers = &note.checkpoint;
            let same =
                covers.origin == self.found.origin && covers.size == size && covers.root == root;
            match signer {
                Some(key) if same => self.found.anchored.push((key.id(), size)),
                Some(key) => self.problem(format!(
                    "the checkpoint signed by {} is not of these entries",
                    key.id()
                )),
                None => self.problem(format!(
                    "the checkpoint of {} entries is signed by no key that is trusted here",
                    covers.size
                )),
            }
        }
        self.found.root = Some(root);
        let mut problems = self.verifier.into_problems();
        problems.append(&mut self.found.problems);
        self.found.problems = problems;
        (self.found, self.decided)
    }

    fn entry(&mut self, bytes: &str) {
        self.found.entries += 1;
        let seq = i64::try_from(self.found.entries).unwrap_or(i64::MAX);
        let hash = leaf_hash(bytes);
        self.decided.hashes.push(hash);
        let Some(found) = self.verifier.take(seq, bytes, Some(hash)) else {
            return;
        };
        let entry = found.entry();
        if let Err(why) = self.state.apply(&entry) {
            self.problem(format!("entry E-{seq} {why}"));
        }
        if entry.draft.act.is_decision() {
            self.decided.decisions.push(entry);
        }
    }

    fn problem(&mut self, what: String) {
        self.found.problems.push(what);
    }
}
