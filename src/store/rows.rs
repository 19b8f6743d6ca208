//! Rows into words: how each thing is read back from its table.

use crate::domain::candidate::{Candidate, CandidateRow, CandidateState, Outcome};
use crate::domain::memory::{Memory, MemoryState, Mode};
use crate::domain::pattern::Support;
use crate::domain::{
    Act, CandidateId, Digest, EntrySeq, Finding, Influence, Kind, Layer, LineageId, MemoryId,
    PatternId, Project, Proposer, Salt, Scope, SessionId, SourceRef, Time, Trust, Verdict,
};
use crate::store::error::StoreError;
use rusqlite::Row;

/// Everything of a candidate, with the support its pattern has by now.
pub(in crate::store) const CANDIDATE: &str = "SELECT c.id, c.version, c.state, c.claim, c.kind, c.influence, c.verdict, c.trust, \
     l.path, c.project, c.session, c.expires_at, c.confidence, c.proposer, c.proposed_at, c.sources, c.findings, \
     c.pattern, COALESCE(p.users, c.users), COALESCE(p.sessions, c.sessions), COALESCE(p.days, c.days), \
     c.held, c.snoozed_until, c.linked_to, c.memory, c.decided_by, c.decided_at, c.decided_act, c.decided_why \
     FROM candidate c JOIN layer l ON l.id = c.layer LEFT JOIN pattern p ON p.id = c.pattern";

/// What a list shows of a candidate.
pub(in crate::store) const CANDIDATE_ROW: &str = "SELECT c.id, c.version, c.state, c.claim, c.kind, c.influence, c.verdict, c.trust, \
     l.path, c.findings, COALESCE(p.users, c.users), COALESCE(p.sessions, c.sessions), COALESCE(p.days, c.days), \
     c.held, c.proposed_at \
     FROM candidate c JOIN layer l ON l.id = c.layer LEFT JOIN pattern p ON p.id = c.pattern";

/// Everything of a memory, with how often it was served and whether its evidence is gone.
pub(in crate::store) const MEMORY: &str = "SELECT m.id, m.lineage, m.candidate, m.entry, m.text, m.salt, m.kind, m.influence, m.mode, \
     m.state, m.trust, l.path, m.project, m.session, m.sources, m.approved_at, m.approved_by, m.expires_at, \
     m.changed_by, m.changed_at, m.changed_act, m.changed_why, COALESCE(s.count, 0), s.last_at \
     FROM memory m JOIN layer l ON l.id = m.layer LEFT JOIN memory_served s ON s.memory = m.id";

pub(in crate::store) fn candidate(row: &Row<'_>) -> Result<Candidate, StoreError> {
    let scope = scope(row, 8)?;
    let outcome = outcome(row, 25)?;
    Ok(Candidate {
        id: CandidateId(row.get(0)?),
        version: row.get(1)?,
        state: word(CandidateState::from_code(row.get(2)?), "status")?,
        claim: row.get(3)?,
        kind: word(Kind::from_code(row.get(4)?), "kind")?,
        influence: word(Influence::from_code(row.get(5)?), "influence")?,
        verdict: word(Verdict::from_code(row.get(6)?), "verdict")?,
        trust: word(Trust::from_code(row.get(7)?), "trust")?,
        scope,
        expires_at: Time::from_millis(row.get(11)?),
        confidence: row.get(12)?,
        proposer: name(Proposer::parse(&row.get::<_, String>(13)?))?,
        proposed_at: Time::from_millis(row.get(14)?),
        sources: sources(&row.get::<_, String>(15)?),
        findings: findings(&row.get::<_, String>(16)?)?,
        pattern: row.get::<_, Option<i64>>(17)?.map(PatternId),
        support: Support {
            users: row.get(18)?,
            sessions: row.get(19)?,
            days: row.get(20)?,
        },
        held: row.get(21)?,
        snoozed_until: Some(row.get::<_, i64>(22)?)
            .filter(|until| *until > 0)
            .map(Time::from_millis),
        linked_to: row.get::<_, Option<i64>>(23)?.map(CandidateId),
        memory: row.get::<_, Option<i64>>(24)?.map(MemoryId),
        outcome,
    })
}

