//! A ruling on a candidate: approved, edited, rejected, released, confirmed, held or snoozed.

use crate::domain::candidate::{Candidate, CandidateState};
use crate::domain::decision::{Hand, Ruling, Signed};
use crate::domain::entry::{Beside, EntryDraft, Facts};
use crate::domain::memory::{Memory, MemoryState};
use crate::domain::{Act, CandidateId, Digest, EntrySeq, LineageId, MemoryId, Time};
use crate::store::Store;
use crate::store::candidate::load;
use crate::store::decide::mint::{Mint, insert_memory, mint_facts};
use crate::store::decide::turn::set_memory;
use crate::store::decide::{Draft, Note, beside, count_move};
use crate::store::error::StoreError;
use crate::store::memory::load_memory;
use crate::store::write::{Tx, committed};
use rusqlite::{Connection, ToSql};

/// A ruling on a candidate, with everything its entry holds.
#[derive(Debug, Clone)]
pub struct NewRuling {
    /// The candidate.
    pub candidate: CandidateId,
    /// The version that was on screen.
    pub seen: u32,
    /// The number of the frame that showed it.
    pub frame: u64,
    /// What is to be done.
    pub ruling: Ruling,
    /// Who decides.
    pub hand: Hand,
    /// When.
    pub at: Time,
    /// The reason's word.
    pub reason: Option<String>,
    /// The reason in the reviewer's own words.
    pub note: Option<Note>,
    /// The text that was on screen, and the salt of its commitment.
    pub shown: Note,
    /// The policy in force.
    pub policy: Digest,
    /// The hash of its text: it must still be in force when this is written.
    pub policy_text: Digest,
    /// The memory to be minted, for an approval or an edit.
    pub mint: Option<Mint>,
    /// The memory that it takes the place of.
    pub supersedes: Option<MemoryId>,
    /// How far this approval goes.
    pub reach: ApprovalReach,
    /// How many milliseconds the text had been on screen, where that was measured.
    pub on_screen: Option<u64>,
    /// The signature over it, where the store is signed.
    pub signed: Option<Signed>,
}

/// How far one approval goes, where more than one may be needed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ApprovalReach {
    /// It suffices.
    #[default]
    Alone,
    /// It is noted; somebody else must approve too.
    First,
    /// It completes those that these entries noted.
    Completes(Vec<EntrySeq>),
}

impl Store {
    /// Carries out a ruling on a candidate. Returns the memory it minted, if it minted one.
    ///
    /// # Errors
    /// A conflict names who decided or which version stands now; then nothing was written.
    pub fn rule(&self, new: NewRuling) -> Result<(EntrySeq, Option<MemoryId>), StoreError> {
        self.write(move |tx| rule(tx, &new))
    }

    /// The entry that a ruling would make now, for whoever has to sign it.
    ///
    /// # Errors
    /// The candidate is not there, or is not what it was.
    pub fn draft_ruling(&self, new: &NewRuling) -> Result<Draft, StoreError> {
        self.read_at_once(|db| {
            let candidate = load(db, new.candidate)?;
            check_unchanged(&candidate, new)?;
            replaced(db, new)?;
            Ok(ruling_draft(&candidate, new, act_of(new), mints(new, db)?))
        })
    }
}

fn rule(tx: &Tx<'_>, new: &NewRuling) -> Result<(EntrySeq, Option<MemoryId>), StoreError> {
    let new = &NewRuling {
        at: tx.moment(new.at)?,
        ..new.clone()
    };
    if new.mint.is_some() && !crate::store::policy::is_in_force(tx, &new.policy_text)? {
        return Err(StoreError::PolicyChanged);
    }
    rule_as(tx, new, act_of(new))
}

/// Carries out a ruling as this act: a person's own, or the policy's.
pub(in crate::store) fn rule_as(
    tx: &Tx<'_>,
    new: &NewRuling,
    act: Act,
) -> Result<(EntrySeq, Option<MemoryId>), StoreError> {
    let candidate = load(tx.db(), new.candidate)?;
    check_unchanged(&candidate, new)?;
    let after = After::of(&candidate, new);
    let memory = mints(new, tx.db())?;
    let old = replaced(tx.db(), new)?;
    let draft = ruling_draft(&candidate, new, act, memory);
    let entry = tx.append_signed(draft, new.signed.as_ref())?;
    if let (Some(mint), Some(id)) = (&new.mint, memory) {
        let lineage = old.as_ref().map_or(LineageId(id.0), |old| old.lineage);
        insert_memory(tx, &candidate, new, mint, (id, lineage), entry)?;
        if let Some(old) = &old {
            let why = format!("superseded by {id}");
            let change = (&new.hand, new.at, act, Some(&why));
            set_memory(tx, old, MemoryState::Superseded, Some(change))?;
        }
    }
    update_candidate(tx, &candidate, (new, act), &after, memory)?;
    count_move(tx, &candidate, after.state, after.held)?;
    crate::store::pulse::ruled(tx, &candidate.scope.layer, new, act)?;
    Ok((entry, memory))
}

/// The act a ruling enters: an approval that does not suffice is another act.
const fn act_of(new: &NewRuling) -> Act {
    match new.reach {
        ApprovalReach::First => Act::Endorse,
        ApprovalReach::Alone | ApprovalReach::Completes(_) => new.ruling.act(),
    }
}

/// The memory that this ruling takes the place of: it must still be there to be replaced.
fn replaced(db: &Connection, new: &NewRuling) -> Result<Option<Memory>, StoreError> {
    let Some(id) = new.supersedes else {
        return Ok(None);
    };
    let old = load_memory(db, id)?;
    if old.written_state == MemoryState::Active {
        return Ok(Some(old));
    }
    Err(StoreError::Conflict {
        item: id.to_string(),
        seen: 0,
        now: 0,
        outcome: old.changed,
    })
}

