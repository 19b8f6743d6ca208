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
    /// `COLORFGBG`: the colours of text and ground, where a terminal says so.
    pub colorfgbg: Option<String>,
    /// `COUNTERSIGN_THEME`: default, dark, light, contrast, mono, or auto.
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
            colorfgbg: get("COLORFGBG"),
            theme: get("COUNTERSIGN_THEME"),
        }
    }

    /// Whether colours are wanted: `NO_COLOR` takes them away by being there and not empty.
    #[must_use]
    pub fn wants_colour(&self) -> bool {
        self.no_color.as_ref().is_none_or(String::is_empty)
    }

    /// Whether the ground is light, where the terminal says so in what it starts programs with. It is
    /// never asked: an answer that comes late would be read as keys, and keys decide.
    #[must_use]
    pub fn has_light_ground(&self) -> Option<bool> {
        let ground = self.colorfgbg.as_deref()?.rsplit(';').next()?;
        let ground: u8 = ground.trim().parse().ok()?;
        (ground < 16).then_some(matches!(ground, 7 | 9..=15))
    }
}

#[cfg(test)]
mod tests {
    use super::Variables;

    #[test]
    fn the_ground_is_what_the_terminal_said_and_nothing_else() {
        let ground = |text: &str| {
            let said = Variables {
                colorfgbg: Some(text.to_owned()),
                ..Variables::default()
            };
            said.has_light_ground()
        };
        assert_eq!(ground("0;15"), Some(true));
        assert_eq!(ground("12;default;7"), Some(true));
        assert_eq!(ground("15;0"), Some(false));
        assert_eq!(ground("15;8"), Some(false));
        assert_eq!(ground("15;default"), None);
        assert_eq!(ground("0;200"), None);
        assert_eq!(Variables::default().has_light_ground(), None);
    }
}
