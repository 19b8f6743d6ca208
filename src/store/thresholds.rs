//! Thresholds that people set: each change is a decision with its entry.

use crate::domain::Act;
use crate::domain::decision::{Hand, Signed};
use crate::domain::entry::{EntryDraft, Facts};
use crate::domain::pattern::Support;
use crate::domain::threshold::ThresholdSet;
use crate::domain::{EntrySeq, Time};
use crate::store::decide::Draft;
use crate::store::error::StoreError;
use crate::store::{Store, rows};
use rusqlite::Connection;

impl Store {
    /// Everything that people set, the widest layers first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn thresholds(&self) -> Result<Vec<ThresholdSet>, StoreError> {
        self.read(set)
    }

    /// Sets the thresholds of a layer, in place of what was set there.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn set_thresholds(
        &self,
        new: ThresholdSet,
        hand: Hand,
        at: Time,
        signed: Option<Signed>,
    ) -> Result<EntrySeq, StoreError> {
        self.write(move |tx| {
            let layer = new.layer_text();
            let draft = draft(&new, &hand, tx.moment(at)?);
            let entry = tx.append_signed(draft, signed.as_ref())?;
            let Support { users, sessions, days } = new.least;
            tx.db()
                .prepare_cached(
                    "INSERT INTO thresholds (layer, users, sessions, days, window, entry) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
                     ON CONFLICT (layer) DO UPDATE SET users = ?2, sessions = ?3, days = ?4, window = ?5, entry = ?6",
                )?
                .execute((&layer, users, sessions, days, new.window, entry.0))?;
            Ok(entry)
        })
    }
}

/// The entry that setting them makes.
#[must_use]
pub fn draft(new: &ThresholdSet, hand: &Hand, at: Time) -> Draft {
    let mut facts: Facts = [("thresholds".to_owned(), new.to_string())].into();
    if new.layer.is_some() {
        facts.insert("layer".to_owned(), new.layer_text());
    }
    Draft {
        entry: EntryDraft {
            at,
            actor: hand.reviewer.name.to_string(),
            assurance: hand.assurance,
            act: Act::Thresholds,
            item: "thresholds".to_owned(),
            facts,
        },
        beside: Vec::new(),
    }
}

pub(in crate::store) fn set(db: &Connection) -> Result<Vec<ThresholdSet>, StoreError> {
    let sql = "SELECT layer, users, sessions, days, window FROM thresholds ORDER BY layer";
    let mut find = db.prepare_cached(sql)?;
    let mut found = find.query([])?;
    let mut list = Vec::new();
    while let Some(row) = found.next()? {
        let path: String = row.get(0)?;
        let layer = match path.as_str() {
            "" => None,
            path => Some(rows::layer(path)?),
        };
        list.push(ThresholdSet {
            layer,
            least: Support {
                users: row.get(1)?,
                sessions: row.get(2)?,
                days: row.get(3)?,
            },
            window: row.get(4)?,
        });
    }
    Ok(list)
}
