//! No byte of a text but its visible form reaches a terminal, whichever field it stands in.

use crate::console::draw;
use crate::console::event::Event;
use crate::console::prose::Kept;
use crate::console::screen::Screen;
use crate::console::tests::bench::Bench;
use crate::console::tests::fixture::Fixture;
use crate::console::theme::Theme;
use crate::desk::view::EntryRow;
use crate::domain::candidate::Outcome;
use crate::domain::{Act, Assurance, CandidateId, Digest, EntrySeq, ReviewerName};

/// Every class of console.md 2.1.
const HOSTILE: &str = "a\u{1b}[31m\u{1b}]0;t\u{7}\u{8}\r\u{85}\u{9b}2J\u{7f}\u{202e}b\u{2066}\u{200e}\u{61c}\u{200b}\u{2060}\u{feff}\u{ad}\u{2063}\u{180e}\u{1d173}\u{e0001}\u{3164}\u{ffa0}\u{200d}\u{200c}\u{fe0f}\u{e0100}\u{e0041}\u{e0020}e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{a0}\u{3000}\u{2800}\u{e000}\u{fff9}\u{ffff}\u{fffd}\u{2028}\u{2029}👨\u{200d}👩\u{200d}👧❤\u{fe0f}🇩🇪👍🏽c\tz\n";

fn poisoned() -> Fixture {
    let mut desk = Fixture::full();
    let poison = HOSTILE.to_owned();
    desk.add(HOSTILE, "acme/emea");
    for view in &mut desk.candidates {
        view.evidence[0].title = poison.clone();
        view.evidence[0].quote = Some(poison.clone());
        view.evidence[0].cited = None;
        view.wordings[0].text = poison.clone();
        for sighting in &mut view.sightings {
            sighting.text = poison.clone();
            sighting.user = poison.clone();
            sighting.session = poison.clone();
        }
        view.near[0].text = poison.clone();
        view.blocked = Some(poison.clone());
        for finding in &mut view.candidate.findings {
            finding.message = poison.clone();
            finding.rule = poison.clone();
            finding.decoded = Some(poison.clone());
        }
        view.history = vec![entry()];
        view.candidate.proposer = crate::domain::Proposer::parse(HOSTILE).unwrap();
    }
    for view in &mut desk.memories {
        view.memory.text = poison.clone();
        view.memory.approved_by = vec![poison.clone()];
        view.stale = vec![poison.clone()];
        view.servings[0].session = Some(poison.clone());
        view.verified = Err(poison.clone());
        view.proposed = Some(format!("x{poison}"));
        view.history = vec![entry()];
    }
    desk.entries = vec![entry()];
    desk
}

fn entry() -> EntryRow {
    EntryRow {
        seq: EntrySeq(9),
        at: crate::domain::Time::from_millis(0),
        act: Act::Reject,
        item: HOSTILE.to_owned(),
        actor: HOSTILE.to_owned(),
        assurance: Assurance::Terminal,
        reason: Some(HOSTILE.to_owned()),
        text: Some(HOSTILE.to_owned()),
        hash: Digest::ZERO,
        facts: vec![(HOSTILE.to_owned(), HOSTILE.to_owned())],
    }
}

/// The bytes that a terminal would get for this model, drawn afresh.
fn bytes(bench: &Bench, colour: bool) -> String {
    let theme = Theme::named("default", colour).unwrap();
    let mut screen = Screen::new(bench.model.size).unwrap();
    let drawn = screen.bytes(|frame| {
        draw::draw(&bench.model, &theme, &mut Kept::default(), frame);
    });
    String::from_utf8(drawn.unwrap()).unwrap()
}

fn terminal() -> vt100::Parser {
    let size = |n| std::num::NonZero::new(n).unwrap();
    vt100::Parser::new(size(24), size(80), 0)
}

/// What is left once our own sequences are taken out: cursor, colours, modes.
fn text_of(bytes: &str) -> String {
    let ours = regex::Regex::new("\u{1b}\\[[0-9;?]*[a-zA-Z]").unwrap();
    ours.replace_all(bytes, "").into_owned()
}

fn assert_harmless(bench: &Bench, place: &str) {
    let bytes = bytes(bench, true);
    let allowed = ['m', 'H', 'J', 'h', 'l', 'C', 'K', 'G'];
    for found in regex::Regex::new("\u{1b}\\[[0-9;?]*([a-zA-Z])")
        .unwrap()
        .captures_iter(&bytes)
    {
        let end = found[1].chars().next().unwrap();
        assert!(allowed.contains(&end), "{place}: {:?}", &found[0]);
    }
    for c in text_of(&bytes).chars() {
        let hidden = crate::text::visible(&c.to_string()).hides();
        let mark = unicode_width::UnicodeWidthChar::width(c) == Some(0) && c == '\u{301}';
        assert!(
            !hidden || mark,
            "{place}: U+{:X} reached the terminal",
            u32::from(c)
        );
        assert!(
            c != '\t' && c != '\n' && c != '\r',
            "{place}: U+{:X}",
            u32::from(c)
        );
    }
}

