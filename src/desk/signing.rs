//! Whose decision it is: roles and keys before an act is written, signatures before it is believed.
//!
//! One place makes a signature and one place believes it. What was believed once is remembered by
//! the entry's hash and the list's version, so that a changed list or a changed entry is looked at
//! again. In a store where nobody signs, names are asserted and this says so.

use crate::desk::presence::{Presence, Refusal};
use crate::desk::{Desk, DeskError};
use crate::domain::candidate::{Approval, Candidate};
use crate::domain::decision::Signed;
use crate::domain::entry::Entry;
use crate::domain::memory::Memory;
use crate::domain::receipt::EventSource;
use crate::domain::reviewer::Footing;
use crate::domain::{Act, Assurance, Digest, EntrySeq, Influence, Reviewer, Salt};
use crate::gate::Policy;
use crate::keys::{Listed, Reviewers, namespace};
use crate::ledger::canonical::{decode, leaf_hash};
use crate::ledger::statement::{SIGNED_BY, STATEMENT, Statement};
use crate::store::decide::Draft;
use crate::store::recall::KeptEntry;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// How many verdicts are remembered; past that they are simply made again.
const REMEMBERED: usize = 200_000;
/// How many signatures make a thread worth its start.
const LEAST_SHARE: usize = 64;

/// What was believed already, and the list it was believed under.
#[derive(Debug, Default)]
pub(in crate::desk) struct Believed {
    list: Mutex<Option<Arc<Reviewers>>>,
    entries: Mutex<HashSet<(Digest, Digest)>>,
}

/// What decisions are held against, read once for everything that one act looks at.
#[derive(Debug, Clone)]
pub(in crate::desk) struct Grounds {
    pub(in crate::desk) list: Arc<Reviewers>,
    pub(in crate::desk) policy: Arc<Policy>,
}

/// An approval that is not the last one needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::desk) struct Endorsement {
    pub(in crate::desk) entry: EntrySeq,
    pub(in crate::desk) approval: Approval,
    pub(in crate::desk) influence: Influence,
    pub(in crate::desk) salt: Option<Salt>,
    pub(in crate::desk) text: Option<String>,
    pub(in crate::desk) supersedes: Option<String>,
}

