//! A whole ledger in one file, checked without the store.
//!
//! One JSON object a line:
//!
//! ```text
//! {"export":"countersign-ledger-1","origin":"ledger.0b5c…","entries":4711,"root":"<hash>"}
//! {"entry":"<canonical bytes of entry 1>"}
//! …
//! {"checkpoint":"<signed note>","key":"<verifier key>"}
//! {"end":4713}                                  how many lines came before this one
//! ```
//!
//! Lines of other kinds (signatures of decisions, `allowed_signers`) are handed to whoever knows
//! them. Texts are not exported: entries hold salted commitments, and evidence is not context.

use crate::domain::Digest;
use crate::ledger::canonical::leaf_hash;
use crate::ledger::note::{SignedCheckpoint, VerifierKey};
use crate::ledger::replay::State;
use crate::ledger::verify::Verifier;
use serde::{Deserialize, Serialize};

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

    /// What came of it. Checkpoints are held against `trusted` keys, else against the key they bring.
    #[must_use]
    pub fn finish(mut self, trusted: &[VerifierKey]) -> Checked {
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
        self.found
    }

    fn entry(&mut self, bytes: &str) {
        self.found.entries += 1;
        let seq = i64::try_from(self.found.entries).unwrap_or(i64::MAX);
        let found = self.verifier.take(seq, bytes, Some(leaf_hash(bytes)));
        let applied = found.map(|entry| self.state.apply(&entry.entry()));
        if let Some(Err(why)) = applied {
            self.problem(format!("entry E-{seq} {why}"));
        }
    }

    fn problem(&mut self, what: String) {
        self.found.problems.push(what);
    }
}
