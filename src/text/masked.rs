//! Text with its secrets replaced by what they are and how long they are.
//!
//! Knows no secret: the ranges come from the gate. Deliberately keeps the length, so that a reader
//! can tell a password from a key, and nothing else of the value.

use std::ops::Range;

/// `raw` with each range replaced by `[label, N characters]`; ranges may overlap, stand in any
/// order, run backwards or over the end. A character that a range touches is masked whole.
pub fn masked(raw: &str, ranges: &[Range<usize>], label: &str) -> String {
    let mut kept = String::with_capacity(raw.len());
    let mut at = 0;
    for range in merged(raw, ranges) {
        kept.push_str(raw.get(at..range.start).unwrap_or_default());
        let count = raw
            .get(range.clone())
            .map_or(0, |secret| secret.chars().count());
        let plural = if count == 1 { "" } else { "s" };
        kept.push_str(&format!("[{label}, {count} character{plural}]"));
        at = range.end;
    }
    kept.push_str(raw.get(at..).unwrap_or_default());
    kept
}

/// The ranges in order, on character boundaries, overlapping ones joined.
fn merged(raw: &str, ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    let whole = |range: &Range<usize>| {
        let (start, end) = (range.start.min(range.end), range.start.max(range.end));
        boundary_before(raw, start)..boundary_after(raw, end)
    };
    let mut sorted: Vec<Range<usize>> = ranges
        .iter()
        .filter(|r| r.start != r.end)
        .map(whole)
        .collect();
    sorted.retain(|range| !range.is_empty());
    sorted.sort_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(sorted.len());
    for range in sorted {
        match merged.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

fn boundary_before(raw: &str, at: usize) -> usize {
    let at = at.min(raw.len());
    (0..=at)
        .rev()
        .find(|&at| raw.is_char_boundary(at))
        .unwrap_or(0)
}

fn boundary_after(raw: &str, at: usize) -> usize {
    (at..raw.len())
        .find(|&at| raw.is_char_boundary(at))
        .unwrap_or(raw.len())
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "a single range is meant")]
mod tests {
    use super::masked;
    use proptest::prelude::*;
    use std::ops::Range;

    fn check(raw: &str, ranges: &[Range<usize>], expected: &str) {
        assert_eq!(masked(raw, ranges, "key"), expected);
    }

    #[test]
    fn ranges_are_replaced_by_their_length() {
        check(
            "token sk-12345 set",
            &[6..14],
            "token [key, 8 characters] set",
        );
        check("abc", &[0..3], "[key, 3 characters]");
        check("abc", &[0..1], "[key, 1 character]bc");
        check("abc", &[], "abc");
        check("", &[0..3], "");
        check("pässword", &[0..3], "[key, 2 characters]ssword");
    }

    #[test]
    fn overlapping_ranges_are_one() {
        check("abcdef", &[2..4, 0..3], "[key, 4 characters]ef");
        check("abcdef", &[0..6, 1..2], "[key, 6 characters]");
        check(
            "abcdef",
            &[0..2, 2..4],
            "[key, 2 characters][key, 2 characters]ef",
        );
        check("abcdef", &[1..2, 1..2], "a[key, 1 character]cdef");
    }

    #[test]
    #[expect(
        clippy::reversed_empty_ranges,
        reason = "what a mistaken caller may pass"
    )]
    fn odd_ranges_still_mask() {
        check("abc", &[2..99], "ab[key, 1 character]");
        check("abc", &[50..99], "abc");
        check("abc", &[1..1], "abc");
        check("abc", &[2..1], "a[key, 1 character]c");
        check("éa", &[1..2], "[key, 1 character]a");
    }

    proptest! {
        #[test]
        fn no_masked_character_survives(
            before in "[a-c]{0,8}",
            secret in "[x-z]{1,20}",
            after in "[a-c]{0,8}",
            cut in 0usize..20,
        ) {
            let raw = format!("{before}{secret}{after}");
            let (start, end) = (before.len(), before.len() + secret.len());
            let middle = (start + cut).min(end);
            let seen = masked(&raw, &[middle..end, start..middle], "M");
            prop_assert!(!seen.contains(['x', 'y', 'z']));
            prop_assert!(seen.starts_with(&before) && seen.ends_with(&after));
        }
    }
}
