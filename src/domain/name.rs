//! Names given from outside: users, sessions, projects, proposers, reviewers.
//! They may hold any text; drawing them safely is `text`'s work, not theirs.

use std::fmt;

/// The most bytes a name may have.
pub const MAX_NAME: usize = 256;

/// A text that cannot be a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadName {
    /// What it should have named.
    pub what: &'static str,
    /// What is wrong with it.
    pub why: &'static str,
}

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} {}", self.what, self.why)
    }
}

impl std::error::Error for BadName {}

macro_rules! name {
    ($(#[$meta:meta])* $name:ident, $what:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Reads a name.
            ///
            /// # Errors
            /// An empty or blank one, one over 256 bytes, one with a NUL.
            pub fn parse(text: &str) -> Result<Self, BadName> {
                checked($what, text).map(Self)
            }

            /// The name as given.
            #[must_use]
            pub fn as_str(&self) -> &str { &self.0 }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.pad(&self.0) }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(&self.0)
            }
        }
    };
}

name!(
    /// Who was seen saying something.
    UserId, "user"
);
name!(
    /// One conversation of an agent.
    SessionId, "session"
);
name!(
    /// One project inside a layer.
    Project, "project"
);
name!(
    /// Who proposed a candidate: an agent, a person, the detector.
    Proposer, "proposer"
);
name!(
    /// Who decides.
    ReviewerName, "reviewer"
);

fn checked(what: &'static str, text: &str) -> Result<String, BadName> {
    let bad = |why| Err(BadName { what, why });
    if text.trim().is_empty() {
        return bad("is empty");
    }
    if text.len() > MAX_NAME {
        return bad("is longer than 256 bytes");
    }
    if text.contains('\0') {
        return bad("holds a NUL");
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::UserId;

    #[test]
    fn names_are_not_empty_and_not_endless() {
        assert!(UserId::parse("u-17").is_ok());
        for bad in ["", "  ", "a\0b", &"x".repeat(257)] {
            assert!(UserId::parse(bad).is_err());
        }
    }
}
