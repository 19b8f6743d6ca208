//! Why the console could not start or had to stop.

use std::fmt;

/// Why the console ended other than by a reviewer's wish.
#[derive(Debug)]
pub enum ConsoleError {
    /// Input or output is not a terminal.
    NoTerminal,
    /// The terminal cannot draw screens.
    DumbTerminal,
    /// The keys file cannot be used.
    Keys(String),
    /// The theme cannot be used.
    Theme(String),
    /// Reading from or writing to the terminal failed.
    Terminal(std::io::Error),
}

impl fmt::Display for ConsoleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTerminal => {
                f.write_str("the console needs a terminal; `queue list` works without one")
            }
            Self::DumbTerminal => f.write_str(
                "this terminal cannot draw screens (TERM is `dumb`); `review --plain` goes line by line",
            ),
            Self::Keys(why) => write!(f, "the keys file cannot be used: {why}"),
            Self::Theme(why) => write!(f, "the theme cannot be used: {why}"),
            Self::Terminal(error) => write!(f, "the terminal failed: {error}"),
        }
    }
}

impl std::error::Error for ConsoleError {}

impl From<std::io::Error> for ConsoleError {
    fn from(error: std::io::Error) -> Self {
        Self::Terminal(error)
    }
}
