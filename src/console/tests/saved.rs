//! Saved views, and coming back to where one stood.

use crate::console::effect::Effect;
use crate::console::model::ViewId;
use crate::console::shelf::Shelf;
use crate::console::tests::bench::Bench;
use crate::console::tests::fixture::Fixture;
use crate::domain::CandidateId;

fn bench() -> Bench {
    Bench::new(Fixture::full(), (120, 40))
}

#[test]
fn a_view_is_saved_under_a_name_and_opened_by_how_it_begins() {
    let mut bench = bench();
    bench.press("'");
    assert!(
        bench.notice().contains("no view is saved"),
        "{}",
        bench.notice()
    );
    bench.press("lis:held<enter>:save view<enter>held ones<enter>");
    assert!(bench.effects.contains(&Effect::Shelve));
    bench.press("l<backspace><backspace><backspace><backspace><backspace><backspace><backspace><enter>2\"bad<enter>");
    assert!(bench.screen().contains("view bad"), "{}", bench.screen());
    bench.press("'h<enter>");
    assert_eq!(bench.model.view, ViewId::Queue);
    assert_eq!(bench.model.queue.filter.to_string(), "is:held");
    assert!(
        bench.screen().contains("view held ones"),
        "{}",
        bench.screen()
    );
    bench.press("'x<enter>");
    assert!(bench.screen().contains("no saved view begins like that"));
    assert!(bench.desk.acts.is_empty());
}

#[test]
fn who_comes_back_stands_where_they_left() {
    let mut left = bench();
    left.press("j2lrule:credential<enter>\"*hostile\u{202e}<enter>");
    let mut shelf = Shelf::default();
    if let Some(overview) = &mut left.model.overview {
        overview.demo = false;
    }
    shelf.remember(&left.model);
    let text = shelf.write().unwrap();
    let again = Shelf::parse(&text).unwrap();
    assert_eq!(again, shelf);
    let mut back = bench();
    again.restore(&mut back.model);
    assert_eq!(back.model.view, ViewId::Quarantine);
    assert_eq!(back.model.quarantine.filter.to_string(), "rule:credential");
    assert_eq!(back.model.queue.list.selected, Some(CandidateId(2)));
    assert_eq!(back.model.saved, left.model.saved);
    back.press("'*");
    assert!(!back.screen().contains('\u{202e}'), "{}", back.screen());
}

#[test]
fn a_shelf_that_says_what_is_no_longer_known_changes_nothing() {
    let text = "[store.\"/demo/countersign.db\"]\nview = \"kitchen\"\nqueries = { queue = \"colour:red\" }\nselected = { queue = 900 }\n";
    let shelf = Shelf::parse(text).unwrap();
    let mut bench = bench();
    shelf.restore(&mut bench.model);
    bench.press("j");
    assert_eq!(bench.model.view, ViewId::Queue);
    assert!(bench.model.queue.filter.is_empty());
    assert!(Shelf::parse("view = 3").is_err());
}
