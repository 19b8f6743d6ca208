//! What a text could be hiding, seen in one pass over its bytes.
//!
//! An ordinary claim has no trace of anything, and is spared every attempt to undo a disguise or an
//! encoding. A trace proves nothing; that there is none proves that there is nothing to undo.

/// Traces of disguises and encodings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Traces {
    /// Signs that begin an escape.
    pub(crate) escapes: bool,
    /// The longest run of signs that base64 and hex are written in.
    pub(crate) longest_blob: usize,
    /// Words of two hex digits.
    pub(crate) pairs: usize,
    /// Words of eight bits.
    pub(crate) octets: usize,
    /// The longest run of letters and digits.
    pub(crate) longest_word: usize,
    /// Places where a letter stands apart from the next.
    pub(crate) spelled: usize,
    /// A word with letters, and digits or signs among them that may stand for letters.
    pub(crate) stand_ins: bool,
}

const PLAIN: u8 = 1;
const LETTER: u8 = 2;
const STANDS_IN: u8 = 4;
const GAP: u8 = 8;
const BLOB: u8 = 16;
const HEX: u8 = 32;
const BIT: u8 = 64;
const ESCAPE: u8 = 128;

/// What each byte may be a part of.
const PARTS: [u8; 256] = parts();

impl Traces {
    /// The traces in a text.
    pub(crate) fn of(text: &str) -> Self {
        let mut traces = Self::default();
        let (mut word, mut blob, mut hex, mut bits) = (0, 0, 0, 0);
        let mut leet = Leet::default();
        let mut before = [0_u8; 3];
        let mut any = 0;
        for byte in text.bytes().chain(std::iter::once(0)) {
            let part = part_of(byte);
            any |= part;
            traces.longest_word = traces.longest_word.max(word);
            word = if part & PLAIN == 0 { 0 } else { word + 1 };
            traces.longest_blob = traces.longest_blob.max(blob);
            blob = if part & BLOB == 0 { 0 } else { blob + 1 };
            if part & HEX == 0 {
                traces.pairs += usize::from(hex == 2);
                hex = 0;
            } else {
                hex += 1;
            }
            if part & BIT == 0 {
                traces.octets += usize::from(bits == 8);
                bits = 0;
            } else {
                bits += 1;
            }
            traces.stand_ins |= leet.goes_on(part);
            let [a, b, c] = before;
            let apart = a & PLAIN != 0 && b & GAP != 0 && c & PLAIN != 0 && part & GAP != 0;
            traces.spelled += usize::from(apart);
            before = [b, c, part];
        }
        traces.escapes = any & ESCAPE != 0;
        // Where letters are not all ASCII, they are counted elsewhere.
        traces.stand_ins |= any & STANDS_IN != 0 && !text.is_ascii();
        traces
    }
}

/// A word so far: its letters, and what may stand for letters.
#[derive(Default)]
struct Leet {
    letters: usize,
    stand_ins: usize,
}

impl Leet {
    /// Whether the word that ends here has enough of both.
    fn goes_on(&mut self, part: u8) -> bool {
        if part & (PLAIN | STANDS_IN) != 0 {
            self.letters += usize::from(part & LETTER != 0);
            self.stand_ins += usize::from(part & STANDS_IN != 0);
            return false;
        }
        let Self { letters, stand_ins } = std::mem::take(self);
        letters >= 2 && stand_ins >= 1
    }
}

const fn part_of(byte: u8) -> u8 {
    match PARTS.split_at_checked(byte as usize) {
        Some((_, [part, ..])) => *part,
        _ => 0,
    }
}

const fn parts() -> [u8; 256] {
    let mut parts = [0; 256];
    let mut left: &mut [u8] = &mut parts;
    let mut byte = 0_u8;
    while let Some((part, rest)) = left.split_first_mut() {
        *part = parts_of(byte);
        left = rest;
        byte = byte.wrapping_add(1);
    }
    parts
}

const fn parts_of(byte: u8) -> u8 {
    let mut part = 0;
    if byte.is_ascii_alphanumeric() {
        part |= PLAIN | BLOB;
    }
    if byte.is_ascii_alphabetic() {
        part |= LETTER;
    }
    if byte.is_ascii_hexdigit() || byte == b'+' {
        part |= HEX;
    }
    match byte {
        b'0' | b'1' => part |= BIT | STANDS_IN,
        b'3' | b'4' | b'5' | b'7' | b'@' | b'$' | b'!' => part |= STANDS_IN,
        b'+' => part |= BIT | BLOB,
        b'/' | b'=' => part |= BLOB,
        b'_' | b'-' => part |= BLOB | GAP,
        b' ' | b'.' | b'*' | b'\t' => part |= GAP,
        b'%' | b'&' | b'\\' => part |= ESCAPE,
        _ => (),
    }
    part
}

#[cfg(test)]
mod tests {
    use super::Traces;

    #[test]
    fn an_ordinary_claim_has_no_trace_and_each_disguise_has_one() {
        let plain = Traces::of("Orders go out within 2 working days, by form B.");
        assert!(!plain.escapes && !plain.stand_ins);
        assert!(plain.pairs < 8 && plain.octets == 0 && plain.spelled < 3);
        assert_eq!((plain.longest_word, plain.longest_blob), (7, 7));
        assert!(Traces::of("%67lobex").escapes);
        assert!(Traces::of("1gn0re it").stand_ins);
        assert_eq!(Traces::of("a b c d e f").spelled, 4);
        assert_eq!(Traces::of("69 67 6e 6f").pairs, 4);
        assert_eq!(Traces::of("01101001 01100111").octets, 2);
        assert_eq!(Traces::of("x aWdub3JlIGFsbA== x").longest_blob, 16);
    }
}
