//! The walk through a demonstration store: each sentence names keys that do what it says.

use crate::console::tests::bench::Bench;
use crate::console::tests::fixture::Fixture;
use crate::console::tour::sentence;

fn demo() -> Fixture {
    let mut desk = Fixture::full();
    desk.demo = true;
    desk
}

fn at(bench: &Bench) -> Option<String> {
    sentence(&bench.model).map(|text| text.chars().take(6).collect())
}

#[test]
fn following_the_walk_leads_to_its_end() {
    let mut bench = Bench::new(demo(), (80, 24));
    for (step, keys) in [
        ("1 of 8", "a"),
        ("2 of 8", "2"),
        ("3 of 8", "c"),
        ("4 of 8", "3d1y"),
        ("5 of 8", "uy"),
        ("6 of 8", "w"),
        ("7 of 8", "<esc>5"),
        ("8 of 8", "?"),
    ] {
        assert_eq!(at(&bench).as_deref(), Some(step), "{}", bench.screen());
        let said = sentence(&bench.model).unwrap();
        let shown = bench.screen();
        let words: Vec<&str> = said.split_whitespace().take(6).collect();
        assert!(
            words.iter().all(|word| shown.contains(word)),
            "{said}\n{shown}"
        );
        let named = |key: char| said.contains(&format!("`{key}`"));
        assert!(keys.starts_with('<') || keys.chars().all(named), "{said}");
        bench.press(keys);
    }
    assert_eq!(at(&bench), None, "{}", bench.screen());
}

#[test]
fn the_walk_can_be_closed_and_taken_up_again() {
    let mut bench = Bench::new(demo(), (80, 24));
    bench.press("a");
    assert_eq!(at(&bench).as_deref(), Some("2 of 8"));
    bench.press("W");
    assert_eq!(at(&bench), None);
    bench.press("W");
    assert_eq!(at(&bench).as_deref(), Some("2 of 8"));
}

#[test]
fn a_store_that_is_real_has_no_walk() {
    let mut bench = Bench::new(Fixture::full(), (80, 24));
    bench.press("W");
    assert_eq!(at(&bench), None);
    assert!(
        bench.notice().contains("countersign demo"),
        "{}",
        bench.notice()
    );
}
