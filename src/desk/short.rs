//! What other thresholds would not have proposed, of all that waits now. Nothing is changed.

use crate::desk::view::Why;
use crate::desk::{Desk, DeskError};
use crate::domain::Layer;
use crate::domain::pattern::Support;

/// How many waiting candidates are looked at, and how many are listed.
const LOOKED_AT: u32 = 50_000;
const LISTED: usize = 200;

impl Desk {
    /// The waiting candidates whose patterns have less than this behind them, oldest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn short_of(&self, layer: Option<&Layer>, least: Support) -> Result<Why, DeskError> {
        let found = self.store.short_of(layer, least, LOOKED_AT, LISTED)?;
        let short = |(id, claim, have): &(_, String, Support)| Why {
            kind: "candidate",
            id: format!("{id}"),
            says: self.shown(claim).text,
            facts: vec![(
                "behind_it",
                format!(
                    "{} users, {} sessions, {} days",
                    have.users, have.sessions, have.days
                ),
            )],
            because: Vec::new(),
        };
        let says = match found.total {
            0 => "nothing that waits falls short of them".to_owned(),
            n => format!(
                "{n} of the {} candidates looked at fall short of them",
                found.looked_at
            ),
        };
        let mut facts = vec![(
            "then",
            "what waits already waits on until somebody decides; its like is proposed no more"
                .to_owned(),
        )];
        if found.looked_at >= u64::from(LOOKED_AT) {
            facts.push(("looked_at", format!("the oldest {LOOKED_AT}")));
        }
        if found.total > LISTED as u64 {
            facts.push(("listed", format!("the oldest {LISTED} of them")));
        }
        Ok(Why {
            kind: "thresholds",
            id: format!(
                "users {}, sessions {}, days {}",
                least.users, least.sessions, least.days
            ),
            says,
            facts,
            because: found.rows.iter().map(short).collect(),
        })
    }
}
