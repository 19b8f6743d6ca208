//! Deciding on a candidate: a person, the exact bytes they saw, one act, one entry.
//!
//! Every face calls `decide`. It refuses what nobody may do, checks that what was on screen is
//! what stands here, and lets the store settle who came first.

use crate::desk::presence::Presence;
use crate::desk::queue::{edit_objection, proposal_of};
use crate::desk::signing::Endorsement;
use crate::desk::{Conflict, Desk, DeskError, fresh_salt};
use crate::domain::Act;
use crate::domain::Time;
use crate::domain::candidate::{Candidate, CandidateState};
use crate::domain::decision::{CandidateDecision, Decided, Ruling};
use crate::domain::memory::{MemoryState, Mode};
use crate::domain::reason::RejectReason;
use crate::store::decide::{ApprovalReach, Mint, NewRuling, Note};

impl Desk {
    /// Carries out what a reviewer decided.
    ///
    /// # Errors
    /// Somebody else came first, the item changed, the act is not possible, or it cannot be written.
    pub fn decide(
        &self,
        presence: &Presence,
        decision: CandidateDecision,
    ) -> Result<Decided, DeskError> {
        self.may(presence, decision.ruling.act())?;
        let policy = self.in_force()?;
        let candidate = self.store.candidate(decision.candidate)?;
        self.check_seen(&candidate, &decision)?;
        self.check_superseded(&candidate, &decision)?;
        let mut mint = match &decision.ruling {
            Ruling::Approve => Some(self.approval(&candidate, &decision, None)?),
            Ruling::Edit(text) => Some(self.approval(&candidate, &decision, Some(text))?),
            _ => None,
        };
        let reach = match &mut mint {
            Some(mint) => self.reach_of(presence, &candidate, &decision, mint)?,
            None => ApprovalReach::Alone,
        };
        let act = match reach {
            ApprovalReach::First => Act::Endorse,
            _ => decision.ruling.act(),
        };
        let (reason, note) = reason_parts(&decision)?;
        let mut new = NewRuling {
            candidate: candidate.id,
            seen: decision.seen.version,
            frame: decision.seen.frame,
            ruling: decision.ruling,
            hand: presence.hand().clone(),
            at: self.now(),
            reason,
            note,
            shown: Note {
                salt: fresh_salt()?,
                body: self.shown(&candidate.claim).text,
            },
            policy: policy.hash(),
            policy_text: policy.text_hash(),
            mint,
            supersedes: decision.supersedes,
            reach,
            on_screen: decision.seen.on_screen,
            signed: None,
        };
        new.signed = self.sign(presence, || Ok(self.store.draft_ruling(&new)?), act)?;
        let (_, memory) = self.store.rule(new)?;
        Ok(match (memory, act) {
            (Some(memory), _) => Decided::Minted(memory),
            (None, Act::Endorse) => Decided::Endorsed,
            (None, _) => Decided::Moved,
        })
    }

    /// Whether this approval suffices, is the first of several, or completes them. The last one mints
    /// under the salt of the first, so that both commit to the same bytes in the same words.
    fn reach_of(
        &self,
        presence: &Presence,
        candidate: &Candidate,
        decision: &CandidateDecision,
        mint: &mut Mint,
    ) -> Result<ApprovalReach, DeskError> {
        let needed = self
            .policy()
            .at(&candidate.scope.layer)
            .reviewers_needed(mint.influence) as usize;
        if needed < 2 {
            return Ok(ApprovalReach::Alone);
        }
        if matches!(decision.ruling, Ruling::Edit(_)) {
            return Err(DeskError::NotPossible(format!(
                "{} takes {needed} people, and each must see the same bytes: reject it and propose the new wording",
                candidate.id
            )));
        }
        let before = self.endorsements(candidate)?;
        let name = presence.hand().reviewer.name.as_str();
        let key = presence.signer().map(crate::keys::Signer::fingerprint);
        let own =
            |one: &Endorsement| one.approval.reviewer == name || one.approval.key.as_deref() == key;
        if before.iter().any(own) {
            return Err(DeskError::NotPossible(format!(
                "you approved {} already: it waits for another reviewer with another key",
                candidate.id
            )));
        }
        if let Some(first) = before.first() {
            if first.text.as_ref() != Some(&mint.text) {
                return Err(DeskError::NotPossible(format!(
                    "the text that {} approved of {} is gone: reject it, or let it be proposed again",
                    first.approval.reviewer, candidate.id
                )));
            }
            let replaces = decision.supersedes.map(|old| old.to_string());
            if first.supersedes != replaces {
                return Err(DeskError::NotPossible(format!(
                    "{} approved {} {}: approve it the same way, or reject it",
                    first.approval.reviewer,
                    candidate.id,
                    first.supersedes.as_ref().map_or_else(
                        || "beside what is known".to_owned(),
                        |old| format!("as a new version of {old}")
                    )
                )));
            }
            mint.salt = first.salt.unwrap_or(mint.salt);
        }
        if before.len() + 1 < needed {
            return Ok(ApprovalReach::First);
        }
        Ok(ApprovalReach::Completes(
            before.into_iter().map(|one| one.entry).collect(),
        ))
    }

