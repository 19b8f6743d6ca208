//! What a compaction summary claims, one claim at a time, and what said earlier stands behind each.
//!
//! The summary is an artifact of trust `model`, whoever it quotes. What it claims is listed; it is
//! proposed only where that is asked for, and then the gate looks at it like at anything else.

use super::run::{Run, speaker_word};
use crate::desk::DeskError;
use crate::domain::artifact::ArtifactKind;
use crate::domain::candidate::Proposal;
use crate::domain::{Digest, Kind, Problem, Proposer, Scope, SourceRef, Span, Trust};
use crate::evidence::{Answer, Item};
use crate::store::bookmark::Bookmark;
use crate::transcript::{Message, Speaker};
use std::collections::{HashSet, VecDeque};

/// How many earlier messages a summary is held against.
const REMEMBERED: usize = 2000;
/// How many bytes of them.
const REMEMBERED_BYTES: usize = 8 * 1024 * 1024;
/// How many of them a claim is weighed against: those that share most of its words.
const WEIGHED: usize = 12;
/// How many summaries, and how many claims of each, are listed; the rest are counted.
const LISTED: usize = 50;
/// The longest message that is remembered: what is longer is no single thing somebody said.
const LONGEST: usize = 64 * 1024;
/// How many claims of one summary are looked at.
const CLAIMS: usize = 500;
/// How many messages are named as a claim's sources.
const SOURCES: usize = 8;

/// What earlier messages make of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// All of it was said.
    Supported,
    /// A weaker form of it was said.
    Overstated,
    /// The opposite was said.
    Contradicted,
    /// Nobody said it.
    Unsupported,
}

/// One claim of a summary.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ClaimOfSummary {
    /// The claim.
    pub text: String,
    /// What earlier messages make of it.
    pub standing: Standing,
    /// The words that nothing backs.
    pub unsupported: Vec<String>,
    /// The lowest trust among the summary and what supports it.
    pub trust: Trust,
    /// Who said what supports it, and where it stands in the file.
    pub sources: Vec<SourceOfClaim>,
}

/// A message that supports a claim.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SourceOfClaim {
    /// Whose words it is.
    pub speaker: String,
    /// The byte of the file at which it starts.
    pub offset: u64,
}

/// One compaction summary.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SummaryReport {
    /// The artifact it became.
    pub artifact: String,
    /// The byte of the file at which it starts.
    pub offset: u64,
    /// What it claims, the first of it.
    pub claims: Vec<ClaimOfSummary>,
}

/// The messages a later summary is held against.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    messages: VecDeque<Remembered>,
    bytes: usize,
}

#[derive(Debug)]
struct Remembered {
    speaker: Speaker,
    text: String,
    offset: u64,
    /// Where it stands in the artifact; none where it is not in this one.
    span: Option<Span>,
}

/// A claim with the earlier messages that support it.
struct Weighed {
    claim: ClaimOfSummary,
    span: Span,
    spans: Vec<Span>,
}

impl Earlier {
    pub(super) fn remember(&mut self, message: Message, span: Option<Span>) {
        let quotable = matches!(
            message.speaker,
            Speaker::Person | Speaker::Tool | Speaker::Web | Speaker::Model
        );
        if !quotable || message.text.len() > LONGEST {
            return;
        }
        self.bytes += message.text.len();
        self.messages.push_back(Remembered {
            speaker: message.speaker,
            text: message.text,
            offset: message.offset,
            span,
        });
        while self.messages.len() > REMEMBERED || self.bytes > REMEMBERED_BYTES {
            let Some(oldest) = self.messages.pop_front() else {
                return;
            };
            self.bytes = self.bytes.saturating_sub(oldest.text.len());
        }
    }

    /// Holds each claim against the messages that share most of its words.
    fn weigh(&self, text: &str) -> Vec<Weighed> {
        let words: Vec<HashSet<String>> = self
            .messages
            .iter()
            .map(|message| words(&message.text))
            .collect();
        let claims = crate::evidence::split(text).into_iter().take(CLAIMS + 1);
        claims
            .filter_map(|range| Some((text.get(range.clone())?, range)))
            // The sentence a harness opens every summary with says nothing.
            .filter(|(claim, _)| !crate::transcript::opens_summary(claim))
            .map(|(claim, range)| {
                let span = Span {
                    start: range.start,
                    end: range.end,
                };
                self.weigh_one(claim, span, &words)
            })
            .collect()
    }

    fn weigh_one(&self, claim: &str, span: Span, all: &[HashSet<String>]) -> Weighed {
        let wanted = words(claim);
        let mut near: Vec<(usize, usize)> = all
            .iter()
            .map(|words| words.intersection(&wanted).count())
            .enumerate()
            .filter(|(_, shared)| *shared > 0)
            .collect();
        near.sort_by_key(|(at, shared)| (std::cmp::Reverse(*shared), *at));
        near.truncate(WEIGHED);
        near.sort_unstable();
        let near: Vec<&Remembered> = near
            .iter()
            .filter_map(|(at, _)| self.messages.get(*at))
            .collect();
        let items: Vec<Item<'_>> = near.iter().map(|message| message.item()).collect();
        let weighing = crate::evidence::weigh(claim, &items);
        let supporting: Vec<&&Remembered> = weighing
            .supporting
            .iter()
            .filter_map(|(at, _)| near.get(*at))
            .take(SOURCES)
            .collect();
        let lowest = supporting.iter().map(|message| message.item().trust).min();
        let trust = lowest.unwrap_or(Trust::Model).min(Trust::Model);
        let unsupported = weighing.unsupported_words.into_iter();
        let unsupported: Vec<String> = unsupported
            .filter_map(|range| claim.get(range).map(str::to_owned))
            .collect();
        let claim = ClaimOfSummary {
            text: claim.to_owned(),
            standing: standing(weighing.answer),
            unsupported,
            trust,
            sources: supporting
                .iter()
                .map(|message| SourceOfClaim {
                    speaker: speaker_word(message.speaker).to_owned(),
                    offset: message.offset,
                })
                .collect(),
        };
        let spans = supporting.iter().filter_map(|message| message.span);
        Weighed {
            claim,
            span,
            spans: spans.collect(),
        }
    }
}

