//! The language as a table of cases, and what must hold of any query and any text.

use crate::domain::query::{Compare, Count, Expr, Facts, Is, Over, Query, Term, Who, complete};
use crate::domain::time::{DAY, MINUTE};
use crate::domain::{Act, Class, Influence, Kind, Layer, Time, Trust};
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use std::borrow::Cow;

/// What a query reads as, written again.
fn check(query: &str, expected: &str) {
    let read = Query::parse(query, Over::Candidates);
    assert_eq!(
        read.map(|q| q.to_string()),
        Ok(expected.to_owned()),
        "{query}"
    );
}

/// What cannot be read: the place, and a part of the reason.
fn refused(query: &str, over: Over, place: &str, why: &str) {
    let bad = Query::parse(query, over).unwrap_err();
    assert_eq!(bad.word(), place, "{query}: {bad}");
    assert!(bad.to_string().contains(why), "{query}: {bad}");
}

#[test]
fn a_query_is_read_and_written_in_one_shape() {
    check("", "");
    check("  late   fee ", "late fee");
    check("text:\"late fee\"", "\"late fee\"");
    check("\"late fee\" kind:inference", "\"late fee\" kind:inference");
    check("Kind:inference AND trust:web", "kind:inference trust:web");
    check(
        "kind:inference or trust:web late",
        "kind:inference or trust:web late",
    );
    check(
        "(kind:inference or trust:web) late",
        "(kind:inference or trust:web) late",
    );
    check("((late))", "late");
    check("not (late fee) or -is:held", "-(late fee) or -is:held");
    check("not not late", "--late");
    check("a (b (c or d))", "a b (c or d)");
    check(
        "layer:acme/emea age:>7d ends:<72h",
        "layer:acme/emea age:>1w ends:<3d",
    );
    check("age:<90m", "age:<90m");
    check(
        "influence:>=plan trust:<tool users:=3",
        "influence:>=plan trust:<tool users:3",
    );
    check("reviewer:me reviewer:\"me\"", "reviewer:me reviewer:\"me\"");
    check(
        "\"or\" \"-x\" \"a:b\" 12:30",
        "\"or\" \"-x\" \"a:b\" \"12:30\"",
    );
    check("\"say \\\"yes\\\" \\\\ no\"", "\"say \\\"yes\\\" \\\\ no\"");
    check("after:2026-11-01", "after:2026-11-01T00:00:00Z");
    check("late-fee", "late-fee");
    check("-late-fee", "-late-fee");
}

#[test]
fn a_query_that_cannot_be_read_says_where_and_what_is_known_there() {
    let here = Over::Candidates;
    refused("late kind:lie", here, "lie", "none of observed_fact");
    refused("late kind:lie", here, "lie", "column 11");
    refused(
        "colour:red",
        here,
        "colour:",
        "no such key; known are layer: kind:",
    );
    refused("act:approve", here, "act:", "candidates have no such key");
    refused(
        "rule:credential",
        Over::Entries,
        "rule:",
        "known are layer: is: age:",
    );
    refused("is:blue", here, "blue", "held, snoozed");
    refused(
        "is:stale",
        here,
        "stale",
        "candidates are never that; known are held",
    );
    refused("kind:", here, "", "which? observed_fact");
    refused("layer:../x", here, "../x", "not a layer");
    refused("age:7d", here, "7d", "longer or shorter?");
    refused("age:>soon", here, ">soon", "no duration");
    refused(
        "age:>99999999999999999999w",
        here,
        ">99999999999999999999w",
        "no duration",
    );
    refused("users:many", here, "many", "no count");
    refused("(late fee", here, "(", "not closed");
    refused("late)", here, ")", "closes nothing");
    refused("late or", here, "", "behind `or`");
    refused("or late", here, "or", "missing before this");
    refused("-", here, "", "behind `-`");
    refused("()", here, ")", "missing before this");
    refused("text:\"late", here, "\"late", "not closed");
    refused("\"\"", here, "\"\"", "nothing stands between");
    refused(&"(".repeat(70), here, "(", "more than 64");
    refused(&"a ".repeat(4000), here, "", "at most 4096");
}

