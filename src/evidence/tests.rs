//! Claims weighed against their evidence: single rules, whole files of rows, and any bytes.

use proptest::prelude::*;

use super::eval::{Row, answer, summary};
use super::{Answer, Item, weigh};
use crate::domain::Trust;

/// Weighs a claim against items written `who: text`, in order of time.
fn check(claim: &str, items: &[&str], expected: Answer) {
    let items: Vec<Item<'_>> = items.iter().map(|text| item(text)).collect();
    let found = weigh(claim, &items);
    assert_eq!(found.answer, expected, "{claim}\n{found:#?}");
}

fn item(text: &str) -> Item<'_> {
    let (who, text) = text.split_once(": ").unwrap();
    let trust = match who {
        "person" => Trust::AuthenticatedUser,
        "tool" => Trust::Tool,
        "page" => Trust::Web,
        "system" => Trust::System,
        _ => Trust::Model,
    };
    Item {
        text,
        trust,
        person: who == "person",
        speaker: None,
    }
}

#[test]
fn numbers_units_and_dates_are_compared_as_values() {
    let page = "page: Refunds take five working days. The shop closes on 3 June at 18:00.";
    check("Refunds take 5 business days.", &[page], Answer::Supported);
    check(
        "Refunds take six working days.",
        &[page],
        Answer::Contradicted,
    );
    check(
        "The shop closes on 3 June at 6 pm.",
        &[page],
        Answer::Supported,
    );
    check("The shop closes on 13 June.", &[page], Answer::Contradicted);
}

#[test]
fn what_is_proposed_or_doubted_is_not_done() {
    let person = "person: [Ada] We are thinking about moving the depot to Gent.";
    check("The depot is moved to Gent.", &[person], Answer::Overstated);
    let doubt = "person: [Ada] The pump is probably broken.";
    check("The pump is broken.", &[doubt], Answer::Overstated);
    check("The pump is probably broken.", &[doubt], Answer::Supported);
}

#[test]
fn a_condition_that_is_left_out_overstates() {
    let person = "person: [Ada] If Oak signs by Friday, they get ten percent off.";
    check("Oak gets 10% off.", &[person], Answer::Overstated);
}

#[test]
fn the_words_of_an_assistant_are_not_a_persons() {
    let items = [
        "assistant: The user approved the release.",
        "person: Please fix the login.",
    ];
    check(
        "The user approved the release.",
        &items,
        Answer::Unsupported,
    );
}

#[test]
fn the_higher_trust_decides_and_then_the_later_item() {
    let tool = "tool: ran 90 tests: 88 passed, 2 failed";
    check(
        "All tests passed.",
        &["assistant: All tests passed.", tool],
        Answer::Contradicted,
    );
    check(
        "All tests passed.",
        &[tool, "assistant: All tests passed."],
        Answer::Contradicted,
    );
    let before = "person: [Ada] The limit is 30 euros.";
    let after = "person: [Ada] The limit is 40 euros.";
    check(
        "The limit is 40 euros.",
        &[before, after],
        Answer::Supported,
    );
    check(
        "The limit is 30 euros.",
        &[before, after],
        Answer::Contradicted,
    );
}

#[test]
fn a_quotation_has_to_stand_as_it_is() {
    let person = "person: [Ada] We ship when it is ready, not when it is Friday.";
    check(
        "Ada said: \"we ship when it is ready\".",
        &[person],
        Answer::Supported,
    );
    check(
        "Ada said: \"we ship when it is Friday\".",
        &[person],
        Answer::Contradicted,
    );
}

#[test]
fn nothing_supports_an_empty_claim() {
    check("", &["page: Anything."], Answer::Unsupported);
    check("Refunds take a day.", &[], Answer::Unsupported);
}

fn rows(text: &str) -> Vec<Row> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// How often each label got each answer, and the answers themselves.
fn counted(rows: &[Row]) -> super::eval::Summary {
    let answers: Vec<_> = rows.iter().map(answer).collect();
    let found = summary(rows.iter().zip(&answers));
    eprintln!("{found:?}");
    found
}

