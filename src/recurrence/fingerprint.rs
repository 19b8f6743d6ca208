//! The exact key of a text: equal for texts that are the same after folding.

use crate::domain::Digest;

/// The hash under which texts that say the same letter for letter, after folding, are gathered.
///
/// Words are never reordered, left out or replaced: a negation or another number is another key.
#[must_use]
pub fn fingerprint(text: &str) -> Digest {
    let key = crate::text::folded::key(text);
    if key.trim().is_empty() {
        // INVARIANT: texts of which nothing is left are not all the same text.
        return Digest::of_parts(&[b"nothing folded", text.as_bytes()]);
    }
    Digest::of(key.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    fn check(one: &str, other: &str, same: bool) {
        assert_eq!(
            fingerprint(one) == fingerprint(other),
            same,
            "{one:?} {other:?}"
        );
    }

    #[test]
    fn case_space_and_quotes_make_no_difference() {
        check("Refunds take 5 days.", "refunds  take 5 days.", true);
        check("The card hasn’t come", "the card hasn't come", true);
        check("Refunds take 5 days.", "Refunds take 5 days", true);
        check("re\u{200b}funds take 5 days", "refunds take 5 days", true);
    }

    #[test]
    fn what_changes_the_meaning_changes_the_key() {
        check("Refunds take 5 days.", "Refunds take 15 days.", false);
        check("Run the tests", "Never run the tests", false);
        check(
            "from staging to production",
            "from production to staging",
            false,
        );
        check("", "\u{200b}", false);
    }
}
