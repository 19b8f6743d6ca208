//! Where a text holds secret values: what must be masked wherever anybody reads it.

use crate::gate::decode;
use crate::gate::matcher::{every_match, picked_raw};
use crate::gate::packs::Packs;
use crate::gate::traces::Traces;
use crate::gate::views::View;
use std::ops::Range;

/// How much of a text is decoded at a time, and how far stretches overlap, in bytes.
const STRETCH: usize = 16 * 1024;
const OVERLAP: usize = 1024;

/// The byte ranges of every secret value in a text, in order and apart from each other.
#[must_use]
pub fn secrets(text: &str) -> Vec<Range<usize>> {
    // Rules that cannot be read hide everything.
    found_in(text).unwrap_or_else(|| std::iter::once(0..text.len()).collect())
}

fn found_in(text: &str) -> Option<Vec<Range<usize>>> {
    let packs = Packs::of_secrets().ok()?;
    let mut found = in_view(&View::same("raw", text.to_owned()), &packs)?;
    for start in (0..text.len()).step_by(STRETCH - OVERLAP) {
        let start = floor(text, start);
        let stretch = text
            .get(start..floor(text, start + STRETCH))
            .unwrap_or_default();
        let traces = Traces::of(stretch);
        for view in decode::encodings(&View::same("raw", stretch.to_owned()), traces) {
            let inside = in_view(&view, &packs)?.into_iter();
            found.extend(inside.map(|range| range.start + start..range.end + start));
        }
    }
    Some(joined(found))
}

/// Where the secrets of one view stand; none where a rule cannot answer.
fn in_view(view: &View, packs: &Packs) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    for rule in picked_raw(packs, &view.text) {
        found.extend(every_match(rule, view).ok()?);
    }
    Some(found)
}

/// The last character boundary at or before this place.
fn floor(text: &str, place: usize) -> usize {
    let place = place.min(text.len());
    (0..=place)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut out: Vec<Range<usize>> = Vec::new();
    for range in ranges.into_iter().filter(|range| !range.is_empty()) {
        match out.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => out.push(range),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Packs, secrets};
    use crate::domain::Class;
    use crate::gate::packs::{Look, PackRule};

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = secrets(text)
            .into_iter()
            .map(|at| text.get(at).unwrap())
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn every_rule_that_knows_a_secret_hides_it() {
        let ids = |packs: &Packs, only: &dyn Fn(&PackRule) -> bool| -> Vec<String> {
            let rules = packs.rules().iter().filter(|rule| only(rule));
            rules.map(|rule| rule.id.clone()).collect()
        };
        let (all, own) = (Packs::shipped().unwrap(), Packs::of_secrets().unwrap());
        let knows = |rule: &PackRule| rule.class == Class::Credential;
        assert_eq!(ids(&all, &knows), ids(&own, &|_| true));
        assert_eq!(
            ids(&all, &|rule| knows(rule) && rule.look == Look::Folded),
            Vec::<String>::new(),
            "folded text has no place in the raw bytes to hide"
        );
    }

    #[test]
    fn only_the_value_is_masked() {
        check(
            "The root password for db-3 is Tr0ub4dor&3xyz.",
            &["Tr0ub4dor&3xyz"],
        );
        check("postgres://app:hunter2x@db.internal/app", &["hunter2x"]);
        check("Refunds take five working days.", &[]);
        check("API keys rotate every 90 days.", &[]);
        let two = "password: Aa1!aaaa and then password: Bb2!bbbb";
        check(two, &["Aa1!aaaa", "Bb2!bbbb"]);
    }
}
