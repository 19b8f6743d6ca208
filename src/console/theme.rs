//! Colours by meaning. The model knows meanings only; NO_COLOR empties the colours and keeps the rest.

use crate::console::error::ConsoleError;
use ratatui::style::{Color, Modifier, Style};
use std::collections::BTreeMap;

/// The shipped themes.
const SHIPPED: &[(&str, &str)] = &[
    ("default", include_str!("../../assets/themes/default.toml")),
    ("dark", include_str!("../../assets/themes/dark.toml")),
    ("light", include_str!("../../assets/themes/light.toml")),
    (
        "contrast",
        include_str!("../../assets/themes/contrast.toml"),
    ),
    ("mono", include_str!("../../assets/themes/mono.toml")),
];

/// What a style is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Ink {
    Brand,
    Text,
    Dim,
    Title,
    Active,
    Rule,
    Selected,
    Unfocused,
    Key,
    Clear,
    Advisory,
    Quarantine,
    Held,
    Stale,
    Good,
    Refused,
    Bad,
    Token,
    Unsupported,
    Added,
    Removed,
    Field,
}

/// Every meaning and its word in a theme file.
const INKS: &[(Ink, &str)] = &[
    (Ink::Brand, "brand"),
    (Ink::Text, "text"),
    (Ink::Dim, "dim"),
    (Ink::Title, "title"),
    (Ink::Active, "active"),
    (Ink::Rule, "rule"),
    (Ink::Selected, "selected"),
    (Ink::Unfocused, "unfocused"),
    (Ink::Key, "key"),
    (Ink::Clear, "clear"),
    (Ink::Advisory, "advisory"),
    (Ink::Quarantine, "quarantine"),
    (Ink::Held, "held"),
    (Ink::Stale, "stale"),
    (Ink::Good, "good"),
    (Ink::Refused, "refused"),
    (Ink::Bad, "bad"),
    (Ink::Token, "token"),
    (Ink::Unsupported, "unsupported"),
    (Ink::Added, "added"),
    (Ink::Removed, "removed"),
    (Ink::Field, "field"),
];

#[derive(Debug, Clone)]
pub(crate) struct Theme {
    styles: BTreeMap<Ink, Style>,
}

impl Theme {
    /// A shipped theme; without colour where none is wanted.
    pub(crate) fn named(name: &str, colour: bool) -> Result<Self, ConsoleError> {
        let names: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
        let unknown = || {
            format!(
                "`{}` is none of {}",
                crate::text::line(name),
                names.join(", ")
            )
        };
        let found = SHIPPED.iter().find(|(shipped, _)| *shipped == name);
        let (_, file) = found.ok_or_else(|| ConsoleError::Theme(unknown()))?;
        Self::parse(file, colour)
    }

    pub(crate) fn of(&self, ink: Ink) -> Style {
        self.styles.get(&ink).copied().unwrap_or_default()
    }

    fn parse(file: &str, colour: bool) -> Result<Self, ConsoleError> {
        let table: BTreeMap<String, String> =
            toml::from_str(file).map_err(|e| ConsoleError::Theme(e.message().to_owned()))?;
        let styles = INKS
            .iter()
            .map(|(ink, name)| {
                let words = table.get(*name).map_or("", String::as_str);
                style(words, colour).map(|style| (*ink, style))
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { styles })
    }
}

fn style(words: &str, colour: bool) -> Result<Style, ConsoleError> {
    let mut style = Style::new();
    for word in words.split_whitespace() {
        if let Some(modifier) = modifier(word) {
            style = style.add_modifier(modifier);
        } else if let Some(back) = word.strip_prefix("on-") {
            let back = shade(back)?;
            // A background that goes away with its colour comes back as a reversal.
            style = if colour {
                style.bg(back)
            } else {
                style.add_modifier(Modifier::REVERSED)
            };
        } else {
            let fore = shade(word)?;
            style = if colour { style.fg(fore) } else { style };
        }
    }
    Ok(style)
}

fn modifier(word: &str) -> Option<Modifier> {
    match word {
        "bold" => Some(Modifier::BOLD),
        "dim" => Some(Modifier::DIM),
        "italic" => Some(Modifier::ITALIC),
        "underlined" => Some(Modifier::UNDERLINED),
        "reversed" => Some(Modifier::REVERSED),
        _ => None,
    }
}

fn shade(word: &str) -> Result<Color, ConsoleError> {
    word.parse()
        .map_err(|_| ConsoleError::Theme(format!("`{word}` is no colour")))
}

#[cfg(test)]
mod tests {
    use super::{INKS, Ink, SHIPPED, Theme};
    use ratatui::style::{Color, Modifier};

    #[test]
    fn every_theme_names_every_meaning_and_nothing_else() {
        for (name, file) in SHIPPED {
            let table: std::collections::BTreeMap<String, String> = toml::from_str(file).unwrap();
            let mut known: Vec<&str> = INKS.iter().map(|(_, word)| *word).collect();
            known.sort_unstable();
            assert_eq!(
                table.keys().map(String::as_str).collect::<Vec<_>>(),
                known,
                "{name}"
            );
            assert!(Theme::named(name, true).is_ok(), "{name}");
        }
    }

    #[test]
    fn t16_without_colour_the_selection_is_still_reversed() {
        for (name, _) in SHIPPED {
            let theme = Theme::named(name, false).unwrap();
            for (ink, word) in INKS {
                let style = theme.of(*ink);
                assert_eq!((style.fg, style.bg), (None, None), "{name} {word}");
            }
            let selected = theme.of(Ink::Selected);
            assert!(selected.add_modifier.contains(Modifier::REVERSED), "{name}");
        }
    }

    #[test]
    fn t17_the_default_theme_keeps_to_the_terminals_own_colours() {
        let theme = Theme::named("default", true).unwrap();
        for (ink, word) in INKS {
            let style = theme.of(*ink);
            for colour in [style.fg, style.bg].into_iter().flatten() {
                assert!(
                    !matches!(colour, Color::Rgb(..) | Color::Indexed(_)),
                    "{word}"
                );
                assert!(
                    !matches!(colour, Color::DarkGray | Color::Black | Color::White),
                    "{word}"
                );
            }
        }
    }
}
