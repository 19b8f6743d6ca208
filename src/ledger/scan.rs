//! Reading an entry's canonical bytes in one pass, without building what nobody asked for.
//!
//! `scan` accepts exactly the bytes that [`decode`](crate::ledger::canonical::decode) accepts and
//! says the same of them; a property test holds the two together. Verifying a million entries
//! reads each once, and only those that change the state become an [`Entry`].

use crate::domain::entry::{Entry, EntryDraft, Facts};
use crate::domain::{Act, Assurance, Digest, EntrySeq, Time};
use std::borrow::Cow;

/// What an entry's bytes say. Texts stand here as they are written, escapes and all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scanned<'a> {
    /// Its place, as it says.
    pub seq: i64,
    /// The hash of the entry before it.
    pub prev: Digest,
    /// When.
    pub at: Time,
    /// What was done.
    pub act: Act,
    assurance: Assurance,
    actor: &'a str,
    item: &'a str,
    facts: &'a str,
}

/// Reads canonical bytes; none if they are not the canonical bytes of an entry.
#[must_use]
pub fn scan(bytes: &str) -> Option<Scanned<'_>> {
    let mut left = Left(bytes);
    left.skip("{\"act\":\"")?;
    let act = Act::parse(left.text()?).ok()?;
    left.skip(",\"actor\":\"")?;
    let actor = left.text()?;
    left.skip(",\"assurance\":\"")?;
    let assurance = Assurance::parse(left.text()?).ok()?;
    left.skip(",\"at\":")?;
    let millis = left.number()?;
    let at = Time::from_millis(millis);
    if at.millis() != millis {
        return None; // further away than a time can be: not what was written
    }
    left.skip(",\"facts\":{")?;
    let facts = left.facts()?;
    left.skip(",\"item\":\"")?;
    let item = left.text()?;
    left.skip(",\"prev\":\"")?;
    let prev = digest(left.text()?)?;
    left.skip(",\"seq\":")?;
    let seq = left.number()?;
    left.skip(",\"v\":1}")?;
    left.0.is_empty().then_some(Scanned {
        seq,
        prev,
        at,
        act,
        assurance,
        actor,
        item,
        facts,
    })
}

impl<'a> Scanned<'a> {
    /// One of its facts, as written: right for numbers, words and digests, which need no escapes.
    #[must_use]
    pub fn fact(&self, key: &str) -> Option<&'a str> {
        self.pairs()
            .find(|(name, _)| *name == key)
            .map(|(_, value)| value)
    }

    /// Whether its facts are these, byte for byte; in the form in which it has them.
    #[must_use]
    pub fn says_exactly(&self, facts: &str) -> bool {
        self.facts == facts
    }

    /// Whether each of these facts, in the same form, is one of its own, and of the scope none is
    /// left out. What else it says is its own affair.
    #[must_use]
    pub fn agrees(&self, facts: &str) -> bool {
        let other = Scanned { facts, ..*self };
        ["format", "layer", "project", "session"]
            .iter()
            .all(|key| self.fact(key) == other.fact(key))
    }

    /// One of its facts as a number.
    #[must_use]
    pub fn number(&self, key: &str) -> Option<i64> {
        self.fact(key)?.parse().ok()
    }

    /// One of its facts as a digest.
    #[must_use]
    pub fn digest(&self, key: &str) -> Option<Digest> {
        digest(self.fact(key)?)
    }

    /// What it was done to.
    #[must_use]
    pub fn item(&self) -> Cow<'a, str> {
        plain(self.item)
    }

    /// Who did it.
    #[must_use]
    pub fn actor(&self) -> Cow<'a, str> {
        plain(self.actor)
    }

    /// The names of the facts that end in `ending`, without it.
    pub fn facts_ending<'b>(&self, ending: &'b str) -> impl Iterator<Item = &'a str> + use<'a, 'b> {
        self.pairs()
            .filter_map(move |(name, _)| name.strip_suffix(ending))
    }

    /// All of it.
    #[must_use]
    pub fn entry(&self) -> Entry {
        let facts: Facts = self
            .pairs()
            .map(|(name, value)| (plain(name).into_owned(), plain(value).into_owned()))
            .collect();
        Entry {
            seq: EntrySeq(self.seq),
            prev: self.prev,
            draft: EntryDraft {
                at: self.at,
                actor: self.actor().into_owned(),
                assurance: self.assurance,
                act: self.act,
                item: self.item().into_owned(),
                facts,
            },
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let mut left = Left(self.facts);
        std::iter::from_fn(move || {
            // INVARIANT: `scan` walked the same bytes, so that nothing here fails half-way.
            let _ = left.skip(",");
            left.skip("\"")?;
            let name = left.text()?;
            left.skip(":\"")?;
            Some((name, left.text()?))
        })
    }
}

