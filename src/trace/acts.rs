//! What an entry becomes in a trace.
//!
//! | entry | span | belongs to |
//! |---|---|---|
//! | serving | `search_memory` | the caller's trace, as a child of its span; else a trace of its own |
//! | decision on a candidate | `countersign.promotion.decide`, and `create_memory` below it where one was minted | a trace of its own, linked to the traces it was proposed in |
//! | decision on a memory | `countersign.memory.change` | a trace of its own, linked as well to the decision that minted it |
//!
//! A decision comes hours after its proposal: it cannot be a child of a trace that has ended. The
//! conventions have no word for approval; what is ours is named `countersign.*`.

use crate::domain::entry::Entry;
use crate::domain::reason::{DemoteReason, RejectReason};
use crate::domain::{Act, CandidateId, Digest, MemoryId, ServingId, TraceParent};
use crate::trace::Lines;
use crate::trace::otlp::{Attribute, Event, Kind, Said, Span, logs, traces};
use serde_json::{Value, json};

/// What is said of an entry beside the entry: facts from the store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// The candidate it is about, or that its memory came from.
    pub candidate: Option<CandidateId>,
    /// What the gate said of that candidate.
    pub verdict: Option<String>,
    /// Where the candidate would hold.
    pub layer: Option<String>,
    /// How many sources it cites.
    pub evidence: Option<u64>,
    /// The traces it was proposed in.
    pub proposed_in: Vec<TraceParent>,
    /// The hashes of the entries that this one turns: what minted the memory, what is undone.
    pub earlier: Vec<Digest>,
    /// The memories that were handed over or minted.
    pub handed: Vec<Handed>,
}

/// One memory that was handed over or minted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handed {
    /// Its id.
    pub id: MemoryId,
    /// Its approved text, where texts were asked for and it still stands.
    pub text: Option<String>,
}

/// One entry to be told.
#[derive(Debug)]
pub struct Told<'a> {
    /// The entry.
    pub entry: &'a Entry,
    /// Its hash.
    pub hash: Digest,
    /// The store's own name.
    pub store: &'a str,
    /// What else is known.
    pub about: About,
}

/// The lines of an entry. What is neither a serving nor a decision on a claim has none.
#[must_use]
pub fn lines(told: &Told<'_>) -> Lines {
    let spans = spans(told);
    if spans.is_empty() {
        return Lines::default();
    }
    Lines {
        spans: Some(traces(told.store, &spans)),
        events: outcome(told).map(|event| logs(told.store, &[event])),
    }
}

fn spans(told: &Told<'_>) -> Vec<Span> {
    let draft = &told.entry.draft;
    match draft.act {
        Act::Serve => vec![serving(told)],
        // Looked at or taken out of the store: nothing was promoted.
        Act::Reveal | Act::Erase => Vec::new(),
        act if !act.is_decision() && act != Act::Auto => Vec::new(),
        _ if CandidateId::parse(&draft.item).is_ok() => {
            let decided = decision(told, "countersign.promotion.decide");
            let minted = told.about.handed.first();
            let minted = minted.map(|memory| creation(told, &decided, memory));
            std::iter::once(decided).chain(minted).collect()
        }
        _ if MemoryId::parse(&draft.item).is_ok() => {
            vec![decision(told, "countersign.memory.change")]
        }
        _ => Vec::new(),
    }
}

