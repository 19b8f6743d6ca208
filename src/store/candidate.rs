//! Candidates in, and the queue out: keyset pages, oldest first, nothing counted while reading.

use crate::domain::candidate::{Candidate, CandidateRow, CandidateState, Kin, Proposal, Standing};
use crate::domain::decision::{Hand, Ruling};
use crate::domain::digest::Hasher;
use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::memory::MemoryState;
use crate::domain::pattern::Support;
use crate::domain::query::{Facts as Asked, Is, Query, Searched, Term};
use crate::domain::{
    Act, Assurance, CandidateId, Class, Commitment, Digest, Finding, Influence, MemoryId,
    PatternId, Salt, Scope, SessionId, Severity, SourceRef, Time, TraceParent, Trust, Verdict,
};
use crate::store::decide::{ApprovalReach, Mint, NewRuling, Note, rule_as};
use crate::store::error::StoreError;
use crate::store::policy::ShadowSaid;
use crate::store::write::Tx;
use crate::store::{Store, narrow, policy, rows};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, Row, ToSql};

/// How many earlier candidates with the same claim are looked at.
const KIN: usize = 64;

/// A proposal together with what was judged of it.
#[derive(Debug, Clone)]
pub struct NewCandidate {
    /// What was proposed.
    pub proposal: Proposal,
    /// The key under which equal claims meet.
    pub claim_key: Digest,
    /// The salt of the commitment to the claim.
    pub salt: Salt,
    /// A digest of the evidence cited, so that new evidence is noticed.
    pub evidence: Digest,
    /// What it could cause.
    pub influence: Influence,
    /// What the gate says.
    pub verdict: Verdict,
    /// What the gate objects to.
    pub findings: Vec<Finding>,
    /// The lowest trust over its sources.
    pub trust: Trust,
    /// When it would end.
    pub expires_at: Time,
    /// The policy it was judged under.
    pub policy: Digest,
    /// The hash of that policy's text: it must still be in force when this is written.
    pub policy_text: Digest,
    /// What classes that are only observed would have weighed.
    pub observed: Vec<(Class, Severity)>,
    /// What the shadow says of it, if there is a shadow.
    pub shadow: Option<ShadowSaid>,
    /// What it becomes without a person, where the policy lets it pass.
    pub pass: Option<Pass>,
    /// The pattern it came from.
    pub pattern: Option<PatternId>,
    /// Who stands behind it.
    pub support: Support,
    /// What is known near it.
    pub known: Vec<crate::domain::known::Known>,
    /// The trace it was proposed in.
    pub trace: Option<TraceParent>,
    /// When.
    pub at: Time,
}

/// A memory that the policy mints.
#[derive(Debug, Clone)]
pub struct Pass {
    /// The memory.
    pub mint: Mint,
    /// In whose name: the policy's.
    pub hand: Hand,
    /// The text as it may be shown.
    pub shown: Note,
}

/// What became of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposed {
    /// It has a place of its own.
    New(CandidateId, CandidateState),
    /// It has a place of its own, and the policy let it pass.
    Passed(CandidateId),
    /// Nothing was written: another policy is in force by now, and it must be judged again.
    PolicyChanged,
    /// It is the one named here, which stands already.
    Duplicate(CandidateId),
    /// It is the one named here, which was turned down.
    RejectedBefore(CandidateId),
    /// The same key was proposed before: nothing was counted twice.
    Retry(CandidateId),
}

/// How many candidates one read looks at where SQL knows all of the query, and where it does not.
const LOOKED_AT: (i64, i64) = (100_000, 20_000);

/// Which part of a list is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// From the oldest on.
    First,
    /// The rows behind this one.
    After(CandidateId),
    /// The rows just before this one.
    Before(CandidateId),
    /// The newest.
    Last,
}

/// What an earlier candidate with the same claim means for a new one.
pub type StandingOf = fn(&Kin, Support) -> Standing;

impl Store {
    /// Writes a proposal, or finds that it stands already. `standing` judges what it finds.
    ///
    /// # Errors
    /// The store cannot be written; then nothing was.
    pub fn propose(
        &self,
        new: NewCandidate,
        standing: fn(&Kin, Support) -> Standing,
    ) -> Result<Proposed, StoreError> {
        self.write(move |tx| propose(tx, &new, standing))
    }

