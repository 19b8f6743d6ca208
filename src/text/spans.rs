//! A text that was made from raw text, and which raw bytes each of its characters came from.
//!
//! Knows positions only, not how the text was made.

use std::ops::Range;

/// A character of a made text and the raw bytes behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mapped {
    pub(crate) c: char,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Stands in a stretch that is kept letter for letter.
    pub(crate) verbatim: bool,
}

impl Mapped {
    /// The same place, another character.
    pub(crate) fn with(self, c: char) -> Mapped {
        Mapped { c, ..self }
    }
}

/// The characters of `raw` at their own places.
pub(crate) fn mapped(raw: &str) -> Vec<Mapped> {
    let at = |(start, c): (usize, char)| Mapped {
        c,
        start,
        end: start + c.len_utf8(),
        verbatim: false,
    };
    raw.char_indices().map(at).collect()
}

pub(crate) fn text(chars: &[Mapped]) -> String {
    chars.iter().map(|mapped| mapped.c).collect()
}

/// From byte ranges of a made text to byte ranges of the raw text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SpanMap {
    /// Where each character of the made text starts, and its raw bytes; in order.
    places: Vec<Place>,
    raw_len: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    at: usize,
    raw: Range<usize>,
}

impl SpanMap {
    pub(crate) fn new(chars: &[Mapped], raw_len: usize) -> SpanMap {
        let mut places = Vec::with_capacity(chars.len());
        let mut at = 0;
        for mapped in chars {
            places.push(Place {
                at,
                raw: mapped.start..mapped.end,
            });
            at += mapped.c.len_utf8();
        }
        SpanMap { places, raw_len }
    }

    /// The raw bytes behind `made`, on character boundaries and covering; an empty range maps to
    /// the place before the next character. Out of bounds means the end.
    pub(crate) fn raw_range(&self, made: Range<usize>) -> Range<usize> {
        if made.is_empty() {
            let next = self.places.partition_point(|place| place.at < made.start);
            let at = self
                .places
                .get(next)
                .map_or(self.raw_len, |place| place.raw.start);
            return at..at;
        }
        let first = self
            .places
            .partition_point(|place| place.at <= made.start)
            .saturating_sub(1);
        let past = self.places.partition_point(|place| place.at < made.end);
        let covered = self.places.get(first..past).unwrap_or_default();
        let start = covered.iter().map(|place| place.raw.start).min();
        let end = covered.iter().map(|place| place.raw.end).max();
        start.unwrap_or(self.raw_len)..end.unwrap_or(self.raw_len)
    }
}
