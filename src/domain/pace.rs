//! How long reading takes. A text that was on screen for less was not read; one that was on screen
//! for longer may have been.

use crate::domain::happening::{LONGEST, Pace};

/// Characters a fast reader takes in a second: 300 words a minute, the upper end of what adults
/// read of plain prose in silence (Brysbaert 2019: 175 to 300), at six characters a word.
const CHARACTERS_A_SECOND: u64 = 30;

/// How many milliseconds the fastest careful reading of so many characters takes.
#[must_use]
pub const fn reading_time(characters: u64) -> u64 {
    characters.saturating_mul(1_000) / CHARACTERS_A_SECOND
}

/// How fast a text of so many characters was approved after so many milliseconds on screen.
#[must_use]
pub fn pace(characters: u64, on_screen: u64) -> Pace {
    Pace {
        seconds: u32::try_from(on_screen / 1_000)
            .unwrap_or(LONGEST)
            .min(LONGEST),
        faster: on_screen < reading_time(characters),
    }
}

#[cfg(test)]
mod tests {
    use super::{pace, reading_time};

    #[test]
    fn sixty_words_take_twelve_seconds() {
        assert_eq!(reading_time(360), 12_000);
        assert!(pace(360, 11_999).faster);
        assert!(!pace(360, 12_000).faster);
        assert!(!pace(0, 0).faster, "there was nothing to read");
        assert_eq!(pace(1, u64::MAX).seconds, 600);
    }
}
