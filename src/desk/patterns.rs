//! Patterns as people look at them: how far each is from its thresholds, who stands behind it,
//! what it was joined of and kept apart from, and what was decided on its kin.

use crate::desk::view::{Page, SightingRow};
use crate::desk::{Desk, DeskError};
use crate::domain::candidate::CandidateState;
use crate::domain::known::Known;
use crate::domain::observation::Observation;
use crate::domain::pattern::{LinkKind, Pattern, PatternLink, PatternState, Support};
use crate::domain::query::Query;
use crate::domain::threshold::ThresholdSet;
use crate::domain::time::DAY;
use crate::domain::{CandidateId, Digest, Layer, MemoryId, PatternId, Time, Trust};
use crate::recurrence::{Distance, Flag, Seen, Suspicion, Thresholds};
use crate::store::beside::Progress;
use std::collections::{BTreeMap, BTreeSet};

/// How many of a pattern's newest sightings a row is made from, and how many a detail.
const GLANCE: usize = 200;
const LOOK: usize = 2_000;
/// How many sightings and how many links of a kind a detail lists.
const SIGHTINGS: usize = 50;
const LINKS: usize = 12;
/// How many weeks a trend goes back.
const TREND: usize = 8;
/// How many people are named beside a wording.
const NAMED: usize = 5;

/// A pattern in a list.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct PatternRow {
    /// Its id.
    pub id: PatternId,
    /// The wording that stands for it.
    pub claim: String,
    /// Its layer.
    pub layer: Layer,
    /// Who stands behind it.
    pub support: Support,
    /// What its layer asks.
    pub asked: ThresholdSet,
    /// What is missing.
    pub missing: Distance,
    /// Where it stands: watching, or what became of its candidate.
    pub state: &'static str,
    /// What it was proposed as.
    pub candidate: Option<CandidateId>,
    /// What that became.
    pub memory: Option<MemoryId>,
    /// How many observations it holds, counting or not.
    pub observations: u64,
    /// The lowest trust among those that count.
    pub trust: Trust,
    /// When it was last seen.
    pub last_at: Time,
    /// How often it was seen in each of the last weeks, the newest last.
    pub trend: Vec<u32>,
    /// What is suspicious about its support, in words.
    pub flags: Vec<String>,
}

/// One wording of a pattern, and who used it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct WordingRow {
    /// The words.
    pub text: String,
    /// How often they were counted.
    pub count: u64,
    /// When first and last, among the newest sightings.
    pub first_at: Option<Time>,
    /// When last.
    pub last_at: Option<Time>,
    /// By how many people, among the newest sightings.
    pub users: u32,
    /// Some of them.
    pub who: Vec<String>,
}

/// A link as a person reads it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LinkRow {
    /// Which it is.
    pub kind: LinkKind,
    /// The other pattern.
    pub other: Option<PatternId>,
    /// The wording of this pattern.
    pub text: String,
    /// What it was held against.
    pub with: String,
    /// Why.
    pub why: String,
    /// The detector that said so.
    pub version: String,
    /// When.
    pub at: Time,
}

/// What people decided about a candidate of this pattern, or near it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct KinRow {
    /// The candidate.
    pub candidate: CandidateId,
    /// Where it stands.
    pub state: CandidateState,
    /// Its claim.
    pub claim: String,
    /// Who decided, when and why, where somebody did.
    pub decided: Option<String>,
}

/// A pattern with everything known of it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct PatternView {
    /// What the list says of it.
    pub row: PatternRow,
    /// Its wordings, the most frequent first.
    pub wordings: Vec<WordingRow>,
    /// Why it is proposed, or why not.
    pub why: String,
    /// What joined it, what may belong to it, what was kept apart from it.
    pub links: Vec<LinkRow>,
    /// Patterns of wider layers that count its people.
    pub counted_in: Vec<PatternId>,
    /// Patterns of layers below whose people it counts.
    pub counts: Vec<PatternId>,
    /// What people decided about its kin.
    pub kin: Vec<KinRow>,
    /// What is known near its candidate.
    pub known: Vec<Known>,
    /// Memories it speaks against, and why.
    pub against: Vec<(MemoryId, String)>,
    /// The newest sightings.
    #[serde(skip)]
    pub sightings: Vec<SightingRow>,
}

impl PatternView {
    /// The hash of the claim as it is shown.
    #[must_use]
    pub fn shown(&self) -> Digest {
        Digest::of(self.row.claim.as_bytes())
    }
}

