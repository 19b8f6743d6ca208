//! Which side of a known pair of opposites a text takes, and whether it denies it.

use std::ops::Range;
use std::sync::LazyLock;

use crate::features::axis_table::AXES;
use crate::features::stem::stem;
use crate::features::table::Table;
use crate::features::words::Word;

/// One side of a question, taken or denied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pole {
    /// The question, by its place in the table of opposites.
    pub axis: usize,
    /// The side, by its place there.
    pub side: usize,
    /// Whether the text says that it is not so.
    pub denied: bool,
    /// Its bytes in the raw text.
    pub span: Range<usize>,
}

impl Pole {
    /// What the question is about, in one word.
    #[must_use]
    pub fn about(&self) -> &'static str {
        AXES.get(self.axis).map_or("", |axis| axis.name)
    }
}

type Entry = (Vec<String>, usize, usize);

/// Words and phrases by the stem of their first word.
static TABLE: LazyLock<Table<String, Vec<Entry>>> = LazyLock::new(|| {
    let mut table: Table<String, Vec<Entry>> = Table::default();
    for (axis, row) in AXES.iter().enumerate() {
        for (side, words) in row.sides.iter().enumerate() {
            for phrase in words.split(' ') {
                let mut stems = phrase.split('_').map(stem);
                let Some(first) = stems.next() else { continue };
                let entry = (stems.collect(), axis, side);
                let entries = table.entry(first).or_default();
                if !entries.contains(&entry) {
                    entries.push(entry);
                }
            }
        }
    }
    table
});

/// The sides that the words take.
pub(crate) fn poles(words: &[Word]) -> Vec<Pole> {
    let mut out = Vec::new();
    for (at, word) in words.iter().enumerate() {
        for (rest, axis, side) in TABLE.get(&word.stem).into_iter().flatten() {
            let Some(last) = fit(words, at, rest) else {
                continue;
            };
            // A word that denies is not denied by itself: `never` means never.
            let denied =
                word.denied && !matches!(word.lower.as_str(), "never" | "without" | "no" | "not");
            if word.given || (denied && !AXES.get(*axis).is_some_and(|row| row.deniable)) {
                continue;
            }
            out.push(Pole {
                axis: *axis,
                side: *side,
                denied,
                span: word.span.start..last.span.end.max(word.span.end),
            });
        }
    }
    out.extend((0..words.len()).filter_map(|at| switch(words, at)));
    out
}

/// `encryption: on`, `offsite copy: off`: a state that stands alone in its clause.
fn switch(words: &[Word], at: usize) -> Option<Pole> {
    let word = words.get(at)?;
    let side = match word.lower.as_str() {
        "on" | "yes" => 0,
        "off" | "no" => 1,
        _ => return None,
    };
    let other = |place: Option<usize>| {
        let it = place.and_then(|place| words.get(place));
        it.is_none_or(|it| it.clause != word.clause)
    };
    let alone = other(at.checked_sub(1)) && other(at.checked_add(1));
    let axis = AXES.iter().position(|axis| axis.name == "switch")?;
    alone.then(|| Pole {
        axis,
        side,
        denied: false,
        span: word.span.clone(),
    })
}

fn fit<'a>(words: &'a [Word], at: usize, rest: &[String]) -> Option<&'a Word> {
    let clause = words.get(at)?.clause;
    let mut last = words.get(at)?;
    let mut place = at;
    for (index, stem) in rest.iter().enumerate() {
        // A particle may stand behind what the verb takes: `turn debug logging off`.
        let particle =
            index + 1 == rest.len() && crate::features::kin::PARTICLES.contains(&stem.as_str());
        let reach = if particle { 4 } else { 1 };
        place = (place + 1..=place + reach).find(|it| {
            words
                .get(*it)
                .is_some_and(|word| word.stem == *stem && word.clause == clause)
        })?;
        last = words.get(place)?;
    }
    Some(last)
}

/// A question on which two texts take different sides.
pub(crate) fn conflicts<'a>(left: &'a [Pole], right: &'a [Pole]) -> Vec<(&'a Pole, &'a Pole)> {
    let mut out = Vec::new();
    for (axis, row) in AXES.iter().enumerate() {
        let ours = Sides::new(left, axis, row.either_or);
        let theirs = Sides::new(right, axis, row.either_or);
        if let (Some(one), Some(other)) = (ours.any, theirs.any)
            && ours.clashes(&theirs)
        {
            out.push((one, other));
        }
    }
    out
}

/// Whether both take the same side of some question, one by denying the other side.
pub(crate) fn meet_by_denial(left: &[Pole], right: &[Pole]) -> bool {
    AXES.iter()
        .enumerate()
        .filter(|(_, row)| row.either_or)
        .any(|(axis, row)| {
            let (ours, theirs) = (
                Sides::new(left, axis, row.either_or),
                Sides::new(right, axis, row.either_or),
            );
            let differ = left
                .iter()
                .filter(|pole| pole.axis == axis)
                .any(|pole| pole.denied)
                != right
                    .iter()
                    .filter(|pole| pole.axis == axis)
                    .any(|pole| pole.denied);
            differ && ours.taken & theirs.taken != 0
        })
}

/// Which sides of one question are taken, and which are denied, as bits.
struct Sides<'a> {
    taken: u32,
    denied: u32,
    any: Option<&'a Pole>,
}

impl<'a> Sides<'a> {
    fn new(poles: &'a [Pole], axis: usize, either_or: bool) -> Self {
        let mut sides = Sides {
            taken: 0,
            denied: 0,
            any: None,
        };
        for pole in poles.iter().filter(|pole| pole.axis == axis) {
            sides.any = sides.any.or(Some(pole));
            match pole.denied {
                true if either_or => sides.taken |= 1 << (1 - pole.side.min(1)),
                true => sides.denied |= 1 << pole.side,
                false => sides.taken |= 1 << pole.side,
            }
        }
        sides
    }

    fn clashes(&self, other: &Self) -> bool {
        let apart = self.taken != 0 && other.taken != 0 && self.taken & other.taken == 0;
        let denies = |one: &Self, two: &Self| {
            one.taken != 0 && one.taken & !two.denied == 0 && two.taken & one.taken == 0
        };
        apart || denies(self, other) || denies(other, self)
    }
}
