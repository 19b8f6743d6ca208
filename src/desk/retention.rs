//! Retention: evidence goes when its time has passed. What stays is its hash, the hashes of the
//! ranges that are cited, and an entry.

use crate::desk::{Desk, DeskError};
use crate::domain::{Digest, SourceRef, Span};
use crate::store::retention::Expiring;

/// How many artifacts one sweep lets go at most; the next one goes on.
const SWEPT: usize = 10_000;

/// What a sweep did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Swept {
    /// Artifacts whose bytes went, their time having passed.
    pub expired: Vec<Digest>,
    /// Files that an earlier sweep or a writer was killed over.
    pub leftovers: u64,
    /// Whether the write-ahead log was emptied, so that no copy of what went is left in it.
    pub log_emptied: bool,
}

impl Desk {
    /// Lets evidence go whose time has passed. May be killed anywhere and run again.
    ///
    /// # Errors
    /// The store cannot be read or written, or the disk does not let bytes go.
    pub fn sweep(&self, actor: &str) -> Result<Swept, DeskError> {
        let mut swept = Swept::default();
        for sha256 in self.store.artifacts_gone()? {
            if self.store.artifact_is_on_disk(&sha256) {
                self.store.remove_bytes(&sha256)?;
                swept.leftovers += 1;
            }
        }
        swept.leftovers += self.store.remove_abandoned();
        let now = self.now();
        let due = self.store.expired(now, SWEPT)?;
        let cited = if due.is_empty() {
            std::collections::BTreeMap::default()
        } else {
            self.store.cited_spans()?
        };
        for sha256 in due {
            let spans = cited.get(&sha256).into_iter().flatten();
            let mut hashes = Vec::new();
            for (start, end) in spans {
                let span = Span {
                    start: *start,
                    end: *end,
                };
                let bytes = self.store.artifact_bytes(&sha256, span, usize::MAX)?;
                // A range outside the bytes never was evidence: it has no hash to keep.
                let whole = bytes.filter(|bytes| bytes.len() == end.saturating_sub(*start));
                hashes.extend(whole.map(|bytes| (span, Digest::of(&bytes))));
            }
            let gone = self.store.expire(Expiring {
                sha256,
                spans: hashes,
                at: now,
                actor: actor.to_owned(),
            })?;
            self.store.remove_bytes(&sha256)?;
            if gone.is_some() {
                swept.expired.push(sha256);
            }
        }
        if !swept.expired.is_empty() || swept.leftovers > 0 {
            swept.log_emptied = self.store.empty_log()?;
        }
        Ok(swept)
    }

    /// How evidence went that is not held any more, for people.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(in crate::desk) fn how_it_went(&self, sha256: &Digest) -> Result<&'static str, DeskError> {
        let item = SourceRef::Artifact {
            sha256: *sha256,
            span: None,
        };
        Ok(match self.store.erased(&item.to_string())? {
            Some(_) => "gone (erased on request)",
            None => "gone (retention passed)",
        })
    }
}
