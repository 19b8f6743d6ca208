//! When a deciding key decides: only for what its frame has shown, never for a key that repeats.
//!
//! Knows frames, keys and times; knows nothing of what is decided.

use crate::console::event::{Drawn, Moment, Target, TextDrawn};
use crate::console::key::Key;
use std::collections::BTreeMap;
use std::ops::Range;

/// A key must have been silent for so long.
pub(crate) const SILENCE: u64 = 400;
/// An item must have been on screen for so long.
pub(crate) const SETTLING: u64 = 150;
/// After so long without a key, the first one finds somebody who was away.
const AWAY: u64 = 10 * 60_000;
/// Within so long after a decision the same key may be the first repeat of a held one ...
const FIRST_REPEAT: u64 = 1_200;
/// ... and is believed only if no further repeat follows so soon.
pub(crate) const REPEAT_GAP: u64 = 80;

#[derive(Debug, Default)]
pub(crate) struct Safety {
    /// The last frame that reached the terminal.
    pub(crate) drawn: Drawn,
    /// Since when the item of that frame has been on screen.
    since: u64,
    /// When each key was last pressed, and when before that.
    pressed: BTreeMap<Key, (u64, Option<u64>)>,
    /// The key of the last decision, and when.
    decided: Option<(Key, u64)>,
    read: Vec<(Target, Vec<Range<usize>>)>,
    /// How long each text has been on screen, up to the last frame, and when that was.
    shown: Vec<(Target, u64)>,
    flushed_at: u64,
    /// When the last key was pressed, and when the first one after a break was.
    last_key: u64,
    back_at: Option<u64>,
    /// Moves when more of a text, or another item, has been on screen.
    pub(crate) serial: u64,
}

/// What a deciding key may do now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leave {
    Granted,
    /// Believed only if the key stays silent until then.
    At(u64),
    Refused(&'static str),
}

impl Safety {
    pub(crate) fn press(&mut self, key: Key, now: Moment) {
        let before = self.pressed.get(&key).map(|(last, _)| *last);
        self.pressed.insert(key, (now.ms, before));
        if now.ms.saturating_sub(self.last_key) >= AWAY {
            self.back_at = Some(now.ms);
        }
        self.last_key = now.ms;
    }

    pub(crate) fn flushed(&mut self, drawn: Drawn, now: Moment) {
        if drawn.target != self.drawn.target {
            self.since = now.ms;
            self.serial += 1;
        }
        if let Some(text) = &drawn.text {
            self.note(text);
        }
        if let Some(target) = self.drawn.text.as_ref().map(|text| text.target) {
            let ms = self.on_screen(target, now);
            self.shown.retain(|(other, _)| *other != target);
            self.shown.push((target, ms));
            if self.shown.len() > 512 {
                self.shown.remove(0);
            }
        }
        self.flushed_at = now.ms;
        self.drawn = drawn;
    }

    /// How many milliseconds a text has been on screen, all its frames together.
    pub(crate) fn on_screen(&self, target: Target, now: Moment) -> u64 {
        let before = self.shown.iter().find(|(shown, _)| *shown == target);
        let still = self.drawn.text.as_ref().map(|text| text.target) == Some(target);
        let since = if still {
            now.ms.saturating_sub(self.flushed_at)
        } else {
            0
        };
        before.map_or(0, |(_, ms)| *ms).saturating_add(since)
    }

    /// Whether this key may decide on this item, with this layer on top.
    pub(crate) fn leave(&self, key: Key, on: Option<Target>, layer: u64, now: Moment) -> Leave {
        let on_screen = on.is_none() || self.drawn.target == on;
        if !on_screen || self.drawn.frame == 0 || self.drawn.layer != layer {
            return Leave::Refused("pressed before the item was on screen: nothing was decided");
        }
        if now.ms.saturating_sub(self.since) < SETTLING {
            return Leave::Refused("pressed as the item appeared: nothing was decided");
        }
        if self.back_at == Some(now.ms) {
            return Leave::Refused("you were away: look at the item again; nothing was decided");
        }
        let silent = match self.pressed.get(&key) {
            Some((_, Some(before))) => now.ms.saturating_sub(*before),
            _ => u64::MAX,
        };
        if silent < SILENCE {
            return Leave::Refused(
                "a held or doubled key decides nothing: let go, then press once",
            );
        }
        let since_decision = self
            .decided
            .filter(|(last, _)| *last == key)
            .map(|(_, at)| now.ms - at);
        if since_decision.is_some_and(|ms| ms < FIRST_REPEAT) && silent < FIRST_REPEAT {
            return Leave::At(now.ms + REPEAT_GAP);
        }
        Leave::Granted
    }

    pub(crate) fn decided(&mut self, key: Key, now: Moment) {
        self.decided = Some((key, now.ms));
    }

    /// Whether every byte of this text has been on screen.
    pub(crate) fn whole(&self, target: Target, length: usize) -> bool {
        length == 0
            && self
                .drawn
                .text
                .as_ref()
                .is_some_and(|text| text.target == target)
            || self
                .read
                .iter()
                .any(|(read, seen)| *read == target && covers(seen, length))
    }

