//! Groups, raw evidence, cases, and going from an entry to what it is about.

use crate::console::effect::Effect;
use crate::console::model::ViewId;
use crate::console::tests::bench::Bench;
use crate::console::tests::fixture::Fixture;
use crate::domain::{CandidateId, Digest, SourceRef, Span};

fn bench() -> Bench {
    Bench::new(Fixture::full(), (120, 40))
}

#[test]
fn one_key_counts_by_rule_and_the_same_key_goes_on() {
    let mut bench = bench();
    bench.press("2b");
    assert!(bench.screen().contains("2 by: ▸rule"), "{}", bench.screen());
    assert!(bench.screen().contains("credential_words"));
    bench.press("bbbb");
    assert!(bench.screen().contains("▸layer"), "{}", bench.screen());
    bench.press("b");
    assert!(bench.screen().contains("▸rule"));
    bench.press("<esc>");
    assert_eq!(bench.model.layers.len(), 0);
    assert!(bench.desk.acts.is_empty());
}

#[test]
fn a_group_narrows_the_list_to_as_many_rows_as_it_counted() {
    let mut bench = bench();
    bench.press("2bj<enter>");
    let filter = bench.model.quarantine.filter.to_string();
    assert!(filter.starts_with("rule:"), "{filter}");
    assert_eq!(bench.model.quarantine.list.rows.len(), 1);
    bench.press("bj<enter>");
    assert_eq!(bench.model.quarantine.filter.to_string(), filter);
}

#[test]
fn raw_evidence_is_drawn_with_every_character_named_and_decides_nothing() {
    let mut desk = Fixture::full();
    desk.candidates[0].candidate.sources = vec![SourceRef::Artifact {
        sha256: Digest::of(b"ticket"),
        span: Some(Span { start: 11, end: 26 }),
    }];
    let mut bench = Bench::new(desk, (100, 30));
    bench.press("o");
    let screen = bench.screen();
    assert!(
        screen.contains("Artifact ticket-9.txt") && screen.contains("cited"),
        "{screen}"
    );
    assert!(
        screen.contains("<U+202E RLO>") && !screen.contains('\u{202e}'),
        "{screen}"
    );
    bench.press("a");
    assert!(bench.desk.acts.is_empty());
    bench.press("q");
    assert_eq!(bench.model.layers.len(), 0);
}

#[test]
fn what_cites_no_artifact_says_so() {
    let mut bench = bench();
    bench.press("o");
    assert!(
        bench.notice().contains("cites no artifact"),
        "{}",
        bench.notice()
    );
}

#[test]
fn a_case_is_copied_for_the_policys_tests() {
    let mut bench = bench();
    bench.press("2T");
    let copied = bench.effects.iter().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text.clone()),
        _ => None,
    });
    assert!(copied.unwrap().contains("[[case]]"));
}

#[test]
fn an_entry_leads_to_what_it_is_about() {
    let mut bench = bench();
    bench.press("5Go");
    assert_eq!(bench.model.view, ViewId::Queue);
    assert_eq!(bench.model.queue.list.selected, Some(CandidateId(1)));
    let mut bench = Bench::new(Fixture::full(), (120, 40));
    bench.desk.entries[0].item = "store".to_owned();
    bench.press("5Ro");
    assert_eq!(bench.model.view, ViewId::Ledger);
}

#[test]
fn the_head_says_whether_the_ledger_was_verified_and_nothing_came_since() {
    let mut bench = bench();
    bench.press("5V");
    assert!(bench.screen().contains("Ledger 5 ✓"), "{}", bench.screen());
    if let Some(overview) = &mut bench.model.overview {
        overview.entries += 1;
    }
    bench.draw();
    assert!(!bench.screen().contains("Ledger 6 ✓"), "{}", bench.screen());
}