    /// Rows of one state that a query asks for, in ascending order. A read looks at so many
    /// candidates at most, so that a rare thing among a million keeps nobody waiting: `left_at`
    /// says where it stopped.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn queue(
        &self,
        state: CandidateState,
        query: &Query,
        place: Place,
        (now, limit): (Time, usize),
        shown: &dyn Fn(&str) -> String,
    ) -> Result<Searched<CandidateRow, CandidateId>, StoreError> {
        self.read_at_once(|db| queue(db, state, query, place, (now, limit), shown))
    }

    /// Candidates of every state behind `after`, in order, at most `limit`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn candidates(
        &self,
        after: CandidateId,
        limit: usize,
    ) -> Result<Vec<Candidate>, StoreError> {
        self.read_at_once(|db| {
            let sql = format!("{} WHERE c.id > ?1 ORDER BY c.id LIMIT ?2", rows::CANDIDATE);
            let mut find = db.prepare_cached(&sql)?;
            let mut found = find.query((after.0, i64::try_from(limit).unwrap_or(i64::MAX)))?;
            let mut list = Vec::new();
            while let Some(row) = found.next()? {
                list.push(rows::candidate(row)?);
            }
            Ok(list)
        })
    }

    /// The candidates that cite an artifact, the oldest first, at most `limit`; and how many do.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn candidates_citing(
        &self,
        sha256: &Digest,
        limit: usize,
    ) -> Result<(Vec<CandidateId>, u64), StoreError> {
        self.read_at_once(|db| {
            let mut find = db.prepare_cached(
                "SELECT candidate FROM candidate_artifact WHERE sha256 = ?1 ORDER BY candidate LIMIT ?2",
            )?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let list = find
                .query_map((sha256.0.as_slice(), limit), |row| row.get(0).map(CandidateId))?
                .collect::<Result<_, _>>()?;
            let mut count = db
                .prepare_cached("SELECT count(*) FROM candidate_artifact WHERE sha256 = ?1")?;
            let all: i64 = count.query_row([sha256.0.as_slice()], |row| row.get(0))?;
            Ok((list, all.unsigned_abs()))
        })
    }

    /// One candidate.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn candidate(&self, id: CandidateId) -> Result<Candidate, StoreError> {
        self.read(|db| load(db, id))
    }

    /// Who stood behind a candidate when it was proposed; the candidate itself shows who does by now.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn support_when_proposed(&self, id: CandidateId) -> Result<Support, StoreError> {
        self.read(|db| support_then(db, id))
    }

    /// How many pending candidates are out of sight until later, and when the oldest other one was proposed.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn waiting(&self, now: Time) -> Result<(u64, Option<Time>), StoreError> {
        self.read(|db| {
            let snoozed: i64 = db
                .prepare_cached("SELECT count(*) FROM candidate WHERE snoozed_until > 0 AND snoozed_until > ?1 AND +state = 0")?
                .query_row([now.millis()], |row| row.get(0))?;
            let oldest = db
                .prepare_cached("SELECT proposed_at FROM candidate WHERE state = 0 AND snoozed_until <= ?1 ORDER BY id LIMIT 1")?
                .query_row([now.millis()], |row| row.get(0))
                .optional()?;
            Ok((snoozed.unsigned_abs(), oldest.map(Time::from_millis)))
        })
    }
}

/// One candidate, inside any transaction.
pub(in crate::store) fn load(db: &Connection, id: CandidateId) -> Result<Candidate, StoreError> {
    let sql = format!("{} WHERE c.id = ?1", rows::CANDIDATE);
    let found = db
        .prepare_cached(&sql)?
        .query_row([id.0], |row| Ok(rows::candidate(row)))
        .optional()?;
    found.ok_or_else(|| StoreError::NotFound(format!("candidate {id}")))?
}

