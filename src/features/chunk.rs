//! What a piece of text between two blanks looks like: a word, a number, a version, a path.

/// What a word looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// `refund`
    Lower,
    /// `Berlin`
    Capital,
    /// `UTC`
    Upper,
    /// `1,280.50`, `€80`, `12%`, `10ms`, `3rd`, `2am`
    Number,
    /// `2031-07-15`, `15.07.2031`
    Date,
    /// `02:00`
    Clock,
    /// `v1.2.3`, `4.1.9`
    Version,
    /// `--force`, `-x`
    Flag,
    /// `/etc/hosts`, `src/main.rs`, `gateway.toml`
    Path,
    /// `https://example.org`, `a@example.org`
    Address,
    /// `SHOP-311`, `db-3`, `delay_ms`, `std::fs`
    Identifier,
}

impl Shape {
    /// Whether the piece is one word whatever marks stand in it.
    pub(crate) fn is_whole(self) -> bool {
        !matches!(self, Self::Lower | Self::Capital | Self::Upper)
    }

    /// Whether the piece names exactly one thing by its spelling.
    #[must_use]
    pub fn is_code(self) -> bool {
        matches!(
            self,
            Self::Version | Self::Flag | Self::Path | Self::Address | Self::Identifier
        )
    }
}

const LEADING: &[char] = &[
    '(', '[', '{', '"', '\'', '“', '‘', '«', '„', '*', '<', '>', '`', ',', ';', ':', '!', '?', '·',
    '•', '|', '→', '=',
];
const TRAILING: &[char] = &[
    ')', ']', '}', '"', '\'', '”', '’', '»', '“', '*', '>', '`', ',', ';', ':', '!', '?', '.', '…',
    '|', '。', '？', '！', '–', '—', '=', '-', '_', '/',
];
/// Full stops that belong to the word.
const DOTTED: &[&str] = &[
    "a.m.", "p.m.", "e.g.", "i.e.", "mr.", "mrs.", "ms.", "dr.", "prof.", "no.", "nr.", "vs.",
    "approx.", "ca.", "st.",
];

/// The bytes that lead, the piece itself, and the marks behind it.
pub(crate) fn trimmed(chunk: &str) -> (usize, &str, &str) {
    let rest = chunk.trim_start_matches(LEADING);
    let lead = chunk.len() - rest.len();
    if !rest.contains(char::is_alphanumeric) {
        return (lead, "", rest);
    }
    let mut core = rest.trim_end_matches(TRAILING);
    let shortened = rest.get(..core.len() + 1).filter(|it| it.ends_with('.'));
    if let Some(dotted) = shortened
        && DOTTED.contains(&dotted.to_lowercase().as_str())
    {
        core = dotted;
    }
    let core = core
        .strip_suffix("'s")
        .filter(|it| it.contains(['_', '/']))
        .unwrap_or(core);
    (lead, core, rest.get(core.len()..).unwrap_or_default())
}

/// What a piece without outer marks looks like.
pub(crate) fn shape(core: &str) -> Shape {
    let has_digit = core.bytes().any(|b| b.is_ascii_digit());
    if has_digit && let Some(shape) = digit_shape(core) {
        return shape;
    }
    if core.contains("://") || core.starts_with("www.") || is_mail(core) {
        return Shape::Address;
    }
    if is_flag(core) {
        return Shape::Flag;
    }
    if is_path(core) {
        return Shape::Path;
    }
    if core.contains("::")
        || core.contains('\\')
        || is_joined(core)
        || (has_digit && is_code(core))
        || is_lettered(core)
        || is_camel(core)
    {
        return Shape::Identifier;
    }
    letters(core)
}

fn letters(core: &str) -> Shape {
    let mut chars = core.chars().filter(|c| c.is_alphabetic());
    let Some(first) = chars.next() else {
        return Shape::Lower;
    };
    let rest: usize = chars.clone().count();
    match first.is_uppercase() {
        true if rest > 0 && chars.all(char::is_uppercase) => Shape::Upper,
        true => Shape::Capital,
        false => Shape::Lower,
    }
}

