//! Where text came from. Trust of anything derived is the minimum over its sources.

use crate::domain::word::words;

words! {
    /// Where text came from, least trusted first.
    Trust as "trust" {
        /// An assistant's own words, every compaction summary included.
        Model = 0 "model",
        /// A page or a search result.
        Web = 1 "web",
        /// The output of a tool of one's own.
        Tool = 2 "tool",
        /// A person's own words.
        AuthenticatedUser = 3 "authenticated_user",
        /// Configuration and receipts; never read from a file somebody hands over.
        System = 4 "system",
    }
}

impl Trust {
    /// The trust of something derived from these sources: the lowest of them, `model` of nothing.
    #[must_use]
    pub fn lowest(sources: impl IntoIterator<Item = Self>) -> Self {
        sources.into_iter().min().unwrap_or(Self::Model)
    }

    /// Whether an observation of this trust may support a pattern: a user's own words, or an own tool.
    #[must_use]
    pub const fn supports(self) -> bool {
        matches!(self, Self::AuthenticatedUser | Self::Tool | Self::System)
    }
}

#[cfg(test)]
mod tests {
    use super::Trust;

    #[test]
    fn trust_of_anything_derived_is_the_minimum() {
        assert_eq!(
            Trust::lowest([Trust::System, Trust::Web, Trust::Tool]),
            Trust::Web
        );
        assert_eq!(Trust::lowest([]), Trust::Model);
        let mut order = Trust::ALL.to_vec();
        order.sort();
        assert_eq!(order, Trust::ALL);
    }
}
