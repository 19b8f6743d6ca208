//! No sequence of keys, news, resizes and delays decides on what was not on screen, or panics.

use crate::console::ask::Request;
use crate::console::event::Event;
use crate::console::tests::bench::{Bench, read};
use crate::console::tests::fixture::Fixture;
use crate::domain::decision::Ruling;
use proptest::prelude::{Strategy, any, prop_oneof};
use proptest::strategy::Just;

#[derive(Debug, Clone)]
enum Step {
    Key(String),
    /// Time passes.
    Wait(u64),
    Draw,
    News,
    Add,
    /// Somebody else changes an item.
    Touch(usize),
    Resize(u16, u16),
    Paste(String),
    /// Answers are held up, or let go.
    Slow(bool),
}

fn step() -> impl Strategy<Value = Step> {
    let keys = [
        "a",
        "a",
        "a",
        "x",
        "1",
        "2",
        "3",
        "5",
        "6",
        "F",
        "t",
        "b",
        "<right>",
        "8",
        "9",
        "e",
        "E",
        "s",
        "!",
        "d",
        "c",
        "r",
        "y",
        "u",
        "j",
        "k",
        "g",
        "G",
        "J",
        "K",
        " ",
        "D",
        "v",
        "w",
        "l",
        "/",
        "n",
        ":",
        "?",
        "R",
        "q",
        "V",
        "o",
        "<enter>",
        "<esc>",
        "<tab>",
        "<backtab>",
        "<pagedown>",
        "<ctrl-d>",
        "<ctrl-u>",
        "<backspace>",
        "<up>",
        "<down>",
    ];
    prop_oneof![
        12 => (0..keys.len()).prop_map(move |at| Step::Key(keys[at].to_owned())),
        4 => prop_oneof![Just(10), Just(90), Just(200), Just(450), Just(1_300)].prop_map(Step::Wait),
        6 => Just(Step::Draw),
        1 => Just(Step::News),
        1 => Just(Step::Add),
        1 => (0usize..5).prop_map(Step::Touch),
        1 => (20u16..200, 5u16..60).prop_map(|(w, h)| Step::Resize(w, h)),
        1 => any::<String>().prop_map(Step::Paste),
        1 => any::<bool>().prop_map(Step::Slow),
    ]
}

fn run(steps: &[Step]) {
    let mut bench = Bench::new(Fixture::full(), (100, 30));
    let mut acts = 0;
    for step in steps {
        match step {
            Step::Key(key) => read(key)
                .into_iter()
                .for_each(|key| bench.happen(Event::Key(key))),
            Step::Wait(ms) => {
                bench.ms += ms;
                bench.tick();
            }
            Step::Draw => bench.draw(),
            Step::News => bench.happen(Event::News),
            Step::Add => {
                bench.desk.add("Somebody new said so", "acme/emea");
            }
            Step::Touch(at) => bench.desk.candidates[*at].candidate.version += 1,
            Step::Resize(width, height) => bench.resize(*width, *height),
            Step::Paste(text) => bench.happen(Event::Paste(text.clone())),
            Step::Slow(true) => bench.slow = true,
            Step::Slow(false) => bench.answer_all(),
        }
        check(&bench, &mut acts);
    }
}

/// Every new act was about something whose frame was flushed, whole where it approves.
fn check(bench: &Bench, acts: &mut usize) {
    for act in bench.desk.acts.iter().skip(*acts) {
        if let Request::Decide(decisions) = act {
            for decision in decisions {
                assert!(decision.seen.frame > 0, "{decision:?} without a frame");
                let approves = matches!(
                    decision.ruling,
                    Ruling::Approve | Ruling::Edit(_) | Ruling::Release
                );
                assert!(
                    !approves || decision.seen.whole,
                    "{decision:?} not wholly seen"
                );
            }
            assert!(
                decisions.len() == 1
                    || decisions
                        .iter()
                        .all(|d| matches!(d.ruling, Ruling::Reject | Ruling::Snooze(_)))
            );
        }
    }
    *acts = bench.desk.acts.len();
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn t2_no_sequence_decides_what_was_not_on_screen(steps in proptest::collection::vec(step(), 1..80)) {
        run(&steps);
    }
}