    fn note(&mut self, text: &TextDrawn) {
        let at = self
            .read
            .iter()
            .position(|(target, _)| *target == text.target);
        let (target, mut seen) = at.map_or((text.target, Vec::new()), |at| self.read.remove(at));
        let before = seen.clone();
        add(&mut seen, text.bytes.clone());
        self.serial += u64::from(seen != before);
        self.read.push((target, seen));
        if self.read.len() > 512 {
            self.read.remove(0);
        }
    }
}

fn covers(seen: &[Range<usize>], length: usize) -> bool {
    seen.first()
        .is_some_and(|first| first.start == 0 && first.end >= length)
}

/// Adds a range to sorted, separate ones, joining what touches.
fn add(seen: &mut Vec<Range<usize>>, mut new: Range<usize>) {
    seen.retain(|old| {
        let apart = old.end < new.start || new.end < old.start;
        if !apart {
            new = old.start.min(new.start)..old.end.max(new.end);
        }
        apart
    });
    seen.push(new);
    seen.sort_by_key(|range| range.start);
}

#[cfg(test)]
mod tests {
    use super::{Leave, REPEAT_GAP, Safety, add, covers};
    use crate::console::event::{Drawn, Moment, Target, TextDrawn};
    use crate::console::key::Key;
    use crate::console::model::Item;
    use crate::domain::{CandidateId, Digest, Time};

    fn at(ms: u64) -> Moment {
        Moment {
            ms,
            wall: Time::from_millis(0),
        }
    }

    fn target(id: i64) -> Target {
        Target {
            item: Item::Candidate(CandidateId(id)),
            version: 1,
            shown: Digest::ZERO,
        }
    }

    fn frame(id: i64) -> Drawn {
        Drawn {
            frame: 1,
            target: Some(target(id)),
            ..Drawn::default()
        }
    }

    #[test]
    fn t2_a_held_key_decides_once_even_if_its_first_repeat_comes_late() {
        let a = Key::char('a');
        let mut safety = Safety::default();
        safety.flushed(frame(1), at(0));
        safety.press(a, at(500));
        assert_eq!(safety.leave(a, Some(target(1)), 0, at(500)), Leave::Granted);
        safety.decided(a, at(500));
        safety.flushed(frame(2), at(510));
        for ms in [540, 570, 600, 800, 1_000] {
            safety.press(a, at(ms));
            assert!(
                matches!(
                    safety.leave(a, Some(target(2)), 0, at(ms)),
                    Leave::Refused(_)
                ),
                "{ms}"
            );
        }
        let mut safety = Safety::default();
        safety.flushed(frame(1), at(0));
        safety.press(a, at(500));
        safety.decided(a, at(500));
        safety.flushed(frame(2), at(510));
        safety.press(a, at(1_160));
        let late = safety.leave(a, Some(target(2)), 0, at(1_160));
        assert_eq!(
            late,
            Leave::At(1_160 + REPEAT_GAP),
            "X11 repeats after 660 ms"
        );
    }

    #[test]
    fn t2_a_key_decides_only_what_its_frame_has_shown() {
        let a = Key::char('a');
        let mut safety = Safety::default();
        safety.press(a, at(100));
        assert!(matches!(
            safety.leave(a, Some(target(1)), 0, at(100)),
            Leave::Refused(_)
        ));
        safety.flushed(frame(1), at(1_000));
        safety.press(a, at(1_100));
        assert!(matches!(
            safety.leave(a, Some(target(1)), 0, at(1_100)),
            Leave::Refused(_)
        ));
        safety.press(a, at(1_600));
        assert_eq!(
            safety.leave(a, Some(target(1)), 0, at(1_600)),
            Leave::Granted
        );
        assert!(matches!(
            safety.leave(a, Some(target(2)), 0, at(1_600)),
            Leave::Refused(_)
        ));
        assert!(matches!(
            safety.leave(a, Some(target(1)), 7, at(1_600)),
            Leave::Refused(_)
        ));
    }

    #[test]
    fn a_text_is_on_screen_for_all_its_frames_together() {
        let text = |id: i64| Drawn {
            text: Some(TextDrawn {
                target: target(id),
                bytes: 0..1,
                length: 1,
            }),
            ..frame(id)
        };
        let mut safety = Safety::default();
        safety.flushed(text(1), at(1_000));
        assert_eq!(safety.on_screen(target(1), at(1_700)), 700);
        safety.flushed(text(1), at(2_000));
        safety.flushed(text(2), at(3_000));
        safety.flushed(frame(2), at(3_500));
        assert_eq!(
            safety.on_screen(target(2), at(9_000)),
            500,
            "its text is out of sight"
        );
        safety.flushed(text(1), at(10_000));
        assert_eq!(safety.on_screen(target(1), at(10_100)), 2_100);
    }

    #[test]
    fn t1_only_ranges_without_a_gap_are_the_whole() {
        let mut seen = Vec::new();
        add(&mut seen, 0..10);
        add(&mut seen, 90..100);
        assert!(!covers(&seen, 100), "jumping to the end is not reading");
        add(&mut seen, 40..90);
        add(&mut seen, 10..40);
        assert!(covers(&seen, 100));
        assert_eq!(seen.len(), 1);
    }
}
