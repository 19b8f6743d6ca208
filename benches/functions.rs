//! The functions that run for every candidate and every frame: `cargo bench --bench functions`.

use countersign::desk::presence::{Caller, Presence};
use countersign::desk::{Clock, Desk, ExportRequest, ReviewerChange, read_proposal};
use countersign::domain::decision::{CandidateDecision, Ruling, Seen};
use countersign::domain::entry::{EntryDraft, Facts as EntryFacts};
use countersign::domain::pattern::Support;
use countersign::domain::{
    Act, Assurance, Kind, Layer, Reviewer, ReviewerName, Role, Scope, SourceRef, Time, Trust,
};
use countersign::gate::{Facts, Policy, SourceFact, Standing, judge};
use countersign::keys::Signer;
use countersign::ledger::chain::{Head, append};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::Arc;

const CLAIM: &str = "Export requests need the new consent form since 1 October; the old one is refused by the registry.";

fn gate(bench: &mut Criterion) {
    let (Ok(policy), Ok(layer), Ok(reference)) = (
        Policy::shipped(),
        Layer::parse("acme/emea"),
        SourceRef::parse("observation:O-1"),
    ) else {
        return;
    };
    let scope = Scope::of(layer);
    let sources = [SourceFact {
        reference,
        trust: Trust::Tool,
        standing: Standing::Held,
        text: Some(CLAIM.to_owned()),
    }];
    let facts = Facts {
        text: CLAIM,
        kind: Kind::ObservedFact,
        sources: &sources,
        declared_trust: None,
        scope: &scope,
        proposer_layer: None,
        expires_at: None,
        now: Time::from_millis(1_790_000_000_000),
        confidence: None,
        forbidden_fields: &[],
        claims: 1,
        support: Support::default(),
        other_tenants: &[],
        receipt: false,
        evidence: None,
    };
    bench.bench_function("gate: judge an ordinary claim", |b| {
        b.iter(|| judge(black_box(&facts), &policy));
    });
    bench.bench_function("gate: read a policy", |b| {
        b.iter(Policy::shipped);
    });
}

fn text(bench: &mut Criterion) {
    let long = CLAIM.repeat(20);
    bench.bench_function("text: visible and wrapped, 2,000 characters", |b| {
        b.iter(|| countersign::text::visible(black_box(&long)).wrap(80));
    });
    bench.bench_function("text: folded key of a claim", |b| {
        b.iter(|| countersign::text::key(black_box(CLAIM)));
    });
}

fn ledger(bench: &mut Criterion) {
    let draft = EntryDraft {
        at: Time::from_millis(1_790_000_000_000),
        actor: "alice".to_owned(),
        assurance: Assurance::Terminal,
        act: Act::Approve,
        item: "C-17".to_owned(),
        facts: EntryFacts::new(),
    };
    let head = Head::empty();
    bench.bench_function("ledger: seal an entry", |b| {
        b.iter(|| append(&head, black_box(draft.clone())));
    });
}

fn standing() -> Clock {
    Clock::standing_at(Time::from_millis(1_790_000_000_000))
}

/// A store with so many approved memories, signed with a key or by nobody.
fn approved(folder: &std::path::Path, memories: usize, signed: bool) -> Option<Desk> {
    let desk = Desk::init(&folder.join("store.db"), "alice", standing()).ok()?;
    let caller = Caller {
        input_is_terminal: true,
        output_is_terminal: true,
        markers: Vec::new(),
        role: None,
    };
    let name = ReviewerName::parse("alice").ok()?;
    let reviewer = Reviewer {
        name: name.clone(),
        role: Role::Admin,
    };
    let mut presence = Presence::at_terminal(&caller, reviewer).ok()?;
    if signed {
        let pair = ssh_key::private::Ed25519Keypair::from_seed(&[7; 32]);
        let file = folder.join("key");
        ssh_key::PrivateKey::from(pair)
            .write_openssh_file(&file, ssh_key::LineEnding::LF)
            .ok()?;
        let signer = Signer::open(&file, &mut || Ok(Default::default())).ok()?;
        let public_key = Some(signer.public_key().to_owned());
        presence = presence.with_key(Some(Arc::new(signer)));
        let change = ReviewerChange::Add {
            name,
            role: Role::Admin,
            public_key,
        };
        desk.change_reviewers(&presence, &change).ok()?;
    }
    for n in 0..memories {
        let line = format!(
            r#"{{"claim":"Desk {n} answers calls about parcels.","kind":"observed_fact","source_refs":["session:s-1"],"source_trust":"authenticated_user","scope":{{"layer":"acme"}},"proposer":"agent-1"}}"#
        );
        let id = desk.propose(read_proposal(&line).ok()?).ok()?.id;
        let view = desk.candidate(id).ok()?;
        let decision = CandidateDecision {
            candidate: id,
            seen: Seen {
                version: view.candidate.version,
                shown: view.shown,
                frame: 1,
                whole: true,
                on_screen: None,
            },
            ruling: Ruling::Approve,
            reason: Some("checked".to_owned()),
            influence: None,
            supersedes: None,
        };
        desk.decide(&presence, decision).ok()?;
    }
    Some(desk)
}

/// What is handed over, read and checked, without the commit that logs it. A process that stays
/// checks each signature once; the first answer of a new process checks them all.
fn recall(bench: &mut Criterion) {
    let Ok(layer) = Layer::parse("acme") else {
        return;
    };
    let request = ExportRequest {
        viewer: Scope::of(layer),
        budget: 1 << 20,
    };
    for (what, signed) in [("unsigned", false), ("signed", true)] {
        let Ok(folder) = tempfile::tempdir() else {
            return;
        };
        let Some(desk) = approved(folder.path(), 100, signed) else {
            return;
        };
        bench.bench_function(&format!("recall: 100 memories, {what}"), |b| {
            b.iter(|| desk.export(black_box(&request)));
        });
        let path = folder.path().join("store.db");
        drop(desk);
        bench.bench_function(
            &format!("recall: 100 memories, {what}, a new process"),
            |b| {
                b.iter(|| Desk::open(&path, standing()).map(|desk| desk.export(&request)));
            },
        );
    }
}

criterion_group!(benches, gate, text, ledger, recall);
criterion_main!(benches);
