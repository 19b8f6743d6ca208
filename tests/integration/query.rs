//! The query language against a store: what the tables leave out beforehand is never what was asked for.

use crate::world::World;
use countersign::desk::view::{MemoryPlace, MemorySort};
use countersign::domain::candidate::CandidateState;
use countersign::domain::query::{Over, Query};
use countersign::domain::{EntrySeq, Time};
use proptest::prelude::{Strategy, prop};
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

/// Any value of a strategy, the same in every run.
fn runner() -> TestRunner {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    TestRunner::new_with_rng(Config::default(), rng)
}

/// Queries of these words, put together in every way.
fn queries(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    let word = prop::sample::select(words).prop_map(str::to_owned);
    word.prop_recursive(3, 12, 3, |inner| {
        prop::collection::vec(inner, 1..4).prop_flat_map(|parts| {
            prop::sample::select(vec![
                parts.join(" "),
                format!("({})", parts.join(" or ")),
                format!("-({})", parts.join(" ")),
                format!("-({})", parts.join(" or ")),
            ])
        })
    })
}

const OF_CANDIDATES: &[&str] = &[
    "late",
    "fee",
    "\"late fee\"",
    "kelvin",
    "übergabe",
    "layer:acme",
    "layer:acme/emea",
    "layer:globex",
    "kind:inference",
    "kind:task_state",
    "trust:web",
    "trust:>=tool",
    "trust:<tool",
    "influence:plan",
    "influence:>=plan",
    "influence:<=style",
    "rule:api_key",
    "rule:credential",
    "rule:\"a\\\"b\"",
    "age:>3d",
    "age:<=3d",
    "ends:<10d",
    "ends:>1d",
    "after:2026-11-28",
    "before:2026-11-28",
    "users:>=3",
    "users:0",
    "sessions:<2",
    "days:2",
    "reviewer:alice",
    "reviewer:me",
    "proposer:detector",
    "proposer:Detector",
    "project:billing",
    "session:s-1",
    "source:session",
    "source:S-1",
    "source:pattern:P-",
    "is:held",
    "is:snoozed",
    "is:advisory",
    "is:clear",
    "is:repeated",
    "is:linked",
];

const OF_MEMORIES: &[&str] = &[
    "late",
    "kelvin",
    "übergabe",
    "layer:acme",
    "layer:acme/emea",
    "kind:inference",
    "trust:>=tool",
    "influence:>=plan",
    "age:>3d",
    "ends:<10d",
    "ends:<0d",
    "after:2026-11-28",
    "served:0",
    "served:>2",
    "reviewer:alice",
    "reviewer:olga",
    "project:billing",
    "session:s-1",
    "source:session",
    "is:stale",
    "is:active",
    "is:advisory",
    "is:demoted",
    "is:superseded",
    "is:expired",
    "is:contradicted",
];

const OF_ENTRIES: &[&str] = &[
    "act:propose",
    "act:approve",
    "act:init",
    "item:C-2",
    "item:observations",
    "reviewer:olga",
    "reviewer:me",
    "layer:acme/emea",
    "age:<1h",
    "age:>1h",
    "before:2026-12-02",
    "after:2026-12-02",
    "is:decision",
    "checked",
    "\"the team\"",
    "\"a \\\"b\\\"\"",
    "olga",
    "session:s-1",
];

