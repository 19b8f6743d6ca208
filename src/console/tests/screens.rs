//! What is seen, against text files. `UPDATE_SCREENS=1` writes them anew, for a person to look at.

use crate::console::tests::bench::Bench;
use crate::console::tests::fixture::Fixture;
use std::path::PathBuf;

fn check(view: &str, name: &str, desk: fn() -> Fixture, keys: &str) {
    for size in [(80, 24), (120, 40)] {
        let mut bench = Bench::new(desk(), size);
        bench.press(keys);
        expect(
            view,
            &format!("{name}.{}x{}", size.0, size.1),
            &bench.screen(),
        );
    }
}

fn expect(view: &str, name: &str, screen: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases/console")
        .join(view);
    let file = folder.join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_SCREENS").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&file, screen).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        screen == expected,
        "{}\nexpected:\n{expected}\nfound:\n{screen}",
        file.display()
    );
}

#[test]
fn the_queue_in_each_of_its_states() {
    check("queue", "first", Fixture::full, "");
    check("queue", "finding", Fixture::full, "jj");
    check("queue", "hidden", Fixture::full, "jjjj");
    check("queue", "by_number", Fixture::full, "jjjjv");
    check("queue", "reject", Fixture::full, "x");
    check("queue", "approved", Fixture::full, "a");
    check("queue", "reason", Fixture::full, "jjja");
    check("queue", "limit", Fixture::full, "lkind:x<enter>");
    check("queue", "marked", Fixture::full, "  ");
    check("queue", "empty", Fixture::empty, "");
    check("queue", "one_at_a_time", Fixture::full, "jjF");
    check("queue", "reading", Fixture::full, "jj<enter>");
    check("queue", "many", || Fixture::many(1_000), "G");
}

#[test]
fn the_tabs_of_a_candidate() {
    check("candidate", "findings", Fixture::full, "jj<tab>");
    check("candidate", "provenance", Fixture::full, "jj<tab><tab>");
    check("candidate", "impact", Fixture::full, "jj<tab><tab><tab>");
    check(
        "candidate",
        "history",
        Fixture::full,
        "jj<tab><tab><tab><tab>",
    );
    check("candidate", "writer", Fixture::full, "jE");
    check("candidate", "diff", Fixture::full, "jE.<esc>");
    check(
        "candidate",
        "held_back_diff",
        Fixture::full,
        "jE; skip review<esc>",
    );
    check("candidate", "why", Fixture::full, "jw");
}

#[test]
fn a_long_text_says_how_far_one_has_got() {
    let desk = || {
        let mut desk = Fixture::empty();
        let lines: Vec<String> = (1..=400)
            .map(|n| format!("Step {n}: open the form"))
            .collect();
        desk.add(&lines.join("\n"), "acme/emea");
        desk
    };
    check("queue", "long", desk, "JJJ");
    check("queue", "long_focused", desk, "<enter><pagedown>");
}

#[test]
fn a_new_version() {
    check("queue", "supersede", Fixture::full, "S");
    let versions = || {
        let mut desk = Fixture::full();
        let now = desk.now;
        let version = |id, text: &str, state, days: i64| crate::desk::view::VersionRow {
            id: crate::domain::MemoryId(id),
            text: text.to_owned(),
            by: "alice".to_owned(),
            at: now.plus_days(-days),
            state,
        };
        desk.memories[0].versions = vec![
            version(
                40,
                "Late fees are waived under €10",
                crate::domain::memory::MemoryState::Superseded,
                90,
            ),
            version(
                44,
                "Late fees are waived under €20",
                crate::domain::memory::MemoryState::Active,
                60,
            ),
        ];
        desk
    };
    check("memory", "versions", versions, "3<backtab>");
}

#[test]
fn the_quarantine() {
    check("quarantine", "first", Fixture::full, "2");
    check("quarantine", "secret", Fixture::full, "2j");
    check("quarantine", "release", Fixture::full, "2r");
    check("quarantine", "empty", Fixture::empty, "2");
}

#[test]
fn memories() {
    check("memory", "first", Fixture::full, "3");
    check("memory", "demote", Fixture::full, "3d");
    check("memory", "confirm", Fixture::full, "3d1");
    check("memory", "renew", Fixture::full, "3t");
    check("memory", "who", Fixture::full, "3d1w");
    check("memory", "marked", Fixture::full, "3Ad1");
    check("memory", "demoted", Fixture::full, "3d1y");
    check("memory", "reach", Fixture::full, "3<tab>");
    check("memory", "empty", Fixture::empty, "3");
}

#[test]
fn patterns() {
    check("patterns", "first", Fixture::with_patterns, "4");
    check("patterns", "wordings", Fixture::with_patterns, "4<tab>");
    check("patterns", "support", Fixture::with_patterns, "4<tab><tab>");
    check(
        "patterns",
        "links",
        Fixture::with_patterns,
        "4<tab><tab><tab>",
    );
    check("patterns", "kin", Fixture::with_patterns, "4j<backtab>");
    check("patterns", "hidden", Fixture::with_patterns, "4jj");
    check("patterns", "gone_there", Fixture::with_patterns, "4jo");
    check("patterns", "nowhere_to_go", Fixture::with_patterns, "4o");
    check("patterns", "empty", Fixture::empty, "4");
    let mut bench = Bench::new(Fixture::with_patterns(), (200, 60));
    bench.press("4");
    expect("patterns", "first.200x60", &bench.screen());
}

#[test]
fn the_ledger() {
    check("ledger", "first", Fixture::full, "5");
    check("ledger", "verified", Fixture::full, "5V");
}

#[test]
fn pulse() {
    check("pulse", "first", Fixture::full, "6");
    check("pulse", "picked", Fixture::full, "6j<right>");
    check("pulse", "read_on", Fixture::full, "6JJJJJJJJ");
    check("pulse", "asked", Fixture::full, "6jt");
    check("pulse", "left_out", Fixture::full, "6jj<enter>");
    check("pulse", "baseline", Fixture::full, "6b");
    check("pulse", "empty", Fixture::empty, "6");
    let mut bench = Bench::new(Fixture::full(), (200, 60));
    bench.press("6jj<right>");
    expect("pulse", "first.200x60", &bench.screen());
}

#[test]
fn layers() {
    check("layers", "help", Fixture::full, "?");
    check("layers", "help_search", Fixture::full, "?reject");
    check("layers", "palette", Fixture::full, ":");
    check("layers", "palette_search", Fixture::full, ":hol");
}

#[test]
fn small_and_wide_screens_hold_together() {
    for size in [(40, 10), (60, 15), (90, 24), (200, 60), (250, 70)] {
        let mut bench = Bench::new(Fixture::full(), size);
        bench.press("jj");
        expect(
            "sizes",
            &format!("queue.{}x{}", size.0, size.1),
            &bench.screen(),
        );
    }
    let bench = Bench::new(Fixture::full(), (31, 8));
    expect("sizes", "queue.31x8", &bench.screen());
}
