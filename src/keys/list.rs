//! The reviewers' list: what the entries about reviewers add up to, each checked as it stood then.
//!
//! There is no table of reviewers to be edited. An entry that was not signed by an admin of its
//! moment changes nothing and is named as a problem; two beginnings are no list at all.

use crate::domain::digest::Hasher;
use crate::domain::entry::Entry;
use crate::domain::reviewer::Footing;
use crate::domain::{Act, Assurance, Digest, EntrySeq, Role, Time};
use crate::keys::namespace;
use crate::keys::proof::{check, fingerprint};
use crate::ledger::canonical::{decode, leaf_hash};
use crate::ledger::statement::{SIGNED_BY, STATEMENT, Statement};
use std::collections::BTreeSet;

/// An entry as it is kept, with its signature and the list it adopts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its place.
    pub seq: EntrySeq,
    /// Its canonical bytes.
    pub bytes: String,
    /// Its hash, as kept.
    pub hash: Digest,
    /// What was signed, and the signature.
    pub signature: Option<(String, String)>,
    /// What an adoption lists, if it is whole: checked against its commitment by whoever read it.
    pub adopts: Option<String>,
}

/// The entries the list is made from, in order.
pub type Listing = Vec<Listed>;

/// One reviewer, for as long as nothing about them changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Their name.
    pub name: String,
    /// What they may decide.
    pub role: Role,
    /// Their key, where the store is signed.
    pub public_key: Option<String>,
    /// Its fingerprint.
    pub fingerprint: Option<String>,
    /// The entry from which this holds.
    pub since: EntrySeq,
    /// Its time.
    pub since_at: Time,
    /// The entry that ended it.
    pub until: Option<EntrySeq>,
    /// Its time.
    pub until_at: Option<Time>,
    /// Who entered it.
    pub by: String,
}

/// The list, with its whole past.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviewers {
    members: Vec<Member>,
    signing_since: Option<EntrySeq>,
    adopted: BTreeSet<Digest>,
    broken: Option<&'static str>,
    problems: Vec<(EntrySeq, String)>,
    version: Digest,
}

impl Reviewers {
    /// The digest of everything the list is made from.
    #[must_use]
    pub fn version_of(listing: &[Listed]) -> Digest {
        let mut hasher = Hasher::default();
        for one in listing {
            hasher.part(one.bytes.as_bytes());
            hasher.part(&one.hash.0);
            let (statement, armored) = one.signature.clone().unwrap_or_default();
            hasher.part(statement.as_bytes());
            hasher.part(armored.as_bytes());
            hasher.part(one.adopts.as_deref().unwrap_or_default().as_bytes());
        }
        hasher.finish()
    }

    /// Adds the entries up.
    #[must_use]
    pub fn read(listing: &[Listed]) -> Self {
        let mut list = Self {
            members: Vec::new(),
            signing_since: None,
            adopted: BTreeSet::new(),
            broken: None,
            problems: Vec::new(),
            version: Self::version_of(listing),
        };
        let mut last = Vec::new();
        for one in listing {
            if let Err(why) = list.take(one, &mut last) {
                list.problems.push((one.seq, why));
            }
        }
        list
    }

    /// The list of a store that holds signatures and no entry about reviewers: somebody took it away.
    #[must_use]
    pub fn lost() -> Self {
        Self {
            broken: Some("no list of reviewers is left, though decisions here were signed"),
            ..Self::read(&[])
        }
    }

