//! The patterns of one layer, and the search for the one that a new wording belongs to.

use std::collections::{BTreeMap, HashMap};

use crate::domain::Digest;
use crate::recurrence::grouper::{How, Lines, Link, Placed};
use crate::recurrence::guard::{Objection, objections};
use crate::recurrence::reading::Reading;
use crate::recurrence::score::Likeness;
use crate::recurrence::shortlist::Index;

/// How many patterns a new wording is held against at most.
const MOST_PATTERNS: usize = 10;
/// How many links of a kind are reported for one wording.
const MOST_LINKS: usize = 5;

/// From so many kept wordings on, words are weighed by how few of them have them.
const ENOUGH: usize = 200;
/// What a word is worth at least that every wording has.
const FLOOR: f32 = 0.2;

/// The patterns of one layer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shelf {
    /// The number of its pattern, for each wording.
    known: HashMap<Digest, u32>,
    patterns: Vec<Pattern>,
    /// The wordings that patterns are compared by, each with the number of its pattern.
    compared: Vec<(u32, Reading)>,
    index: Index,
}

#[derive(Debug, Clone)]
struct Pattern {
    founder: Digest,
    wordings: u32,
    compared: Vec<u32>,
}

/// What a comparison came to.
#[derive(Debug)]
enum Seen {
    Same(Link),
    Maybe(Link),
    Against(Link),
}

impl Shelf {
    /// The founder of the pattern that holds a wording.
    pub(crate) fn pattern_of(&self, key: &Digest) -> Option<Digest> {
        Some(self.pattern(*self.known.get(key)?)?.founder)
    }

