//! Which servings held a memory between two moments: who believed it, and when.

use crate::desk::view::Why;
use crate::desk::{Desk, DeskError};
use crate::domain::{MemoryId, Time};

impl Desk {
    /// The servings that held a memory, the newest first, at most `limit`, and how many there are.
    ///
    /// # Errors
    /// There is no such memory, or the store cannot be read.
    pub fn why_served(
        &self,
        id: MemoryId,
        from: Option<Time>,
        to: Option<Time>,
        limit: usize,
    ) -> Result<Why, DeskError> {
        let memory = self.store.memory(id)?;
        let (servings, all) = self.store.servings_with(id, from, to, limit)?;
        let moment =
            |at: Option<Time>, none: &str| at.map_or_else(|| none.to_owned(), |at| at.to_string());
        let because = servings
            .iter()
            .map(|one| Why {
                kind: "serving",
                id: one.serving.to_string(),
                says: format!(
                    "{}, {}, {}, {} memories",
                    one.session.as_ref().map_or_else(
                        || "no session".to_owned(),
                        |session| format!("session {session}")
                    ),
                    one.at,
                    one.layer,
                    one.memories
                ),
                facts: Vec::new(),
                because: Vec::new(),
            })
            .collect();
        Ok(Why {
            kind: "memory",
            id: id.to_string(),
            says: self.shown(&memory.text).text,
            facts: vec![
                ("from", moment(from, "the first")),
                ("to", moment(to, "now")),
                ("servings", all.to_string()),
                ("listed", servings.len().to_string()),
            ],
            because,
        })
    }
}
