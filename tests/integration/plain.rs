//! `review --plain`: line by line, with the rules that hold everywhere.

use crate::world::{Typed, World};

/// What a review in a pipe writes for these lines.
fn read(world: &World, lines: &str) -> (String, String) {
    let ran = world.feed(lines, ["review", "--plain"]).exits(0);
    (ran.out, ran.err)
}

#[test]
fn a_pipe_reads_everything_and_decides_nothing() {
    let world = World::new();
    world.propose("Gift cards cannot pay delivery fees", "acme/emea");
    world.propose("Refunds take five working days", "acme/emea");
    let (out, err) = read(
        &world,
        "list\nnext\nprevious\nwhy\nmemory list\nhelp\napprove\nreject unsafe\nundo\nquit\nnext\n",
    );
    for wanted in [
        "2 wait of budget 40",
        "C-1, acme/emea",
        "  Gift cards cannot pay delivery fees",
        "end of the text",
        "  Refunds take five working days",
        "approve, a [REASON]: let the text become a memory",
        "candidate C-1",
    ] {
        assert!(out.contains(wanted), "`{wanted}` is not in {out}");
    }
    assert_eq!(
        err.matches("deciding needs a person at a terminal").count(),
        3,
        "{err}"
    );
    assert!(out.matches("> ").count() == 0, "no prompt in a pipe: {out}");
    assert_eq!(
        world.count("SELECT count(*) FROM entry WHERE act IN (1, 3, 8)"),
        0
    );
    assert_eq!(
        world.count("SELECT count(*) FROM entry WHERE act = 27"),
        3,
        "the attempts are on record"
    );
}

#[test]
fn hostile_text_is_named_and_no_escape_sequence_is_written() {
    let world = World::new();
    world.propose(
        "Gift\u{1b}[31m cards\u{202e} never\u{200b} pay fees\u{7}",
        "acme/emea",
    );
    let (out, err) = read(
        &world,
        "queue\nquarantine\nlist\nshow C-1\nlimit kind:\u{1b}x\n\u{1b}[2J\nwhy \u{202e}\n",
    );
    for c in ['\u{1b}', '\u{202e}', '\u{200b}', '\u{7}'] {
        assert!(
            !out.contains(c) && !err.contains(c),
            "U+{:X}: {out}{err}",
            u32::from(c)
        );
    }
    assert!(out.contains("<U+202E RLO>"), "{out}");
}

#[test]
fn a_long_text_is_approved_only_after_its_last_line_was_written() {
    let world = World::new();
    let parts: Vec<String> = (1..=400).map(|n| format!("part {n}")).collect();
    let answer = world.propose(
        &format!("The return form lists {}", parts.join(", ")),
        "acme/emea",
    );
    assert_eq!(answer["status"], "pending", "{answer}");
    let (out, _) = read(&world, "quit\n");
    assert!(
        out.contains("line 20 of") && !out.contains("part 400"),
        "{out}"
    );
    let (out, _) = read(&world, "\nmore\n\n\n");
    assert!(
        out.contains("part 400") && out.contains("end of the text"),
        "{out}"
    );
    let ran = world.typing(Typed::Lines(&["approve", "quit"]), ["review", "--plain"]);
    assert!(
        ran.err
            .contains("not all of the text of C-1 has been shown"),
        "{}{}",
        ran.out,
        ran.err
    );
    assert_eq!(world.count("SELECT count(*) FROM entry WHERE act = 1"), 0);
}

#[test]
fn acts_line_by_line_are_the_acts_of_everywhere() {
    let world = World::new();
    for claim in [
        "Gift cards cannot pay delivery fees",
        "Refunds take five working days",
        "Invoices are sent on Mondays",
    ] {
        world.propose(claim, "acme/emea");
    }
    let ran = world.typing(
        Typed::Lines(&[
            "approve",
            "<code>",
            "reject",
            "reject out_of_date",
            "<code>",
            "snooze",
            "<code>",
            "undo",
            "<code>",
            "show C-3",
            "edit",
            "Invoices are sent on Tuesdays",
            ".",
            "<code>",
            "memory list",
            "quit",
        ]),
        ["review", "--plain"],
    );
    let ran = ran.exits(0);
    assert!(ran.out.contains("C-1 is now M-1"), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("rejecting takes a reason"), "{}", ran.err);
    assert!(
        ran.out.contains("took back the decision on C-3"),
        "{}{}",
        ran.out,
        ran.err
    );
    assert!(ran.out.contains("[-Mondays-]"), "{}", ran.out);
    assert_eq!(world.recalled("acme/emea").len(), 2, "{}", ran.out);
    world.is_whole();
    let timed = "SELECT count(*) FROM entry WHERE act = 1 AND json_extract(bytes, '$.facts.on_screen_ms') IS NOT NULL";
    assert_eq!(world.count(timed), 1);
}

#[test]
fn a_read_only_review_decides_nothing_and_a_changed_item_is_shown_again() {
    let world = World::new();
    world.propose("Gift cards cannot pay delivery fees", "acme/emea");
    let ran = world.typing(
        Typed::Lines(&["approve", "quit"]),
        ["review", "--plain", "--readonly"],
    );
    assert!(ran.err.contains("this review only looks"), "{}", ran.err);
    let ran = world.typing(
        Typed::Lines(&[
            "decide hold C-1",
            "<code>",
            "approve",
            "approve",
            "<code>",
            "quit",
        ]),
        ["review", "--plain"],
    );
    assert!(
        ran.out.contains("C-1 changed since it was shown"),
        "{}{}",
        ran.out,
        ran.err
    );
    assert!(ran.out.contains("C-1 is now M-1"), "{}{}", ran.out, ran.err);
}
