//! What a reviewer's configuration keeps of the console: saved views, and where they stood in each
//! store when they left. Text in, text out; who reads and writes the file is `run`.

use crate::console::model::{Model, Tone, ViewId};
use crate::console::views;
use crate::domain::query::Query;
use crate::domain::{CandidateId, EntrySeq, MemoryId, PatternId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many stores are remembered.
const STORES: usize = 100;

/// The file, as data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Shelf {
    /// Views with a name, in the order they were saved.
    #[serde(rename = "view")]
    pub(crate) saved: Vec<SavedView>,
    /// Where this reviewer stood, by the store's path.
    #[serde(rename = "store")]
    stores: BTreeMap<String, Stood>,
}

/// A view and what it was narrowed to, under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedView {
    pub(crate) name: String,
    /// The view, by the action that opens it.
    #[serde(rename = "in")]
    pub(crate) view: String,
    pub(crate) query: String,
}

/// Where a reviewer stood in one store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Stood {
    view: String,
    queries: BTreeMap<String, String>,
    selected: BTreeMap<String, i64>,
}

impl Shelf {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.message().to_owned())
    }

    pub(crate) fn write(&self) -> Result<String, String> {
        toml::to_string(self).map_err(|error| error.to_string())
    }

    /// Takes in where the reviewer stands now, and the views saved here beside those that another
    /// console saved meanwhile. A throw-away store is not remembered.
    pub(crate) fn remember(&mut self, model: &Model) {
        let own = |view: &SavedView| model.saved.iter().any(|saved| saved.name == view.name);
        self.saved.retain(|view| !own(view));
        self.saved.extend(model.saved.iter().cloned());
        let demo = model.overview.as_ref().is_none_or(|all| all.demo);
        if demo {
            return;
        }
        let mut stood = Stood {
            view: action(model.view).to_owned(),
            ..Stood::default()
        };
        for view in LISTS {
            let name = action(*view);
            if let Some(query) = query_of(model, *view).filter(|query| !query.is_empty()) {
                stood.queries.insert(name.to_owned(), query.to_string());
            }
            if let Some(id) = selected(model, *view) {
                stood.selected.insert(name.to_owned(), id);
            }
        }
        self.stores.insert(model.session.store.clone(), stood);
        while self.stores.len() > STORES {
            self.stores.pop_first();
        }
    }

    /// Puts the reviewer where they stood. What cannot be read any more changes nothing.
    pub(crate) fn restore(&self, model: &mut Model) {
        model.saved.clone_from(&self.saved);
        let Some(stood) = self.stores.get(&model.session.store) else {
            return;
        };
        for view in LISTS {
            let name = action(*view);
            let query = stood.queries.get(name);
            let query = query.and_then(|text| Query::parse(text, view.over()).ok());
            if let Some(query) = query {
                set_query(model, *view, query);
            }
            if let Some(id) = stood.selected.get(name) {
                select(model, *view, *id);
            }
        }
        if let Some(view) = view_named(&stood.view) {
            model.view = view;
        }
        if let Some(item) = model.selected() {
            let first = model.keymap.hint(model.place(), "first");
            model.say(
                Tone::Plain,
                format!("where you left off: {item}; `{first}` goes to the first"),
            );
        }
    }
}

/// The views that list something.
const LISTS: &[ViewId] = &[
    ViewId::Queue,
    ViewId::Quarantine,
    ViewId::Memory,
    ViewId::Patterns,
    ViewId::Ledger,
];

fn action(view: ViewId) -> &'static str {
    views::of(view).action
}

/// The view that this action opens.
pub(crate) fn view_named(action: &str) -> Option<ViewId> {
    let found = views::ALL.iter().find(|view| view.action == action);
    found.map(|view| view.id)
}

/// The shown view and its query under a name, if it lists anything.
pub(crate) fn here(model: &Model, name: &str) -> Option<SavedView> {
    let query = query_of(model, model.view)?;
    Some(SavedView {
        name: name.to_owned(),
        view: action(model.view).to_owned(),
        query: query.to_string(),
    })
}

fn query_of(model: &Model, view: ViewId) -> Option<&Query> {
    Some(match view {
        ViewId::Queue => &model.queue.filter,
        ViewId::Quarantine => &model.quarantine.filter,
        ViewId::Memory => &model.memory.filter,
        ViewId::Patterns => &model.patterns.filter,
        ViewId::Ledger => &model.ledger.filter,
        ViewId::Pulse => return None,
    })
}

fn set_query(model: &mut Model, view: ViewId, query: Query) {
    match view {
        ViewId::Queue => model.queue.filter = query,
        ViewId::Quarantine => model.quarantine.filter = query,
        ViewId::Memory => model.memory.filter = query,
        ViewId::Patterns => model.patterns.filter = query,
        ViewId::Ledger => model.ledger.filter = query,
        ViewId::Pulse => {}
    }
}

fn selected(model: &Model, view: ViewId) -> Option<i64> {
    match view {
        ViewId::Queue => model.queue.list.selected.map(|id| id.0),
        ViewId::Quarantine => model.quarantine.list.selected.map(|id| id.0),
        ViewId::Memory => model.memory.list.selected.map(|id| id.0),
        ViewId::Patterns => model.patterns.list.selected.map(|id| id.0),
        ViewId::Ledger => model.ledger.list.selected.map(|id| id.0),
        ViewId::Pulse => None,
    }
}

fn select(model: &mut Model, view: ViewId, id: i64) {
    match view {
        ViewId::Queue | ViewId::Quarantine => {
            let list = match view {
                ViewId::Queue => &mut model.queue.list,
                _ => &mut model.quarantine.list,
            };
            list.selected = Some(CandidateId(id));
            // The rows around it are asked for, not those of the list's beginning.
            list.more_before = true;
        }
        ViewId::Memory => model.memory.list.selected = Some(MemoryId(id)),
        ViewId::Patterns => model.patterns.list.selected = Some(PatternId(id)),
        ViewId::Ledger => model.ledger.list.selected = Some(EntrySeq(id)),
        ViewId::Pulse => {}
    }
}