/// The number the memory will have, if this ruling mints one.
fn mints(new: &NewRuling, db: &Connection) -> Result<Option<MemoryId>, StoreError> {
    if new.mint.is_none() || new.reach == ApprovalReach::First {
        return Ok(None);
    }
    let mut find = db.prepare_cached("SELECT COALESCE(max(id), 0) + 1 FROM memory")?;
    Ok(Some(MemoryId(find.query_row([], |row| row.get(0))?)))
}

fn ruling_draft(
    candidate: &Candidate,
    new: &NewRuling,
    act: Act,
    memory: Option<MemoryId>,
) -> Draft {
    let mut facts = ruling_facts(new, &After::of(candidate, new));
    if act == Act::Auto {
        facts.insert("policy_text".to_owned(), new.policy_text.to_string());
    }
    let mut texts = vec![beside("before", &new.shown)];
    texts.extend(new.note.as_ref().map(|note| beside("reason", note)));
    if let Some(mint) = &new.mint {
        mint_facts(candidate, mint, memory, &mut facts);
        texts.push(Beside {
            part: "text".to_owned(),
            salt: mint.salt,
            body: mint.text.clone(),
        });
    }
    let entry = EntryDraft {
        at: new.at,
        actor: new.hand.reviewer.name.to_string(),
        assurance: new.hand.assurance,
        act,
        item: candidate.id.to_string(),
        facts,
    };
    Draft {
        entry: committed(entry, &texts),
        beside: texts,
    }
}

/// Where a ruling leaves its candidate.
struct After {
    version: u32,
    state: CandidateState,
    held: bool,
    snoozed_until: i64,
    decides: bool,
}

impl After {
    fn of(candidate: &Candidate, new: &NewRuling) -> Self {
        let ruling = &new.ruling;
        let state = match ruling {
            _ if new.reach == ApprovalReach::First => candidate.state,
            Ruling::Approve | Ruling::Edit(_) => CandidateState::Approved,
            Ruling::Reject | Ruling::Confirm => CandidateState::Rejected,
            Ruling::Release => CandidateState::Pending,
            Ruling::Hold(_) | Ruling::Snooze(_) => candidate.state,
        };
        Self {
            version: candidate.version.saturating_add(1),
            state,
            held: matches!(ruling, Ruling::Hold(true)),
            snoozed_until: if let Ruling::Snooze(until) = ruling {
                until.millis()
            } else {
                0
            },
            decides: state != candidate.state,
        }
    }
}

fn ruling_facts(new: &NewRuling, after: &After) -> Facts {
    let mut facts: Facts = [
        ("frame", new.frame.to_string()),
        ("policy", new.policy.to_string()),
        ("seen", new.seen.to_string()),
        ("status", after.state.to_string()),
        ("version", after.version.to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    if let Some(reason) = &new.reason {
        facts.insert("reason".to_owned(), reason.clone());
    }
    if let Some(old) = new.supersedes {
        facts.insert("supersedes".to_owned(), old.to_string());
    }
    if let Some(ms) = new.on_screen {
        facts.insert("on_screen_ms".to_owned(), ms.to_string());
    }
    if after.held {
        facts.insert("held".to_owned(), "yes".to_owned());
    }
    if let ApprovalReach::Completes(entries) = &new.reach {
        let listed: Vec<String> = entries.iter().map(ToString::to_string).collect();
        facts.insert("endorsed".to_owned(), listed.join(" "));
    }
    if after.snoozed_until > 0 {
        facts.insert("snoozed_until".to_owned(), after.snoozed_until.to_string());
    }
    facts
}

fn update_candidate(
    tx: &Tx<'_>,
    candidate: &Candidate,
    (new, act): (&NewRuling, Act),
    after: &After,
    memory: Option<MemoryId>,
) -> Result<(), StoreError> {
    let why = new
        .note
        .as_ref()
        .map(|note| &note.body)
        .or(new.reason.as_ref());
    let decided = after.decides.then_some(act);
    let values: [&dyn ToSql; 10] = [
        &candidate.id.0,
        &after.version,
        &after.state.code(),
        &after.held,
        &after.snoozed_until,
        &memory.map(|memory| memory.0),
        &decided.map(|_| new.hand.reviewer.name.as_str()),
        &decided.map(|_| new.at.millis()),
        &decided.map(Act::code),
        &decided.and(why),
    ];
    tx.db()
        .prepare_cached(
            "UPDATE candidate SET version = ?2, state = ?3, held = ?4, snoozed_until = ?5, memory = COALESCE(?6, memory), \
             decided_by = ?7, decided_at = ?8, decided_act = ?9, decided_why = ?10 WHERE id = ?1",
        )?
        .execute(values)?;
    Ok(())
}

fn check_unchanged(candidate: &Candidate, new: &NewRuling) -> Result<(), StoreError> {
    let waits = match new.ruling {
        Ruling::Release | Ruling::Confirm => candidate.state == CandidateState::Quarantined,
        Ruling::Approve
        | Ruling::Edit(_)
        | Ruling::Reject
        | Ruling::Hold(_)
        | Ruling::Snooze(_) => candidate.state == CandidateState::Pending,
    };
    if waits && candidate.version == new.seen {
        return Ok(());
    }
    Err(StoreError::Conflict {
        item: candidate.id.to_string(),
        seen: new.seen,
        now: candidate.version,
        outcome: candidate.outcome.clone().filter(|_| !waits),
    })
}
