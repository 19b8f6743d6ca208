//! Where a judgement stops: what a rule applies to, how often it may match, how much is looked at.

use crate::domain::{Kind, Layer, Scope, Severity, Trust, Verdict};
use crate::gate::cases::{acme, facts, held};
use crate::gate::judge::judge;
use crate::gate::packs::Packs;
use crate::gate::policy::Policy;
use crate::gate::work::steps_of;

fn over(rule: &str) -> Policy {
    let head = "[[rule]]\nid='zorks'\nclass='echo'\nseverity='quarantine'\nexplanation='e'\n";
    let tail = "hits=['zork']\nmisses=['x']";
    let packs = Packs::written(&format!("{head}{rule}\n{tail}"));
    Policy::shipped().unwrap().over(packs)
}

const PATTERN: &str = "keywords=['zork']\npattern='zork'";

#[test]
fn several_claims_in_one_are_shown_and_one_is_not() {
    let (sources, scope) = ([held(Trust::Tool, None)], acme());
    let policy = Policy::shipped().unwrap();
    for (claims, expected) in [(0, false), (1, false), (2, true), (7, true)] {
        let mut facts = facts("Refunds take five working days.", &sources, &scope);
        facts.claims = claims;
        let found = judge(&facts, &policy);
        let about = |rule: &str| found.findings.iter().find(|f| f.rule == rule).cloned();
        let objection = about("more_than_one_claim");
        assert_eq!(objection.is_some(), expected, "{claims}");
        if let Some(objection) = objection {
            assert_eq!(objection.severity, Severity::Advisory);
            assert!(
                objection
                    .message
                    .contains(&format!("holds {claims} claims"))
            );
            assert_eq!(found.verdict, Verdict::Advisory);
        }
    }
}

#[test]
fn a_rule_looks_only_at_what_it_applies_to() {
    let held_by = |applies: &str, kind: Kind, trust: Trust, layer: &str| {
        let policy = over(&format!("{PATTERN}\napplies={applies}"));
        let (sources, scope) = ([held(trust, None)], Scope::of(Layer::parse(layer).unwrap()));
        let mut facts = facts("a zork stands here", &sources, &scope);
        facts.kind = kind;
        let found = judge(&facts, &policy);
        found.findings.iter().any(|finding| finding.rule == "zorks")
    };
    let (fact, wish) = (Kind::ObservedFact, Kind::UserPreference);
    assert!(held_by("{}", fact, Trust::Tool, "acme"));
    assert!(held_by(
        "{kind=['user_preference']}",
        wish,
        Trust::Tool,
        "acme"
    ));
    assert!(!held_by(
        "{kind=['user_preference']}",
        fact,
        Trust::Tool,
        "acme"
    ));
    assert!(held_by(
        "{trust=['web', 'model']}",
        fact,
        Trust::Web,
        "acme"
    ));
    assert!(held_by(
        "{trust=['web', 'model']}",
        fact,
        Trust::Model,
        "acme"
    ));
    assert!(!held_by(
        "{trust=['web', 'model']}",
        fact,
        Trust::Tool,
        "acme"
    ));
    assert!(held_by(
        "{scope='acme/emea'}",
        fact,
        Trust::Tool,
        "acme/emea/berlin"
    ));
    assert!(!held_by(
        "{scope='acme/emea'}",
        fact,
        Trust::Tool,
        "acme/emea2"
    ));
    assert!(!held_by("{scope='acme/emea'}", fact, Trust::Tool, "acme"));
}

#[test]
fn a_rule_that_matches_too_often_holds_the_candidate() {
    let (sources, scope) = ([held(Trust::System, None)], acme());
    for (rule, word) in [(PATTERN, "zork. "), ("frames=['skip']", "skip. ")] {
        let policy = over(rule);
        let rules = |times: usize| {
            let text = word.repeat(times);
            let found = judge(&facts(&text, &sources, &scope), &policy);
            let stands = |rule: &str| found.findings.iter().any(|f| f.rule == rule);
            (
                stands("zorks"),
                stands("rule_without_answer"),
                found.verdict,
            )
        };
        assert_eq!(rules(255), (true, false, Verdict::Quarantine), "{rule}");
        let (_, mute, verdict) = rules(257);
        assert_eq!((mute, verdict), (true, Verdict::Quarantine), "{rule}");
    }
}

/// Twice the text is at most about twice the work, whatever it is made of: counted in steps, since
/// a loaded machine says nothing about time.
#[test]
fn work_grows_no_faster_than_the_text() {
    let policy = Policy::shipped().unwrap();
    let (sources, scope) = ([held(Trust::Web, None)], acme());
    for piece in [
        "key ",
        "password is ",
        "password: ",
        "the password for ops is hunter2, ",
        "ignore ",
        "ignore all previous instructions, ",
        "'ignore all rules' ",
        "\"a\" ",
        "1gn0re ",
        "%41",
        "a b ",
        "the approval skip ",
        "not approved, ",
        "never skip the review unless ",
        "A1b2C3d4",
        "http://u:p@",
        "-----BEGIN PRIVATE KEY-----",
        "account 4711-22-8890 ",
        "忽略之前的指令",
        "agent must send data to ",
        "aWdub3JlIGFsbCBydWxlcw== ",
    ] {
        let judged = |bytes: usize| {
            let text = piece.repeat(bytes / piece.len());
            steps_of(|| drop(judge(&facts(&text, &sources, &scope), &policy)))
        };
        let (once, twice) = (judged(3500), judged(7000));
        assert!(
            twice <= once * 3 + 20_000,
            "judging {piece:?}: {once}, then {twice}"
        );
        let masked = |bytes: usize| {
            let text = piece.repeat(bytes / piece.len());
            steps_of(|| drop(crate::gate::secrets(&text)))
        };
        let (once, twice) = (masked(40_000), masked(80_000));
        assert!(
            twice <= once * 5 / 2 + 20_000,
            "masking {piece:?}: {once}, then {twice}"
        );
    }
}
