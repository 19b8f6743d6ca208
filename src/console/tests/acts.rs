//! What keys decide, and what they must not.

use crate::console::ask::{Lane, Request};
use crate::console::effect::Effect;
use crate::console::event::Event;
use crate::console::model::ViewId;
use crate::console::tests::bench::Bench;
use crate::console::tests::fixture::Fixture;
use crate::domain::candidate::{CandidateState, Outcome};
use crate::domain::decision::{CandidateDecision, Ruling};
use crate::domain::reason::DemoteReason;
use crate::domain::{Act, CandidateId, Digest, MemoryId};

fn bench() -> Bench {
    Bench::new(Fixture::full(), (120, 40))
}

fn decisions(bench: &Bench) -> Vec<CandidateDecision> {
    let decided = |act: &Request| match act {
        Request::Decide(decisions) => decisions.clone(),
        _ => Vec::new(),
    };
    bench.desk.acts.iter().flat_map(decided).collect()
}

fn selected(bench: &Bench) -> Option<i64> {
    bench.model.queue.list.selected.map(|id| id.0)
}

#[test]
fn the_first_item_is_approved_with_one_key_and_the_next_one_is_selected() {
    let mut bench = bench();
    bench.press("a");
    let decided = decisions(&bench);
    assert_eq!(decided.len(), 1);
    assert_eq!(decided[0].candidate, CandidateId(1));
    assert_eq!(decided[0].ruling, Ruling::Approve);
    let shown = Digest::of(bench.desk.candidates[0].candidate.claim.as_bytes());
    assert_eq!(
        (
            decided[0].seen.version,
            decided[0].seen.shown,
            decided[0].seen.whole
        ),
        (1, shown, true)
    );
    assert!(
        decided[0].seen.frame > 0,
        "the frame that showed it is named"
    );
    assert_eq!(selected(&bench), Some(2));
    assert_eq!(bench.notice(), "approved C-1 as M-101");
}

#[test]
fn approved_is_said_only_after_the_reply() {
    let mut bench = bench();
    bench.slow = true;
    bench.press("a");
    assert!(!bench.screen().contains("approved"));
    assert!(bench.screen().contains("… approving C-1"));
    assert_eq!(selected(&bench), Some(1), "still there until it is written");
    bench.answer_all();
    assert!(bench.screen().contains("approved C-1 as M-101"));
}

#[test]
fn rejecting_takes_a_digit_that_is_its_reason() {
    let mut bench = bench();
    bench.press("jx");
    assert!(decisions(&bench).is_empty(), "x alone decides nothing");
    bench.press("3");
    let decided = decisions(&bench);
    assert_eq!(decided[0].candidate, CandidateId(2));
    assert_eq!(decided[0].ruling, Ruling::Reject);
    assert_eq!(decided[0].reason.as_deref(), Some("too_vague"));
    assert_eq!(selected(&bench), Some(3));
}

#[test]
fn rejecting_for_another_reason_asks_for_it() {
    let mut bench = bench();
    bench.press("x9");
    assert!(decisions(&bench).is_empty());
    bench.press("quite odd<enter>");
    assert_eq!(decisions(&bench)[0].reason.as_deref(), Some("quite odd"));
}

#[test]
fn t1_approve_is_refused_until_the_whole_text_has_been_on_screen() {
    let mut desk = Fixture::empty();
    let lines: Vec<String> = (1..=400).map(|n| format!("Step {n}")).collect();
    desk.add(&lines.join("\n"), "acme/emea");
    let mut bench = Bench::new(desk, (80, 24));
    bench.press("a");
    assert!(
        bench
            .notice()
            .contains("not all of the text has been on screen"),
        "{}",
        bench.notice()
    );
    assert!(
        bench.screen().contains("/400 · scroll to read all"),
        "{}",
        bench.screen()
    );
    bench.press("<enter>Ga");
    assert!(
        decisions(&bench).is_empty(),
        "jumping to the end is not reading"
    );
    bench.press("g");
    for _ in 0..40 {
        bench.press("<pagedown>");
    }
    assert!(bench.screen().contains("Step 400"));
    bench.press("a");
    let decided = decisions(&bench);
    assert_eq!(decided.len(), 1);
    assert!(decided[0].seen.whole);
}

