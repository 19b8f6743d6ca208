//! Finds pack rules in a text: keywords and what the pattern needs first, then the pattern, then
//! what voids it.

use crate::domain::Influence;
use crate::gate::clause;
use crate::gate::index::Seen;
use crate::gate::need::Need;
use crate::gate::packs::{Look, PackRule, Packs};
use crate::gate::reach;
use crate::gate::shape;
use crate::gate::views::{Reading, View};
use crate::gate::work::work;
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use std::collections::BTreeMap;
use std::ops::Range;

/// How many matches of one rule in one view are looked at; past it the rule holds the candidate.
const MOST: usize = 256;

/// How far behind its noun a picked value may end, in bytes.
const TAIL: usize = 512;

/// The keywords of rules that look at the bytes as they stand, where a keyword may stand anywhere.
#[derive(Debug)]
pub(crate) struct RawMatcher {
    keywords: AhoCorasick,
    /// For each keyword, the rules it picks and whether it is of their second group.
    owners: Vec<Vec<(usize, bool)>>,
    rules: usize,
}

/// One match of one rule.
#[derive(Debug, Clone)]
pub(crate) struct Hit<'a> {
    /// The rule.
    pub(crate) rule: &'a PackRule,
    /// The view it matched in.
    pub(crate) view: &'a View,
    /// The bytes of the raw text.
    pub(crate) raw: Range<usize>,
    /// Whether the words are only talked about.
    pub(crate) mention: bool,
}

/// A rule that could not answer.
#[derive(Debug, Clone)]
pub(crate) struct Mute<'a> {
    /// The rule.
    pub(crate) rule: &'a PackRule,
    /// Why.
    pub(crate) why: &'static str,
}

impl RawMatcher {
    /// An automaton over the keywords of these rules.
    pub(crate) fn new(rules: &[PackRule]) -> Option<Self> {
        let mut owners: BTreeMap<&str, Vec<(usize, bool)>> = BTreeMap::new();
        let raw = rules.iter().enumerate();
        for (place, rule) in raw.filter(|(_, rule)| rule.look == Look::Raw) {
            for word in &rule.keywords {
                owners.entry(word).or_default().push((place, false));
            }
            for word in &rule.with {
                owners.entry(word).or_default().push((place, true));
            }
        }
        let keywords = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(owners.keys())
            .ok()?;
        let owners = owners.into_values().collect();
        let rules = rules.len();
        Some(Self {
            keywords,
            owners,
            rules,
        })
    }

    /// The rules whose keywords stand in the text, in order.
    fn picked(&self, text: &str, rules: &[PackRule]) -> Vec<usize> {
        let mut any: Vec<(usize, bool)> = Vec::new();
        for found in self.keywords.find_overlapping_iter(text) {
            let owners = self.owners.get(found.pattern().as_usize());
            for owner in owners.into_iter().flatten() {
                if !any.contains(owner) {
                    any.push(*owner);
                }
            }
        }
        let second = |place: usize| rules.get(place).is_some_and(|rule| !rule.with.is_empty());
        let whole = |place: &usize| {
            any.contains(&(*place, false)) && (!second(*place) || any.contains(&(*place, true)))
        };
        match any.is_empty() {
            true => Vec::new(),
            false => (0..self.rules).filter(whole).collect(),
        }
    }
}

/// Every match of every rule in every view it looks at, and the rules that could not answer.
pub(crate) fn scan<'a>(packs: &'a Packs, reading: &'a Reading) -> (Vec<Hit<'a>>, Vec<Mute<'a>>) {
    let mut hits = Vec::new();
    let mut mute = Vec::new();
    for (look, view) in reading.seen() {
        if look == Look::Raw {
            tried(&picked_raw(packs, &view.text), view, &mut hits, &mut mute);
            continue;
        }
        let seen = packs.index().read(&view.text);
        let rules = packs.rules().iter().enumerate();
        let stands = |(place, rule): &(usize, &PackRule)| {
            seen.picks(*place, !rule.with.is_empty()) && rule.need.met(&seen.present)
        };
        let picked: Vec<&PackRule> = rules.filter(stands).map(|(_, rule)| rule).collect();
        tried(&picked, view, &mut hits, &mut mute);
        framed(packs, view, &seen, &mut hits, &mut mute);
    }
    (hits, mute)
}

