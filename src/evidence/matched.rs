//! Which parts of a claim a stretch of an item has: its words, numbers, moments and names.

use std::ops::Range;

use crate::evidence::backing::{has, implied, in_context, is_tool, weighty};
use crate::evidence::quantity;
use crate::evidence::reading::{Reading, Sentence};
use crate::evidence::related::{self, Topic};
use crate::evidence::said::Attribution;
use crate::evidence::slots::{self, Slot};
use crate::features::{Features, Word};

/// How much of the claim a stretch must have to weaken or deny it.
pub(crate) const CLOSE: f64 = 0.6;

/// The claim laid on a stretch.
#[derive(Debug, Default)]
pub(crate) struct Matched {
    have: usize,
    of: usize,
    /// Content words that it has not.
    pub(crate) missing: Vec<Range<usize>>,
    /// Numbers and moments for which it gives another value.
    pub(crate) other: Vec<Range<usize>>,
    /// Numbers and moments for which it gives none.
    pub(crate) open: Vec<Range<usize>>,
    /// The sentence that has most of the claim, by its place in the stretch.
    pub(crate) core: usize,
    /// Sentences that alone have some word of the claim, and that nearest one.
    pub(crate) bearing: Vec<bool>,
    /// How many words stand only on words of the same topic.
    pub(crate) soft: usize,
    /// How many words of the claim stand in that sentence itself.
    pub(crate) direct: usize,
    /// Whether the first word that has to be backed is missing.
    pub(crate) no_subject: bool,
    /// How many missing words stand in no item at all.
    pub(crate) absent: usize,
    /// Whether the sentence speaks of another one by name: `the red one`.
    pub(crate) another: Option<Range<usize>>,
    /// Whether what the claim is about stands in that sentence, or is pointed back to.
    pub(crate) on_topic: bool,
}

/// How much of the claim stands in each sentence of a stretch.
struct Tally {
    counts: Vec<usize>,
    /// Words that stand in that sentence only.
    own: Vec<usize>,
    /// Where the first word of the claim stands.
    subject: Option<Vec<bool>>,
}

impl Tally {
    fn add(&mut self, places: &[bool], context: bool, weight: usize) {
        let once = places.iter().filter(|place| **place).count() == 1;
        for ((count, own), place) in self.counts.iter_mut().zip(&mut self.own).zip(places) {
            *count += usize::from(*place) * weight;
            *own += usize::from(*place && once);
        }
        if self.subject.is_none() {
            self.subject = Some(places.iter().map(|place| *place || context).collect());
        }
    }

    fn leads(&self, at: usize) -> bool {
        self.subject
            .as_ref()
            .and_then(|places| places.get(at))
            .copied()
            .unwrap_or(false)
    }

    fn has_subject(&self) -> bool {
        self.subject
            .as_ref()
            .is_some_and(|places| places.contains(&true))
    }
}

/// Whether a sentence speaks of what a word of the claim speaks of.
fn is_near(topics: &[Topic], at: usize, sentence: &Sentence) -> bool {
    topics
        .iter()
        .any(|topic| topic.words.contains(&at) && sentence.topics.contains(&topic.line))
}

/// What the claim is laid on.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) reading: &'a Reading,
    pub(crate) attribution: &'a Attribution,
    /// The claim, as written.
    pub(crate) claim: &'a str,
    /// Whether single lines of a table are looked at, so that the other lines are no context.
    pub(crate) row: bool,
    /// The other items.
    pub(crate) elsewhere: &'a [&'a Reading],
}

impl Matched {
    pub(crate) fn new(claim: &Features, stretch: &[&Sentence], ground: Ground<'_>) -> Self {
        let mut out = Self {
            on_topic: true,
            ..Self::default()
        };
        out.slots(claim, stretch, ground);
        let first = weighty(claim, ground.attribution)
            .next()
            .map(|(_, word)| word.span.clone());
        let tally = out.words(claim, stretch, ground);
        out.place(claim, stretch, ground, &tally);
        if out.another.is_some() {
            out.another.clone_from(&first);
        }
        let anywhere = |span: &Range<usize>| {
            let word = claim
                .words
                .iter()
                .find(|word| word.span == *span && !word.root.is_empty());
            let mut readings = ground.elsewhere.iter().chain([&ground.reading]);
            word.is_some_and(|word| readings.any(|reading| reading.roots.contains(&word.root)))
        };
        out.absent = out.missing.iter().filter(|span| !anywhere(span)).count();
        out.no_subject = first.is_some_and(|span| out.missing.contains(&span));
        out.borrow(claim, ground);
        out
    }

    /// Looks every word of the claim up.
    fn words(&mut self, claim: &Features, stretch: &[&Sentence], ground: Ground<'_>) -> Tally {
        let mut tally = Tally {
            counts: vec![0; stretch.len()],
            own: vec![0; stretch.len()],
            subject: None,
        };
        let topics = related::topics(claim, related::Of::Claim);
        for (at, word) in weighty(claim, ground.attribution) {
            self.of += 1;
            let named = claim.names.iter().any(|name| name.word == at) || word.shape.is_code();
            let said = |sentence: &&Sentence| has(sentence, word, named);
            // What has an opposite is not said by what is only near it.
            let sided = claim
                .poles
                .iter()
                .any(|pole| pole.span.start <= word.span.start && word.span.end <= pole.span.end);
            let near = |sentence: &&Sentence| !sided && is_near(&topics, at, sentence);
            let hard = stretch.iter().any(said);
            let places: Vec<bool> = match hard {
                true => stretch.iter().map(said).collect(),
                false => stretch.iter().map(near).collect(),
            };
            let context = in_context(word, named, stretch, ground)
                || implied(word, claim, stretch, ground.reading);
            match context || places.contains(&true) {
                true => self.have += 1,
                false => self.missing.push(word.span.clone()),
            }
            self.soft += usize::from(!hard && !context && places.contains(&true));
            tally.add(&places, context, if word.shape.is_code() { 2 } else { 1 });
        }
        tally
    }

