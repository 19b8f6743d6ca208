//! Every action with its keys, as data for whoever lists them: the same table that runs them.

use crate::console::action::{self, Binds};
use crate::console::error::ConsoleError;
use crate::console::keys::Keymap;
use crate::console::place;

/// One action in one place.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct KeyRow {
    /// The place, as the keys file names it.
    pub place: &'static str,
    /// The action, as the keys file names it.
    pub action: &'static str,
    /// Its keys; none where a keys file took them away.
    pub keys: Vec<String>,
    /// Whether it decides, so that what it decides on must have been on screen.
    pub decides: bool,
    /// What it does.
    pub help: &'static str,
}

/// Every action in each of its places, under the shipped keys with those of a user's file over them.
///
/// # Errors
/// The file cannot be read, names what is not there, or binds a key twice.
pub fn key_rows(user: Option<&str>) -> Result<Vec<KeyRow>, ConsoleError> {
    let keymap = Keymap::load(user)?;
    let mut rows = Vec::new();
    for (place, name, _) in place::ALL {
        for action in action::ALL.iter().filter(|it| it.places.contains(place)) {
            let keys = keymap.keys(*place, action);
            rows.push(KeyRow {
                place: name,
                action: action.id,
                keys: keys.iter().map(ToString::to_string).collect(),
                decides: action.binds != Binds::Nothing,
                help: action.help,
            });
        }
    }
    Ok(rows)
}
