//! Plain text: one observation a line, blank lines left out.
//!
//! A file that says nothing of who wrote it is a model's words until the importer says otherwise:
//! `desk` passes the user, and raises nothing here.

use crate::domain::Digest;
use crate::transcript::document::{Layout, Of};
use crate::transcript::lines::Line;
use crate::transcript::message::{Batch, Speaker};
use crate::transcript::stamp::{Stamp, Teller};
use crate::transcript::{Format, Reader, Resume, Shape, record};

pub(crate) const FORMAT: Format = Format {
    name: "plain",
    about: "plain text, one observation a line",
    sniff: |_| true,
    shape: |glance| {
        let is_bracket = matches!(glance.text.trim(), "{" | "[");
        if glance.is_spread() && (is_bracket || !glance.opening.names.is_empty()) {
            Shape::Document(&LAYOUT)
        } else {
            Shape::Lines
        }
    },
    resume: Resume::There,
    tells: true,
    reader: || Box::new(Plain::default()),
};

/// JSON of no known format: its lines are no sentences either.
const LAYOUT: Layout = Layout {
    items: &[],
    fields: &[],
    whole: true,
};

#[derive(Debug, Default)]
struct Plain {
    teller: Teller,
}

impl Reader for Plain {
    fn take(&mut self, _of: Of, line: &Line<'_>, out: &mut Batch) {
        if record::is_truncated(line, out) {
            return;
        }
        let bytes = record::without_mark(line);
        let decoded = String::from_utf8_lossy(bytes);
        let text = decoded.trim();
        if text.is_empty() {
            return;
        }
        out.records += 1;
        if is_json(text) {
            out.problem(line.number, line.offset, "line is JSON of no known format");
            return;
        }
        if matches!(decoded, std::borrow::Cow::Owned(_)) {
            let what = "text with invalid Unicode was mended";
            out.problem(line.number, line.offset, what);
        }
        let mut stamp = Stamp::new(FORMAT.name, line, Digest::of(text.as_bytes()));
        self.teller
            .say(vec![(Speaker::Model, text)], &mut stamp, out);
    }
}

/// Records of a format we do not know are no sentences, and neither are bare numbers; what stands in
/// quotes may be one.
fn is_json(text: &str) -> bool {
    !text.starts_with('"') && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}
