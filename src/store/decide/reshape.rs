//! Candidates in another shape: one split into its claims, or several that say the same joined into one.
//!
//! The old ones are closed and the new ones proposed in one transaction. The decision's entry comes
//! first and commits to the texts of what it opens; each of those then has its own entry, as judged.

use crate::domain::candidate::{Candidate, CandidateState, Standing};
use crate::domain::decision::{Hand, Signed};
use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::{Act, CandidateId, Commitment, Digest, EntrySeq, Time};
use crate::store::Store;
use crate::store::candidate::{NewCandidate, StandingOf, insert, kin, load};
use crate::store::decide::{Draft, Note, beside, count_move};
use crate::store::error::StoreError;
use crate::store::write::{Tx, committed};
use rusqlite::Connection;

/// A split or a merge, with everything its entry holds.
#[derive(Debug, Clone)]
pub struct NewReshaping {
    /// `split` or `merge`.
    pub act: Act,
    /// What is closed, with the version of each that was on screen; the first names the act.
    pub closes: Vec<(CandidateId, u32)>,
    /// The number of the frame that showed the first.
    pub frame: u64,
    /// What is opened, as the gate judged it.
    pub opens: Vec<NewCandidate>,
    /// Whether an earlier candidate with the same claim stands in the way.
    pub standing: StandingOf,
    /// The hash of the policy's text under which they were judged.
    pub policy_text: Digest,
    /// Who decides.
    pub hand: Hand,
    /// When.
    pub at: Time,
    /// The reason, in the reviewer's own words.
    pub note: Option<Note>,
    /// The text that was on screen, and the salt of its commitment.
    pub shown: Note,
    /// The signature over it, where the store is signed.
    pub signed: Option<Signed>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reshaped {
    /// The entry that says so.
    pub entry: EntrySeq,
    /// The candidates that were opened, with where each stands.
    pub opened: Vec<(CandidateId, CandidateState)>,
    /// Earlier candidates that say the same as a part: they stand, and nothing was opened for it.
    pub stands: Vec<CandidateId>,
}

/// What would happen, worked out before anything is written.
struct Plan {
    closes: Vec<Candidate>,
    opens: Vec<(CandidateId, NewCandidate)>,
    stands: Vec<CandidateId>,
}

impl Store {
    /// Carries a split or a merge out.
    ///
    /// # Errors
    /// One of the candidates does not wait any more, or another policy is in force; then nothing was written.
    pub fn reshape(&self, new: NewReshaping) -> Result<Reshaped, StoreError> {
        self.write(move |tx| reshape(tx, &new))
    }

