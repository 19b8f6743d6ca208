//! The facts of one row, whatever it is a row of, and the one function that holds a term against
//! them. A fact that a row does not have makes its term false.

use crate::domain::candidate::Candidate;
use crate::domain::entry::{Beside, EntryDraft};
use crate::domain::memory::{Memory, MemoryState, Mode};
use crate::domain::pattern::{Pattern, PatternState};
use crate::domain::query::{Count, Is, Term, Who};
use crate::domain::{
    Act, Class, Influence, Kind, Layer, Project, SessionId, SourceRef, Time, Trust, Verdict,
};
use std::borrow::Cow;

/// What can be asked of one row at one moment.
#[derive(Debug, Clone)]
pub struct Facts<'a> {
    /// The moment.
    pub now: Time,
    /// When it began: proposed, approved, done, last seen.
    pub at: Option<Time>,
    /// When it ends.
    pub ends: Option<Time>,
    /// Where it stands.
    pub layer: Option<Cow<'a, Layer>>,
    /// What sort of claim it is.
    pub kind: Option<Kind>,
    /// The lowest trust behind it.
    pub trust: Option<Trust>,
    /// What it could cause.
    pub influence: Option<Influence>,
    /// What objects to it.
    pub rules: Vec<(&'a str, Class)>,
    /// What is counted of it.
    pub counts: Vec<(Count, u64)>,
    /// Who decided or acted.
    pub people: Vec<&'a str>,
    /// Who proposed it.
    pub proposer: Option<&'a str>,
    /// The sessions it comes from or is narrowed to.
    pub sessions: Vec<&'a str>,
    /// The project it is narrowed to.
    pub project: Option<&'a str>,
    /// Where it says it comes from.
    pub sources: &'a [SourceRef],
    /// What was done.
    pub act: Option<Act>,
    /// To what.
    pub item: Option<&'a str>,
    /// What it is.
    pub is: Vec<Is>,
    /// What words are looked for in.
    pub texts: Vec<Cow<'a, str>>,
}