fn is_mail(core: &str) -> bool {
    core.split_once('@')
        .is_some_and(|(name, host)| !host.is_empty() && (name.is_empty() || host.contains('.')))
}

fn is_flag(core: &str) -> bool {
    let letter = |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic());
    core.strip_prefix("--").is_some_and(letter)
        || (core.len() == 2 && core.strip_prefix('-').is_some_and(letter))
}

fn is_path(core: &str) -> bool {
    if ["/", "./", "../", "~/"]
        .iter()
        .any(|start| core.starts_with(start))
    {
        return core.contains(char::is_alphanumeric);
    }
    let slashes = core.matches('/').count();
    has_ending(core) || slashes > 1 || (slashes == 1 && core.contains(['.', '_']))
}

/// Whether it ends like the name of a file: `gateway.toml`, not `done.Then` or `U.S.`.
fn has_ending(core: &str) -> bool {
    core.rsplit_once('.').is_some_and(|(name, ending)| {
        (2..=5).contains(&ending.len())
            && ending
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            && ending.starts_with(|c: char| c.is_ascii_lowercase())
            && name.len() > 1
            && !name.contains('.')
            && name.ends_with(|c: char| c.is_alphanumeric())
    })
}

fn is_joined(core: &str) -> bool {
    core.split_once('_')
        .is_some_and(|(left, right)| !left.is_empty() && !right.is_empty())
        || core.starts_with('#')
}

/// Letters and digits in one piece.
fn is_code(core: &str) -> bool {
    let letters = core.chars().any(char::is_alphabetic);
    let parts: Vec<&str> = core.split('-').collect();
    // `two-12-month` and `3-day` are words; `db-3` and `4b` are codes.
    let worded = parts.len() > 1
        && parts
            .first()
            .is_some_and(|part| part.bytes().all(|b| b.is_ascii_digit()))
        && parts
            .iter()
            .skip(1)
            .all(|part| part.chars().all(char::is_lowercase));
    letters && !worded && !core.contains(['/', '='])
}

/// A name with a letter behind it: `runner-b`, not `e-mail`.
fn is_lettered(core: &str) -> bool {
    core.rsplit_once('-').is_some_and(|(name, letter)| {
        name.len() > 2
            && letter.len() == 1
            && letter.bytes().all(|byte| byte.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn is_camel(core: &str) -> bool {
    let mut chars = core.chars();
    chars.next().is_some_and(char::is_lowercase) && chars.any(char::is_uppercase)
}

/// What a piece with digits is, unless it is a code or a compound.
fn digit_shape(core: &str) -> Option<Shape> {
    let bare = core.trim_start_matches(['v', 'V']);
    if core.len() - bare.len() == 1 && is_dotted(bare, 1)
        || is_dotted(core, 3) && !is_dotted_date(core)
    {
        return Some(Shape::Version);
    }
    if is_clock(core) {
        return Some(Shape::Clock);
    }
    if is_iso_date(core) || is_dotted_date(core) {
        return Some(Shape::Date);
    }
    crate::features::number::attached(core).map(|_| Shape::Number)
}

/// Numbers with dots between them, at least so many, then perhaps a suffix.
fn is_dotted(core: &str, least: usize) -> bool {
    let head = core.split(['-', '+']).next().unwrap_or(core);
    let parts: Vec<&str> = head.split('.').collect();
    parts.len() >= least
        && parts.iter().all(|part| {
            !part.is_empty() && part.len() < 6 && part.bytes().all(|b| b.is_ascii_digit())
        })
        && (least < 3 || parts.iter().skip(1).any(|part| part.len() != 3))
}

fn is_clock(core: &str) -> bool {
    let digits = core.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '.');
    let Some((hour, rest)) = digits.split_once(':') else {
        return false;
    };
    let minute = rest.split(':').next().unwrap_or(rest);
    hour.parse::<u8>().is_ok_and(|it| it < 25)
        && minute.len() == 2
        && minute.parse::<u8>().is_ok_and(|it| it < 60)
}

fn is_iso_date(core: &str) -> bool {
    crate::features::calendar::iso(core).is_some()
}

fn is_dotted_date(core: &str) -> bool {
    crate::features::calendar::dotted(core).is_some()
}
