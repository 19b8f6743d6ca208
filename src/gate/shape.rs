//! What a secret value looks like, and what only looks like one.

use std::ops::Range;

/// What sort of value a rule's captured group must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Token {
    /// Anything but a placeholder.
    Filled,
    /// Something a person would type as a password: not a plain word, not a date or a path.
    Password,
    /// Something a machine made up.
    Random,
    /// The same, and neither digest nor UUID: for places where no noun says that it is secret.
    Opaque,
    /// A short number.
    Pin,
}

/// How many words after its noun a value may stand.
const NEAR: usize = 20;
/// Words after which a value is given.
const INTRODUCERS: &[&str] = &[
    "is",
    "was",
    "are",
    "=",
    ":",
    "to",
    "with",
    "as",
    "uses",
    "use",
    "reads",
    "ist",
    "es",
    "est",
    "remains",
    "still",
    "lautet",
    "heisst",
    "word",
    "accepts",
    "now",
    "that",
    "passcode",
    "password",
    "passphrase",
    "pin",
    "token",
    "key",
    "secret",
    "code",
    "bearer",
    "login",
    "pass",
    "basic",
    "and",
    "be",
    "says",
    "\u{E9}",
    "\u{43D}\u{430}",
    "—",
    "-",
    "->",
    "=>",
    ":=",
    "/",
];

impl Token {
    /// Whether the value is of this sort.
    fn fits(self, value: &str) -> bool {
        if value.is_empty() || is_placeholder(value) {
            return false;
        }
        match self {
            Self::Filled => true,
            Self::Password => is_password(value),
            Self::Random => is_random(value),
            Self::Opaque => is_random(value) && !is_identifier(value),
            Self::Pin => is_pin(value),
        }
    }
}

/// Where the value stands in the captured text, without quotes and closing punctuation.
pub(crate) fn value(token: Token, text: &str) -> Option<Range<usize>> {
    let start = text.len() - text.trim_start_matches(is_quote).len();
    let body = bare(text);
    token.fits(body).then(|| start..start + body.len())
}

/// The first word of the text that is a value of this sort, after a word that gives it.
pub(crate) fn first_value(token: Token, text: &str) -> Option<Range<usize>> {
    let mut given = false;
    let mut first = true;
    let mut at = 0;
    let words = text.split_inclusive(|c: char| c.is_whitespace() || ":=".contains(c));
    for word in words.take(NEAR) {
        let start = at;
        at += word.len();
        let plain = word.trim_end();
        if plain.trim_end_matches([':', '=']).is_empty() {
            given |= !plain.is_empty();
            continue;
        }
        let quoted = plain.starts_with(is_quote);
        if given
            || quoted
            || (std::mem::take(&mut first) && (token == Token::Random || is_plainly_made_up(plain)))
        {
            let whole = text.get(start..).unwrap_or_default();
            let whole = whole.split(char::is_whitespace).next().unwrap_or_default();
            if let Some(found) = value(token, whole).filter(|_| !in_address(text, start)) {
                return Some(start + found.start..start + found.end);
            }
        }
        let ends = plain.ends_with([':', '=']);
        let lower = bare(plain).to_lowercase();
        given = ends || INTRODUCERS.contains(&lower.as_str());
        if plain.ends_with(['.', '!', '?']) && !quoted {
            return None;
        }
    }
    None
}

/// Whether this place lies inside a link.
fn in_address(text: &str, place: usize) -> bool {
    let head = text.get(..place).unwrap_or_default();
    let tail = text.get(place..).unwrap_or_default();
    let before = head.rsplit(char::is_whitespace).next().unwrap_or_default();
    let after = tail.split(char::is_whitespace).next().unwrap_or_default();
    before.contains("://")
        || after.contains("://")
        || (!before.is_empty() && after.starts_with("//"))
}

