//! The reviewers' list as `allowed_signers`, so that anybody with OpenSSH can check a signature.

use crate::keys::{DECISION, Member, REVIEWERS};

/// One line a key that ever signed, in the order they were listed. Who reads it with
/// `-Overify-time` sees a key only for the time it was listed.
#[must_use]
pub fn allowed_signers(members: &[Member]) -> String {
    let mut text = String::new();
    for member in members {
        let Some(key) = &member.public_key else {
            continue;
        };
        let namespaces = format!("{DECISION},{REVIEWERS}");
        let mut options = format!("namespaces=\"{namespaces}\"");
        options.push_str(&format!(",valid-after=\"{}\"", stamp(member.since_at)));
        if let Some(until) = member.until_at {
            options.push_str(&format!(",valid-before=\"{}\"", stamp(until.plus(999))));
        }
        text.push_str(&format!("{} {options} {key}\n", principal(&member.name)));
    }
    text
}

/// A name as one word that means only itself: white space, quotes, patterns and commas are spelled out.
#[must_use]
pub fn principal(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"@._-+".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("={byte:02X}"));
        }
    }
    out
}

/// `YYYYMMDDHHMMSSZ`, to the second.
#[must_use]
pub fn stamp(at: crate::domain::Time) -> String {
    let text = at.to_string();
    let digits: String = text
        .chars()
        .take_while(|c| *c != '.' && *c != 'Z')
        .filter(char::is_ascii_digit)
        .collect();
    format!("{digits}Z")
}

#[cfg(test)]
mod tests {
    use super::{principal, stamp};
    use crate::domain::Time;

    #[test]
    fn a_name_is_one_word_and_no_pattern() {
        assert_eq!(principal("alice@example.com"), "alice@example.com");
        assert_eq!(principal("a b*\""), "a=20b=2A=22");
        assert_eq!(principal("é\n"), "=C3=A9=0A");
    }

    #[test]
    fn times_are_to_the_second() {
        let at = Time::parse("2026-12-01T09:00:00Z").unwrap();
        assert_eq!(stamp(at), "20261201090000Z");
        assert_eq!(stamp(at.plus(1000)), "20261201090001Z");
        assert_eq!(stamp(at.plus(999)), "20261201090000Z");
    }
}