/// The facts that every entry about a scope holds.
pub(in crate::store) fn scope_facts(scope: &Scope, facts: &mut Facts) {
    facts.insert("layer".to_owned(), scope.layer.to_string());
    if let Some(project) = &scope.project {
        facts.insert("project".to_owned(), project.to_string());
    }
    if let Some(session) = &scope.session {
        facts.insert("session".to_owned(), session.to_string());
    }
}

/// The trace that an act was done in, where its caller said so: the entry is where it is kept.
pub(in crate::store) fn trace_fact(trace: Option<TraceParent>, facts: &mut Facts) {
    facts.extend(trace.map(|trace| ("traceparent".to_owned(), trace.to_string())));
}

/// The name under which a state is counted.
pub(in crate::store) const fn tally_name(state: CandidateState) -> &'static str {
    state.as_str()
}

fn propose(
    tx: &Tx<'_>,
    new: &NewCandidate,
    standing: fn(&Kin, Support) -> Standing,
) -> Result<Proposed, StoreError> {
    let new = &NewCandidate {
        at: tx.moment(new.at)?,
        ..new.clone()
    };
    if let Some(retry) = same_key(tx, new)? {
        return Ok(retry);
    }
    if !policy::is_in_force(tx, &new.policy_text)? {
        return Ok(Proposed::PolicyChanged);
    }
    let kin = kin(tx, new)?;
    let found = kin
        .as_ref()
        .map_or(Standing::New, |kin| standing(kin, new.support));
    match (found, kin) {
        (Standing::Duplicate, Some(kin)) => {
            note_again(tx, new, kin.candidate, "duplicate")?;
            Ok(Proposed::Duplicate(kin.candidate))
        }
        (Standing::RejectedBefore, Some(kin)) => {
            note_again(tx, new, kin.candidate, "rejected_before")?;
            Ok(Proposed::RejectedBefore(kin.candidate))
        }
        (_, kin) => insert(tx, new, kin.map(|kin| kin.candidate)),
    }
}

fn same_key(tx: &Tx<'_>, new: &NewCandidate) -> Result<Option<Proposed>, StoreError> {
    let Some(key) = tenant_key(&new.proposal) else {
        return Ok(None);
    };
    let mut find = tx
        .db()
        .prepare_cached("SELECT id FROM candidate WHERE key = ?1")?;
    Ok(find
        .query_row([key], |row| row.get(0))
        .optional()?
        .map(|id| Proposed::Retry(CandidateId(id))))
}

/// Keys of one tenant say nothing about another's.
fn tenant_key(proposal: &Proposal) -> Option<String> {
    let tenant = proposal.scope.layer.tenant().as_bytes();
    proposal
        .key
        .as_ref()
        .map(|key| Digest::of_parts(&[tenant, key.as_bytes()]).to_string())
}

/// The newest candidate with the same claim in the same scope, held against all of them.
pub(in crate::store) fn kin(tx: &Tx<'_>, new: &NewCandidate) -> Result<Option<Kin>, StoreError> {
    let scope = &new.proposal.scope;
    let layer = tx.layer(&scope.layer)?;
    let sql = format!(
        "{} WHERE c.claim_key = ?1 AND c.layer = ?2 AND c.project IS ?3 AND c.session IS ?4 ORDER BY c.id DESC LIMIT {KIN}",
        rows::CANDIDATE
    );
    let mut find = tx.db().prepare_cached(&sql)?;
    let project = scope.project.as_ref().map(crate::domain::Project::as_str);
    let session = scope.session.as_ref().map(SessionId::as_str);
    let mut found = find.query((new.claim_key.0.as_slice(), layer, project, session))?;
    let mut earlier = Vec::new();
    while let Some(row) = found.next()? {
        earlier.push(rows::candidate(row)?);
    }
    let Some(newest) = earlier.first() else {
        return Ok(None);
    };
    let cited: Vec<&SourceRef> = earlier.iter().flat_map(|one| &one.sources).collect();
    let patterns: Vec<&Candidate> = earlier
        .iter()
        .filter(|one| one.pattern.is_some() && one.pattern == new.pattern)
        .collect();
    let mut most = Support::default();
    for one in &patterns {
        let then = support_then(tx.db(), one.id)?;
        most.users = most.users.max(then.users);
    }
    Ok(Some(Kin {
        candidate: newest.id,
        state: newest.state,
        memory: newest
            .memory
            .map(|id| memory_state(tx.db(), id, new.at))
            .transpose()?,
        new_evidence: new
            .proposal
            .sources
            .iter()
            .any(|source| source.is_new_beside(&cited)),
        same_pattern: !patterns.is_empty(),
        support: most,
    }))
}

