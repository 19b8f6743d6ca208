//! Frames: what a sentence says, written as families of words in order.
//!
//! `skip ~2 check !law` reads: a word of family `skip`, at most two words on one of `check`, in a
//! sentence without any of `law`. Where a pattern needs every inflection and filler spelled out, a
//! frame needs the kind. Linear: a frame looks only as far ahead as its gaps allow.
//!
//! | part | means |
//! |---|---|
//! | `a` | a word of family `a`; `a\|b` of either |
//! | `~4` | up to four other words before the next part, instead of three |
//! | `^a` | `a` opens the sentence, one word before it at most; `^^a` without any |
//! | `&a` | the sentence holds `a` somewhere |
//! | `!a` | the sentence holds no `a` |

use crate::gate::marks::{Families, Mark, Sentence, Set};
use crate::gate::work::work;
use std::ops::Range;

/// Words that may stand between two parts unless the frame says otherwise.
const GAP: usize = 3;

/// One frame, ready to match.
#[derive(Debug)]
pub(crate) struct Frame {
    steps: Vec<Step>,
    /// For each, one of its families must stand in the sentence.
    with: Vec<Set>,
    void: Set,
}

#[derive(Debug)]
struct Step {
    any: Set,
    gap: usize,
    /// The most words of the sentence that may stand before it.
    opening: Option<usize>,
}

/// Every frame of every rule, by the families that may begin it.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    /// For each family, the frames its words may begin.
    begun_by: Vec<Vec<usize>>,
    /// The rule of each frame, and its number there.
    places: Vec<(usize, usize)>,
}

impl Frames {
    /// Those of these rules, over so many families.
    pub(crate) fn new<'a>(rules: impl Iterator<Item = &'a [Frame]>, families: usize) -> Self {
        let mut frames = Self {
            begun_by: vec![Vec::new(); families],
            places: Vec::new(),
        };
        for (rule, of_rule) in rules.enumerate() {
            for (number, frame) in of_rule.iter().enumerate() {
                let here = frames.places.len();
                frames.places.push((rule, number));
                let Some(first) = frame.steps.first() else {
                    continue;
                };
                let begins = frames.begun_by.iter_mut().enumerate();
                for (_, begun) in begins.filter(|(family, _)| first.any.has(*family)) {
                    begun.push(here);
                }
            }
        }
        frames
    }

    /// The frames that a sentence may begin, as rule and number, in order.
    pub(crate) fn begun_in(&self, sentence: &Sentence) -> Vec<(usize, usize)> {
        let families = sentence.present.families();
        let begun = families.filter_map(|family| self.begun_by.get(family));
        let mut frames: Vec<usize> = begun.flatten().copied().collect();
        frames.sort_unstable();
        frames.dedup();
        let places = frames.into_iter().filter_map(|at| self.places.get(at));
        places.copied().collect()
    }
}

impl Frame {
    /// Reads a frame.
    pub(crate) fn parse(text: &str, families: &Families) -> Result<Self, String> {
        let set = |names: &str| {
            let mut set = Set::default();
            for name in names.split('|') {
                let family = families.named(name);
                set.add(family.ok_or_else(|| format!("there is no word family `{name}`"))?);
            }
            Ok::<Set, String>(set)
        };
        let mut frame = Self {
            steps: Vec::new(),
            with: Vec::new(),
            void: Set::default(),
        };
        let mut gap = GAP;
        for part in text.split_whitespace() {
            if let Some(words) = part.strip_prefix('~') {
                let number = words.parse().ok().filter(|number| *number <= 24);
                gap = number.ok_or_else(|| format!("`{part}` is no gap of 0 to 24 words"))?;
            } else if let Some(names) = part.strip_prefix('!') {
                for name in names.split('|') {
                    let family = families.named(name);
                    let missing = || format!("there is no word family `{name}`");
                    frame.void.add(family.ok_or_else(missing)?);
                }
            } else if let Some(names) = part.strip_prefix('&') {
                frame.with.push(set(names)?);
            } else {
                let names = part.trim_start_matches('^');
                let opening = match part.len() - names.len() {
                    0 => None,
                    1 => Some(1),
                    _ => Some(0),
                };
                let any = set(names)?;
                frame.with.push(any);
                frame.steps.push(Step { any, gap, opening });
                gap = GAP;
            }
        }
        match frame.steps.is_empty() {
            true => Err(format!("the frame `{text}` names no word")),
            false => Ok(frame),
        }
    }

