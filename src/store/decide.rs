//! Decisions: compare with what was seen, change, and enter in the ledger, in one transaction.
//!
//! Of two reviewers exactly one wins: whoever comes second finds another version or state and is
//! told who decided. Whether a decision is allowed at all was judged before it came here.

use crate::domain::candidate::{Candidate, CandidateState};
use crate::domain::decision::{Hand, Ruling, Signed};
use crate::domain::entry::{Beside, EntryDraft, Facts};
use crate::domain::memory::{Memory, MemoryState, Mode};
use crate::domain::{
    Act, CandidateId, Digest, EntrySeq, Influence, MemoryId, Salt, SessionId, SourceRef, Time,
};
use crate::store::candidate::{load, scope_facts, tally_name};
use crate::store::error::StoreError;
use crate::store::memory::load_memory;
use crate::store::write::{Tx, committed};
use crate::store::{Store, rows, search};
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

/// An entry to be, with the texts that will stand beside it: what is signed is what is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The entry.
    pub entry: EntryDraft,
    /// Its texts.
    pub beside: Vec<Beside>,
}

/// A text that an entry commits to and that is kept beside the ledger.
#[derive(Debug, Clone)]
pub struct Note {
    /// The salt of its commitment.
    pub salt: Salt,
    /// The text.
    pub body: String,
}

/// What an approval mints.
#[derive(Debug, Clone)]
pub struct Mint {
    /// The approved bytes.
    pub text: String,
    /// The salt of the commitment to them.
    pub salt: Salt,
    /// What it could cause.
    pub influence: Influence,
    /// How far it may be relied on.
    pub mode: Mode,
    /// When it ends.
    pub expires_at: Time,
    /// The key under which equal texts meet, so that an echo of it is known.
    pub fingerprint: Digest,
}

/// A change of a memory by a person.
#[derive(Debug, Clone)]
pub struct NewTurn {
    /// The memory.
    pub memory: MemoryId,
    /// `demote` or `restore`.
    pub act: Act,
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
    /// The signature over it, where the store is signed.
    pub signed: Option<Signed>,
}

/// A decision to be taken back: what it was and what it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Takeback {
    /// The entry to take back.
    pub entry: EntrySeq,
    /// What it was.
    pub act: Act,
    /// What it was done to.
    pub item: String,
    /// The memory it minted or changed.
    pub memory: Option<MemoryId>,
    /// The candidate it decided.
    pub candidate: Option<CandidateId>,
    /// When.
    pub at: Time,
}

impl Store {
    /// Carries out a ruling on a candidate. Returns the memory it minted, if it minted one.
    ///
    /// # Errors
    /// A conflict names who decided or which version stands now; then nothing was written.
    pub fn rule(&self, new: NewRuling) -> Result<(EntrySeq, Option<MemoryId>), StoreError> {
        self.write(move |tx| rule(tx, &new))
    }

    /// Demotes or restores a memory.
    ///
    /// # Errors
    /// The memory is not in the state this needs: then nothing was written.
    pub fn turn(&self, new: NewTurn) -> Result<EntrySeq, StoreError> {
        self.write(move |tx| turn(tx, &new))
    }

    /// Takes a decision back by doing its opposite, in an entry of its own.
    ///
    /// # Errors
    /// Something else happened to the item since: then nothing was written.
    pub fn take_back(
        &self,
        what: Takeback,
        hand: Hand,
        at: Time,
        signed: Option<Signed>,
    ) -> Result<EntrySeq, StoreError> {
        self.write(move |tx| take_back(tx, &what, &hand, at, signed.as_ref()))
    }

    /// The entry that a ruling would make now, for whoever has to sign it.
    ///
    /// # Errors
    /// The candidate is not there, or is not what it was.
    pub fn draft_ruling(&self, new: &NewRuling) -> Result<Draft, StoreError> {
        self.read_at_once(|db| {
            let candidate = load(db, new.candidate)?;
            check_unchanged(&candidate, new)?;
            Ok(ruling_draft(&candidate, new, act_of(new), mints(new, db)?))
        })
    }