impl Remembered {
    fn item(&self) -> Item<'_> {
        Item {
            text: &self.text,
            trust: self.speaker.trust().unwrap_or(Trust::Model),
            person: self.speaker == Speaker::Person,
            speaker: None,
        }
    }
}

impl Run<'_, '_> {
    /// Keeps the summary, and says what each of its claims rests on.
    pub(super) fn summary(&mut self, message: &Message) -> Result<(), DeskError> {
        let sha256 = Digest::of(message.text.as_bytes());
        if !self.options.dry_run {
            let mut incoming = self.desk.store.incoming()?;
            incoming.add(message.text.as_bytes())?;
            let kind = ArtifactKind::CompactionSummary;
            let mut new = self.desk.new_artifact(kind, Trust::Model, &self.request);
            new.title = format!("compaction summary in {}", self.request.title);
            self.desk.store.keep(incoming, new)?;
        }
        let mut weighed = self.earlier.weigh(&message.text);
        if weighed.len() > CLAIMS {
            weighed.truncate(CLAIMS);
            self.problem(Problem {
                line: 0,
                offset: message.offset,
                what: format!(
                    "compaction summary makes more than {CLAIMS} claims: the rest are left"
                ),
            });
        }
        self.report.claims += weighed.len() as u64;
        let unsupported = |weighed: &&Weighed| weighed.claim.standing == Standing::Unsupported;
        self.report.unsupported += weighed.iter().filter(unsupported).count() as u64;
        if !self.options.dry_run {
            self.keep_made(message, sha256, &weighed)?;
        }
        if self.report.summaries.len() < LISTED {
            let claims = weighed.into_iter().map(|weighed| weighed.claim);
            self.report.summaries.push(SummaryReport {
                artifact: format!("artifact:{sha256}"),
                offset: message.offset,
                claims: claims.take(LISTED).collect(),
            });
        }
        Ok(())
    }

    /// Proposes every claim once, where that is asked for, and enters what was made of the summary:
    /// what was cut off in between is done again, what was done is not.
    fn keep_made(
        &mut self,
        message: &Message,
        summary: Digest,
        weighed: &[Weighed],
    ) -> Result<(), DeskError> {
        let layer = self.request.layer.as_str().as_bytes();
        let done = Digest::of_parts(&[b"summary", layer, &summary.0]);
        let proposes = self.options.propose_summaries && self.desk.store.bookmark(&done)?.is_none();
        let mut candidates = Vec::new();
        if proposes {
            for one in weighed {
                let answer = self.desk.propose(self.proposal(summary, one)?)?;
                if answer.status.is_new() {
                    self.report.candidates += 1;
                }
                if !candidates.contains(&answer.id) {
                    candidates.push(answer.id);
                }
            }
        }
        self.enter_compaction(message, weighed.len() as u64, candidates)?;
        if !proposes {
            return Ok(());
        }
        let nothing = Bookmark {
            offset: 0,
            line: 0,
            length: 0,
            before: Digest::ZERO,
            tail: Digest::ZERO,
            artifact: summary,
        };
        Ok(self.desk.store.set_bookmark(&done, &nothing)?)
    }

    /// The claim cites the summary, and every earlier message that says the same.
    fn proposal(&self, summary: Digest, weighed: &Weighed) -> Result<Proposal, DeskError> {
        let own = SourceRef::Artifact {
            sha256: summary,
            span: Some(weighed.span),
        };
        let cited = weighed.spans.iter().map(|span| SourceRef::Artifact {
            sha256: self.artifact,
            span: Some(*span),
        });
        let proposer =
            Proposer::parse("ingest").map_err(|error| DeskError::NotPossible(error.to_string()))?;
        let (start, end) = (weighed.span.start, weighed.span.end);
        Ok(Proposal {
            claim: weighed.claim.text.clone(),
            kind: Kind::Inference,
            sources: std::iter::once(own).chain(cited).collect(),
            declared_trust: Some(Trust::Model),
            scope: Scope {
                layer: self.request.layer.clone(),
                project: self.request.project.clone(),
                session: None,
            },
            expires_at: None,
            confidence: None,
            proposer,
            forbidden_fields: Vec::new(),
            key: Some(format!("{}:{summary}:{start}-{end}", self.request.layer)),
        })
    }
}

const fn standing(answer: Answer) -> Standing {
    match answer {
        Answer::Supported => Standing::Supported,
        Answer::Overstated => Standing::Overstated,
        Answer::Contradicted => Standing::Contradicted,
        Answer::Unsupported => Standing::Unsupported,
    }
}

/// The words of a text that tell it from others.
fn words(text: &str) -> HashSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 2 || word.chars().any(char::is_numeric))
        .map(str::to_lowercase)
        .collect()
}
