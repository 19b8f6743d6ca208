//! What texts say, and what keeps two of them apart, case by case.

use proptest::prelude::*;

use super::{Features, MarkKind, Unit, differences, of};

/// Reads a text and looks at it.
fn check(text: &str, holds: impl Fn(&Features) -> bool) {
    let features = of(text);
    assert!(holds(&features), "{text:?}\n{features:#?}");
}

fn amounts(text: &str) -> Vec<(f64, Unit)> {
    of(text)
        .amounts
        .iter()
        .map(|it| (it.value, it.unit))
        .collect()
}

#[test]
fn every_pair_differs_in_what_its_file_says() {
    #[derive(serde::Deserialize)]
    struct Case {
        left: String,
        right: String,
        what: Vec<String>,
    }
    for line in include_str!("../../tests/cases/features/differences.jsonl").lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let (left, right) = (of(&case.left), of(&case.right));
        let found = differences(&left, &right);
        let mut what: Vec<String> = found.iter().map(|it| format!("{:?}", it.what)).collect();
        what.dedup();
        let right_kind = what.iter().any(|it| case.what.contains(it)) || case.what.is_empty();
        assert_eq!(what.is_empty(), case.what.is_empty(), "{line}\n{what:?}");
        assert!(right_kind, "{line}\n{what:?}");
        assert_eq!(
            differences(&right, &left).is_empty(),
            what.is_empty(),
            "{line}"
        );
    }
}

#[test]
fn numbers_are_read_in_any_spelling() {
    assert_eq!(amounts("1,280.50"), [(1280.5, Unit::None)]);
    assert_eq!(amounts("1.280,50 EUR"), [(1280.5, Unit::Money("EUR"))]);
    assert_eq!(
        amounts("two hundred and forty-five thousand"),
        [(245_000.0, Unit::None)]
    );
    assert_eq!(amounts("a hundred calls"), [(100.0, Unit::None)]);
    assert_eq!(amounts("19 per cent"), [(19.0, Unit::Percent)]);
    assert_eq!(amounts("5 business days"), [(5.0, Unit::WorkDays)]);
    assert_eq!(amounts("a fortnight"), [(1_209_600.0, Unit::Seconds)]);
    assert_eq!(amounts("delay_ms = 2000"), [(2.0, Unit::Seconds)]);
    assert_eq!(amounts("5 million dollars"), [(5e6, Unit::Money("USD"))]);
    check("bays 3 to 7", |it| {
        it.amounts.first().is_some_and(|it| it.to == Some(7.0))
    });
    check("the 3rd page", |it| {
        it.amounts.first().is_some_and(|it| it.ordinal)
    });
}

#[test]
fn moments_are_read_in_any_spelling() {
    let date = |text: &str| {
        let moment = of(text).moments.first().cloned().unwrap_or_default();
        (moment.year, moment.month, moment.day)
    };
    for text in [
        "due 2031-07-15",
        "on 15 July 2031",
        "on July 15 2031",
        "15.07.2031",
    ] {
        assert_eq!(date(text), (Some(2031), Some(7), Some(15)), "{text}");
    }
    for text in [
        "at 02:00",
        "at 2am",
        "at 2 a.m.",
        "at two in the morning",
        "2 at night, at 2 at night",
    ] {
        check(text, |it| {
            it.moments.iter().any(|it| it.minute == Some(120))
        });
    }
    check("until half past two", |it| {
        it.moments.iter().any(|it| it.minute == Some(150))
    });
    check("you may go", |it| it.moments.is_empty());
    check("see you in May", |it| {
        it.moments.iter().any(|it| it.month == Some(5))
    });
}

#[test]
fn codes_and_names_are_told_from_words() {
    check("see SHOP-311, db-3 and src/main.rs v1.2.3 --force", |it| {
        it.codes.len() == 5
    });
    check("the Zolo printer in Berlin", |it| {
        it.names.iter().filter(|it| it.sure).count() == 2
    });
    check("Refunds take long", |it| it.names.iter().all(|it| !it.sure));
    check("all times are UTC", |it| {
        it.names.iter().any(|it| it.lower == "utc")
    });
}