fn memory_state(db: &Connection, id: MemoryId, now: Time) -> Result<MemoryState, StoreError> {
    Ok(crate::store::memory::load_memory(db, id)?.state_at(now))
}

fn support_then(db: &Connection, id: CandidateId) -> Result<Support, StoreError> {
    let mut find =
        db.prepare_cached("SELECT users, sessions, days FROM candidate WHERE id = ?1")?;
    let found = find
        .query_row([id.0], |row| {
            Ok(Support {
                users: row.get(0)?,
                sessions: row.get(1)?,
                days: row.get(2)?,
            })
        })
        .optional()?;
    found.ok_or_else(|| StoreError::NotFound(format!("candidate {id}")))
}

/// Proposed again: one entry that links it, nothing else changes.
fn note_again(
    tx: &Tx<'_>,
    new: &NewCandidate,
    kin: CandidateId,
    outcome: &str,
) -> Result<(), StoreError> {
    let mut facts: Facts = [
        ("linked_to", kin.to_string()),
        ("outcome", outcome.to_owned()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    trace_fact(new.trace, &mut facts);
    let draft = EntryDraft {
        at: new.at,
        actor: new.proposal.proposer.to_string(),
        assurance: Assurance::Asserted,
        act: Act::Propose,
        item: kin.to_string(),
        facts,
    };
    tx.append(draft, &[]).map(|_| ())
}

pub(in crate::store) fn insert(
    tx: &Tx<'_>,
    new: &NewCandidate,
    linked_to: Option<CandidateId>,
) -> Result<Proposed, StoreError> {
    let state = match new.verdict {
        Verdict::Quarantine => CandidateState::Quarantined,
        Verdict::Clear | Verdict::Advisory => CandidateState::Pending,
    };
    let id = insert_row(tx, new, state, linked_to)?;
    let mut facts: Facts = [
        ("evidence", new.evidence.to_string()),
        ("expires_at", new.expires_at.millis().to_string()),
        ("influence", new.influence.to_string()),
        ("kind", new.proposal.kind.to_string()),
        ("policy", new.policy.to_string()),
        ("status", state.to_string()),
        (
            "text_commitment",
            Commitment::to(&new.salt, new.proposal.claim.as_bytes()).to_string(),
        ),
        ("trust", new.trust.to_string()),
        ("verdict", new.verdict.to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    scope_facts(&new.proposal.scope, &mut facts);
    trace_fact(new.trace, &mut facts);
    if let Some(kin) = linked_to {
        facts.insert("linked_to".to_owned(), kin.to_string());
    }
    if let Some(pattern) = new.pattern {
        facts.insert("pattern".to_owned(), pattern.to_string());
    }
    let frozen = frozen_commitment(&new.salt, &frozen_now(tx.db(), id)?);
    facts.insert("frozen_commitment".to_owned(), frozen.to_string());
    let draft = EntryDraft {
        at: new.at,
        actor: new.proposal.proposer.to_string(),
        assurance: Assurance::Asserted,
        act: Act::Propose,
        item: id.to_string(),
        facts,
    };
    tx.append(draft, &[])?;
    crate::store::known::index(tx, id, &new.proposal.scope.layer, &new.proposal.claim)?;
    crate::store::known::keep_known(tx, id, &new.known)?;
    tx.tally(tally_name(state), 1)?;
    policy::keep_aside(tx, id, &new.observed, new.shadow.as_ref())?;
    crate::store::pulse::proposed(tx, new)?;
    let Some(pass) = new
        .pass
        .as_ref()
        .filter(|_| state == CandidateState::Pending)
    else {
        return Ok(Proposed::New(id, state));
    };
    auto(tx, new, id, pass)?;
    Ok(Proposed::Passed(id))
}

/// The policy's own act: the candidate becomes a memory in its name.
fn auto(
    tx: &Tx<'_>,
    new: &NewCandidate,
    candidate: CandidateId,
    pass: &Pass,
) -> Result<(), StoreError> {
    let ruling = NewRuling {
        candidate,
        seen: 1,
        frame: 0,
        ruling: Ruling::Approve,
        hand: pass.hand.clone(),
        at: new.at,
        reason: None,
        note: None,
        shown: pass.shown.clone(),
        policy: new.policy,
        policy_text: new.policy_text,
        mint: Some(pass.mint.clone()),
        supersedes: None,
        reach: ApprovalReach::Alone,
        on_screen: None,
        signed: None,
    };
    rule_as(tx, &ruling, Act::Auto).map(|_| ())
}

/// Everything of a candidate that never changes once it is written, beside its claim.
pub(in crate::store) const FROZEN: &str = "l.path, c.project, c.session, c.kind, c.influence, c.verdict, c.trust, \
     c.expires_at, c.confidence, c.proposer, c.proposed_at, c.sources, c.evidence, c.findings, c.policy, c.pattern, \
     c.users, c.sessions, c.days, c.linked_to, c.key, c.claim_key";

/// What the entry of a proposal commits to: the columns of [`FROZEN`] from `from` on, each with
/// its type and its length.
pub(in crate::store) fn frozen(row: &Row<'_>, from: usize) -> Result<Digest, StoreError> {
    let mut hasher = Hasher::default();
    for column in 0..FROZEN.split(',').count() {
        match row.get_ref(from + column)? {
            ValueRef::Null => hasher.part(b"n"),
            ValueRef::Integer(number) => hasher.part(format!("i{number}").as_bytes()),
            ValueRef::Real(number) => hasher.part(format!("r{number}").as_bytes()),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
                hasher.part(b"t");
                hasher.part(bytes);
            }
        }
    }
    Ok(hasher.finish())
}

/// Salted as the claim is: the digest covers the claim's key, from which a short claim could be
/// guessed once it was erased.
pub(in crate::store) fn frozen_commitment(salt: &Salt, frozen: &Digest) -> Commitment {
    Commitment::to(salt, &frozen.0)
}

fn frozen_now(db: &Connection, id: CandidateId) -> Result<Digest, StoreError> {
    let sql =
        format!("SELECT {FROZEN} FROM candidate c JOIN layer l ON l.id = c.layer WHERE c.id = ?1");
    let mut find = db.prepare_cached(&sql)?;
    let mut found = find.query([id.0])?;
    let row = found
        .next()?
        .ok_or_else(|| StoreError::NotFound(format!("candidate {id}")))?;
    frozen(row, 0)
}

fn insert_row(
    tx: &Tx<'_>,
    new: &NewCandidate,
    state: CandidateState,
    linked_to: Option<CandidateId>,
) -> Result<CandidateId, StoreError> {
    let proposal = &new.proposal;
    let layer = tx.layer(&proposal.scope.layer)?;
    let values: [&dyn ToSql; 25] = [
        &state.code(),
        &proposal.claim,
        &new.claim_key.0.as_slice(),
        &new.salt.0.as_slice(),
        &proposal.kind.code(),
        &new.influence.code(),
        &new.verdict.code(),
        &new.trust.code(),
        &layer,
        &proposal
            .scope
            .project
            .as_ref()
            .map(crate::domain::Project::as_str),
        &proposal.scope.session.as_ref().map(SessionId::as_str),
        &new.expires_at.millis(),
        &proposal.confidence,
        &proposal.proposer.as_str(),
        &new.at.millis(),
        &rows::sources_text(&proposal.sources),
        &new.evidence.0.as_slice(),
        &rows::findings_text(&new.findings)?,
        &new.policy.0.as_slice(),
        &new.pattern.map(|pattern| pattern.0),
        &new.support.users,
        &new.support.sessions,
        &new.support.days,
        &linked_to.map(|kin| kin.0),
        &tenant_key(proposal),
    ];
    tx.db()
        .prepare_cached(
            "INSERT INTO candidate (version, state, claim, claim_key, salt, kind, influence, verdict, trust, layer, project, \
             session, expires_at, confidence, proposer, proposed_at, sources, evidence, findings, policy, pattern, users, \
             sessions, days, linked_to, key) \
             VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, \
             ?23, ?24, ?25)",
        )?
        .execute(values)?;
    let id = CandidateId(tx.db().last_insert_rowid());
    let mut cite = tx.db().prepare_cached(
        "INSERT OR IGNORE INTO candidate_artifact (sha256, candidate) VALUES (?1, ?2)",
    )?;
    for source in &proposal.sources {
        if let SourceRef::Artifact { sha256, .. } = source {
            cite.execute((sha256.0.as_slice(), id.0))?;
        }
    }
    Ok(id)
}

fn queue(
    db: &Connection,
    state: CandidateState,
    query: &Query,
    place: Place,
    (now, limit): (Time, usize),
    shown: &dyn Fn(&str) -> String,
) -> Result<Searched<CandidateRow, CandidateId>, StoreError> {
    let (sign, order, from) = match place {
        Place::First => (">", "ASC", 0),
        Place::After(id) => (">", "ASC", id.0),
        Place::Before(id) => ("<", "DESC", id.0),
        Place::Last => ("<", "DESC", i64::MAX),
    };
    let narrowed = narrow::narrow(db, narrow::Table::Candidates, query, 5, now)?;
    let left_at = if query.is_empty() {
        None
    } else {
        let (known, unknown) = LOOKED_AT;
        let most = if narrowed.exact { known } else { unknown };
        far_end(db, state, (sign, order, from), most)?
    };
    let until = match (left_at, sign) {
        (Some(id), ">") => format!(" AND c.id <= {}", id.0),
        (Some(id), _) => format!(" AND c.id >= {}", id.0),
        (None, _) => String::new(),
    };
    let shows_snoozed = query.mentions(&Term::Is(Is::Snoozed));
    let awake = if state == CandidateState::Pending && !shows_snoozed {
        "c.snoozed_until <= ?3"
    } else {
        "?3 = ?3"
    };
    let sql = format!(
        "{} WHERE c.state = ?1 AND c.id {sign} ?2 AND {awake}{until}{} ORDER BY c.id {order} LIMIT ?4",
        if narrowed.exact {
            rows::CANDIDATE_ROW
        } else {
            rows::CANDIDATE
        },
        narrowed.sql
    );
    let wanted = limit.saturating_add(1);
    let most = if narrowed.exact { wanted } else { usize::MAX };
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let (code, now_at) = (state.code(), now.millis());
    let mut values: Vec<&dyn ToSql> = vec![&code, &from, &now_at, &most];
    values.extend(narrowed.values.iter().map(|value| value as &dyn ToSql));
    let mut statement = db.prepare_cached(&sql)?;
    let mut found = statement.query(values.as_slice())?;
    let mut list = Vec::new();
    while let Some(row) = found.next()? {
        if narrowed.exact {
            list.push(rows::candidate_row(row)?);
        } else {
            let candidate = rows::candidate(row)?;
            if query.picks(Asked::of_candidate(&candidate, now), shown) {
                list.push(CandidateRow::of(candidate));
            }
        }
        if list.len() == wanted {
            break;
        }
    }
    let more = list.len() > limit;
    list.truncate(limit);
    if order == "DESC" {
        list.reverse();
    }
    Ok(Searched {
        rows: list,
        more: more || left_at.is_some(),
        left_at: left_at.filter(|_| !more),
    })
}

/// The last candidate that a read of so many looks at, if there are more.
fn far_end(
    db: &Connection,
    state: CandidateState,
    (sign, order, from): (&str, &str, i64),
    most: i64,
) -> Result<Option<CandidateId>, StoreError> {
    let sql = format!(
        "SELECT id FROM candidate WHERE state = ?1 AND id {sign} ?2 ORDER BY id {order} LIMIT 1 OFFSET ?3"
    );
    let found = db
        .prepare_cached(&sql)?
        .query_row((state.code(), from, most), |row| row.get(0));
    Ok(found.optional()?.map(CandidateId))
}