    /// The entry that it would make now.
    ///
    /// # Errors
    /// As `reshape`.
    pub fn draft_reshaping(&self, new: &NewReshaping) -> Result<Draft, StoreError> {
        self.read_at_once(|db| Ok(draft(&Plan::of(db, new)?, new)))
    }
}

impl Plan {
    fn of(db: &Connection, new: &NewReshaping) -> Result<Self, StoreError> {
        let mut closes = Vec::new();
        for (id, seen) in &new.closes {
            let candidate = load(db, *id)?;
            if candidate.state != CandidateState::Pending || candidate.version != *seen {
                let waits = candidate.state == CandidateState::Pending;
                return Err(StoreError::Conflict {
                    item: id.to_string(),
                    seen: *seen,
                    now: candidate.version,
                    outcome: candidate.outcome.filter(|_| !waits),
                });
            }
            closes.push(candidate);
        }
        let (mut opens, mut stands) = (Vec::new(), Vec::new());
        let mut next: i64 = db
            .prepare_cached("SELECT COALESCE(max(id), 0) FROM candidate")?
            .query_row([], |row| row.get(0))?;
        for one in &new.opens {
            // What a split brings to light may have been turned down before: it stays so.
            let known = if new.act == Act::Split {
                kin(&Tx::on(db), one)?
            } else {
                None
            };
            let known = known.filter(|kin| (new.standing)(kin, one.support) != Standing::New);
            match known {
                Some(kin) => stands.push(kin.candidate),
                None => {
                    next += 1;
                    opens.push((CandidateId(next), one.clone()));
                }
            }
        }
        Ok(Self {
            closes,
            opens,
            stands,
        })
    }
}

fn reshape(tx: &Tx<'_>, new: &NewReshaping) -> Result<Reshaped, StoreError> {
    let new = &NewReshaping {
        at: tx.moment(new.at)?,
        ..new.clone()
    };
    if !crate::store::policy::is_in_force(tx, &new.policy_text)? {
        return Err(StoreError::PolicyChanged);
    }
    let plan = Plan::of(tx.db(), new)?;
    let entry = tx.append_signed(draft(&plan, new), new.signed.as_ref())?;
    for candidate in &plan.closes {
        set_closed(tx, candidate, Some(new))?;
    }
    let mut opened = Vec::new();
    for (id, one) in &plan.opens {
        let one = NewCandidate {
            at: new.at,
            ..one.clone()
        };
        insert(tx, &one, None)?;
        opened.push((*id, load(tx.db(), *id)?.state));
    }
    if let Some(first) = plan.closes.first() {
        crate::store::pulse::turned(tx, &first.scope.layer, new.act, new.at)?;
    }
    Ok(Reshaped {
        entry,
        opened,
        stands: plan.stands,
    })
}

/// Closes a candidate; without a decision of its own where one was taken back.
pub(in crate::store::decide) fn set_closed(
    tx: &Tx<'_>,
    candidate: &Candidate,
    new: Option<&NewReshaping>,
) -> Result<(), StoreError> {
    let why = new.and_then(|new| new.note.as_ref()).map(|note| &note.body);
    tx.db()
        .prepare_cached(
            "UPDATE candidate SET version = version + 1, state = ?2, held = 0, snoozed_until = 0, decided_by = ?3, \
             decided_at = ?4, decided_act = ?5, decided_why = ?6 WHERE id = ?1",
        )?
        .execute((
            candidate.id.0,
            CandidateState::Closed.code(),
            new.map(|new| new.hand.reviewer.name.as_str()),
            new.map(|new| new.at.millis()),
            new.map(|new| new.act.code()),
            why,
        ))?;
    count_move(tx, candidate, CandidateState::Closed, false)
}

fn draft(plan: &Plan, new: &NewReshaping) -> Draft {
    let closes: Vec<String> = plan.closes.iter().map(|one| one.id.to_string()).collect();
    let opens: Vec<String> = plan.opens.iter().map(|(id, _)| id.to_string()).collect();
    let seen: Vec<String> = new
        .closes
        .iter()
        .map(|(_, seen)| seen.to_string())
        .collect();
    let mut facts: Facts = [
        ("closes", closes.join(" ")),
        ("frame", new.frame.to_string()),
        ("opens", opens.join(" ")),
        ("policy_text", new.policy_text.to_string()),
        ("seen", seen.join(" ")),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    if !plan.stands.is_empty() {
        let stands: Vec<String> = plan.stands.iter().map(ToString::to_string).collect();
        facts.insert("stands".to_owned(), stands.join(" "));
    }
    // The same commitment as in the entry of each: its salt lies with its candidate.
    for (at, (_, one)) in plan.opens.iter().enumerate() {
        let commitment = Commitment::to(&one.salt, one.proposal.claim.as_bytes());
        facts.insert(format!("part_{}", at + 1), commitment.to_string());
    }
    let mut texts = vec![beside("before", &new.shown)];
    texts.extend(new.note.as_ref().map(|note| beside("reason", note)));
    let entry = EntryDraft {
        at: new.at,
        actor: new.hand.reviewer.name.to_string(),
        assurance: new.hand.assurance,
        act: new.act,
        item: closes.first().cloned().unwrap_or_default(),
        facts,
    };
    Draft {
        entry: committed(entry, &texts),
        beside: texts,
    }
}
