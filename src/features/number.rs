//! Numbers as people write them: digits with grouping, words, fractions, and what is stuck to them.

use std::sync::LazyLock;

use crate::features::table::Table;

/// A number with what stands before and behind it in one piece: `€80`, `12%`, `10ms`, `3rd`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Attached {
    pub(crate) before: String,
    pub(crate) value: f64,
    /// The other end of `3-5`.
    pub(crate) to: Option<f64>,
    pub(crate) after: String,
}

/// Number words below a hundred, and their ordinals.
const SMALL: &[(&str, f64)] = &[
    ("zero", 0.0),
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("thirteen", 13.0),
    ("fourteen", 14.0),
    ("fifteen", 15.0),
    ("sixteen", 16.0),
    ("seventeen", 17.0),
    ("eighteen", 18.0),
    ("nineteen", 19.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fourty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
];
const ORDINAL: &[(&str, f64)] = &[
    ("first", 1.0),
    ("second", 2.0),
    ("third", 3.0),
    ("fourth", 4.0),
    ("fifth", 5.0),
    ("sixth", 6.0),
    ("seventh", 7.0),
    ("eighth", 8.0),
    ("ninth", 9.0),
    ("tenth", 10.0),
    ("eleventh", 11.0),
    ("twelfth", 12.0),
    ("thirteenth", 13.0),
    ("fourteenth", 14.0),
    ("fifteenth", 15.0),
    ("sixteenth", 16.0),
    ("seventeenth", 17.0),
    ("eighteenth", 18.0),
    ("nineteenth", 19.0),
    ("twentieth", 20.0),
    ("thirtieth", 30.0),
    ("hundredth", 100.0),
    ("thousandth", 1000.0),
];
const SCALE: &[(&str, f64)] = &[
    ("hundred", 1e2),
    ("thousand", 1e3),
    ("grand", 1e3),
    ("k", 1e3),
    ("million", 1e6),
    ("mio", 1e6),
    ("billion", 1e9),
    ("bn", 1e9),
];

static NUMBERS: LazyLock<[Table<&'static str, f64>; 3]> =
    LazyLock::new(|| [SMALL, ORDINAL, SCALE].map(|table| table.iter().copied().collect()));

fn of(table: usize, word: &str) -> Option<f64> {
    NUMBERS
        .get(table)
        .and_then(|table| table.get(word))
        .copied()
}

/// The value of a number word below a hundred.
pub(crate) fn small(word: &str) -> Option<f64> {
    of(0, word)
}

/// The value of an ordinal word.
pub(crate) fn ordinal(word: &str) -> Option<f64> {
    of(1, word)
}

/// What a word multiplies the number before it by.
pub(crate) fn scale(word: &str) -> Option<f64> {
    of(2, word)
}

/// Reads one piece that holds a number and nothing but what may be stuck to it.
pub(crate) fn attached(core: &str) -> Option<Attached> {
    let start = core.find(|c: char| c.is_ascii_digit())?;
    let before = core.get(..start)?;
    let signs = before.trim_end_matches(['+', '-', '−', '~', '≈', '<', '>', '≥', '≤']);
    let is_before = |text: &str| text.is_empty() || crate::features::unit::is_prefix(text);
    if !is_before(signs) {
        return None;
    }
    let negative = before.ends_with(['-', '−']);
    let rest = core.get(start..)?;
    let length = digits(rest);
    let value = value(rest.get(..length)?)?;
    let mut after = rest.get(length..)?;
    let mut to = None;
    if let Some(other) = after.strip_prefix(['-', '–', '—'])
        && other.starts_with(|c: char| c.is_ascii_digit())
    {
        let length = digits(other);
        to = Some(self::value(other.get(..length)?)?);
        after = other.get(length..)?;
    }
    let fits = after.is_empty() || crate::features::unit::is_suffix(after);
    fits.then(|| Attached {
        before: signs.to_owned(),
        value: if negative { -value } else { value },
        to,
        after: after.to_lowercase(),
    })
}

/// How many bytes of digits and grouping marks a text starts with.
fn digits(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut length = 0;
    while digit(length)
        || (bytes.get(length).is_some_and(|b| b".,'".contains(b))
            && length > 0
            && digit(length + 1))
    {
        length += 1;
    }
    length
}

/// The value of digits with grouping: `1,280.50`, `1.280,50`, `1'280`, `1.5`, `0,2`.
fn value(text: &str) -> Option<f64> {
    let marks: Vec<(usize, char)> = text
        .char_indices()
        .filter(|(_, c)| !c.is_ascii_digit())
        .collect();
    let decimal = marks.last().filter(|(at, mark)| {
        let behind = text.len() - at - 1;
        let kinds = marks.iter().any(|(_, other)| other != mark);
        let alone = marks.len() == 1;
        let leads_zero = text.starts_with("0");
        *mark != '\''
            && (kinds || (alone && (behind != 3 || leads_zero || (*mark == '.' && *at > 3))))
    });
    let mut plain = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if c.is_ascii_digit() {
            plain.push(c);
        } else if decimal.is_some_and(|(place, _)| *place == at) {
            plain.push('.');
        }
    }
    plain.parse().ok()
}