#[test]
fn t1_a_line_of_5000_columns_is_wrapped_and_reached() {
    let mut desk = Fixture::empty();
    desk.add(&format!("{}END", "x".repeat(5_000)), "acme/emea");
    let mut bench = Bench::new(desk, (80, 24));
    bench.press("a");
    assert!(decisions(&bench).is_empty());
    bench.press("<enter>");
    for _ in 0..10 {
        bench.press("<pagedown>");
    }
    assert!(bench.screen().contains("xEND"), "{}", bench.screen());
    bench.press("a");
    assert_eq!(decisions(&bench).len(), 1);
}

#[test]
fn t2_a_burst_decides_once() {
    let mut bench = bench();
    bench.ms += 1_000;
    bench.slow = true;
    bench.burst("aaaa", 20, true);
    bench.ms += 300;
    bench.answer_all();
    bench.burst("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 33, true);
    assert_eq!(decisions(&bench).len(), 1);
}

#[test]
fn t2_a_key_held_down_decides_once_even_when_its_first_repeat_comes_late() {
    for delay in [250, 450, 660, 1_000] {
        let mut bench = bench();
        bench.ms += 1_000;
        bench.burst("a", 0, true);
        bench.burst("a", delay, true);
        bench.burst(&"a".repeat(60), 33, true);
        assert_eq!(decisions(&bench).len(), 1, "first repeat after {delay} ms");
    }
}

#[test]
fn t2_pressing_again_on_purpose_decides_again() {
    let mut bench = bench();
    bench.press("aa");
    assert_eq!(decisions(&bench).len(), 2);
}

#[test]
fn t2_keys_typed_before_the_item_was_drawn_decide_nothing() {
    let mut bench = bench();
    bench.ms += 1_000;
    bench.burst("ja", 500, false);
    assert!(decisions(&bench).is_empty());
    assert!(bench.notice().contains("on screen"), "{}", bench.notice());
}

#[test]
fn t3_letters_in_a_field_fire_nothing() {
    let mut bench = bench();
    bench.press("jjja");
    assert!(
        bench.screen().contains("Why approve?"),
        "{}",
        bench.screen()
    );
    bench.press("yaxq");
    assert!(decisions(&bench).is_empty());
    assert!(bench.effects.is_empty(), "q in a field does not quit");
    assert!(bench.screen().contains("› yaxq"));
    bench.press("<enter>");
    let decided = decisions(&bench);
    assert_eq!(
        (decided[0].candidate, decided[0].reason.as_deref()),
        (CandidateId(4), Some("yaxq"))
    );
}

#[test]
fn a_plan_is_not_approved_without_a_reason() {
    let mut bench = bench();
    bench.press("jjja<enter>");
    assert!(decisions(&bench).is_empty());
    assert!(bench.screen().contains("a reason is needed"));
    bench.press("<esc>");
    assert_eq!(selected(&bench), Some(4));
}

#[test]
fn t4_arrivals_never_move_the_selection() {
    let mut bench = Bench::new(Fixture::many(30), (120, 40));
    bench.press("jj");
    let before = bench.model.queue.list.top;
    for n in 0..10 {
        bench.desk.add(&format!("new {n}"), "acme/emea");
    }
    bench.happen(Event::News);
    bench.draw();
    assert_eq!(
        (selected(&bench), bench.model.queue.list.top),
        (Some(3), before)
    );
    assert_eq!(bench.model.queue.list.rows.len(), 30);
    assert!(bench.screen().contains("10 new · R"), "{}", bench.screen());
    bench.press("R");
    assert_eq!(
        (selected(&bench), bench.model.queue.list.rows.len()),
        (Some(3), 40)
    );
    assert!(!bench.screen().contains("new · R"));
}

#[test]
fn t4_an_item_decided_by_somebody_else_stays_stamped_and_its_keys_are_off() {
    let mut bench = bench();
    bench.press("jj");
    let at = bench.desk.now;
    let outcome = Outcome {
        act: Act::Reject,
        by: "bob".to_owned(),
        at,
        reason: Some("unsafe".to_owned()),
    };
    let view = bench.desk.find_mut(CandidateId(3));
    view.candidate.state = CandidateState::Rejected;
    view.candidate.outcome = Some(outcome);
    bench.happen(Event::News);
    bench.draw();
    assert_eq!(selected(&bench), Some(3));
    assert!(
        bench
            .screen()
            .contains("■ rejected by bob at 2026-12-01 12:00 UTC: unsafe"),
        "{}",
        bench.screen()
    );
    bench.press("a");
    assert!(
        bench.notice().contains("already rejected by bob"),
        "{}",
        bench.notice()
    );
    assert!(decisions(&bench).is_empty());
}

#[test]
fn t5_the_second_reviewer_is_told_who_and_when() {
    let mut bench = bench();
    let at = bench.desk.now;
    bench.desk.beaten_by = Some(Outcome {
        act: Act::Reject,
        by: "bob".to_owned(),
        at,
        reason: None,
    });
    bench.press("a");
    assert_eq!(
        bench.notice(),
        "C-1 was already rejected by bob at 2026-12-01 12:00 UTC; yours was not written"
    );
    assert_eq!(
        selected(&bench),
        Some(1),
        "the selection stays on what was decided"
    );
    assert!(
        bench.screen().contains("■ rejected by bob"),
        "{}",
        bench.screen()
    );
}

#[test]
fn t5_a_version_that_moved_is_looked_at_again() {
    let mut bench = bench();
    bench.desk.find_mut(CandidateId(1)).candidate.version = 2;
    bench.press("a");
    assert!(
        bench.notice().contains("changed since it was shown"),
        "{}",
        bench.notice()
    );
    bench.press("a");
    let last = decisions(&bench).pop().unwrap();
    assert_eq!(
        last.seen.version, 2,
        "the second approval is of what is on screen now"
    );
}

#[test]
fn t6_the_asking_key_never_answers_and_enter_never_confirms() {
    let mut bench = bench();
    bench.press("3d1dd<enter><enter>");
    assert!(bench.desk.acts.is_empty(), "{:?}", bench.desk.acts);
    bench.press("<esc>");
    assert!(bench.model.layers.is_empty());
    bench.press("2r");
    assert!(
        bench.screen().contains("Release C-6 into the queue?"),
        "{}",
        bench.screen()
    );
    bench.press("rr<enter>");
    assert!(decisions(&bench).is_empty());
    bench.press("y");
    assert_eq!(decisions(&bench)[0].ruling, Ruling::Release);
}

#[test]
fn the_top_stale_memory_is_demoted_with_four_keys_from_the_start() {
    let mut bench = bench();
    bench.press("3d1");
    assert!(
        bench.screen().contains("212 servings to 30 sessions"),
        "{}",
        bench.screen()
    );
    bench.press("y");
    let demoted = bench.desk.acts.first().cloned();
    let shown = Digest::of("Late fees are waived under €20".as_bytes());
    let expected = Request::Demote {
        memory: MemoryId(44),
        shown,
        reason: DemoteReason::Stale,
        note: None,
    };
    assert_eq!(demoted, Some(expected));
    assert!(
        bench.notice().contains("demoted M-44"),
        "{}",
        bench.notice()
    );
}

#[test]
fn a_demoted_memory_is_restored_after_a_question() {
    let mut bench = bench();
    bench.press("3Gr");
    assert!(
        bench.screen().contains("Restore M-46?"),
        "{}",
        bench.screen()
    );
    assert!(bench.desk.acts.is_empty());
    bench.press("y");
    assert!(matches!(
        bench.desk.acts[0],
        Request::Restore {
            memory: MemoryId(46),
            ..
        }
    ));
}

#[test]
fn an_item_is_approved_in_the_place_of_a_near_memory_after_a_question_that_shows_both() {
    let mut bench = bench();
    bench.press("S");
    let screen = bench.screen();
    assert!(
        screen.contains("Approve C-1 in the place of M-44?"),
        "{screen}"
    );
    assert!(
        screen.contains("until now") && screen.contains("Late fees are waived"),
        "{screen}"
    );
    bench.press("S");
    assert!(bench.desk.acts.is_empty(), "the asking key does not answer");
    bench.press("y");
    let decided = decisions(&bench);
    assert_eq!(
        (decided[0].candidate, decided[0].supersedes),
        (CandidateId(1), Some(MemoryId(44)))
    );
    // Where several are near, a digit says which.
    let mut bench = self::bench();
    let more = bench.desk.candidates[0].near[0].clone();
    bench.desk.candidates[0].near.push(crate::desk::view::Near {
        memory: MemoryId(45),
        ..more
    });
    bench.press("jkS");
    assert!(
        bench.screen().contains("in the place of which?"),
        "{}",
        bench.screen()
    );
    bench.press("2y");
    assert_eq!(decisions(&bench)[0].supersedes, Some(MemoryId(45)));
}

#[test]
fn a_named_memory_is_demoted_with_six_keys_and_its_text() {
    let mut bench = bench();
    let keys = ["3", "/", "<enter>", "d", "2", "y"];
    for (at, key) in keys.iter().enumerate() {
        bench.press(key);
        if at == 1 {
            bench.press("macros");
        }
    }
    let demoted = bench.desk.acts.first();
    assert!(
        matches!(
            demoted,
            Some(Request::Demote {
                memory: MemoryId(45),
                reason: DemoteReason::SourceWrong,
                ..
            })
        ),
        "{demoted:?}"
    );
}

#[test]
fn who_was_served_it_is_shown_while_the_question_stays() {
    let mut bench = bench();
    bench.press("3d1");
    assert!(
        bench.screen().contains("since 2026-10-02 ▸ w who"),
        "{}",
        bench.screen()
    );
    bench.press("w");
    let screen = bench.screen();
    assert!(screen.contains("Demote M-44 as stale?"), "{screen}");
    assert!(screen.contains("Where it went"), "{screen}");
    bench.press("y");
    assert_eq!(bench.desk.acts.len(), 1);
}

#[test]
fn many_memories_are_demoted_only_after_their_number_was_typed() {
    let mut bench = bench();
    bench.press("3Ad7");
    let screen = bench.screen();
    assert!(
        screen.contains("Demote 2 memories as gateway failed"),
        "{screen}"
    );
    assert!(screen.contains("served 215 times in all"), "{screen}");
    bench.press("3<enter>");
    assert!(
        bench.screen().contains("not their number"),
        "{}",
        bench.screen()
    );
    assert!(bench.desk.acts.is_empty());
    bench.press("<backspace>2<enter>");
    let acts = &bench.desk.acts;
    assert!(
        matches!(&acts[..], [Request::DemoteAll { memories, reason: DemoteReason::GatewayFailed, .. }] if memories.len() == 2),
        "{acts:?}"
    );
    assert!(
        bench.notice().contains("demoted 2 of 2"),
        "{}",
        bench.notice()
    );
    assert!(bench.model.memory.marks.is_empty());
    // Marks are taken away by the key that set them; one by one, or all.
    bench.press("3 ");
    assert_eq!(bench.model.memory.marks.len(), 1);
    bench.press("A");
    assert!(bench.model.memory.marks.is_empty());
}

#[test]
fn a_memory_that_is_still_true_lives_on_after_a_question_that_says_until_when() {
    let mut bench = bench();
    bench.press("3t");
    let screen = bench.screen();
    assert!(screen.contains("Is M-44 still true?"), "{screen}");
    assert!(screen.contains("until 2027-03-01"), "{screen}");
    assert!(
        screen.contains("contradicted by 5 people"),
        "what it answers: {screen}"
    );
    bench.press("t");
    assert!(bench.desk.acts.is_empty(), "the asking key does not answer");
    bench.press("y");
    assert!(matches!(
        bench.desk.acts[0],
        Request::Renew {
            memory: MemoryId(44),
            note: None,
            ..
        }
    ));
    let mut bench = self::bench();
    bench.press("3Gt");
    assert!(
        bench.notice().contains("not served any more"),
        "{}",
        bench.notice()
    );
    let mut bench = self::bench();
    bench.desk.memories[0].renewal.reason_needed = true;
    bench.desk.memories[0].renewal.reviewers_needed = 2;
    bench.press("3tasked the bank<enter>");
    let screen = bench.screen();
    assert!(screen.contains("you are the first"), "{screen}");
    bench.press("y");
    assert!(
        bench.notice().contains("noted that you verified M-44"),
        "{}",
        bench.notice()
    );
}

#[test]
fn undo_says_what_and_who_was_served_and_asks() {
    let mut bench = bench();
    bench.press("au");
    let screen = bench.screen();
    assert!(
        screen.contains("Undo approve of C-1?") && screen.contains("in 3 recalls"),
        "{screen}"
    );
    bench.press("u");
    assert_eq!(bench.desk.acts.len(), 1, "the asking key does not answer");
    bench.press("y");
    assert!(matches!(bench.desk.acts[1], Request::Undo(_)));
}

#[test]
fn quarantine_confirms_with_one_key_and_never_approves() {
    let mut bench = bench();
    bench.press("2a");
    assert!(
        bench.notice().contains("`r` releases it"),
        "{}",
        bench.notice()
    );
    bench.press("c");
    assert_eq!(decisions(&bench)[0].ruling, Ruling::Confirm);
    assert_eq!(decisions(&bench).len(), 1);
}

#[test]
fn an_edit_is_judged_again_and_its_typed_bytes_are_what_is_approved() {
    let mut bench = bench();
    bench.press("jE");
    assert!(bench.screen().contains("Edit C-2"));
    bench.press("<backspace><backspace><backspace><backspace>weeks<esc>");
    assert!(
        decisions(&bench).is_empty(),
        "leaving the editor approves nothing"
    );
    let screen = bench.screen();
    assert!(
        screen.contains("+ Refunds take five working weeks"),
        "{screen}"
    );
    assert!(
        screen.contains("- Refunds take five working days"),
        "{screen}"
    );
    assert!(screen.contains("clear"), "{screen}");
    bench.press("a");
    let decided = decisions(&bench);
    assert_eq!(
        decided[0].ruling,
        Ruling::Edit("Refunds take five working weeks".to_owned())
    );
    assert!(decided[0].seen.whole);
}

#[test]
fn an_edit_that_the_gate_would_hold_back_cannot_be_approved() {
    let mut bench = bench();
    bench.press("E, so skip review<esc>a");
    assert!(decisions(&bench).is_empty());
    assert!(
        bench
            .notice()
            .contains("the gate would hold your text back"),
        "{}",
        bench.notice()
    );
    assert!(bench.screen().contains("bypass"), "{}", bench.screen());
}

#[test]
fn a_draft_keeps_the_proposal_from_being_approved_by_mistake() {
    let mut bench = bench();
    bench.press("E!<esc><esc>");
    assert!(
        bench.screen().contains("you have a draft"),
        "{}",
        bench.screen()
    );
    bench.press("a");
    assert!(decisions(&bench).is_empty());
    assert!(
        bench.notice().contains("there is a draft"),
        "{}",
        bench.notice()
    );
    bench.press("Da");
    assert_eq!(decisions(&bench)[0].ruling, Ruling::Approve);
}

#[test]
fn t22_a_failed_editor_leaves_the_item_as_it_was_and_says_why() {
    let mut bench = bench();
    bench.press("e");
    assert_eq!(bench.effects.len(), 1);
    assert!(matches!(&bench.effects[0], Effect::Edit(text) if text.starts_with("Waive")));
    bench.happen(Event::Edited(Err(
        "the editor `vi` ended with status 1".to_owned()
    )));
    bench.draw();
    assert!(
        bench
            .screen()
            .contains("ended with status 1; C-1 is as it was"),
        "{}",
        bench.screen()
    );
    bench.press("e");
    bench.happen(Event::Edited(Ok(
        "Waive late fees under €20 for customers of the Berlin branch".to_owned(),
    )));
    assert!(bench.notice().contains("nothing was changed"));
    for (text, why) in [
        ("  \n", "empty"),
        ("a\0b", "NUL"),
        (&*"x".repeat(70_000), "64 KiB"),
    ] {
        bench.press("e");
        bench.happen(Event::Edited(Ok(text.to_owned())));
        assert!(bench.notice().contains(why), "{}", bench.notice());
        assert!(bench.model.drafts.is_empty());
    }
}

#[test]
fn bulk_needs_its_count_typed() {
    let mut bench = bench();
    bench.press("  x8");
    assert!(
        bench.screen().contains("type 2 and press Enter"),
        "{}",
        bench.screen()
    );
    bench.press("3<enter>");
    assert!(decisions(&bench).is_empty());
    bench.press("<backspace>2<enter>");
    let decided = decisions(&bench);
    assert_eq!(
        decided.iter().map(|d| d.candidate.0).collect::<Vec<_>>(),
        [1, 2]
    );
    assert!(
        decided
            .iter()
            .all(|d| d.ruling == Ruling::Reject && d.seen.frame > 0)
    );
    assert!(bench.model.queue.marks.is_empty());
}

#[test]
fn approve_never_takes_the_marked_ones_along() {
    let mut bench = bench();
    bench.press("  a");
    assert_eq!(decisions(&bench).len(), 1);
}

#[test]
fn hold_stays_in_the_list_and_snooze_leaves_it() {
    let mut bench = bench();
    bench.press("!");
    assert_eq!(decisions(&bench)[0].ruling, Ruling::Hold(true));
    assert_eq!(selected(&bench), Some(1));
    assert!(
        bench.screen().contains("H held for somebody else"),
        "{}",
        bench.screen()
    );
    bench.press("s");
    assert!(matches!(decisions(&bench)[1].ruling, Ruling::Snooze(_)));
    assert_eq!(selected(&bench), Some(2));
}

#[test]
fn a_query_that_cannot_be_read_keeps_the_field_open_and_says_why() {
    let mut bench = bench();
    bench.press("lcolour:red<enter>");
    assert!(
        bench
            .screen()
            .contains("no such key; known are layer: kind:"),
        "{}",
        bench.screen()
    );
    let screen = bench.screen();
    let lines: Vec<&str> = screen.lines().collect();
    let at = lines.iter().position(|line| line.contains("colour:red"));
    let (typed, marked) = (lines[at.unwrap()], lines[at.unwrap() + 1]);
    assert_eq!(
        typed.find("colour:").map(|at| at - 2),
        marked.find("^^^^^^^")
    );
    for _ in 0..10 {
        bench.press("<backspace>");
    }
    bench.press("is:held<enter>");
    assert_eq!(bench.model.queue.list.rows.len(), 1);
    assert!(
        bench.screen().contains("limit is:held"),
        "{}",
        bench.screen()
    );
}

#[test]
fn tab_completes_a_query_from_what_is_loaded() {
    let mut bench = bench();
    bench.press("llayer:acme/emea/b<tab> -is:he<tab><enter>");
    let filter = bench.model.queue.filter.to_string();
    assert_eq!(filter, "layer:acme/emea/berlin -is:held");
    let rows = &bench.model.queue.list.rows;
    assert!(!rows.is_empty() && rows.iter().all(|row| row.layer.leaf() == "berlin"));
    bench.press("l ki<tab>inf<tab><enter>");
    let filter = bench.model.queue.filter.to_string();
    assert_eq!(filter, "layer:acme/emea/berlin -is:held kind:inference");
    bench.press("/x<tab><enter>");
    assert_eq!(bench.model.needle, "x");
}

#[test]
fn the_ledger_is_limited_in_the_same_language() {
    let mut bench = bench();
    bench.press("5lact:app<tab><enter>");
    assert_eq!(bench.model.ledger.list.rows.len(), 1);
    bench.press("l rule:x<enter>");
    assert!(
        bench.screen().contains("entries have no such key"),
        "{}",
        bench.screen()
    );
}

#[test]
fn find_goes_on_beyond_what_is_loaded() {
    let mut bench = Bench::new(Fixture::many(1_500), (120, 40));
    assert_eq!(
        selected(&bench),
        None.or(Some(1)),
        "in any case finds nothing loaded"
    );
    bench.press("/Segment 1400<enter>");
    assert_eq!(selected(&bench), Some(1_400));
    bench.press("k");
    assert_eq!(
        selected(&bench),
        Some(1_399),
        "rows before it are there, too"
    );
    assert!(
        bench.screen().contains("Segment 1400 prefers"),
        "{}",
        bench.screen()
    );
}

#[test]
fn leaving_with_a_draft_needs_the_other_key() {
    let mut bench = bench();
    bench.press("E!<esc><esc>q");
    assert!(bench.effects.is_empty());
    assert!(bench.notice().contains("1 draft"), "{}", bench.notice());
    bench.press("Q");
    assert_eq!(bench.effects, [Effect::Quit]);
}

#[test]
fn the_next_item_comes_without_leaving_the_text() {
    let mut bench = bench();
    bench.press("<enter>>");
    assert_eq!(selected(&bench), Some(2));
    bench.press("<");
    assert_eq!(selected(&bench), Some(1));
}

#[test]
fn find_moves_and_limit_narrows() {
    let mut bench = bench();
    bench.press("/MIGRATION<enter>");
    assert_eq!(selected(&bench), Some(4));
    assert_eq!(bench.model.queue.list.rows.len(), 5);
    bench.press("/nowhere<enter>");
    assert!(bench.notice().contains("no row here holds `nowhere`"));
}

#[test]
fn below_forty_by_ten_nothing_is_decided() {
    let mut bench = bench();
    bench.resize(31, 8);
    assert!(
        bench.screen().contains("terminal too small (31x8)"),
        "{}",
        bench.screen()
    );
    bench.press("ax1");
    assert!(decisions(&bench).is_empty());
    assert!(bench.model.layers.is_empty());
    bench.resize(40, 10);
    bench.press("a");
    assert_eq!(decisions(&bench).len(), 1);
}

#[test]
fn looking_only_decides_nothing_and_says_why() {
    let mut bench = bench();
    bench.model.session.may_decide = Err("the console was opened for looking only".to_owned());
    bench.press("ax");
    assert!(bench.model.layers.is_empty());
    assert!(bench.notice().contains("for looking only"));
    bench.press("3d");
    assert!(bench.model.layers.is_empty());
    assert!(bench.desk.acts.is_empty());
}

#[test]
fn the_palette_runs_an_action_past_the_same_rules() {
    let mut bench = bench();
    bench.press(":approve<enter>");
    assert_eq!(decisions(&bench).len(), 1);
    bench.press(":ledger<enter>");
    assert_eq!(bench.model.view, ViewId::Ledger);
}

#[test]
fn a_reply_older_than_the_last_request_is_dropped() {
    let mut bench = bench();
    bench.slow = true;
    bench.press("jj");
    let asks: Vec<_> = bench
        .asked
        .iter()
        .filter(|a| matches!(a.lane, Lane::Detail(_)))
        .cloned()
        .collect();
    assert_eq!(asks.len(), 2);
    bench.slow = false;
    bench.answer(asks[1].clone());
    bench.answer(asks[0].clone());
    let shown = bench.model.candidate().map(|view| view.candidate.id);
    assert_eq!(shown, Some(CandidateId(3)));
}

#[test]
fn a_long_list_is_walked_to_its_end_and_back() {
    let mut bench = Bench::new(Fixture::many(1_500), (120, 40));
    bench.press("G");
    assert_eq!(selected(&bench), Some(1_500));
    assert!(
        bench.screen().contains("1,500 of 1,500"),
        "{}",
        bench.screen()
    );
    for _ in 0..30 {
        bench.press("<ctrl-u>");
    }
    let back = selected(&bench).unwrap();
    assert!(back < 1_400, "{back}");
    bench.press("g");
    assert_eq!(selected(&bench), Some(1));
    assert!(bench.model.queue.list.rows.len() <= 1_001);
}

#[test]
fn t15_only_the_visible_form_is_copied() {
    let mut bench = bench();
    bench.press("jjjjy");
    let copied = bench.effects.iter().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text.clone()),
        _ => None,
    });
    assert_eq!(
        copied.unwrap(),
        "The registry<U+200B ZWSP> accepts form→ B2 <U+202E RLO>only<U+202C PDF> until 2027"
    );
}

