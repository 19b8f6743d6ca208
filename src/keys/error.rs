//! What can go wrong with a key: what happened and where. No secret ever stands in a message.

use std::fmt;
use std::path::PathBuf;

/// Why a key did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyError {
    /// The file cannot be read.
    Unreadable(PathBuf, String),
    /// The text is no key, or one of a kind that is not known here.
    NotAKey(String),
    /// The passphrase does not open the key.
    WrongPassphrase(PathBuf),
    /// `ssh-keygen` is missing, was interrupted, or refused.
    Tool(String),
    /// The signature does not hold.
    Bad(String),
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, why) => {
                write!(f, "the key `{}` cannot be read: {why}", path.display())
            }
            Self::NotAKey(why) => write!(f, "this is no key that can sign here: {why}"),
            Self::WrongPassphrase(path) => {
                write!(f, "the passphrase does not open `{}`", path.display())
            }
            Self::Tool(why) => write!(f, "ssh-keygen did not sign: {why}"),
            Self::Bad(why) => write!(f, "the signature does not hold: {why}"),
        }
    }
}

impl std::error::Error for KeyError {}
