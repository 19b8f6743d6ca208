//! Finds pack rules in a text: keywords first, then the pattern, then what voids it.

use crate::domain::Influence;
use crate::gate::clause;
use crate::gate::packs::{Look, PackRule, Packs};
use crate::gate::reach;
use crate::gate::shape;
use crate::gate::views::{Reading, View};
use aho_corasick::AhoCorasick;
use std::ops::Range;

/// How many matches of one rule in one view are looked at; past it the rule holds the candidate.
const MOST: usize = 256;

/// How far behind its noun a picked value may end, in bytes.
const TAIL: usize = 512;

/// The keyword automaton of one kind of view.
#[derive(Debug)]
pub(crate) struct Matcher {
    keywords: AhoCorasick,
    /// For each keyword, the rules it picks and whether it is of their second group.
    owners: Vec<Vec<(usize, bool)>>,
    rules: usize,
    /// Whether keywords count only where a word begins.
    whole_words: bool,
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

impl Matcher {
    /// An automaton over the keywords of the rules that look at this kind of view.
    pub(crate) fn new(rules: &[PackRule], look: Look) -> Option<Self> {
        let mut words: Vec<String> = Vec::new();
        let mut owners: Vec<Vec<(usize, bool)>> = Vec::new();
        let mut known = std::collections::BTreeMap::new();
        for (place, rule) in rules
            .iter()
            .enumerate()
            .filter(|(_, rule)| rule.look == look)
        {
            let first = rule.keywords.iter().map(|word| (word, false));
            let second = rule.with.iter().map(|word| (word, true));
            for (word, with) in first.chain(second) {
                let slot = *known.entry(word.clone()).or_insert_with(|| {
                    words.push(word.clone());
                    owners.push(Vec::new());
                    words.len() - 1
                });
                owners.get_mut(slot)?.push((place, with));
            }
        }
        let keywords = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(words)
            .ok()?;
        let rules = rules.len();
        Some(Self {
            keywords,
            owners,
            rules,
            whole_words: look == Look::Folded,
        })
    }

    /// The rules whose keywords stand in the text.
    fn picked(&self, text: &str, rules: &[PackRule]) -> Vec<usize> {
        let mut seen = vec![(false, false); self.rules];
        let mut any = Vec::new();
        for found in self.keywords.find_overlapping_iter(text) {
            if self.whole_words && !starts_word(text.as_bytes(), found.range()) {
                continue;
            }
            let owners = self.owners.get(found.pattern().as_usize());
            for &(rule, with) in owners.into_iter().flatten() {
                let Some(slot) = seen.get_mut(rule) else {
                    continue;
                };
                if !slot.0 && !slot.1 {
                    any.push(rule);
                }
                if with { slot.1 = true } else { slot.0 = true }
            }
        }
        let whole = |place: &usize| {
            let both = seen.get(*place).copied().unwrap_or_default();
            both.0 && (both.1 || rules.get(*place).is_some_and(|rule| rule.with.is_empty()))
        };
        any.retain(whole);
        any.sort_unstable();
        any
    }
}

/// Whether a keyword stands where a word begins; one that begins with a sign may stand anywhere,
/// and so may one in a script without spaces.
fn starts_word(text: &[u8], at: Range<usize>) -> bool {
    let first = text.get(at.start).is_none_or(u8::is_ascii_alphanumeric);
    let before = at.start.checked_sub(1).and_then(|place| text.get(place));
    !first || !before.is_some_and(u8::is_ascii_alphanumeric)
}

/// Every match of every rule in every view it looks at, and the rules that could not answer.
pub(crate) fn scan<'a>(packs: &'a Packs, reading: &'a Reading) -> (Vec<Hit<'a>>, Vec<Mute<'a>>) {
    let mut hits = Vec::new();
    let mut mute = Vec::new();
    for (look, view) in reading.seen() {
        for rule in picked(packs, look, &view.text) {
            match matches(rule, view) {
                Ok(found) => hits.extend(found),
                Err(why) => mute.push(Mute { rule, why }),
            }
        }
        if look == Look::Folded {
            framed(packs, view, &mut hits, &mut mute);
        }
    }
    (hits, mute)
}

/// Every match of every frame in one view.
fn framed<'a>(packs: &'a Packs, view: &'a View, hits: &mut Vec<Hit<'a>>, mute: &mut Vec<Mute<'a>>) {
    let sentences = packs.families().read(&view.text);
    if sentences.is_empty() {
        return;
    }
    for rule in packs.rules().iter().filter(|rule| !rule.frames.is_empty()) {
        let places = sentences.iter().flat_map(|sentence| {
            let frames = rule.frames.iter();
            frames.flat_map(|frame| frame.matches(sentence))
        });
        for (count, at) in places.enumerate() {
            if count == MOST {
                let why = "it matches more often than it may";
                mute.push(Mute { rule, why });
                break;
            }
            match stands(rule, view, &at, at.start) {
                Ok(true) => hits.push(hit(rule, view, at)),
                Ok(false) => (),
                Err(why) => mute.push(Mute { rule, why }),
            }
        }
    }
}

fn hit<'a>(rule: &'a PackRule, view: &'a View, at: Range<usize>) -> Hit<'a> {
    let mention = clause::is_mention(rule.class, &view.text, &at);
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

/// The rules whose keywords stand in a text.
pub(crate) fn picked<'a>(packs: &'a Packs, look: Look, text: &str) -> Vec<&'a PackRule> {
    let places = packs.matcher(look).picked(text, packs.rules());
    places
        .into_iter()
        .filter_map(|place| packs.rules().get(place))
        .collect()
}

/// The raw bytes of every match of a rule in a view, however many.
pub(crate) fn every_match(rule: &PackRule, view: &View) -> Vec<Range<usize>> {
    let mut from = 0;
    let mut out = Vec::new();
    while let Ok(Some(step)) = next_match(rule, view, from) {
        from = step.next;
        out.extend(step.at.map(|at| view.raw(at)));
    }
    out
}

fn matches<'a>(rule: &'a PackRule, view: &'a View) -> Result<Vec<Hit<'a>>, &'static str> {
    let mut hits = Vec::new();
    let mut from = 0;
    for _ in 0..MOST {
        let Some(step) = next_match(rule, view, from)? else {
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

fn next_match(rule: &PackRule, view: &View, from: usize) -> Result<Option<Step>, &'static str> {
    let pattern = rule.pattern().ok_or("its pattern does not compile")?;
    if from > view.text.len() {
        return Ok(None);
    }
    let Some(whole) = pattern.find_at(view.text.as_bytes(), from) else {
        return Ok(None);
    };
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
    if stands(rule, view, &at, whole.start())? {
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

fn stands(
    rule: &PackRule,
    view: &View,
    at: &Range<usize>,
    start: usize,
) -> Result<bool, &'static str> {
    let negated = rule.negatable && clause::is_negated(&view.text, start);
    if negated || (rule.unasked && clause::is_asked(&view.text, at)) {
        return Ok(false);
    }
    match rule.near() {
        None => (),
        Some(None) => return Err("what must stand near it does not compile"),
        Some(Some((pattern, words))) if !reach::stands_near(pattern, words, &view.text, at) => {
            return Ok(false);
        }
        Some(Some(_)) => (),
    }
    match rule.unless() {
        None => Ok(true),
        Some(None) => Err("its exception does not compile"),
        Some(Some(unless)) => {
            let sentence = clause::sentence(&view.text, at);
            let words = view.text.get(sentence).unwrap_or_default();
            Ok(!unless.is_match(words.as_bytes()))
        }
    }
}