    /// Finds the sentence that has most of the claim, and whether it speaks of the same thing.
    fn place(
        &mut self,
        claim: &Features,
        stretch: &[&Sentence],
        ground: Ground<'_>,
        tally: &Tally,
    ) {
        let best = tally.counts.iter().enumerate();
        let best =
            best.max_by_key(|(at, count)| (**count, tally.leads(*at), std::cmp::Reverse(*at)));
        (self.core, self.direct) = best.map_or((0, 0), |(at, count)| (at, *count));
        let own = tally.own.iter().enumerate();
        self.bearing = own
            .map(|(at, count)| *count > 0 || at == self.core)
            .collect();
        let core = stretch.get(self.core);
        let refers = core.is_some_and(|core| core.refers && self.core > 0);
        self.on_topic =
            tally.leads(self.core) || !tally.has_subject() || is_tool(ground.reading) || refers;
        self.another = stretch.iter().enumerate().find_map(|(at, sentence)| {
            let other = sentence.contrast()?;
            let ours = claim.words.iter().any(|word| word.root == other.root);
            let only_here = tally.own.get(at).is_some_and(|count| *count > 0);
            let before = tally.own.iter().take(at).any(|count| *count > 0);
            let apart = !ours && only_here && ((!tally.leads(at) && tally.has_subject()) || before);
            apart.then(|| other.span.clone())
        });
    }

    fn slots(&mut self, claim: &Features, stretch: &[&Sentence], ground: Ground<'_>) {
        let said: Vec<&Features> = stretch.iter().map(|sentence| &sentence.features).collect();
        let others = || {
            let readings = ground.elsewhere.iter().chain([&ground.reading]);
            readings.flat_map(|reading| {
                reading
                    .sentences
                    .iter()
                    .map(|it| &it.features)
                    .chain([&reading.header])
            })
        };
        for amount in &claim.amounts {
            let mut slot = quantity::amount(claim, amount, &said);
            // `week 7`, `greenhouse 2` name a thing, wherever they stand.
            if slot != Slot::Same && amount.label.is_some() && quantity::labelled(amount, others())
            {
                slot = Slot::Same;
            }
            if !(amount.weak && slot == Slot::Open) || quantity::is_bound(claim, amount) {
                self.slot(slot, amount.span.clone());
            }
        }
        for moment in &claim.moments {
            self.slot(slots::moment(moment, &said), moment.span.clone());
        }
    }

    fn slot(&mut self, slot: Slot, span: Range<usize>) {
        self.of += 1;
        match slot {
            Slot::Same => self.have += 1,
            Slot::Other => self.other.push(span),
            Slot::Open => self.open.push(span),
        }
    }

    /// Words that name what the talk is about may stand in another item, if most stand in this
    /// one; the first words of a claim do that, its last word does not.
    fn borrow(&mut self, claim: &Features, ground: Ground<'_>) {
        let firm = self.have - self.soft;
        if firm * 2 < self.of || self.missing.len() > 2 || (self.soft > 0 && self.missing.len() > 1)
        {
            return;
        }
        let last = claim.content().last().map(|(_, word)| word.span.clone());
        // What the item itself denies in another place is not the topic of this one.
        let said = |word: &Word| {
            let denied =
                |it: &Sentence| !it.features.negations.is_empty() && it.roots.contains(&word.root);
            let here = !ground.row && ground.reading.sentences.iter().any(denied);
            // What one person says is not said of another who is there.
            let own = ground.reading.person && !ground.reading.speaker.is_empty();
            !here
                && ground.elsewhere.iter().any(|reading| {
                    reading.roots.contains(&word.root)
                        || (!own && reading.speaker.contains(&word.lower))
                })
        };
        let topic = |span: &Range<usize>| {
            let word = claim
                .words
                .iter()
                .find(|word| word.span == *span && !word.root.is_empty());
            Some(span) != last.as_ref() && word.is_some_and(said)
        };
        let before = self.missing.len();
        self.missing.retain(|span| !topic(span));
        self.have += before - self.missing.len();
    }

    /// Whether at least half of the claim stands in the nearest sentence itself.
    pub(crate) fn is_direct(&self) -> bool {
        self.direct > 1 || self.direct * 2 >= self.of
    }

    /// Whether it has all of the claim, and no other value for any of it.
    pub(crate) fn holds(&self) -> bool {
        self.missing.is_empty() && self.open.is_empty() && self.other.is_empty()
    }

    /// The bytes of the claim that it has not.
    pub(crate) fn lacking(&self) -> Vec<Range<usize>> {
        self.missing.iter().chain(&self.open).cloned().collect()
    }

    /// The share of the claim that the stretch has.
    pub(crate) fn coverage(&self) -> f64 {
        if self.of == 0 {
            0.0
        } else {
            self.have as f64 / self.of as f64
        }
    }
}
