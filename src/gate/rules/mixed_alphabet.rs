//! Words that mix look-alike alphabets, so that they read as another word.

use crate::domain::{Class, Finding, Severity, Span};
use crate::gate::rules::{Answer, Case, Rule};
use crate::text::script::mixed_script_words;

pub(crate) const RULE: Rule = Rule {
    id: "mixed_alphabet",
    why: "a word that borrows letters of another alphabet reads as what it is not",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    let text = case.facts.text;
    if text.is_ascii() {
        return Ok(Vec::new());
    }
    let words = mixed_script_words(text);
    let phonetic = |c: char| matches!(c, '\u{250}'..='\u{2AF}' | '\u{2C8}' | '\u{2D0}');
    let spelled = |word: &&std::ops::Range<usize>| {
        let word = text.get((*word).clone()).unwrap_or_default();
        !word.contains(phonetic)
    };
    let Some(first) = words.iter().find(spelled) else {
        return Ok(Vec::new());
    };
    Ok(vec![Finding {
        rule: RULE.id.to_owned(),
        class: Class::InvisibleText,
        severity: Severity::Quarantine,
        span: Some(Span {
            start: first.start,
            end: first.end,
        }),
        view: "raw".to_owned(),
        field: None,
        decoded: None,
        message: "a word in it mixes alphabets that look alike; spell it in one".to_owned(),
    }])
}