/// Candidates of every sort, written past every door.
fn random_candidates(world: &World) {
    world.propose("Refunds take five working days.", "acme/emea");
    world.propose("Refunds take five working days.", "acme/emea2");
    world.propose("Refunds take five working days.", "globex");
    let mut database = world.database();
    let all = database.transaction().unwrap();
    let claims = [
        "the LATE fee",
        "Late fees",
        "a \u{212a}elvin is a kelvin",
        "die \u{dc}BERGABE",
        "\u{fc}bergabe, late",
        "nothing",
    ];
    let findings = [
        "[]".to_owned(),
        r#"[{"rule":"api_key","class":"credential","severity":"quarantine","view":"raw","message":"a \"rule\":\"late\""}]"#.to_owned(),
        r#"[{"rule":"a\"b","class":"echo","severity":"advisory","view":"raw","message":"m"}]"#.to_owned(),
    ];
    let sources = [
        "session:s-1",
        "session:S-1\npattern:P-3",
        "pattern:P-1",
        "session:s-10",
    ];
    let now = Time::parse("2026-12-01T09:00:00Z").unwrap();
    let draw = (0..1_000_000_usize, 0..1_000_000_usize);
    let mut runner = runner();
    for n in 0..160_i64 {
        let (one, two) = draw.new_tree(&mut runner).unwrap().current();
        let pick = |by: usize, of: usize| (one / by) % of;
        let number = |by: usize, of: usize| i64::try_from((two / by) % of).unwrap();
        all.prepare_cached(
            "INSERT INTO candidate SELECT ?1, version, 0, ?2, claim_key, salt, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, confidence, ?11, ?12, \
             ?13, evidence, ?14, policy, ?15, ?16, ?17, ?18, ?19, ?20, ?21, NULL, ?22, \
             ?23, ?24, NULL, NULL FROM candidate WHERE id = 1",
        )
        .unwrap()
        .execute(rusqlite::params![
            100 + n,
            claims[pick(1, 6)],
            number(1, 4),
            number(4, 5),
            number(20, 3),
            number(60, 5),
            1 + number(300, 3),
            [None, Some("billing"), Some("other")][pick(6, 3)],
            [None, Some("s-1"), Some("s-2")][pick(18, 3)],
            now.plus_days(number(900, 20)).millis(),
            ["detector", "agent"][pick(54, 2)],
            now.plus_days(-number(3, 9)).millis(),
            sources[pick(108, 4)],
            findings[pick(432, 3)],
            [None, Some(3_i64)][pick(1296, 2)],
            number(7, 5),
            number(11, 3),
            number(13, 3),
            number(17, 2),
            [0, now.plus_days(1).millis(), now.plus_days(-1).millis()][pick(2592, 3)],
            [None, Some(1_i64)][pick(31, 2)],
            [None, Some("alice")][pick(37, 2)],
            [None, Some(1_i64)][pick(37, 2)],
            [None, Some(10_i64)][pick(37, 2)],
        ])
        .unwrap();
    }
    all.commit().unwrap();
}

/// The same query where SQL can leave nothing out: nobody has asked, so nothing is `me`, and that
/// only the evaluator knows.
fn unaided(query: &Query, over: Over) -> Query {
    let hard = if over == Over::Entries {
        "session:\"no such\""
    } else {
        "reviewer:me"
    };
    let all = format!("({query}) or {hard}");
    Query::parse(&all, over).unwrap_or_else(|error| panic!("{all}: {error}"))
}

#[test]
fn the_tables_answer_every_query_as_the_language_means_it() {
    let world = World::new();
    random_candidates(&world);
    let desk = world.desk();
    let mut runner = runner();
    let strategy = queries(OF_CANDIDATES);
    let (mut some, mut total) = (0, 0);
    for _ in 0..1_500 {
        let text = strategy.new_tree(&mut runner).unwrap().current();
        let query = Query::parse(&text, Over::Candidates).unwrap();
        let ids = |query: &Query| -> Vec<i64> {
            let page = desk
                .queue(CandidateState::Pending, query, None, 1_000)
                .unwrap();
            assert!(!page.more);
            page.rows.iter().map(|row| row.id.0).collect()
        };
        let found = ids(&query);
        assert_eq!(found, ids(&unaided(&query, Over::Candidates)), "{text}");
        some += usize::from(!found.is_empty() && found.len() < 150);
        total += 1;
    }
    assert!(
        some > total / 3,
        "{some} of {total} queries tell rows apart"
    );
}

#[test]
fn the_tables_answer_queries_over_memories_and_entries_as_the_language_means_them() {
    let world = World::new();
    for (claim, layer) in [
        ("The late fee is five euro.", "acme/emea"),
        ("Die \u{dc}bergabe ist am Montag.", "acme/emea2"),
        ("A \u{212a}elvin is a unit.", "acme"),
    ] {
        world.remember(claim, layer);
    }
    world
        .at_terminal(["demote", "M-2", "--reason", "stale"])
        .exits(0);
    world.line("recall --layer acme/emea").exits(0);
    world.observe("Refunds take five days", "acme", 2);
    let desk = world.desk();
    let mut runner = runner();
    let (memories, entries) = (queries(OF_MEMORIES), queries(OF_ENTRIES));
    for _ in 0..400 {
        let text = memories.new_tree(&mut runner).unwrap().current();
        let query = Query::parse(&text, Over::Memories).unwrap();
        let ids = |query: &Query| -> Vec<i64> {
            let page = desk
                .memories(MemorySort::Newest, query, MemoryPlace::Start, 100)
                .unwrap();
            page.rows.iter().map(|row| row.id.0).collect()
        };
        assert_eq!(ids(&query), ids(&unaided(&query, Over::Memories)), "{text}");
        let text = entries.new_tree(&mut runner).unwrap().current();
        // An id is looked up by its index, where batches of observations are not.
        let query = Query::parse(&text, Over::Entries).unwrap();
        let seqs = |query: &Query| -> Vec<EntrySeq> {
            let page = desk.entries(None, query, 1_000).unwrap();
            page.rows.iter().map(|row| row.seq).collect()
        };
        assert_eq!(
            seqs(&query),
            seqs(&unaided(&query, Over::Entries)),
            "{text}"
        );
    }
}