fn tried<'a>(
    rules: &[&'a PackRule],
    view: &'a View,
    hits: &mut Vec<Hit<'a>>,
    mute: &mut Vec<Mute<'a>>,
) {
    for rule in rules {
        match matches(rule, view) {
            Ok(found) => hits.extend(found),
            Err(why) => mute.push(Mute { rule, why }),
        }
    }
}

/// Every match of every frame in one view, rule by rule.
fn framed<'a>(
    packs: &'a Packs,
    view: &'a View,
    seen: &Seen,
    hits: &mut Vec<Hit<'a>>,
    mute: &mut Vec<Mute<'a>>,
) {
    let sentences = packs.families().sentences(&view.text, seen);
    let mut fitting: Vec<(usize, usize, usize)> = Vec::new();
    for (at, sentence) in sentences.iter().enumerate() {
        let begun = packs.frames().begun_in(sentence).into_iter();
        let fits = |(rule, frame): &(usize, usize)| {
            let rule = packs.rules().get(*rule);
            let frame = rule.and_then(|rule| rule.frames.get(*frame));
            frame.is_some_and(|frame| frame.fits(sentence))
        };
        fitting.extend(begun.filter(fits).map(|(rule, frame)| (rule, at, frame)));
    }
    fitting.sort_unstable();
    for of_rule in fitting.chunk_by(|a, b| a.0 == b.0) {
        let first = of_rule.first().map(|(rule, ..)| *rule);
        let Some(rule) = first.and_then(|rule| packs.rules().get(rule)) else {
            continue;
        };
        let places = of_rule.iter().flat_map(|(_, sentence, frame)| {
            let pair = sentences.get(*sentence).zip(rule.frames.get(*frame));
            pair.map_or_else(Vec::new, |(sentence, frame)| frame.matches(sentence))
        });
        let mut excused = None;
        for (count, at) in places.enumerate() {
            if count == MOST {
                let why = "it matches more often than it may";
                mute.push(Mute { rule, why });
                break;
            }
            match stands(rule, view, &at, at.start, &mut excused) {
                Ok(true) => hits.push(hit(rule, view, at)),
                Ok(false) => (),
                Err(why) => mute.push(Mute { rule, why }),
            }
        }
    }
}

fn hit<'a>(rule: &'a PackRule, view: &'a View, at: Range<usize>) -> Hit<'a> {
    let mention = view.clauses().is_mention(rule.class, &view.text, &at);
    let raw = view.raw(at);
    Hit {
        rule,
        view,
        raw,
        mention,
    }
}

/// Whether one rule finds anything but a mention in a text.
pub(crate) fn finds(packs: &Packs, id: &str, text: &str) -> bool {
    let reading = Reading::of(text);
    let (hits, _) = scan(packs, &reading);
    hits.iter().any(|hit| hit.rule.id == id && !hit.mention)
}

/// The highest influence the matches stand for, mentions apart.
pub(crate) fn influence<'a>(hits: &'a [Hit<'a>]) -> Option<(Influence, &'a Hit<'a>)> {
    hits.iter()
        .filter(|hit| !hit.mention)
        .filter_map(|hit| hit.rule.influence.map(|influence| (influence, hit)))
        .max_by_key(|(influence, _)| *influence)
}

/// The rules for bytes as they stand whose keywords stand in a text, with all their patterns need.
pub(crate) fn picked_raw<'a>(packs: &'a Packs, text: &str) -> Vec<&'a PackRule> {
    let picked = packs.raw().picked(text, packs.rules()).into_iter();
    let mut rules: Vec<&PackRule> = picked.filter_map(|at| packs.rules().get(at)).collect();
    if rules.iter().any(|rule| rule.need != Need::Nothing) {
        let seen = packs.raw_index().read(&text.to_ascii_lowercase());
        rules.retain(|rule| rule.need.met(&seen.present));
    }
    rules
}