    /// The entry that a change of a memory would make now.
    ///
    /// # Errors
    /// The memory is not there, or not in the state this needs.
    pub fn draft_turn(&self, new: &NewTurn) -> Result<Draft, StoreError> {
        self.read_at_once(|db| turn_draft(&load_memory(db, new.memory)?, new))
    }

    /// The entry that taking a decision back would make now.
    ///
    /// # Errors
    /// What it was done to is not there.
    pub fn draft_take_back(
        &self,
        what: &Takeback,
        hand: &Hand,
        at: Time,
    ) -> Result<Draft, StoreError> {
        self.read_at_once(|db| {
            let undone = Undone::of(db, what)?;
            Ok(Draft {
                entry: take_back_draft(what, &undone, hand, at),
                beside: Vec::new(),
            })
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
    let draft = ruling_draft(&candidate, new, act, memory);
    let entry = tx.append_signed(draft, new.signed.as_ref())?;
    if let (Some(mint), Some(id)) = (&new.mint, memory) {
        insert_memory(tx, &candidate, new, mint, id, entry)?;
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

fn mint_facts(candidate: &Candidate, mint: &Mint, id: Option<MemoryId>, facts: &mut Facts) {
    if let Some(id) = id {
        facts.insert("memory".to_owned(), id.to_string());
    }
    let more = [
        ("evidence", sources_digest(&candidate.sources).to_string()),
        ("expires_at", mint.expires_at.millis().to_string()),
        ("influence", mint.influence.to_string()),
        ("kind", candidate.kind.to_string()),
        ("mode", mint.mode.to_string()),
        ("trust", candidate.trust.to_string()),
    ];
    facts.extend(more.map(|(key, value)| (key.to_owned(), value)));
    scope_facts(&candidate.scope, facts);
}

/// What a claim rests on, as a digest: the references themselves stand in the rows.
#[must_use]
pub fn sources_digest(sources: &[SourceRef]) -> Digest {
    Digest::of(rows::sources_text(sources).as_bytes())
}

fn insert_memory(
    tx: &Tx<'_>,
    candidate: &Candidate,
    new: &NewRuling,
    mint: &Mint,
    id: MemoryId,
    entry: EntrySeq,
) -> Result<(), StoreError> {
    let layer = tx.layer(&candidate.scope.layer)?;
    let values: [&dyn ToSql; 19] = [
        &id.0,
        &id.0,
        &candidate.id.0,
        &entry.0,
        &mint.text,
        &mint.salt.0.as_slice(),
        &candidate.kind.code(),
        &mint.influence.code(),
        &mint.mode.code(),
        &MemoryState::Active.code(),
        &candidate.trust.code(),
        &layer,
        &candidate
            .scope
            .project
            .as_ref()
            .map(crate::domain::Project::as_str),
        &candidate.scope.session.as_ref().map(SessionId::as_str),
        &rows::sources_text(&candidate.sources),
        &new.at.millis(),
        &new.hand.reviewer.name.as_str(),
        &mint.expires_at.millis(),
        &mint.fingerprint.0.as_slice(),
    ];
    tx.db()
        .prepare_cached(
            "INSERT INTO memory (id, lineage, candidate, entry, text, salt, kind, influence, mode, state, trust, layer, project, \
             session, sources, approved_at, approved_by, expires_at, fingerprint) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)",
        )?
        .execute(values)?;
    tx.tally("memories", 1)?;
    index_memory(tx, id, layer, &mint.text)
}

fn index_memory(tx: &Tx<'_>, id: MemoryId, layer: i64, text: &str) -> Result<(), StoreError> {
    tx.db()
        .prepare_cached("INSERT INTO memory_text (rowid, ltok, body) VALUES (?1, ?2, ?3)")?
        .execute((id.0, search::layer_token(layer), text))?;
    Ok(())
}

fn unindex_memory(tx: &Tx<'_>, id: MemoryId) -> Result<(), StoreError> {
    tx.db()
        .prepare_cached("DELETE FROM memory_text WHERE rowid = ?1")?
        .execute([id.0])?;
    Ok(())
}

pub(in crate::store) fn count_move(
    tx: &Tx<'_>,
    before: &Candidate,
    next: CandidateState,
    held: bool,
) -> Result<(), StoreError> {
    if before.state != next {
        tx.tally(tally_name(before.state), -1)?;
        tx.tally(tally_name(next), 1)?;
    }
    match (before.held, held) {
        (false, true) => tx.tally("held", 1),
        (true, false) => tx.tally("held", -1),
        _ => Ok(()),
    }
}

fn turn(tx: &Tx<'_>, new: &NewTurn) -> Result<EntrySeq, StoreError> {
    let new = &NewTurn {
        at: tx.moment(new.at)?,
        ..new.clone()
    };
    let memory = load_memory(tx.db(), new.memory)?;
    let draft = turn_draft(&memory, new)?;
    let entry = tx.append_signed(draft, new.signed.as_ref())?;
    let why = new
        .note
        .as_ref()
        .map(|note| &note.body)
        .or(new.reason.as_ref());
    let (_, next) = turned(new.act);
    set_memory(tx, &memory, next, Some((&new.hand, new.at, new.act, why)))?;
    crate::store::pulse::turned(tx, &memory.scope.layer, new.act, new.at)?;
    Ok(entry)
}

/// The state a change of a memory needs, and the one it leaves.
const fn turned(act: Act) -> (MemoryState, MemoryState) {
    match act {
        Act::Restore => (MemoryState::Demoted, MemoryState::Active),
        _ => (MemoryState::Active, MemoryState::Demoted),
    }
}

fn turn_draft(memory: &Memory, new: &NewTurn) -> Result<Draft, StoreError> {
    let (needed, next) = turned(new.act);
    if memory.written_state != needed {
        let outcome = memory.demoted.clone();
        return Err(StoreError::Conflict {
            item: memory.id.to_string(),
            seen: 0,
            now: 0,
            outcome,
        });
    }
    let mut facts: Facts = [("memory_state".to_owned(), next.to_string())].into();
    if let Some(reason) = &new.reason {
        facts.insert("reason".to_owned(), reason.clone());
    }
    let mut texts = vec![beside("before", &new.shown)];
    texts.extend(new.note.as_ref().map(|note| beside("reason", note)));
    let entry = EntryDraft {
        at: new.at,
        actor: new.hand.reviewer.name.to_string(),
        assurance: new.hand.assurance,
        act: new.act,
        item: memory.id.to_string(),
        facts,
    };
    Ok(Draft {
        entry: committed(entry, &texts),
        beside: texts,
    })
}

pub(in crate::store) type Change<'a> = (&'a Hand, Time, Act, Option<&'a String>);

pub(in crate::store) fn set_memory(
    tx: &Tx<'_>,
    memory: &Memory,
    next: MemoryState,
    change: Option<Change<'_>>,
) -> Result<(), StoreError> {
    let values: [&dyn ToSql; 6] = [
        &memory.id.0,
        &next.code(),
        &change.map(|(hand, ..)| hand.reviewer.name.as_str()),
        &change.map(|(_, at, ..)| at.millis()),
        &change.map(|(_, _, act, _)| act.code()),
        &change.and_then(|(.., why)| why),
    ];
    tx.db()
        .prepare_cached(
            "UPDATE memory SET state = ?2, changed_by = ?3, changed_at = ?4, changed_act = ?5, changed_why = ?6 WHERE id = ?1",
        )?
        .execute(values)?;
    if next == MemoryState::Active {
        let layer = tx.layer(&memory.scope.layer)?;
        tx.tally("memories", 1)?;
        index_memory(tx, memory.id, layer, &memory.text)
    } else {
        tx.tally("memories", -1)?;
        unindex_memory(tx, memory.id)
    }
}

/// What taking a decision back changes.
struct Undone {
    memory: Option<(Memory, MemoryState)>,
    candidate: Option<(Candidate, CandidateState)>,
}

impl Undone {
    fn of(db: &Connection, what: &Takeback) -> Result<Self, StoreError> {
        let next = if what.act == Act::Demote {
            MemoryState::Active
        } else {
            MemoryState::Demoted
        };
        let memory = what.memory.map(|id| load_memory(db, id)).transpose()?;
        let candidate = what.candidate.map(|id| load(db, id)).transpose()?;
        Ok(Self {
            memory: memory.map(|memory| (memory, next)),
            candidate: candidate.map(|candidate| (candidate, state_before(what.act))),
        })
    }
}

fn take_back_draft(what: &Takeback, undone: &Undone, hand: &Hand, at: Time) -> EntryDraft {
    let mut facts: Facts = [("undoes".to_owned(), what.entry.to_string())].into();
    if let Some((_, next)) = &undone.memory {
        facts.insert("memory_state".to_owned(), next.to_string());
        facts.insert("reason".to_owned(), "undone".to_owned());
    }
    if let Some((candidate, next)) = &undone.candidate {
        facts.insert("candidate".to_owned(), candidate.id.to_string());
        facts.insert("status".to_owned(), next.to_string());
        facts.insert(
            "version".to_owned(),
            candidate.version.saturating_add(1).to_string(),
        );
    }
    EntryDraft {
        at,
        actor: hand.reviewer.name.to_string(),
        assurance: hand.assurance,
        act: Act::Undo,
        item: what
            .memory
            .map_or_else(|| what.item.clone(), |memory| memory.to_string()),
        facts,
    }
}

fn take_back(
    tx: &Tx<'_>,
    what: &Takeback,
    hand: &Hand,
    at: Time,
    signed: Option<&Signed>,
) -> Result<EntrySeq, StoreError> {
    let at = tx.moment(at)?;
    check_newest(tx, what)?;
    let undone = Undone::of(tx.db(), what)?;
    let draft = Draft {
        entry: take_back_draft(what, &undone, hand, at),
        beside: Vec::new(),
    };
    let entry = tx.append_signed(draft, signed)?;
    crate::store::pulse::taken_back(tx, what)?;
    if let Some((memory, next)) = undone.memory {
        let why = "undone".to_owned();
        let change: Change<'_> = (hand, at, Act::Undo, Some(&why));
        set_memory(
            tx,
            &memory,
            next,
            (next != MemoryState::Active).then_some(change),
        )?;
    }
    if let Some((candidate, next)) = undone.candidate {
        tx.db()
            .prepare_cached(
                "UPDATE candidate SET version = version + 1, state = ?2, held = 0, snoozed_until = 0, memory = NULL, \
                 decided_by = NULL, decided_at = NULL, decided_act = NULL, decided_why = NULL WHERE id = ?1",
            )?
            .execute((candidate.id.0, next.code()))?;
        count_move(tx, &candidate, next, false)?;
    }
    Ok(entry)
}

/// Where a candidate stood before this act.
const fn state_before(act: Act) -> CandidateState {
    match act {
        Act::Release | Act::Confirm => CandidateState::Quarantined,
        _ => CandidateState::Pending,
    }
}

/// Refused once another act followed on the same item.
fn check_newest(tx: &Tx<'_>, what: &Takeback) -> Result<(), StoreError> {
    let mut find = tx.db().prepare_cached(
        "SELECT seq FROM entry WHERE item IN (?1, ?2, ?3) AND seq > ?4 AND act <> 21 AND act NOT IN (13, 22, 23, 25, 26, 27) ORDER BY seq LIMIT 1",
    )?;
    let memory = what.memory.map(|id| id.to_string()).unwrap_or_default();
    let candidate = what.candidate.map(|id| id.to_string()).unwrap_or_default();
    let mut later = find.query((&what.item, memory, candidate, what.entry.0))?;
    match later.next()? {
        None => Ok(()),
        Some(_) => Err(StoreError::Conflict {
            item: what.item.clone(),
            seen: 0,
            now: 0,
            outcome: None,
        }),
    }
}

fn beside(part: &str, note: &Note) -> Beside {
    Beside {
        part: part.to_owned(),
        salt: note.salt,
        body: note.body.clone(),
    }
}
