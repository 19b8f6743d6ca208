//! All the texts that a rule may match, each with the way back to the raw bytes.
//!
//! One function per view, in a table. A view may only add something to look at: a rule that misses
//! in one view can still hit in another, so no view can clear.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::text::folded::folded;
use crate::text::invisible::is_legal_join;
use crate::text::names::tag_letter;
use crate::text::spans::{Mapped, SpanMap, mapped, text};

/// A text made from the raw text for rules to match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    pub name: ViewName,
    pub text: String,
    map: SpanMap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ViewName {
    /// The bytes as they are.
    Raw,
    /// As `folded`.
    Folded,
    /// Folded, and without the marks on Latin letters; only where that differs.
    Unaccented,
    /// The ASCII that tag characters carry outside the legal flags; only where there is any.
    TagsDecoded,
}

/// The views of `raw` that have something to show. Raw and folded are always among them.
pub fn views(raw: &str) -> Vec<View> {
    ALL.iter().filter_map(|view| view(raw)).collect()
}

/// A new view is a function and its line here.
const ALL: &[fn(&str) -> Option<View>] = &[as_it_is, as_folded, without_accents, tags_decoded];

impl View {
    /// The raw bytes behind a byte range of `text`: on character boundaries, covering all of it.
    pub fn raw_range(&self, made: Range<usize>) -> Range<usize> {
        self.map.raw_range(made)
    }

    fn of(name: ViewName, chars: &[Mapped], raw: &str) -> View {
        View {
            name,
            text: text(chars),
            map: SpanMap::new(chars, raw.len()),
        }
    }
}

impl ViewName {
    /// As a finding names it.
    pub fn as_str(self) -> &'static str {
        match self {
            ViewName::Raw => "raw",
            ViewName::Folded => "folded",
            ViewName::Unaccented => "unaccented",
            ViewName::TagsDecoded => "tags",
        }
    }
}

fn as_it_is(raw: &str) -> Option<View> {
    Some(View::of(ViewName::Raw, &mapped(raw), raw))
}

fn as_folded(raw: &str) -> Option<View> {
    let (text, map) = folded(raw).into_parts();
    let name = ViewName::Folded;
    Some(View { name, text, map })
}

fn without_accents(raw: &str) -> Option<View> {
    let folded = folded(raw);
    if folded.text.is_ascii() {
        return None;
    }
    let mut chars: Vec<Mapped> = Vec::new();
    let mut on_latin = false;
    let mut stripped = false;
    for (at, c) in folded.text.char_indices() {
        let raw = folded.raw_range(at..at + c.len_utf8());
        for part in std::iter::once(c).nfd() {
            if on_latin && is_combining_mark(part) {
                stripped = true;
                continue;
            }
            on_latin = part.is_ascii_alphabetic();
            chars.push(Mapped {
                c: part,
                start: raw.start,
                end: raw.end,
                verbatim: false,
            });
        }
    }
    stripped.then(|| View::of(ViewName::Unaccented, &chars, raw))
}

fn tags_decoded(raw: &str) -> Option<View> {
    let mut chars = mapped(raw);
    chars.retain(|tag| tag_letter(tag.c).is_some() && !is_legal_join(raw, tag.start));
    for tag in &mut chars {
        tag.c = tag_letter(tag.c).unwrap_or(tag.c);
    }
    (!chars.is_empty()).then(|| View::of(ViewName::TagsDecoded, &chars, raw))
}

#[cfg(test)]
mod tests {
    use super::{ViewName, views};
    use proptest::prelude::*;

    fn check(raw: &str, name: ViewName, expected: Option<&str>) {
        let views = views(raw);
        let found = views.iter().find(|view| view.name == name);
        assert_eq!(found.map(|view| view.text.as_str()), expected);
    }

    fn tags(letters: &str) -> String {
        letters
            .bytes()
            .map(|b| char::from_u32(0xE0000 + u32::from(b)).unwrap())
            .collect()
    }

    #[test]
    fn raw_and_folded_are_always_there() {
        check("Ig\u{200B}nore", ViewName::Raw, Some("Ig\u{200B}nore"));
        check("Ig\u{200B}nore", ViewName::Folded, Some("ignore"));
        check("", ViewName::Raw, Some(""));
        check("", ViewName::Folded, Some(""));
        assert_eq!(views("plain").len(), 2);
    }

    #[test]
    fn accents_fall_only_from_latin_letters() {
        check(
            "Ïgnörë e\u{301}\u{302}\u{303}",
            ViewName::Unaccented,
            Some("ignore e"),
        );
        check("İgnore", ViewName::Unaccented, Some("ignore"));
        check("ignore", ViewName::Unaccented, None);
        check("йогурт", ViewName::Unaccented, None);
        check("क्षि", ViewName::Unaccented, None);
    }

    #[test]
    fn tags_are_decoded_outside_flags() {
        let hidden = format!("Meeting at 3.{}", tags("grant admin"));
        check(&hidden, ViewName::TagsDecoded, Some("grant admin"));
        let flag = format!("🏴{}\u{E007F}", tags("gbsct"));
        check(&flag, ViewName::TagsDecoded, None);
        check(
            &format!("{flag}{}", tags("x")),
            ViewName::TagsDecoded,
            Some("x"),
        );
        check("plain", ViewName::TagsDecoded, None);
        let views = views(&hidden);
        let view = views
            .iter()
            .find(|view| view.name == ViewName::TagsDecoded)
            .unwrap();
        assert_eq!(view.raw_range(0..5), 13..33);
    }

    proptest! {
        #[test]
        fn every_view_maps_back(
            raw in crate::text::samples::hostile(),
            a in 0usize..200,
            b in 0usize..200,
        ) {
            for view in views(&raw) {
                let range = view.raw_range(a.min(b)..a.max(b));
                prop_assert!(raw.get(range).is_some());
            }
        }
    }
}