/// What has not been read yet.
struct Left<'a>(&'a str);

impl<'a> Left<'a> {
    fn skip(&mut self, wanted: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(wanted)?;
        Some(())
    }

    /// A string whose opening quote was read, up to and past its closing quote.
    fn text(&mut self) -> Option<&'a str> {
        let bytes = self.0.as_bytes();
        let mut at = 0;
        loop {
            at += plain_run(bytes.get(at..)?);
            match bytes.get(at)? {
                b'"' => break,
                b'\\' => at += escape(bytes.get(at + 1..)?)?,
                _ => return None,
            }
        }
        let text = self.0.get(..at)?;
        self.0 = self.0.get(at + 1..)?;
        Some(text)
    }

    fn number(&mut self) -> Option<i64> {
        let digits = self.0.strip_prefix('-').unwrap_or(self.0);
        let count = digits.bytes().take_while(u8::is_ascii_digit).count();
        let end = self.0.len() - digits.len() + count;
        let (number, rest) = self.0.split_at_checked(end)?;
        let zero = digits.starts_with('0') && (count > 1 || number.starts_with('-'));
        if zero {
            return None;
        }
        self.0 = rest;
        number.parse().ok()
    }

    /// The inside of the object of facts, past its closing brace. Names stand in ascending order.
    fn facts(&mut self) -> Option<&'a str> {
        let whole = self.0;
        let mut before: Option<&str> = None;
        while self.skip("}").is_none() {
            if before.is_some() {
                self.skip(",")?;
            }
            self.skip("\"")?;
            let name = self.text()?;
            if before.is_some_and(|before| !ascends(before, name)) {
                return None;
            }
            before = Some(name);
            self.skip(":\"")?;
            self.text()?;
        }
        // `{,}` and the like never get here: a comma is only read behind a pair.
        whole.get(..whole.len() - self.0.len() - 1)
    }
}

fn ascends(before: &str, name: &str) -> bool {
    if before.contains('\\') || name.contains('\\') {
        return plain(before) < plain(name);
    }
    before < name
}

/// How many bytes from the start are neither quote, backslash nor control, eight at a time.
fn plain_run(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let zero = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let quote = zero(word ^ (ONES * 0x22));
        let slash = zero(word ^ (ONES * 0x5c));
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
        let found = quote | slash | control;
        if found != 0 {
            return at * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    let tail = rest
        .iter()
        .take_while(|byte| **byte >= 0x20 && !matches!(**byte, b'"' | b'\\'))
        .count();
    words.len() * 8 + tail
}

/// How long an escape is, its backslash included, if it is one that the encoder writes.
fn escape(behind: &[u8]) -> Option<usize> {
    match behind {
        [b'"' | b'\\' | b'b' | b't' | b'n' | b'f' | b'r', ..] => Some(2),
        [b'u', b'0', b'0', high @ b'0'..=b'1', low, ..] => {
            let low = char::from(*low)
                .to_digit(16)
                .filter(|_| !low.is_ascii_uppercase())?;
            let short = *high == b'0' && matches!(low, 8 | 9 | 10 | 12 | 13);
            (!short).then_some(6)
        }
        _ => None,
    }
}

/// A text with its escapes undone.
fn plain(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    // INVARIANT: only escapes that `escape` knows stand here, so that this never falls back.
    serde_json::from_str::<String>(&format!("\"{raw}\"")).map_or(Cow::Borrowed(raw), Cow::Owned)
}

/// Sixty-four lower-case hexadecimal digits.
fn digest(text: &str) -> Option<Digest> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != 32 || !rest.is_empty() {
        return None;
    }
    let mut out = [0_u8; 32];
    for (slot, [high, low]) in out.iter_mut().zip(pairs) {
        *slot = nibble(*high)? << 4 | nibble(*low)?;
    }
    Some(Digest(out))
}

