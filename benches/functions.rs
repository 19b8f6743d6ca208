//! The functions that run for every candidate and every frame: `cargo bench --bench functions`.

use countersign::domain::entry::{EntryDraft, Facts as EntryFacts};
use countersign::domain::pattern::Support;
use countersign::domain::{Act, Assurance, Kind, Layer, Scope, SourceRef, Time, Trust};
use countersign::gate::{Facts, Policy, SourceFact, Standing, judge};
use countersign::ledger::chain::{Head, append};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

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
        support: Support::default(),
        other_tenants: &[],
        receipt: false,
    };
    bench.bench_function("gate: judge an ordinary claim", |b| {
        b.iter(|| judge(black_box(&facts), &policy));
    });
    bench.bench_function("gate: policy and packs, from nothing", |b| {
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

criterion_group!(benches, gate, text, ledger);
criterion_main!(benches);