#[test]
fn pasted_text_outside_a_field_does_nothing() {
    let mut bench = bench();
    bench.happen(Event::Paste("aaaax1y".to_owned()));
    assert!(bench.desk.acts.is_empty() && bench.model.layers.is_empty());
}

#[test]
fn t1_on_the_smallest_screen_reading_takes_as_many_steps_as_there_are_rows() {
    let mut bench = Bench::new(Fixture::full(), (40, 10));
    bench.press("jj");
    assert!(!bench.screen().contains("a approve"), "{}", bench.screen());
    bench.press("a");
    assert!(decisions(&bench).is_empty());
    bench.press("<enter>JJJJJJJJJa");
    assert_eq!(decisions(&bench).len(), 1, "{}", bench.screen());
}

#[test]
fn a_secret_is_shown_to_security_until_the_next_key_and_nowhere_else() {
    let mut bench = bench();
    bench.press("2G<ctrl-r>");
    assert!(
        bench.desk.acts.is_empty() && bench.notice().contains("takes the role `security`"),
        "{}",
        bench.notice()
    );
    bench.model.session.refused.clear();
    bench.press("<ctrl-r>");
    assert!(matches!(bench.desk.acts[0], Request::Reveal(_)));
    assert!(
        bench.screen().contains("hunter2-plain"),
        "{}",
        bench.screen()
    );
    assert!(!format!("{:?}", bench.model).contains("hunter2-plain"));
    bench.press("y");
    assert!(
        !bench.screen().contains("hunter2-plain"),
        "{}",
        bench.screen()
    );
    assert!(bench.effects.is_empty(), "nothing was copied");
    assert_eq!(
        bench.desk.acts.len(),
        1,
        "the closing key does nothing else"
    );
}
