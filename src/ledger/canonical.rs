//! The exact bytes that are hashed.
//!
//! An entry is one JSON object without white space, keys in byte order, all values strings or
//! whole numbers, which is RFC 8785 (JCS) for this shape:
//!
//! ```text
//! {"act":"approve","actor":"alice","assurance":"terminal","at":1790000000000,
//!  "facts":{"commitment":"9f…","version":"1"},"item":"C-17","prev":"00…","seq":12,"v":1}
//! leaf hash = SHA-256(0x00 || bytes)                                   (RFC 6962 section 2.1)
//! ```
//!
//! The line break above is for the eye; the bytes have none.

use crate::domain::digest::Hasher;
use crate::domain::entry::{Entry, EntryDraft, Facts};
use crate::domain::{Act, Assurance, Digest, EntrySeq, Time};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of this layout, the `v` of every entry.
pub const VERSION: u32 = 1;

/// Field order is byte order of the keys.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    act: Act,
    actor: String,
    assurance: Assurance,
    at: i64,
    facts: Facts,
    item: String,
    prev: String,
    seq: i64,
    v: u32,
}

/// Bytes that are no entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadEntry(pub String);

impl fmt::Display for BadEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not an entry: {}", self.0)
    }
}

impl std::error::Error for BadEntry {}

/// Writes an entry's canonical bytes.
///
/// # Errors
/// None that this shape can produce; the encoder's own error is passed on rather than hidden.
pub fn encode(entry: &Entry) -> Result<String, BadEntry> {
    let draft = &entry.draft;
    let wire = Wire {
        act: draft.act,
        actor: draft.actor.clone(),
        assurance: draft.assurance,
        at: draft.at.millis(),
        facts: draft.facts.clone(),
        item: draft.item.clone(),
        prev: entry.prev.to_string(),
        seq: entry.seq.0,
        v: VERSION,
    };
    serde_json::to_string(&wire).map_err(|error| BadEntry(error.to_string()))
}

/// Reads an entry and insists that its bytes are the canonical ones.
///
/// # Errors
/// Bytes of another shape, or the right shape written another way.
pub fn decode(bytes: &str) -> Result<Entry, BadEntry> {
    let wire: Wire = serde_json::from_str(bytes).map_err(|error| BadEntry(error.to_string()))?;
    if wire.v != VERSION {
        return Err(BadEntry(format!("layout version {} is not known", wire.v)));
    }
    let entry = Entry {
        seq: EntrySeq(wire.seq),
        prev: Digest::parse(&wire.prev).map_err(|error| BadEntry(error.to_string()))?,
        draft: EntryDraft {
            at: Time::from_millis(wire.at),
            actor: wire.actor,
            assurance: wire.assurance,
            act: wire.act,
            item: wire.item,
            facts: wire.facts,
        },
    };
    if encode(&entry)? != bytes {
        return Err(BadEntry("its bytes are not the canonical ones".to_owned()));
    }
    Ok(entry)
}

/// The leaf hash of an entry's bytes.
#[must_use]
pub fn leaf_hash(bytes: &str) -> Digest {
    let mut hasher = Hasher::default();
    hasher.bytes(&[0]);
    hasher.bytes(bytes.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::{decode, encode, leaf_hash};
    use crate::domain::entry::{Entry, EntryDraft};
    use crate::domain::{Act, Assurance, Digest, EntrySeq, Time};

    fn entry() -> Entry {
        let facts = [("version", "1"), ("commitment", "9f")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()));
        Entry {
            seq: EntrySeq(12),
            prev: Digest::ZERO,
            draft: EntryDraft {
                at: Time::from_millis(1_790_000_000_000),
                actor: "alice \u{202e}\"\n".to_owned(),
                assurance: Assurance::Terminal,
                act: Act::Approve,
                item: "C-17".to_owned(),
                facts: facts.into(),
            },
        }
    }

    #[test]
    fn the_bytes_of_an_entry_never_change() {
        let zero = "0".repeat(64);
        let expected = format!(
            "{{\"act\":\"approve\",\"actor\":\"alice \u{202e}\\\"\\n\",\"assurance\":\"terminal\",\"at\":1790000000000,\
             \"facts\":{{\"commitment\":\"9f\",\"version\":\"1\"}},\"item\":\"C-17\",\"prev\":\"{zero}\",\"seq\":12,\"v\":1}}"
        );
        assert_eq!(encode(&entry()).unwrap(), expected);
        assert_eq!(decode(&expected).unwrap(), entry());
    }

    #[test]
    fn the_same_entry_written_another_way_is_refused() {
        let bytes = encode(&entry()).unwrap();
        for other in [
            bytes.replace("\"seq\":12", "\"seq\": 12"),
            bytes.replace("\"v\":1", "\"v\":2"),
            bytes.replace("\"v\":1", "\"v\":1,\"x\":1"),
            format!("{bytes} "),
            String::new(),
        ] {
            assert!(decode(&other).is_err(), "{other}");
        }
    }

    #[test]
    fn a_leaf_is_told_apart_from_its_bytes() {
        assert_ne!(leaf_hash("x"), Digest::of(b"x"));
        assert_eq!(leaf_hash("x"), Digest::of(b"\0x"));
    }
}
