//! Reports on memories: entries of the ledger, found by the memory they speak of.

use crate::domain::entry::{Beside, EntryDraft};
use crate::domain::report::ReportVerdict;
use crate::domain::{Act, MemoryId, Time};
use crate::ledger::canonical::decode;
use crate::store::Store;
use crate::store::error::StoreError;
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};

/// Who has doubts about a memory: each serving counts once.
pub type Doubts = BTreeMap<MemoryId, Vec<(Time, String)>>;

impl Store {
    /// Enters a report, unless the same stands there already.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn report(&self, draft: EntryDraft, beside: Vec<Beside>) -> Result<(), StoreError> {
        self.write(move |tx| {
            let same = |(_, facts): &(Time, crate::domain::entry::Facts)| {
                ["serving", "verdict"]
                    .iter()
                    .all(|key| facts.get(*key) == draft.facts.get(*key))
            };
            if reports(tx.db(), Some(&draft.item))?
                .iter()
                .any(|(_, one)| same(one))
            {
                return Ok(());
            }
            tx.append(draft.clone(), &beside).map(|_| ())
        })
    }

    /// The servings in which each memory was found wrong or stale, with the moment of the report.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn doubts(&self) -> Result<Doubts, StoreError> {
        self.read(|db| {
            let mut seen = BTreeSet::new();
            let mut found = Doubts::new();
            for (item, (at, facts)) in reports(db, None)? {
                let verdict = facts
                    .get("verdict")
                    .and_then(|word| ReportVerdict::parse(word).ok());
                let serving = facts.get("serving").cloned().unwrap_or_default();
                let Ok(id) = MemoryId::parse(&item) else {
                    continue;
                };
                if verdict.is_some_and(ReportVerdict::is_doubt)
                    && seen.insert((id, serving.clone()))
                {
                    found.entry(id).or_default().push((at, serving));
                }
            }
            Ok(found)
        })
    }
}

type Found = Vec<(String, (Time, crate::domain::entry::Facts))>;

/// Reports on one memory, or on all.
fn reports(db: &Connection, item: Option<&str>) -> Result<Found, StoreError> {
    let act = Act::Report.code();
    let sql = format!(
        "SELECT item, bytes FROM entry WHERE act = {act} AND (?1 IS NULL OR item = ?1) ORDER BY seq"
    );
    let mut find = db.prepare_cached(&sql)?;
    let mut rows = find.query([item])?;
    let mut list = Vec::new();
    while let Some(row) = rows.next()? {
        let bytes: String = row.get(1)?;
        if let Ok(entry) = decode(&bytes) {
            list.push((row.get(0)?, (entry.draft.at, entry.draft.facts)));
        }
    }
    Ok(list)
}
