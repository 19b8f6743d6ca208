//! Prose split into single claims: lines, bullets, numbered items, sentences.
//!
//! Knows marks, not grammar. Abbreviations, decimals, versions, addresses and code between
//! backticks end no sentence.

use std::ops::Range;

/// The single claims of a text, in order: ranges of bytes, without item markers and outer space.
///
/// A short label that only announces what follows (`Decisions:`) is no claim and left out.
#[must_use]
pub fn split(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut in_code = false;
    for paragraph in paragraphs(text) {
        let line = slice(text, &paragraph).trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            in_code = !in_code;
        } else if in_code {
            push(text, paragraph, &mut out);
        } else {
            for item in items(text, paragraph) {
                sentences(text, item, &mut out);
            }
        }
    }
    out
}

/// Lines, those that were only wrapped joined again.
fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut joins = false;
    let mut start = 0;
    let ends = |c: char| matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    for line in text.split_inclusive(ends) {
        let range = start..start + line.len();
        start = range.end;
        let line = line.trim();
        let goes_on = line.chars().next().is_some_and(char::is_lowercase) && marker(line) == 0;
        match out.last_mut() {
            Some(last) if joins && goes_on => last.end = range.end,
            _ => out.push(range),
        }
        let fence = line.starts_with("```") || line.starts_with("~~~");
        joins = !fence && line.chars().last().is_some_and(|c| !".!?:;…".contains(c));
    }
    out
}

/// The items of a line: what its numbers `1) .. 2) ..` part, and what comes before them.
fn items(text: &str, line: Range<usize>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = line.start;
    for (at, length) in numbers(slice(text, &line)) {
        out.push(start..line.start + at);
        start = line.start + at + length;
    }
    out.push(start..line.end);
    out
}

/// Where item numbers stand in a line, and how long they are: only where they count from 1 to at
/// least 2, in one style.
fn numbers(line: &str) -> Vec<(usize, usize)> {
    for style in [("", ")"), ("(", ")"), ("", ".")] {
        let mut found = Vec::new();
        let mut from = 0;
        for number in 1_u32.. {
            let mark = format!("{}{number}{} ", style.0, style.1);
            let Some(at) = find_word(line, &mark, from) else {
                break;
            };
            found.push((at, mark.len()));
            from = at + mark.len();
        }
        if found.len() > 1 {
            return found;
        }
    }
    Vec::new()
}

/// The first place from `from` on where this stands with white space, or nothing, before it.
fn find_word(line: &str, word: &str, from: usize) -> Option<usize> {
    let rest = line.get(from..)?;
    rest.match_indices(word)
        .map(|(at, _)| from + at)
        .find(|at| {
            line.get(..*at)
                .and_then(|before| before.chars().next_back())
                .is_none_or(char::is_whitespace)
        })
}

fn sentences(text: &str, item: Range<usize>, out: &mut Vec<Range<usize>>) {
    let skipped = marker(slice(text, &item));
    let mut start = item.start + skipped;
    let rest = slice(text, &(start..item.end));
    for end in ends(rest) {
        let end = item.start + skipped + end;
        push(text, start..end, out);
        start = end;
    }
    push(text, start..item.end, out);
}

/// The bytes of bullets, quote marks, boxes, numbers and heading marks that a line starts with.
fn marker(line: &str) -> usize {
    let mut rest = line.trim_start();
    loop {
        let after = rest.strip_prefix("[ ] ").or_else(|| {
            let mark = rest.split_whitespace().next()?;
            let after = rest.strip_prefix(mark)?;
            (is_mark(mark) && !after.is_empty()).then_some(after)
        });
        match after {
            Some(after) => rest = after.trim_start(),
            None => return line.len() - rest.len(),
        }
    }
}

fn is_mark(word: &str) -> bool {
    let bullet = matches!(
        word,
        "-" | "*"
            | "+"
            | ">"
            | "•"
            | "◦"
            | "‣"
            | "–"
            | "—"
            | "·"
            | "[x]"
            | "[X]"
            | "[]"
            | "☐"
            | "☑"
            | "✓"
            | "✔"
            | "✅"
            | "❌"
    );
    let heading = word.bytes().all(|byte| byte == b'#');
    let inner = word.strip_prefix('(').unwrap_or(word);
    let inner = inner.strip_suffix([')', '.']).unwrap_or_default();
    let digits = inner.len() <= 3 && inner.bytes().all(|byte| byte.is_ascii_digit());
    let letter = inner.len() == 1
        && !word.ends_with('.')
        && inner.bytes().all(|byte| byte.is_ascii_alphabetic());
    bullet || heading || (!inner.is_empty() && (digits || letter))
}

