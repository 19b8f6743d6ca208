//! The answer to "what did it believe, and why?": a tree of plain data that every face can draw.

/// One node of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Why {
    /// What sort of thing it is: serving, memory, decision, candidate, pattern, observation, artifact.
    pub kind: &'static str,
    /// Its id.
    pub id: String,
    /// One line about it.
    pub says: String,
    /// What else is known of it.
    pub facts: Vec<(&'static str, String)>,
    /// What it rests on, or what came of it.
    pub because: Vec<Why>,
}

/// Whether a source's standing, in the word for it, leaves nothing to be missed.
#[must_use]
pub fn stands(standing: &str) -> bool {
    matches!(standing, "held" | "verified receipt")
}

impl Why {
    /// This node and all below it, in the order they are drawn.
    #[must_use]
    pub fn nodes(&self) -> Vec<&Self> {
        let below = self.because.iter().flat_map(Self::nodes);
        std::iter::once(self).chain(below).collect()
    }

    /// What a node says of one thing, if it says anything of it.
    #[must_use]
    pub fn fact(&self, key: &str) -> Option<&str> {
        let mut facts = self.facts.iter();
        facts
            .find(|(name, _)| *name == key)
            .map(|(_, value)| value.as_str())
    }
}
