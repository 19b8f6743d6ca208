//! Tab in the limit field: keys and values that are known here. Nothing is asked of the desk for it.

use crate::console::effect::Effect;
use crate::console::layer::{Field, Layer, Purpose};
use crate::console::model::{Model, ViewId};
use crate::console::ready::Ready;
use crate::domain::query::{Completion, complete as could_stand};
use std::collections::BTreeSet;

impl Model {
    /// What could stand at the cursor of the limit field.
    pub(crate) fn completion(&self) -> Completion {
        let Some((text, cursor)) = self.query_typed() else {
            return Completion {
                at: 0,
                end: 0,
                options: Vec::new(),
            };
        };
        could_stand(text, cursor, self.view.over(), &|key| self.values(key))
    }

    /// The query that is being typed and its cursor, if one is.
    pub(crate) fn query_typed(&self) -> Option<(&str, usize)> {
        match self.layers.last() {
            Some(Layer::Field(Field {
                purpose: Purpose::Limit,
                input,
                ..
            })) if self.view != ViewId::Pulse => Some((input.text(), input.cursor())),
            _ => None,
        }
    }

    /// The values of a key among the loaded rows.
    fn values(&self, key: &str) -> Vec<String> {
        let candidates = self.candidates().map(|view| view.list.rows.as_slice());
        let candidates = candidates.unwrap_or_default();
        let values: BTreeSet<String> = match (key, self.view) {
            ("layer", ViewId::Memory) => layers(self.memory.list.rows.iter().map(|row| &row.layer)),
            ("layer", ViewId::Patterns) => {
                layers(self.patterns.list.rows.iter().map(|row| &row.layer))
            }
            ("layer", _) => layers(candidates.iter().map(|row| &row.layer)),
            ("rule", _) => candidates
                .iter()
                .flat_map(|row| &row.findings)
                .map(|finding| finding.rule.clone())
                .collect(),
            ("reviewer", ViewId::Ledger) => {
                let rows = self.ledger.list.rows.iter();
                rows.map(|row| row.actor.clone()).collect()
            }
            ("item", ViewId::Ledger) => {
                let rows = self.ledger.list.rows.iter();
                rows.map(|row| row.item.clone()).collect()
            }
            _ => BTreeSet::new(),
        };
        values.into_iter().collect()
    }
}

/// The layers of some rows and those above them.
fn layers<'a>(rows: impl Iterator<Item = &'a crate::domain::Layer>) -> BTreeSet<String> {
    rows.flat_map(crate::domain::Layer::lineage)
        .map(|layer| layer.to_string())
        .collect()
}

pub(crate) fn complete(model: &mut Model) -> Vec<Effect> {
    let found = model.completion();
    if found.options.is_empty() {
        return Vec::new();
    }
    if let Some(input) = model.input_mut() {
        input.replace(found.at, found.common());
    }
    super::typing::changed(model)
}

/// Only a query can be completed.
pub(crate) fn ready(model: &Model) -> Ready {
    match model.query_typed() {
        Some(_) => Ok(()),
        None => Err("there is nothing to complete here".into()),
    }
}