/// Where sentences end in a text: the byte after each end mark and what closes with it.
fn ends(text: &str) -> Vec<usize> {
    let mut out = Vec::new();
    let mut in_code = false;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        in_code ^= c == '`';
        if in_code || !".!?…。！？".contains(c) {
            continue;
        }
        let mut end = at + c.len_utf8();
        while let Some((at, closing)) = chars.next_if(|(_, c)| ".!?…。！？\"'”’»)]*_".contains(*c))
        {
            end = at + closing.len_utf8();
        }
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(end..).unwrap_or_default();
        if is_end(before, c, after) {
            out.push(end);
        }
    }
    out
}

fn is_end(before: &str, mark: char, after: &str) -> bool {
    if "。！？".contains(mark) {
        return true;
    }
    let next = after.trim_start();
    if next.len() == after.len() && !next.is_empty() {
        return false;
    }
    let Some(first) = next.chars().find(|c| !"\"'“‘«([*_`".contains(*c)) else {
        return true;
    };
    if first.is_lowercase() {
        return false;
    }
    mark != '.' || !is_abbreviation(before, next)
}

/// Words that a full stop shortens, whatever follows.
const SHORT: &[&str] = &[
    "e.g", "i.e", "vs", "mr", "mrs", "ms", "dr", "prof", "approx", "ca", "cf", "resp", "z.b",
    "d.h", "u.a", "bzw", "hr", "fr", "st", "messrs", "jr", "gen", "sen", "rep", "incl", "excl",
];
/// Words that a full stop shortens before a number.
const SHORT_BEFORE_NUMBER: &[&str] = &[
    "no", "nr", "fig", "sec", "art", "vol", "p", "pp", "ch", "eq", "ver", "v", "abs", "ziff",
];
/// How the names of months begin, in English and German.
const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "mär", "apr", "may", "mai", "jun", "jul", "aug", "sep", "oct", "okt",
    "nov", "dec", "dez",
];

fn is_abbreviation(before: &str, next: &str) -> bool {
    let word = before
        .rsplit(|c: char| c.is_whitespace() || "(\"'“‘[".contains(c))
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let number_follows = next.chars().next().is_some_and(char::is_numeric);
    let initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    let dotted = word.contains('.') && word.split('.').all(|part| part.chars().count() == 1);
    let ordinal = !word.is_empty() && word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit());
    let next = next.chars().take(3).collect::<String>().to_lowercase();
    SHORT.contains(&word.as_str())
        || (number_follows && SHORT_BEFORE_NUMBER.contains(&word.as_str()))
        || (initial && word != "i")
        || (dotted && !matches!(word.as_str(), "a.m" | "p.m"))
        || (ordinal && MONTHS.iter().any(|month| next.starts_with(month)))
}

/// Adds a range without its outer space, unless nothing is left or it is a mere label.
fn push(text: &str, range: Range<usize>, out: &mut Vec<Range<usize>>) {
    let raw = slice(text, &range);
    let start = range.start + raw.len() - raw.trim_start().len();
    let claim = raw.trim();
    let label = claim.ends_with([':', '：']) && claim.split_whitespace().count() <= 6;
    if claim.chars().any(char::is_alphanumeric) && !label {
        out.push(start..start + claim.len());
    }
}

fn slice<'a>(text: &'a str, range: &Range<usize>) -> &'a str {
    text.get(range.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::split;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = split(text)
            .into_iter()
            .map(|range| text.get(range).unwrap())
            .collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn every_case_is_split_as_its_file_says() {
        #[derive(serde::Deserialize)]
        struct Case {
            text: String,
            claims: Vec<String>,
        }
        let cases = include_str!("../../tests/cases/evidence/split.jsonl");
        for line in cases.lines() {
            let case: Case = serde_json::from_str(line).unwrap();
            let claims: Vec<_> = case.claims.iter().map(String::as_str).collect();
            check(&case.text, &claims);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn claims_stand_in_order_and_nothing_panics(
            text in "([a-zA-Z .!?:;()\\[\\]`#*>0-9é。\n-]|\\PC){0,80}",
        ) {
            let mut last = 0;
            for range in split(&text) {
                prop_assert!(last <= range.start && range.start < range.end);
                last = range.end;
                let claim = text.get(range).unwrap();
                prop_assert_eq!(claim.trim(), claim);
            }
        }
    }
}
