//! The environment, as far as the console asks: given as data, never looked up.

use std::collections::BTreeMap;

/// The few variables that matter here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variables {
    /// `NO_COLOR`
    pub no_color: Option<String>,
    /// `TERM`
    pub term: Option<String>,
    /// `COLORTERM`
    pub colorterm: Option<String>,
    /// `VISUAL`
    pub visual: Option<String>,
    /// `EDITOR`
    pub editor: Option<String>,
    /// `TMUX`
    pub tmux: Option<String>,
    /// `SSH_TTY`
    pub ssh_tty: Option<String>,
    /// `COUNTERSIGN_THEME`: default, dark, light, contrast or mono.
    pub theme: Option<String>,
}

impl Variables {
    /// Picks the variables out of a whole environment.
    #[must_use]
    pub fn from_map(environment: &BTreeMap<String, String>) -> Self {
        let get = |name: &str| environment.get(name).cloned();
        Self {
            no_color: get("NO_COLOR"),
            term: get("TERM"),
            colorterm: get("COLORTERM"),
            visual: get("VISUAL"),
            editor: get("EDITOR"),
            tmux: get("TMUX"),
            ssh_tty: get("SSH_TTY"),
            theme: get("COUNTERSIGN_THEME"),
        }
    }

    /// Whether colours are wanted: `NO_COLOR` takes them away by being there and not empty.
    #[must_use]
    pub fn wants_colour(&self) -> bool {
        self.no_color.as_ref().is_none_or(String::is_empty)
    }
}