impl Desk {
    /// The reviewers' list as its entries give it now.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn reviewers(&self) -> Result<Arc<Reviewers>, DeskError> {
        let listing: Vec<Listed> = self
            .store
            .reviewer_entries()?
            .into_iter()
            .map(listed)
            .collect();
        let version = Reviewers::version_of(&listing);
        let mut kept = self
            .believed
            .list
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(list) = kept.as_ref().filter(|list| list.version() == version) {
            return Ok(Arc::clone(list));
        }
        let fresh = Arc::new(if listing.is_empty() && self.store.holds_signatures()? {
            Reviewers::lost()
        } else {
            Reviewers::read(&listing)
        });
        *kept = Some(Arc::clone(&fresh));
        Ok(fresh)
    }

    /// The list and the policy as they are now.
    pub(in crate::desk) fn grounds(&self) -> Result<Grounds, DeskError> {
        Ok(Grounds {
            list: self.reviewers()?,
            policy: self.policy(),
        })
    }

    /// How decisions here are known to be somebody's.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn footing(&self) -> Result<Footing, DeskError> {
        Ok(self.reviewers()?.footing())
    }

    /// The reviewer as the list knows them: their role is what it says, not what they say.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn known(&self, reviewer: &Reviewer) -> Result<Reviewer, DeskError> {
        let role = self
            .reviewers()?
            .now(reviewer.name.as_str())
            .map_or(reviewer.role, |member| member.role);
        Ok(Reviewer {
            name: reviewer.name.clone(),
            role,
        })
    }

    /// Whether this person may do this here: on the list, in the role it takes, with the key it takes.
    ///
    /// # Errors
    /// They may not, and why.
    pub fn may(&self, presence: &Presence, act: Act) -> Result<(), DeskError> {
        let list = self.reviewers()?;
        let refused = |why: String| Err(DeskError::Refused(Refusal::NotAllowed(why)));
        let footing = list.footing();
        if footing == Footing::Open {
            return presence.objection(act).map_or(Ok(()), refused);
        }
        let name = crate::text::line(presence.hand().reviewer.name.as_str());
        let Some(member) = list.now(presence.hand().reviewer.name.as_str()) else {
            return refused(format!("`{name}` is not on this store's list of reviewers"));
        };
        if member.role < act.takes() {
            return refused(format!(
                "{act} takes the role `{}`, and `{name}` is `{}`",
                act.takes(),
                member.role
            ));
        }
        if footing == Footing::Listed {
            return Ok(());
        }
        match presence.signer() {
            None => refused(format!(
                "decisions in this store are signed, and no key of `{name}` is at hand"
            )),
            Some(signer) if member.public_key.as_deref() == Some(signer.public_key()) => Ok(()),
            Some(signer) => refused(format!(
                "the key {} is not the one that the list holds for `{name}`",
                signer.fingerprint()
            )),
        }
    }

    /// Signs what an act is about to write; nothing where nobody signs.
    ///
    /// # Errors
    /// This person may not do it, or the key did not sign.
    pub(in crate::desk) fn sign(
        &self,
        presence: &Presence,
        draft: impl FnOnce() -> Result<Draft, DeskError>,
        act: Act,
    ) -> Result<Option<Signed>, DeskError> {
        self.may(presence, act)?;
        if self.footing()? != Footing::Signed {
            return Ok(None);
        }
        // The head is read first: what happens behind it while the rest is read is noticed at the write.
        let head = self.store.head()?.unwrap_or((EntrySeq(0), Digest::ZERO));
        self.sign_at(presence, &draft()?, head).map(Some)
    }

    /// Signs a draft as somebody who saw the ledger up to `head`, whatever the list says of them.
    pub(in crate::desk) fn sign_at(
        &self,
        presence: &Presence,
        draft: &Draft,
        head: (EntrySeq, Digest),
    ) -> Result<Signed, DeskError> {
        let signer = presence.signer().ok_or_else(|| {
            DeskError::Refused(Refusal::NotAllowed("there is no key at hand".to_owned()))
        })?;
        let broken = |error: crate::ledger::canonical::BadEntry| {
            DeskError::NotPossible(format!("it cannot be put into words to sign: {error}"))
        };
        let statement = Statement::of(&draft.entry, head.0, head.1)
            .encode()
            .map_err(broken)?;
        let (armored, proof) = signer
            .sign(namespace(draft.entry.act), statement.as_bytes())
            .map_err(|error| DeskError::NotPossible(format!("nothing was written: {error}")))?;
        Ok(Signed {
            statement,
            armored,
            signed_by: proof.fingerprint,
            assurance: if proof.touched {
                Assurance::Touch
            } else {
                Assurance::Key
            },
        })
    }

    /// Whether everything that stands behind a memory was signed by people who might.
    ///
    /// INVARIANT: the one place that recall, `memory show` and `why` ask. What a policy let through by
    /// itself belongs here too: good only under a policy hash that stands in a decided entry.
    pub(in crate::desk) fn check_countersigned(
        &self,
        grounds: &Grounds,
        memory: &Memory,
        minted: &KeptEntry,
    ) -> Result<(), String> {
        let list = &grounds.list;
        if list.footing() != Footing::Signed {
            return Ok(());
        }
        self.check_entry(list, minted)?;
        let needed = grounds
            .policy
            .at(&memory.scope.layer)
            .reviewers_needed(memory.influence);
        if needed > 1 && !list.adopted(&minted.hash) {
            return self.check_company(list, needed as usize, minted);
        }
        Ok(())
    }

    /// Whether an entry is a decision that this store believes, in its place. Remembered once it is.
    pub(in crate::desk) fn check_entry(
        &self,
        list: &Reviewers,
        kept: &KeptEntry,
    ) -> Result<(), String> {
        // What is remembered is remembered of these bytes, never of the hash that a row claims for them.
        if leaf_hash(&kept.bytes) != kept.hash {
            return Err(format!("{} was changed after it was written", kept.seq));
        }
        let entry = decode(&kept.bytes).map_err(|error| format!("{}: {error}", kept.seq))?;
        if entry.seq != kept.seq {
            return Err(format!("{} is the copy of another entry", kept.seq));
        }
        let name = (kept.hash, list.version());
        if self.remembers(&name) {
            return Ok(());
        }
        let early = list.signing_since().is_some_and(|since| kept.seq < since);
        let unsigned = !entry.draft.facts.contains_key(STATEMENT);
        if early && unsigned {
            if list.adopted(&kept.hash) {
                return Ok(());
            }
            return Err(format!(
                "unsigned: {} was decided before keys were used here, and no admin has adopted it",
                kept.seq
            ));
        }
        let read = |error: crate::store::StoreError| error.to_string();
        let signature = self.store.signature(kept.seq).map_err(read)?;
        let statement = list.check(&entry, signature.as_ref())?;
        if let Some(why) = self.store.misplaced(&statement, kept.seq).map_err(read)? {
            return Err(format!("{}: {why}", kept.seq));
        }
        self.remember(name);
        Ok(())
    }

    /// Why a source of events is not believed, where decisions are signed: its row must be what an
    /// admin signed last about it.
    pub(in crate::desk) fn source_objection(
        &self,
        source: &EventSource,
    ) -> Result<Option<String>, DeskError> {
        let list = self.reviewers()?;
        if list.footing() != Footing::Signed {
            return Ok(None);
        }
        let Some((seq, same)) = self.store.event_source_entry(source)? else {
            return Ok(Some("no admin has signed for this source".to_owned()));
        };
        if !same {
            return Ok(Some(format!("this source is not the one that {seq} added")));
        }
        let kept = self.store.kept_entry(seq)?;
        Ok(kept.and_then(|kept| self.check_entry(&list, &kept).err()))
    }

    /// The approvals a candidate has so far: by different people with different keys, of what stands there now.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn approvals(&self, id: crate::domain::CandidateId) -> Result<Vec<Approval>, DeskError> {
        let candidate = self.store.candidate(id)?;
        Ok(self
            .endorsements(&candidate)?
            .into_iter()
            .map(|one| one.approval)
            .collect())
    }

    /// An approval counts for the version it left behind: whatever came after it makes it void.
    pub(in crate::desk) fn endorsements(
        &self,
        candidate: &Candidate,
    ) -> Result<Vec<Endorsement>, DeskError> {
        let list = self.reviewers()?;
        if list.footing() != Footing::Signed
            || candidate.state != crate::domain::candidate::CandidateState::Pending
        {
            return Ok(Vec::new());
        }
        let mut version = candidate.version;
        let mut found = Vec::new();
        for one in self.store.decisions_on(&candidate.id.to_string(), 16)? {
            let draft = &one.entry.draft;
            let says = |key: &str| draft.facts.get(key).map(String::as_str);
            if draft.act != Act::Endorse || says("version") != Some(version.to_string().as_str()) {
                break;
            }
            let Some(kept) = self.store.kept_entry(one.entry.seq)? else {
                break;
            };
            if self.check_entry(&list, &kept).is_err() {
                break;
            }
            version = says("seen").and_then(|seen| seen.parse().ok()).unwrap_or(0);
            let text = one.beside.iter().find(|text| text.part == "text");
            found.push(Endorsement {
                entry: one.entry.seq,
                approval: Approval {
                    reviewer: draft.actor.clone(),
                    at: draft.at,
                    key: says(SIGNED_BY).map(str::to_owned),
                },
                influence: says("influence")
                    .and_then(|word| Influence::parse(word).ok())
                    .unwrap_or(Influence::Authority),
                salt: text.map(|text| text.salt),
                text: text.map(|text| text.body.clone()),
                supersedes: says("supersedes").map(str::to_owned),
            });
        }
        found.reverse();
        Ok(found)
    }

    /// Two people: the entries that the approval names must be approvals of the same bytes by others.
    fn check_company(
        &self,
        list: &Reviewers,
        needed: usize,
        minted: &KeptEntry,
    ) -> Result<(), String> {
        let last = decode(&minted.bytes).map_err(|error| error.to_string())?;
        let agreeing = [
            "text_commitment",
            "influence",
            "kind",
            "layer",
            "project",
            "session",
            "evidence",
            "supersedes",
        ];
        self.check_together(list, needed, &last, &agreeing)
    }

    /// The entries that the last of several people names must be first approvals of the same, by others.
    pub(in crate::desk) fn check_together(
        &self,
        list: &Reviewers,
        needed: usize,
        last: &Entry,
        agreeing: &[&str],
    ) -> Result<(), String> {
        let mut entries = vec![last.clone()];
        let named = last.draft.facts.get("endorsed").cloned();
        for seq in named
            .unwrap_or_default()
            .split(' ')
            .filter(|seq| !seq.is_empty())
        {
            let seq = EntrySeq::parse(seq).map_err(|error| error.to_string())?;
            let kept = self
                .store
                .kept_entry(seq)
                .map_err(|error| error.to_string())?
                .ok_or_else(|| format!("{seq}, which approved it too, is gone"))?;
            self.check_entry(list, &kept)?;
            entries.push(decode(&kept.bytes).map_err(|error| error.to_string())?);
        }
        let same = |one: &Entry| {
            let agrees = agreeing
                .iter()
                .all(|key| one.draft.facts.get(*key) == last.draft.facts.get(*key));
            agrees && one.draft.item == last.draft.item
        };
        let people: HashSet<&str> = entries.iter().map(|one| one.draft.actor.as_str()).collect();
        let keys: HashSet<Option<&String>> = entries
            .iter()
            .map(|one| one.draft.facts.get(SIGNED_BY))
            .collect();
        let first = entries
            .iter()
            .skip(1)
            .all(|one| one.draft.act == Act::Endorse);
        if entries.iter().all(same) && first && people.len() >= needed && keys.len() >= needed {
            return Ok(());
        }
        Err(format!(
            "it takes {needed} different people with different keys, and {} approved it",
            people.len().min(keys.len())
        ))
    }

    /// Every one of these decisions that this store does not believe, and what is wrong with the list.
    pub(in crate::desk) fn unbelieved(
        &self,
        decisions: &[KeptEntry],
    ) -> Result<Vec<String>, DeskError> {
        let list = self.reviewers()?;
        let mut problems: Vec<String> = list
            .problems()
            .iter()
            .map(|(seq, why)| format!("reviewers' list: entry {seq} {why}: it changes nothing"))
            .collect();
        problems.extend(list.broken().map(str::to_owned));
        let Some(since) = list.signing_since() else {
            return Ok(problems);
        };
        let listed: HashSet<EntrySeq> = list.problems().iter().map(|(seq, _)| *seq).collect();
        let doubtful = |kept: &KeptEntry| -> Option<String> {
            if kept.seq == since || listed.contains(&kept.seq) {
                return None;
            }
            let signed = decode(&kept.bytes)
                .ok()
                .filter(|entry| entry.draft.act.is_decision())
                .map(|entry| entry.draft.facts.contains_key(STATEMENT))?;
            if kept.seq < since && !signed {
                return None;
            }
            self.check_entry(&list, kept).err()
        };
        let shares = std::thread::available_parallelism().map_or(1, usize::from);
        let share = decisions.len().div_ceil(shares).max(LEAST_SHARE);
        let found = std::thread::scope(|threads| {
            let all: Vec<_> = decisions
                .chunks(share)
                .map(|some| threads.spawn(|| some.iter().filter_map(doubtful).collect()))
                .collect();
            all.into_iter()
                .map(std::thread::ScopedJoinHandle::join)
                .collect::<Result<Vec<Vec<String>>, _>>()
        });
        let found =
            found.map_err(|_| DeskError::NotPossible("verifying failed inside".to_owned()))?;
        problems.extend(found.into_iter().flatten());
        Ok(problems)
    }

    fn remembers(&self, name: &(Digest, Digest)) -> bool {
        self.believed
            .entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains(name)
    }

    fn remember(&self, name: (Digest, Digest)) {
        let mut entries = self
            .believed
            .entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= REMEMBERED {
            entries.clear();
        }
        entries.insert(name);
    }
}

/// An entry about reviewers in the words of `keys`; a list that is not the committed one is none.
fn listed(one: crate::store::reviewer::ReviewerEntry) -> Listed {
    let committed = decode(&one.kept.bytes)
        .ok()
        .and_then(|entry| entry.draft.facts.get("list_commitment").cloned());
    let adopts = one
        .list
        .filter(|(_, commitment)| Some(commitment.to_string()) == committed)
        .map(|(text, _)| text);
    Listed {
        seq: one.kept.seq,
        bytes: one.kept.bytes,
        hash: one.kept.hash,
        signature: one.signature,
        adopts,
    }
}
