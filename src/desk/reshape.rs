//! Splitting a candidate into its claims, and joining candidates that say the same.
//!
//! Either way the gate judges what is opened, nothing is approved, and what was proposed stays as it
//! was, closed: its evidence stands behind what it became.

use crate::desk::presence::Presence;
use crate::desk::propose::standing;
use crate::desk::queue::proposal_of;
use crate::desk::{Conflict, Desk, DeskError, fresh_salt};
use crate::domain::candidate::{Candidate, CandidateState, Proposal};
use crate::domain::decision::Seen;
use crate::domain::{Act, CandidateId, SourceRef};
use crate::recurrence::bearing;
use crate::store::candidate::NewCandidate;
use crate::store::decide::{NewReshaping, Note, Reshaped};

/// How many claims one candidate may be split into, and how many may be joined.
const MOST: usize = 32;

impl Desk {
    /// Splits a candidate: each part becomes a candidate of its own, from the same sources.
    ///
    /// # Errors
    /// Somebody else came first, it is one claim only, or it cannot be written.
    pub fn split(
        &self,
        presence: &Presence,
        id: CandidateId,
        seen: &Seen,
        parts: &[String],
        note: Option<String>,
    ) -> Result<Reshaped, DeskError> {
        self.may(presence, Act::Split)?;
        let candidate = self.waiting(id, seen)?;
        if parts.len() < 2 || parts.len() > MOST {
            return Err(DeskError::NotPossible(format!(
                "{id} is split into 2 parts at least and {MOST} at most, and these are {}",
                parts.len()
            )));
        }
        let foreign = parts
            .iter()
            .any(|part| part.trim().is_empty() || !candidate.claim.contains(part.as_str()));
        if foreign {
            return Err(DeskError::NotPossible(format!(
                "a part is not in the words of {id}: edit it instead"
            )));
        }
        let policy = self.in_force()?;
        let mut opens = Vec::new();
        for part in parts {
            let proposal = Proposal {
                claim: part.clone(),
                ..proposal_of(&candidate)
            };
            let sources = self.resolve(&proposal.sources, part, &proposal.scope)?;
            opens.push(NewCandidate {
                pass: None,
                ..self.judged(&proposal, &sources, &policy)?
            });
        }
        let closes = vec![(id, seen.version)];
        self.reshape(
            presence,
            Act::Split,
            &candidate,
            closes,
            opens,
            (seen.frame, note),
        )
    }

    /// Joins candidates that say the same: in the words of the first, from the sources of all. Where
    /// no words show that they do, a reason must.
    ///
    /// # Errors
    /// Somebody else came first, they hold elsewhere or say otherwise, or it cannot be written.
    pub fn merge(
        &self,
        presence: &Presence,
        marked: &[(CandidateId, Seen)],
        note: Option<String>,
    ) -> Result<Reshaped, DeskError> {
        self.may(presence, Act::Merge)?;
        let Some(((first, seen), others)) = marked.split_first() else {
            return Err(DeskError::NotPossible(
                "there is nothing to join".to_owned(),
            ));
        };
        if others.is_empty() || marked.len() > MOST {
            return Err(DeskError::NotPossible(format!(
                "2 candidates at least and {MOST} at most are joined, and these are {}",
                marked.len()
            )));
        }
        let candidate = self.waiting(*first, seen)?;
        let explained = note.as_deref().is_some_and(|note| !note.trim().is_empty());
        let mut sources: Vec<SourceRef> = candidate.sources.clone();
        for (id, seen) in others {
            let other = self.waiting(*id, seen)?;
            if let Some(why) = self.apart(&candidate, &other, explained) {
                return Err(DeskError::NotPossible(why));
            }
            let more: Vec<SourceRef> = other
                .sources
                .into_iter()
                .filter(|source| !sources.contains(source))
                .collect();
            sources.extend(more);
        }
        let proposal = Proposal {
            sources,
            ..proposal_of(&candidate)
        };
        let policy = self.in_force()?;
        let found = self.resolve(&proposal.sources, &proposal.claim, &proposal.scope)?;
        let opens = vec![NewCandidate {
            pass: None,
            ..self.judged(&proposal, &found, &policy)?
        }];
        let closes = marked.iter().map(|(id, seen)| (*id, seen.version));
        let closes = closes.collect();
        self.reshape(
            presence,
            Act::Merge,
            &candidate,
            closes,
            opens,
            (seen.frame, note),
        )
    }