fn facts(layer: &Layer) -> Facts<'_> {
    let now = Time::from_millis(1_800_000_000_000);
    Facts {
        at: Some(now.plus(-8 * DAY)),
        ends: Some(now.plus(2 * DAY)),
        layer: Some(Cow::Borrowed(layer)),
        kind: Some(Kind::Inference),
        trust: Some(Trust::Web),
        influence: Some(Influence::Action),
        rules: vec![("api_key", Class::Credential)],
        counts: vec![(Count::Users, 4)],
        people: vec!["alice"],
        is: vec![Is::Held],
        texts: vec!["Late FEES are waived at the Übergabe".into()],
        ..Facts::at(now)
    }
}

#[test]
fn a_row_is_held_against_every_part() {
    let layer = Layer::parse("acme/emea").unwrap();
    let row = facts(&layer);
    for (query, expected) in [
        ("", true),
        ("late fees", true),
        ("\"late fees\"", true),
        ("\"fees late\"", false),
        ("übergabe", true),
        ("layer:acme", true),
        ("layer:acme/emea/berlin", false),
        ("layer:acme/em", false),
        (
            "kind:inference trust:web rule:credential age:>7d influence:action",
            true,
        ),
        ("rule:api_key", true),
        ("rule:api", false),
        ("trust:>=tool", false),
        ("trust:<tool", true),
        ("influence:>=plan -is:snoozed", true),
        ("age:<8d", false),
        ("age:<=8d", true),
        ("ends:<3d", true),
        ("users:>=4 users:<5", true),
        ("sessions:0", false),
        ("-sessions:0", true),
        ("reviewer:alice", true),
        ("reviewer:me", false),
        ("is:snoozed or is:held", true),
        ("-(is:held kind:inference)", false),
        ("-(is:held kind:task_state)", true),
        ("proposer:detector", false),
        ("after:2027-01-01", true),
        ("before:2027-01-01", false),
    ] {
        let read = Query::parse(query, Over::Candidates).unwrap();
        assert_eq!(read.matches(&row), expected, "{query}");
    }
    let mine = Query::parse("reviewer:me", Over::Candidates).unwrap();
    let alice = crate::domain::ReviewerName::parse("alice").unwrap();
    assert!(mine.asked_by(&alice).matches(&row));
}

#[test]
fn tab_proposes_keys_and_then_their_values() {
    let known = |key: &str| match key {
        "layer" => vec!["acme/emea".to_owned(), "acme/apac".to_owned()],
        "proposer" => vec!["hook guard".to_owned()],
        _ => Vec::new(),
    };
    let check = |text: &str, over, common: &str, options: &[&str]| {
        let found = complete(text, text.len(), over, &known);
        assert_eq!(found.options, options, "{text}");
        let put = format!("{}{}", text.get(..found.at).unwrap(), found.common());
        assert_eq!(put, common, "{text}");
    };
    let here = Over::Candidates;
    check("late ki", here, "late kind:", &["kind:"]);
    check("-(tr", here, "-(trust:", &["trust:"]);
    check("kind:o", here, "kind:observed_fact", &["observed_fact"]);
    check("trust:>=t", here, "trust:>=tool", &["tool"]);
    check(
        "layer:acme/",
        here,
        "layer:acme/",
        &["acme/emea", "acme/apac"],
    );
    check(
        "proposer:",
        here,
        "proposer:\"hook guard\"",
        &["\"hook guard\""],
    );
    check("age:", here, "age:", &[">7d", ">1d", "<1d", "<1h"]);
    check("act:appr", Over::Entries, "act:approve", &["approve"]);
    check("act:appr", here, "act:appr", &[]);
    check("colour:", here, "colour:", &[]);
    check("is:s", Over::Memories, "is:s", &["stale", "superseded"]);
    assert!(complete("", 0, here, &known).options.len() > 10);
}