#[test]
fn denials_reach_their_clause_and_no_further() {
    let denied = |text: &str| -> Vec<String> {
        of(text)
            .words
            .iter()
            .filter(|it| it.denied)
            .map(|it| it.lower.clone())
            .collect()
    };
    assert!(denied("we don't sell it, we lend it").contains(&"sell".to_owned()));
    assert!(!denied("we don't sell it, we lend it").contains(&"lend".to_owned()));
    assert!(!denied("they get the money, not the size").contains(&"money".to_owned()));
    assert!(denied("use a range rather than a version").contains(&"version".to_owned()));
}

#[test]
fn small_words_are_marked() {
    let marks: [(&str, MarkKind); 6] = [
        ("it is probably blocked", MarkKind::Doubted),
        ("we are thinking about it", MarkKind::Proposed),
        ("if they sign", MarkKind::Condition),
        ("every room", MarkKind::All),
        ("it will be closed", MarkKind::Planned),
        ("you must pay", MarkKind::Must),
    ];
    for (text, kind) in marks {
        check(text, |it| it.has(kind));
    }
    check("no answer for a week? close it", |it| it.question.is_none());
    check("where do I find it", |it| it.question.is_some());
}

/// A development figure on the shared near misses: how many look-alikes are kept apart, and how
/// many pairs that say the same are let through.
#[test]
fn look_alikes_are_kept_apart() {
    let folder = std::env::var_os("COUNTERSIGN_SHARED").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
        std::path::PathBuf::from,
    );
    let path = folder.join("recurrence/nearmiss_dev.jsonl");
    let Ok(rows) = std::fs::read_to_string(&path) else {
        let _ = std::io::Write::write_fmt(
            &mut std::io::stderr(),
            format_args!(
                "SKIPPED look_alikes_are_kept_apart: {} is missing\n",
                path.display()
            ),
        );
        return;
    };
    let rows: Vec<(Option<String>, Option<String>, Features)> = rows
        .lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let field = |name: &str| row[name].as_str().map(str::to_owned);
            (
                field("family"),
                field("group"),
                of(row["text"].as_str().unwrap()),
            )
        })
        .collect();
    let (mut same, mut passed, mut other, mut parted) = (0, 0, 0, 0);
    for (at, (family, group, left)) in rows.iter().enumerate() {
        for (near, with, right) in rows.iter().skip(at + 1) {
            if family.is_none() || near != family || group.is_none() || with.is_none() {
                continue;
            }
            let apart = !differences(left, right).is_empty();
            if group == with {
                same += 1;
                passed += usize::from(!apart);
            } else {
                other += 1;
                parted += usize::from(apart);
            }
        }
    }
    eprintln!("same {passed}/{same} pass, look-alikes {parted}/{other} parted");
    assert!(passed * 100 >= same * 75 && parted * 100 >= other * 75);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_panics_and_every_span_is_of_the_text(
        text in "([a-zA-Z0-9 .,:;'!?$€%/_-]|not |if |from |to |two |before |\\PC){0,60}",
        other in "([a-z0-9 .,?%-]|not |\\PC){0,40}",
    ) {
        let features = of(&text);
        prop_assert_eq!(&features, &of(&text));
        let spans = features.words.iter().map(|it| &it.span)
            .chain(features.amounts.iter().map(|it| &it.span))
            .chain(features.moments.iter().map(|it| &it.span))
            .chain(features.poles.iter().map(|it| &it.span))
            .chain(features.marks.iter().map(|it| &it.span));
        for span in spans {
            prop_assert!(text.get(span.clone()).is_some(), "{:?} {:?}", text, span);
        }
        let there = of(&other);
        let (one, two) = (differences(&features, &there), differences(&there, &features));
        prop_assert_eq!(one.is_empty(), two.is_empty());
        prop_assert!(differences(&features, &features).is_empty());
    }
}
