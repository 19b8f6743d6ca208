//! One record: decoded as far as it will go.
//!
//! Knows nothing of any one format.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

use crate::domain::{Digest, Time};
use crate::transcript::json::{Fields, Json};
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Truncated};

/// Reads the object on this line and hands it on. Nothing for a blank line, and for one that is
/// said to be wrong.
pub(crate) fn object(line: &Line<'_>, out: &mut Batch, read: impl FnOnce(&Fields<'_>, &mut Batch)) {
    value(line, out, |value, out| match value {
        Json::Object(fields) => read(fields, out),
        _ => out.problem(line.number, line.offset, "line is JSON but not an object"),
    });
}

/// Reads the value on this line and hands it on.
pub(crate) fn value(line: &Line<'_>, out: &mut Batch, read: impl FnOnce(&Json<'_>, &mut Batch)) {
    if is_truncated(line, out) {
        return;
    }
    let bytes = without_mark(line).trim_ascii();
    if bytes.is_empty() {
        return;
    }
    out.records += 1;
    if let Some(value) = std::str::from_utf8(bytes).ok().and_then(Json::parse) {
        return read(&value, out);
    }
    let text = String::from_utf8_lossy(bytes);
    let mended = mend_surrogates(&text);
    match Json::parse(&mended) {
        Some(value) => {
            let what = "text with invalid Unicode was mended";
            out.problem(line.number, line.offset, what);
            read(&value, out);
        }
        None => out.problem(line.number, line.offset, "line is not JSON"),
    }
}

/// Says that a line was over the cap, with its true length and hash. A line from which only blobs
/// were taken is read.
pub(crate) fn is_truncated(line: &Line<'_>, out: &mut Batch) -> bool {
    let Some((length, sha256)) = line.cut else {
        return false;
    };
    if line.whole {
        out.blobs += 1;
        return false;
    }
    out.records += 1;
    out.problem(
        line.number,
        line.offset,
        "line is longer than what is read of one",
    );
    out.truncated.push(Truncated {
        line: line.number,
        offset: line.offset,
        length,
        sha256,
    });
    true
}

/// The line's bytes without a byte order mark at the start of the file.
pub(crate) fn without_mark<'a>(line: &Line<'a>) -> &'a [u8] {
    let mark = if line.offset == 0 {
        "\u{feff}".as_bytes()
    } else {
        &[]
    };
    line.bytes.strip_prefix(mark).unwrap_or(line.bytes)
}

/// The texts of a value that is text or a list of text items.
pub(crate) fn texts<'v>(value: &'v Json<'_>) -> Vec<&'v str> {
    match value {
        Json::Text(text) => vec![text],
        Json::List(items) => items
            .iter()
            .filter_map(|item| item.text().or_else(|| item.text_of("text")))
            .collect(),
        _ => Vec::new(),
    }
}

/// A time as a record writes it; what cannot be read costs the field only.
pub(crate) fn time(text: Option<&str>, line: &Line<'_>, out: &mut Batch) -> Option<Time> {
    let time = Time::parse(text?);
    if time.is_err() {
        out.problem(line.number, line.offset, "`timestamp` is not a time");
    }
    time.ok()
}

/// A time in Unix milliseconds.
pub(crate) fn millis(value: Option<&Json<'_>>) -> Option<Time> {
    let millis = value?.number()?;
    // Whole milliseconds of some centuries; anything else is no time.
    (millis.is_finite() && millis.abs() < 1e14).then(|| Time::from_millis(millis as i64))
}

/// Replaces `\ud800` to `\udfff` that form no pair by the replacement character's escape.
fn mend_surrogates(text: &str) -> Cow<'_, str> {
    if !text.contains("\\u") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        let (kept, taken) = match (surrogate(tail), tail.get(6..).and_then(surrogate)) {
            (Some(true), Some(false)) => (tail.get(..12), 12),
            (Some(_), _) => (Some("\\ufffd"), 6),
            (None, _) => {
                let taken = 1 + tail.chars().nth(1).map_or(0, char::len_utf8);
                (tail.get(..taken), taken)
            }
        };
        out.push_str(kept.unwrap_or_default());
        rest = tail.get(taken..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Whether the text starts with the escape of a surrogate, and whether of a leading one.
fn surrogate(text: &str) -> Option<bool> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let unit = u16::from_str_radix(digits, 16).ok()?;
    match unit {
        0xd800..=0xdbff => Some(true),
        0xdc00..=0xdfff => Some(false),
        _ => None,
    }
}

/// Remembers the newest so many values by name, and forgets the oldest.
#[derive(Debug)]
pub(crate) struct Recent<V> {
    most: usize,
    values: BTreeMap<u128, V>,
    order: VecDeque<u128>,
}

impl<V> Recent<V> {
    pub(crate) const fn new(most: usize) -> Self {
        Self {
            most,
            values: BTreeMap::new(),
            order: VecDeque::new(),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&V> {
        self.values.get(&short(name))
    }

    /// Remembers a value, and gives the one before it under that name.
    pub(crate) fn put(&mut self, name: &str, value: V) -> Option<V> {
        let key = short(name);
        let before = self.values.insert(key, value);
        if before.is_none() {
            self.order.push_back(key);
        }
        if self.order.len() > self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.values.remove(&oldest);
        }
        before
    }
}

/// Half a hash: names may be long, what is kept of them may not.
fn short(name: &str) -> u128 {
    Digest::of(name.as_bytes())
        .0
        .iter()
        .take(16)
        .fold(0, |sum, byte| (sum << 8) | u128::from(*byte))
}