/// The raw bytes of every match of a rule in a view, however many.
pub(crate) fn every_match(rule: &PackRule, view: &View) -> Result<Vec<Range<usize>>, &'static str> {
    let mut from = 0;
    let mut out = Vec::new();
    let mut excused = None;
    while let Some(step) = next_match(rule, view, from, &mut excused)? {
        from = step.next;
        out.extend(step.at.map(|at| view.raw(at)));
    }
    Ok(out)
}

fn matches<'a>(rule: &'a PackRule, view: &'a View) -> Result<Vec<Hit<'a>>, &'static str> {
    let mut hits = Vec::new();
    let (mut from, mut excused) = (0, None);
    for _ in 0..MOST {
        let Some(step) = next_match(rule, view, from, &mut excused)? else {
            return Ok(hits);
        };
        from = step.next;
        if let Some(at) = step.at {
            hits.push(hit(rule, view, at));
        }
    }
    Err("it matches more often than it may")
}

/// One match of the pattern: where the value stands if nothing voids it, and where to go on.
struct Step {
    at: Option<Range<usize>>,
    next: usize,
}

fn next_match(
    rule: &PackRule,
    view: &View,
    from: usize,
    excused: &mut Excused,
) -> Result<Option<Step>, &'static str> {
    let pattern = rule.pattern().ok_or("its pattern does not compile")?;
    if from > view.text.len() {
        return Ok(None);
    }
    let Some(whole) = pattern.find_at(view.text.as_bytes(), from) else {
        work(view.text.len() - from);
        return Ok(None);
    };
    work(whole.end() - from);
    let value = if pattern.captures_len() > 1 {
        let groups = pattern.captures_at(view.text.as_bytes(), whole.start());
        let group = groups.and_then(|groups| groups.get(1).map(|group| group.range()));
        group.unwrap_or_else(|| whole.range())
    } else {
        whole.range()
    };
    let Some(at) = value_of(rule, view, view.on_characters(value)) else {
        let next = (whole.start() + 1).max(from + 1);
        return Ok(Some(Step { at: None, next }));
    };
    if stands(rule, view, &at, whole.start(), excused)? {
        let next = at.end.max(from + 1);
        return Ok(Some(Step { at: Some(at), next }));
    }
    let next = (whole.start() + 1).max(from + 1);
    Ok(Some(Step { at: None, next }))
}

/// The bytes of the value: what was captured, or the first word after it that fits.
fn value_of(rule: &PackRule, view: &View, captured: Range<usize>) -> Option<Range<usize>> {
    let Some(token) = rule.token else {
        return Some(captured);
    };
    let (start, found) = if rule.pick {
        let end = view
            .on_characters(captured.end..(captured.end + TAIL).min(view.text.len()))
            .end;
        let line = view.text.get(captured.end..end)?.split('\n').next()?;
        (captured.end, shape::first_value(token, line)?)
    } else {
        let text = view.text.get(captured.clone())?;
        (captured.start, shape::value(token, text)?)
    };
    Some(start + found.start..start + found.end)
}

/// The sentence that an exception was last looked for in, and whether it stood there.
type Excused = Option<(Range<usize>, bool)>;

fn stands(
    rule: &PackRule,
    view: &View,
    at: &Range<usize>,
    start: usize,
    excused: &mut Excused,
) -> Result<bool, &'static str> {
    let negated = rule.negatable && clause::is_negated(&view.text, start);
    if negated || (rule.unasked && view.clauses().is_asked(&view.text, at)) {
        return Ok(false);
    }
    match rule.near() {
        None => (),
        Some(None) => return Err("what must stand near it does not compile"),
        Some(Some((pattern, words))) => {
            let sentence = view.clauses().sentence(at);
            if !reach::stands_near(pattern, words, &view.text, at, &sentence) {
                return Ok(false);
            }
        }
    }
    let unless = match rule.unless() {
        None => return Ok(true),
        Some(None) => return Err("its exception does not compile"),
        Some(Some(unless)) => unless,
    };
    let sentence = view.clauses().sentence(at);
    if let Some((_, found)) = excused.as_ref().filter(|(same, _)| *same == sentence) {
        return Ok(!found);
    }
    let words = view.text.get(sentence.clone()).unwrap_or_default();
    work(words.len());
    let found = unless.is_match(words.as_bytes());
    *excused = Some((sentence, found));
    Ok(!found)
}
