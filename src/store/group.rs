//! How many of the candidates that a query asks for belong to each group.

use crate::domain::Time;
use crate::domain::candidate::CandidateState;
use crate::domain::query::{Facet, Facts, Query};
use crate::store::error::StoreError;
use crate::store::{Store, narrow, rows};
use rusqlite::ToSql;
use std::collections::BTreeMap;

/// The groups of a list, exactly counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    /// What it is grouped by.
    pub facet: Facet,
    /// How many rows there are at all.
    pub total: u64,
    /// The groups, the largest first. A row may belong to several, or to none.
    pub groups: Vec<(String, u64)>,
}

impl Store {
    /// Counts the candidates of one state by group. Each is looked at once, and only counts are kept.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn groups(
        &self,
        state: CandidateState,
        query: &Query,
        facet: Facet,
        now: Time,
        shown: &dyn Fn(&str) -> String,
    ) -> Result<Groups, StoreError> {
        self.read_at_once(|db| {
            let narrowed = narrow::narrow(db, narrow::Table::Candidates, query, 3, now)?;
            let sql = format!(
                "{} WHERE c.state = ?1 AND (?1 <> 0 OR c.snoozed_until <= ?2){}",
                rows::CANDIDATE,
                narrowed.sql
            );
            let (code, at) = (state.code(), now.millis());
            let mut values: Vec<&dyn ToSql> = vec![&code, &at];
            values.extend(narrowed.values.iter().map(|value| value as &dyn ToSql));
            let mut find = db.prepare_cached(&sql)?;
            let mut found = find.query(values.as_slice())?;
            let mut total = 0;
            let mut counts: BTreeMap<String, u64> = BTreeMap::new();
            while let Some(row) = found.next()? {
                let candidate = rows::candidate(row)?;
                let facts = Facts::of_candidate(&candidate, now);
                let groups = facet.groups(&facts);
                if !query.picks(facts, shown) {
                    continue;
                }
                total += 1;
                for group in groups {
                    *counts.entry(group).or_default() += 1;
                }
            }
            let mut groups: Vec<(String, u64)> = counts.into_iter().collect();
            groups.sort_by(|(one, n), (other, m)| m.cmp(n).then_with(|| one.cmp(other)));
            Ok(Groups {
                facet,
                total,
                groups,
            })
        })
    }
}
