//! Two denials that make one demand: `no newsletter without consent` is `only with consent`.
//!
//! The text is changed byte for byte, so that every range into it keeps its place.

/// The words that take the second denial back, each with what it leaves, as many bytes long.
const SECOND: (&str, &str) = ("without", "with   ");
/// The first denials, the longest first.
const FIRST: &[(&str, &str)] = &[
    ("must not", "must    "),
    ("may not", "may    "),
    ("do not", "      "),
    ("don't", "     "),
    ("nobody", "people"),
    ("no one", "people"),
    ("never", "     "),
    ("cannot", "can   "),
    ("can't", "can  "),
    ("not", "   "),
    ("no", "  "),
];

/// The text with a denial and a later `without` taken out, where it has one of each.
pub(crate) fn undoubled(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let second = find(&lower, SECOND.0)?;
    let head = lower.get(..second)?;
    let (first, (said, left)) = FIRST
        .iter()
        .find_map(|pair| Some((find(head, pair.0)?, pair)))?;
    // One clause: what stands behind a full stop denies something else.
    if lower.get(first..second)?.contains(['.', ';', '!', '?']) {
        return None;
    }
    let mut out = text.to_owned();
    out.replace_range(second..second + SECOND.0.len(), SECOND.1);
    out.replace_range(first..first + said.len(), left);
    Some(out)
}

/// Where a whole word or phrase stands.
fn find(text: &str, phrase: &str) -> Option<usize> {
    let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '\'');
    text.match_indices(phrase).map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).and_then(|head| head.chars().next_back());
        let behind = text
            .get(at + phrase.len()..)
            .and_then(|tail| tail.chars().next());
        !letter(before) && !letter(behind)
    })
}

#[cfg(test)]
mod tests {
    use super::undoubled;

    fn check(text: &str, expected: Option<&str>) {
        let found = undoubled(text);
        assert_eq!(found.as_deref(), expected);
        assert!(found.is_none_or(|found| found.len() == text.len()));
    }

    #[test]
    fn two_denials_are_one_demand() {
        check(
            "no newsletter without consent",
            Some("   newsletter with    consent"),
        );
        check(
            "Nobody drives it without a licence",
            Some("people drives it with    a licence"),
        );
        check("it runs without consent", None);
        check("do not stop. it runs without a key", None);
        check("the notice goes out without delay", None);
    }
}
