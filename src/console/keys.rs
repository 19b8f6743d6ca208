//! The keymap: the shipped keys, changed by a user's file. Clashes are errors that name both.

use crate::console::action::{self, Action};
use crate::console::error::ConsoleError;
use crate::console::key::Key;
use crate::console::place::{self, Place};
use std::collections::BTreeMap;

/// The keys as shipped.
pub(crate) const SHIPPED: &str = include_str!("../../assets/keys.toml");

/// Which key does what, in which place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keymap {
    bound: BTreeMap<(Place, &'static str), Vec<Key>>,
}

type Tables = BTreeMap<String, BTreeMap<String, Vec<String>>>;

impl Keymap {
    /// The shipped keys with those of a user's file laid over them.
    pub(crate) fn load(user: Option<&str>) -> Result<Self, ConsoleError> {
        let mut map = Self::default();
        map.lay(SHIPPED)?;
        if let Some(user) = user {
            map.lay(user)?;
        }
        map.check()?;
        Ok(map)
    }

    /// The action behind a key in this place, that of the view before that of all views.
    pub(crate) fn find(&self, place: Place, key: Key) -> Option<&'static Action> {
        let here = self.bound_to(place, key);
        let anywhere = place.is_view().then_some(Place::Everywhere);
        here.or_else(|| anywhere.and_then(|place| self.bound_to(place, key)))
    }

    /// The keys of an action in a place.
    pub(crate) fn keys(&self, place: Place, action: &Action) -> &[Key] {
        self.bound
            .get(&(place, action.id))
            .map_or(&[], Vec::as_slice)
    }

    /// The keys of an action in a place or everywhere, as they are written for people.
    pub(crate) fn written(&self, place: Place, action: &Action) -> String {
        let mut keys = self.keys(place, action);
        if keys.is_empty() && place.is_view() {
            keys = self.keys(Place::Everywhere, action);
        }
        let written: Vec<String> = keys.iter().map(ToString::to_string).collect();
        written.join(" ")
    }

    /// The first key of an action, for sentences that name it.
    pub(crate) fn hint(&self, place: Place, id: &str) -> String {
        let keys = action::find(id)
            .map(|action| self.written(place, action))
            .unwrap_or_default();
        keys.split(' ').next().unwrap_or_default().to_owned()
    }

    fn bound_to(&self, place: Place, key: Key) -> Option<&'static Action> {
        let mut here = self.bound.iter().filter(|((at, _), _)| *at == place);
        here.find(|(_, keys)| keys.contains(&key))
            .and_then(|((_, id), _)| action::find(id))
    }

    fn lay(&mut self, file: &str) -> Result<(), ConsoleError> {
        let tables: Tables =
            toml::from_str(file).map_err(|e| ConsoleError::Keys(e.message().to_owned()))?;
        for (name, table) in &tables {
            let place = place_named(name)?;
            for (id, keys) in table {
                let action = action_named(id, place)?;
                let keys = keys
                    .iter()
                    .map(|key| key_named(key))
                    .collect::<Result<_, _>>()?;
                self.bound.insert((place, action.id), keys);
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<(), ConsoleError> {
        for ((place, id), keys) in &self.bound {
            for key in keys {
                self.check_clash(*place, id, *key)?;
                if place.takes_text() && key.typed().is_some() {
                    return bad(format!(
                        "`{key}` for `{id}` would be typed as text in `{}`",
                        place.name()
                    ));
                }
            }
        }
        self.check_confirm()
    }

    fn check_clash(&self, place: Place, id: &str, key: Key) -> Result<(), ConsoleError> {
        let meets =
            |other: Place| other == place || (place == Place::Everywhere && other.is_view());
        let clash = self
            .bound
            .iter()
            .find(|((at, other), keys)| meets(*at) && *other != id && keys.contains(&key));
        match clash {
            None => Ok(()),
            Some(((at, other), _)) => bad(format!(
                "`{key}` is bound twice: to `{id}` in `{}` and to `{other}` in `{}`",
                place.name(),
                at.name()
            )),
        }
    }

    /// A key that asks a question may not answer it.
    fn check_confirm(&self) -> Result<(), ConsoleError> {
        let yes = self
            .bound
            .get(&(Place::Confirm, "yes"))
            .cloned()
            .unwrap_or_default();
        let asking = self
            .bound
            .iter()
            .filter(|((_, id), _)| action::ASKING.contains(id));
        for ((_, id), keys) in asking {
            if let Some(key) = keys.iter().find(|key| yes.contains(key)) {
                return bad(format!("`{key}` asks in `{id}` and would answer in `yes`"));
            }
        }
        Ok(())
    }
}

fn bad<T>(why: String) -> Result<T, ConsoleError> {
    Err(ConsoleError::Keys(why))
}

fn place_named(name: &str) -> Result<Place, ConsoleError> {
    let found = place::ALL.iter().find(|(_, word, _)| *word == name);
    let names: Vec<&str> = place::ALL.iter().map(|(_, word, _)| *word).collect();
    let why = || {
        format!(
            "`{}` is no place; places are {}",
            crate::text::line(name),
            names.join(", ")
        )
    };
    found
        .map(|(place, _, _)| *place)
        .ok_or_else(|| ConsoleError::Keys(why()))
}

fn action_named(id: &str, place: Place) -> Result<&'static Action, ConsoleError> {
    match action::find(id) {
        Some(action) if action.places.contains(&place) => Ok(action),
        Some(_) => bad(format!("`{id}` does nothing in `{}`", place.name())),
        None => bad(format!("`{}` is no action", crate::text::line(id))),
    }
}

fn key_named(text: &str) -> Result<Key, ConsoleError> {
    let why = || {
        format!(
            "`{}` is no key such as a, ctrl-d, space or pagedown",
            crate::text::line(text)
        )
    };
    Key::parse(text).ok_or_else(|| ConsoleError::Keys(why()))
}

#[cfg(test)]
mod tests {
    use super::Keymap;
    use crate::console::action;
    use crate::console::key::Key;
    use crate::console::place::Place;

    fn refusal(user: &str) -> String {
        Keymap::load(Some(user)).unwrap_err().to_string()
    }

    #[test]
    fn every_action_has_a_key_in_each_of_its_places_and_no_key_lacks_an_action() {
        let map = Keymap::load(None).unwrap();
        for action in action::ALL {
            for place in action.places {
                assert!(
                    !map.keys(*place, action).is_empty(),
                    "{} in {}",
                    action.id,
                    place.name()
                );
            }
        }
    }

    #[test]
    fn clashes_name_both_and_the_rest_is_told_plainly() {
        let clash = refusal("[queue]\nreject = [\"a\"]");
        assert!(
            clash.contains("`reject`") && clash.contains("`approve`"),
            "{clash}"
        );
        let across = refusal("[queue]\nreject = [\"j\"]");
        assert!(across.contains("`down` in `everywhere`"), "{across}");
        assert!(
            refusal("[memory]\ndemote = [\"y\"]\n[everywhere]\ncopy = [\"Z\"]").contains("answer")
        );
        assert!(refusal("[field]\naccept = [\"a\"]").contains("typed as text"));
        assert!(refusal("[kitchen]\n").contains("no place"));
        assert!(refusal("[queue]\ncook = [\"c\"]").contains("no action"));
        assert!(refusal("[queue]\nreject = [\"hyper-x\"]").contains("no key"));
        assert!(refusal("[queue").contains("keys file"));
        assert!(!refusal("[\"\u{202e}x\"]\n").contains('\u{202e}'));
    }

    #[test]
    fn a_users_file_rebinds_what_it_names() {
        let map = Keymap::load(Some("[queue]\nreject = [\"X\"]")).unwrap();
        assert_eq!(map.find(Place::Queue, Key::char('X')).unwrap().id, "reject");
        assert!(map.find(Place::Queue, Key::char('x')).is_none());
        assert_eq!(map.find(Place::Queue, Key::char('j')).unwrap().id, "down");
    }

    #[test]
    fn t20_no_default_key_is_one_that_terminals_and_multiplexers_take() {
        let map = Keymap::load(None).unwrap();
        for action in action::ALL {
            for place in action.places.iter().filter(|place| place.is_view()) {
                for key in map.keys(*place, action) {
                    let taken = key.ctrl
                        && key.typed().is_none()
                        && "abghjknopqstwim["
                            .chars()
                            .any(|c| key.code == crate::console::key::Code::Char(c));
                    assert!(!taken && !key.alt, "{} in {}", key, place.name());
                }
            }
        }
    }
}
