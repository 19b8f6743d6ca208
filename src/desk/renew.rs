//! Verifying a memory again: the only act that moves its end. It takes what approving took.
//!
//! What people say against the memory until then is answered by it, as by any decision on it.

use crate::desk::presence::Presence;
use crate::desk::queue::proposal_of;
use crate::desk::{Desk, DeskError, fresh_salt};
use crate::domain::candidate::Approval;
use crate::domain::memory::{Memory, MemoryState};
use crate::domain::reviewer::Footing;
use crate::domain::{Act, Class, Digest, EntrySeq, Influence, MemoryId, Severity, Time};
use crate::ledger::statement::SIGNED_BY;
use crate::store::decide::{ApprovalReach, NewRenewal, Note};

/// What renewing a memory would mean now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenewalTerms {
    /// When it would end.
    pub until: Time,
    /// How many people must verify it.
    pub reviewers_needed: u32,
    /// Who did so far.
    pub so_far: Vec<Approval>,
    /// Whether a reason in words is needed.
    pub reason_needed: bool,
    /// Why nobody can renew it now, in one sentence.
    pub blocked: Option<String>,
}

/// What came of a renewal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renewed {
    /// The entry that says so.
    pub entry: EntrySeq,
    /// When the memory ends now; none where another person must verify it too.
    pub until: Option<Time>,
}

/// A first re-verification that waits for another.
struct Noted {
    entry: EntrySeq,
    approval: Approval,
    until: Time,
}

impl Desk {
    /// What renewing this memory would mean now.
    pub(in crate::desk) fn terms(&self, memory: &Memory) -> Result<RenewalTerms, DeskError> {
        let policy = self.in_force()?;
        let here = policy.at(&memory.scope.layer);
        let noted = self.noted_renewals(memory)?;
        let longest = self
            .now()
            .plus_days(here.longest_life_days(memory.influence));
        Ok(RenewalTerms {
            until: noted.iter().fold(longest, |end, one| end.min(one.until)),
            reviewers_needed: here.reviewers_needed(memory.influence),
            so_far: noted.into_iter().map(|one| one.approval).collect(),
            reason_needed: here.reason_needed(memory.influence),
            blocked: self.why_not_renewable(memory)?,
        })
    }

    /// Verifies a memory again: it lives on, for so many days or as long as the policy allows.
    ///
    /// # Errors
    /// It is not what was shown, cannot be renewed, or it cannot be written.
    pub fn renew(
        &self,
        presence: &Presence,
        id: MemoryId,
        shown: Digest,
        days: Option<i64>,
        note: Option<String>,
    ) -> Result<Renewed, DeskError> {
        self.may(presence, Act::Renew)?;
        let memory = self.store.memory(id)?;
        let text = self.shown(&memory.text);
        if text.digest() != shown {
            return Err(DeskError::NotPossible(format!(
                "{id} is not the text that was shown; look at it again"
            )));
        }
        let terms = self.terms(&memory)?;
        if let Some(why) = &terms.blocked {
            return Err(DeskError::NotPossible(format!(
                "{id} cannot be renewed: {why}"
            )));
        }
        let note = note.map(|note| note.trim().to_owned());
        let note = note.filter(|note| !note.is_empty());
        if terms.reason_needed && note.is_none() {
            return Err(DeskError::NotPossible(format!(
                "renewing {} influence needs a reason: say why it still holds",
                memory.influence
            )));
        }
        let until = self.asked_end(&terms, days)?;
        let reach = self.renewal_reach(presence, &memory, &terms)?;
        let act = match reach {
            ApprovalReach::First => Act::Endorse,
            _ => Act::Renew,
        };
        let mut new = NewRenewal {
            memory: id,
            hand: presence.hand().clone(),
            at: self.now(),
            note: match note {
                Some(body) => Some(Note {
                    salt: fresh_salt()?,
                    body,
                }),
                None => None,
            },
            shown: Note {
                salt: fresh_salt()?,
                body: text.text,
            },
            before: memory.expires_at,
            expires_at: until,
            reach,
            signed: None,
        };
        new.signed = self.sign(presence, || Ok(self.store.draft_renewal(&new)?), act)?;
        Ok(Renewed {
            until: (act == Act::Renew).then_some(until),
            entry: self.store.renew(new)?,
        })
    }

    /// Nobody makes a memory live longer than the policy allows from now on.
    fn asked_end(&self, terms: &RenewalTerms, days: Option<i64>) -> Result<Time, DeskError> {
        let Some(days) = days else {
            return Ok(terms.until);
        };
        let asked = self.now().plus_days(days);
        if days < 1 || asked > terms.until {
            return Err(DeskError::NotPossible(format!(
                "it may live until {} at most, and a day at least",
                terms.until.date()
            )));
        }
        Ok(asked)
    }

