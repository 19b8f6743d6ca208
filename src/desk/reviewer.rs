//! The list of reviewers: who may decide what, with which key. Changing it is an admin's act.
//!
//! The first signed entry names its own signer as admin and begins signing; from then on only an
//! admin's signed entry counts. What was decided before is withheld until an admin adopts it.

use crate::desk::presence::Presence;
use crate::desk::{Desk, DeskError, fresh_salt};
use crate::domain::entry::{Beside, EntryDraft, Facts};
use crate::domain::reviewer::Footing;
use crate::domain::{Act, Digest, EntrySeq, ReviewerName, Role};
use crate::keys::{Member, Reviewers};
use crate::ledger::canonical::decode;
use crate::ledger::statement::STATEMENT;
use crate::store::decide::Draft;

/// One decision, for whoever wants to check it without this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionProof {
    /// The entry.
    pub entry: EntrySeq,
    /// The exact bytes that were signed.
    pub statement: String,
    /// The signature.
    pub armored: String,
    /// The list, in the form OpenSSH reads.
    pub allowed_signers: String,
    /// Who signed, as that file names them.
    pub principal: String,
    /// What the signature is for.
    pub namespace: &'static str,
    /// When it was signed, as OpenSSH wants to be told.
    pub verify_time: String,
}

/// A change of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewerChange {
    /// Somebody is listed.
    Add {
        /// Who.
        name: ReviewerName,
        /// What they may decide.
        role: Role,
        /// Their public key, as one line.
        public_key: Option<String>,
    },
    /// Somebody may decide nothing from now on.
    Revoke(ReviewerName),
    /// Somebody has another key from now on.
    Rotate(ReviewerName, String),
}

/// One decision from before signing began that something served rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adoptable {
    /// The entry.
    pub entry: EntrySeq,
    /// Its hash.
    pub hash: Digest,
    /// What it was.
    pub act: Act,
    /// Who is said to have decided it.
    pub by: String,
    /// The memory or document.
    pub item: String,
    /// Its text, as it may be shown.
    pub text: String,
}

impl Desk {
    /// Changes the list.
    ///
    /// # Errors
    /// This person may not, or the change makes no sense.
    pub fn change_reviewers(
        &self,
        presence: &Presence,
        change: &ReviewerChange,
    ) -> Result<EntrySeq, DeskError> {
        let list = self.reviewers()?;
        let begins = self.begins(&list, presence, change)?;
        if !begins {
            self.may(presence, Act::Reviewer)?;
        }
        let facts = facts_of(&list, change)?;
        check_change(&list, change)?;
        let draft = Draft {
            entry: EntryDraft {
                at: self.now(),
                actor: presence.hand().reviewer.name.to_string(),
                assurance: presence.hand().assurance,
                act: Act::Reviewer,
                item: format!("reviewer:{}", name_of(change)),
                facts,
            },
            beside: Vec::new(),
        };
        let signed = if begins {
            let head = self.store.head()?.unwrap_or((EntrySeq(0), Digest::ZERO));
            Some(self.sign_at(presence, &draft, head)?)
        } else {
            self.sign(presence, || Ok(draft.clone()), Act::Reviewer)?
        };
        Ok(self.store.enter(draft, signed)?)
    }

    /// Whether this change begins signing: a key where there was none, of whoever enters it, as admin.
    fn begins(
        &self,
        list: &Reviewers,
        presence: &Presence,
        change: &ReviewerChange,
    ) -> Result<bool, DeskError> {
        let ReviewerChange::Add {
            name,
            role,
            public_key: Some(key),
        } = change
        else {
            return Ok(false);
        };
        if list.footing() == Footing::Signed {
            return Ok(false);
        }
        let refused = |why: &str| {
            Err(DeskError::BadInput {
                what: why.to_owned(),
                hint: "the first key is the one of the admin who enters it: `reviewer add YOURSELF --role admin --key FILE.pub`".to_owned(),
            })
        };
        self.may(presence, Act::Reviewer)?;
        if *role != Role::Admin || *name != presence.hand().reviewer.name {
            return refused("signing begins with an admin who lists their own key");
        }
        match presence.signer() {
            Some(signer) if signer.public_key() == key => Ok(true),
            Some(_) => refused("the key at hand is not the key that is to be listed"),
            None => refused("there is no key at hand to sign the first entry with"),
        }
    }

