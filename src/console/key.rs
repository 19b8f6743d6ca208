//! One key press as a small value, with the one spelling used in files, footers and tests.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::fmt;

/// A key press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    pub(crate) code: Code,
    pub(crate) ctrl: bool,
    pub(crate) alt: bool,
}

/// Which key it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Code {
    Char(char),
    Named(&'static str),
}

/// Every named key: its spelling here, and the terminal's word for it.
const NAMED: &[(&str, KeyCode)] = &[
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("backtab", KeyCode::BackTab),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
];

impl Key {
    pub(crate) const fn char(c: char) -> Self {
        Self {
            code: Code::Char(c),
            ctrl: false,
            alt: false,
        }
    }

    pub(crate) const fn named(name: &'static str) -> Self {
        Self {
            code: Code::Named(name),
            ctrl: false,
            alt: false,
        }
    }

    /// Reads `a`, `ctrl-d`, `alt-x`, `space` or `pagedown`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Some(rest) = text.strip_prefix("ctrl-") {
            return Self::parse(rest).map(|key| Self { ctrl: true, ..key });
        }
        if let Some(rest) = text.strip_prefix("alt-") {
            return Self::parse(rest).map(|key| Self { alt: true, ..key });
        }
        if text == "space" {
            return Some(Self::char(' '));
        }
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) if !c.is_control() => Some(Self::char(c)),
            _ => NAMED
                .iter()
                .find(|(name, _)| *name == text)
                .map(|(name, _)| Self::named(name)),
        }
    }

    /// The press behind a terminal's event; none for releases and keys without a use here.
    pub(crate) fn of(event: &KeyEvent) -> Option<Self> {
        if event.kind == KeyEventKind::Release {
            return None;
        }
        let code = match event.code {
            KeyCode::Char(c) => Code::Char(c),
            other => Code::Named(NAMED.iter().find(|(_, code)| *code == other)?.0),
        };
        Some(Self {
            code,
            ctrl: event.modifiers.contains(KeyModifiers::CONTROL),
            alt: event.modifiers.contains(KeyModifiers::ALT),
        })
    }

    /// The character this key types into a field.
    pub(crate) const fn typed(self) -> Option<char> {
        match self.code {
            Code::Char(c) if !self.ctrl && !self.alt => Some(c),
            _ => None,
        }
    }

    pub(crate) fn digit(self) -> Option<u32> {
        self.typed().and_then(|c| c.to_digit(10))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("ctrl-")?;
        }
        if self.alt {
            f.write_str("alt-")?;
        }
        match self.code {
            Code::Char(' ') => f.write_str("space"),
            Code::Char(c) => write!(f, "{c}"),
            Code::Named("enter") => f.write_str("Enter"),
            Code::Named("esc") => f.write_str("Esc"),
            Code::Named("tab") => f.write_str("Tab"),
            Code::Named(name) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Key;

    #[test]
    fn keys_are_read_and_written_alike() {
        for text in ["a", "!", "ctrl-d", "alt-x", "space", "pagedown", "?", "G"] {
            assert_eq!(Key::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Key::parse("enter").unwrap().to_string(), "Enter");
        for bad in ["", "ctrl-", "hyper-x", "ab", "\u{1b}"] {
            assert_eq!(Key::parse(bad), None, "{bad:?}");
        }
    }
}