impl Desk {
    /// Patterns that a query asks for, those with most people behind them first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn pattern_rows(
        &self,
        query: &Query,
        offset: usize,
        limit: usize,
    ) -> Result<Page<PatternRow>, DeskError> {
        let wanted = limit.saturating_add(1);
        let found = self.store.patterns_within(
            query,
            self.now(),
            &|text| self.shown(text).text,
            offset,
            wanted,
        )?;
        let more = found.len() > limit;
        let levels = self.levels()?;
        let mut rows = Vec::new();
        for pattern in found.into_iter().take(limit) {
            let asked = levels.at(&pattern.layer);
            let newest = self.store.sightings(pattern.id, GLANCE)?;
            rows.push(self.pattern_row(&pattern, asked, &newest)?);
        }
        Ok(Page { rows, more })
    }

    /// One pattern with everything known of it.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn pattern(&self, id: PatternId) -> Result<PatternView, DeskError> {
        let pattern = self.store.pattern(id)?;
        let asked = self.levels()?.at(&pattern.layer);
        let newest = self.store.sightings(id, LOOK)?;
        let row = self.pattern_row(&pattern, asked.clone(), &newest)?;
        let (counted_in, counts) = self.store.relatives(id)?;
        let against = self.store.contradicted(None)?;
        let against = against
            .iter()
            .flat_map(|(memory, all)| all.iter().map(move |one| (*memory, one)))
            .filter(|(_, one)| one.pattern == id)
            .map(|(memory, one)| (memory, self.shown(&one.why).text))
            .collect();
        Ok(PatternView {
            wordings: self.wording_rows(id, &newest)?,
            why: self.why_proposed(&pattern, &row, &asked, &counted_in)?,
            links: self.link_rows(id)?,
            kin: self.kin_rows(&pattern)?,
            known: match pattern.candidate {
                Some(candidate) => self.known_of(candidate)?,
                None => Vec::new(),
            },
            counted_in,
            counts,
            against,
            sightings: newest
                .into_iter()
                .take(SIGHTINGS)
                .map(|one| self.sighting_row(one))
                .collect(),
            row,
        })
    }

    /// Where the detector is.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn detector_progress(&self) -> Result<Progress, DeskError> {
        Ok(self.store.progress()?)
    }

    fn pattern_row(
        &self,
        pattern: &Pattern,
        asked: ThresholdSet,
        newest: &[Observation],
    ) -> Result<PatternRow, DeskError> {
        let Support {
            users,
            sessions,
            days,
        } = asked.least;
        let least = Thresholds {
            users,
            sessions,
            days,
        };
        let candidate = match pattern.candidate {
            Some(id) => Some(self.store.candidate(id)?),
            None => None,
        };
        let state = match (&candidate, pattern.state) {
            (Some(found), _)
                if found.pattern == Some(pattern.id)
                    || self.store.relatives(pattern.id)?.0.is_empty() =>
            {
                found.state.as_str()
            }
            (_, PatternState::Proposed) => "counted above",
            (_, PatternState::Watching) => "watching",
        };
        Ok(PatternRow {
            id: pattern.id,
            claim: self.shown(&pattern.claim).text,
            layer: pattern.layer.clone(),
            support: pattern.support,
            missing: least.distance(pattern.support),
            asked,
            state,
            candidate: pattern.candidate,
            memory: candidate.and_then(|candidate| candidate.memory),
            observations: pattern.observations,
            trust: pattern.trust,
            last_at: pattern.last_at,
            trend: trend(newest, self.now()),
            flags: self.flags(pattern, newest)?,
        })
    }

    /// What is suspicious about a pattern's support, as far as its newest sightings tell.
    pub(in crate::desk) fn flags(
        &self,
        pattern: &Pattern,
        newest: &[Observation],
    ) -> Result<Vec<String>, DeskError> {
        let counting: Vec<&Observation> = newest
            .iter()
            .filter(|one| crate::recurrence::counts(one.sighting.origin, one.sighting.trust))
            .collect();
        let who: Vec<(String, String)> = counting
            .iter()
            .map(|one| {
                let seen = &one.sighting;
                (seen.user.to_string(), seen.session.to_string())
            })
            .collect();
        let first = self.store.first_seen(pattern.layer.tenant(), &who)?;
        let seen: Vec<Seen> = counting
            .iter()
            .zip(first)
            .map(|(one, (user, session))| Seen {
                user: one.sighting.user.clone(),
                session: one.sighting.session.clone(),
                session_began: session.unwrap_or(one.sighting.at),
                user_first_seen: user.unwrap_or(one.sighting.at),
                at: one.sighting.at,
                bytes: Digest::of(one.sighting.text.as_bytes()),
            })
            .collect();
        let found = crate::recurrence::flags(&seen, Suspicion::SHIPPED);
        Ok(found.iter().map(flag_words).collect())
    }

    fn wording_rows(
        &self,
        id: PatternId,
        newest: &[Observation],
    ) -> Result<Vec<WordingRow>, DeskError> {
        let mut used: BTreeMap<&str, (Time, Time, BTreeSet<String>)> = BTreeMap::new();
        for one in newest {
            let seen = &one.sighting;
            let entry =
                used.entry(seen.text.as_str())
                    .or_insert((seen.at, seen.at, BTreeSet::new()));
            entry.0 = entry.0.min(seen.at);
            entry.1 = entry.1.max(seen.at);
            entry.2.insert(seen.user.to_string());
        }
        let rows = self.store.wordings(id, LOOK)?.into_iter().map(|wording| {
            let found = used.get(wording.text.as_str());
            WordingRow {
                text: self.shown(&wording.text).text,
                count: wording.count,
                first_at: found.map(|(first, ..)| *first),
                last_at: found.map(|(_, last, _)| *last),
                users: found.map_or(0, |(.., who)| u32::try_from(who.len()).unwrap_or(u32::MAX)),
                who: found.map_or_else(Vec::new, |(.., who)| {
                    who.iter().take(NAMED).cloned().collect()
                }),
            }
        });
        Ok(rows.collect())
    }

    fn link_rows(&self, id: PatternId) -> Result<Vec<LinkRow>, DeskError> {
        let row = |link: PatternLink| {
            let (text, with) = (self.shown(&link.text), self.shown(&link.with));
            let secret = !text.masked.is_empty() || !with.masked.is_empty();
            // What was said of a text that holds a secret is said again of what may be shown.
            let why = if link.why.is_empty() || secret {
                crate::recurrence::explain(&text.text, &with.text).to_string()
            } else {
                link.why
            };
            LinkRow {
                kind: link.kind,
                other: link.other,
                text: text.text,
                with: with.text,
                why: self.shown(&why).text,
                version: link.version.short(),
                at: link.at,
            }
        };
        Ok(self.store.links(id, LINKS)?.into_iter().map(row).collect())
    }

    fn kin_rows(&self, pattern: &Pattern) -> Result<Vec<KinRow>, DeskError> {
        let mut ids: BTreeSet<CandidateId> = pattern.candidate.into_iter().collect();
        for member in self.store.family(pattern.id)? {
            ids.extend(member.candidate);
        }
        for link in self.store.links(pattern.id, LINKS)? {
            if let Some(other) = link.other {
                ids.extend(self.store.pattern(other)?.candidate);
            }
        }
        let mut rows = Vec::new();
        for id in ids {
            let candidate = self.store.candidate(id)?;
            rows.push(KinRow {
                candidate: id,
                state: candidate.state,
                claim: self.shown(&candidate.claim).text,
                decided: candidate.outcome.map(|outcome| {
                    let why = outcome
                        .reason
                        .map(|why| format!(": {}", self.shown(&why).text));
                    format!(
                        "{} by {} on {}{}",
                        outcome.act,
                        outcome.by,
                        outcome.at.date(),
                        why.unwrap_or_default()
                    )
                }),
            });
        }
        Ok(rows)
    }

    fn why_proposed(
        &self,
        pattern: &Pattern,
        row: &PatternRow,
        asked: &ThresholdSet,
        counted_in: &[PatternId],
    ) -> Result<String, DeskError> {
        if let (Some(id), false) = (counted_in.first(), pattern.candidate.is_none()) {
            return Ok(format!(
                "its people count in {id}, for a wider layer, proposed as {}",
                pattern
                    .candidate
                    .map(|id| id.to_string())
                    .unwrap_or_default()
            ));
        }
        if let Some(id) = pattern.candidate {
            return Ok(format!(
                "it passed the thresholds and is {id}, {}",
                row.state
            ));
        }
        if !row.missing.is_none_missing() {
            let part = |n: u32, one: &str| match n {
                0 => None,
                1 => Some(format!("1 more {one}")),
                n => Some(format!("{n} more {one}s")),
            };
            let missing: Vec<String> = [
                part(row.missing.users, "user"),
                part(row.missing.sessions, "session"),
                part(row.missing.days, "day"),
            ]
            .into_iter()
            .flatten()
            .collect();
            return Ok(format!(
                "it is not proposed: it takes {}",
                missing.join(", ")
            ));
        }
        if !self.passes(pattern, asked)? {
            return Ok(format!(
                "it is not proposed: too little of its support is from the last {} days",
                asked.window
            ));
        }
        Ok("it passes the thresholds: the detector's next round proposes it".to_owned())
    }
}

/// What is suspicious, in words.
fn flag_words(flag: &Flag) -> String {
    match flag {
        Flag::NewUsersAtOnce { users } => {
            format!("{users} users who were never seen before said it within ten minutes")
        }
        Flag::SameBytes { users } => {
            format!("{users} users said it letter for letter, and nobody in other words")
        }
        Flag::SessionsBeganTogether { sessions } => {
            format!("{sessions} sessions of different users began within seconds")
        }
        Flag::OneUserManySessions { sessions } => {
            format!("one user said it in {sessions} sessions, most of all there are")
        }
    }
}

/// How often it was seen in each of the last weeks, the newest last.
fn trend(newest: &[Observation], now: Time) -> Vec<u32> {
    let mut weeks = vec![0_u32; TREND];
    for one in newest {
        let ago = usize::try_from(now.since(one.sighting.at) / (7 * DAY)).unwrap_or(0);
        let place = TREND.checked_sub(1 + ago);
        if let Some(week) = place.and_then(|at| weeks.get_mut(at)) {
            *week += 1;
        }
    }
    weeks
}
