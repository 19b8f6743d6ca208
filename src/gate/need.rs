//! What a pattern cannot match without: words read off the pattern itself, so that most patterns
//! are never run. Sound by construction: where nothing can be said, nothing is needed.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Capture, Class, Hir, HirKind, Look};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most spellings one stretch of a pattern may have before it is cut.
const SPELLINGS: usize = 48;
/// The shortest word worth looking for, in bytes.
const SHORTEST: usize = 3;
/// The most signs a class may have to count as spelled out.
const SIGNS: usize = 6;

/// Which words must stand in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nothing can be said.
    Nothing,
    /// One of these words.
    Word(Vec<usize>),
    /// Each of these.
    All(Vec<Need>),
    /// One of these.
    Any(Vec<Need>),
}

/// The words of many needs, each once, and the word lists that patterns name.
#[derive(Debug, Default)]
pub(crate) struct NeededWords {
    numbers: BTreeMap<String, usize>,
    lists: BTreeMap<String, Arc<Hir>>,
}

/// The words of a text that some need names.
#[derive(Debug, Default)]
pub(crate) struct Present(Vec<u64>);

type Spellings = Vec<Vec<u8>>;

/// What a group of a pattern holds.
enum Behind<'a> {
    /// What is written in it.
    Group(&'a Hir),
    /// A list of words.
    List(Arc<Hir>),
    /// A list nobody knows.
    Unknown,
}

/// What was read of one part of a pattern.
enum Part {
    /// Exactly these spellings, and whether they begin where a word may begin.
    Spelled(Spellings, bool),
    /// Anything, as long as this is met.
    Open(Need),
}

impl Need {
    /// What a text must hold for this pattern to match; nothing where the pattern cannot be read.
    pub(crate) fn of(pattern: &str, words: &mut NeededWords) -> Self {
        let Some(hir) = parsed(pattern) else {
            return Self::Nothing;
        };
        match words.part(&hir, false) {
            Part::Spelled(spellings, starts) => words.spelled(spellings, starts),
            Part::Open(need) => need,
        }
    }

    /// Whether a text with these words can match.
    pub(crate) fn met(&self, present: &Present) -> bool {
        match self {
            Self::Nothing => true,
            Self::Word(words) => words.iter().any(|word| present.has(*word)),
            Self::All(needs) => needs.iter().all(|need| need.met(present)),
            Self::Any(needs) => needs.iter().any(|need| need.met(present)),
        }
    }

    fn all(needs: Vec<Self>) -> Self {
        let mut needs: Vec<Self> = needs.into_iter().filter(|n| *n != Self::Nothing).collect();
        match needs.len() {
            0 => Self::Nothing,
            1 => needs.swap_remove(0),
            _ => Self::All(needs),
        }
    }

    fn any(needs: Vec<Self>) -> Self {
        match needs.contains(&Self::Nothing) {
            true => Self::Nothing,
            false => Self::Any(needs),
        }
    }
}

impl Present {
    /// Room for this many words.
    pub(crate) fn of(words: usize) -> Self {
        Self(vec![0; words.div_ceil(64)])
    }

    pub(crate) fn add(&mut self, word: usize) {
        if let Some(bits) = self.0.get_mut(word / 64) {
            *bits |= 1 << (word % 64);
        }
    }

    fn has(&self, word: usize) -> bool {
        let bits = self.0.get(word / 64);
        bits.is_some_and(|bits| bits & (1 << (word % 64)) != 0)
    }
}

/// Reads a pattern in which lists are only named: each list is read once, not once a pattern.
fn parsed(pattern: &str) -> Option<Hir> {
    let mut named = String::with_capacity(pattern.len());
    for (place, piece) in pattern.split('%').enumerate() {
        match (place % 2, piece) {
            (0, piece) => named.push_str(piece),
            (_, "") => named.push('%'),
            (_, list) => named.push_str(&format!("(?P<{list}.{place}>)")),
        }
    }
    let mut parser = ParserBuilder::new().unicode(false).utf8(false).build();
    parser.parse(&named).ok()
}

impl NeededWords {
    /// None yet, for patterns that name these lists.
    pub(crate) fn over(lists: &BTreeMap<String, Vec<String>>) -> Self {
        let read = |(name, members): (&String, &Vec<String>)| {
            Some((name.clone(), Arc::new(parsed(&members.join("|"))?)))
        };
        Self {
            numbers: BTreeMap::new(),
            lists: lists.iter().filter_map(read).collect(),
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The list a group stands for; an empty group of its own for one that could not be read.
    fn behind<'a>(&self, capture: &'a Capture) -> Behind<'a> {
        let Some(name) = capture.name.as_deref() else {
            return Behind::Group(&capture.sub);
        };
        let list = name.split('.').next().and_then(|name| self.lists.get(name));
        list.map_or(Behind::Unknown, |list| Behind::List(list.clone()))
    }

