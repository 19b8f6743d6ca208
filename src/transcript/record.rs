//! One line of JSON: decoded as far as it will go, hashed so that copies are recognised.
//!
//! Knows nothing of any one format.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

use serde_json::{Map, Value};

use crate::domain::Digest;
use crate::domain::digest::Hasher;
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Truncated};

/// A record's fields.
pub(crate) type Fields = Map<String, Value>;

/// Reads the object on this line. `None` for a blank line, and for one that is said to be wrong.
pub(crate) fn object(line: &Line<'_>, out: &mut Batch) -> Option<Fields> {
    if is_truncated(line, out) {
        return None;
    }
    let bytes = without_mark(line).trim_ascii();
    if bytes.is_empty() {
        return None;
    }
    out.records += 1;
    let (value, problem) = decode(bytes);
    if let Some(problem) = problem {
        out.problem(line.number, line.offset, problem);
    }
    match value? {
        Value::Object(fields) => Some(fields),
        _ => {
            out.problem(line.number, line.offset, "line is JSON but not an object");
            None
        }
    }
}

/// Says that a line was over the cap, with its true length and hash.
pub(crate) fn is_truncated(line: &Line<'_>, out: &mut Batch) -> bool {
    let Some((length, sha256)) = line.cut else {
        return false;
    };
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

/// Parses JSON, mending invalid UTF-8 and lone surrogates rather than losing the line.
pub(crate) fn decode(bytes: &[u8]) -> (Option<Value>, Option<&'static str>) {
    if let Ok(value) = serde_json::from_slice(bytes) {
        return (Some(value), None);
    }
    let text = String::from_utf8_lossy(bytes);
    let mended = mend_surrogates(&text);
    match serde_json::from_str(&mended) {
        Ok(value) => (Some(value), Some("text with invalid Unicode was mended")),
        Err(_) => (None, Some("line is not JSON")),
    }
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

/// The hash of a value: the same whatever the order of its keys and the space between them.
pub(crate) fn content_hash(value: &Value) -> Digest {
    let mut hasher = Hasher::default();
    add(value, &mut hasher);
    hasher.finish()
}

fn add(value: &Value, hasher: &mut Hasher) {
    match value {
        Value::Null => hasher.bytes(b"n"),
        Value::Bool(yes) => hasher.bytes(if *yes { b"t" } else { b"f" }),
        Value::Number(number) => {
            hasher.bytes(b"#");
            hasher.part(number.to_string().as_bytes());
        }
        Value::String(text) => {
            hasher.bytes(b"s");
            hasher.part(text.as_bytes());
        }
        Value::Array(items) => {
            hasher.bytes(b"[");
            hasher.bytes(&(items.len() as u64).to_be_bytes());
            items.iter().for_each(|item| add(item, hasher));
        }
        Value::Object(fields) => {
            hasher.bytes(b"{");
            hasher.bytes(&(fields.len() as u64).to_be_bytes());
            let mut sorted: Vec<_> = fields.iter().collect();
            sorted.sort_by_key(|(name, _)| *name);
            for (name, field) in sorted {
                hasher.part(name.as_bytes());
                add(field, hasher);
            }
        }
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
