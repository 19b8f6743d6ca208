//! Looking at a hidden secret: an act by somebody from security, on record before it is done.
//!
//! The entry says who looked at which item and when; the value stands nowhere but in the answer.

use crate::desk::presence::Presence;
use crate::desk::{Desk, DeskError};
use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::{Act, CandidateId};
use crate::store::decide::Draft;

impl Desk {
    /// The secrets of a candidate, in the order they stand in it. On record before they are returned.
    ///
    /// # Errors
    /// The reviewer is not from security, nothing is hidden there, or it cannot be put on record.
    pub fn reveal(
        &self,
        presence: &Presence,
        candidate: CandidateId,
    ) -> Result<Vec<String>, DeskError> {
        let hand = presence.hand();
        let name = hand.reviewer.name.as_str();
        if let Err(why) = self.may(presence, Act::Reveal) {
            self.note_refusal(name, "reveal", &candidate.to_string(), &why.to_string())?;
            return Err(why);
        }
        let kept = self.store.candidate(candidate)?;
        let masked = self.shown(&kept.claim).masked;
        if masked.is_empty() {
            return Err(DeskError::NotPossible(format!(
                "nothing is hidden in {candidate}"
            )));
        }
        let facts: Facts = [
            ("count", masked.len().to_string()),
            ("version", kept.version.to_string()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into();
        let draft = Draft {
            entry: EntryDraft {
                at: self.now(),
                actor: name.to_owned(),
                assurance: hand.assurance,
                act: Act::Reveal,
                item: candidate.to_string(),
                facts,
            },
            beside: Vec::new(),
        };
        let signed = self.sign(presence, || Ok(draft.clone()), Act::Reveal)?;
        self.store.note_signed(draft, signed)?;
        let secret = |range| kept.claim.get::<std::ops::Range<usize>>(range);
        Ok(masked
            .iter()
            .filter_map(|span| secret(span.range()))
            .map(str::to_owned)
            .collect())
    }
}