    fn renewal_reach(
        &self,
        presence: &Presence,
        memory: &Memory,
        terms: &RenewalTerms,
    ) -> Result<ApprovalReach, DeskError> {
        let needed = terms.reviewers_needed as usize;
        if needed < 2 {
            return Ok(ApprovalReach::Alone);
        }
        let name = presence.hand().reviewer.name.as_str();
        let key = presence.signer().map(crate::keys::Signer::fingerprint);
        let own = |one: &Approval| one.reviewer == name || one.key.as_deref() == key;
        if terms.so_far.iter().any(own) {
            return Err(DeskError::NotPossible(format!(
                "you verified {} already: it waits for another reviewer with another key",
                memory.id
            )));
        }
        if terms.so_far.len() + 1 < needed {
            return Ok(ApprovalReach::First);
        }
        let noted = self.noted_renewals(memory)?;
        Ok(ApprovalReach::Completes(
            noted.into_iter().map(|one| one.entry).collect(),
        ))
    }

    fn why_not_renewable(&self, memory: &Memory) -> Result<Option<String>, DeskError> {
        if memory.written_state != MemoryState::Active {
            return Ok(Some(format!("it is {}", memory.written_state)));
        }
        if memory.influence == Influence::Authority {
            return Ok(Some("a permission is never remembered".to_owned()));
        }
        let policy = self.in_force()?;
        let here = policy.at(&memory.scope.layer);
        if here.reviewers_needed(memory.influence) > 1 && self.footing()? != Footing::Signed {
            let why = "it takes two people with keys, and this store is unsigned";
            return Ok(Some(why.to_owned()));
        }
        if let Err(why) = self
            .verify_text(memory)
            .and_then(|()| self.check_receipts(memory))
        {
            return Ok(Some(why));
        }
        if !self.shown(&memory.text).masked.is_empty() {
            let why = "it holds a secret by the rules in force now";
            return Ok(Some(why.to_owned()));
        }
        self.why_held_today(memory)
    }

    /// Why the policy in force would hold these words today. What speaks of sources is left out: a
    /// person's own verification stands in for evidence that passed its retention.
    fn why_held_today(&self, memory: &Memory) -> Result<Option<String>, DeskError> {
        let candidate = self.store.candidate(memory.candidate)?;
        let sources = self.resolve(&memory.sources, &memory.text, &memory.scope)?;
        let policy = self.in_force()?;
        let proposal = proposal_of(&candidate);
        let at = candidate.proposed_at;
        let judged = self.judge_under(&policy, &proposal, &memory.text, &sources, at)?;
        let objection = judged.findings.iter().find(|finding| {
            let known = |one: &crate::domain::Finding| {
                one.rule == finding.rule && one.severity == Severity::Quarantine
            };
            finding.severity == Severity::Quarantine
                && finding.class != Class::Structure
                && !candidate.findings.iter().any(known)
        });
        Ok(objection.map(|finding| {
            format!(
                "the policy in force now quarantines it: {} ({}); demote it, or propose it in other words",
                finding.message, finding.rule
            )
        }))
    }

    /// First re-verifications that still count: nothing was decided on the memory since, and they
    /// were of the end that it has now.
    fn noted_renewals(&self, memory: &Memory) -> Result<Vec<Noted>, DeskError> {
        let list = self.reviewers()?;
        if list.footing() != Footing::Signed {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for one in self.store.decisions_on(&memory.id.to_string(), 16)? {
            let draft = &one.entry.draft;
            let says = |key: &str| {
                draft
                    .facts
                    .get(key)
                    .and_then(|text| text.parse::<i64>().ok())
            };
            let same = says("expires_before") == Some(memory.expires_at.millis());
            let (Some(until), true) = (says("expires_at"), draft.act == Act::Endorse && same)
            else {
                break;
            };
            let Some(kept) = self.store.kept_entry(one.entry.seq)? else {
                break;
            };
            if self.check_entry(&list, &kept).is_err() {
                break;
            }
            found.push(Noted {
                entry: one.entry.seq,
                approval: Approval {
                    reviewer: draft.actor.clone(),
                    at: draft.at,
                    key: draft.facts.get(SIGNED_BY).cloned(),
                },
                until: Time::from_millis(until),
            });
        }
        found.reverse();
        Ok(found)
    }
}