    /// Each word with its number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        self.numbers
            .iter()
            .map(|(word, number)| (word.as_str(), *number))
    }

    /// One of these spellings must stand; `starts` where they stand behind no letter or digit.
    fn spelled(&mut self, mut spellings: Spellings, starts: bool) -> Need {
        // Words are only looked for where they may begin.
        let findable = |text: &Vec<u8>| {
            text.len() >= SHORTEST
                && (starts || text.first().is_some_and(|b| !b.is_ascii_alphanumeric()))
        };
        if spellings.is_empty() || !spellings.iter().all(findable) {
            return Need::Nothing;
        }
        spellings.sort_unstable();
        let mut words = Vec::new();
        let mut last: Option<Vec<u8>> = None;
        for text in spellings {
            // In order, so that what begins with another stands right behind it.
            if last.as_ref().is_some_and(|last| text.starts_with(last)) {
                continue;
            }
            let Ok(word) = String::from_utf8(text.clone()) else {
                return Need::Nothing;
            };
            let number = self.numbers.len();
            words.push(*self.numbers.entry(word).or_insert(number));
            last = Some(text);
        }
        Need::Word(words)
    }

    fn needed(&mut self, part: Part) -> Need {
        match part {
            Part::Spelled(spellings, starts) => self.spelled(spellings, starts),
            Part::Open(need) => need,
        }
    }

    /// Reads one part; `starts` where no letter or digit stands right before it.
    fn part(&mut self, hir: &Hir, starts: bool) -> Part {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {
                let starts = self.ends_word(hir, starts);
                Part::Spelled(vec![Vec::new()], starts)
            }
            HirKind::Literal(literal) => {
                Part::Spelled(vec![literal.0.to_ascii_lowercase()], starts)
            }
            HirKind::Class(class) => match signs(class) {
                Some(signs) => Part::Spelled(signs, starts),
                None => Part::Open(Need::Nothing),
            },
            HirKind::Capture(capture) => match self.behind(capture) {
                Behind::Group(sub) => self.part(sub, starts),
                Behind::List(list) => self.part(&list, starts),
                Behind::Unknown => Part::Open(Need::Nothing),
            },
            HirKind::Repetition(repeat) => {
                let part = self.part(&repeat.sub, starts);
                match (repeat.min, repeat.max, part) {
                    (0, Some(1), Part::Spelled(mut spellings, same)) if same == starts => {
                        spellings.push(Vec::new());
                        Part::Spelled(spellings, starts)
                    }
                    (0, _, _) => Part::Open(Need::Nothing),
                    (1, Some(1), part) => part,
                    (_, _, part) => Part::Open(self.needed(part)),
                }
            }
            HirKind::Concat(parts) => self.in_turn(parts, starts),
            HirKind::Alternation(parts) => self.either(parts, starts),
        }
    }

    fn in_turn(&mut self, parts: &[Hir], starts: bool) -> Part {
        let empty = || vec![Vec::new()];
        let is_empty = |run: &Spellings| run.iter().all(Vec::is_empty);
        let (mut run, mut run_starts) = (empty(), starts);
        let mut needs: Vec<Need> = Vec::new();
        let (mut here, mut open) = (starts, false);
        for hir in parts {
            let part = self.part(hir, here);
            let after = self.ends_word(hir, here);
            match part {
                Part::Spelled(spellings, begins) => {
                    if run.len() * spellings.len() > SPELLINGS {
                        needs.push(self.spelled(std::mem::take(&mut run), run_starts));
                        (run, open) = (empty(), true);
                    }
                    if is_empty(&run) {
                        run_starts = begins;
                    }
                    run = joined(run, spellings);
                }
                Part::Open(need) => {
                    needs.push(self.spelled(std::mem::take(&mut run), run_starts));
                    needs.push(need);
                    (run, run_starts, open) = (empty(), after, true);
                }
            }
            here = after;
        }
        if !open {
            return Part::Spelled(run, run_starts);
        }
        needs.push(self.spelled(run, run_starts));
        Part::Open(Need::all(needs))
    }

    fn either(&mut self, parts: &[Hir], starts: bool) -> Part {
        let parts: Vec<Part> = parts.iter().map(|hir| self.part(hir, starts)).collect();
        let spelled = |part: &Part| match part {
            Part::Spelled(spellings, begins) => Some((spellings.len(), *begins)),
            Part::Open(_) => None,
        };
        let first = parts.first().and_then(spelled);
        let mut spellings = 0;
        let same = parts.iter().all(|part| {
            let part = spelled(part);
            spellings += part.map_or(0, |(count, _)| count);
            part.map(|(_, begins)| begins) == first.map(|(_, begins)| begins)
        });
        match first {
            Some((_, begins)) if same && spellings <= SPELLINGS => {
                let all = parts.into_iter().flat_map(|part| match part {
                    Part::Spelled(spellings, _) => spellings,
                    Part::Open(_) => Vec::new(),
                });
                Part::Spelled(all.collect(), begins)
            }
            _ => {
                let needs = parts.into_iter().map(|part| self.needed(part)).collect();
                Part::Open(Need::any(needs))
            }
        }
    }

    /// Whether no letter or digit can stand right before what follows this part, or a boundary does.
    fn ends_word(&self, hir: &Hir, before: bool) -> bool {
        match hir.kind() {
            HirKind::Empty => before,
            HirKind::Literal(literal) => {
                literal.0.last().is_some_and(|b| !b.is_ascii_alphanumeric())
            }
            HirKind::Class(Class::Bytes(class)) => !class
                .iter()
                .any(|range| (range.start()..=range.end()).any(|b| b.is_ascii_alphanumeric())),
            HirKind::Class(Class::Unicode(_)) => false,
            HirKind::Look(look) => match look {
                Look::WordAscii
                | Look::WordStartAscii
                | Look::Start
                | Look::StartLF
                | Look::StartCRLF => true,
                Look::End | Look::EndLF | Look::EndCRLF => before,
                _ => false,
            },
            HirKind::Repetition(repeat) => {
                let after = self.ends_word(&repeat.sub, before);
                after && (repeat.min > 0 || before)
            }
            HirKind::Capture(capture) => match self.behind(capture) {
                Behind::Group(sub) => self.ends_word(sub, before),
                Behind::List(list) => self.ends_word(&list, before),
                Behind::Unknown => false,
            },
            HirKind::Concat(parts) => parts
                .iter()
                .fold(before, |before, part| self.ends_word(part, before)),
            HirKind::Alternation(parts) => parts.iter().all(|part| self.ends_word(part, before)),
        }
    }
}

