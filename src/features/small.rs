//! The small words of English, which carry no content of their own.

use std::sync::LazyLock;

use crate::features::table::Table;

/// In order.
const SMALL: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been",
    "being", "but", "by", "can", "could", "did", "do", "does", "doing", "each", "either", "else",
    "ever", "every", "for", "from", "had", "has", "have", "he", "her", "here", "hers", "him",
    "his", "how", "i", "if", "in", "into", "is", "it", "its", "itself", "just", "let", "may", "me",
    "might", "mine", "much", "must", "my", "no", "not", "now", "of", "off", "on", "one", "onto",
    "or", "our", "ours", "out", "own", "please", "shall", "she", "should", "so", "some", "such",
    "than", "that", "the", "their", "theirs", "them", "then", "there", "these", "they", "this",
    "those", "to", "too", "under", "until", "up", "us", "very", "was", "we", "were", "what",
    "when", "where", "whether", "which", "while", "who", "whom", "whose", "why", "will", "with",
    "would", "yes", "you", "your", "yours",
];

static WORDS: LazyLock<Table<&'static str, ()>> =
    LazyLock::new(|| SMALL.iter().map(|word| (*word, ())).collect());

/// Whether a word in lower case says nothing of its own.
#[must_use]
pub fn is_small(word: &str) -> bool {
    WORDS.contains_key(word)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_small_words_stand_in_order() {
        assert!(super::SMALL.is_sorted());
    }
}
