//! How long a memory lives by its entries: as approved, moved by every renewal that stands. The row
//! must say the same, and where decisions are signed, people that this store believes must have
//! moved it.

use crate::desk::Desk;
use crate::desk::recall::sound_entry;
use crate::desk::signing::Grounds;
use crate::domain::entry::Entry;
use crate::domain::reviewer::Footing;
use crate::domain::{Act, EntrySeq, Time};
use crate::keys::Reviewers;
use crate::ledger::canonical::decode;
use crate::store::recall::{KeptEntry, Recalled};

/// When a memory ends, and the renewals that stand.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::desk) struct Life {
    /// When it ends.
    pub(in crate::desk) ends: Time,
    /// The renewals that were not taken back, oldest first.
    pub(in crate::desk) renewals: Vec<Entry>,
}

/// Follows the renewals from the approval on. What was taken back moved nothing.
///
/// # Errors
/// An entry that was changed, or does not say what it must say.
pub(in crate::desk) fn life(minted: &Entry, turns: &[KeptEntry]) -> Result<Life, String> {
    let mut renewals: Vec<Entry> = Vec::new();
    for kept in turns {
        let turn = sound_entry(kept, &[Act::Demote, Act::Restore, Act::Renew, Act::Undo])?;
        let undoes = turn.draft.facts.get("undoes");
        match turn.draft.act {
            Act::Renew => renewals.push(turn),
            Act::Undo if renewals.last().map(|one| one.seq.to_string()).as_ref() == undoes => {
                renewals.pop();
            }
            _ => {}
        }
    }
    let last = renewals.last().unwrap_or(minted);
    let ends = last.draft.facts.get("expires_at");
    let ends = ends.and_then(|millis| millis.parse().ok());
    let ends = ends.ok_or_else(|| format!("{} does not say when it ends", last.seq))?;
    Ok(Life {
        ends: Time::from_millis(ends),
        renewals,
    })
}

impl Desk {
    /// Whether those who turned a memory or moved its end are people that this store believes.
    pub(in crate::desk) fn check_turns(
        &self,
        grounds: &Grounds,
        recalled: &Recalled,
    ) -> Result<(), String> {
        let list = &grounds.list;
        if list.footing() != Footing::Signed {
            return Ok(());
        }
        let here = grounds.policy.at(&recalled.memory.scope.layer);
        let needed = here.reviewers_needed(recalled.memory.influence) as usize;
        let newest = recalled.turns.len().saturating_sub(1);
        for (at, kept) in recalled.turns.iter().enumerate() {
            let entry = decode(&kept.bytes).map_err(|error| format!("{}: {error}", kept.seq))?;
            let moves =
                entry.draft.act == Act::Renew || entry.draft.facts.contains_key("expires_at");
            if at == newest || moves {
                self.check_entry(list, kept)?;
            }
            if entry.draft.act == Act::Renew && needed > 1 && !list.adopted(&kept.hash) {
                self.check_together(list, needed, &entry, &["expires_before"])?;
                self.check_none_outlived(&entry)?;
            }
        }
        Ok(())
    }

    /// An approval that put another memory in its place takes it out of service, unless that was
    /// taken back by somebody whom this store believes.
    pub(in crate::desk) fn check_not_replaced(
        &self,
        list: &Reviewers,
        recalled: &Recalled,
    ) -> Result<(), String> {
        for (approval, undos) in &recalled.replaced {
            let name = approval.seq.to_string();
            let mut stands = true;
            for kept in undos {
                let undo = sound_entry(kept, &[Act::Undo])?;
                if undo.draft.facts.get("undoes") == Some(&name) {
                    if list.footing() == Footing::Signed {
                        self.check_entry(list, kept)?;
                    }
                    stands = false;
                }
            }
            if stands {
                return Err(format!("{name} put another memory in its place"));
            }
        }
        Ok(())
    }

    /// The last of several people may not make it live longer than those before allowed.
    fn check_none_outlived(&self, renewal: &Entry) -> Result<(), String> {
        let end =
            |entry: &Entry| -> Option<i64> { entry.draft.facts.get("expires_at")?.parse().ok() };
        let named = renewal.draft.facts.get("endorsed");
        for seq in named.into_iter().flat_map(|list| list.split(' ')) {
            let seq = EntrySeq::parse(seq).map_err(|error| error.to_string())?;
            let kept = self
                .store
                .kept_entry(seq)
                .map_err(|error| error.to_string())?;
            let first = kept.and_then(|kept| decode(&kept.bytes).ok());
            if first.as_ref().and_then(end) < end(renewal) {
                return Err(format!(
                    "{seq} did not let it live as long as {}",
                    renewal.seq
                ));
            }
        }
        Ok(())
    }
}