    /// Whether a sentence has what the frame needs at all.
    pub(crate) fn fits(&self, sentence: &Sentence) -> bool {
        self.with.iter().all(|set| set.meets(&sentence.present))
            && !self.void.meets(&sentence.present)
    }

    /// The bytes of every match in a sentence that it fits, apart from each other.
    pub(crate) fn matches(&self, sentence: &Sentence) -> Vec<Range<usize>> {
        let mut out: Vec<Range<usize>> = Vec::new();
        for place in 0..sentence.marks.len() {
            let free = |mark: &Mark| out.last().is_none_or(|last| last.end <= mark.start);
            if sentence.marks.get(place).is_some_and(free) {
                out.extend(self.begun_at(sentence, place));
            }
        }
        out
    }

    /// The match that begins with this mark.
    fn begun_at(&self, sentence: &Sentence, place: usize) -> Option<Range<usize>> {
        let (first, rest) = self.steps.split_first()?;
        work(1);
        let mark = sentence.marks.get(place)?;
        let before = mark.first.saturating_sub(sentence.opens);
        let opens = first.opening.is_none_or(|most| before <= most);
        if !first.any.has(mark.family) || !opens {
            return None;
        }
        let mut reached = vec![place];
        for step in rest {
            let mut next: Vec<usize> = Vec::new();
            for here in reached {
                let here_mark = sentence.marks.get(here)?;
                let after = sentence.marks.iter().enumerate().skip(here + 1);
                let near = after.take_while(|(_, m)| m.first <= here_mark.last + 1 + step.gap);
                let near = near.inspect(|_| work(1));
                let fitting = near.filter(|(_, m)| m.first > here_mark.last);
                let fitting = fitting.filter(|(_, m)| step.any.has(m.family));
                next.extend(fitting.map(|(place, _)| place));
            }
            next.sort_unstable();
            next.dedup();
            reached = next;
        }
        let end = reached.first().and_then(|last| sentence.marks.get(*last))?;
        Some(mark.start..end.end)
    }
}

#[cfg(test)]
mod tests {
    use super::Frame;
    use crate::gate::marks::Families;
    use std::collections::BTreeMap;

    fn check(frame: &str, text: &str, expected: &[&str]) {
        let lists: BTreeMap<String, Vec<String>> = [
            ("skip", vec!["skip+"]),
            ("check", vec!["review+", "test+"]),
            ("law", vec!["must not"]),
        ]
        .into_iter()
        .map(|(name, words)| {
            (
                name.to_owned(),
                words.into_iter().map(str::to_owned).collect(),
            )
        })
        .collect();
        let families = Families::new(&lists).unwrap();
        let frame = Frame::parse(frame, &families).unwrap();
        let found: Vec<&str> = crate::gate::marks::read(&families, text)
            .iter()
            .filter(|sentence| frame.fits(sentence))
            .flat_map(|sentence| frame.matches(sentence))
            .map(|at| text.get(at).unwrap())
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn parts_stand_in_order_within_their_gaps() {
        check(
            "skip check",
            "please skip the long review",
            &["skip the long review"],
        );
        check("skip check", "review what you skip", &[]);
        check("skip ~0 check", "skip the review", &[]);
        check("skip check", "skip it. the review is due", &[]);
        check("skip check !law", "you must not skip the review", &[]);
        check("^skip check", "we did skip the review", &[]);
        check(
            "^skip check",
            "please skip the review",
            &["skip the review"],
        );
        check("^^skip check", "please skip the review", &[]);
        check("^^skip check", "skip the review", &["skip the review"]);
        check("skip &check", "the review: skip", &["skip"]);
        check(
            "skip check",
            "skip the test, then skip the review",
            &["skip the test", "skip the review"],
        );
    }

    #[test]
    fn a_frame_that_names_nothing_known_is_refused() {
        let families = Families::new(&BTreeMap::new()).unwrap();
        for (text, why) in [
            ("skip", "no word family"),
            ("", "names no word"),
            ("~99 a", "gap"),
        ] {
            assert!(
                Frame::parse(text, &families).is_err_and(|e| e.contains(why)),
                "{text}"
            );
        }
    }
}