fn serving(told: &Told<'_>) -> Span {
    let facts = &told.entry.draft.facts;
    let fact = |key: &str| facts.get(key).cloned();
    let caller = fact("traceparent").and_then(|text| TraceParent::parse(&text).ok());
    let handed = &told.about.handed;
    let mut said = operation(told, "search_memory");
    said.push((
        "gen_ai.memory.record.count",
        Said::Number(handed.len() as u64),
    ));
    text(&mut said, "gen_ai.conversation.id", fact("session"));
    let id = ServingId::parse(&told.entry.draft.item).ok();
    text(
        &mut said,
        "countersign.serving.id",
        id.map(|id| id.to_string()),
    );
    text(&mut said, "countersign.layer.path", fact("layer"));
    text(&mut said, "countersign.format", fact("format"));
    let ids = handed.iter().map(|memory| memory.id.to_string()).collect();
    said.push(("countersign.memory.ids", Said::List(ids)));
    said.push((
        "countersign.entry.sha256",
        Said::Text(told.hash.to_string()),
    ));
    text(&mut said, "gen_ai.memory.records", records(handed));
    Span {
        trace: caller.map_or_else(|| trace_of(&told.hash), |caller| caller.trace),
        id: span_of(&told.hash, b"serving"),
        parent: caller.map(|caller| caller.span),
        remote: caller.map(|caller| caller.flags),
        name: "search_memory".to_owned(),
        kind: Kind::Client,
        at: told.entry.draft.at,
        attributes: said,
        links: Vec::new(),
    }
}

fn decision(told: &Told<'_>, name: &str) -> Span {
    let (draft, about) = (&told.entry.draft, &told.about);
    let fact = |key: &str| draft.facts.get(key).cloned();
    let mut said: Vec<Attribute> =
        vec![("gen_ai.memory.store.id", Said::Text(told.store.to_owned()))];
    let candidate = about.candidate.map(|id| id.to_string());
    text(&mut said, "countersign.candidate.id", candidate);
    let memory = MemoryId::parse(&draft.item).ok();
    let memory = memory.map(|id| id.to_string());
    text(&mut said, "gen_ai.memory.record.id", memory);
    said.push(("countersign.decision", Said::Text(draft.act.to_string())));
    text(&mut said, "countersign.decision.reason", reason(told));
    text(&mut said, "countersign.gate.verdict", about.verdict.clone());
    text(&mut said, "countersign.policy.version", fact("policy"));
    said.push(("countersign.reviewer.id", Said::Text(draft.actor.clone())));
    text(&mut said, "countersign.layer.path", about.layer.clone());
    if let Some(count) = about.evidence {
        said.push(("countersign.evidence.count", Said::Number(count)));
    }
    said.push((
        "countersign.decision.assurance",
        Said::Text(draft.assurance.to_string()),
    ));
    said.push((
        "countersign.decision.sha256",
        Said::Text(told.hash.to_string()),
    ));
    let earlier = about.earlier.iter().map(own_context);
    Span {
        trace: trace_of(&told.hash),
        id: span_of(&told.hash, b"decision"),
        parent: None,
        remote: None,
        name: name.to_owned(),
        kind: Kind::Internal,
        at: draft.at,
        attributes: said,
        links: about.proposed_in.iter().copied().chain(earlier).collect(),
    }
}

/// The memory that a decision minted, below the decision.
fn creation(told: &Told<'_>, decided: &Span, memory: &Handed) -> Span {
    let mut said = operation(told, "create_memory");
    said.push(("gen_ai.memory.record.id", Said::Text(memory.id.to_string())));
    said.push(("gen_ai.memory.record.count", Said::Number(1)));
    let layer = told.about.layer.clone();
    text(&mut said, "countersign.layer.path", layer);
    let records = records(std::slice::from_ref(memory));
    text(&mut said, "gen_ai.memory.records", records);
    Span {
        id: span_of(&told.hash, b"creation"),
        parent: Some(decided.id),
        name: "create_memory".to_owned(),
        kind: Kind::Client,
        attributes: said,
        links: Vec::new(),
        ..decided.clone()
    }
}

/// The outcome of a promotion, where there is one: a release or a reveal is none.
fn outcome(told: &Told<'_>) -> Option<Event> {
    let draft = &told.entry.draft;
    CandidateId::parse(&draft.item).ok()?;
    let label = match draft.act {
        Act::Approve | Act::Auto => "approved",
        Act::Edit => "edited",
        Act::Reject => "rejected",
        Act::Confirm => "blocked",
        Act::Hold | Act::Snooze | Act::Endorse => "deferred",
        _ => return None,
    };
    let mut said: Vec<Attribute> = [
        ("gen_ai.evaluation.name", "memory.promotion"),
        ("gen_ai.evaluation.score.label", label),
    ]
    .map(|(key, value)| (key, Said::Text(value.to_owned())))
    .into();
    text(&mut said, "gen_ai.evaluation.explanation", reason(told));
    text(
        &mut said,
        "countersign.candidate.id",
        Some(draft.item.clone()),
    );
    Some(Event {
        trace: trace_of(&told.hash),
        span: span_of(&told.hash, b"decision"),
        name: "gen_ai.evaluation.result",
        at: draft.at,
        attributes: said,
    })
}

