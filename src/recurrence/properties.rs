//! What must hold whatever is said: opposites stay apart, order and restarts change nothing that is
//! not documented, and no text makes this room fail.

use proptest::prelude::*;

use crate::domain::Layer;
use crate::recurrence::{
    Grouper, How, Kept, Likeness, Lines, Reading, explain, objections, regroup,
};

fn layer() -> Layer {
    Layer::parse("acme/support").unwrap()
}

fn patterns(texts: &[String]) -> (Vec<usize>, Vec<Kept>) {
    let mut grouper = Grouper::new(Lines::SHIPPED, []);
    let mut founders = Vec::new();
    let mut kept = Vec::new();
    let groups = texts.iter().map(|text| {
        let placed = grouper.place(&layer(), text);
        kept.extend(placed.keep);
        founders
            .iter()
            .position(|founder| *founder == placed.pattern)
            .unwrap_or_else(|| {
                founders.push(placed.pattern);
                founders.len() - 1
            })
    });
    (groups.collect(), kept)
}

/// Sentences of a small world, many of them alike.
fn sentence() -> impl Strategy<Value = String> {
    let who = prop::sample::select(vec![
        "we",
        "customers",
        "the team",
        "our shop in Berlin",
        "I",
    ]);
    let what = prop::sample::select(vec![
        "refund",
        "do not refund",
        "never refund",
        "exchange",
        "always refund",
        "pay back",
    ]);
    let which = prop::sample::select(vec![
        "used devices",
        "old devices",
        "gift cards",
        "late fees",
        "parcels",
    ]);
    let when = prop::sample::select(vec![
        "",
        "within 5 days",
        "within 15 days",
        "after 5 days",
        "before shipping",
        "unless they are broken",
    ]);
    (who, what, which, when)
        .prop_map(|(who, what, which, when)| format!("{who} {what} {which} {when}"))
}

/// Two sentences that contradict each other, in one frame.
fn opposites() -> impl Strategy<Value = (String, String)> {
    const PAIRS: &[(&str, &str)] = &[
        (
            "run the tests before you push",
            "never run the tests before you push",
        ),
        ("retry on HTTP 429", "do not retry on HTTP 429"),
        (
            "copy from staging to production",
            "copy from production to staging",
        ),
        (
            "the server listens on port 8080",
            "the server listens on port 8443",
        ),
        (
            "invoices go to the Berlin office",
            "invoices go to the Tokyo office",
        ),
        ("refunds take 5 days", "refunds take 15 days"),
        ("the fee is 40 EUR", "the fee is 40 USD"),
        ("use version 1.2.3", "use version 1.2.4"),
        (
            "the hotline is open on Saturdays",
            "the hotline is closed on Saturdays",
        ),
        ("lint before you commit", "lint after you commit"),
        ("we buy used devices", "customers buy used devices"),
        (
            "we accept cash on delivery",
            "we accept cash on delivery except on Fridays",
        ),
        (
            "it fails unless you set RUST_LOG",
            "it fails if you set RUST_LOG",
        ),
    ];
    let frame = prop::sample::select(vec!["", "please remember: ", "note that ", "In our team, "]);
    let end = prop::sample::select(vec!["", ".", "!", " please", " - thanks"]);
    (prop::sample::select(PAIRS.to_vec()), frame, end).prop_map(|((one, other), frame, end)| {
        (format!("{frame}{one}{end}"), format!("{frame}{other}{end}"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn opposites_are_never_joined((one, other) in opposites(), between in prop::collection::vec(sentence(), 0..6)) {
        let mut texts = vec![one];
        texts.extend(between);
        texts.push(other);
        let (groups, _) = patterns(&texts);
        prop_assert_ne!(groups.first(), groups.last(), "{:?}", texts);
    }

    #[test]
    fn replay_and_restart_give_the_same(texts in prop::collection::vec(sentence(), 1..30), cut in 0_usize..30) {
        let (groups, kept) = patterns(&texts);
        prop_assert_eq!(&patterns(&texts).0, &groups);
        let known = kept.iter().position(|one| Some(&one.key) == texts.get(cut).map(|text| crate::recurrence::fingerprint(text)).as_ref());
        let head = kept.get(..known.unwrap_or(kept.len())).unwrap_or_default();
        let mut resumed = Grouper::new(Lines::SHIPPED, head.to_vec());
        let again: Vec<Kept> = texts.iter().filter_map(|text| resumed.place(&layer(), text).keep).collect();
        prop_assert_eq!(&again, &kept.get(head.len()..).unwrap_or_default().to_vec());
    }

    #[test]
    fn regrouping_knows_no_order_of_arrival(texts in prop::collection::btree_set(sentence(), 1..25), turn in 0_usize..25) {
        let wordings: Vec<(&str, u64)> = texts.iter().map(|text| (text.as_str(), text.len() as u64 % 3)).collect();
        let mut turned = wordings.clone();
        let step = turn % turned.len();
        turned.rotate_left(step);
        let mut again = regroup(Lines::SHIPPED, &layer(), &turned);
        again.rotate_right(step);
        prop_assert_eq!(regroup(Lines::SHIPPED, &layer(), &wordings), again);
    }

    #[test]
    fn likeness_and_guard_are_symmetric_and_never_fail(one in any::<String>(), other in sentence()) {
        for (one, other) in [(one.as_str(), other.as_str()), (other.as_str(), other.as_str()), (one.as_str(), one.as_str())] {
            let (a, b) = (Reading::of(one), Reading::of(other));
            let (there, back) = (Likeness::of(&a, &b), Likeness::of(&b, &a));
            prop_assert!((there.score() - back.score()).abs() < 1e-4);
            prop_assert!((0.0..=1.001).contains(&there.score()));
            prop_assert_eq!(objections(&a, &b).is_empty(), objections(&b, &a).is_empty());
            prop_assert!(!explain(one, other).to_string().is_empty());
        }
    }

    #[test]
    fn layers_never_meet(text in sentence()) {
        let mut grouper = Grouper::new(Lines::SHIPPED, []);
        let (one, other) = (Layer::parse("acme/emea").unwrap(), Layer::parse("acme/apac").unwrap());
        grouper.place(&one, &text);
        let placed = grouper.place(&other, &text);
        prop_assert_eq!(placed.how, How::Founded);
        prop_assert!(placed.maybe.is_empty());
        prop_assert_eq!(grouper.size(), (2, 2));
    }
}

#[test]
fn a_question_and_a_claim_are_two_patterns() {
    let texts = [
        "the hotline is open on Saturdays",
        "is the hotline open on Saturdays?",
    ];
    let (groups, _) = patterns(&texts.map(str::to_owned));
    assert_eq!(groups, [0, 1]);
}

/// A like B, B like C, C like D: no chain of small steps may carry a pattern away.
#[test]
fn a_chain_of_likeness_does_not_grow_one_group() {
    let words = [
        "red", "round", "paper", "lamp", "desk", "garden", "window", "river", "violin", "harbour",
        "copper", "meadow", "engine", "basket",
    ];
    let chain: Vec<String> = words
        .windows(5)
        .map(|five| format!("{} must be there", five.join(" ")))
        .collect();
    let (groups, _) = patterns(&chain);
    let mut sizes = std::collections::BTreeMap::new();
    groups
        .iter()
        .for_each(|group| *sizes.entry(group).or_insert(0) += 1);
    assert!(sizes.values().all(|size| *size <= 2), "{groups:?}");
}
