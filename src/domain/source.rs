//! What a candidate says it comes from.

use crate::domain::{Digest, EventId, ObservationId, PatternId, SessionId, Span};
use std::fmt;

/// A reference from a claim to where it came from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SourceRef {
    /// Evidence bytes, or a range of them.
    Artifact {
        /// The hash of the bytes.
        sha256: Digest,
        /// The range that supports the claim.
        span: Option<Span>,
    },
    /// A conversation: provenance without evidence, it need not be known.
    Session(SessionId),
    /// Observations that say the same.
    Pattern(PatternId),
    /// One sighting.
    Observation(ObservationId),
    /// A verified workflow event.
    Receipt(EventId),
}

/// A text that is no source reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadSource(pub String);

impl fmt::Display for BadSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a source such as artifact:<sha256>, artifact:<sha256>#10-42, session:<id>, pattern:P-1, observation:O-1 or receipt:V-1",
            self.0
        )
    }
}

impl std::error::Error for BadSource {}

impl SourceRef {
    /// Reads a reference such as `artifact:<sha256>#10-42`.
    ///
    /// # Errors
    /// An unknown kind, a malformed digest, range or id.
    pub fn parse(text: &str) -> Result<Self, BadSource> {
        let bad = || BadSource(text.to_owned());
        let (kind, rest) = text.split_once(':').ok_or_else(bad)?;
        match kind {
            "artifact" => parse_artifact(rest).ok_or_else(bad),
            "session" => SessionId::parse(rest).map(Self::Session).map_err(|_| bad()),
            "pattern" => PatternId::parse(rest).map(Self::Pattern).map_err(|_| bad()),
            "observation" => ObservationId::parse(rest)
                .map(Self::Observation)
                .map_err(|_| bad()),
            "receipt" => EventId::parse(rest).map(Self::Receipt).map_err(|_| bad()),
            _ => Err(bad()),
        }
    }
}

impl SourceRef {
    /// Whether this is evidence, and none that stands among `known`: another range of the same
    /// artifact is nothing new, and a session is no evidence.
    #[must_use]
    pub fn is_new_beside(&self, known: &[&Self]) -> bool {
        let same = |other: &&Self| match (self, other) {
            (Self::Artifact { sha256, .. }, Self::Artifact { sha256: theirs, .. }) => {
                sha256 == theirs
            }
            (one, other) => one == *other,
        };
        !matches!(self, Self::Session(_)) && !known.iter().any(same)
    }
}

impl fmt::Display for SourceRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Artifact { sha256, span: None } => write!(f, "artifact:{sha256}"),
            Self::Artifact {
                sha256,
                span: Some(span),
            } => {
                write!(f, "artifact:{sha256}#{}-{}", span.start, span.end)
            }
            Self::Session(session) => write!(f, "session:{session}"),
            Self::Pattern(pattern) => write!(f, "pattern:{pattern}"),
            Self::Observation(observation) => write!(f, "observation:{observation}"),
            Self::Receipt(event) => write!(f, "receipt:{event}"),
        }
    }
}

impl serde::Serialize for SourceRef {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

fn parse_artifact(rest: &str) -> Option<SourceRef> {
    let Some((digest, range)) = rest.split_once('#') else {
        return Some(SourceRef::Artifact {
            sha256: Digest::parse(rest).ok()?,
            span: None,
        });
    };
    let (start, end) = range.split_once('-')?;
    let span = Span {
        start: start.parse().ok()?,
        end: end.parse().ok()?,
    };
    let sha256 = Digest::parse(digest).ok()?;
    (span.start < span.end).then_some(SourceRef::Artifact {
        sha256,
        span: Some(span),
    })
}

#[cfg(test)]
mod tests {
    use super::SourceRef;

    #[test]
    fn references_are_read_and_written_alike() {
        let digest = "ab".repeat(32);
        let spanned = format!("artifact:{digest}#10-42");
        for good in [
            &format!("artifact:{digest}"),
            &spanned,
            "session:5d0e",
            "pattern:P-7",
            "observation:O-9",
            "receipt:V-3",
        ] {
            assert_eq!(SourceRef::parse(good).unwrap().to_string(), *good);
        }
        let backwards = format!("artifact:{digest}#42-10");
        for bad in [
            "",
            "artifact:",
            "artifact:zz",
            &backwards,
            "session:",
            "page:x",
            "pattern:7",
        ] {
            assert!(SourceRef::parse(bad).is_err(), "{bad}");
        }
    }
}
