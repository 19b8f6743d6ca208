//! Text whose bytes are not all text: what cannot be read as UTF-8 is read as U+FFFD, so that one
//! bad byte in a prompt does not cost the whole event. Never waits for more than the next character.

use std::io::{BufRead, Read, Result};

/// The replacement character in UTF-8.
const REPLACED: [u8; 3] = [0xef, 0xbf, 0xbd];

/// A reader that gives nothing but UTF-8.
pub(in crate::hook) struct Lossy<'a> {
    input: &'a mut dyn BufRead,
    /// What was read and not yet given.
    ready: [u8; 4],
    given: usize,
    length: usize,
}

impl<'a> Lossy<'a> {
    pub(in crate::hook) fn new(input: &'a mut dyn BufRead) -> Self {
        Self {
            input,
            ready: [0; 4],
            given: 0,
            length: 0,
        }
    }

    /// Reads the next character that is not ASCII, or what stands in its place.
    fn next(&mut self, lead: u8) -> Result<()> {
        let wanted = match lead {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => 1,
        };
        let mut bytes = [lead, 0, 0, 0];
        let mut found = 1;
        for slot in bytes.iter_mut().take(wanted).skip(1) {
            let Some(byte @ 0x80..=0xbf) = self.input.fill_buf()?.first().copied() else {
                break;
            };
            self.input.consume(1);
            *slot = byte;
            found += 1;
        }
        let is_text = bytes
            .get(..found)
            .is_some_and(|bytes| std::str::from_utf8(bytes).is_ok());
        (self.given, self.length) = (0, found);
        self.ready = bytes;
        if !is_text {
            let [one, two, three] = REPLACED;
            self.ready = [one, two, three, 0];
            self.length = REPLACED.len();
        }
        Ok(())
    }
}

impl Read for Lossy<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        if self.given == self.length {
            let buffer = self.input.fill_buf()?;
            let ascii = buffer
                .iter()
                .take(out.len())
                .take_while(|byte| byte.is_ascii());
            let plain = ascii.count();
            if let (Some(from), Some(to)) = (buffer.get(..plain), out.get_mut(..plain))
                && plain > 0
            {
                to.copy_from_slice(from);
                self.input.consume(plain);
                return Ok(plain);
            }
            let Some(lead) = buffer.first().copied().filter(|_| !out.is_empty()) else {
                return Ok(0);
            };
            self.input.consume(1);
            self.next(lead)?;
        }
        let rest = self.ready.get(self.given..self.length).unwrap_or_default();
        let count = rest.len().min(out.len());
        for (to, from) in out.iter_mut().zip(rest) {
            *to = *from;
        }
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::Lossy;
    use std::io::{BufReader, Read as _};

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        for size in [1, 2, 3, 64] {
            let mut input = BufReader::with_capacity(size, bytes);
            let mut text = Vec::new();
            let mut lossy = Lossy::new(&mut input);
            let mut one = vec![0_u8; size];
            loop {
                let count = lossy.read(&mut one).unwrap();
                if count == 0 {
                    break;
                }
                text.extend_from_slice(&one[..count]);
            }
            assert_eq!(String::from_utf8(text).unwrap(), expected, "{bytes:?}");
        }
    }

    #[test]
    fn text_passes_and_what_is_none_is_replaced() {
        check("plain, é, €, 🦀.".as_bytes(), "plain, é, €, 🦀.");
        check(b"a\xffb", "a\u{fffd}b");
        check(b"a\xc3", "a\u{fffd}");
        check(b"a\xe2\x82b", "a\u{fffd}b");
        check(b"\xed\xa0\x80x", "\u{fffd}x");
        check(b"\x80\x80", "\u{fffd}\u{fffd}");
        check(b"", "");
    }
}
