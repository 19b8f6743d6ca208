//! How fast this reviewer has been approving: the last few, and whether they outran reading.

use std::collections::VecDeque;

/// How many approvals are looked back on, and how many of them make a notice.
const LAST: usize = 5;
const TOO_MANY: usize = 3;

/// The last approvals of this session, each faster than reading or not.
#[derive(Debug, Default)]
pub(crate) struct RecentPace(VecDeque<bool>);

impl RecentPace {
    /// One more approval of a text of so many characters, after so long on screen.
    pub(crate) fn note(&mut self, characters: usize, on_screen: u64) {
        let characters = u64::try_from(characters).unwrap_or(u64::MAX);
        let faster = crate::domain::pace::pace(characters, on_screen).faster;
        self.0.push_back(faster);
        if self.0.len() > LAST {
            self.0.pop_front();
        }
    }

    /// What to say, where approvals outrun reading.
    pub(crate) fn notice(&self) -> Option<String> {
        let faster = self.0.iter().filter(|faster| **faster).count();
        (faster >= TOO_MANY).then(|| {
            format!(
                "⚠ {faster} of your last {} approvals were faster than reading",
                self.0.len()
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::RecentPace;

    #[test]
    fn three_of_five_make_a_notice_and_reading_takes_it_away() {
        let mut pace = RecentPace::default();
        for _ in 0..2 {
            pace.note(300, 900);
        }
        assert_eq!(pace.notice(), None);
        pace.note(300, 900);
        assert!(
            pace.notice()
                .is_some_and(|it| it.contains("3 of your last 3"))
        );
        for _ in 0..3 {
            pace.note(300, 30_000);
        }
        assert_eq!(pace.notice(), None);
    }
}