    /// Why two candidates stay apart, if they do.
    fn apart(&self, first: &Candidate, other: &Candidate, explained: bool) -> Option<String> {
        let (one, id) = (first.id, other.id);
        if other.scope != first.scope || other.kind != first.kind {
            return Some(format!(
                "{id} is {} in {}, and {one} is {} in {}: they stay apart",
                other.kind, other.scope.layer, first.kind, first.scope.layer
            ));
        }
        let [own, theirs] = [first, other].map(|it| self.masked_reading(&it.claim));
        match bearing(&own, &theirs) {
            Some((relation, why)) if relation.is_against() => Some(format!(
                "{id} says otherwise than {one} ({relation}: {why}): they stay apart"
            )),
            // What was said of another thing would stand behind this claim.
            None if !explained => Some(format!(
                "{id} has too few words in common with {one} to be seen to say the same: `countersign merge {one} {id} --reason ..` joins them for a reason"
            )),
            Some(_) | None => None,
        }
    }

    fn reshape(
        &self,
        presence: &Presence,
        act: Act,
        first: &Candidate,
        closes: Vec<(CandidateId, u32)>,
        opens: Vec<NewCandidate>,
        (frame, note): (u64, Option<String>),
    ) -> Result<Reshaped, DeskError> {
        let note = note.map(|note| note.trim().to_owned());
        let mut new = NewReshaping {
            act,
            closes,
            frame,
            opens,
            standing,
            policy_text: self.in_force()?.text_hash(),
            hand: presence.hand().clone(),
            at: self.now(),
            note: match note.filter(|note| !note.is_empty()) {
                Some(body) => Some(Note {
                    salt: fresh_salt()?,
                    body,
                }),
                None => None,
            },
            shown: Note {
                salt: fresh_salt()?,
                body: self.shown(&first.claim).text,
            },
            signed: None,
        };
        new.signed = self.sign(presence, || Ok(self.store.draft_reshaping(&new)?), act)?;
        Ok(self.store.reshape(new)?)
    }

    /// A candidate that waits, as it was seen: wholly, and with nothing hidden in it.
    fn waiting(&self, id: CandidateId, seen: &Seen) -> Result<Candidate, DeskError> {
        let candidate = self.store.candidate(id)?;
        let shown = self.shown(&candidate.claim);
        if let Some(outcome) = candidate
            .outcome
            .clone()
            .filter(|_| candidate.state != CandidateState::Pending)
        {
            let item = id.to_string();
            return Err(DeskError::Conflict(Conflict::Decided { item, outcome }));
        }
        if candidate.state != CandidateState::Pending {
            return Err(DeskError::NotPossible(format!(
                "{id} is {}",
                candidate.state
            )));
        }
        if seen.version != candidate.version || seen.shown != shown.digest() {
            return Err(DeskError::Conflict(Conflict::Changed {
                item: id.to_string(),
                seen: seen.version,
                now: candidate.version,
            }));
        }
        if !seen.whole {
            return Err(DeskError::NotPossible(format!(
                "the whole text of {id} has not been on screen yet: scroll to its end first"
            )));
        }
        if !shown.masked.is_empty() {
            return Err(DeskError::NotPossible(format!(
                "{id} holds a secret: edit it out, or reject it"
            )));
        }
        Ok(candidate)
    }
}

/// The claims of a text, in its own bytes.
pub(in crate::desk) fn parts_of(claim: &str) -> Vec<String> {
    let cuts = crate::evidence::split(claim).into_iter();
    cuts.filter_map(|range| claim.get(range).map(str::to_owned))
        .collect()
}