    /// A decision with its signature and the list.
    ///
    /// # Errors
    /// There is no such entry, or nobody signed it.
    pub fn proof(&self, seq: EntrySeq) -> Result<DecisionProof, DeskError> {
        let kept = self
            .store
            .kept_entry(seq)?
            .ok_or_else(|| DeskError::NotFound(format!("there is no entry {seq}")))?;
        let unsigned = || DeskError::NotPossible(format!("{seq} was not signed"));
        let (statement, armored) = self.store.signature(seq)?.ok_or_else(unsigned)?;
        let entry = decode(&kept.bytes)
            .map_err(|error| DeskError::NotPossible(format!("{seq}: {error}")))?;
        let list = self.reviewers()?;
        Ok(DecisionProof {
            entry: seq,
            statement,
            armored,
            allowed_signers: crate::keys::allowed_signers(list.members()),
            principal: crate::keys::principal(&entry.draft.actor),
            namespace: crate::keys::namespace(entry.draft.act),
            verify_time: crate::keys::stamp(entry.draft.at),
        })
    }

    /// What would be adopted: decisions from before signing that something served rests on.
    ///
    /// # Errors
    /// The store cannot be read, or nobody signs here.
    pub fn adoptable(&self) -> Result<Vec<Adoptable>, DeskError> {
        let list = self.reviewers()?;
        let since = list.signing_since().ok_or_else(|| {
            DeskError::NotPossible(
                "nobody signs in this store: there is nothing to adopt".to_owned(),
            )
        })?;
        let mut found = Vec::new();
        for (kept, item, text) in self.store.served_by(since)? {
            if list.adopted(&kept.hash) {
                continue;
            }
            let Ok(entry) = decode(&kept.bytes) else {
                continue;
            };
            if entry.draft.facts.contains_key(STATEMENT) {
                continue;
            }
            found.push(Adoptable {
                entry: kept.seq,
                hash: kept.hash,
                act: entry.draft.act,
                by: entry.draft.actor,
                item,
                text: self.shown(&text).text,
            });
        }
        Ok(found)
    }

    /// Adopts decisions as they were shown, in an admin's signed entry.
    ///
    /// # Errors
    /// This person may not, or one of them is not what was shown.
    pub fn adopt_decisions(
        &self,
        presence: &Presence,
        shown: &[Adoptable],
    ) -> Result<EntrySeq, DeskError> {
        if shown.is_empty() {
            return Err(DeskError::NotPossible(
                "there is nothing to adopt".to_owned(),
            ));
        }
        let now = self.adoptable()?;
        if let Some(other) = shown.iter().find(|one| !now.contains(one)) {
            return Err(DeskError::NotPossible(format!(
                "{} is not what was shown; look at the list again",
                other.item
            )));
        }
        let body: String = shown
            .iter()
            .map(|one| format!("{} {} {}\n", one.entry, one.hash, one.item))
            .collect();
        let list = Beside {
            part: "list".to_owned(),
            salt: fresh_salt()?,
            body,
        };
        let commitment = crate::domain::Commitment::to(&list.salt, list.body.as_bytes());
        let facts: Facts = [
            ("count".to_owned(), shown.len().to_string()),
            ("list_commitment".to_owned(), commitment.to_string()),
        ]
        .into();
        let draft = Draft {
            entry: EntryDraft {
                at: self.now(),
                actor: presence.hand().reviewer.name.to_string(),
                assurance: presence.hand().assurance,
                act: Act::Adopt,
                item: "store".to_owned(),
                facts,
            },
            beside: vec![list],
        };
        let signed = self.sign(presence, || Ok(draft.clone()), Act::Adopt)?;
        Ok(self.store.enter(draft, signed)?)
    }
}