fn operation(told: &Told<'_>, name: &str) -> Vec<Attribute> {
    [
        ("gen_ai.operation.name", name),
        ("gen_ai.memory.store.id", told.store),
    ]
    .map(|(key, value)| (key, Said::Text(value.to_owned())))
    .into()
}

/// The reason's code. A reviewer's own words stay beside the ledger.
fn reason(told: &Told<'_>) -> Option<String> {
    let reason = told.entry.draft.facts.get("reason")?;
    let is_code = RejectReason::parse(reason).is_ok() || DemoteReason::parse(reason).is_ok();
    is_code.then(|| reason.clone())
}

/// The texts, where they were asked for, in the conventions' shape.
fn records(handed: &[Handed]) -> Option<String> {
    let records: Vec<Value> = handed
        .iter()
        .filter_map(|memory| {
            let content = memory.text.as_ref()?;
            Some(json!({ "id": memory.id.to_string(), "content": content }))
        })
        .collect();
    (!records.is_empty()).then(|| Value::Array(records).to_string())
}

fn text(said: &mut Vec<Attribute>, key: &'static str, value: Option<String>) {
    said.extend(value.map(|value| (key, Said::Text(value))));
}

/// The context of a decision of our own.
fn own_context(hash: &Digest) -> TraceParent {
    TraceParent {
        trace: trace_of(hash),
        span: span_of(hash, b"decision"),
        flags: 1,
    }
}

fn trace_of(hash: &Digest) -> [u8; 16] {
    first(&Digest::of_parts(&[b"countersign trace", &hash.0]))
}

fn span_of(hash: &Digest, role: &[u8]) -> [u8; 8] {
    first(&Digest::of_parts(&[b"countersign span", role, &hash.0]))
}

fn first<const N: usize>(digest: &Digest) -> [u8; N] {
    let mut out = [0_u8; N];
    out.iter_mut()
        .zip(digest.0)
        .for_each(|(slot, byte)| *slot = byte);
    out
}

#[cfg(test)]
mod tests {
    use super::{About, Handed, Told, lines};
    use crate::domain::entry::{Entry, EntryDraft, Facts};
    use crate::domain::{
        Act, Assurance, CandidateId, Digest, EntrySeq, MemoryId, Time, TraceParent,
    };
    use serde_json::Value;

    const CALLER: &str = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
    const RESOURCE: &str = r#"{"attributes":[{"key":"service.name","value":{"stringValue":"countersign"}},{"key":"service.instance.id","value":{"stringValue":"5f0e"}}],"droppedAttributesCount":0}"#;
    const SCOPE: &str =
        r#"{"name":"countersign","version":"","attributes":[],"droppedAttributesCount":0}"#;

    fn entry(act: Act, actor: &str, item: &str, facts: &[(&str, &str)]) -> Entry {
        let facts: Facts = facts
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect();
        Entry {
            seq: EntrySeq(12),
            prev: Digest::ZERO,
            draft: EntryDraft {
                at: Time::from_millis(1_790_000_000_123),
                actor: actor.to_owned(),
                assurance: Assurance::Key,
                act,
                item: item.to_owned(),
                facts,
            },
        }
    }

