//! Closed word lists: an enum whose members have one spelling each, everywhere.
//! Knows nothing of what the words mean.

use std::fmt;

/// A word that is none of the words allowed in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadWord {
    /// What was being read, for instance `trust`.
    pub what: &'static str,
    /// What stood there instead.
    pub found: String,
    /// The words that would have been right.
    pub allowed: &'static [&'static str],
}

impl fmt::Display for BadWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} `{}` is none of {}",
            self.what,
            self.found,
            self.allowed.join(", ")
        )
    }
}

impl std::error::Error for BadWord {}

/// Declares an enum whose members are spelled once: in code, SQL, JSON and on screen.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident as $what:literal { $($(#[$vmeta:meta])* $variant:ident = $code:literal $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vmeta])* $variant),+ }

        impl $name {
            /// Every member, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// Every spelling, in order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The one spelling.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The number kept in a store; never reused for another word.
            #[must_use]
            pub const fn code(self) -> i64 {
                match self { $(Self::$variant => $code),+ }
            }

            /// The word behind a stored number.
            #[must_use]
            pub const fn from_code(code: i64) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)+ _ => None }
            }

            /// Reads the word.
            ///
            /// # Errors
            /// Anything that is not one of the words, with the list of those that are.
            pub fn parse(text: &str) -> Result<Self, $crate::domain::word::BadWord> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    other => Err($crate::domain::word::BadWord {
                        what: $what, found: other.to_owned(), allowed: Self::WORDS,
                    }),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::domain::word::BadWord;
            fn from_str(text: &str) -> Result<Self, Self::Err> { Self::parse(text) }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = String::deserialize(d)?;
                Self::parse(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use words;