const fn name_of(change: &ReviewerChange) -> &ReviewerName {
    match change {
        ReviewerChange::Add { name, .. }
        | ReviewerChange::Revoke(name)
        | ReviewerChange::Rotate(name, _) => name,
    }
}

fn facts_of(list: &Reviewers, change: &ReviewerChange) -> Result<Facts, DeskError> {
    let name = name_of(change).to_string();
    let known = || {
        list.now(&name).ok_or_else(|| {
            DeskError::NotFound(format!(
                "there is no reviewer `{}` on the list",
                crate::text::line(&name)
            ))
        })
    };
    let (word, role, key) = match change {
        ReviewerChange::Add {
            role, public_key, ..
        } => ("add", *role, public_key.clone()),
        ReviewerChange::Revoke(_) => ("revoke", known()?.role, None),
        ReviewerChange::Rotate(_, key) => ("rotate", known()?.role, Some(key.clone())),
    };
    let mut facts: Facts = [
        ("change".to_owned(), word.to_owned()),
        ("name".to_owned(), name),
        ("role".to_owned(), role.to_string()),
    ]
    .into();
    if let Some(key) = key {
        facts.insert("public_key".to_owned(), key);
    }
    Ok(facts)
}

/// What would leave the list unusable is refused before it is written.
fn check_change(list: &Reviewers, change: &ReviewerChange) -> Result<(), DeskError> {
    let bad = |what: String, hint: &str| {
        Err(DeskError::BadInput {
            what,
            hint: hint.to_owned(),
        })
    };
    let signed = list.footing() == Footing::Signed;
    let name = name_of(change);
    let shown = crate::text::line(name.as_str());
    let standing = || list.members().iter().filter(|one| one.until.is_none());
    let last_admin = || {
        let admin = |one: &&Member| one.role == Role::Admin;
        standing()
            .filter(admin)
            .all(|one| one.name == name.as_str())
    };
    let is_admin = list
        .now(name.as_str())
        .is_some_and(|one| one.role == Role::Admin);
    let key = match change {
        ReviewerChange::Add {
            public_key, role, ..
        } => {
            if let Some(here) = list.now(name.as_str()).filter(|_| signed) {
                if public_key.as_deref() != here.public_key.as_deref() {
                    return bad(
                        format!("`{shown}` is on the list already, with another key"),
                        "give them a new key with `reviewer rotate`",
                    );
                }
                if is_admin && *role != Role::Admin && last_admin() {
                    return bad(
                        format!("`{shown}` is the last admin"),
                        "list another admin first",
                    );
                }
            }
            if signed && public_key.is_none() {
                return bad(
                    format!("`{shown}` needs a key: decisions in this store are signed"),
                    "name their public key with --key FILE.pub",
                );
            }
            public_key.as_deref()
        }
        ReviewerChange::Revoke(_) if is_admin && last_admin() => {
            return bad(
                format!("`{shown}` is the last admin"),
                "list another admin first",
            );
        }
        ReviewerChange::Revoke(_) => None,
        ReviewerChange::Rotate(_, key) if signed => Some(key.as_str()),
        ReviewerChange::Rotate(..) => {
            return bad(
                "nobody signs in this store".to_owned(),
                "begin with `reviewer add YOURSELF --role admin --key FILE.pub`",
            );
        }
    };
    let Some(key) = key else { return Ok(()) };
    let taken =
        standing().find(|one| one.public_key.as_deref() == Some(key) && one.name != name.as_str());
    match taken {
        Some(other) => bad(
            format!("that key is `{}`'s", crate::text::line(&other.name)),
            "each reviewer has a key of their own",
        ),
        None => Ok(()),
    }
}
