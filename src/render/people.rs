//! Records as lines for people, every code point drawn or named.

use crate::domain::document::Passage;
use crate::render::{Record, place};
use crate::text::line::line;

/// Two lines a record: what it is, then what it says.
#[must_use]
pub fn text(records: &[Record]) -> String {
    records.iter().map(lines).collect()
}

/// Two lines a passage of a document: where it stands, then what it says.
#[must_use]
pub fn passages(passages: &[Passage]) -> String {
    passages
        .iter()
        .map(|passage| {
            let title = line(&passage.title);
            let text = line(&passage.text);
            format!(
                "{}  document {title}  {}\n    {text}\n",
                place(passage),
                passage.layer
            )
        })
        .collect()
}

fn lines(record: &Record) -> String {
    let marks: String = record
        .marks()
        .into_iter()
        .map(|mark| format!("  [{mark}]"))
        .collect();
    format!(
        "{}  {}  {}  {}  {}  until {}{marks}\n    {}\n",
        line(&record.id),
        record.kind,
        record.influence,
        record.layer,
        record.sources_in_words(),
        record.expires_at.date(),
        line(&record.text)
    )
}

#[cfg(test)]
mod tests {
    use super::{Passage, Record, passages, text};
    use crate::domain::memory::Mode;
    use crate::domain::{Digest, DocumentId, Influence, Kind, Layer, Time};

    fn check(claim: &str, expected: &str) {
        let record = Record {
            id: "M-1".to_owned(),
            text: claim.to_owned(),
            layer: Layer::parse("acme/emea").unwrap(),
            kind: Kind::UserPreference,
            influence: Influence::Style,
            mode: Mode::Advisory,
            expires_at: Time::parse("2026-12-31").unwrap(),
            sources: 1,
            sha256: Digest::of(claim.as_bytes()),
        };
        assert_eq!(text(&[record]), expected);
    }

    #[test]
    fn people_read_two_lines_a_record() {
        let head =
            "M-1  user_preference  style  acme/emea  1 source  until 2026-12-31  [advisory]\n";
        check("Short answers.", &format!("{head}    Short answers.\n"));
        check("a\nb", &format!("{head}    a⏎b\n"));
        check("a\u{202e}b", &format!("{head}    a<U+202E RLO>b\n"));
    }

    #[test]
    fn passages_say_where_they_stand() {
        let passage = Passage {
            document: DocumentId(3),
            title: "Refunds".to_owned(),
            place: 0,
            text: "Five days.".to_owned(),
            layer: Layer::parse("acme").unwrap(),
            sha256: Digest::of(b""),
        };
        assert_eq!(
            passages(&[passage]),
            "K-3 part 0  document Refunds  acme\n    Five days.\n"
        );
    }
}