/// A rare thing among many is found in bounded steps, and each step says where it stopped.
#[test]
fn a_search_goes_on_where_it_stopped_and_misses_nothing() {
    let world = World::new();
    world.propose("Refunds take five working days.", "acme");
    let mut database = world.database();
    let all = database.transaction().unwrap();
    for n in 0..45_000_i64 {
        let claim = if n % 20_000 == 19_999 {
            "a rare thing"
        } else {
            "a common thing"
        };
        all.prepare_cached(
            "INSERT INTO candidate SELECT ?1, version, 0, ?2, claim_key, salt, kind, influence, verdict, trust, layer, project, session, \
             expires_at, confidence, proposer, proposed_at, sources, evidence, findings, policy, pattern, users, sessions, days, 0, 0, \
             NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM candidate WHERE id = 1",
        )
        .unwrap()
        .execute(rusqlite::params![10 + n, claim])
        .unwrap();
    }
    all.commit().unwrap();
    drop(database);
    let desk = world.desk();
    let query = Query::parse("rare", Over::Candidates).unwrap();
    let (mut after, mut found, mut steps) = (None, Vec::new(), 0);
    loop {
        let page = desk
            .queue(CandidateState::Pending, &query, after, 100)
            .unwrap();
        found.extend(page.rows.iter().map(|row| row.id.0));
        steps += 1;
        after = page.left_at;
        if after.is_none() {
            assert!(!page.more);
            break;
        }
    }
    assert_eq!(found, [10 + 19_999, 10 + 39_999]);
    assert!(steps > 1, "{steps}");
    let last = desk
        .queue_last(CandidateState::Pending, &query, 100)
        .unwrap();
    assert!(last.left_at.is_some() || last.rows.len() == 2);
    let listed = world
        .run(["queue", "list", "--query", "rare", "--json"])
        .exits(0);
    assert_eq!(listed.lines().len(), 2);
}

#[test]
fn a_query_that_cannot_be_read_is_pointed_at() {
    let world = World::new();
    let ran = world
        .run(["queue", "list", "--query", "layer:acme kind:lie late"])
        .fails_clearly(2, "`lie` at column 17: kind `lie` is none of observed_fact");
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(lines[1], "  layer:acme kind:lie late", "{}", ran.err);
    assert_eq!(lines[2], "                  ^^^", "{}", ran.err);
    world
        .run(["memory", "list", "--query", "act:approve"])
        .fails_clearly(2, "memories have no such key");
    let hostile = world
        .run(["audit", "log", "--query", "colour:\u{202e}red"])
        .exits(2);
    assert!(!hostile.err.contains('\u{202e}'), "{}", hostile.err);
}

#[test]
fn the_ledger_is_read_in_the_same_language() {
    let world = World::new();
    world.remember("Refunds take five working days.", "acme/emea");
    world.propose("Late fees are five euro.", "acme");
    let log = |query: &str| -> Vec<Value> {
        let ran = world
            .run(["audit", "log", "--query", query, "--json"])
            .exits(0);
        ran.lines()
    };
    assert_eq!(log("act:approve").len(), 1);
    assert_eq!(log("act:approve or act:propose").len(), 3);
    assert_eq!(log("act:propose layer:acme/emea").len(), 1);
    assert_eq!(log("reviewer:me is:decision").len(), 1);
    assert_eq!(log("\"checked with\"").len(), 1);
    assert_eq!(log("age:>1h").len(), 0);
    let short = world.run(["audit", "log", "approve", "--json"]).exits(0);
    assert_eq!(short.lines(), log("act:approve"));
    let both = world
        .run(["audit", "log", "olga", "--query", "item:c-1", "--json"])
        .exits(0);
    assert_eq!(both.lines().len(), 1);
}

/// What is hidden from a reader cannot be found out letter by letter, neither by what a search
/// brings nor by what it leaves out.
#[test]
fn a_hidden_secret_is_not_guessed_by_searching_for_it() {
    let world = World::new();
    world.propose("The root password for db-3 is Tr0ub4dor&3xyz.", "acme");
    let ask = |what: &str, query: &str| {
        world.run([
            "queue",
            what,
            "--status",
            "quarantined",
            "--json",
            "--query",
            query,
        ])
    };
    let found = |query: &str| ask("list", query).exits(0).lines().len();
    assert_eq!(found("root password"), 1);
    for guess in ["Tr0ub4dor", "\"is Tr0\"", "3xyz"] {
        assert_eq!(found(guess), 0, "{guess}");
        assert_eq!(found(&format!("-{guess}")), 1, "{guess}");
        let groups = ask("groups", guess);
        assert!(!groups.out.contains("\"total\":1"), "{}", groups.out);
    }
}