    /// Why the list as a whole cannot be used, if it cannot.
    #[must_use]
    pub const fn broken(&self) -> Option<&'static str> {
        self.broken
    }

    /// Everybody ever listed, in order.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Which entries changed nothing because they do not hold, and why.
    #[must_use]
    pub fn problems(&self) -> &[(EntrySeq, String)] {
        &self.problems
    }

    /// What the list is known by: a cached verdict holds for this version only.
    #[must_use]
    pub const fn version(&self) -> Digest {
        self.version
    }

    /// The entry from which every decision must be signed.
    #[must_use]
    pub const fn signing_since(&self) -> Option<EntrySeq> {
        self.signing_since
    }

    /// How decisions are known to be somebody's.
    #[must_use]
    pub fn footing(&self) -> Footing {
        if self.signing_since.is_some() || self.broken.is_some() {
            Footing::Signed
        } else if self.members.iter().any(|one| one.until.is_none()) {
            Footing::Listed
        } else {
            Footing::Open
        }
    }

    /// Whether an entry from before signing began was adopted as it stands.
    #[must_use]
    pub fn adopted(&self, hash: &Digest) -> bool {
        self.adopted.contains(hash)
    }

    /// The reviewer of this name as they stand now.
    #[must_use]
    pub fn now(&self, name: &str) -> Option<&Member> {
        self.at(name, EntrySeq(i64::MAX))
    }

    /// The reviewer of this name as they stood just before an entry.
    #[must_use]
    pub fn at(&self, name: &str, seq: EntrySeq) -> Option<&Member> {
        self.members.iter().find(|one| {
            one.name == name && one.since < seq && one.until.is_none_or(|until| until >= seq)
        })
    }

    /// Whether an entry was signed by a reviewer who was listed and allowed to, for exactly what it says.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence.
    pub fn check(
        &self,
        entry: &Entry,
        signature: Option<&(String, String)>,
    ) -> Result<Statement, String> {
        if let Some(why) = self.broken {
            return Err(why.to_owned());
        }
        let draft = &entry.draft;
        let seq = entry.seq;
        let member = self.at(&draft.actor, seq).ok_or_else(|| {
            let name = crate::text::line(&draft.actor);
            let once = self.members.iter().any(|one| one.name == draft.actor);
            if once {
                format!("`{name}` was not a reviewer at {seq} (revoked, or listed later)")
            } else {
                format!("`{name}`, who decided {seq}, is not on the reviewers' list")
            }
        })?;
        let statement = signed_by(entry, signature, member)?;
        if member.role < draft.act.takes() {
            return Err(format!(
                "{seq} ({}) takes the role {}, and `{}` was {}",
                draft.act,
                draft.act.takes(),
                crate::text::line(&draft.actor),
                member.role
            ));
        }
        Ok(statement)
    }

    fn take(&mut self, one: &Listed, last: &mut Vec<(String, EntrySeq)>) -> Result<(), String> {
        if leaf_hash(&one.bytes) != one.hash {
            return Err("was changed after it was written".to_owned());
        }
        let entry = decode(&one.bytes).map_err(|error| error.to_string())?;
        if entry.seq != one.seq {
            return Err("stands in another's place".to_owned());
        }
        match entry.draft.act {
            Act::Adopt => self.adopt(&entry, one),
            Act::Reviewer => self.change(&entry, one, last),
            act => Err(format!("is no entry about reviewers but {act}")),
        }
    }

    fn adopt(&mut self, entry: &Entry, one: &Listed) -> Result<(), String> {
        let since = self
            .signing_since
            .ok_or("adopts decisions in a store that nobody signs")?;
        self.check(entry, one.signature.as_ref())?;
        let text = one.adopts.as_deref().ok_or("has lost the list it adopts")?;
        for line in text.lines() {
            let (seq, hash) = line.split_once(' ').ok_or("lists what is no entry")?;
            let seq = EntrySeq::parse(seq).map_err(|error| error.to_string())?;
            if seq < since {
                let hash = hash.split(' ').next().unwrap_or_default();
                let hash = Digest::parse(hash).map_err(|error| error.to_string())?;
                self.adopted.insert(hash);
            }
        }
        Ok(())
    }

    fn change(
        &mut self,
        entry: &Entry,
        one: &Listed,
        last: &mut Vec<(String, EntrySeq)>,
    ) -> Result<(), String> {
        let fresh = self.fresh(entry)?;
        let begins = fresh.public_key.is_some()
            && fresh.name == entry.draft.actor
            && fresh.role == Role::Admin
            && entry.draft.facts.contains_key(STATEMENT);
        match self.signing_since {
            None if begins => {
                signed_by(entry, one.signature.as_ref(), &fresh)?;
                self.members.clear();
                self.signing_since = Some(entry.seq);
            }
            None if entry.draft.facts.contains_key(STATEMENT) => {
                return Err("begins signing, and does not name its own signer as admin".to_owned());
            }
            None => self.may_unsigned(entry)?,
            Some(_) => self.may_signed(entry, one, last, &fresh, begins)?,
        }
        last.push((entry.draft.item.clone(), entry.seq));
        self.end(&fresh.name, entry);
        if entry.draft.facts.get("change").map(String::as_str) != Some("revoke") {
            self.members.push(fresh);
        }
        Ok(())
    }

    fn may_signed(
        &mut self,
        entry: &Entry,
        one: &Listed,
        last: &[(String, EntrySeq)],
        fresh: &Member,
        begins: bool,
    ) -> Result<(), String> {
        let checked = self.check(entry, one.signature.as_ref());
        let statement = match checked {
            Ok(statement) => statement,
            Err(why) => {
                if begins
                    && self.now(&fresh.name).is_none()
                    && signed_by(entry, one.signature.as_ref(), fresh).is_ok()
                {
                    self.broken =
                        Some("the reviewers' list has two beginnings: somebody forged one");
                }
                return Err(why);
            }
        };
        // The same change again, after another one: an old signature used twice.
        let newer =
            |(item, seq): &(String, EntrySeq)| *item == entry.draft.item && *seq > statement.head;
        if last.iter().any(newer) {
            return Err("repeats a signature that was used before".to_owned());
        }
        let keyless = fresh.public_key.is_none()
            && entry.draft.facts.get("change").map(String::as_str) != Some("revoke");
        if keyless {
            return Err("lists somebody without a key in a signed store".to_owned());
        }
        let taken = self.members.iter().any(|other| {
            other.until.is_none()
                && other.name != fresh.name
                && other.fingerprint.is_some()
                && other.fingerprint == fresh.fingerprint
        });
        if taken && !keyless && fresh.public_key.is_some() {
            return Err("lists a key that is somebody else's".to_owned());
        }
        Ok(())
    }

    /// Without keys roles are said, not proved; still only an admin says them, once there is one.
    fn may_unsigned(&self, entry: &Entry) -> Result<(), String> {
        let admins = || {
            self.members
                .iter()
                .filter(|one| one.until.is_none() && one.role == Role::Admin)
        };
        if admins().next().is_none() || admins().any(|one| one.name == entry.draft.actor) {
            return Ok(());
        }
        Err(format!(
            "was not entered by an admin but by `{}`",
            crate::text::line(&entry.draft.actor)
        ))
    }

    fn end(&mut self, name: &str, entry: &Entry) {
        for member in &mut self.members {
            if member.name == name && member.until.is_none() {
                member.until = Some(entry.seq);
                member.until_at = Some(entry.draft.at);
            }
        }
    }

    /// The member an entry is about, as it leaves them.
    fn fresh(&self, entry: &Entry) -> Result<Member, String> {
        let facts = &entry.draft.facts;
        let name = facts.get("name").ok_or("names nobody")?.clone();
        let kept = self.now(&name);
        let role = match facts.get("role") {
            Some(word) => Role::parse(word).map_err(|error| error.to_string())?,
            None => kept.ok_or("gives no role")?.role,
        };
        let public_key = facts.get("public_key").cloned();
        let fingerprint = public_key
            .as_deref()
            .map(fingerprint)
            .transpose()
            .map_err(|error| error.to_string())?;
        Ok(Member {
            name,
            role,
            public_key,
            fingerprint,
            since: entry.seq,
            since_at: entry.draft.at,
            until: None,
            until_at: None,
            by: entry.draft.actor.clone(),
        })
    }
}