    /// How many wordings and how many patterns there are.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.known.len(), self.patterns.len())
    }

    /// Whether one more wording of this pattern is kept for comparing.
    pub(crate) fn has_room(&self, lines: &Lines, pattern: &Digest) -> bool {
        let known = self
            .known
            .get(pattern)
            .and_then(|number| self.pattern(*number));
        known.is_none_or(|pattern| pattern.compared.len() < lines.kept.max(1) as usize)
    }

    /// Enters a wording into a pattern; with its reading where the pattern is compared by it.
    pub(crate) fn enter(&mut self, key: Digest, founder: Digest, reading: Option<Reading>) {
        let number = self.number(founder);
        self.known.insert(key, number);
        let place = narrow(self.compared.len());
        let Some(pattern) = self.patterns.get_mut(number as usize) else {
            return;
        };
        pattern.wordings = pattern.wordings.saturating_add(1);
        if let Some(reading) = reading {
            pattern.compared.push(place);
            self.index.enter(&reading.signature().handles(), place);
            self.compared.push((number, reading));
        }
    }

    fn number(&mut self, founder: Digest) -> u32 {
        if let Some(number) = self.known.get(&founder) {
            return *number;
        }
        let number = narrow(self.patterns.len());
        self.patterns.push(Pattern {
            founder,
            wordings: 0,
            compared: Vec::new(),
        });
        self.known.insert(founder, number);
        number
    }

    fn pattern(&self, number: u32) -> Option<&Pattern> {
        self.patterns.get(number as usize)
    }

    fn compared(&self, place: u32) -> Option<&(u32, Reading)> {
        self.compared.get(place as usize)
    }

    /// Finds the pattern a new wording belongs to, and those it must be seen beside.
    pub(crate) fn find(&self, lines: &Lines, key: Digest, reading: &Reading) -> Placed {
        let mut placed = Placed::new(key, key, How::Founded);
        for number in self.alike(lines, reading) {
            match self.compare(lines, number, reading) {
                Some(Seen::Same(link)) if placed.how == How::Founded => {
                    placed.pattern = link.pattern;
                    placed.how = How::Joined(link);
                }
                Some(Seen::Same(link) | Seen::Maybe(link)) => placed.maybe.push(link),
                Some(Seen::Against(link)) => placed.possibly_contradicting.push(link),
                None => {}
            }
        }
        placed.maybe.truncate(MOST_LINKS);
        placed.possibly_contradicting.truncate(MOST_LINKS);
        placed
    }

    /// The patterns that are alike enough to be looked at. The likest first, where a pattern of
    /// many wordings goes before a small one: otherwise what recurs falls apart into crumbs.
    fn alike(&self, lines: &Lines, reading: &Reading) -> Vec<u32> {
        let signature = reading.signature();
        let mut likest: BTreeMap<u32, f32> = BTreeMap::new();
        for place in self.index.nearest(&signature.handles()) {
            let Some((pattern, there)) = self.compared(place) else {
                continue;
            };
            let score = Likeness::of(reading, there).score();
            if score >= lines.maybe {
                let known = likest.entry(*pattern).or_default();
                *known = known.max(score);
            }
        }
        self.alike_by_meaning(lines, reading, &mut likest);
        let mut ranked: Vec<(f32, Digest, u32)> = likest
            .into_iter()
            .filter_map(|(number, score)| {
                let pattern = self.pattern(number)?;
                let grown = (pattern.wordings.max(1) as f32).log2();
                Some((score + lines.grown * grown, pattern.founder, number))
            })
            .collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        ranked.truncate(MOST_PATTERNS);
        ranked.into_iter().map(|(_, _, number)| number).collect()
    }

    /// Patterns that share neither rare words nor letters, and point the same way in a table of
    /// vectors. Every kept wording is looked at: a table is worth its price on a desk, not on a
    /// million patterns.
    fn alike_by_meaning(&self, lines: &Lines, reading: &Reading, likest: &mut BTreeMap<u32, f32>) {
        if reading.direction().is_none() {
            return;
        }
        for (pattern, there) in &self.compared {
            let meaning = Likeness::meaning_of(reading, there);
            if meaning >= lines.same {
                let known = likest.entry(*pattern).or_default();
                *known = known.max(meaning);
            }
        }
    }

    /// How alike two wordings are among all that are here: what very many wordings have in common
    /// says less. With few wordings nobody knows what is common.
    fn likeness(&self, one: &Reading, other: &Reading) -> Likeness {
        let all = self.compared.len();
        if all < ENOUGH {
            return Likeness::of(one, other);
        }
        let most = (1.0 + all as f32).ln();
        let rarity = |id: u64| {
            let idf = 1.0 - (1.0 + self.index.count(id) as f32).ln() / most;
            (FLOOR + (1.0 - FLOOR) * idf).clamp(FLOOR, 1.0)
        };
        Likeness::among(one, other, &rarity)
    }

    /// Holds a wording against all that is kept of one pattern.
    fn compare(&self, lines: &Lines, number: u32, reading: &Reading) -> Option<Seen> {
        let pattern = self.pattern(number)?;
        let kept = pattern
            .compared
            .iter()
            .filter_map(|place| self.compared(*place));
        let mut near: Vec<(Likeness, &Reading)> = kept
            .map(|(_, there)| (self.likeness(reading, there), there))
            .collect();
        near.sort_by(|one, other| other.0.score().total_cmp(&one.0.score()));
        let average = near
            .iter()
            .map(|(likeness, _)| likeness.score())
            .sum::<f32>()
            / near.len().max(1) as f32;
        let (mut best, mut nothing_against) = (None, true);
        for (likeness, there) in near {
            let link = Link {
                pattern: pattern.founder,
                with: there.text().to_owned(),
                likeness,
                objections: objections(reading, there),
            };
            if link.objections.iter().any(Objection::contradicts) {
                return Some(Seen::Against(link));
            }
            nothing_against &= link.objections.is_empty();
            best = best.or(Some(link));
        }
        let best = best?;
        let same = best.likeness.score() >= lines.same
            && (best.likeness.words >= lines.words || best.likeness.meaning >= lines.same)
            && average >= lines.drift;
        Some(match same && nothing_against {
            true => Seen::Same(best),
            false => Seen::Maybe(best),
        })
    }
}

fn narrow(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
