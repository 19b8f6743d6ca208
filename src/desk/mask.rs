//! Secrets never leave the desk: every text that goes to a face passes here.
//!
//! A secret is replaced by as many `*` as it has bytes, so that every byte span of a finding still
//! points where it pointed, and the reviewer sees the secret's place and length but not its value.

use crate::desk::Desk;
use crate::domain::{Digest, Span};

/// A text as it may be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::desk) struct Shown {
    /// The text, with secrets starred out.
    pub(in crate::desk) text: String,
    /// The spans that were starred out.
    pub(in crate::desk) masked: Vec<Span>,
}

impl Shown {
    /// The hash of what is shown: a decision names it.
    pub(in crate::desk) fn digest(&self) -> Digest {
        Digest::of(self.text.as_bytes())
    }
}

impl Desk {
    /// A text as a face may show it: secrets starred out.
    #[must_use]
    pub fn as_shown(&self, raw: &str) -> String {
        self.shown(raw).text
    }

    /// The text as it may be shown.
    pub(in crate::desk) fn shown(&self, raw: &str) -> Shown {
        let mut ranges = crate::gate::secrets(raw);
        ranges.sort_by_key(|range| range.start);
        let mut masked: Vec<Span> = Vec::new();
        for range in ranges {
            let (start, end) = (
                raw.floor_char_boundary(range.start),
                raw.ceil_char_boundary(range.end),
            );
            match masked.last_mut() {
                Some(last) if start <= last.end => last.end = last.end.max(end),
                _ => masked.push(Span { start, end }),
            }
        }
        if masked.is_empty() {
            return Shown {
                text: raw.to_owned(),
                masked,
            };
        }
        Shown {
            text: star(raw, &masked),
            masked,
        }
    }
}

/// Replaces spans, in order and apart, by stars of the same number of bytes.
fn star(raw: &str, spans: &[Span]) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut at = 0;
    for span in spans {
        out.push_str(raw.get(at..span.start).unwrap_or_default());
        out.extend(std::iter::repeat_n(
            '*',
            span.end.saturating_sub(span.start),
        ));
        at = span.end;
    }
    out.push_str(raw.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::star;
    use crate::domain::Span;

    #[test]
    fn stars_keep_every_byte_in_its_place() {
        let raw = "key ä1 end";
        let starred = star(raw, &[Span { start: 4, end: 7 }]);
        assert_eq!(starred, "key *** end");
        assert_eq!(starred.len(), raw.len());
    }
}