/// Whether an entry carries this member's signature over exactly what it says.
fn signed_by(
    entry: &Entry,
    signature: Option<&(String, String)>,
    member: &Member,
) -> Result<Statement, String> {
    let seq = entry.seq;
    let draft = &entry.draft;
    let named = draft
        .facts
        .get(STATEMENT)
        .ok_or_else(|| format!("unsigned: {seq} was decided without a key"))?;
    let (text, armored) = signature.ok_or_else(|| format!("the signature of {seq} is gone"))?;
    if *named != Digest::of(text.as_bytes()).to_string() {
        return Err(format!("what was signed is not what {seq} names"));
    }
    let statement = Statement::decode(text).map_err(|error| format!("{seq}: {error}"))?;
    statement
        .agrees(draft)
        .map_err(|why| format!("{seq} is not what was signed: {why}"))?;
    if statement.head >= seq {
        return Err(format!("{seq} was signed for another place in the ledger"));
    }
    let key = member
        .public_key
        .as_deref()
        .ok_or_else(|| format!("the reviewer of {seq} has no key"))?;
    let proof = check(namespace(draft.act), text.as_bytes(), armored, key)
        .map_err(|error| format!("{seq}: {error}"))?;
    let assurance = if proof.touched {
        Assurance::Touch
    } else {
        Assurance::Key
    };
    if draft.facts.get(SIGNED_BY) != Some(&proof.fingerprint) || draft.assurance != assurance {
        return Err(format!(
            "{seq} says of its signature what it does not prove"
        ));
    }
    Ok(statement)
}
