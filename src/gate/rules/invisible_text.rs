//! Characters that a reader cannot see, outside the places where languages need them.

use crate::domain::{Class, Finding, Severity, Span};
use crate::gate::rules::{Answer, Case, Rule};
use crate::text::invisible::{Invisible, Why, invisibles};

pub(crate) const RULE: Rule = Rule {
    id: "invisible_text",
    why: "a reviewer decides on what can be seen, so nothing in a claim may be hidden",
    check,
};

fn check(case: &Case<'_>) -> Answer {
    let text = case.facts.text;
    if text
        .bytes()
        .all(|b| (0x20..0x7F).contains(&b) || b == b'\n' || b == b'\t')
    {
        return Ok(Vec::new());
    }
    let mut hidden = invisibles(text)
        .into_iter()
        .filter(|found| found.why == Why::Illegal && !is_direction_mark(text, found));
    let Some(first) = hidden.next() else {
        return Ok(Vec::new());
    };
    let (mut end, mut count) = (first.range.end, 1);
    for more in hidden {
        end = more.range.end;
        count += 1;
    }
    let tags = case.reading.decoded.iter().find(|view| view.name == "tags");
    let decoded = tags.map(|view| view.text.clone());
    let reads = decoded
        .as_ref()
        .map_or(String::new(), |text| format!(", reading `{text}`"));
    Ok(vec![Finding {
        rule: RULE.id.to_owned(),
        class: Class::InvisibleText,
        severity: Severity::Quarantine,
        span: Some(Span {
            start: first.range.start,
            end,
        }),
        view: "raw".to_owned(),
        field: None,
        message: format!(
            "{count} characters in it cannot be seen, the first is {}{reads}; propose it again without them",
            first.name
        ),
        decoded,
    }])
}

/// A single mark that keeps a number or a Latin word in place inside right-to-left text.
fn is_direction_mark(text: &str, found: &Invisible) -> bool {
    let mark = matches!(found.code, '\u{200E}' | '\u{200F}' | '\u{61C}');
    let before = text
        .get(..found.range.start)
        .and_then(|head| head.chars().next_back());
    let after = text
        .get(found.range.end..)
        .and_then(|rest| rest.chars().next());
    let seen =
        |c: Option<char>| c.is_none_or(|c| c.is_alphanumeric() || c.is_ascii_graphic() || c == ' ');
    mark && text.chars().any(is_right_to_left) && seen(before) && seen(after)
}

const fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{5D0}'..='\u{5EA}' | '\u{620}'..='\u{64A}' | '\u{671}'..='\u{6D3}' | '\u{780}'..='\u{7A5}')
}