const fn nibble(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::scan;
    use crate::domain::entry::{Entry, EntryDraft};
    use crate::domain::{Act, Assurance, Digest, EntrySeq, Time};
    use crate::ledger::canonical::{decode, encode};
    use proptest::prelude::{Strategy, any, prop_assert_eq, proptest};

    fn entries() -> impl Strategy<Value = Entry> {
        let text = "(\\PC|[\\x00-\\x1f\"\\\\\u{7f}]){0,12}";
        let facts = proptest::collection::btree_map(text, text, 0..4);
        let numbers = (
            any::<i64>(),
            any::<i64>(),
            any::<[u8; 32]>(),
            0..Act::ALL.len(),
            0..4_i64,
        );
        (text, text, facts, numbers).prop_map(
            |(actor, item, facts, (seq, at, prev, act, assurance))| Entry {
                seq: EntrySeq(seq),
                prev: Digest(prev),
                draft: EntryDraft {
                    at: Time::from_millis(at),
                    actor,
                    assurance: Assurance::from_code(assurance).unwrap(),
                    act: Act::ALL[act],
                    item,
                    facts,
                },
            },
        )
    }

    /// The one thing that matters: both readers say the same of any bytes.
    #[track_caller]
    fn agree(bytes: &str) {
        assert_eq!(
            scan(bytes).map(|found| found.entry()),
            decode(bytes).ok(),
            "{bytes}"
        );
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_alike_by_both_readers(entry in entries()) {
            let bytes = encode(&entry).unwrap();
            prop_assert_eq!(scan(&bytes).map(|found| found.entry()), Some(entry.clone()));
            let found = scan(&bytes).unwrap();
            prop_assert_eq!(found.item(), entry.draft.item.as_str());
            prop_assert_eq!(found.actor(), entry.draft.actor.as_str());
        }

        #[test]
        fn anything_changed_is_refused_by_both_readers_or_by_neither(
            entry in entries(), at in any::<proptest::sample::Index>(), how in 0_u8..4, put in "[\\x00-\\x7f]|\\\\u00[0-9a-fA-F]{2}|\\\\[/bn\"]|,|\"\"|0|-|\\}",
        ) {
            let bytes = encode(&entry).unwrap();
            let places: Vec<usize> = bytes.char_indices().map(|(place, _)| place).collect();
            let place = places[at.index(places.len())];
            let (before, behind) = bytes.split_at(place);
            let mut rest = behind.chars();
            rest.next();
            let rest = rest.as_str();
            agree(&match how {
                0 => format!("{before}{put}{behind}"),
                1 => format!("{before}{put}{rest}"),
                2 => format!("{before}{rest}"),
                _ => before.to_owned(),
            });
        }
    }

    #[test]
    fn the_ways_to_write_the_same_entry_otherwise_are_refused() {
        let one = |facts: &str, at: &str| {
            format!(
                "{{\"act\":\"reject\",\"actor\":\"a\",\"assurance\":\"terminal\",\"at\":{at},\"facts\":{{{facts}}},\"item\":\"C-1\",\"prev\":\"{}\",\"seq\":1,\"v\":1}}",
                "0".repeat(64)
            )
        };
        for facts in [
            "",
            "\"a\":\"1\"",
            "\"a\":\"1\",\"b\":\"2\"",
            "\"b\":\"1\",\"a\":\"2\"",
            "\"a\":\"1\",\"a\":\"2\"",
            ",\"a\":\"1\"",
            "\"a\":\"1\",",
            "\"a\":1",
            "\"a\":\"\\u0041\"",
            "\"a\":\"\\u001F\"",
            "\"a\":\"\\u001f\"",
            "\"a\":\"\\u000a\"",
            "\"a\":\"\\/\"",
            "\"a\":\"\\n\"",
            "\"\\n\":\"\",\"\\u0000\":\"\"",
            "\"a\":\"\\u007f\"",
            "\"a\":\"\u{7f}\"",
        ] {
            agree(&one(facts, "0"));
        }
        for at in [
            "0",
            "-0",
            "00",
            "-1",
            "01",
            "1.0",
            "1e3",
            "",
            "-",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
        ] {
            agree(&one("", at));
        }
        agree(&one("", "1").replace("0000\"", "000A\""));
        agree(&one("", "1").replace("\"v\":1", "\"v\":01"));
        agree(&format!("{}\n", one("", "1")));
    }
}
