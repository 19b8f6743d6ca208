//! Ids: a letter and a number, short enough to type, never reused.

use std::fmt;

/// A text that is no id of the kind asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadId {
    /// What the id should name.
    pub what: &'static str,
    /// The letter such ids start with.
    pub letter: char,
    /// What stood there.
    pub found: String,
}

impl fmt::Display for BadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not the id of a {} such as {}-12",
            self.found, self.what, self.letter
        )
    }
}

impl std::error::Error for BadId {}

macro_rules! id {
    ($(#[$meta:meta])* $name:ident, $what:literal, $letter:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i64);

        impl $name {
            /// Reads `X-12`, in either case of the letter.
            ///
            /// # Errors
            /// Anything else.
            pub fn parse(text: &str) -> Result<Self, BadId> {
                let bad = || BadId { what: $what, letter: $letter, found: text.to_owned() };
                let (letter, number) = text.split_once('-').ok_or_else(bad)?;
                let right_letter = letter.chars().count() == 1
                    && letter.chars().all(|c| c.eq_ignore_ascii_case(&$letter));
                if !right_letter || !number.bytes().all(|b| b.is_ascii_digit()) {
                    return Err(bad());
                }
                number.parse::<i64>().ok().filter(|n| *n > 0).map(Self).ok_or_else(bad)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&format!("{}-{}", $letter, self.0))
            }
        }

        impl std::str::FromStr for $name {
            type Err = BadId;
            fn from_str(text: &str) -> Result<Self, BadId> { Self::parse(text) }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }
    };
}

id!(
    /// One proposed claim.
    CandidateId, "candidate", 'C'
);
id!(
    /// One approved memory.
    MemoryId, "memory", 'M'
);
id!(
    /// The line of versions a memory belongs to; named after its first memory.
    LineageId, "lineage", 'M'
);
id!(
    /// One recall that was handed over.
    ServingId, "serving", 'S'
);
id!(
    /// One group of observations that say the same.
    PatternId, "pattern", 'P'
);
id!(
    /// One sighting.
    ObservationId, "observation", 'O'
);
id!(
    /// One uploaded document.
    DocumentId, "document", 'K'
);
id!(
    /// One workflow event that arrived.
    EventId, "event", 'V'
);
id!(
    /// The place of an entry in the ledger, from 1.
    EntrySeq, "ledger entry", 'E'
);

#[cfg(test)]
mod tests {
    use super::CandidateId;

    #[test]
    fn ids_are_a_letter_and_a_number() {
        assert_eq!(CandidateId::parse("C-17"), Ok(CandidateId(17)));
        assert_eq!(CandidateId::parse("c-17"), Ok(CandidateId(17)));
        for bad in [
            "17",
            "M-17",
            "C-0",
            "C--1",
            "C-+1",
            "C-99999999999999999999",
            "",
            "C-1 ",
        ] {
            assert!(CandidateId::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(CandidateId(17).to_string(), "C-17");
    }
}