#[test]
fn t7_no_hostile_byte_reaches_the_terminal_from_any_field() {
    for size in [(80, 24), (120, 40), (60, 15)] {
        let mut bench = Bench::new(poisoned(), size);
        bench.model.session.store = HOSTILE.to_owned();
        bench.model.session.reviewer.name = ReviewerName::parse(HOSTILE).unwrap();
        for keys in [
            "",
            "G",
            "<tab>",
            "<tab>",
            "<tab>",
            "<tab>",
            "<tab>v",
            "v",
            "<enter>",
            "<pagedown>",
            "<enter>",
            "x",
            "<esc>",
            ":",
            "<esc>",
            "?",
            "<esc>",
            "w",
            "<esc>",
            "E",
            "<esc>",
            "2",
            "<tab>",
            "<tab>",
            "<tab>",
            "<tab>",
            "<tab>",
            "r",
            "<esc>",
            "3",
            "<tab>",
            "<tab>",
            "<tab>",
            "<tab>",
            "<tab>",
            "d",
            "1",
            "<esc>",
            "5",
            "w",
            "<esc>",
        ] {
            bench.press(keys);
            assert_harmless(&bench, keys);
        }
        bench.press("1l");
        bench.happen(Event::Paste(HOSTILE.to_owned()));
        bench.draw();
        assert_harmless(&bench, "pasted");
        bench.press("<enter>");
        assert_harmless(&bench, "query error");
        bench.press("<esc>");
        bench.happen(Event::DetectorFailed(HOSTILE.to_owned()));
        assert_harmless(&bench, "notice");
        bench.happen(Event::Edited(Err(HOSTILE.to_owned())));
        assert_harmless(&bench, "editor error");
    }
}

#[test]
fn t7_an_outcome_by_a_hostile_name_is_named() {
    let mut bench = Bench::new(Fixture::full(), (120, 40));
    let at = bench.desk.now;
    bench.desk.beaten_by = Some(Outcome {
        act: Act::Reject,
        by: HOSTILE.to_owned(),
        at,
        reason: Some(HOSTILE.to_owned()),
    });
    bench.press("a");
    assert_harmless(&bench, "conflict");
    let _kept = bench.desk.find(CandidateId(1));
}

#[test]
fn t7_hidden_characters_are_counted_in_a_banner() {
    let mut bench = Bench::new(Fixture::full(), (120, 40));
    bench.press("jjjj");
    assert!(
        bench.screen().contains("⚠ 3 hidden characters"),
        "{}",
        bench.screen()
    );
    assert!(bench.screen().contains("<U+202E RLO>only<U+202C PDF>"));
}

#[test]
fn t16_without_colour_no_colour_is_sent_and_the_selected_row_is_reversed() {
    let mut bench = Bench::new(Fixture::full(), (80, 24));
    bench.press("j");
    let bytes = bytes(&bench, false);
    for found in regex::Regex::new("\u{1b}\\[([0-9;]*)m")
        .unwrap()
        .captures_iter(&bytes)
    {
        for code in found[1].split(';').filter(|code| !code.is_empty()) {
            let code: u32 = code.parse().unwrap();
            assert!(matches!(code, 0..=29 | 39 | 49 | 59), "colour {code}");
        }
        assert_ne!(&found[1], "", "an empty code resets the reversal");
    }
    let mut parser = terminal();
    parser.process(bytes.as_bytes());
    let row = (0..24).find(|row| {
        parser
            .screen()
            .cell(*row, 0)
            .is_some_and(|c| c.contents() == "▸")
    });
    let cell = parser.screen().cell(row.unwrap(), 20).unwrap();
    assert!(cell.inverse(), "the selected row is reversed");
}

#[test]
fn t12_scrolling_there_and_back_leaves_what_a_fresh_draw_leaves() {
    let mut desk = Fixture::empty();
    for text in [
        "👨\u{200d}👩\u{200d}👧 family",
        "❤\u{fe0f} heart",
        "🇩🇪🇫🇷 flags",
        "👍🏽 skin",
        "e\u{301}te\u{301}",
        "ﾊﾝｶｸ",
        "日本語テキスト",
    ] {
        desk.add(text, "acme/emea");
    }
    let mut bench = Bench::new(desk, (80, 24));
    let theme = Theme::named("default", true).unwrap();
    let mut screen = Screen::new((80, 24)).unwrap();
    let mut parser = terminal();
    for keys in ["", "j", "j", "j", "j", "j", "j", "k", "k", "k", "g"] {
        bench.press(keys);
        let drawn = screen.bytes(|frame| {
            draw::draw(&bench.model, &theme, &mut Kept::default(), frame);
        });
        parser.process(&drawn.unwrap());
    }
    let mut fresh = terminal();
    fresh.process(bytes(&bench, true).as_bytes());
    let shown = |parser: &vt100::Parser| -> Vec<String> {
        parser
            .screen()
            .contents()
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect()
    };
    assert_eq!(shown(&parser), shown(&fresh));
}

#[test]
fn t19_a_frame_in_which_nothing_changed_is_a_handful_of_bytes() {
    let bench = Bench::new(Fixture::full(), (120, 40));
    let theme = Theme::named("default", true).unwrap();
    let mut kept = Kept::default();
    let mut screen = Screen::new((120, 40)).unwrap();
    let mut draw = || {
        screen.bytes(|frame| {
            draw::draw(&bench.model, &theme, &mut kept, frame);
        })
    };
    draw().unwrap();
    assert!(draw().unwrap().len() < 64);
}
