//! Against fatigue: the pace notice, one item at a time, and what a key does after a break.

use crate::console::ask::Request;
use crate::console::event::Event;
use crate::console::tests::bench::Bench;
use crate::console::tests::fixture::Fixture;

fn long(count: usize) -> Fixture {
    let mut desk = Fixture::empty();
    for n in 1..=count {
        let claim = format!(
            "Orders of segment {n} are handed to the second desk when the first has been silent for a day, and come back the next morning"
        );
        desk.add(&claim, "acme/emea");
    }
    desk
}

fn decided(bench: &Bench) -> usize {
    let decides = |act: &&Request| matches!(act, Request::Decide(_));
    bench.desk.acts.iter().filter(decides).count()
}

#[test]
fn approvals_that_outrun_reading_are_said_and_counted_with_what_was_on_screen() {
    let mut bench = Bench::new(long(9), (120, 40));
    for _ in 0..3 {
        bench.ms += 900;
        bench.press("a");
    }
    assert!(
        bench.notice().contains("3 of your last 3 approvals"),
        "{}",
        bench.notice()
    );
    let Some(Request::Decide(decisions)) = bench.desk.acts.last() else {
        panic!("{:?}", bench.desk.acts);
    };
    let on_screen = decisions[0].seen.on_screen.unwrap();
    assert!((500..5_000).contains(&on_screen), "{on_screen}");
    for _ in 0..3 {
        bench.ms += 30_000;
        bench.press("a");
    }
    assert!(
        !bench.notice().contains("faster than reading"),
        "{}",
        bench.notice()
    );
    assert_eq!(decided(&bench), 6);
}

#[test]
fn one_at_a_time_has_the_screen_and_the_next_item_comes_by_itself() {
    let mut bench = Bench::new(Fixture::full(), (120, 40));
    bench.press("F");
    let screen = bench.screen();
    assert!(
        screen.contains("one at a time") && !screen.contains("Refunds take"),
        "{screen}"
    );
    bench.press("a");
    assert_eq!(decided(&bench), 1);
    assert!(
        bench.screen().contains("Refunds take five working days"),
        "{}",
        bench.screen()
    );
    bench.press(">");
    assert!(
        bench.screen().contains("Export requests need"),
        "{}",
        bench.screen()
    );
    bench.press("<esc>");
    assert!(
        !bench.screen().contains("one at a time"),
        "{}",
        bench.screen()
    );
    bench.press("F3");
    assert!(
        !bench.screen().contains("one at a time"),
        "{}",
        bench.screen()
    );
}

#[test]
fn the_first_key_after_a_break_decides_nothing() {
    let mut bench = Bench::new(Fixture::full(), (120, 40));
    bench.press("j");
    bench.ms += 25 * 60_000;
    bench.happen(Event::News);
    bench.draw();
    bench.press("a");
    assert_eq!(decided(&bench), 0);
    assert!(
        bench.notice().contains("you were away"),
        "{}",
        bench.notice()
    );
    bench.press("a");
    assert_eq!(decided(&bench), 1);
}
