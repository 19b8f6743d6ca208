//! Texts cut into the pieces that are compared. The pieces tile the text.

use unicode_segmentation::UnicodeSegmentation;

/// Lines, each with its line end.
pub(crate) fn of_lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Words, spaces and marks, each on its own.
pub(crate) fn of_words(text: &str) -> Vec<&str> {
    text.split_word_bounds().collect()
}