pub(in crate::store) fn candidate_row(row: &Row<'_>) -> Result<CandidateRow, StoreError> {
    Ok(CandidateRow {
        id: CandidateId(row.get(0)?),
        version: row.get(1)?,
        state: word(CandidateState::from_code(row.get(2)?), "status")?,
        claim: row.get(3)?,
        kind: word(Kind::from_code(row.get(4)?), "kind")?,
        influence: word(Influence::from_code(row.get(5)?), "influence")?,
        verdict: word(Verdict::from_code(row.get(6)?), "verdict")?,
        trust: word(Trust::from_code(row.get(7)?), "trust")?,
        layer: layer(&row.get::<_, String>(8)?)?,
        findings: findings(&row.get::<_, String>(9)?)?,
        support: Support {
            users: row.get(10)?,
            sessions: row.get(11)?,
            days: row.get(12)?,
        },
        held: row.get(13)?,
        proposed_at: Time::from_millis(row.get(14)?),
    })
}

pub(in crate::store) fn memory(row: &Row<'_>) -> Result<Memory, StoreError> {
    let by: String = row.get(16)?;
    Ok(Memory {
        id: MemoryId(row.get(0)?),
        lineage: LineageId(row.get(1)?),
        candidate: CandidateId(row.get(2)?),
        entry: EntrySeq(row.get(3)?),
        text: row.get(4)?,
        salt: Salt(row.get(5)?),
        kind: word(Kind::from_code(row.get(6)?), "kind")?,
        influence: word(Influence::from_code(row.get(7)?), "influence")?,
        mode: word(Mode::from_code(row.get(8)?), "mode")?,
        written_state: word(MemoryState::from_code(row.get(9)?), "memory state")?,
        trust: word(Trust::from_code(row.get(10)?), "trust")?,
        scope: scope(row, 11)?,
        sources: sources(&row.get::<_, String>(14)?),
        approved_at: Time::from_millis(row.get(15)?),
        approved_by: by.split('\n').map(str::to_owned).collect(),
        expires_at: Time::from_millis(row.get(17)?),
        changed: outcome(row, 18)?,
        served: row.get::<_, i64>(22)?.unsigned_abs(),
        last_served: row.get::<_, Option<i64>>(23)?.map(Time::from_millis),
        evidence_held: true,
    })
}

pub(in crate::store) fn layer(path: &str) -> Result<Layer, StoreError> {
    Layer::parse(path).map_err(|error| StoreError::Broken(error.to_string()))
}

pub(in crate::store) fn digest(bytes: &[u8]) -> Result<Digest, StoreError> {
    Digest::from_slice(bytes)
        .ok_or_else(|| StoreError::Broken("a stored digest has the wrong length".to_owned()))
}

pub(in crate::store) fn word<T>(found: Option<T>, what: &str) -> Result<T, StoreError> {
    found.ok_or_else(|| {
        StoreError::Broken(format!("a stored {what} is none that this program knows"))
    })
}

pub(in crate::store) fn sources_text(sources: &[SourceRef]) -> String {
    sources
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}

pub(in crate::store) fn findings_text(findings: &[Finding]) -> Result<String, StoreError> {
    serde_json::to_string(findings).map_err(|error| StoreError::Broken(error.to_string()))
}

pub(in crate::store) fn findings(text: &str) -> Result<Vec<Finding>, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Broken(error.to_string()))
}

/// A line that is no reference was not written by us. It is left out, so that what is cited no
/// longer has the digest that the entry holds: the row is then withheld and named.
fn sources(text: &str) -> Vec<SourceRef> {
    text.split('\n')
        .filter_map(|line| SourceRef::parse(line).ok())
        .collect()
}

/// Layer, project and session in three columns from `at` on.
fn scope(row: &Row<'_>, at: usize) -> Result<Scope, StoreError> {
    let project: Option<String> = row.get(at + 1)?;
    let session: Option<String> = row.get(at + 2)?;
    Ok(Scope {
        layer: layer(&row.get::<_, String>(at)?)?,
        project: project
            .map(|text| name(Project::parse(&text)))
            .transpose()?,
        session: session
            .map(|text| name(SessionId::parse(&text)))
            .transpose()?,
    })
}

/// Who, when, act and reason in four columns from `at` on.
fn outcome(row: &Row<'_>, at: usize) -> Result<Option<Outcome>, StoreError> {
    let Some(by) = row.get::<_, Option<String>>(at)? else {
        return Ok(None);
    };
    Ok(Some(Outcome {
        by,
        at: Time::from_millis(row.get(at + 1)?),
        act: word(Act::from_code(row.get(at + 2)?), "act")?,
        reason: row.get(at + 3)?,
    }))
}

fn name<T>(parsed: Result<T, crate::domain::name::BadName>) -> Result<T, StoreError> {
    parsed.map_err(|error| StoreError::Broken(error.to_string()))
}
