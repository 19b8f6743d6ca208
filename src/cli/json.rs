//! The shapes of JSON answers: snake_case, times in RFC 3339 UTC, ids as strings. Scripts build on
//! these; a field is never renamed.

use crate::desk::view::{
    CandidateView, EntryRow, Evidence, MemoryRow, MemoryView, Near, SightingRow, Why,
};
use crate::desk::{ProposalAnswer, Recall};
use crate::domain::candidate::{Approval, CandidateRow};
use crate::domain::{Finding, SourceRef, Time};
use serde_json::{Map, Value, json};

/// JSON text with every character that a terminal would hide or obey escaped: the same value.
pub(in crate::cli) fn drawn(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if crate::text::is_drawn(c) {
            out.push(c);
        } else {
            let mut units = [0_u16; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}

/// A finding, with its byte span in the raw claim.
pub(in crate::cli) fn finding(finding: &Finding) -> Value {
    json!({
        "rule": finding.rule,
        "class": finding.class,
        "severity": finding.severity,
        "start": finding.span.map(|span| span.start),
        "end": finding.span.map(|span| span.end),
        "view": finding.view,
        "field": finding.field,
        "decoded": finding.decoded,
        "message": finding.message,
    })
}

pub(in crate::cli) fn proposal(answer: &ProposalAnswer) -> Value {
    json!({
        "id": answer.id,
        "status": answer.status.as_str(),
        "verdict": answer.verdict,
        "influence": answer.influence,
        "findings": list(&answer.findings, finding),
    })
}

/// Who has approved so far, where more than one must.
fn approvals(list: &[Approval]) -> Value {
    self::list(
        list,
        |one| json!({ "reviewer": one.reviewer, "at": one.at, "key": one.key }),
    )
}

pub(in crate::cli) fn candidate_row(row: &CandidateRow, so_far: &[Approval], now: Time) -> Value {
    json!({
        "id": row.id,
        "version": row.version,
        "status": row.state,
        "claim": row.claim,
        "kind": row.kind,
        "influence": row.influence,
        "verdict": row.verdict,
        "layer": row.layer,
        "trust": row.trust,
        "users": row.support.users,
        "sessions": row.support.sessions,
        "days": row.support.days,
        "age_s": now.since(row.proposed_at).max(0) / 1000,
        "approvals": approvals(so_far),
        "held": row.held,
        "findings": list(&row.findings, finding),
    })
}

pub(in crate::cli) fn candidate(view: &CandidateView, now: Time) -> Value {
    let candidate = &view.candidate;
    json!({
        "id": candidate.id,
        "version": candidate.version,
        "status": candidate.state,
        "claim": candidate.claim,
        "kind": candidate.kind,
        "influence": candidate.influence,
        "verdict": candidate.verdict,
        "layer": candidate.scope.layer,
        "project": candidate.scope.project,
        "session": candidate.scope.session,
        "trust": candidate.trust,
        "users": candidate.support.users,
        "sessions": candidate.support.sessions,
        "days": candidate.support.days,
        "age_s": now.since(candidate.proposed_at).max(0) / 1000,
        "approvals": approvals(&view.approvals),
        "held": candidate.held,
        "findings": list(&candidate.findings, finding),
        "expires_at": candidate.expires_at,
        "confidence": candidate.confidence,
        "proposer": candidate.proposer,
        "proposed_at": candidate.proposed_at,
        "snoozed_until": candidate.snoozed_until,
        "linked_to": candidate.linked_to,
        "memory": candidate.memory,
        "masked": view.masked,
        "unsupported": view.unsupported,
        "evidence": view.weighed.as_ref().map(|it| json!({
            "answer": it.backing.word(), "because": it.because, "not_read": it.limits(),
        })),
        "blocked": view.blocked,
        "reviewers_needed": view.reviewers_needed,
        "sources": list(&view.evidence, evidence),
        "wordings": view.wordings,
        "sightings": list(&view.sightings, sighting),
        "near": list(&view.near, near),
        "known": view.known,
        "flags": view.flags,
        "audience": view.audience.iter().map(|one| json!({ "layer": one.layer, "memories": one.memories, "sessions": one.sessions })).collect::<Vec<_>>(),
        "decided": candidate.outcome.as_ref().map(|outcome| json!(outcome_of(outcome))),
        "history": list(&view.history, entry),
    })
}

pub(in crate::cli) fn memory_row(row: &MemoryRow) -> Value {
    json!({
        "id": row.id,
        "text": row.text,
        "layer": row.layer,
        "kind": row.kind,
        "influence": row.influence,
        "mode": row.mode,
        "state": row.state,
        "expires_at": row.expires_at,
        "served": row.served,
        "last_served": row.last_served,
        "contradicted": row.contradicted,
        "stale": row.stale,
    })
}

pub(in crate::cli) fn memory(view: &MemoryView) -> Value {
    let memory = &view.memory;
    json!({
        "id": memory.id,
        "lineage": memory.lineage,
        "candidate": memory.candidate,
        "text": memory.text,
        "sha256": memory.sha256(),
        "layer": memory.scope.layer,
        "project": memory.scope.project,
        "session": memory.scope.session,
        "kind": memory.kind,
        "influence": memory.influence,
        "mode": memory.mode,
        "state": view.state,
        "trust": memory.trust,
        "approved_by": memory.approved_by,
        "approved_at": memory.approved_at,
        "expires_at": memory.expires_at,
        "served": memory.served,
        "last_served": memory.last_served,
        "sessions_reached": view.sessions_reached,
        "reach": view.reach.iter().map(|one| json!({
            "layer": one.layer, "servings": one.servings, "sessions": one.sessions, "last": one.last, "last_at": one.last_at,
        })).collect::<Vec<_>>(),
        "stale": view.stale,
        "verified": view.verified.is_ok(),
        "proposed": view.proposed,
        "sources": list(&view.evidence, evidence),
        "servings": view.servings.iter().map(|one| json!({
            "id": one.id, "at": one.at, "layer": one.layer, "session": one.session, "memories": one.memories,
        })).collect::<Vec<_>>(),
        "history": list(&view.history, entry),
        "versions": view.versions.iter().map(|one| json!({
            "id": one.id, "text": one.text, "approved_by": one.by, "approved_at": one.at, "state": one.state,
        })).collect::<Vec<_>>(),
        "renewal": {
            "until": view.renewal.until,
            "reviewers_needed": view.renewal.reviewers_needed,
            "approvals": approvals(&view.renewal.so_far),
            "reason_needed": view.renewal.reason_needed,
            "blocked": view.renewal.blocked,
        },
    })
}

pub(in crate::cli) fn recall(recall: &Recall) -> Value {
    let records = recall.records.iter().map(|one| {
        let memory = &one.memory;
        json!({
            "id": memory.id,
            "text": memory.text,
            "layer": memory.scope.layer,
            "kind": memory.kind,
            "influence": memory.influence,
            "mode": memory.mode,
            "sha256": one.sha256,
            "approved_by": memory.approved_by,
            "approved_at": memory.approved_at,
            "expires_at": memory.expires_at,
            "sources": memory.sources.iter().map(SourceRef::to_string).collect::<Vec<_>>(),
            "stale": one.stale,
            "verify_live": memory.influence >= crate::domain::Influence::Action,
        })
    });
    json!({
        "serving": recall.serving,
        "records": records.collect::<Vec<_>>(),
        "documents": recall.documents,
        "withheld": recall.withheld.iter().map(|(id, reason)| json!({ "id": id, "reason": reason })).collect::<Vec<_>>(),
        "assurance": recall.assurance,
        "may_authorize": false,
    })
}

pub(in crate::cli) fn entry(row: &EntryRow) -> Value {
    let facts: Map<String, Value> = row
        .facts
        .iter()
        .map(|(key, value)| (key.clone(), json!(value)))
        .collect();
    json!({
        "seq": row.seq,
        "at": row.at,
        "act": row.act,
        "item": row.item,
        "reviewer": row.actor,
        "assurance": row.assurance,
        "reason": row.reason,
        "text": row.text,
        "hash": row.hash,
        "facts": facts,
    })
}

pub(in crate::cli) fn why(why: &Why) -> Value {
    let mut object = Map::new();
    object.insert("kind".to_owned(), json!(why.kind));
    object.insert("id".to_owned(), json!(why.id));
    object.insert("says".to_owned(), json!(why.says));
    for (key, value) in &why.facts {
        let slot = object.entry(*key).or_insert(Value::Null);
        *slot = match slot.take() {
            Value::Null => json!(value),
            Value::Array(mut more) => {
                more.push(json!(value));
                Value::Array(more)
            }
            first => json!([first, value]),
        };
    }
    object.insert("because".to_owned(), list(&why.because, self::why));
    Value::Object(object)
}

/// A list of anything, each in its own shape.
pub(in crate::cli) fn list<T>(items: &[T], shape: impl Fn(&T) -> Value) -> Value {
    Value::Array(items.iter().map(shape).collect())
}

fn outcome_of(outcome: &crate::domain::candidate::Outcome) -> Value {
    json!({ "act": outcome.act, "by": outcome.by, "at": outcome.at, "reason": outcome.reason })
}

fn evidence(evidence: &Evidence) -> Value {
    json!({
        "ref": evidence.reference,
        "trust": evidence.trust,
        "kind": evidence.kind,
        "title": evidence.title,
        "standing": evidence.standing,
        "quote": evidence.quote,
        "cited": evidence.cited,
        "backs": evidence.backs,
        "denies": evidence.denies,
        "expires_at": evidence.expires_at,
    })
}

fn sighting(row: &SightingRow) -> Value {
    json!({
        "at": row.at,
        "user": row.user,
        "session": row.session,
        "text": row.text,
        "trust": row.trust,
        "counts": row.counts.is_ok(),
        "why_not": row.counts.err(),
    })
}

fn near(near: &Near) -> Value {
    json!({ "memory": near.memory, "text": near.text, "layer": near.layer, "overlap_percent": near.overlap, "differs": near.differs })
}
