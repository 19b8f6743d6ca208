//! Folding for matching: what `text` folds, and the marks on Latin letters besides.
//!
//! ASCII text, which most claims are, costs one copy and keeps its places.

use crate::gate::views::{View, Weave};
use crate::text::folded::folded as settled;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The folded view of a raw text.
pub(crate) fn folded(text: &str) -> View {
    lowered(&View::same("folded", text.to_owned()))
}

/// The folded reading of a view, under that view's name.
pub(crate) fn lowered(view: &View) -> View {
    if view.text.is_ascii() {
        let mut lower = view.clone();
        lower.text.make_ascii_lowercase();
        return lower;
    }
    let folded = settled(&view.text);
    let mut out = Weave::default();
    let mut on_latin = false;
    for (at, c) in folded.text.char_indices() {
        let raw = view.raw(folded.raw_range(at..at + c.len_utf8()));
        if c.is_ascii() {
            on_latin = c.is_ascii_alphabetic();
            out.push(c, raw);
            continue;
        }
        let mut parts = std::iter::once(c).nfd();
        let latin = parts.next().is_some_and(|base| base.is_ascii_alphabetic());
        if latin || (on_latin && is_combining_mark(c)) {
            on_latin = true;
            out.extend(c, &raw);
        } else {
            on_latin = false;
            out.push(c, raw);
        }
    }
    out.into_view(view.name)
}