/// Development figures, not results: what the rooms' own rows and the shared ones give today.
#[test]
fn what_is_answered_supported_is_so() {
    let files = [
        include_str!("../../tests/cases/evidence/support_dev.jsonl"),
        include_str!("../../tests/cases/evidence/weigh.jsonl"),
    ];
    for file in files {
        let found = counted(&rows(file));
        let of = |label: &str, answer: &str| found.confusion[label][answer];
        let taken: usize = found.confusion.values().map(|row| row["supported"]).sum();
        assert!(
            of("supported", "supported") * 100 >= taken * 90,
            "{found:?}"
        );
        assert!(of("contradicted", "supported") * 100 <= 3 * 70, "{found:?}");
        assert!(found.accuracy >= 0.65, "{found:?}");
    }
}

#[test]
fn answers_do_not_look_at_labels() {
    for row in rows(include_str!("../../tests/cases/evidence/support_dev.jsonl")) {
        let bare = Row {
            label: None,
            ..row.clone()
        };
        assert_eq!(answer(&row), answer(&bare));
    }
}

/// Rows of other authors, in which most supported claims share few words with their source. What
/// matters here is that little is called supported that is not.
#[test]
fn far_paraphrases_are_rather_left_to_a_person_than_called_supported() {
    let files = [
        include_str!("../../tests/cases/evidence/distant.jsonl"),
        include_str!("../../tests/cases/evidence/second.jsonl"),
    ];
    for file in files {
        let found = counted(&rows(file));
        let denied: usize = found.confusion["contradicted"].values().sum();
        let taken = found.confusion["contradicted"]["supported"];
        assert!(taken * 100 <= denied * 3, "{found:?}");
    }
}

/// Any bytes, for minutes: `cargo nextest run --run-ignored only weighing_survives`.
#[test]
#[ignore = "runs for minutes"]
fn weighing_survives_whatever_is_spliced() {
    let rows = rows(include_str!("../../tests/cases/evidence/distant.jsonl"));
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    for _ in 0..200_000 {
        let (one, other) = (&rows[next(rows.len())], &rows[next(rows.len())]);
        let text = &other.evidence[next(other.evidence.len())].text;
        let cut = text.floor_char_boundary(next(text.len()));
        let (skipped, kept) = (next(40), next(400));
        let claim: String = one
            .claim
            .chars()
            .chain(text.chars().skip(skipped))
            .filter(|_| next(9) > 0)
            .take(kept)
            .collect();
        let said = format!("person: {}{}", text.split_at(cut).1, one.claim);
        let items = [item(&said)];
        let found = weigh(&claim, &items);
        for range in &found.unsupported_words {
            assert!(claim.get(range.clone()).is_some(), "{claim:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_panic_and_every_range_is_of_its_text(
        claim in "([a-c5 .,'\"?%-]|not |if |all |Ada said |\\PC){0,40}",
        texts in prop::collection::vec("([a-c5 .,'?%\n-]|not |if |\\[Ada\\] |\\PC){0,60}", 0..4),
        trust in 0_usize..5,
    ) {
        let items: Vec<Item<'_>> = texts
            .iter()
            .map(|text| Item { text, trust: Trust::ALL[trust], person: trust == 3, speaker: None })
            .collect();
        let found = weigh(&claim, &items);
        prop_assert_eq!(&found, &weigh(&claim, &items));
        for range in &found.unsupported_words {
            prop_assert!(claim.get(range.clone()).is_some());
        }
        for (at, range) in found.supporting.iter().chain(&found.contradicting) {
            prop_assert!(texts[*at].get(range.clone()).is_some());
        }
        prop_assert_eq!(found.answer == Answer::Supported, found.minimum_trust.is_some() && found.unsupported_words.is_empty());
    }

    #[test]
    fn an_item_that_speaks_of_nothing_else_changes_no_answer(place in 0_usize..3) {
        for row in rows(include_str!("../../tests/cases/evidence/support_dev.jsonl")).iter().take(12) {
            let mut items: Vec<Item<'_>> = row
                .evidence
                .iter()
                .map(|it| Item { text: &it.text, trust: it.trust, person: it.role == "person", speaker: None })
                .collect();
            let before = weigh(&row.claim, &items).answer;
            let other = Item { text: "Qqq zzz xyz.", trust: Trust::Web, person: false, speaker: None };
            items.insert(place.min(items.len()), other);
            prop_assert_eq!(weigh(&row.claim, &items).answer, before);
        }
    }
}