    fn told(entry: &Entry, about: About) -> Told<'_> {
        Told {
            entry,
            hash: Digest([0x11; 32]),
            store: "5f0e",
            about,
        }
    }

    fn handed(id: i64, text: Option<&str>) -> Handed {
        Handed {
            id: MemoryId(id),
            text: text.map(str::to_owned),
        }
    }

    /// One line written by hand, down to the last byte.
    #[test]
    fn a_serving_is_a_child_of_the_span_it_was_asked_in() {
        let facts = [
            ("count", "2"),
            ("format", "block"),
            ("layer", "acme/dev"),
            ("served_commitment", "9f"),
            ("session", "s-9"),
            ("traceparent", CALLER),
        ];
        let entry = entry(Act::Serve, "mcp test", "S-4", &facts);
        let about = About {
            handed: vec![handed(3, None), handed(7, None)],
            ..About::default()
        };
        let hash = "11".repeat(32);
        let expected = format!(
            concat!(
                r#"{{"resourceSpans":[{{"resource":{resource},"scopeSpans":[{{"scope":{scope},"spans":[{{"#,
                r#""traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"6027a8fee785050f","traceState":"","parentSpanId":"00f067aa0ba902b7","flags":769,"#,
                r#""name":"search_memory","kind":3,"startTimeUnixNano":"1790000000123000000","endTimeUnixNano":"1790000000123000000","#,
                r#""attributes":[{{"key":"gen_ai.operation.name","value":{{"stringValue":"search_memory"}}}},"#,
                r#"{{"key":"gen_ai.memory.store.id","value":{{"stringValue":"5f0e"}}}},"#,
                r#"{{"key":"gen_ai.memory.record.count","value":{{"intValue":"2"}}}},"#,
                r#"{{"key":"gen_ai.conversation.id","value":{{"stringValue":"s-9"}}}},"#,
                r#"{{"key":"countersign.serving.id","value":{{"stringValue":"S-4"}}}},"#,
                r#"{{"key":"countersign.layer.path","value":{{"stringValue":"acme/dev"}}}},"#,
                r#"{{"key":"countersign.format","value":{{"stringValue":"block"}}}},"#,
                r#"{{"key":"countersign.memory.ids","value":{{"arrayValue":{{"values":[{{"stringValue":"M-3"}},{{"stringValue":"M-7"}}]}}}}}},"#,
                r#"{{"key":"countersign.entry.sha256","value":{{"stringValue":"{hash}"}}}}],"#,
                r#""droppedAttributesCount":0,"events":[],"droppedEventsCount":0,"links":[],"droppedLinksCount":0,"status":{{}}}}],"#,
                r#""schemaUrl":""}}],"schemaUrl":""}}]}}"#,
            ),
            resource = RESOURCE,
            scope = SCOPE,
            hash = hash
        );
        let lines = lines(&told(&entry, about));
        assert_eq!(lines.spans.as_deref(), Some(expected.as_str()));
        assert_eq!(lines.events, None);
    }

    #[test]
    fn an_approval_is_linked_to_its_proposal_and_holds_what_it_minted() {
        let facts = [
            ("memory", "M-3"),
            ("policy", "ab12"),
            ("reason", "a reviewer's own words"),
        ];
        let entry = entry(Act::Approve, "alice", "C-17", &facts);
        let about = About {
            candidate: Some(CandidateId(17)),
            verdict: Some("clear".to_owned()),
            layer: Some("acme".to_owned()),
            evidence: Some(2),
            proposed_in: vec![TraceParent::parse(CALLER).unwrap()],
            handed: vec![handed(3, None)],
            ..About::default()
        };
        let lines = lines(&told(&entry, about));
        let spans: Value = serde_json::from_str(lines.spans.as_deref().unwrap()).unwrap();
        let spans = spans["resourceSpans"][0]["scopeSpans"][0]["spans"]
            .as_array()
            .unwrap()
            .clone();
        let [decided, minted] = spans.as_slice() else {
            panic!("{spans:?}");
        };
        assert_eq!(decided["name"], "countersign.promotion.decide");
        assert_eq!(decided["traceId"], "fa73a42e6e0d30a88aa47a98f1a8f175");
        assert_eq!(decided["spanId"], "d375bb1a38ec4f46");
        assert_eq!(decided["parentSpanId"], "");
        let link = &decided["links"][0];
        assert_eq!(link["traceId"], "0af7651916cd43dd8448eb211c80319c");
        assert_eq!(link["spanId"], "00f067aa0ba902b7");
        assert_eq!(minted["name"], "create_memory");
        assert_eq!(minted["traceId"], decided["traceId"]);
        assert_eq!(minted["parentSpanId"], decided["spanId"]);
        assert_eq!(minted["spanId"], "c5e4ed234f0653b7");
        assert_eq!(minted["links"], serde_json::json!([]));
        let events = lines.events.unwrap();
        for expected in [
            r#""eventName":"gen_ai.evaluation.result""#,
            r#"{"key":"gen_ai.evaluation.score.label","value":{"stringValue":"approved"}}"#,
            r#""spanId":"d375bb1a38ec4f46""#,
        ] {
            assert!(events.contains(expected), "{events}");
        }
        let all = format!("{decided}{minted}{events}");
        assert!(!all.contains("own words"), "only codes are told: {all}");
    }

    #[test]
    fn a_demotion_is_linked_to_what_it_takes_back_too() {
        let entry = entry(
            Act::Demote,
            "bob",
            "M-3",
            &[("memory_state", "demoted"), ("reason", "stale")],
        );
        let about = About {
            candidate: Some(CandidateId(17)),
            proposed_in: vec![TraceParent::parse(CALLER).unwrap()],
            earlier: vec![Digest([0x22; 32])],
            ..About::default()
        };
        let lines = lines(&told(&entry, about));
        let line = lines.spans.unwrap();
        for expected in [
            r#""name":"countersign.memory.change""#,
            r#"{"key":"countersign.decision","value":{"stringValue":"demote"}}"#,
            r#"{"key":"countersign.decision.reason","value":{"stringValue":"stale"}}"#,
            r#""traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"00f067aa0ba902b7""#,
            r#""traceId":"52a34efde7e3fbb5bafb283efc19ed93","spanId":"416e492c626e421a""#,
        ] {
            assert!(line.contains(expected), "{expected} is not in {line}");
        }
        assert_eq!(lines.events, None);
    }

    #[test]
    fn hostile_words_stay_one_line_of_json() {
        let name = "eve\"}]}\n{\"resourceSpans\":[]}\u{202e}\u{0}\u{2028}";
        let entry = entry(Act::Reject, name, "C-1", &[("reason", "unsafe")]);
        let lines = lines(&told(&entry, About::default()));
        let line = lines.spans.unwrap();
        assert!(!line.contains('\n') && !line.contains('\0'), "{line}");
        let back: Value = serde_json::from_str(&line).unwrap();
        let said = &back["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["attributes"];
        let said = said.as_array().unwrap();
        let who = said
            .iter()
            .find(|one| one["key"] == "countersign.reviewer.id")
            .unwrap();
        assert_eq!(who["value"]["stringValue"], name);
        assert!(
            lines
                .events
                .unwrap()
                .contains(r#""value":{"stringValue":"rejected"}"#)
        );
    }

    #[test]
    fn texts_are_told_only_where_they_were_handed_in() {
        let serve = entry(Act::Serve, "recall", "S-1", &[("layer", "acme")]);
        let about = |text| About {
            handed: vec![handed(3, text)],
            ..About::default()
        };
        let with = lines(&told(&serve, about(Some("a \"quoted\" line\n")))).spans;
        let with = with.unwrap();
        assert!(with.contains("gen_ai.memory.records"), "{with}");
        assert!(!with.contains('\n'), "{with}");
        let without = lines(&told(&serve, about(None))).spans.unwrap();
        assert!(!without.contains("gen_ai.memory.records"), "{without}");
    }

    #[test]
    fn what_is_no_promotion_and_no_serving_is_nothing_to_a_trace() {
        for (act, item) in [
            (Act::Propose, "C-1"),
            (Act::Reveal, "C-1"),
            (Act::Erase, "C-1"),
            (Act::Policy, "policy"),
            (Act::Reviewer, "reviewer:bob"),
            (Act::DocumentAdd, "K-1"),
            (Act::Observe, "observations"),
            (Act::Report, "M-1"),
        ] {
            let entry = entry(act, "x", item, &[]);
            assert_eq!(
                lines(&told(&entry, About::default())),
                crate::trace::Lines::default(),
                "{act}"
            );
        }
    }
}
