//! What a session believed: everything that was handed to it until a moment, and why that.

use crate::desk::view::Why;
use crate::desk::why::evidence::told;
use crate::desk::{Desk, DeskError};
use crate::domain::{SessionId, Time};

/// How many of the newest servings are looked at.
const SERVINGS: usize = 1000;
/// How many memories are explained; the rest are counted.
const EXPLAINED: usize = 50;
/// How many compactions are listed.
const COMPACTIONS: usize = 20;

impl Desk {
    /// Every memory the session had been handed, the newest first, with what it rests on; the
    /// compactions in between. A later demotion is said: the session goes on with what it has.
    pub(super) fn why_session(
        &self,
        session: &SessionId,
        at: Option<Time>,
    ) -> Result<Why, DeskError> {
        let until = at.unwrap_or_else(|| self.now());
        let ((servings, all), handed) = self.store.handed_to(session, until, SERVINGS)?;
        let mut because = Vec::new();
        for one in handed.iter().take(EXPLAINED) {
            let mut why = self.why_memory(one.memory)?;
            let how = format!(
                "{} from {} to {}, last in {}",
                super::counted(one.times, "time"),
                one.first,
                one.last,
                one.serving
            );
            why.facts.insert(0, ("handed_over", how));
            because.push(why);
        }
        for one in told(self.store.compactions_in(session, until, COMPACTIONS)?) {
            because.push(self.why_compaction(&one, None)?);
        }
        let mut facts = vec![("until", until.to_string()), ("servings", all.to_string())];
        if let Some(last) = servings.first() {
            facts.push(("last_serving", format!("{} at {}", last.serving, last.at)));
            let layers: std::collections::BTreeSet<&str> =
                servings.iter().map(|one| one.layer.as_str()).collect();
            let layers: Vec<&str> = layers.into_iter().collect();
            facts.push(("layers", layers.join(", ")));
        }
        if handed.len() > EXPLAINED {
            let left = handed.len() - EXPLAINED;
            facts.push(("not_listed", format!("{left} more memories")));
        }
        if all > servings.len() as u64 {
            facts.push((
                "looked_at",
                format!("the newest {} servings", servings.len()),
            ));
        }
        let says = if all == 0 {
            "nothing was handed to it".to_owned()
        } else {
            format!(
                "{} in {}",
                super::counted_many(handed.len() as u64, "memory", "memories"),
                super::counted(all, "serving")
            )
        };
        Ok(Why {
            kind: "session",
            id: format!("session:{session}"),
            says,
            facts,
            because,
        })
    }
}