fn term() -> impl Strategy<Value = Term> {
    let how = || {
        prop_oneof![
            Just(Compare::Less),
            Just(Compare::AtMost),
            Just(Compare::Equal),
            Just(Compare::AtLeast),
            Just(Compare::More)
        ]
    };
    let ways = || {
        prop_oneof![
            Just(Compare::Less),
            Just(Compare::AtMost),
            Just(Compare::AtLeast),
            Just(Compare::More)
        ]
    };
    let name = || "\\PC{1,12}";
    let minutes = || (0..60_000_i64).prop_map(|n| n * MINUTE);
    prop_oneof![
        "[a-z]{1,4}(/[a-z0-9._-]{1,3}x){0,3}".prop_map(|l| Term::Layer(Layer::parse(&l).unwrap())),
        (0..Kind::ALL.len()).prop_map(|n| Term::Kind(Kind::ALL[n])),
        (how(), 0..Trust::ALL.len()).prop_map(|(how, n)| Term::Trust(how, Trust::ALL[n])),
        (how(), 0..Influence::ALL.len())
            .prop_map(|(how, n)| Term::Influence(how, Influence::ALL[n])),
        name().prop_map(Term::Rule),
        (ways(), minutes()).prop_map(|(how, n)| Term::Age(how, n)),
        (ways(), minutes()).prop_map(|(how, n)| Term::Ends(how, n)),
        (0..2_000_000_000_000_i64).prop_map(|n| Term::After(Time::from_millis(n))),
        (0..2_000_000_000_000_i64).prop_map(|n| Term::Before(Time::from_millis(n))),
        (how(), 0..1000_u64).prop_map(|(how, n)| Term::Count(Count::Users, how, n)),
        Just(Term::Reviewer(Who::Me)),
        name().prop_map(|n| Term::Reviewer(Who::Named(n))),
        name().prop_map(Term::Proposer),
        name().prop_map(Term::Session),
        name().prop_map(Term::Source),
        Just(Term::Is(Is::Held)),
        name().prop_map(Term::Text),
        any::<String>()
            .prop_filter("a text is not empty", |t| !t.is_empty() && t.len() < 60)
            .prop_map(Term::Text),
    ]
}

pub(crate) fn expr() -> impl Strategy<Value = Expr> {
    let leaf = term().prop_map(Expr::Term);
    leaf.prop_recursive(4, 20, 4, |inner| {
        let some = || proptest::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            some().prop_map(Expr::all),
            some().prop_map(Expr::any),
            inner.clone().prop_map(Expr::negated),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_as_the_same_query(root in expr()) {
        let query = Query { root: Some(root) };
        let written = query.to_string();
        if written.len() <= super::MAX_QUERY {
            let read = Query::parse(&written, Over::Candidates);
            assert_eq!(read, Ok(query), "{written}");
        }
    }

    #[test]
    fn no_text_makes_reading_fail_and_every_place_is_inside_it(text in any::<String>(), signs in "[a-z:()\"\\\\ <>=-]{0,40}") {
        for text in [text, signs] {
            for over in Over::ALL {
                match Query::parse(&text, *over) {
                    Ok(query) => {
                        let again = Query::parse(&query.to_string(), *over);
                        assert_eq!(again.as_ref(), Ok(&query));
                    }
                    Err(bad) => {
                        assert!(text.get(bad.at..bad.end).is_some(), "{bad:?}");
                        assert!(!bad.why.is_empty());
                    }
                }
                let found = complete(&text, text.len() / 2, *over, &|_| vec!["x y".to_owned()]);
                assert!(found.at <= found.end && text.get(..found.at).is_some());
            }
        }
    }

    #[test]
    fn not_of_a_query_holds_exactly_where_the_query_does_not(root in expr()) {
        let layer = Layer::parse("acme/emea").unwrap();
        let row = facts(&layer);
        let query = Query { root: Some(root.clone()) };
        let not = Query { root: Some(root.negated()) };
        assert_ne!(query.matches(&row), not.matches(&row));
    }
}

#[test]
fn acts_are_asked_for_by_their_one_spelling() {
    let query = Query::parse("act:approve item:c-12", Over::Entries).unwrap();
    let wanted = Query {
        root: Some(Expr::all(vec![
            Expr::Term(Term::Act(Act::Approve)),
            Expr::Term(Term::Item("C-12".to_owned())),
        ])),
    };
    assert_eq!(query, wanted);
}