fn joined(heads: Spellings, tails: Spellings) -> Spellings {
    match (heads.as_slice(), tails.as_slice()) {
        ([head], _) if head.is_empty() => return tails,
        (_, [tail]) if tail.is_empty() => return heads,
        _ => (),
    }
    let pairs = heads.iter().flat_map(|head| {
        tails
            .iter()
            .map(move |tail| [head.as_slice(), tail].concat())
    });
    let mut all: Spellings = pairs.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The signs of a small class, in lower case.
fn signs(class: &Class) -> Option<Spellings> {
    let Class::Bytes(class) = class else {
        return None;
    };
    let mut signs = Spellings::new();
    for range in class.iter() {
        for byte in range.start()..=range.end() {
            let sign = vec![byte.to_ascii_lowercase()];
            if !signs.contains(&sign) {
                signs.push(sign);
            }
            if signs.len() > SIGNS {
                return None;
            }
        }
    }
    (!signs.is_empty()).then_some(signs)
}

#[cfg(test)]
mod tests {
    use super::{Need, NeededWords, Present};

    /// Whether a text of these words can match the pattern.
    fn check(pattern: &str, words: &[&str], expected: bool) {
        let mut all = NeededWords::default();
        let need = Need::of(pattern, &mut all);
        let mut present = Present::of(all.len());
        for (word, number) in all.iter() {
            if words.iter().any(|text| text.starts_with(word)) {
                present.add(number);
            }
        }
        assert_eq!(need.met(&present), expected, "{pattern}: {need:?} {all:?}");
    }

    #[test]
    fn what_every_match_holds_is_needed() {
        check(
            r"\bskip(?:s|ped)? (?:the|a) review",
            &["skipped it", "the review"],
            false,
        );
        check(r"\bskip\w*\W+\w+\W+review", &["skips", "review"], true);
        check(r"\bskip\w*\W+\w+\W+review", &["skips"], false);
        check(r"\b(?:skip|omit)\b", &["omits"], true);
        check(r"\b(?:skip|omit)\b", &["keep"], false);
        check(r"(?:\bskip|\bomit\w+ it)", &["omit", "skip"], true);
        check(r"(?:^|[^A-Z])AKIA[0-9]{3}", &["akia"], true);
        check(r"(?:^|[^A-Za-z0-9])AKIA[0-9]{3}", &["asia"], false);
    }

    #[test]
    fn where_nothing_can_be_said_nothing_is_needed() {
        check(r"[a-z]+", &[], true);
        check(r"(?:review)?", &[], true);
        check(r"review", &[], true);
        check(r"\b(?:review|\w+)", &[], true);
        check(r"(", &[], true);
        check(r"\b%nobody%", &[], true);
    }

    #[test]
    fn a_list_is_needed_by_one_of_its_members() {
        let members = ["review", "sign-?off", "%more%"]
            .map(str::to_owned)
            .to_vec();
        let lists = [("control", members), ("more", vec!["consent".to_owned()])];
        let lists = lists.map(|(name, members)| (name.to_owned(), members));
        let mut all = NeededWords::over(&lists.into());
        let need = Need::of(r"\bskip\W+%control%\b", &mut all);
        let met = |text: &str| {
            let mut present = Present::of(all.len());
            let stands = |word: &str| text.split(' ').any(|w| w.starts_with(word));
            all.iter()
                .filter(|(word, _)| stands(word))
                .for_each(|(_, number)| present.add(number));
            need.met(&present)
        };
        assert!(met("skip review") && met("skip consent") && met("skip sign-off"));
        assert!(!met("skip it") && !met("review"), "{need:?}");
    }
}