impl<'a> Facts<'a> {
    /// A row of which nothing is known.
    #[must_use]
    pub const fn at(now: Time) -> Self {
        Self {
            now,
            at: None,
            ends: None,
            layer: None,
            kind: None,
            trust: None,
            influence: None,
            rules: Vec::new(),
            counts: Vec::new(),
            people: Vec::new(),
            proposer: None,
            sessions: Vec::new(),
            project: None,
            sources: &[],
            act: None,
            item: None,
            is: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// What can be asked of a candidate.
    #[must_use]
    pub fn of_candidate(candidate: &'a Candidate, now: Time) -> Self {
        let asleep = candidate.snoozed_until.is_some_and(|until| until > now);
        let is = [
            (Is::Held, candidate.held),
            (Is::Snoozed, asleep),
            (Is::Advisory, candidate.verdict == Verdict::Advisory),
            (Is::Clear, candidate.verdict == Verdict::Clear),
            (Is::Repeated, candidate.pattern.is_some()),
            (Is::Linked, candidate.linked_to.is_some()),
        ];
        let support = candidate.support;
        let findings = candidate.findings.iter();
        Self {
            at: Some(candidate.proposed_at),
            ends: Some(candidate.expires_at),
            layer: Some(Cow::Borrowed(&candidate.scope.layer)),
            kind: Some(candidate.kind),
            trust: Some(candidate.trust),
            influence: Some(candidate.influence),
            rules: findings
                .map(|finding| (finding.rule.as_str(), finding.class))
                .collect(),
            counts: support_counts(support.users, support.sessions, support.days),
            people: candidate.outcome.iter().map(|it| it.by.as_str()).collect(),
            proposer: Some(candidate.proposer.as_str()),
            sessions: sessions(candidate.scope.session.as_ref(), &candidate.sources),
            project: candidate.scope.project.as_ref().map(Project::as_str),
            sources: &candidate.sources,
            is: chosen(&is),
            texts: vec![Cow::Borrowed(&candidate.claim)],
            ..Self::at(now)
        }
    }

    /// What can be asked of a memory. Whether it is stale or contradicted is for its caller to add.
    #[must_use]
    pub fn of_memory(memory: &'a Memory, now: Time) -> Self {
        let state = match memory.state_at(now) {
            MemoryState::Active => Is::Active,
            MemoryState::Demoted => Is::Demoted,
            MemoryState::Superseded => Is::Superseded,
            MemoryState::Expired => Is::Expired,
        };
        let is = [(state, true), (Is::Advisory, memory.mode == Mode::Advisory)];
        let changed = memory.changed.iter().map(|it| it.by.as_str());
        let approved = memory.approved_by.iter().map(String::as_str);
        Self {
            at: Some(memory.approved_at),
            ends: Some(memory.expires_at),
            layer: Some(Cow::Borrowed(&memory.scope.layer)),
            kind: Some(memory.kind),
            trust: Some(memory.trust),
            influence: Some(memory.influence),
            counts: vec![(Count::Served, memory.served)],
            people: approved.chain(changed).collect(),
            sessions: sessions(memory.scope.session.as_ref(), &memory.sources),
            project: memory.scope.project.as_ref().map(Project::as_str),
            sources: &memory.sources,
            is: chosen(&is),
            texts: vec![Cow::Borrowed(&memory.text)],
            ..Self::at(now)
        }
    }

    /// What can be asked of a pattern. Its other wordings are for its caller to add.
    #[must_use]
    pub fn of_pattern(pattern: &'a Pattern, now: Time) -> Self {
        let state = match pattern.state {
            PatternState::Watching => Is::Watching,
            PatternState::Proposed => Is::Proposed,
        };
        let support = pattern.support;
        Self {
            at: Some(pattern.last_at),
            layer: Some(Cow::Borrowed(&pattern.layer)),
            trust: Some(pattern.trust),
            counts: support_counts(support.users, support.sessions, support.days),
            is: vec![state],
            texts: vec![Cow::Borrowed(&pattern.claim)],
            ..Self::at(now)
        }
    }

    /// What can be asked of an entry, with the texts kept beside it.
    #[must_use]
    pub fn of_entry(entry: &'a EntryDraft, beside: &'a [Beside], now: Time) -> Self {
        let layer = entry.facts.get("layer");
        let reason = entry.facts.get("reason").map(String::as_str);
        let mut texts = vec![
            Cow::Borrowed(entry.item.as_str()),
            Cow::Borrowed(entry.actor.as_str()),
        ];
        texts.extend(reason.map(Cow::Borrowed));
        texts.extend(beside.iter().map(|text| Cow::Borrowed(text.body.as_str())));
        Self {
            at: Some(entry.at),
            layer: layer.and_then(|layer| Layer::parse(layer).ok().map(Cow::Owned)),
            people: vec![&entry.actor],
            sessions: entry
                .facts
                .get("session")
                .map(String::as_str)
                .into_iter()
                .collect(),
            act: Some(entry.act),
            item: Some(&entry.item),
            is: chosen(&[(Is::Decision, entry.act.is_decision())]),
            texts,
            ..Self::at(now)
        }
    }

    /// Whether this holds of the row.
    #[must_use]
    pub fn has(&self, term: &Term) -> bool {
        match term {
            Term::Layer(layer) => self
                .layer
                .as_ref()
                .is_some_and(|own| layer.is_visible_from(own)),
            Term::Kind(kind) => self.kind == Some(*kind),
            Term::Trust(how, trust) => self.trust.is_some_and(|own| how.holds(own, *trust)),
            Term::Influence(how, wanted) => {
                self.influence.is_some_and(|own| how.holds(own, *wanted))
            }
            Term::Rule(name) => self
                .rules
                .iter()
                .any(|(rule, class)| rule == name || class.as_str() == name),
            Term::Age(how, age) => self
                .at
                .is_some_and(|at| how.holds(self.now.since(at), *age)),
            Term::Ends(how, left) => self
                .ends
                .is_some_and(|ends| how.holds(ends.since(self.now), *left)),
            Term::After(moment) => self.at.is_some_and(|at| at >= *moment),
            Term::Before(moment) => self.at.is_some_and(|at| at < *moment),
            Term::Count(what, how, wanted) => self
                .counts
                .iter()
                .any(|(own, n)| own == what && how.holds(*n, *wanted)),
            Term::Reviewer(Who::Named(name)) => self.people.contains(&name.as_str()),
            // Nobody is `me` until it is known who asks.
            Term::Reviewer(Who::Me) => false,
            Term::Proposer(name) => self.proposer == Some(name),
            Term::Session(name) => self.sessions.contains(&name.as_str()),
            Term::Project(name) => self.project == Some(name),
            Term::Source(part) => self
                .sources
                .iter()
                .any(|source| cites(&source.to_string(), part)),
            Term::Act(act) => self.act == Some(*act),
            Term::Item(item) => self.item == Some(item),
            Term::Is(is) => self.is.contains(is),
            Term::Text(words) => self.texts.iter().any(|text| holds(text, words)),
        }
    }
}

/// Whether a text holds these words, in any case.
fn holds(text: &str, words: &str) -> bool {
    text.to_lowercase().contains(&words.to_lowercase())
}

/// Whether a reference holds these letters; a number at their end is a whole number there.
fn cites(source: &str, part: &str) -> bool {
    let (source, part) = (source.to_lowercase(), part.to_lowercase());
    let numbered = part
        .rsplit_once('-')
        .is_some_and(|(_, n)| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    source.match_indices(&part).any(|(at, found)| {
        let rest = source.get(at + found.len()..).unwrap_or_default();
        !numbered || !rest.starts_with(|c: char| c.is_ascii_digit())
    })
}

fn chosen(all: &[(Is, bool)]) -> Vec<Is> {
    all.iter()
        .filter(|(_, holds)| *holds)
        .map(|(is, _)| *is)
        .collect()
}

fn support_counts(users: u32, sessions: u32, days: u32) -> Vec<(Count, u64)> {
    vec![
        (Count::Users, u64::from(users)),
        (Count::Sessions, u64::from(sessions)),
        (Count::Days, u64::from(days)),
    ]
}

fn sessions<'a>(own: Option<&'a SessionId>, sources: &'a [SourceRef]) -> Vec<&'a str> {
    let cited = sources.iter().filter_map(|source| match source {
        SourceRef::Session(session) => Some(session.as_str()),
        _ => None,
    });
    own.map(SessionId::as_str)
        .into_iter()
        .chain(cited)
        .collect()
}