/// Digits with capitals or signs among them: no word and no name.
fn is_plainly_made_up(word: &str) -> bool {
    let digits = word.chars().any(|c| c.is_ascii_digit());
    let signs = word.contains(['!', '@', '#', '$', '&', '*']);
    digits && (signs || word.chars().skip(1).any(char::is_uppercase))
}

fn is_quote(c: char) -> bool {
    "\"'`“”‘’«»()[]*".contains(c)
}

/// The value without quotes and closing punctuation.
fn bare(value: &str) -> &str {
    value
        .trim_start_matches(is_quote)
        .trim_end_matches(|c| is_quote(c) || ",;.?:。،".contains(c))
}

/// Words that stand for a secret in every manual.
const GENERIC: &[&str] = &[
    "password", "passwd", "pass", "pwd", "secret", "token", "user", "username", "key", "apikey",
    "api_key", "none", "null", "true", "false",
];

/// Whether the value only holds the place of one.
pub(crate) fn is_placeholder(value: &str) -> bool {
    const MARKS: &[&str] = &[
        "<",
        ">",
        "${",
        "{{",
        "}}",
        "$(",
        "...",
        "…",
        "***",
        "xxxx",
        "your",
        "example",
        "placeholder",
        "redacted",
        "changeme",
        "change-me",
        "insert",
        "dummy",
        "process.env",
        "environ",
        "secrets.",
        "vault:",
        "env:",
        "-here",
        "_here",
        "my-secret",
        "mysecret",
        "todo",
        "masked",
        "hidden]",
    ];
    let lower = value.to_lowercase();
    let first = lower.chars().next();
    let one_letter = lower.chars().all(|c| Some(c) == first);
    let generic = GENERIC.contains(&lower.as_str());
    let variable = value.starts_with('$') && value.chars().skip(1).all(is_constant);
    let percent = value.len() > 2 && value.starts_with('%') && value.ends_with('%');
    one_letter || generic || variable || percent || MARKS.iter().any(|mark| lower.contains(mark))
}

fn is_constant(c: char) -> bool {
    c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'
}

fn is_password(value: &str) -> bool {
    let letters = value.chars().filter(|c| c.is_alphabetic()).count();
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let symbols = value
        .chars()
        .filter(|c| "!@#$%^&*+=?~_-/.:|".contains(*c))
        .count();
    let long = value.chars().count() >= 4;
    let mixed = digits > 0 && (letters > 0 || symbols > 0);
    long && mixed && !is_ordinary(value, digits, letters)
        || (long
            && letters > 0
            && value.contains(['!', '#', '$', '^', '&', '*', '@', '%'])
            && !value.contains("@example")
            && !value.contains('/')
            && !is_mail(value))
}

/// Numbers with a unit, dates, versions, paths, mail addresses and links: written like passwords.
fn is_ordinary(value: &str, digits: usize, letters: usize) -> bool {
    let dated = letters == 0
        && value
            .chars()
            .all(|c| c.is_ascii_digit() || "-./:,+%".contains(c));
    let timed = value
        .chars()
        .all(|c| c.is_ascii_digit() || "-:.TZ+".contains(c));
    let starts_number = value.starts_with(|c: char| c.is_ascii_digit());
    let unit = starts_number
        && letters <= 4
        && digits + letters == value.len()
        && digits <= 6
        && value
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .chars()
            .all(char::is_alphabetic);
    let path = value.starts_with(['/', '~']) || value.contains("://") || value.ends_with('/');
    let version = value
        .trim_start_matches(['v', 'V'])
        .chars()
        .all(|c| c.is_ascii_digit() || c == '.');
    let code = value.contains("::") || value.contains("()") || value.contains('=');
    dated || timed || unit || path || version || code || is_mail(value) || is_file(value)
}

fn is_mail(value: &str) -> bool {
    value.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty()
            && host.contains('.')
            && host
                .chars()
                .all(|c| c.is_alphanumeric() || c == '.' || c == '-')
    })
}

