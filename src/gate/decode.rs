//! Undoes encodings that anybody can reverse: escapes, tag characters, base64, base32, hex, bits.
//! What comes out must be readable text, so that chance does not count.

use crate::gate::traces::Traces;
use crate::gate::views::{View, Weave};
use std::ops::Range;

/// The shortest encoded word worth decoding.
const SHORTEST: usize = 16;
/// The fewest bytes spelled apart that count as text.
const OCTETS: usize = 8;

/// Everything that was encoded inside this view, of which there are these traces.
pub(crate) fn encodings(view: &View, traces: Traces) -> Vec<View> {
    let mut out: Vec<View> = Vec::new();
    if traces.escapes {
        out.extend(escapes(view));
    }
    out.extend(tags(view));
    if traces.longest_blob >= SHORTEST {
        out.extend(blobs(view));
    }
    if traces.pairs >= OCTETS {
        out.extend(octets(view, 2, "hex"));
    }
    if traces.octets >= OCTETS {
        out.extend(octets(view, 8, "binary"));
    }
    out
}

/// Percent escapes, HTML entities and backslash escapes, undone in place.
fn escapes(view: &View) -> Option<View> {
    let text = &view.text;
    let mut out = Weave::default();
    let mut bytes: Vec<u8> = Vec::new();
    let mut undone = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = text.get(at..).unwrap_or_default();
        let Some(first) = rest.chars().next() else {
            break;
        };
        let (read, len) = escape_at(rest, &mut bytes).unwrap_or((first, first.len_utf8()));
        undone += usize::from(len > first.len_utf8());
        out.push(read, view.raw(at..at + len));
        at += len;
    }
    (undone > 0).then(|| out.into_view("escapes"))
}

/// One escaped character and the bytes it takes.
fn escape_at(rest: &str, bytes: &mut Vec<u8>) -> Option<(char, usize)> {
    if rest.starts_with('%') {
        return percent_at(rest, bytes);
    }
    if let Some(entity) = rest.strip_prefix("&#") {
        let end = entity.find(';').filter(|end| *end <= 8)?;
        let digits = entity.get(..end)?;
        let code = match digits.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => digits.parse().ok()?,
        };
        return Some((char::from_u32(code)?, end + 3));
    }
    let (digits, len) = match rest.strip_prefix('\\')?.split_at_checked(1)? {
        ("u", more) => (more.get(..4)?, 6),
        ("x", more) => (more.get(..2)?, 4),
        _ => return None,
    };
    let code = u32::from_str_radix(digits, 16).ok()?;
    Some((char::from_u32(code).filter(|c| !c.is_control())?, len))
}

/// One character spelled as one to four `%xx`.
fn percent_at(rest: &str, bytes: &mut Vec<u8>) -> Option<(char, usize)> {
    bytes.clear();
    let mut at = 0;
    while bytes.len() < 4 {
        let pair = rest.get(at..).and_then(|r| r.strip_prefix('%'))?.get(..2)?;
        if !pair.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        bytes.push(u8::from_str_radix(pair, 16).ok()?);
        at += 3;
        if let Ok(read) = std::str::from_utf8(bytes) {
            let c = read.chars().next()?;
            return (!c.is_control()).then_some((c, at));
        }
    }
    None
}

/// Tag characters read as the ASCII they stand for; the sequences of flags are left alone.
fn tags(view: &View) -> Option<View> {
    if view.text.is_ascii() {
        return None;
    }
    let mut out = Weave::default();
    let mut flag = false;
    for (c, raw) in view.characters() {
        let code = u32::from(c);
        if code == 0x1_F3F4 {
            flag = true;
        } else if code == 0xE_007F || !(0xE_0020..=0xE_007F).contains(&code) {
            flag = false;
        } else if let Some(read) = char::from_u32(code - 0xE_0000).filter(|_| !flag) {
            out.push(read, raw);
        }
    }
    (!out.text.is_empty()).then(|| out.into_view("tags"))
}

/// Words in base64 or hex that decode to readable text.
fn blobs(view: &View) -> Vec<View> {
    let outside = |c: char| !(c.is_ascii_alphanumeric() || "+/=_-".contains(c));
    let mut out = Vec::new();
    let mut at = 0;
    for word in view.text.split(outside) {
        let start = at;
        at += word.len();
        at += view
            .text
            .get(at..)
            .and_then(|rest| rest.chars().next())
            .map_or(0, char::len_utf8);
        if word.len() < SHORTEST {
            continue;
        }
        let raw = view.raw(start..start + word.len());
        if let Some(text) = from_hex(word).and_then(readable) {
            out.push(View::whole("hex", text, raw));
        } else if let Some(text) = from_base64(word).and_then(readable) {
            out.push(View::whole("base64", text, raw));
        } else if let Some(text) = from_base32(word).and_then(readable) {
            out.push(View::whole("base32", text, raw));
        }
    }
    out
}

/// Groups of hex pairs or of eight bits, spelled apart.
fn octets(view: &View, width: usize, name: &'static str) -> Option<View> {
    let radix = if width == 8 { 2 } else { 16 };
    let mut bytes = Vec::new();
    let mut range: Option<Range<usize>> = None;
    let mut at = 0;
    for word in view.text.split([' ', ',', '\n']) {
        let start = at;
        at += word.len() + 1;
        let word = word.trim_matches(|c| "'\"().".contains(c));
        match u8::from_str_radix(word, radix)
            .ok()
            .filter(|_| word.len() == width)
        {
            Some(byte) => {
                bytes.push(byte);
                range = Some(range.map_or(start, |r| r.start)..(at - 1).min(view.text.len()));
            }
            None if bytes.len() >= OCTETS => break,
            None => {
                bytes.clear();
                range = None;
            }
        }
    }
    let range = range.filter(|_| bytes.len() >= OCTETS)?;
    let text = readable(bytes)?;
    Some(View::whole(name, text, view.raw(view.on_characters(range))))
}

fn from_hex(word: &str) -> Option<Vec<u8>> {
    let pairs = word.as_bytes().chunks(2);
    word.len().is_multiple_of(2).then_some(())?;
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

/// Base64, plain or for URLs, with or without padding.
fn from_base64(word: &str) -> Option<Vec<u8>> {
    let body = word.trim_end_matches('=');
    let mut out = Vec::with_capacity(body.len());
    let (mut buffer, mut bits) = (0_u32, 0_u32);
    for byte in body.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        buffer = (buffer << 6 | u32::from(value)) & 0xFF_FFFF;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push(u8::try_from(buffer >> bits & 0xFF).ok()?);
        }
    }
    Some(out)
}

/// Base32 in capitals, with or without padding.
fn from_base32(word: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let (mut buffer, mut bits) = (0_u32, 0_u32);
    for byte in word.trim_end_matches('=').bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'2'..=b'7' => byte - b'2' + 26,
            _ => return None,
        };
        buffer = (buffer << 5 | u32::from(value)) & 0xFFFF;
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            out.push(u8::try_from(buffer >> bits & 0xFF).ok()?);
        }
    }
    Some(out)
}

/// Readable text of at least two words: what chance does not decode to.
fn readable(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let all = text.chars().count();
    let printable = text
        .chars()
        .filter(|c| !c.is_control() || *c == '\n')
        .count();
    let letters = text
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == ' ')
        .count();
    (all >= 8 && printable * 10 >= all * 9 && letters * 10 >= all * 7).then_some(text)
}