    /// A new version takes the place of a memory that is there, and holds wherever that one did.
    fn check_superseded(
        &self,
        candidate: &Candidate,
        decision: &CandidateDecision,
    ) -> Result<(), DeskError> {
        let Some(id) = decision.supersedes else {
            return Ok(());
        };
        if !matches!(decision.ruling, Ruling::Approve | Ruling::Edit(_)) {
            return Err(DeskError::NotPossible(format!(
                "only an approval puts {} in the place of {id}",
                candidate.id
            )));
        }
        let old = self.store.memory(id)?;
        if old.written_state != MemoryState::Active {
            return Err(DeskError::NotPossible(format!(
                "{id} is {}: there is nothing to take the place of",
                old.written_state
            )));
        }
        if !candidate.scope.is_visible_from(&old.scope) {
            return Err(DeskError::NotPossible(format!(
                "{id} holds in {}, and {} would hold in {} only: approve it beside {id}, or demote {id}",
                old.scope.layer, candidate.id, candidate.scope.layer
            )));
        }
        Ok(())
    }

    /// What was on screen must be what stands here, and all of it must have been on screen.
    fn check_seen(
        &self,
        candidate: &Candidate,
        decision: &CandidateDecision,
    ) -> Result<(), DeskError> {
        let seen = &decision.seen;
        let decided = matches!(
            candidate.state,
            CandidateState::Approved | CandidateState::Rejected | CandidateState::Closed
        );
        if let Some(outcome) = candidate.outcome.clone().filter(|_| decided) {
            return Err(DeskError::Conflict(Conflict::Decided {
                item: candidate.id.to_string(),
                outcome,
            }));
        }
        if seen.version != candidate.version || seen.shown != self.shown(&candidate.claim).digest()
        {
            return Err(DeskError::Conflict(Conflict::Changed {
                item: candidate.id.to_string(),
                seen: seen.version,
                now: candidate.version,
            }));
        }
        let approves = matches!(
            decision.ruling,
            Ruling::Approve | Ruling::Edit(_) | Ruling::Release
        );
        if approves && !seen.whole {
            return Err(DeskError::NotPossible(
                "the whole text has not been on screen yet: scroll to its end first".to_owned(),
            ));
        }
        Ok(())
    }

    fn approval(
        &self,
        candidate: &Candidate,
        decision: &CandidateDecision,
        edited: Option<&String>,
    ) -> Result<Mint, DeskError> {
        let text = edited.unwrap_or(&candidate.claim).clone();
        if text.trim().is_empty() {
            return Err(DeskError::NotPossible(
                "an empty text cannot be approved".to_owned(),
            ));
        }
        let mut influence = candidate.influence;
        let mut ends = candidate.expires_at;
        if edited.is_some() {
            let sources = self.resolve(&candidate.sources, &candidate.claim, &candidate.scope)?;
            let judgement = self.judge(&proposal_of(candidate), &text, &sources)?;
            if let Some(objection) =
                edit_objection(&judgement).filter(|_| candidate.state == CandidateState::Pending)
            {
                return Err(DeskError::NotPossible(objection));
            }
            influence = influence.max(judgement.influence);
            ends = ends.min(judgement.expires_at);
        }
        if edited.is_none() {
            let sources = self.resolve(&candidate.sources, &candidate.claim, &candidate.scope)?;
            if let Some(why) = self.why_held_now(candidate, &sources)? {
                return Err(DeskError::NotPossible(format!(
                    "{} cannot be approved: {why}",
                    candidate.id
                )));
            }
        }
        influence = influence.max(decision.influence.unwrap_or(influence));
        // Whoever approved before may have raised it; nobody lowers it again.
        for before in self.endorsements(candidate)? {
            influence = influence.max(before.influence);
        }
        let has_secret = !self.shown(&text).masked.is_empty();
        if let Some(why) = self.why_not_approvable(candidate, influence, has_secret)? {
            return Err(DeskError::NotPossible(format!(
                "{} cannot be approved: {why}",
                candidate.id
            )));
        }
        let policy = self.in_force()?;
        if policy.at(&candidate.scope.layer).reason_needed(influence)
            && decision
                .reason
                .as_deref()
                .is_none_or(|reason| reason.trim().is_empty())
        {
            return Err(DeskError::NotPossible(format!(
                "approving {influence} influence needs a reason: say why it should hold"
            )));
        }
        let days = policy
            .at(&candidate.scope.layer)
            .longest_life_days(influence);
        let ends = self.longest(days, ends)?;
        Ok(Mint {
            salt: fresh_salt()?,
            influence,
            mode: self.mode(candidate)?,
            expires_at: ends,
            fingerprint: crate::recurrence::fingerprint(&text),
            text,
        })
    }

    /// The life asked for, held to the longest its influence allows from now on.
    fn longest(&self, days: i64, asked: Time) -> Result<Time, DeskError> {
        let now = self.now();
        if asked <= now {
            return Err(DeskError::NotPossible(
                "its expiry has passed while it waited: reject it, or let it be proposed again"
                    .to_owned(),
            ));
        }
        Ok(asked.min(now.plus_days(days)))
    }

    /// Active where evidence that we hold stands behind it, else advisory.
    fn mode(&self, candidate: &Candidate) -> Result<Mode, DeskError> {
        let sources = self.resolve(&candidate.sources, &candidate.claim, &candidate.scope)?;
        Ok(if sources.has_evidence() {
            Mode::Active
        } else {
            Mode::Advisory
        })
    }
}

/// A reason's word goes into the entry; free text stands beside it, behind a commitment.
fn reason_parts(decision: &CandidateDecision) -> Result<(Option<String>, Option<Note>), DeskError> {
    let Some(text) = decision
        .reason
        .as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
    else {
        return Ok((None, None));
    };
    if let Ok(reason) = RejectReason::parse(text) {
        return Ok((Some(reason.to_string()), None));
    }
    let word = matches!(decision.ruling, Ruling::Reject).then(|| RejectReason::Other.to_string());
    Ok((
        word,
        Some(Note {
            salt: fresh_salt()?,
            body: text.to_owned(),
        }),
    ))
}
