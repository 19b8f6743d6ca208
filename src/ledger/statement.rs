//! The exact bytes that a reviewer signs: the decision as its entry will say it.
//!
//! One JSON object without white space, keys in byte order, as for entries:
//!
//! ```text
//! {"act":"approve","at":1790000000000,"facts":{…},"head":41,"head_hash":"5c…","item":"C-17",
//!  "reviewer":"alice","v":1}
//! ```
//!
//! `facts` are all facts of the entry but the two that name this statement and its key. The head is
//! an entry that the reviewer's console had seen: everything up to it is vouched for as well.

use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::{Act, Digest, EntrySeq, Time};
use crate::ledger::canonical::BadEntry;
use serde::{Deserialize, Serialize};

/// The version of this layout, the `v` of every statement.
pub const VERSION: u32 = 1;
/// The fact that names the statement by its SHA-256.
pub const STATEMENT: &str = "statement";
/// The fact that names the key by its fingerprint.
pub const SIGNED_BY: &str = "signed_by";

/// What is signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// What is decided.
    pub act: Act,
    /// When it was signed; its entry is never older.
    pub at: Time,
    /// Everything the entry says beside.
    pub facts: Facts,
    /// An entry that was seen.
    pub head: EntrySeq,
    /// Its hash.
    pub head_hash: Digest,
    /// What it is decided on.
    pub item: String,
    /// Who decides.
    pub reviewer: String,
}

/// Field order is byte order of the keys.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    act: Act,
    at: i64,
    facts: Facts,
    head: i64,
    head_hash: String,
    item: String,
    reviewer: String,
    v: u32,
}

impl Statement {
    /// The statement of a decision by somebody who saw the ledger up to `head`.
    #[must_use]
    pub fn of(draft: &EntryDraft, head: EntrySeq, head_hash: Digest) -> Self {
        Self {
            act: draft.act,
            at: draft.at,
            facts: draft.facts.clone(),
            head,
            head_hash,
            item: draft.item.clone(),
            reviewer: draft.actor.clone(),
        }
    }

    /// Its canonical bytes.
    ///
    /// # Errors
    /// None that this shape can produce; the encoder's own error is passed on.
    pub fn encode(&self) -> Result<String, BadEntry> {
        let wire = Wire {
            act: self.act,
            at: self.at.millis(),
            facts: self.facts.clone(),
            head: self.head.0,
            head_hash: self.head_hash.to_string(),
            item: self.item.clone(),
            reviewer: self.reviewer.clone(),
            v: VERSION,
        };
        serde_json::to_string(&wire).map_err(|error| BadEntry(error.to_string()))
    }

    /// Reads a statement and insists that its bytes are the canonical ones.
    ///
    /// # Errors
    /// Bytes of another shape, or the right shape written another way.
    pub fn decode(bytes: &str) -> Result<Self, BadEntry> {
        let wire: Wire =
            serde_json::from_str(bytes).map_err(|error| BadEntry(error.to_string()))?;
        if wire.v != VERSION {
            return Err(BadEntry(format!(
                "statement version {} is not known",
                wire.v
            )));
        }
        let statement = Self {
            act: wire.act,
            at: Time::from_millis(wire.at),
            facts: wire.facts,
            head: EntrySeq(wire.head),
            head_hash: Digest::parse(&wire.head_hash)
                .map_err(|error| BadEntry(error.to_string()))?,
            item: wire.item,
            reviewer: wire.reviewer,
        };
        if statement.encode()? != bytes {
            return Err(BadEntry("its bytes are not the canonical ones".to_owned()));
        }
        Ok(statement)
    }

    /// Whether an entry says what was signed, no more and no less.
    ///
    /// # Errors
    /// The first thing that differs, named.
    pub fn agrees(&self, draft: &EntryDraft) -> Result<(), String> {
        let differs = |what: &str| Err(format!("its {what} is not the one that was signed"));
        if self.act != draft.act {
            return differs("act");
        }
        if self.item != draft.item {
            return differs("item");
        }
        if self.reviewer != draft.actor {
            return differs("reviewer");
        }
        if self.at > draft.at {
            return Err("it was signed after the time it gives".to_owned());
        }
        let names_it = |key: &String| key == STATEMENT || key == SIGNED_BY;
        let said = || draft.facts.iter().filter(|(key, _)| !names_it(key));
        for (key, value) in said() {
            if self.facts.get(key) != Some(value) {
                return differs(&format!("`{key}`"));
            }
        }
        match self
            .facts
            .keys()
            .find(|key| !said().any(|(other, _)| other == *key))
        {
            Some(key) => Err(format!("it leaves out `{key}`, which was signed")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{STATEMENT, Statement};
    use crate::domain::entry::EntryDraft;
    use crate::domain::{Act, Assurance, Digest, EntrySeq, Time};
    use proptest::prelude::{any, prop_assert, proptest};

    fn draft() -> EntryDraft {
        let facts = [
            ("version", "2"),
            ("text_commitment", "9f"),
            ("layer", "acme"),
        ]
        .map(|(key, value)| (key.to_owned(), value.to_owned()));
        EntryDraft {
            at: Time::from_millis(1000),
            actor: "alice".to_owned(),
            assurance: Assurance::Key,
            act: Act::Approve,
            item: "C-1".to_owned(),
            facts: facts.into(),
        }
    }

    fn statement() -> Statement {
        Statement::of(&draft(), EntrySeq(4), Digest::ZERO)
    }

    #[test]
    fn the_bytes_of_a_statement_never_change() {
        let zero = "0".repeat(64);
        let expected = format!(
            "{{\"act\":\"approve\",\"at\":1000,\"facts\":{{\"layer\":\"acme\",\"text_commitment\":\"9f\",\"version\":\"2\"}},\
             \"head\":4,\"head_hash\":\"{zero}\",\"item\":\"C-1\",\"reviewer\":\"alice\",\"v\":1}}"
        );
        assert_eq!(statement().encode().unwrap(), expected);
        assert_eq!(Statement::decode(&expected).unwrap(), statement());
        for other in [
            expected.replace("\"v\":1", "\"v\":2"),
            expected.replace("\"head\":4", "\"head\": 4"),
            expected.replace("\"v\":1", "\"v\":1,\"w\":1"),
        ] {
            assert!(Statement::decode(&other).is_err(), "{other}");
        }
    }

    #[test]
    fn an_entry_that_says_anything_else_does_not_agree() {
        let signed = statement();
        let named = |mut draft: EntryDraft| {
            draft.facts.insert(STATEMENT.to_owned(), "ab".to_owned());
            draft
        };
        assert_eq!(signed.agrees(&named(draft())), Ok(()));
        let later = EntryDraft {
            at: Time::from_millis(2000),
            ..draft()
        };
        assert_eq!(signed.agrees(&later), Ok(()), "its entry may be younger");
        let changed: [fn(&mut EntryDraft); 7] = [
            |draft| draft.actor.push('x'),
            |draft| draft.item.push('0'),
            |draft| draft.act = Act::Edit,
            |draft| draft.at = Time::from_millis(999),
            |draft| drop(draft.facts.insert("layer".to_owned(), "globex".to_owned())),
            |draft| drop(draft.facts.insert("memory".to_owned(), "M-1".to_owned())),
            |draft| drop(draft.facts.remove("version")),
        ];
        for (at, change) in changed.iter().enumerate() {
            let mut other = draft();
            change(&mut other);
            assert!(signed.agrees(&other).is_err(), "change {at}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_a_statement_panic(bytes in any::<String>()) {
            prop_assert!(Statement::decode(&bytes).is_err());
        }
    }
}
