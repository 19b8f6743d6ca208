//! What could stand where the cursor is: keys, then the values of a key. Proposes, never changes.

use crate::domain::query::keys::{self, ALL, Over};
use crate::domain::query::read::{self, What};

/// What could be put in place of the bytes `at..end`, best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The first byte that is replaced.
    pub at: usize,
    /// The byte behind the last: the cursor.
    pub end: usize,
    /// What could stand there.
    pub options: Vec<String>,
}

impl Completion {
    /// What all options begin with.
    #[must_use]
    pub fn common(&self) -> &str {
        let Some((first, others)) = self.options.split_first() else {
            return "";
        };
        let same = others.iter().fold(first.len(), |so_far, other| {
            let agree = first.char_indices().zip(other.chars());
            let end = agree
                .take_while(|((_, one), other)| one == other)
                .last()
                .map_or(0, |((at, c), _)| at + c.len_utf8());
            so_far.min(end)
        });
        first.get(..same).unwrap_or_default()
    }
}

/// What could stand at the cursor. `known` tells the values of a key that only a store knows, such
/// as layers and rules.
#[must_use]
pub fn complete(
    text: &str,
    cursor: usize,
    over: Over,
    known: &dyn Fn(&str) -> Vec<String>,
) -> Completion {
    let head = text.get(..cursor).unwrap_or(text);
    let end = head.len();
    let last = read::lexemes(head).pop().filter(|it| it.end == end);
    let word = match last.map(|it| (it.at, it.what)) {
        Some((at, What::Word(word))) => (at, word.key, word.value, word.value_at),
        Some((at, What::And | What::Or | What::Not)) => {
            let typed = head.get(at..).unwrap_or_default().to_owned();
            (at, None, typed, at)
        }
        _ => (end, None, String::new(), end),
    };
    match word {
        (_, Some(key), typed, value_at) => values(&key, &typed, value_at, end, over, known),
        (at, None, typed, _) => Completion {
            at,
            end,
            options: keys_like(&typed, over),
        },
    }
}

fn keys_like(typed: &str, over: Over) -> Vec<String> {
    let typed = typed.to_ascii_lowercase();
    ALL.iter()
        .filter(|key| key.over.contains(&over) && key.name.starts_with(&typed))
        .map(|key| format!("{}:", key.name))
        .collect()
}

fn values(
    name: &str,
    typed: &str,
    value_at: usize,
    end: usize,
    over: Over,
    known: &dyn Fn(&str) -> Vec<String>,
) -> Completion {
    let nothing = Completion {
        at: end,
        end,
        options: Vec::new(),
    };
    let Some(key) = keys::find(name).filter(|key| key.over.contains(&over)) else {
        return nothing;
    };
    let listed = (key.words)(over);
    // A sign before the value stays: `trust:>=t` completes behind it.
    let (_, bare) = keys::compared(typed);
    let signs = listed.iter().any(|word| keys::compared(word).1 != *word);
    let typed = if signs { typed } else { bare };
    let mut options: Vec<String> = known(name)
        .into_iter()
        .map(|value| quoted(&value))
        .chain(listed.into_iter().map(str::to_owned))
        .filter(|value| value.starts_with(typed))
        .collect();
    let mut seen = std::collections::BTreeSet::new();
    options.retain(|value| seen.insert(value.clone()));
    Completion {
        at: end.saturating_sub(typed.len()).max(value_at),
        end,
        options,
    }
}

/// A value as it has to be written.
fn quoted(value: &str) -> String {
    let term = crate::domain::query::Term::Proposer(value.to_owned());
    let written = crate::domain::query::Query::of(term).to_string();
    written
        .strip_prefix("proposer:")
        .unwrap_or(value)
        .to_owned()
}