fn is_file(value: &str) -> bool {
    const ENDS: &[&str] = &[
        ".yaml", ".yml", ".json", ".toml", ".env", ".txt", ".md", ".py", ".rs", ".ts", ".js",
        ".conf", ".pem", ".example", ".com", ".org",
    ];
    ENDS.iter().any(|end| value.ends_with(end))
}

fn is_random(value: &str) -> bool {
    let body: String = value.chars().filter(char::is_ascii_alphanumeric).collect();
    let digits = body.chars().filter(char::is_ascii_digit).count();
    let letters = body.len() - digits;
    let long = body.len() >= 12;
    let words = value
        .split(['-', '_', '.', '/'])
        .all(|word| word.chars().all(char::is_alphabetic));
    long && letters >= 3
        && (digits >= 2 && !words || is_jumbled(&body))
        && entropy(value) >= 2.6
        && !value.contains("://")
        && !is_mail(value)
}

/// Letters alone, but with capitals where no word has them.
fn is_jumbled(body: &str) -> bool {
    let turns = body
        .chars()
        .zip(body.chars().skip(1))
        .filter(|(a, b)| a.is_lowercase() && b.is_uppercase())
        .count();
    body.len() >= 16 && turns * 6 >= body.len()
}

/// UUIDs, digests and other names that say nothing by themselves.
fn is_identifier(value: &str) -> bool {
    let body = value.rsplit(':').next().unwrap_or(value);
    let hex = body.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    let single_case = !(body.chars().any(|c| c.is_ascii_uppercase())
        && body.chars().any(|c| c.is_ascii_lowercase()));
    let integrity = value.starts_with("sha") && (value.contains('-') || value.contains(':'));
    hex && single_case || integrity || value.starts_with("AAAA")
}

fn is_pin(value: &str) -> bool {
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let only = value
        .chars()
        .all(|c| c.is_ascii_digit() || " -.".contains(c));
    only && (3..=10).contains(&digits)
}

/// Shannon entropy in bits for each byte.
#[expect(
    clippy::cast_precision_loss,
    reason = "texts are short, and a rounded entropy is still an entropy"
)]
pub(crate) fn entropy(value: &str) -> f64 {
    let mut counts = [0_usize; 256];
    for byte in value.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let all = value.len().max(1) as f64;
    let share = |count: &usize| *count as f64 / all;
    let parts = counts.iter().filter(|count| **count > 0).map(share);
    parts.map(|p| -p * p.log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::Token;

    fn check(token: Token, value: &str, expected: bool) {
        assert_eq!(
            super::value(token, value).is_some(),
            expected,
            "{token:?} {value}"
        );
    }

    #[test]
    fn passwords_are_not_words_dates_paths_or_placeholders() {
        for good in [
            "Tr0ub4dor&3xyz",
            "\"letmein-4217\".",
            "P@ssw0rd-ops87",
            "mQ7-vLz2-kP9w",
            "Heron!92",
        ] {
            check(Token::Password, good, true);
        }
        for bad in [
            "mandatory",
            "2026-12-01",
            "90d",
            "<your",
            "${DB_PASSWORD}",
            "/etc/keys",
            "v2.4.1",
            "config/x.yaml",
            "ops@acme.io",
            "****",
            "200000",
        ] {
            check(Token::Password, bad, false);
        }
    }

    #[test]
    fn digests_and_uuids_are_opaque_only_beside_a_noun() {
        let uuid = "732f51d4-033a-47be-baf4-c4d2a22f9368";
        check(Token::Random, uuid, true);
        check(Token::Opaque, uuid, false);
        check(
            Token::Opaque,
            "c23696f5c55824a8abd86e13f13da4a90d437d75",
            false,
        );
        check(Token::Opaque, "1QcFpNjHoAf4_XczYwhYicTl", true);
        check(Token::Random, "risk-on-with-trend-conflict", false);
    }

    #[test]
    fn pins_are_short_numbers() {
        check(Token::Pin, "4471", true);
        check(Token::Pin, "8-3-5-5", true);
        check(Token::Pin, "42", false);
        check(Token::Pin, "soon", false);
    }
}
